//! `cranfield convert`.

use std::borrow::Cow;
use std::io::Write;

use anyhow::Context;
use cranfield::core::setting::SettingStyle;
use cranfield::io::{self, QrelsFormat, RunFormat, Source, doctor};

use super::eval::parse_named;
use crate::args::{ConvertArgs, Kind};
use crate::exit_code;
use crate::output::notes::plural;
use crate::output_args::check_output;

/// Converts a file.
///
/// # Errors
/// If the input is invalid, or the output cannot be written.
pub fn run(args: &ConvertArgs, err: &mut dyn Write) -> anyhow::Result<u8> {
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

/// The kind of the file: as given, or detected from the content. If the content could be either, the names of the files decide,
/// and then the scores.
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
            .map(with_own_options)
            .context("the file is neither a run nor judgements")?
            .into()),
        (true, true) => match doctor::infer_kind(source) {
            Some(doctor::Kind::Run) => Ok(Kind::Run),
            Some(doctor::Kind::Qrels) => Ok(Kind::Qrels),
            None if has_fractions(source) => Ok(Kind::Run),
            None => match named_kind(args) {
                Some(doctor::Kind::Run) => Ok(Kind::Run),
                Some(doctor::Kind::Qrels) => Ok(Kind::Qrels),
                None => anyhow::bail!(
                    "{} could be a run or judgements; add --kind run or --kind qrels",
                    source.name()
                ),
            },
        },
    }
}

/// The advice names an option of other commands.
fn with_own_options(error: io::Error) -> io::Error {
    let help = error
        .problems()
        .first()
        .and_then(|first| first.help.as_ref());
    match help.map(|help| help.render(SettingStyle::CommandLine)) {
        Some(help) if help.contains("--run-format") => {
            error.with_help(&"set the kind with --kind and the format with --from".into())
        }
        _ => error,
    }
}

fn named_kind(args: &ConvertArgs) -> Option<doctor::Kind> {
    let mut paths = [args.target(), &args.input].into_iter();
    paths.find_map(|path| doctor::Kind::of_name(&path.to_string_lossy()))
}

/// Whether any number, read as a score, is not an integer.
fn has_fractions(source: &Source) -> bool {
    let Ok(run) = io::read_run(source, None) else {
        return false;
    };
    let mut entries = run.topics().flat_map(|topic| topic.entries());
    entries.any(|entry| entry.score.fract() != 0.0)
}

fn convert_run(args: &ConvertArgs, source: &Source) -> anyhow::Result<String> {
    let from = parse_named::<RunFormat>("--from", args.from.as_deref())?;
    let to = parse_named::<RunFormat>("--to", args.to.as_deref())?;
    let to = to
        .or_else(|| RunFormat::of_name(&args.target().to_string_lossy()))
        .with_context(|| unknown_output(args, RunFormat::ALL.iter().map(|format| format.name())))?;
    let mut run = io::read_run(source, from)?;
    if run.tag().is_empty() && source_name(args) != "-" {
        run = run.with_tag(tag_of_name(&source_name(args)));
    }
    io::save_run(&run, to, args.target())?;
    let lines: usize = run.topics().map(|topic| topic.entries().len()).sum();
    Ok(format!(
        "wrote {} of {} as {to} to {}",
        plural(lines, "line"),
        plural(run.topics().len(), "topic"),
        target_name(args)
    ))
}

fn convert_qrels(args: &ConvertArgs, source: &Source) -> anyhow::Result<String> {
    let from = parse_named::<QrelsFormat>("--from", args.from.as_deref())?;
    let to = parse_named::<QrelsFormat>("--to", args.to.as_deref())?;
    let to = to
        .or_else(|| QrelsFormat::of_name(&args.target().to_string_lossy()))
        .with_context(|| unknown_output(args, writable_qrels()))?;
    let qrels = io::read_qrels(source, from)?;
    io::save_qrels(&qrels, to, args.target())?;
    Ok(format!(
        "wrote {} of {} as {to} to {}",
        plural(qrels.judgements(), "judgement"),
        plural(qrels.len(), "topic"),
        target_name(args)
    ))
}

fn source_name(args: &ConvertArgs) -> Cow<'_, str> {
    args.input.to_string_lossy()
}

fn target_name(args: &ConvertArgs) -> Cow<'_, str> {
    match args.target().to_string_lossy() {
        name if name == "-" => "standard output".into(),
        name => name,
    }
}

/// The stem of a file name as a tag, which cannot contain white space.
fn tag_of_name(name: &str) -> String {
    io::stem(name).replace(|c: char| c.is_whitespace() || c.is_control(), "-")
}

fn writable_qrels() -> impl Iterator<Item = &'static str> {
    let formats = QrelsFormat::ALL.iter();
    formats
        .filter(|format| format.has_grades())
        .map(|format| format.name())
}

fn unknown_output(args: &ConvertArgs, formats: impl Iterator<Item = &'static str>) -> String {
    let formats: Vec<&str> = formats.collect();
    format!(
        "cannot infer the format from `{}`; add --to with one of {}",
        args.target().display(),
        formats.join(", ")
    )
}
