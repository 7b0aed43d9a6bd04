//! A drop-in `trec_eval`: the same options, output, exit status and messages as version 10.0 of the reference program.
//!
//! [`run`] goes through fixed steps, since their order decides which of several mistakes is reported: options, help, number of
//! files, judgements, run, z-scores, parameters of measures, topics, summary. Where the reference crashes or reads memory that it
//! did not write, this does what was meant; see `docs/compat/trec_eval.md`.

mod exit;
mod getopt;
mod help;
mod input;
mod judgements;
mod options;
mod output;
mod parameters;
mod print;
mod report;
mod request;
mod zscores;

use std::ffi::OsString;
use std::io::Write;

use cranfield_core::evaluate::Plan;

use exit::{Exit, INPUT};
use judgements::{Format, Judgements};
use options::{Options, RESULTS_FORMAT};
use output::Output;
use report::Report;
use request::{Selection, Settings};
use zscores::ZScores;

/// Runs the program with the arguments after its name, and returns the exit status.
///
/// `program` is the name in messages about options. Results go to `out` and messages to `err`. A reader may close `out` early.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    program: &str,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let args = args.into_iter().map(|arg| arg.as_encoded_bytes().to_vec());
    let mut output = Output::new(out);
    let done = session(&args.collect::<Vec<_>>(), program, &mut output);
    let written = output.finish();
    let exit = done.and(written).err().unwrap_or_else(|| Exit::new(0, &[]));
    // Nothing can report a failure of this one.
    let _ = err.write_all(&exit.message).and_then(|()| err.flush());
    exit.code
}

fn session(args: &[Vec<u8>], program: &str, out: &mut Output<'_>) -> Result<(), Exit> {
    let mut options = Options::parse(args, program)?;
    if options.help {
        help::write(&mut out.buffer, &options);
        return Ok(());
    }
    let request = std::mem::take(&mut options.request);
    let (rel_info, results) = options.files()?;
    let judgements =
        Judgements::read(Format::find(&options.rel_format)?, rel_info, options.compat)?;
    if options.results_format != RESULTS_FORMAT {
        let format = options.results_format.as_slice();
        return Err(Exit::new(
            INPUT,
            &[
                b"trec_eval: Illegal retrieval results format '",
                format,
                b"'\n",
            ],
        ));
    }
    let run = input::open_run(results, options.compat)?;
    let mut selection = request.select(&Settings::of(&options));
    let mut none = Selection::default();
    // As in the reference, an invalid run is reported before invalid parameters.
    let plan: &mut Plan = &mut selection.as_mut().unwrap_or(&mut none).plan;
    judgements.configure(plan, &options);
    let evaluated = judgements.evaluate(&run, plan, options.compat);
    let evaluated = evaluated.map_err(|exit| input::quit(exit, results))?;
    let zscores = options.zscores.as_deref().map(ZScores::read).transpose()?;
    let selection = &selection?;
    let report = Report {
        options: &options,
        selection,
        judgements: &judgements,
        evaluated: &evaluated,
        zscores: zscores.as_ref(),
    };
    report.write(out)
}
