//! The line that says how far a long comparison has come.

use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a program on a terminal of its own, and prints what it shows there.
const TERMINAL: &str = "
import os, pty, sys
shown = b''
def read(fd):
    global shown
    data = os.read(fd, 65536)
    shown += data
    return data
null = os.open(os.devnull, os.O_WRONLY)
out = os.dup(1)
os.dup2(null, 1)
status = pty.spawn(sys.argv[1:], read)
os.dup2(out, 1)
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(status))
";

/// What `cranfield compare` shows on a terminal; `None` where there is no Python with terminals.
fn shown(arguments: &[&str]) -> Option<String> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut command = Command::new("python3");
    command.args([
        "-c",
        TERMINAL,
        env!("CARGO_BIN_EXE_cranfield"),
        "compare",
        "qrels.txt",
        "runs",
    ]);
    command.args([
        "-m",
        "AP",
        "--test",
        "randomised-tukey",
        "--replicates",
        "4000000",
    ]);
    command
        .current_dir(examples)
        .args(arguments)
        .stdin(Stdio::null());
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
#[cfg(target_os = "linux")]
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn a_terminal_sees_how_far_a_test_has_come() {
    let Some(text) = shown(&["--threads", "1"]) else {
        println!("skipped: no Python with terminals");
        return;
    };
    assert!(text.contains(" % AP: randomised Tukey HSD"), "{text:?}");
    let quiet = shown(&["--quiet", "--threads", "1"]).unwrap();
    assert!(!quiet.contains(" % AP"), "{quiet:?}");
}

/// Elsewhere than on a terminal nothing is shown.
#[test]
fn files_see_no_progress() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    command.args([
        "compare",
        "qrels.txt",
        "runs",
        "-m",
        "AP",
        "--test",
        "randomised-tukey",
    ]);
    command.args(["--replicates", "4000000"]);
    let output = command
        .current_dir(examples)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!text.contains('\r') && text.starts_with("note: "), "{text}");
}
