//! Profiles, `cranfield rosetta` and `cranfield whence` as processes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn cranfield(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    command
        .current_dir(root())
        .args(arguments)
        .stdin(Stdio::null());
    command.output().unwrap()
}

#[track_caller]
fn stdout(arguments: &[&str]) -> String {
    let output = cranfield(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Result lines of `eval` as (topic, measure, value).
fn evaluated(files: &[&str], options: &[&str]) -> Vec<(String, String, f64)> {
    let arguments = [&["eval"], files, options, &["-f", "jsonl", "--quiet"]].concat();
    let text = stdout(&arguments);
    let rows = text.lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| row[name].as_str().unwrap().to_owned();
        (
            field("topic"),
            field("measure"),
            row["value"].as_f64().unwrap_or(f64::NAN),
        )
    });
    rows.collect()
}

/// Two tied documents, of which the one with the greater id is relevant, and a topic that the run lacks.
fn tied() -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let (qrels, run) = (folder.path().join("qrels"), folder.path().join("run"));
    std::fs::write(&qrels, "1 0 b 1\n1 0 a 0\n2 0 c 1\n3 0 e 0\n").unwrap();
    std::fs::write(&run, "1 Q0 a 2 5 r\n1 Q0 b 1 5 r\n3 Q0 e 1 1 r\n").unwrap();
    let (qrels, run) = (
        qrels.to_str().unwrap().to_owned(),
        run.to_str().unwrap().to_owned(),
    );
    (folder, qrels, run)
}

#[track_caller]
fn check_mean(profile: &str, measure: &str, expected: f64) {
    let (_folder, qrels, run) = tied();
    let rows = evaluated(&[&qrels, &run], &["--profile", profile, "-m", measure]);
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].1, measure, "printed as it was asked for");
    assert!(
        (rows[0].2 - expected).abs() < 1e-12,
        "{profile} {measure}: {} not {expected}",
        rows[0].2
    );
}

#[test]
fn ties_and_topics_are_those_of_the_program() {
    // Topic 1: b first by descending id, a first by ascending id and in the file; topic 2 is missing.
    check_mean("trec_eval", "recip_rank", 1.0 / 3.0);
    check_mean("trec_eval-9", "recip_rank", 1.0 / 2.0);
    check_mean("ir_measures", "RR", 1.0 / 3.0);
    check_mean("ir_measures", "RR@10", 0.5 / 3.0);
    check_mean("ranx", "mrr", 0.5 / 3.0);
    check_mean("ranx", "mrr@10", 0.5 / 3.0);
    check_mean("gdeval", "err@20", 1.0 / 16.0);
    check_mean("ntcireval", "RR", 0.5 / 3.0);
    check_mean("beir", "MRR@10", 0.5 / 3.0);
    check_mean("beir", "MAP@10", 1.0 / 2.0);
    // By rank b is first.
    check_mean("quepid", "RR@10", 1.0 / 3.0);
    check_mean("cwl", "RR", 0.5 / 2.0);
    check_mean("cranfield", "RR", 1.0 / 3.0);
}

#[test]
fn measures_with_different_policies_are_evaluated_together() {
    let (_folder, qrels, run) = tied();
    let options = ["--profile", "ir_measures", "-m", "RR RR@10 Accuracy", "-q"];
    let rows = evaluated(&[&qrels, &run], &options);
    let value = |topic: &str, measure: &str| {
        let found = rows.iter().find(|row| row.0 == topic && row.1 == measure);
        found.map(|row| row.2).unwrap()
    };
    assert_eq!(
        (
            value("1", "RR"),
            value("1", "RR@10"),
            value("1", "Accuracy")
        ),
        (1.0, 0.5, 0.0)
    );
    assert_eq!((value("2", "RR"), value("3", "RR@10")), (0.0, 0.0));
    // Accuracy leaves out topics without a relevant document in the list.
    assert!(value("2", "Accuracy").is_nan() && value("3", "Accuracy").is_nan());
    assert_eq!(value("all", "Accuracy"), 0.0);
    let replaced = evaluated(
        &[&qrels, &run],
        &[
            "--profile",
            "ir_measures",
            "-m",
            "RR RR@10",
            "--ties",
            "docid-asc",
        ],
    );
    assert_eq!((replaced[0].2, replaced[1].2), (0.5 / 3.0, 0.5 / 3.0));
    let output = cranfield(&[
        "eval",
        &qrels,
        &run,
        "--profile",
        "ir_measures",
        "-m",
        "RR RR@10",
    ]);
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(
        notes.contains("note: RR@10: ties docid-asc, as in ir_measures\n"),
        "{notes}"
    );
}

