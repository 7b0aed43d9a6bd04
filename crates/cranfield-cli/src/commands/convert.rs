//! `cranfield convert`.

use std::io::Write;

use anyhow::Context;
use cranfield::io::{self, QrelsFormat, RunFormat, Source, doctor};

use super::eval::parse_named;
use crate::args::{ConvertArgs, Kind};
use crate::exit_code;
use crate::output::notes::plural;
use crate::output_args::check_output;

pub(crate) fn run(args: &ConvertArgs, err: &mut dyn Write) -> anyhow::Result<u8> {
    check_output(Some(args.target()), [args.input.as_path()])?;
    let source = Source::open(&args.input)?;
    let written = match kind(args, &source)? {
        Kind::Run => convert_run(args, &source)?,
        Kind::Qrels => convert_qrels(args, &source)?,
    };
    if !args.quiet {
        crate::output::notes::line(err, written)?;
    }
    Ok(exit_code::OK)
}

/// The kind of the file: as given, or detected from the content.
fn kind(args: &ConvertArgs, source: &Source) -> anyhow::Result<Kind> {
    if let Some(kind) = args.kind {
        return Ok(kind);
    }
    match (
        io::detect_run(source).is_ok(),
        io::detect_qrels(source).is_ok(),
    ) {
        (true, false) => Ok(Kind::Run),
        (false, true) => Ok(Kind::Qrels),
        (false, false) => Err(io::detect_run(source)
            .err()
            .context("the file is neither a run nor judgements")?
            .into()),
        (true, true) => match doctor::infer_kind(source) {
            Some(doctor::Kind::Run) => Ok(Kind::Run),
            Some(doctor::Kind::Qrels) => Ok(Kind::Qrels),
            None => anyhow::bail!(
                "{} could be a run or judgements; add --kind run or --kind qrels",
                source.name()
            ),
        },
    }
}

fn convert_run(args: &ConvertArgs, source: &Source) -> anyhow::Result<String> {
    let from = parse_named::<RunFormat>("--from", args.from.as_deref())?;
    let to = parse_named::<RunFormat>("--to", args.to.as_deref())?;
    let to = to
        .or_else(|| RunFormat::of_name(&args.target().to_string_lossy()))
        .with_context(|| unknown_output(args))?;
    let run = io::read_run(source, from)?;
    io::save_run(&run, to, args.target())?;
    let lines: usize = run.topics().map(|topic| topic.entries().len()).sum();
    Ok(format!(
        "wrote {} of {} as {to} to {}",
        plural(lines, "line"),
        plural(run.topics().len(), "topic"),
        args.target().display()
    ))
}

fn convert_qrels(args: &ConvertArgs, source: &Source) -> anyhow::Result<String> {
    let from = parse_named::<QrelsFormat>("--from", args.from.as_deref())?;
    let to = parse_named::<QrelsFormat>("--to", args.to.as_deref())?;
    let to = to
        .or_else(|| QrelsFormat::of_name(&args.target().to_string_lossy()))
        .with_context(|| unknown_output(args))?;
    let qrels = io::read_qrels(source, from)?;
    io::save_qrels(&qrels, to, args.target())?;
    Ok(format!(
        "wrote {} of {} as {to} to {}",
        plural(qrels.judgements(), "judgement"),
        plural(qrels.len(), "topic"),
        args.target().display()
    ))
}

fn unknown_output(args: &ConvertArgs) -> String {
    format!(
        "cannot infer the format from `{}`; use --to",
        args.target().display()
    )
}
