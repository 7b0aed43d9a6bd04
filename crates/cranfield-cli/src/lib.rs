//! The command line of Cranfield. Results go to standard output, notes and errors to standard error.

#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "doc comments of options are help, in which brackets hold defaults"
)]

pub mod args;
mod commands;
mod comparing;
pub mod exit_code;
mod inputs;
mod lazy;
mod memory;
mod names;
mod output;
mod output_args;
mod planned;
mod progress;
pub mod results;
mod titles;

pub use memory::Prepared;
pub use output::scores::{ScoresStyle, render as render_scores};

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser;
use cranfield::compare::CompareError;
use cranfield::core::error::Error as CoreError;
use cranfield::core::setting::SettingStyle;
use cranfield::explain::ExplainError;
use cranfield::gate::GateError;
use cranfield::lab::bench::BenchError;
use cranfield::lab::tune::TuneError;
use cranfield::plots::DrawingError;
use cranfield::report::{ReportError, visible};

use args::{Args, Command, Lazy};
use output::broken_pipe::UntilClosed;
use output::shown::Shown;

/// Runs the program with its arguments, the first of which is its name.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let code = catch_unwind(AssertUnwindSafe(|| exit_code_of(arguments)));
    code.unwrap_or(exit_code::INTERNAL).into()
}

/// Runs the program, and returns its exit code as a number.
pub fn exit_code_of(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let [_, command, rest @ ..] = arguments.as_slice()
        && command == "trec_eval"
    {
        // The drop-in program parses its own options.
        start_threads(None);
        let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
        return cranfield_trec_eval::run(rest.to_vec(), "trec_eval", &mut out, &mut err);
    }
    let args = match Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) => {
            // Help and version are errors to clap, and go to standard output with code 0.
            let code = if error.use_stderr() {
                exit_code::USAGE
            } else {
                exit_code::OK
            };
            return match error.print() {
                Err(why) if !error.use_stderr() => report(&why.into(), &mut io::stderr()),
                _ => code,
            };
        }
    };
    if let Command::Eval(Lazy(args)) = &args.command {
        start_threads(args.inputs.threads.map(usize::from));
    }
    let mut out = io::BufWriter::new(UntilClosed::new(io::stdout().lock()));
    // Not locked: other threads write a progress line meanwhile.
    let mut err = io::stderr();
    let done = run(args, &mut out, &mut err).and_then(|code| {
        out.flush()?;
        Ok(code)
    });
    match done {
        Ok(code) => code,
        Err(error) => report(&error, &mut err),
    }
}

/// Lets the main thread take part in the work. If it cannot, other threads do the work, or starting it is an error.
pub fn start_threads(threads: Option<usize>) {
    let _ = cranfield::engine::work_on_this_thread(threads);
}

