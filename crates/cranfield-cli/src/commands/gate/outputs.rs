//! Output of `cranfield gate`: the result, reports, and the lock, which is replaced last.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use cranfield::gate::{Gate, GateOutput, Inconclusive, Lock, Verdict, lock};
use cranfield::io::{Output, cannot_write, check_outputs, prepare_text};
use cranfield::render::Render;
use cranfield::{Evaluation, Request};

use super::{GateArgs, InconclusiveArg, seed, unwrapped};
use crate::args::ResultFormat;
use crate::exit_code;
use crate::output::{notes, terminal_width};

/// Rejects outputs that are inputs, except the lock that `--update` replaces.
pub(super) fn check(args: &GateArgs, request: &Request) -> anyhow::Result<()> {
    let written = [
        &args.write_lock,
        &args.junit,
        &args.summary,
        &args.output.output,
    ];
    let outputs: Vec<&PathBuf> = written.into_iter().flatten().collect();
    let mut inputs = request.files();
    inputs.extend(
        [&args.baseline, &args.except]
            .into_iter()
            .flatten()
            .map(PathBuf::as_path),
    );
    Ok(check_outputs(&outputs, &inputs)?)
}

/// Writes all outputs. Files are prepared first and the lock is renamed last, so a failure to write any of them leaves the lock as
/// it was.
pub(super) fn write(
    args: &GateArgs,
    evaluation: &Evaluation,
    gate: &Gate,
    old: Option<&Lock>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let inconclusive = match args.inconclusive {
        Some(InconclusiveArg::Own) | None => Inconclusive::Own,
        Some(InconclusiveArg::Pass) => Inconclusive::Pass,
        Some(InconclusiveArg::Fail) => Inconclusive::Fail,
    };
    let result = GateOutput {
        gate,
        evaluation,
        lock: old,
        digits: usize::from(args.output.digits),
    };
    let text = result.render(args.output.format(), terminal_width())?;
    let mut files = Vec::new();
    if let Some(path) = &args.junit {
        files.push(prepare_text(&gate.junit(inconclusive), path)?);
    }
    if let Some(path) = &args.output.output {
        files.push(prepare_text(&text, path)?);
    }
    let replaced = match (args.update, old) {
        (true, Some(old)) => replacement(args, evaluation, gate, old)?,
        _ => None,
    };
    if let Some(path) = &args.summary {
        append(path, &result.render(ResultFormat::Md, terminal_width())?)?;
    }
    files.into_iter().try_for_each(Output::finish)?;
    if args.output.output.is_none() {
        out.write_all(text.as_bytes())?;
    }
    out.flush()?;
    if let (true, Some(old)) = (args.update, old) {
        update(args, gate, old, replaced, err)?;
    }
    Ok(exit_code::of_verdict(gate.verdict, inconclusive))
}

/// Appends to a file.
fn append(path: &Path, text: &str) -> anyhow::Result<()> {
    let opened = OpenOptions::new().append(true).create(true).open(path);
    let written = opened.and_then(|mut file| file.write_all(format!("{text}\n").as_bytes()));
    written.map_err(|error| cannot_write(&path.to_string_lossy(), &error))?;
    Ok(())
}

/// A new lock that is written but not renamed yet.
type Replacement = (Lock, Output);

/// The new lock, if the run is better than that of the old one.
fn replacement(
    args: &GateArgs,
    evaluation: &Evaluation,
    gate: &Gate,
    old: &Lock,
) -> anyhow::Result<Option<Replacement>> {
    if !gate.is_better() {
        return Ok(None);
    }
    let path = args.baseline.as_deref().unwrap_or(Path::new(""));
    let made = lock(evaluation, seed(args, Some(old))).map_err(unwrapped)?;
    let file = prepare_text(&made.render(), path)?;
    Ok(Some((made, file)))
}

/// Replaces the lock, and reports whether it did.
fn update(
    args: &GateArgs,
    gate: &Gate,
    old: &Lock,
    replaced: Option<Replacement>,
    err: &mut dyn Write,
) -> anyhow::Result<()> {
    let path = args.baseline.as_deref().unwrap_or(Path::new(""));
    let name = path.display();
    let Some((made, file)) = replaced else {
        let why = match gate.verdict {
            Verdict::Pass => "the run passes, but some mean is lower or none is higher",
            Verdict::Fail => "the run fails",
            Verdict::Inconclusive => "the verdict is inconclusive",
        };
        notes::line(err, format_args!("{name} is kept: {why}"))?;
        return Ok(());
    };
    file.finish()?;
    notes::line(err, format_args!("{name} was {}", old.summary()))?;
    notes::line(err, format_args!("{name} is now {}", made.summary()))?;
    Ok(())
}
