//! `cranfield doctor`.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use cranfield::collection::Collection;
use cranfield::core::qrels::Qrels;
use cranfield::core::setting::SettingStyle;
use cranfield::io::doctor::fix::{self, FixOptions, Outcome, Tag};
use cranfield::io::doctor::{self, Colour, Options, Report, Scale};
use cranfield::io::{self as files, Output, Severity, Source};

use crate::args::Kind;
use crate::exit_code;
use crate::output::{terminal_width, wrap_labels};
use crate::output_args::check_output;

/// Exits with code 3 if a file has errors, or warnings with --strict.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cranfield doctor bm25.run
  cranfield doctor 'runs/*.run' --qrels qrels.txt --strict
  cranfield doctor qrels.txt --grades 0..3
  cranfield doctor bm25.run --fix -o fixed.run
  cranfield doctor collection.toml
  cranfield doctor folder --fix --in-place
  cranfield doctor --codes")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub struct DoctorArgs {
    /// Runs, judgements and collections: files, quoted globs, folders, or - for standard input
    #[arg(required_unless_present = "codes", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Also check runs against these judgements
    #[arg(long, value_name = "QRELS")]
    pub qrels: Option<PathBuf>,
    /// Kind of the files [default: detected]
    #[arg(long = "as", value_enum, value_name = "KIND")]
    pub kind: Option<Kind>,
    /// Maximum number of documents per topic in a run
    #[arg(long, value_name = "N", default_value_t = doctor::DEPTH, value_parser = clap::value_parser!(u64).range(1..))]
    pub depth: u64,
    /// Valid grades: a range such as 0..3, or a list such as 0,1,2
    #[arg(long, value_name = "SCALE", allow_hyphen_values = true)]
    pub grades: Option<Scale>,
    /// Repair problems that can be repaired without changing any value, or write a collection file; without -o or --in-place, only list the repairs
    #[arg(long)]
    pub fix: bool,
    /// Write the repaired file here, or to standard output with -
    #[arg(short, long, value_name = "OUT", requires = "fix")]
    pub output: Option<PathBuf>,
    /// Replace each file with its repaired version
    #[arg(long, requires = "fix", conflicts_with = "output")]
    pub in_place: bool,
    /// Set the run tag on every line, and add it if every line lacks it
    #[arg(long, value_name = "NAME", requires = "fix")]
    pub tag: Option<Tag>,
    /// Format of the report
    #[arg(short, long, value_enum, default_value_t = ReportFormat::Text)]
    pub format: ReportFormat,
    /// Treat warnings as errors: exit with code 3
    #[arg(long)]
    pub strict: bool,
    /// Report only errors; with --strict, also warnings
    #[arg(long)]
    pub quiet: bool,
    /// List all diagnostic codes and their meaning
    #[arg(long)]
    pub codes: bool,
}

/// Format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Diagnostics with the lines concerned, like a compiler's
    Text,
    /// One JSON object
    Json,
    /// One JSON object per finding
    Jsonl,
    /// Markdown
    Md,
}

pub(crate) fn run(
    args: &DoctorArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    if args.codes {
        let text = wrap_labels(&catalogue(args.format), terminal_width());
        out.write_all(text.as_bytes())?;
        return Ok(exit_code::OK);
    }
    let writes_data = args.output.as_deref() == Some(Path::new("-"));
    let mut is_first = true;
    let reports = examine_files(
        args,
        &mut |report, out| {
            let text = shown_report(args, report, is_first);
            is_first &= text.is_empty();
            let to: &mut dyn Write = if writes_data { &mut *err } else { out };
            Ok(to.write_all(text.as_bytes())?)
        },
        out,
    )?;
    if args.format == ReportFormat::Json {
        let to: &mut dyn Write = if writes_data { err } else { out };
        let shown: Vec<Report> = reports.iter().map(|report| shown(args, report)).collect();
        to.write_all(doctor::to_json(&shown).as_bytes())?;
    }
    Ok(findings_code(args.strict, &reports))
}

