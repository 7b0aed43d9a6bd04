//! `cranfield rosetta` and `cranfield whence` as processes.

use std::path::{Path, PathBuf};

use crate::profiles::{cranfield, evaluated, golden, stdout, written};

#[test]
fn rosetta_has_every_program_and_its_reasons() {
    let files = ["examples/qrels.txt", "examples/runs/bm25.run"];
    let text = stdout(&[
        "rosetta", files[0], files[1], "-m", "nDCG@10", "-f", "jsonl",
    ]);
    let rows: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 11);
    for row in rows.iter().filter(|row| !row["measure"].is_null()) {
        // The number is what `eval` gives under the profile.
        let profile = row["profile"].as_str().unwrap();
        let value = evaluated(&files, &["--profile", profile, "-m", "nDCG@10"])[0].2;
        assert_eq!(row["value"].as_f64(), Some(value), "{profile}");
        let own = rows[0]["value"].as_f64().unwrap();
        let reasons = row["reasons"].as_array().unwrap();
        assert_eq!(
            reasons.is_empty(),
            (value - own).abs() < 1e-12,
            "{profile}: {reasons:?}"
        );
    }
    let csv = stdout(&["rosetta", files[0], files[1], "-m", "nDCG@10", "-f", "csv"]);
    assert!(
        csv.starts_with("profile,value,topics,measure,policies,reason\n"),
        "{csv}"
    );
}

#[test]
fn rosetta_and_whence_take_one_measure() {
    let output = cranfield(&[
        "rosetta",
        "examples/qrels.txt",
        "examples/runs/bm25.run",
        "-m",
        "AP RR",
    ]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        error,
        "error: `AP RR` names 2 measures; give one, such as -m 'AP'\n"
    );
    let output = cranfield(&[
        "whence",
        "examples/qrels.txt",
        "examples/runs/bm25.run",
        "-m",
        "AP",
        "high",
    ]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains(
            "`high` is not a number; write it with all its digits, such as 0.4312 or 43.12%"
        ),
        "{error}"
    );
}

/// Grades 1, 0, 3 at ranks 1 to 3, and a document of grade 2 that is missed; an unjudged document is fourth.
fn graded() -> (tempfile::TempDir, String, String) {
    written(
        "1 0 a 1\n1 0 b 0\n1 0 c 3\n1 0 d 2\n",
        "1 Q0 a 1 4 mine\n1 Q0 b 2 3 mine\n1 Q0 c 3 2 mine\n1 Q0 e 4 1 mine\n",
    )
}

