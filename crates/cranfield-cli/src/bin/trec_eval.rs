//! A drop-in replacement for `trec_eval`.

use std::io;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: cranfield_cli::Prepared = cranfield_cli::Prepared;

fn main() -> ExitCode {
    cranfield::io::handle_signals(cranfield_cli::exit_code::INVALID_INPUT);
    cranfield_cli::start_threads(None);
    let mut args = std::env::args_os();
    let program = args.next().unwrap_or_else(|| "trec_eval".into());
    let program = program.to_string_lossy();
    ExitCode::from(cranfield_trec_eval::run(
        args,
        &program,
        &mut io::stdout().lock(),
        &mut io::stderr().lock(),
    ))
}
