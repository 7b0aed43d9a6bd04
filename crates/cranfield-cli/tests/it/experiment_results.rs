//! `cranfield experiment`: what its files and tables hold.

use std::fs;
use std::path::Path;

use super::experiment::write_collection;
use super::process::{cranfield, text};

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