/// Rows of `rosetta` by profile: value, measure and reasons.
fn rosetta(measure: &str) -> Vec<serde_json::Value> {
    let (_folder, qrels, run) = graded();
    let text = stdout(&["rosetta", &qrels, &run, "-m", measure, "-f", "jsonl"]);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[track_caller]
fn check_rosetta(measure: &str, profile: &str, value: Option<f64>, reasons: &[&str]) {
    let rows = rosetta(measure);
    let row = rows.iter().find(|row| row["profile"] == profile).unwrap();
    match (row["value"].as_f64(), value) {
        (Some(found), Some(value)) => assert!((found - value).abs() < 1e-12, "{row}"),
        (found, value) => assert_eq!(found, value, "{row}"),
    }
    assert_eq!(row["reasons"], serde_json::json!(reasons), "{row}");
}

/// By hand: the weight of rank i in RBP is (1 - p) p^(i - 1).
#[test]
fn parameters_in_a_name_hold_in_every_program() {
    let (p8, p9) = (0.2 * (1.0 + 0.64), 0.1 * (1.0 + 0.81));
    check_rosetta("RBP(p=0.8)", "cranfield", Some(p8), &[]);
    check_rosetta("RBP(p=0.8)", "cwl", Some(p8), &[]);
    check_rosetta("RBP", "cwl", Some(p9), &["p is 0.9"]);
    let third = 0.2 * (1.0 / 3.0 + 0.64);
    let scaled = [
        "gains are grades",
        "gains are mapped to the unit interval by the topic's own highest grade",
    ];
    check_rosetta("RBP(p=0.8)", "trec_eval", Some(third), &scaled);
    check_rosetta(
        "RBP(p=0.8)",
        "trec_eval-9",
        None,
        &["only version 10 supports it"],
    );
    check_rosetta(
        "RBP",
        "ranx",
        None,
        &["`p` must be given, since it has no default"],
    );
    let graded = ["the gain is the grade itself, so values can exceed 1"];
    check_rosetta(
        "RBP(p=0.8)",
        "ranx",
        Some(0.2 * (1.0 + 3.0 * 0.64)),
        &graded,
    );
}

#[test]
fn a_program_without_the_definition_has_no_number() {
    check_rosetta("P(rel=2)@3", "quepid", None, &["`rel` is 1, not 2"]);
    check_rosetta("P(rel=2)@3", "ir_measures", Some(1.0 / 3.0), &[]);
    check_rosetta("P(rel=2)@3", "trec_eval", Some(1.0 / 3.0), &[]);
    check_rosetta(
        "nDCG(gains='grade')@3",
        "gdeval",
        None,
        &["gains are 2^grade - 1"],
    );
    check_rosetta("AP", "gdeval", None, &["it has no such measure"]);
    check_rosetta(
        "MSnDCG@0003",
        "quepid",
        None,
        &[
            "gains are 2^rating - 1",
            "the ideal contains all rated documents, not only the first k",
        ],
    );
    for row in rosetta("rbp") {
        let has_it = ["cranfield", "trec_eval"].contains(&row["profile"].as_str().unwrap());
        assert_eq!(!row["value"].is_null(), has_it, "{row}");
    }
}

/// A name has one number in `eval` under a profile and in `rosetta`, or Cranfield's if the program has none.
#[test]
fn eval_and_rosetta_agree_on_every_name() {
    let (_folder, qrels, run) = graded();
    for name in [
        "nDCG@3",
        "nDCG(gains='exp')@3",
        "nDCG(gains='grade')@3",
        "RBP",
        "RBP(p=0.8)",
        "rbp",
        "MSnDCG@0003",
        "AP@3",
        "P(rel=2)@3",
        "RR",
        "ERR@3",
        "map@3-l2",
    ] {
        for row in rosetta(name) {
            let profile = row["profile"].as_str().unwrap();
            let found = evaluated(&[&qrels, &run], &["--profile", profile, "-m", name]);
            if let Some(value) = row["value"].as_f64() {
                assert_eq!(found[0].2, value, "{profile} {name}: {row}");
            }
        }
    }
}

#[test]
fn canonical_names_are_the_profiles() {
    let (_folder, qrels, run) = graded();
    let value = |profile: &str, name: &str| {
        let rows = evaluated(&[&qrels, &run], &["--profile", profile, "-m", name]);
        rows[0].2
    };
    assert_eq!(value("trec_eval", "RBP"), value("trec_eval", "rbp"));
    assert_eq!(
        value("trec_eval", "RBP(p=0.8)"),
        value("trec_eval", "rbp.p=0.8")
    );
    assert!(value("cranfield", "RBP") > value("cranfield", "rbp"));
    assert_eq!(value("quepid", "rbp"), value("cranfield", "rbp"));
}

#[track_caller]
fn check_usage(arguments: &[&str], expected: &str) {
    let output = cranfield(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains(expected), "{error}");
}

#[test]
fn unsupported_options_of_rosetta_and_whence_are_errors() {
    let (_folder, qrels, run) = graded();
    let rosetta = |more: &[&'static str], expected: &str| {
        check_usage(&[&["rosetta", &qrels, &run], more].concat(), expected);
    };
    let whence = |more: &[&'static str], expected: &str| {
        check_usage(&[&["whence", &qrels, &run], more].concat(), expected);
    };
    let format = "invalid value";
    rosetta(&["-m", "AP", "-f", "trec"], format);
    whence(&["-m", "AP", "0.5", "-f", "trec"], format);
    let text = "the value of RunId is text; choose a measure with a number, such as -m nDCG@10";
    rosetta(&["-m", "RunId"], text);
    whence(&["-m", "runid", "0.5"], text);
    let interval = "bounds gives an interval, not a number; omit it, as all rules are tried";
    whence(&["-m", "AP", "0.5", "--ties", "bounds"], interval);
    whence(&["-m", "AP", "0.5", "--unjudged", "bounds"], interval);
}

#[test]
fn scenarios_accept_all_names_and_text_values() {
    let (_folder, qrels, run) = graded();
    let options = [
        "-m",
        "ndcg_cut_2 P_2 RunId RelString",
        "-q",
        "-f",
        "jsonl",
        "--quiet",
    ];
    let text = stdout(
        &[
            &["eval", &qrels, &run, "--scenario", "impatient"],
            &options[..],
        ]
        .concat(),
    );
    let rows: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let value = |topic: &str, measure: &str| {
        let of_topic = rows.iter().filter(|row| row["topic"] == topic);
        let found = of_topic.filter(|row| row["measure"].as_str().unwrap().starts_with(measure));
        found.map(|row| row["value"].clone()).next().unwrap()
    };
    // Gains 0, 1, 10, 100; the first two ranks are not discounted.
    assert_eq!(value("1", "nDCG"), serde_json::json!(1.0 / 110.0));
    assert_eq!(value("all", "P@2"), serde_json::json!(0.5));
    assert_eq!(value("all", "RunId"), serde_json::json!("mine"));
    assert_eq!(value("1", "RelString"), serde_json::json!("103-"));
}

/// Run, measure and value.
type Score = (String, String, String);

/// Published scores of a track and its folder, if the shared data is there.
fn published() -> Option<(PathBuf, Vec<Score>)> {
    let folder = golden("tracks/robust03")?;
    let text = std::fs::read_to_string(folder.join("published.tsv")).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        (
            fields[0].to_owned(),
            fields[2].to_owned(),
            fields[3].to_owned(),
        )
    });
    Some((folder, rows.collect()))
}

