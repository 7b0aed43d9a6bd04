//! Paths without files, and the short form of messages.

use std::fmt::Write as _;

use cranfield_core::setting::SettingStyle;
use cranfield_io::{Error, Source, expand_paths};
use insta::assert_snapshot;

use crate::run_of;

/// Renders a message about a path, without the temporary folder.
fn without_folder(error: &Error, folder: &tempfile::TempDir) -> String {
    error
        .render(SettingStyle::Neutral)
        .replace(&folder.path().display().to_string(), "FOLDER")
}

#[test]
fn missing_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("no.run").display().to_string();
    let error = Source::open(&path).expect_err("the file does not exist");
    assert_snapshot!(without_folder(&error, &folder), @r"
        error[IR001]: no such file
        --> FOLDER/no.run
         = help: check the path; `-` is standard input
        ");
}

#[test]
fn folder_instead_of_a_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let error = Source::open(folder.path()).expect_err("a folder is not a file");
    assert_snapshot!(without_folder(&error, &folder), @r"
        error[IR001]: is a folder, expected a file
        --> FOLDER
         = help: name a file, or use a pattern such as `folder/*`
        ");
}

#[test]
fn paths_without_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let error = expand_paths(&[path("no.run"), path("*.run"), path("")])
        .expect_err("the file does not exist");
    assert_snapshot!(without_folder(&error, &folder), @r"
        error[IR001]: no such file or folder
        --> FOLDER/no.run
         = help: check the path; `-` is standard input

        error[IR009]: no file matches the pattern
        --> FOLDER/*.run

        error[IR009]: the folder contains no files
        --> FOLDER/
        ");
}

#[test]
#[cfg(unix)]
fn errors_keep_the_error_number_of_the_system() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let missing = folder.path().join("no.run");
    let number = |error: Error| error.problems()[0].os_error;
    let expected = std::fs::File::open(&missing).expect_err("the file does not exist");
    assert!(expected.raw_os_error().is_some());
    let opened = Source::open(&missing).expect_err("the file does not exist");
    let expanded = expand_paths(&[&missing]).expect_err("the file does not exist");
    assert_eq!(number(opened), expected.raw_os_error());
    assert_eq!(number(expanded), expected.raw_os_error());
    let read = std::fs::read(folder.path()).expect_err("a folder is not a file");
    let opened = Source::open(folder.path()).expect_err("a folder is not a file");
    assert_eq!(number(opened), read.raw_os_error());
}

#[test]
fn messages_in_one_line_are_lower_case_fragments() {
    let mut seen = String::new();
    for (name, bytes) in [
        ("a", &b"x y z\n"[..]),
        ("b", b"1 Q0 d 1 x t\n"),
        ("c", b"{\"a\": 1,}"),
    ] {
        let error = run_of(name, bytes).expect_err("the input is malformed");
        let message = error.problems()[0].message.to_string();
        assert!(
            !message.ends_with('.') && !message.starts_with(char::is_uppercase),
            "{message}"
        );
        writeln!(seen, "{error}").expect("writing to a string");
    }
    assert_snapshot!(seen, @r"
        a:1:1: unknown format: the first line has 3 columns, expected 6 columns (TREC) or a header [IR003]
        b:1:10: score is `x`, expected a number [IR011]
        c:1:9: invalid JSON: trailing comma [IR016]
        ");
}
