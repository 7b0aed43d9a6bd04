//! The program `trec_eval` as a process: standard input, closed output, environment.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trec_eval"));
    command
        .args(args)
        .env_remove("POSIXLY_CORRECT")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn with_input(mut command: Command, input: &str) -> Output {
    let mut child = command.spawn().unwrap();
    // A program that fails early does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[test]
fn the_run_comes_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let qrels = folder.path().join("qrels");
    std::fs::write(&qrels, "q1 0 a 1\n").unwrap();
    let qrels = qrels.to_str().unwrap();
    for args in [
        vec!["-mmap", qrels, "-"],
        vec!["-mmap", "--", qrels, "-anything"],
    ] {
        let output = with_input(program(&args), "q1 Q0 a 1 1 t\n");
        assert_eq!(output.stdout, b"map                   \tall\t1.0000\n");
        assert_eq!(output.status.code(), Some(0));
    }
    let output = with_input(program(&[qrels, "-"]), "");
    assert_eq!(output.status.code(), Some(4));
    let output = with_input(program(&["-", qrels]), "q1 0 a 1\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        output
            .stderr
            .starts_with(b"trec_eval.get_qrels: Cannot read qrels file '-'\n")
    );
}

#[test]
fn the_first_operand_ends_options_if_posix_wants_it() {
    let mut command = program(&["a", "b", "-v"]);
    command.env("POSIXLY_CORRECT", "1");
    let output = with_input(command, "");
    assert_eq!(output.status.code(), Some(1));
    let output = with_input(program(&["a", "b", "-v"]), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn messages_about_options_name_the_program_as_it_was_called() {
    let output = with_input(program(&["-x"]), "");
    let expected = format!(
        "{}: invalid option -- 'x'\n",
        env!("CARGO_BIN_EXE_trec_eval")
    );
    assert!(output.stderr.starts_with(expected.as_bytes()));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = program(&["-h", "-m", "all_trec"]).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
