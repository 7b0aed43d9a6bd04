//! Atomic outputs, and files named by arguments.

use std::io::Write;
use std::path::{Path, PathBuf};

use cranfield_core::run::Run;
use cranfield_io::{
    ErrorKind, Output, RunFormat, Source, expand_paths, read_run, save_run, write_run,
};

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder exists");
    let mut names: Vec<_> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort_unstable();
    names
}

#[test]
fn an_unfinished_output_is_removed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.txt");
    std::fs::write(&path, "before").expect("a writable folder");
    let mut out = Output::create(&path).expect("a writable folder");
    out.write_all(b"half")
        .expect("writing to a temporary folder");
    out.flush().expect("writing to a temporary folder");
    drop(out);
    assert_eq!(
        std::fs::read_to_string(&path).expect("the file exists"),
        "before"
    );
    assert_eq!(names(folder.path()), ["a.txt"]);
}

#[test]
fn a_finished_output_replaces_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.txt");
    std::fs::write(&path, "before").expect("a writable folder");
    let mut out = Output::create(&path).expect("a writable folder");
    out.write_all(b"after")
        .expect("writing to a temporary folder");
    out.finish().expect("writing to a temporary folder");
    assert_eq!(
        std::fs::read_to_string(&path).expect("the file exists"),
        "after"
    );
    assert_eq!(names(folder.path()), ["a.txt"]);
}

#[test]
fn a_tag_with_a_nul_byte_is_an_error() {
    let run = Run::from_scores("a\0b", [("1", "a", 1.0)]);
    for format in [RunFormat::Trec, RunFormat::Csv, RunFormat::Tsv] {
        let error =
            write_run(&run, format, &mut Vec::new()).expect_err("the tag contains a NUL byte");
        assert_eq!(error.kind(), ErrorKind::Write);
    }
}

#[test]
fn runs_are_saved_compressed_and_read_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = Run::from_scores("t", [("1", "a", 1.0), ("2", "b", 0.25)]);
    for name in [
        "a.csv.gz",
        "a.jsonl.zst",
        "a.run.bz2",
        "a.tsv.xz",
        "a.json.lz4",
        "a.parquet",
    ] {
        let path = folder.path().join(name).display().to_string();
        save_run(
            &run,
            RunFormat::of_name(name).expect("the extension is known"),
            &path,
        )
        .expect("a writable folder");
        let back =
            read_run(&Source::open(&path).expect("the file exists"), None).expect("a valid run");
        assert_eq!(
            back.get(b"2")
                .expect("the topic exists")
                .entries()
                .next()
                .map(|entry| entry.score),
            Some(0.25),
            "{name}"
        );
    }
}

#[test]
fn an_output_that_fails_names_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("no/such/a.run").display().to_string();
    let run = Run::from_scores("t", [("1", "a b", 1.0)]);
    let error = save_run(&run, RunFormat::Trec, &path).expect_err("there is no folder");
    assert_eq!(
        (error.kind(), error.problems()[0].path.as_str()),
        (ErrorKind::Write, path.as_str())
    );
    let path = folder.path().join("a.run").display().to_string();
    let error = save_run(&run, RunFormat::Trec, &path).expect_err("the id contains a space");
    assert_eq!(error.problems()[0].path, path);
    assert!(names(folder.path()).is_empty());
    assert!(save_run(&run, RunFormat::Csv, folder.path()).is_err());
}

#[test]
fn folders_and_patterns_are_sorted_and_skip_hidden_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["b.run", "a.run", ".hidden.run", "c.txt", "[x].run"] {
        std::fs::write(folder.path().join(name), "").expect("a writable folder");
    }
    std::fs::create_dir(folder.path().join("d.run")).expect("a writable folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let short = |paths: Vec<PathBuf>| -> Vec<String> {
        let names = paths.iter().filter_map(|path| path.file_name());
        names
            .map(|name| name.to_string_lossy().into_owned())
            .collect()
    };
    let all = expand_paths(&[path(""), "-".into()]).expect("the files exist");
    assert_eq!(short(all), ["[x].run", "a.run", "b.run", "c.txt", "-"]);
    let runs =
        expand_paths(&[path("?.run"), path("[x].run"), path("c.txt")]).expect("the files exist");
    assert_eq!(short(runs), ["a.run", "b.run", "[x].run", "c.txt"]);
}
