//! Names of files with characters that a terminal would obey: standard error shows them.

#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};

/// Standard error of a command.
fn err(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let command = command.current_dir(folder).args(arguments);
    let output = command.stdin(Stdio::null()).output().unwrap();
    String::from_utf8(output.stderr).unwrap()
}

#[track_caller]
fn check(text: &str, parts: &[&str]) {
    let is_odd = |c: char| c != '\n' && cranfield::report::is_obeyed(c);
    assert!(!text.contains(is_odd), "{text:?}");
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn messages_have_no_control_characters() {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (bold, bell) = ("b\x1b[1m.run", "x\x07y\u{2066}\nerror: z.run");
    for (name, file) in [
        (bold, "runs/dense.run"),
        (bell, "runs/hybrid.run"),
        ("q", "qrels.txt"),
    ] {
        std::fs::copy(from.join(file), folder.path().join(name)).unwrap();
    }
    let runs = ["q", bold, bell];
    let shown = ["b\\x1b[1m", "x\\x07y\\u{2066}\\nerror: z"];
    for command in [
        &["compare", "-m", "AP"][..],
        &["eval", "-m", "AP"],
        &["power", "-m", "AP"],
        &["discriminate", "-m", "AP", "--replicates", "100"],
        &["report", "-m", "AP", "-f", "csv"],
        &["plot", "box", "-m", "AP", "-o", "a.svg"],
    ] {
        check(&err(folder.path(), &[command, &runs].concat()), &shown);
    }
    let gate = ["gate", "q", bold, "-b", bell, "-m", "AP"];
    check(&err(folder.path(), &gate), &shown);
    let lock = ["gate", "q", bold, "-m", "AP", "--write-lock", "l\x1b.lock"];
    check(
        &err(folder.path(), &lock),
        &["note: wrote l\\x1b.lock: b\\x1b[1m"],
    );
    let nope = ["compare", "-m", "AP", "--baseline", "nope\x1b[31m"];
    let unknown = ["no run is named `nope\\x1b[31m`", shown[0], shown[1]];
    check(&err(folder.path(), &[&nope[..], &runs].concat()), &unknown);
    std::fs::write(folder.path().join("bad\x1b\n.run"), "1 Q0 a\n").unwrap();
    let bad = err(folder.path(), &["eval", "q", "bad\x1b\n.run"]);
    check(&bad, &["--> bad\\x1b\\n.run"]);
}
