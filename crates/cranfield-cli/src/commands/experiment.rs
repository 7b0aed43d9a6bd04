//! `cranfield experiment`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use cranfield::compare::Progress;
use cranfield::core::setting::SettingStyle;
use cranfield::lab::Error;
use cranfield::lab::experiment::{Experiment, Outcome, Status};
use cranfield::render::Render;

use crate::args::ResultFormat;
use crate::exit_code;
use crate::output::notes;
use crate::output::terminal_width;
use crate::output_args::without_trec;
use crate::progress::ProgressLine;

/// Runs all steps of an experiment file: indexes, runs, comparison, cost and report. Steps whose inputs have not changed are
/// skipped, and an interrupted experiment continues where it stopped. The guide on experiments lists the keys of the file.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield experiment
  cranfield experiment scifact
  cranfield experiment experiment.toml --dry-run
  cranfield experiment experiment.toml --only run.bm25
  cranfield experiment experiment.toml --check"
)]
pub struct ExperimentArgs {
    /// The experiment file, or a collection: for one without an experiment file, a file with the usual runs is written to the
    /// folder NAME-experiment
    #[arg(value_name = "FILE", default_value = "experiment.toml")]
    pub file: PathBuf,
    /// Show the steps and what is to be done, without doing it
    #[arg(long, conflicts_with_all = ["only", "check"])]
    pub dry_run: bool,
    /// Run one step, such as run.bm25, and those that it needs
    #[arg(long, value_name = "STEP", conflicts_with = "check")]
    pub only: Option<String>,
    /// Run everything again in a temporary folder, and compare the files byte by byte; exit with 1 if any differs
    #[arg(long)]
    pub check: bool,
    /// Output format
    #[arg(short, long, value_enum, default_value = "table")]
    pub format: ResultFormat,
    /// Suppress notes and progress on standard error
    #[arg(long)]
    pub quiet: bool,
}

pub(crate) fn run(
    args: &ExperimentArgs,
    progress: Option<Progress>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let mut experiment = Experiment::open_or_create(&args.file, Path::new("")).map_err(error)?;
    if !args.quiet {
        let notes = experiment.assumed().map_err(error)?;
        notes::write_all(
            notes
                .iter()
                .map(|note| note.line(SettingStyle::CommandLine)),
            err,
        )?;
        if experiment.path() != args.file {
            notes::line(err, format!("experiment: {}", experiment.path().display()))?;
        }
    }
    let line = ProgressLine::new(progress, args.quiet);
    experiment.progress = line.progress.clone();
    if args.check {
        return check(&experiment, out);
    }
    let outcome = if args.dry_run {
        experiment.plan()
    } else {
        experiment.run(args.only.as_deref())
    };
    let outcome = outcome.map_err(error)?;
    drop(line);
    if !args.quiet {
        notes::write_all(outcome.notes.clone(), err)?;
        let is_made = outcome.steps.iter().any(|step| {
            step.name == "evaluate" && matches!(step.status, Status::Done | Status::Unchanged)
        });
        if let (true, Some(report)) = (is_made && !args.dry_run, experiment.report()) {
            notes::line(err, format!("report: {}", report.display()))?;
        }
    }
    print(&outcome, args.format, out)
}

fn print(outcome: &Outcome, format: ResultFormat, out: &mut dyn Write) -> anyhow::Result<u8> {
    out.write_all(outcome.render(format, terminal_width())?.as_bytes())?;
    Ok(if outcome.has_failed() {
        exit_code::INVALID_INPUT
    } else {
        exit_code::OK
    })
}

fn check(experiment: &Experiment, out: &mut dyn Write) -> anyhow::Result<u8> {
    let differences = experiment.check().map_err(error)?;
    for difference in &differences {
        writeln!(out, "{} {}", difference.path, difference.what)?;
    }
    if differences.is_empty() {
        writeln!(out, "All files are the same.")?;
        return Ok(exit_code::OK);
    }
    Ok(exit_code::FAILED)
}

/// The errors of the laboratory, with their own exit codes.
pub(super) fn error(error: Error) -> anyhow::Error {
    match error {
        Error::Input(error) => error.into(),
        Error::Name(error) => error.into(),
        Error::Compare(error) => error.into(),
        Error::Report(error) => error.into(),
        other => other.into(),
    }
}
