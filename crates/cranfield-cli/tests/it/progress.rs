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

/// The output of `cranfield compare` on a terminal; `None` where there is no Python with terminals.
fn shown(arguments: &[&str]) -> Option<String> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut command = Command::new("python3");
    command.args(["-c", TERMINAL, env!("CARGO_BIN_EXE_cranfield"), "compare"]);
    command.args(["qrels.txt", "--threads", "1"]);
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
    let tukey = ["--test", "randomised-tukey", "--replicates", "4000000"];
    let by_ap = [&["runs", "-m", "AP"], &tukey[..]].concat();
    let Some(text) = shown(&by_ap) else {
        println!("skipped: no Python with terminals");
        return;
    };
    assert!(text.contains(" % AP: randomised Tukey HSD"), "{text:?}");
    let quiet = shown(&[&by_ap[..], &["--quiet"]].concat()).unwrap();
    assert!(!quiet.contains(" % AP"), "{quiet:?}");
    // One long test of a single pair, scenarios, and plans.
    let pair = [
        "runs/bm25.run",
        "runs/hybrid.run",
        "-m",
        "AP",
        "--test",
        "bootstrap",
    ];
    let text = shown(&[&pair[..], &["--replicates", "40000000"]].concat()).unwrap();
    assert!(text.contains(" % AP: bootstrap test"), "{text:?}");
    let scenario = ["runs", "--scenario", "impatient"];
    let text = shown(&[&scenario, &tukey[..]].concat()).unwrap();
    assert!(
        text.contains(" % nCG@30 (impatient): randomised Tukey HSD"),
        "{text:?}"
    );
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.toml");
    let text =
        "measures = ['AP']\nbaseline = 'bm25'\ntest = 'randomised-tukey'\nreplicates = 4000000\n";
    std::fs::write(&plan, text).unwrap();
    let text = shown(&["runs", "--plan", plan.to_str().unwrap()]).unwrap();
    assert!(text.contains(" % AP: randomised Tukey HSD"), "{text:?}");
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
