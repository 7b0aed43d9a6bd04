//! `cranfield compare`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn compare(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let command = command
        .current_dir(examples())
        .arg("compare")
        .args(arguments);
    command.stdin(Stdio::null()).output().unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    let output = compare(arguments);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

fn refused(arguments: &[&str]) -> String {
    let output = compare(arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn results_do_not_depend_on_threads() {
    for test in ["randomisation", "bootstrap", "randomised-tukey", "t"] {
        let with = |threads: &str| {
            stdout(&[
                "qrels.txt",
                "runs",
                "--test",
                test,
                "--replicates",
                "5000",
                "-f",
                "json",
                "--threads",
                threads,
            ])
        };
        assert_eq!(with("1"), with("2"), "{test}");
    }
}

#[test]
fn a_text_keeps_to_eighty_columns() {
    let text = stdout(&["qrels.txt", "runs", "-m", "AP nDCG@10", "--methods"]);
    let wide: Vec<&str> = text
        .lines()
        .filter(|line| line.chars().count() > 80)
        .collect();
    assert_eq!(wide, Vec::<&str>::new());
}

#[test]
fn json_has_every_pair_and_where_it_comes_from() {
    let document: Value =
        serde_json::from_str(&stdout(&["qrels.txt", "runs", "-m", "AP", "-f", "json"])).unwrap();
    let table = &document["comparison"][0];
    assert_eq!(table["pairs"].as_array().unwrap().len(), 6);
    assert_eq!(table["runs"][0]["run"], "hybrid");
    assert_eq!(document["settings"]["correction"], "holm");
    assert!(document["qrels"]["blake3"].is_string());
    let difference = |pair: &Value| pair["difference"].as_f64().unwrap();
    assert!(
        table["pairs"]
            .as_array()
            .unwrap()
            .iter()
            .all(|pair| difference(pair) >= 0.0)
    );
}

#[test]
fn lower_is_better_where_the_measure_says_so() {
    let lines = stdout(&["qrels.txt", "runs", "-m", "ASL", "-f", "csv", "--quiet"]);
    for line in lines.lines().skip(1) {
        let difference: f64 = line.split(',').nth(6).unwrap().parse().unwrap();
        assert!(difference <= 0.0, "{line}");
        assert!(!line.ends_with("worse"), "{line}");
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let one = refused(&["qrels.txt", "runs/bm25.run"]);
    assert!(one.contains("there is one run"), "{one}");
    let unknown = refused(&["qrels.txt", "runs", "--baseline", "bm24"]);
    assert!(
        unknown.contains("no run is named `bm24`; the runs are"),
        "{unknown}"
    );
    let geometric = refused(&["qrels.txt", "runs", "-m", "GMAP"]);
    assert!(
        geometric.contains("GMAP is not a mean over topics"),
        "{geometric}"
    );
    let text = refused(&["qrels.txt", "runs", "-m", "RunId"]);
    assert!(text.contains("it is a text"), "{text}");
    let bounds = refused(&["qrels.txt", "runs", "--unjudged", "bounds"]);
    assert!(
        bounds.contains("choose a rule that gives one value"),
        "{bounds}"
    );
    let test = refused(&["qrels.txt", "runs", "--test", "z"]);
    assert!(test.contains("there are t, randomisation"), "{test}");
    let trec = refused(&["qrels.txt", "runs", "-f", "trec"]);
    assert!(trec.contains("choose another format"), "{trec}");
}

fn json(arguments: &[&str]) -> Value {
    let more = ["-f", "json", "--quiet"];
    serde_json::from_str(&stdout(&[arguments, &more].concat())).unwrap()
}

/// In the order of the folder, which is that of the pairs too.
const PLANNED: [&str; 3] = ["runs/bm25.run", "runs/dense.run", "runs/hybrid.run"];

#[test]
fn what_is_planned_does_not_hang_on_what_is_explored() {
    let [bm25, dense, hybrid] = PLANNED;
    let alone = json(&["qrels.txt", bm25, dense, hybrid, "--plan", "plan.toml"]);
    let more = json(&[
        "qrels.txt",
        "runs",
        "--plan",
        "plan.toml",
        "-m",
        "AP nDCG@10",
    ]);
    let roles = |document: &Value| {
        let tables = document["comparison"].as_array().unwrap();
        let role =
            |table: &Value| format!("{} {}", table["measure"], table["role"]).replace('"', "");
        tables.iter().map(role).collect::<Vec<_>>()
    };
    assert_eq!(roles(&alone), ["nDCG@10 confirmatory"]);
    assert_eq!(
        roles(&more),
        [
            "nDCG@10 confirmatory",
            "nDCG@10 exploratory",
            "AP exploratory"
        ]
    );
    assert_eq!(alone["comparison"][0], more["comparison"][0]);
    // Beside the plan there is one run more, and one measure with three pairs.
    let pairs = |at: usize| more["comparison"][at]["pairs"].as_array().unwrap().len();
    assert_eq!([pairs(0), pairs(1), pairs(2)], [2, 1, 3]);
    assert_eq!(more["comparison"][2]["tests_in_family"], 4);
    assert_eq!(
        alone["plan"]["text"],
        std::fs::read_to_string(examples().join("plan.toml")).unwrap()
    );
    assert!(alone["plan"]["blake3"].is_string());
}

#[test]
fn a_plan_gives_the_numbers_of_the_same_options() {
    let [bm25, dense, hybrid] = PLANNED;
    let planned = json(&["qrels.txt", bm25, dense, hybrid, "--plan", "plan.toml"]);
    let options = ["-m", "nDCG@10", "--baseline", "bm25", "--margin", "0.05"];
    let freely = json(&[&["qrels.txt", bm25, dense, hybrid], &options[..]].concat());
    assert_eq!(
        planned["comparison"][0]["pairs"],
        freely["comparison"][0]["pairs"]
    );
    assert!(freely.get("plan").is_none() && freely["comparison"][0].get("role").is_none());
}

#[test]
fn what_is_explored_is_marked_everywhere() {
    let base = [
        "qrels.txt",
        "runs",
        "--plan",
        "plan.toml",
        "-m",
        "AP",
        "--quiet",
        "--methods",
    ];
    let with = |format: &str| stdout(&[&base[..], &["-f", format]].concat());
    let text = with("table");
    assert!(
        text.contains("CONFIRMATORY. nDCG@10 on 12 topics")
            && text.contains("EXPLORATORY. AP on 12 topics"),
        "{text}"
    );
    assert!(
        text.contains("Exploratory: ") && text.contains("Exploratory comparisons, of 4"),
        "{text}"
    );
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    assert_eq!(with("latex").matches("\\begin{table}").count(), 2);
    assert!(with("latex").contains("\\caption{Exploratory, not planned."));
    let csv = with("csv");
    assert_eq!(csv.matches(",confirmatory\n").count(), 2, "{csv}");
    assert_eq!(csv.matches(",exploratory\n").count(), 4, "{csv}");
    assert_eq!(with("jsonl").matches("\"role\":\"exploratory\"").count(), 4);
    assert!(with("html").starts_with("<!DOCTYPE html>"));
}

#[test]
fn options_that_contradict_a_plan_are_refused() {
    for (option, value) in [
        ("--test", "wilcoxon"),
        ("--correction", "none"),
        ("--family", "measure"),
        ("--alpha", "0.1"),
        ("--margin", "0.5"),
        ("--replicates", "10"),
        ("--seed", "7"),
        ("--baseline", "dense"),
    ] {
        let error = refused(&["qrels.txt", "runs", "--plan", "plan.toml", option, value]);
        assert!(
            error.contains(&format!(
                "{option} {value} contradicts plan.toml, which has"
            )),
            "{error}"
        );
    }
    let same = ["--alpha", "0.05", "--baseline", "bm25", "--test", "t"];
    stdout(&[&["qrels.txt", "runs", "--plan", "plan.toml"], &same[..]].concat());
    let lacks = refused(&[
        "qrels.txt",
        "runs/bm25.run",
        "runs/dense.run",
        "--plan",
        "plan.toml",
    ]);
    assert!(
        lacks.contains("the plan names the run `hybrid`, and the runs are bm25, dense"),
        "{lacks}"
    );
}

#[test]
fn topics_of_a_plan_must_be_those_that_count() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.toml");
    let with = |topics: &str| {
        std::fs::write(
            &plan,
            format!("measures = ['AP']\nbaseline = 'bm25'\ntopics = {topics}\n"),
        )
        .unwrap();
        compare(&[
            "qrels.txt",
            "runs",
            "--plan",
            plan.to_str().unwrap(),
            "--quiet",
        ])
    };
    let ids: Vec<String> = (101..=112).map(|id| format!("'{id}'")).collect();
    assert!(with(&format!("[{}]", ids.join(", "))).status.success());
    for (topics, expected) in [
        ("11", "the plan has 11 topics, and 12 count"),
        ("['101', '999']", "topic `999` of the plan does not count"),
        ("['101']", "topic `102` counts, and is not in the plan"),
    ] {
        let output = with(topics);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn gains_and_scenarios_are_the_measures_that_they_stand_for() {
    let by_gains = json(&[
        "qrels.txt",
        "runs",
        "-m",
        "nDCG@10",
        "--gains",
        "0,1,1,1",
        "--gains",
        "0,1,10,100",
    ]);
    let by_name = json(&[
        "qrels.txt",
        "runs",
        "-m",
        "nDCG(gains='0,1,1,1')@10 nDCG(gains='0,1,10,100')@10",
    ]);
    for at in 0..2 {
        let of = |document: &Value, key: &str| {
            let pairs = document["comparison"][at]["pairs"].as_array().unwrap();
            pairs
                .iter()
                .map(|pair| pair[key].clone())
                .collect::<Vec<_>>()
        };
        for key in ["run", "difference", "p_corrected", "verdict"] {
            assert_eq!(of(&by_gains, key), of(&by_name, key));
        }
    }
    assert_eq!(by_gains["comparison"][1]["measure"], "nDCG@10 (0-1-10-100)");
    // The mean of a vector up to a rank is the mean of its values there.
    let impatient = json(&["qrels.txt", "runs", "--scenario", "impatient"]);
    let tables = impatient["comparison"].as_array().unwrap();
    let average = tables
        .iter()
        .find(|table| table["measure"] == "avg-pos nDCG@30 (impatient)")
        .unwrap();
    let eval = Command::new(env!("CARGO_BIN_EXE_cranfield"))
        .current_dir(examples())
        .args([
            "eval",
            "qrels.txt",
            "runs",
            "--scenario",
            "impatient",
            "-f",
            "csv",
            "--quiet",
        ])
        .output()
        .unwrap();
    let eval = String::from_utf8(eval.stdout).unwrap();
    let mean = average["runs"][0]["mean"].as_f64().unwrap();
    let shown = eval.lines().filter(|line| line.contains("avg-pos nDCG"));
    let near = |line: &str| {
        line.split(',')
            .filter_map(|cell| cell.parse::<f64>().ok())
            .any(|value| (value - mean).abs() < 1e-12)
    };
    assert!(shown.clone().any(near), "{mean} {eval}");
    let none = refused(&["qrels.txt", "runs", "-m", "AP", "--gains", "0,1"]);
    assert!(none.contains("none of the measures AP has gains"), "{none}");
}