fn settings(folder: &Path, run: &str, measure: &str, value: &str) -> serde_json::Value {
    let (qrels, run) = (
        folder.join("qrels.txt.gz"),
        folder.join(format!("runs/input.{run}.gz")),
    );
    let files = [qrels.to_str().unwrap(), run.to_str().unwrap()];
    let start = [
        "--profile",
        "trec_eval-9",
        "--topics",
        "judged",
        "--changes",
        "1",
        "-f",
        "json",
    ];
    let text = stdout(&[&["whence"], &files[..], &["-m", measure, value], &start].concat());
    serde_json::from_str(&text).unwrap()
}

#[test]
fn errors_in_published_numbers_are_found() {
    let Some((folder, rows)) = published() else {
        return;
    };
    let (mut precision, mut cut) = (0, 0);
    for (run, name, value) in &rows {
        if name == "P_10" && precision < 4 {
            // The column holds P_15.
            let answer = settings(&folder, run, "P_10", value);
            let found = answer["settings"].as_array().unwrap();
            assert!(
                found.iter().any(|setting| setting["measure"] == "P@15"),
                "{run}: {answer}"
            );
            precision += 1;
        }
        if name == "Rprec" && ["SABIR03BASE", "THUIRr0301"].contains(&run.as_str()) {
            let answer = settings(&folder, run, "Rprec", value);
            let first = &answer["settings"][0];
            assert_eq!(
                (&first["agreement"], &first["changes"]),
                (&"cut".into(), &serde_json::json!({})),
                "{run}"
            );
            cut += 1;
        }
    }
    assert_eq!((precision, cut), (4, 2));
}