/// Runs a command.
///
/// # Errors
/// If an input is invalid, options contradict each other, or output cannot be written.
pub fn run(args: Args, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<u8> {
    let err = &mut Shown(err);
    let progress = args.progress;
    match args.command {
        Command::Eval(Lazy(args)) => commands::eval::run(&args, out, err),
        Command::Compare(Lazy(args)) => commands::compare::run(&args, progress, out, err),
        Command::Gate(Lazy(args)) => commands::gate::run(&args, progress, out, err),
        Command::Pool(args) => commands::pool::run(&args.command, out, err),
        Command::Power(Lazy(args)) => commands::power::run(&args, out, err),
        Command::Discriminate(Lazy(args)) => commands::discriminate::run(&args, out, err),
        Command::Explain(Lazy(args)) => commands::explain::run(&args, out, err),
        Command::Measures(Lazy(args)) => commands::measures::run(&args, out),
        #[cfg(feature = "plots")]
        Command::Plot(Lazy(args)) => commands::plot::run(&args, progress, out, err),
        #[cfg(feature = "plots")]
        Command::Report(Lazy(args)) => commands::report::run(&args, progress, out, err),
        Command::Similarity(Lazy(args)) => commands::similarity::run(&args, out, err),
        Command::Agree(Lazy(args)) => commands::agree::run(&args, out, err),
        Command::Judge(Lazy(args)) => commands::judge::run(&args, progress, out, err),
        Command::FakeGrader(Lazy(args)) => commands::judge::run_fake(&args, out),
        Command::Bench(Lazy(args)) => commands::bench::run(&args, progress, out, err),
        Command::Convert(Lazy(args)) => commands::convert::run(&args, err),
        Command::Index(Lazy(args)) => commands::index::run(&args, progress, out, err),
        Command::Search(Lazy(args)) => commands::search::run(&args, progress, out, err),
        Command::Experiment(Lazy(args)) => commands::experiment::run(&args, progress, out, err),
        Command::Demo(Lazy(args)) => commands::demo::run(&args, progress, out),
        Command::Fuse(Lazy(args)) => commands::fuse::run(&args, progress, err),
        Command::TuneFuse(Lazy(args)) => commands::tune_fuse::run(&args, out, err),
        Command::Tune(Lazy(args)) => commands::tune::run(&args, out, err),
        Command::Doctor(Lazy(args)) => commands::doctor::run(&args, out, err),
        #[cfg(feature = "server")]
        Command::Serve(Lazy(args)) => commands::serve::run(&args, out),
        #[cfg(feature = "server")]
        Command::Submit(Lazy(args)) => commands::submit::run(&args, out, err),
        #[cfg(feature = "server")]
        Command::Admin(Lazy(args)) => commands::admin::run(&args, out, err),
        #[cfg(feature = "server")]
        Command::Verify(Lazy(args)) => commands::verify::run(&args, out, err),
        Command::Rosetta(Lazy(args)) => commands::rosetta::run(&args, out),
        Command::Whence(Lazy(args)) => commands::whence::run(&args, out, err),
        Command::Completions(Lazy(args)) => commands::completions::run(&args, out),
        Command::TrecEval(args) => Ok(cranfield_trec_eval::run(
            args.arguments,
            "trec_eval",
            out,
            err,
        )),
    }
}

/// Prints an error, and returns its exit code.
pub fn report(error: &anyhow::Error, err: &mut dyn Write) -> u8 {
    if is_broken_pipe(error) {
        return exit_code::OK;
    }
    if let Some(error) = error.downcast_ref::<cranfield::io::Error>() {
        let styled = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let text = if styled {
            error.render_coloured(SettingStyle::CommandLine)
        } else {
            error.render(SettingStyle::CommandLine)
        };
        let text = output::wrap_labels(&text, output::error_width());
        let _ = writeln!(err, "{text}");
        return exit_code::INVALID_INPUT;
    }
    if let Some(error) = error.downcast_ref::<io::Error>() {
        // Inputs have their own errors, so this one is about the output.
        let error = cranfield::io::cannot_write("<stdout>", error);
        let _ = writeln!(err, "{}", error.render(SettingStyle::CommandLine));
        return exit_code::INVALID_INPUT;
    }
    // An error is one line; a name with the end of a line in it does not begin another.
    let message = message(error, SettingStyle::CommandLine);
    let _ = writeln!(err, "error: {}", visible(&message));
    exit_code::USAGE
}

/// The messages of an error and its causes, with settings in this style.
pub fn message(error: &anyhow::Error, style: SettingStyle) -> String {
    let causes = error.chain().map(|cause| one_message(cause, style));
    causes.collect::<Vec<_>>().join(": ")
}

fn one_message(error: &(dyn std::error::Error + 'static), style: SettingStyle) -> String {
    if let Some(error) = error.downcast_ref::<CoreError>() {
        error.render(style)
    } else if let Some(error) = error.downcast_ref::<CompareError>() {
        error.render(style)
    } else if let Some(error) = error.downcast_ref::<TuneError>() {
        error.render(style)
    } else if let Some(error) = error.downcast_ref::<GateError>() {
        error.render(style)
    } else if let Some(error) = error.downcast_ref::<ExplainError>() {
        error.render(style)
    } else if let Some(error) = error.downcast_ref::<ReportError>() {
        error.render(style)
    } else if let Some(error) = error.downcast_ref::<DrawingError>() {
        error.render(style)
    } else if let Some(error) = error.downcast_ref::<BenchError>() {
        error.render(style)
    } else {
        error.to_string()
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    if let Some(error) = error.downcast_ref::<cranfield::io::Error>() {
        return error.kind() == cranfield::io::ErrorKind::BrokenPipe;
    }
    let cause = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