/// A report as it is printed: a repaired file only with its changes and the problems that are left.
fn shown_report(args: &DoctorArgs, report: &Report, is_first: bool) -> String {
    let report = shown(args, report);
    let settings = SettingStyle::CommandLine;
    if args.format != ReportFormat::Text {
        return one_report(args.format, &report, is_first, settings);
    }
    if args.quiet && findings_code(args.strict, std::slice::from_ref(&report)) == exit_code::OK {
        return String::new();
    }
    let is_written = report.fix.as_ref().is_some_and(|fix| fix.written.is_some());
    if args.output.is_some() || args.in_place || is_written {
        let between = if is_first { "" } else { "\n" };
        return between.to_owned() + &doctor::outcome_text(&report, settings);
    }
    let text = one_report(args.format, &report, is_first, settings);
    wrap_labels(&text, terminal_width())
}

/// The report with the findings that are shown: with `--quiet`, only those that fail the command.
fn shown(args: &DoctorArgs, report: &Report) -> Report {
    let mut report = report.clone();
    if args.quiet {
        let least = if args.strict {
            Severity::Warning
        } else {
            Severity::Error
        };
        report
            .findings
            .retain(|finding| finding.severity() <= least);
    }
    report
}

/// Examines files, and repairs them with `fix`. `each` gets each report and the output of data.
///
/// # Errors
/// If the arguments contradict each other, the judgements cannot be read, or a repaired file cannot be written.
pub fn examine_files(
    args: &DoctorArgs,
    each: &mut dyn FnMut(&Report, &mut dyn Write) -> anyhow::Result<()>,
    out: &mut dyn Write,
) -> anyhow::Result<Vec<Report>> {
    let paths = expand(&args.files)?;
    check_targets(args, &paths)?;
    let qrels = args.qrels.as_deref().map(read_qrels).transpose()?;
    let mut reports = Vec::new();
    for path in &paths {
        let report = examine(args, path, qrels.as_ref(), out)?;
        each(&report, out)?;
        reports.push(report);
    }
    Ok(reports)
}

/// The files that the arguments name; a folder with a collection file, or with documents and topics, is a collection.
fn expand(arguments: &[PathBuf]) -> Result<Vec<PathBuf>, files::Error> {
    let mut paths = Vec::new();
    for argument in arguments {
        if argument.is_dir() && Collection::is_described_at(argument) {
            paths.push(argument.join("collection.toml"));
        } else if Collection::is_at(argument) {
            paths.push(argument.clone());
        } else {
            paths.extend(files::expand_paths(&[argument])?);
        }
    }
    Ok(paths)
}

/// All diagnostic codes.
pub fn catalogue(format: ReportFormat) -> String {
    match format {
        ReportFormat::Text => doctor::catalogue_text(),
        ReportFormat::Json => doctor::catalogue_json(),
        ReportFormat::Jsonl => doctor::catalogue_jsonl(),
        ReportFormat::Md => doctor::catalogue_markdown(),
    }
}

/// Rejects outputs that contradict the inputs. A file is replaced with `--in-place`, not with `-o` and its own name.
fn check_targets(args: &DoctorArgs, paths: &[PathBuf]) -> anyhow::Result<()> {
    if args.output.is_some() && paths.len() != 1 {
        anyhow::bail!(
            "--output needs exactly one input file, found {}; use --in-place for several",
            paths.len()
        );
    }
    if args.in_place && paths.iter().any(|path| path.as_os_str() == "-") {
        anyhow::bail!("cannot replace standard input; use --output");
    }
    let inputs = paths.iter().chain(&args.qrels).map(PathBuf::as_path);
    Ok(check_output(args.output.as_deref(), inputs)?)
}

fn read_qrels(path: &Path) -> Result<Qrels, files::Error> {
    files::read_qrels(&Source::open(path)?, None)
}

/// Examines a file, and repairs it with `--fix`.
fn examine(
    args: &DoctorArgs,
    path: &Path,
    qrels: Option<&Qrels>,
    out: &mut dyn Write,
) -> anyhow::Result<Report> {
    if Collection::is_at(path) {
        return examine_collection(args, path, out);
    }
    let source = match Source::open(path) {
        Ok(source) => source,
        Err(error) => return Ok(Report::of_error(&path.to_string_lossy(), &error)),
    };
    let options = options(args);
    let mut report = doctor::examine(&source, &options, qrels);
    if args.fix {
        report.fix = Some(repair(args, path, source, &options, &report, out)?);
    }
    Ok(report)
}

