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
