//! Profiles of other programs, in `cranfield eval` as a process.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn cranfield(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    command
        .current_dir(root())
        .args(arguments)
        .stdin(Stdio::null());
    command.output().unwrap()
}

#[track_caller]
pub(crate) fn stdout(arguments: &[&str]) -> String {
    let output = cranfield(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Result lines of `eval` as (topic, measure, value).
pub(crate) fn evaluated(files: &[&str], options: &[&str]) -> Vec<(String, String, f64)> {
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

/// A folder with judgements and a run, and the paths of both.
pub(crate) fn written(qrels: &str, run: &str) -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (qrels, run) = (path("qrels", qrels), path("run", run));
    (folder, qrels, run)
}

/// Two tied documents, of which the one with the greater id is relevant, and a topic that the run lacks.
fn tied() -> (tempfile::TempDir, String, String) {
    written(
        "1 0 b 1\n1 0 a 0\n2 0 c 1\n3 0 e 0\n",
        "1 Q0 a 2 5 r\n1 Q0 b 1 5 r\n3 Q0 e 1 1 r\n",
    )
}

/// Topic 1 has b first by descending id, a first by ascending id and in the file; topic 2 is missing.
#[test]
fn ties_and_topics_are_those_of_the_program() {
    let (_folder, qrels, run) = tied();
    for (profile, measure, expected) in [
        ("trec_eval", "recip_rank", 1.0 / 3.0),
        ("trec_eval-9", "recip_rank", 1.0 / 2.0),
        ("ir_measures", "RR", 1.0 / 3.0),
        ("ir_measures", "RR@10", 0.5 / 3.0),
        ("ranx", "mrr", 0.5 / 3.0),
        ("ranx", "mrr@10", 0.5 / 3.0),
        ("gdeval", "err@20", 1.0 / 16.0),
        ("ntcireval", "RR", 0.5 / 3.0),
        ("beir", "MRR@10", 0.5 / 3.0),
        ("beir", "MAP@10", 1.0 / 2.0),
        // By rank b is first.
        ("quepid", "RR@10", 1.0 / 3.0),
        ("cwl", "RR", 0.5 / 2.0),
        ("cranfield", "RR", 1.0 / 3.0),
    ] {
        let rows = evaluated(&[&qrels, &run], &["--profile", profile, "-m", measure]);
        let [(_, name, value)] = rows.as_slice() else {
            panic!("{profile} {measure}: {rows:?}");
        };
        assert_eq!(name, measure, "printed as it was asked for");
        let is_near = (value - expected).abs() < 1e-12;
        assert!(is_near, "{profile} {measure}: {value} not {expected}");
    }
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
    let run = "1 Q0 1 1 9 r\n1 Q0 x 2 8 r\n1 Q0 b 3 7 r\n";
    let (_folder, qrels, run) = written("1 0 b 1\n", run);
    let files = [qrels.as_str(), run.as_str()];
    let value = |options: &[&str]| evaluated(&files, &[&["-m", "RR@10"], options].concat())[0].2;
    assert_eq!(value(&[]), 1.0 / 3.0);
    assert_eq!(value(&["--identical", "drop"]), 1.0 / 2.0);
    assert_eq!(value(&["--profile", "beir"]), 1.0 / 2.0);
    assert_eq!(
        value(&["--profile", "beir", "--identical", "keep"]),
        1.0 / 3.0
    );
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
    let (_folder, qrels, run) = written(&judged, &ranked);
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
            let rows = evaluated(
                &[&qrels, &run],
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