#[test]
fn documents_with_the_topics_id_are_dropped_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let (qrels, run) = (folder.path().join("qrels"), folder.path().join("run"));
    std::fs::write(&qrels, "1 0 b 1\n").unwrap();
    std::fs::write(&run, "1 Q0 1 1 9 r\n1 Q0 x 2 8 r\n1 Q0 b 3 7 r\n").unwrap();
    let files = [qrels.to_str().unwrap(), run.to_str().unwrap()];
    let value = |options: &[&str]| evaluated(&files, &[&["-m", "RR@10"], options].concat())[0].2;
    assert_eq!(value(&[]), 1.0 / 3.0);
    assert_eq!(value(&["--identical", "drop"]), 1.0 / 2.0);
    assert_eq!(value(&["--profile", "beir"]), 1.0 / 2.0);
    assert_eq!(
        value(&["--profile", "beir", "--identical", "keep"]),
        1.0 / 3.0
    );
}

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
    let folder = tempfile::tempdir().unwrap();
    let (qrels, run) = (folder.path().join("qrels"), folder.path().join("run"));
    std::fs::write(&qrels, "1 0 a 1\n1 0 b 0\n1 0 c 3\n1 0 d 2\n").unwrap();
    let ranked = "1 Q0 a 1 4 mine\n1 Q0 b 2 3 mine\n1 Q0 c 3 2 mine\n1 Q0 e 4 1 mine\n";
    std::fs::write(&run, ranked).unwrap();
    let (qrels, run) = (
        qrels.to_str().unwrap().to_owned(),
        run.to_str().unwrap().to_owned(),
    );
    (folder, qrels, run)
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

/// A folder of the shared data, if it is there.
pub(crate) fn golden(name: &str) -> Option<PathBuf> {
    cranfield_testkit::golden(name)
}

/// NTCIREVAL's own outputs: all names as it prints them, at all four digits.
#[test]
fn ntcireval_prints_the_same() {
    let Some(golden) = golden("ntcireval") else {
        return;
    };
    let read = |name: &str| std::fs::read_to_string(golden.join(name)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (qrels, run) = (folder.path().join("qrels"), folder.path().join("run"));
    let judged: String = read("sample.rel")
        .lines()
        .filter_map(|line| line.split_once(" L"))
        .map(|(doc, level)| format!("1 0 {doc} {level}\n"))
        .collect();
    // Scores and ranks are upside down: only the order of the file counts.
    let ranked: String = read("sample.res")
        .lines()
        .filter(|line| !line.trim().is_empty())
        .enumerate()
        .map(|(at, doc)| format!("1 Q0 {} {} {at} r\n", doc.trim(), 100 - at))
        .collect();
    std::fs::write(&qrels, judged).unwrap();
    std::fs::write(&run, ranked).unwrap();
    let mut compared = 0;
    for (file, unjudged) in [
        ("res_test_compute.txt", "nonrelevant"),
        ("res_test_compute_cutoff.txt", "nonrelevant"),
        ("res_test_compute_label_j.txt", "condensed"),
    ] {
        for line in read(file).lines() {
            let Some((name, expected)) =
                line.trim().split_once('=').filter(|_| !line.contains('#'))
            else {
                continue;
            };
            let files = [qrels.to_str().unwrap(), run.to_str().unwrap()];
            let rows = evaluated(
                &files,
                &["--profile", "ntcireval", "-m", name, "--unjudged", unjudged],
            );
            assert_eq!(
                format!("{:.4}", rows[0].2),
                expected.trim(),
                "{file}: {name}"
            );
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
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
