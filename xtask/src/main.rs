//! Development tasks, run as `cargo xtask TASK`.
//!
//! `test` is the one command that runs every check of the repository; continuous integration calls the same.
//! No dependencies: this crate is compiled before anything else can be checked.

#![expect(
    clippy::print_stdout,
    reason = "a task reports what it does on standard output"
)]

mod browser;
mod catalogue;
mod command;
mod docs;
mod latex;
mod man;
mod python;
mod system;
mod test;
mod tmux;
mod wheel;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK

tasks:
  test [--list] [--only STEP]... [--skip STEP]...   run all checks, or some of them
  docs [--check]                                    write the generated pages, or check that they are current
  man [FOLDER]                                      write the man pages, to target/man by default
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<(), String> {
    match arguments {
        ["test", options @ ..] => test::run(&test::Selection::parse(options)?),
        ["man"] => man::write("target/man"),
        ["man", folder] => man::write(folder),
        ["docs"] => docs::write(),
        ["docs", "--check"] => docs::check(),
        _ => Err(format!("unknown task\n{USAGE}")),
    }
}
