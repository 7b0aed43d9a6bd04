//! `cranfield experiment`: what its files and tables hold.

use std::fs;
use std::path::Path;

use super::experiment::write_collection;
use super::process::{check_in, cranfield, text};

/// Runs a command that must succeed; its standard output and standard error.
#[track_caller]
fn succeeds(folder: &Path, arguments: &str) -> (String, String) {
    let output = cranfield(folder, arguments);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    (out, err)
}

/// Vectors of the documents and topics of the small collection.
fn write_vectors(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    let vectors = |prefix: &str, count: usize| -> String {
        let line = |at: usize| {
            let vector = [at % 3, (at + 1) % 5, 1];
            format!("{{\"id\": \"{prefix}{at}\", \"vector\": {vector:?}}}\n")
        };
        (0..count).map(line).collect()
    };
    fs::write(folder.join("documents.jsonl"), vectors("d", 40)).unwrap();
    fs::write(folder.join("topics.jsonl"), vectors("", 9)).unwrap();
}

#[test]
fn runs_from_vectors_do_not_depend_on_where_the_experiment_is() {
    let above = tempfile::tempdir().unwrap();
    let above = above.path();
    let (folder, moved) = (above.join("here"), above.join("moved"));
    fs::create_dir(&folder).unwrap();
    write_collection(&folder);
    write_vectors(&folder.join("vectors"));
    let experiment = "collection = 'collection.toml'\n[run.dense]\nvectors = 'vectors'\n[run.bm25]\nmodel = 'BM25'\n[report]\n";
    fs::write(folder.join("experiment.toml"), experiment).unwrap();
    succeeds(above, "experiment here/experiment.toml --quiet");
    let provenance = fs::read_to_string(folder.join("out/runs/dense.run.yaml")).unwrap();
    assert!(
        provenance.contains("\"vectors\":\"vectors/documents.jsonl\""),
        "{provenance}"
    );
    let same = "All files are the same.\n";
    let check = |current: &Path, file: &str| {
        let (out, _) = succeeds(current, &format!("experiment {file} --check --quiet"));
        assert_eq!(out, same);
    };
    check(above, "here/experiment.toml");
    check(&folder, "experiment.toml");
    fs::rename(&folder, &moved).unwrap();
    check(&moved, "experiment.toml");
    check(above, "moved/experiment.toml");
    check(above, &moved.join("experiment.toml").to_string_lossy());
}

#[test]
fn one_run_or_one_topic_has_a_table_too() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    let one = "collection = 'collection.toml'\n[run.bm25]\nmodel = 'BM25'\n[evaluate]\nmeasures = ['AP', 'P@5']\n";
    fs::write(folder.join("experiment.toml"), one).unwrap();
    let (out, _) = succeeds(folder, "experiment --quiet");
    assert!(out.contains("\nrun       AP     P@5\nbm25  0."), "{out}");
    fs::write(folder.join("qrels.txt"), "0 0 d1 1\n0 0 d2 2\n").unwrap();
    let two = format!("{one}[run.vsm]\nmodel = \"VSM('lnc.ltc')\"\n");
    fs::write(folder.join("experiment.toml"), two).unwrap();
    let (out, _) = succeeds(folder, "experiment --quiet");
    assert!(out.contains("\nbm25  ") && out.contains("\nvsm   "), "{out}");
}

#[test]
fn topics_that_are_documents_are_noted_and_can_be_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    // The first documents are the topics; the others of their subject are relevant.
    let documents = fs::read_to_string(folder.join("documents.jsonl")).unwrap();
    let topics: String = (0..9).map(|at| format!("d{at}\tgarden soil{at} only{at}\n")).collect();
    let documents: String = documents
        .lines()
        .enumerate()
        .map(|(at, line)| format!("{}\n", line.replace(" soil", &format!(" only{at} soil"))))
        .collect();
    let qrels: String = (0..9).map(|at| format!("d{at} 0 d{} 1\n", at + 9)).collect();
    fs::write(folder.join("documents.jsonl"), documents).unwrap();
    fs::write(folder.join("topics.tsv"), topics).unwrap();
    fs::write(folder.join("qrels.txt"), qrels).unwrap();
    let experiment = "collection = 'collection.toml'\n[run.bm25]\nmodel = 'BM25'\n[evaluate]\nmeasures = ['RR']\n";
    fs::write(folder.join("experiment.toml"), experiment).unwrap();
    let (kept, err) = succeeds(folder, "experiment");
    assert!(err.contains("9 of 9 topics are documents of the collection, which bm25 ranks first for themselves; identical = \"drop\" under [evaluate]"), "{err}");
    let dropped = format!("{experiment}identical = 'drop'\n");
    fs::write(folder.join("experiment.toml"), dropped).unwrap();
    let (out, err) = succeeds(folder, "experiment");
    assert!(!err.contains("are documents"), "{err}");
    assert_ne!(kept.lines().last(), out.lines().last());
    let (expected, _) = succeeds(folder, "eval out/qrels.txt out/runs/bm25.run -m RR --identical drop -f csv --quiet");
    let mean = expected.trim().rsplit(',').next().unwrap();
    let mean = format!("{:.4}", mean.parse::<f64>().unwrap());
    assert!(out.lines().last().unwrap().ends_with(&mean), "{mean}: {out}");
    let wrong = format!("{experiment}identical = 'no'\n");
    fs::write(folder.join("experiment.toml"), wrong).unwrap();
    check_in(folder, "experiment", 3, "", "experiment.toml:6:13");
}

/// A collection whose smallest grade is the best one: documents with more words of the topic have smaller grades.
fn write_reversed(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    let document = |at: usize| {
        let words = "wing ".repeat(6 - at) + "plate";
        format!("{{\"_id\": \"d{at}\", \"text\": \"{words}\"}}\n")
    };
    let documents: String = (1..=4).map(document).collect();
    let topics: String = (1..=6).map(|at| format!("{at}\tlift of a wing\n")).collect();
    let judged = |at: usize| format!("{at} 0 d1 1\n{at} 0 d2 2\n{at} 0 d3 3\n");
    let qrels: String = (1..=6).map(judged).collect();
    fs::write(folder.join("docs.jsonl"), documents).unwrap();
    fs::write(folder.join("topics.tsv"), topics).unwrap();
    fs::write(folder.join("qrels.txt"), qrels).unwrap();
}

#[test]
fn reversed_grades_are_a_warning_of_the_report_and_of_every_call() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_reversed(&folder.join("old"));
    let warning = "so the grades are probably reversed, and graded measures wrong; `cranfield doctor ";
    for _ in 0..2 {
        let (_, err) = succeeds(folder, "experiment old");
        assert!(err.contains(warning) && err.contains("/old --fix --in-place` maps them"), "{err}");
    }
    let out = folder.join("old-experiment/out");
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    let at = report.find("<p class=\"warning\">Documents with smaller grades").unwrap();
    assert!(at < report.find("<section id=\"topics\"").unwrap());
    let claims = fs::read_to_string(out.join("claims.md")).unwrap();
    assert!(claims.contains("Warning: documents with smaller grades"), "{claims}");
}

#[test]
fn a_collection_that_got_a_file_is_still_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_reversed(&folder.join("old"));
    succeeds(folder, "experiment old --quiet");
    succeeds(folder, "doctor old --fix --in-place");
    let (_, err) = succeeds(folder, "experiment old/collection.toml");
    assert!(!err.contains("reversed"), "{err}");
    succeeds(folder, "experiment old --quiet");
    check_in(&folder.join("old"), "experiment . --quiet", 0, "", "");
}
