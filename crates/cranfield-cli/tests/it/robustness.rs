//! Odd names, full devices and endless streams.

#![cfg(unix)]

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn examples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn cranfield(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    command.current_dir(folder).stdin(Stdio::null());
    command
}

#[track_caller]
fn text(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8_can_be_matched() {
    let folder = tempfile::tempdir().unwrap();
    let name = OsStr::from_bytes(b"a\xff.run");
    std::fs::copy(examples().join("runs/dense.run"), folder.path().join(name)).unwrap();
    let output = cranfield(folder.path())
        .args(["doctor", "*.run"])
        .output()
        .unwrap();
    let (out, err) = text(&output);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(out.contains("a\u{fffd}.run"), "{out}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_error_does_not_lose_results() {
    let folder = tempfile::tempdir().unwrap();
    let run = || {
        let mut command = cranfield(folder.path());
        let examples = examples();
        command.args(["eval", "-m", "AP"]);
        command.args([examples.join("qrels.txt"), examples.join("runs/dense.run")]);
        command
    };
    let expected = run().output().unwrap();
    assert!(!expected.stderr.is_empty(), "the command must have a note");
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = run().stderr(full).output().unwrap();
    assert_eq!(output.stdout, expected.stdout);
    assert_eq!(output.status.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_stream_stops_at_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = cranfield(folder.path());
    command.env("CRANFIELD_MAX_EXPANDED", "1M");
    let output = command.args(["doctor", "/dev/zero"]).output().unwrap();
    let (out, _) = text(&output);
    assert_eq!(output.status.code(), Some(3));
    assert!(out.contains("exceeds the limit of 1048576 bytes"), "{out}");
}

#[test]
fn control_characters_in_file_names_are_escaped_in_results() {
    let folder = tempfile::tempdir().unwrap();
    let qrels = examples().join("qrels.txt");
    for name in ["a\u{9b}1m", "b\x1b[1m"] {
        std::fs::copy(&qrels, folder.path().join(name)).unwrap();
    }
    for command in [
        &["agree", "a\u{9b}1m", "b\x1b[1m"][..],
        &["doctor", "a\u{9b}1m", "b\x1b[1m"],
        &["doctor", "a\u{9b}1m", "b\x1b[1m", "-f", "md"],
        &["doctor", "a\u{9b}1m", "b\x1b[1m", "--fix"],
    ] {
        let output = cranfield(folder.path()).args(command).output().unwrap();
        let (out, err) = text(&output);
        assert!(!out.contains(['\u{9b}', '\x1b']), "{out:?}");
        assert!(
            out.contains("a\\u{9b}1m") && out.contains("b\\x1b[1m"),
            "{out} {err}"
        );
    }
}

#[test]
fn a_converted_parquet_run_is_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let run = examples().join("runs/dense.run");
    let qrels = examples().join("qrels.txt");
    for (from, name) in [(run, "run"), (qrels, "qrels")] {
        let (packed, back) = (format!("{name}.parquet"), format!("{name}.txt"));
        let first = cranfield(folder.path())
            .arg("convert")
            .arg(from)
            .arg(&packed)
            .output();
        let (_, err) = text(&first.unwrap());
        let second = cranfield(folder.path())
            .args(["convert", &packed, &back])
            .output();
        let second = second.unwrap();
        assert_eq!(second.status.code(), Some(0), "{err}{}", text(&second).1);
        let lines = std::fs::read_to_string(folder.path().join(back)).unwrap();
        let columns = lines.lines().next().unwrap().split(' ').count();
        assert_eq!(columns, if name == "run" { 6 } else { 4 });
    }
}

#[test]
fn labels_of_diagnostics_wrap_at_the_width() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.run"), "1 Q0 d 1 2\n").unwrap();
    std::fs::write(folder.path().join("q"), "1 0 d 1\n").unwrap();
    for arguments in [&["doctor", "a.run"][..], &["eval", "q", "a.run"]] {
        let shown = |columns: &str| {
            let mut command = cranfield(folder.path());
            let output = command.args(arguments).env("COLUMNS", columns).output();
            let (out, err) = text(&output.unwrap());
            out + &err
        };
        let (narrow, wide) = (shown("50"), shown("0"));
        let help = "= help: is the tag missing? cranfield doctor FILE --fix --tag NAME";
        assert!(wide.contains(help), "{wide}");
        let from_help = narrow.split_once("= help").unwrap().1;
        let labelled = from_help.lines().take_while(|line| !line.is_empty());
        assert!(labelled.clone().count() > 1, "{narrow}");
        for line in labelled {
            assert!(line.len() <= 50, "{line}");
        }
    }
}
