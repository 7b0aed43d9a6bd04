//! `cranfield similarity` as a process.

use std::fs;
use std::path::PathBuf;

use crate::process::{check_in, cranfield, text};

/// Golden rows that are given to the program; the library is tested with all.
const ROWS: usize = 60;

/// A folder with two runs of three topics, of which they share two, and qrels.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    write(
        "one.run",
        "1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n2 Q0 a 1 1 x\n8 Q0 a 1 1 x\n",
    );
    write(
        "two.run",
        "1 Q0 b 1 2 x\n1 Q0 a 2 1 x\n2 Q0 c 1 1 x\n9 Q0 a 1 1 x\n",
    );
    write("qrels.txt", "1 0 a 2\n1 0 b 1\n1 0 c 0\n2 0 a 0\n");
    folder
}

#[track_caller]
fn check(arguments: &str, code: i32, in_stdout: &str, in_stderr: &str) {
    check_in(folder().path(), arguments, code, in_stdout, in_stderr);
}

#[test]
fn topics_of_both_runs_are_compared() {
    let command = "similarity one.run two.run --p 0.5 -q";
    // Topic 1 by hand: agreements 0, 1, and then 1.
    check(
        command,
        0,
        "1      0.5000",
        "2 topics compared; rbo, p 0.5, ties b",
    );
    check(
        command,
        0,
        "all    0.2500",
        "1 topic only in one, not compared",
    );
    check(
        command,
        0,
        "2      0.0000",
        "1 topic only in two, not compared",
    );
    check(
        "similarity one.run two.run --measure ao --depth 1 -f csv --quiet",
        0,
        "run,other,topic,measure,value\none,two,all,AO,0\n",
        "",
    );
    check(
        "similarity one.run two.run --measure rbr --p 0.5 -f trec --quiet",
        0,
        "RBR_min               \tall\t0.3750\n",
        "",
    );
}

#[test]
fn a_run_may_be_compared_with_the_ideal() {
    let line = r#"{"run":"one","other":"qrels","topic":"1","measure":"RBO","value":1.0}"#;
    let command = "similarity one.run --ideal qrels.txt --p 0.5 -q -f jsonl";
    check(
        command,
        0,
        line,
        "1 topic with an empty ranking, not in the mean",
    );
    check(
        "similarity one.run --ideal qrels.txt -f json",
        0,
        "\"against\": \"ideal\"",
        "",
    );
}

#[test]
fn wrong_options_are_usage_errors() {
    check(
        "similarity one.run",
        2,
        "",
        "expected two or more runs, or one run and --ideal QRELS",
    );
    check(
        "similarity one.run two.run --ideal qrels.txt",
        2,
        "",
        "--ideal takes one run, not 2",
    );
    check(
        "similarity one.run two.run --p 1",
        2,
        "",
        "above 0 and below 1, not 1",
    );
    check("similarity one.run two.run --depth 0", 2, "", "at least 1");
    check(
        "similarity one.run two.run --ties x",
        2,
        "",
        "[possible values: b, a, w]",
    );
    check(
        "similarity one.run two.run --measure tau",
        2,
        "",
        "[possible values: rbo, rba, rbr, ao]",
    );
    check("similarity - -", 2, "", "can be read only once");
    check("similarity one.run nowhere.run", 3, "", "nowhere.run");
    check("similarity one.run qrels.txt", 3, "", "IR003");
}

/// `a (b c) d` as lines of a run: tied documents have one score.
fn run_of(list: &str) -> String {
    let (mut lines, mut score, mut tied) = (String::new(), 1000, false);
    for word in list.split(' ') {
        score -= i32::from(!tied);
        let doc = word.trim_matches(['(', ')']);
        lines.push_str(&format!("1 Q0 {doc} 1 {score} t\n"));
        tied = (tied || word.starts_with('(')) && !word.ends_with(')');
    }
    lines
}

#[test]
fn values_of_the_authors_of_ties() {
    let Some(golden) = golden() else { return };
    let golden = fs::read_to_string(golden).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for line in golden.lines().skip(1).take(ROWS) {
        let fields: Vec<&str> = line.split(',').collect();
        fs::write(folder.path().join("x"), run_of(fields[0])).unwrap();
        fs::write(folder.path().join("y"), run_of(fields[1])).unwrap();
        for (ties, expected) in ["w", "a", "b"].iter().zip(fields[3..].chunks(4)) {
            let options = format!(
                "similarity x y --p {} --ties {ties} -f csv --quiet",
                fields[2]
            );
            let printed = text(&cranfield(folder.path(), &options).stdout);
            let values = printed
                .lines()
                .skip(1)
                .map(|line| line.rsplit(',').next().unwrap());
            let values: Vec<f64> = values.map(|value| value.parse().unwrap()).collect();
            assert_eq!(values.len(), expected.len());
            for (value, expected) in values.iter().zip(expected) {
                let expected: f64 = expected.parse().unwrap();
                assert!((value - expected).abs() < 1e-12, "{line}: {printed}");
            }
        }
    }
}

fn golden() -> Option<PathBuf> {
    cranfield_testkit::golden("rbo/rbo-ties.csv")
}
