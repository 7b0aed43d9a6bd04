//! `cranfield gate`.

#![allow(missing_docs, reason = "groups of options have their own help")]
#![allow(
    clippy::doc_markdown,
    reason = "doc comments of options are help, which have no backticks"
)]

mod explain;
mod outputs;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use cranfield::compare::{Progress, check_values};
use cranfield::core::measure::BoundMeasure;
use cranfield::gate::{
    Baseline, Gate, GateError, Lock, Settings, Test, Tolerance, lock, read_baseline_lock,
    read_topics,
};
use cranfield::io::{Code, Problem, save_text};
use cranfield::stats::random::Resampling;
use cranfield::{Evaluation, Request};

use super::compare::DEFAULT_MEASURES;
use crate::comparing::test_hint;
use crate::exit_code;
use crate::inputs::InputArgs;
use crate::lazy::whole_number;
use crate::output::notes;
use crate::output_args::{OutputArgs, without_trec};
use crate::progress::ProgressLine;

/// A measure fails if its mean drops by more than the tolerance and the drop is significant, corrected for the number
/// of measures. It passes if the drop is significantly smaller than the tolerance. Otherwise it is inconclusive, and
/// more topics are needed.
///
/// Exit codes: 0 pass, 1 fail, 4 inconclusive, 3 if run and baseline cannot be compared.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield gate qrels.txt new.run --baseline old.run -m nDCG@10 --tolerance 2%
  cranfield gate qrels.txt old.run -m 'nDCG@10 AP' --write-lock baseline.lock
  cranfield gate qrels.txt new.run --baseline baseline.lock --junit gate.xml
  cranfield gate qrels.txt new.run --baseline baseline.lock --update
  cranfield gate qrels.txt new.run --baseline old.run --self-test"
)]
pub struct GateArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Run to check
    pub run: PathBuf,
    /// Run or lock file to compare with
    #[arg(
        short,
        long,
        value_name = "RUN|LOCK",
        required_unless_present = "write_lock"
    )]
    pub baseline: Option<PathBuf>,
    /// Measures, separated by commas or spaces [default: those of the lock file, or nDCG@10,AP]
    #[arg(short, long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,

    /// Largest tolerated drop of a mean, in units of the measure or as a percentage of the baseline [default: 0.01]
    #[arg(
        long,
        value_name = "D|P%",
        value_parser = tolerance,
        allow_hyphen_values = true,
        help_heading = "Verdict"
    )]
    pub tolerance: Option<Tolerance>,
    /// One-sided test: t or randomisation [default: t]
    #[arg(long, value_name = "TEST", value_parser = test, help_heading = "Verdict")]
    pub test: Option<Test>,
    /// Significance level [default: 0.05]
    #[arg(long, value_name = "A", help_heading = "Verdict")]
    pub alpha: Option<f64>,
    /// Also fail if any topic drops by more than D on any measure
    #[arg(long, value_name = "D", help_heading = "Verdict")]
    pub ratchet: Option<f64>,
    /// File of topics exempt from the ratchet, one id per line; # starts a comment
    #[arg(
        long,
        value_name = "FILE",
        requires = "ratchet",
        help_heading = "Verdict"
    )]
    pub except: Option<PathBuf>,
    /// Exit code for INCONCLUSIVE: own (4), pass (0) or fail (1) [default: own]
    #[arg(
        long,
        value_enum,
        hide_possible_values = true,
        value_name = "own|pass|fail",
        help_heading = "Verdict"
    )]
    pub inconclusive: Option<InconclusiveArg>,
    /// Test the gate itself: plant drops of known size and count the verdicts
    #[arg(
        long,
        conflicts_with_all = ["write_lock", "update", "junit", "summary", "ratchet"],
        help_heading = "Verdict"
    )]
    pub self_test: bool,
    /// Seed of the random numbers [default: that of the lock file, or 42]
    #[arg(long, value_name = "N", value_parser = whole_number::<u64>, help_heading = "Verdict")]
    pub seed: Option<u64>,

    /// Save the run as a lock file, to use as a baseline later, and exit
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["baseline", "tolerance", "test", "alpha", "ratchet", "inconclusive", "output", "format"],
        help_heading = "Lock file"
    )]
    pub write_lock: Option<PathBuf>,
    /// Replace the lock file if the run passes, no mean is lower and at least one is higher
    #[arg(long, conflicts_with = "write_lock", help_heading = "Lock file")]
    pub update: bool,

    #[command(flatten, next_help_heading = "Output")]
    pub output: OutputArgs,
    /// Also write a JUnit report, with a test case per measure and one for the ratchet
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "write_lock",
        help_heading = "Output"
    )]
    pub junit: Option<PathBuf>,
    /// Also append the verdict to a Markdown file, such as $GITHUB_STEP_SUMMARY
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "write_lock",
        help_heading = "Output"
    )]
    pub summary: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Input")]
    pub inputs: InputArgs,
}

/// Exit code of INCONCLUSIVE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InconclusiveArg {
    /// A code of its own
    Own,
    /// The code of PASS
    Pass,
    /// The code of FAIL
    Fail,
}

fn tolerance(text: &str) -> Result<Tolerance, String> {
    text.parse().map_err(|error: GateError| error.to_string())
}

fn test(text: &str) -> Result<Test, String> {
    let found = Test::ALL.into_iter().find(|test| test.name() == text);
    found.ok_or_else(|| test_hint(text).unwrap_or_else(|| "expected t or randomisation".into()))
}

