//! The command line as a process, and checks of what it prints.

use std::path::Path;
use std::process::{Command, Output, Stdio};

pub(crate) fn cranfield(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let command = command.current_dir(folder).args(arguments.split(' '));
    command.stdin(Stdio::null()).output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a command in a folder and checks its exit status, and what its outputs contain.
#[track_caller]
pub(crate) fn check_in(
    folder: &Path,
    arguments: &str,
    code: i32,
    in_stdout: &str,
    in_stderr: &str,
) {
    let output = cranfield(folder, arguments);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{err}");
    assert!(out.contains(in_stdout), "{out}");
    assert!(err.contains(in_stderr), "{err}");
}

/// Checks that no line is longer than 80 columns.
#[track_caller]
pub(crate) fn check_narrow(text: &str) {
    let wide = text.lines().filter(|line| line.chars().count() > 80);
    assert_eq!(wide.collect::<Vec<_>>(), Vec::<&str>::new());
}
