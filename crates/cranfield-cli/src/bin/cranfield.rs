//! The program `cranfield`.

use std::process::ExitCode;

fn main() -> ExitCode {
    cranfield_cli::main(std::env::args_os())
}