pub(crate) fn run(
    args: &GateArgs,
    progress: Option<Progress>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    if let Some(path) = &args.write_lock {
        return write_lock(args, path, err);
    }
    let baseline = args.baseline.as_deref().unwrap_or(Path::new(""));
    let found = if baseline.as_os_str() == "-" {
        None
    } else {
        read_baseline_lock(baseline)?
    };
    anyhow::ensure!(
        !args.update || found.is_some(),
        "--update needs a lock file, and {} is a run; create a lock with --write-lock",
        baseline.display()
    );
    let evaluation = evaluate(args, found.as_ref(), baseline)?;
    let mut settings = settings(args, found.as_ref())?;
    let name = baseline.to_string_lossy();
    let against = match &found {
        Some(lock) => Baseline::Lock(&name, lock),
        None => Baseline::Run,
    };
    let mut gate = watched(args, progress.clone(), |progress| {
        settings.progress = progress;
        Gate::of(&evaluation, against, &settings)
    })?;
    if !args.output.quiet {
        notes::write(&evaluation, err)?;
        notes::write_all(gate.notes(), err)?;
    }
    if args.self_test {
        return self_test(&mut gate, args, progress, out);
    }
    let code = outputs::write(args, &evaluation, &gate, found.as_ref(), out, err)?;
    if !args.output.quiet
        && let Some(command) = explain::command(args, &gate, found.is_some())
    {
        writeln!(err, "note: to see why, run\n  {command}")?;
    }
    Ok(code)
}

/// Runs long work on the requested number of threads and reports progress.
fn watched<T: Send>(
    args: &GateArgs,
    progress: Option<Progress>,
    work: impl FnOnce(Progress) -> Result<T, GateError> + Send,
) -> anyhow::Result<T> {
    let threads = args.inputs.threads.map(usize::from);
    let line = ProgressLine::new(progress, args.output.quiet);
    cranfield::engine::with_threads(threads, || work(line.progress.clone()))?.map_err(unwrapped)
}

/// Unwraps invalid inputs, which have their own exit code.
fn unwrapped(error: GateError) -> anyhow::Error {
    match error {
        GateError::Input(error) => error.into(),
        other => other.into(),
    }
}

fn evaluate(args: &GateArgs, lock: Option<&Lock>, baseline: &Path) -> anyhow::Result<Evaluation> {
    let mut runs = vec![args.run.clone()];
    if lock.is_none() && args.write_lock.is_none() {
        runs.push(baseline.into());
    }
    let names = match (args.measures.as_slice(), lock) {
        ([], Some(lock)) => lock.measures.join(" "),
        ([], None) => DEFAULT_MEASURES.to_owned(),
        (names, _) => names.join(" "),
    };
    let request = Request {
        measures: args.inputs.measures(&names)?,
        ..args.inputs.request(&args.qrels, &runs)?
    };
    outputs::check(args, &request)?;
    if let Some(lock) = lock {
        check_level(args, (baseline, lock), &request.measures)?;
    }
    anyhow::ensure!(
        request.runs.len() == runs.len(),
        "expected one run and one baseline, found {} files",
        request.runs.len()
    );
    check_values(&request.policies)?;
    args.inputs.check_levels(&request)?;
    Ok(Evaluation::of_files(request)?)
}

/// Rejects a level that changes the measures of the lock, if they are not named on the command line.
fn check_level(
    args: &GateArgs,
    (path, lock): (&Path, &Lock),
    measures: &[BoundMeasure],
) -> Result<(), cranfield::io::Error> {
    let names: Vec<String> = measures.iter().map(ToString::to_string).collect();
    let is_other = args.measures.is_empty() && names != lock.measures;
    let Some(level) = args.inputs.level.filter(|_| is_other) else {
        return Ok(());
    };
    let message = format!(
        "the lock has the measures {}, but with --level {level} they are {}",
        lock.measures.join(" "),
        names.join(" ")
    );
    let problem = Problem::file(Code::OtherThanLocked, &path.to_string_lossy(), message);
    Err(problem
        .with_help("remove --level, or write a new lock with --write-lock")
        .into())
}

fn settings(args: &GateArgs, lock: Option<&Lock>) -> anyhow::Result<Settings> {
    let default = Settings::default();
    Ok(Settings {
        tolerance: args.tolerance.unwrap_or(default.tolerance),
        test: args.test.unwrap_or(default.test),
        alpha: args.alpha.unwrap_or(default.alpha),
        resampling: Resampling {
            seed: seed(args, lock),
            ..default.resampling
        },
        ratchet: args.ratchet,
        excused: match &args.except {
            Some(path) => read_topics(path)?,
            None => Vec::new(),
        },
        progress: default.progress,
    })
}

fn seed(args: &GateArgs, lock: Option<&Lock>) -> u64 {
    let default = lock.map_or(Resampling::default().seed, |lock| lock.seed);
    args.seed.unwrap_or(default)
}

fn write_lock(args: &GateArgs, path: &Path, err: &mut dyn Write) -> anyhow::Result<u8> {
    let evaluation = evaluate(args, None, Path::new(""))?;
    let made = lock(&evaluation, seed(args, None)).map_err(unwrapped)?;
    save_text(&made.render(), path)?;
    if !args.output.quiet {
        notes::write(&evaluation, err)?;
        let wrote = format_args!("wrote {}: {}", path.display(), made.summary());
        notes::line(err, wrote)?;
    }
    Ok(exit_code::OK)
}

fn self_test(
    gate: &mut Gate,
    args: &GateArgs,
    progress: Option<Progress>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let tested = watched(args, progress, |progress| {
        gate.settings.progress = progress;
        gate.self_test()
    })?;
    args.output.print(&tested, out)?;
    Ok(if tested.holds() {
        exit_code::OK
    } else {
        exit_code::FAILED
    })
}
