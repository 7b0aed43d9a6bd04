//! The program `cranfield`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: cranfield_cli::Prepared = cranfield_cli::Prepared;

fn main() -> ExitCode {
    cranfield::io::handle_signals(cranfield_cli::exit_code::INVALID_INPUT);
    cranfield_cli::main(std::env::args_os())
}