/// Examines a collection, and repairs its file with `--fix`.
fn examine_collection(
    args: &DoctorArgs,
    path: &Path,
    out: &mut dyn Write,
) -> anyhow::Result<Report> {
    let collection = match Collection::open(path) {
        Ok(collection) => collection,
        Err(error) => return Ok(Report::of_error(&path.to_string_lossy(), &error)),
    };
    let mut report = cranfield::lab::doctor::examine(&collection);
    if args.fix {
        let file = if path.is_dir() {
            path.join("collection.toml")
        } else {
            path.to_owned()
        };
        let target = args.output.as_deref().unwrap_or(&file);
        let folder = target.parent().unwrap_or(Path::new(""));
        let (text, outcome) = collection.fix(&report, folder)?;
        report.fix = Some(write_fixed(args, &file, text, outcome, out)?);
    }
    Ok(report)
}

/// Writes the repaired collection file where `-o` or `--in-place` say.
fn write_fixed(
    args: &DoctorArgs,
    path: &Path,
    text: Option<String>,
    outcome: Outcome,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let target = args.output.as_deref().or(args.in_place.then_some(path));
    let (Some(text), Some(target)) = (text, target) else {
        return Ok(outcome);
    };
    if !outcome.unfixable.is_empty() {
        return Ok(outcome);
    }
    if target.as_os_str() == "-" {
        out.write_all(text.as_bytes())?;
    } else {
        files::save_text(&text, target)?;
    }
    let written = Some(target.to_string_lossy().into());
    Ok(Outcome { written, ..outcome })
}

fn options(args: &DoctorArgs) -> Options {
    let kind = args.kind.map(|kind| match kind {
        Kind::Run => doctor::Kind::Run,
        Kind::Qrels => doctor::Kind::Qrels,
    });
    Options {
        kind,
        depth: args.depth,
        scale: args.grades.clone(),
    }
}

/// Repairs a file. Tries it first, so that no output is opened without need.
fn repair(
    args: &DoctorArgs,
    path: &Path,
    source: Source,
    options: &Options,
    report: &Report,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let wanted = FixOptions {
        tag: args.tag.clone(),
    };
    let tried = fix::fix(&source, options, &wanted, report, &mut io::sink())?;
    let target = match &args.output {
        Some(output) => Some(output.as_path()),
        None => Some(path).filter(|_| args.in_place && tried.is_changed()),
    };
    let Some(target) = target.filter(|_| tried.unfixable.is_empty()) else {
        return Ok(tried);
    };
    if target.as_os_str() == "-" {
        fix::fix(&source, options, &wanted, report, out)?;
    } else {
        let mut file = Output::create(target)?;
        fix::fix(&source, options, &wanted, report, &mut file)?;
        // Some systems do not replace a mapped file.
        drop(source);
        file.finish()?;
    }
    Ok(Outcome {
        written: Some(target.to_string_lossy().into()),
        ..tried
    })
}

/// A report, with an empty line before it unless it is the first.
pub fn one_report(
    format: ReportFormat,
    report: &Report,
    is_first: bool,
    style: SettingStyle,
) -> String {
    let between = if is_first { "" } else { "\n" };
    match format {
        ReportFormat::Text => between.to_owned() + &doctor::to_text(report, colour(), style),
        ReportFormat::Md => between.to_owned() + &doctor::to_markdown(report),
        ReportFormat::Jsonl => doctor::to_jsonl(report),
        // Written as one object at the end.
        ReportFormat::Json => String::new(),
    }
}

fn colour() -> Colour {
    if io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        Colour::Ansi
    } else {
        Colour::Plain
    }
}

/// The exit code of findings; `strict` counts warnings as errors.
pub fn findings_code(strict: bool, reports: &[Report]) -> u8 {
    let is_bad = |report: &Report| {
        let errors = match &report.fix {
            Some(outcome) => outcome.unfixable.len() as u64,
            None => report.count(Severity::Error),
        };
        let warnings = match &report.fix {
            Some(outcome) => outcome.remaining.len() as u64,
            None => report.count(Severity::Warning),
        };
        errors > 0 || (strict && warnings > 0)
    };
    if reports.iter().any(is_bad) {
        exit_code::INVALID_INPUT
    } else {
        exit_code::OK
    }
}
