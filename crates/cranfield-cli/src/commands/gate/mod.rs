//! `cranfield gate`.

#![allow(
    clippy::doc_markdown,
    reason = "the comments of options are shown on a terminal, where backticks disturb"
)]

mod outputs;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use cranfield::compare::{Step, StepWatcher};
use cranfield::core::measure::BoundMeasure;
use cranfield::gate::{
    Baseline, DropNull, Gate, GateError, Settings, Test, Tolerance, lock, read_baseline_lock,
};
use cranfield::io::{Code, Lock, Problem, Source, save_text};
use cranfield::report::{one_line, rounded};
use cranfield::stats::corrections::Correction;
use cranfield::stats::random::Resampling;
use cranfield::{Evaluation, Request};

use crate::args::ResultFormat;
use crate::comparing::correction;
use crate::exit_code;
use crate::inputs::InputArgs;
use crate::lazy::whole_number;
use crate::output::notes;
use crate::output_args::{OutputArgs, without_trec};
use crate::progress::Progress;
use crate::uses;

/// A measure fails if it drops by more than the tolerance and a test, corrected for the number of measures, shows a drop. It
/// passes if the drop is shown to be within the tolerance. Otherwise the topics do not show either. Exit codes: 0 pass, 1 fail,
/// 4 inconclusive, 3 if the two cannot be compared.
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
    /// Run that is to pass
    pub run: PathBuf,
    /// What it is held against: a run, or a lock file
    #[arg(
        short,
        long,
        value_name = "RUN|LOCK",
        required_unless_present = "write_lock"
    )]
    pub baseline: Option<PathBuf>,
    /// Measures, separated by blanks. Without it: those of the lock file, or nDCG@10 AP
    #[arg(short, long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// Drop that does not matter, in units of the measure or as a share of the baseline's mean [default: 0.01]
    #[arg(long, value_name = "D|P%", value_parser = tolerance, allow_hyphen_values = true)]
    pub tolerance: Option<Tolerance>,
    /// What a drop is tested against: none at all (zero), or the tolerated one [default: zero]
    #[arg(long, value_enum)]
    pub against: Option<AgainstArg>,
    /// Test, one-sided [default: t]
    #[arg(long, value_enum)]
    pub test: Option<TestArg>,
    /// Correction of the p-values of drops for the number of measures: none, bonferroni, sidak, holm, holm-sidak, hochberg,
    /// hommel, bh, by [default: holm]
    #[arg(long, value_name = "METHOD", value_parser = correction)]
    pub correction: Option<Correction>,
    /// Significance level of failing and of passing [default: 0.05]
    #[arg(long, value_name = "A")]
    pub alpha: Option<f64>,
    /// Power for which drops that can be seen are told [default: 0.8]
    #[arg(long, value_name = "P")]
    pub power: Option<f64>,
    /// Tell how many topics it takes to see this drop [default: twice the tolerance]
    #[arg(long, value_name = "D")]
    pub see: Option<f64>,
    /// No topic may fall by more than this, by any measure
    #[arg(long, value_name = "D")]
    pub ratchet: Option<f64>,
    /// Topics that may: a file with an id on each line; # starts a comment
    #[arg(long, value_name = "FILE", requires = "ratchet")]
    pub except: Option<PathBuf>,
    /// A topic that may; can be given again
    #[arg(long, value_name = "ID", requires = "ratchet")]
    pub except_topic: Vec<String>,
    /// What INCONCLUSIVE counts as: own (exit code 4), pass (0) or fail (1) [default: own]
    #[arg(long, value_enum, hide_possible_values = true)]
    pub inconclusive: Option<InconclusiveArg>,
    /// Write the run's values to a lock file, and do nothing else
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "ratchet", "see"])]
    pub write_lock: Option<PathBuf>,
    /// Replace the lock file by the run if it passes, no mean is worse and one is better
    #[arg(long, conflicts_with = "write_lock")]
    pub update: bool,
    /// Also write a JUnit report: a test case for each measure, and one for the ratchet
    #[arg(long, value_name = "FILE", conflicts_with = "write_lock")]
    pub junit: Option<PathBuf>,
    /// Also append the verdict to a Markdown file, such as $GITHUB_STEP_SUMMARY
    #[arg(long, value_name = "FILE", conflicts_with = "write_lock")]
    pub summary: Option<PathBuf>,
    /// Worst topics shown for each measure that did not pass [default: 5]
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>)]
    pub worst: Option<usize>,
    /// Test the gate instead of the run: plant drops of 0, 1 and 2 times the least that it claims to see, and count verdicts
    #[arg(long, conflicts_with_all = ["write_lock", "update", "junit", "summary", "ratchet", "see"])]
    pub self_test: bool,
    /// Random signs of --test randomisation [default: 100000]
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>)]
    pub replicates: Option<usize>,
    /// Seed of random numbers [default: that of the lock file, or 42]
    #[arg(long, value_name = "N", value_parser = whole_number::<u64>)]
    pub seed: Option<u64>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub output: OutputArgs,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub inputs: InputArgs,
}

/// What a drop is tested against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AgainstArg {
    /// No drop
    Zero,
    /// The tolerated drop
    Tolerance,
}

/// The tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TestArg {
    /// Student's paired t test
    T,
    /// Fisher's randomisation test
    Randomisation,
}

/// What INCONCLUSIVE counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InconclusiveArg {
    /// An outcome of its own
    Own,
    /// As good as passing
    Pass,
    /// As bad as failing
    Fail,
}

fn tolerance(text: &str) -> Result<Tolerance, String> {
    text.parse().map_err(|error: GateError| error.to_string())
}

/// The measures where neither the user nor a lock file names any.
const DEFAULT_MEASURES: &str = "nDCG@10 AP";

/// Worst topics of each measure where nothing else is asked for.
const WORST: usize = 5;

/// Largest file of excused topics.
const MAX_EXCUSES: usize = 1 << 24;

pub(crate) fn run(
    args: &GateArgs,
    watcher: Option<StepWatcher<'_>>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    anyhow::ensure!(
        args.output.format != ResultFormat::Trec,
        "trec_eval prints no verdicts; choose another format"
    );
    check_uses(args)?;
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
        "--update replaces a lock file, and {} is a run; write a lock with --write-lock first",
        baseline.display()
    );
    let evaluation = evaluate(args, found.as_ref(), baseline)?;
    let settings = settings(args, found.as_ref())?;
    let name = baseline.to_string_lossy();
    let held = match &found {
        Some(lock) => Baseline::Lock(&name, lock),
        None => Baseline::Run,
    };
    let gate = watched(args, watcher, |watch| {
        Gate::of_watched(&evaluation, held, &settings, watch)
    })?;
    if !args.output.quiet {
        notes::write(&evaluation, err)?;
        write_notes(&gate, err)?;
    }
    if args.self_test {
        return self_test(&gate, args, watcher, out);
    }
    outputs::write(args, &evaluation, &gate, found.as_ref(), out, err)
}

/// Refuses options that would be ignored.
fn check_uses(args: &GateArgs) -> anyhow::Result<()> {
    let of_verdicts = [
        ("--inconclusive", args.inconclusive.is_some()),
        ("--worst", args.worst.is_some()),
    ];
    let of_tests = [
        ("--tolerance", args.tolerance.is_some()),
        ("--against", args.against.is_some()),
        ("--test", args.test.is_some()),
        ("--correction", args.correction.is_some()),
        ("--alpha", args.alpha.is_some()),
        ("--power", args.power.is_some()),
        ("--output", args.output.output.is_some()),
    ];
    if args.self_test {
        let why = "there is no verdict on the run, and no topic is shown";
        uses::refuse("--self-test", of_verdicts, why)?;
    }
    if args.write_lock.is_some() {
        let why = "a lock file has the values of a run, and how others are held against them is said with --baseline";
        uses::refuse("--write-lock", of_tests.into_iter().chain(of_verdicts), why)?;
    }
    check_random(args)
}

/// The t test draws nothing; a self-test does, and a lock file keeps a seed for later.
fn check_random(args: &GateArgs) -> anyhow::Result<()> {
    if args.test == Some(TestArg::Randomisation) {
        return Ok(());
    }
    let why = "it is for --test randomisation; choose that test, or let the t test do without";
    let replicates = [("--replicates", args.replicates.is_some())];
    uses::refuse("--test t", replicates, why)?;
    let has_seed = args.self_test || args.update || args.write_lock.is_some();
    let seed = [("--seed", args.seed.is_some() && !has_seed)];
    uses::refuse("--test t", seed, why)
}

/// Does long work on as many threads as are asked for, with a line that says how far it has come.
fn watched<T: Send>(
    args: &GateArgs,
    watcher: Option<StepWatcher<'_>>,
    work: impl FnOnce(StepWatcher<'_>) -> Result<T, GateError> + Send,
) -> anyhow::Result<T> {
    let threads = args.inputs.threads.map(usize::from);
    let progress = Progress::new(watcher, args.output.quiet);
    let watch = |step: Step<'_>| progress.tell(step);
    cranfield::engine::with_threads(threads, || work(&watch))?.map_err(unwrapped)
}

/// An invalid input keeps its own exit code.
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
        "one run is held against one other; {} files were found",
        request.runs.len()
    );
    anyhow::ensure!(
        !request.policies.are_bounds(),
        "bounds are intervals, which cannot be compared; choose a rule that gives one value"
    );
    args.inputs.check_levels(&request)?;
    Ok(Evaluation::of_files(request)?)
}

/// Refuses a level that makes other measures of those of the lock, which the user did not ask for by name.
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
        "the lock has the measures {}, and with --level {level} they are {}",
        lock.measures.join(" "),
        names.join(" ")
    );
    let problem = Problem::file(Code::OtherThanLocked, &path.to_string_lossy(), message);
    Err(problem
        .with_help(
            "leave --level out to have those of the lock, or write the lock anew with --write-lock",
        )
        .into())
}

fn settings(args: &GateArgs, lock: Option<&Lock>) -> anyhow::Result<Settings> {
    let mut excused = args.except_topic.clone();
    if let Some(path) = &args.except {
        excused.extend(read_excuses(path)?);
    }
    let usual = Settings::default();
    Ok(Settings {
        tolerance: args.tolerance.unwrap_or(usual.tolerance),
        null: args.against.map_or(usual.null, |against| match against {
            AgainstArg::Zero => DropNull::Zero,
            AgainstArg::Tolerance => DropNull::Tolerance,
        }),
        test: args.test.map_or(usual.test, |test| match test {
            TestArg::T => Test::T,
            TestArg::Randomisation => Test::Randomisation,
        }),
        correction: args.correction.unwrap_or(usual.correction),
        alpha: args.alpha.unwrap_or(usual.alpha),
        power: args.power.unwrap_or(usual.power),
        see: args.see,
        resampling: Resampling {
            replicates: args.replicates.unwrap_or(usual.resampling.replicates),
            seed: seed(args, lock),
        },
        ratchet: args.ratchet,
        excused,
    })
}

fn seed(args: &GateArgs, lock: Option<&Lock>) -> u64 {
    let usual = lock.map_or(Resampling::default().seed, |lock| lock.seed);
    args.seed.unwrap_or(usual)
}

/// Topics, one on each line.
fn read_excuses(path: &Path) -> anyhow::Result<Vec<String>> {
    let source = Source::open(path)?;
    anyhow::ensure!(
        source.bytes().len() <= MAX_EXCUSES,
        "{}: a file of topics has at most {MAX_EXCUSES} bytes",
        path.display()
    );
    let text = String::from_utf8_lossy(source.bytes());
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim());
    Ok(lines
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect())
}

fn write_lock(args: &GateArgs, path: &Path, err: &mut dyn Write) -> anyhow::Result<u8> {
    let evaluation = evaluate(args, None, Path::new(""))?;
    let made = lock(&evaluation, seed(args, None)).map_err(unwrapped)?;
    save_text(&made.render(), path)?;
    if !args.output.quiet {
        notes::write(&evaluation, err)?;
        let wrote = format_args!("wrote {}: {}", path.display(), means(&made));
        notes::line(err, wrote)?;
    }
    Ok(exit_code::OK)
}

/// What a lock holds, in a line.
fn means(lock: &Lock) -> String {
    let means = lock.measures.iter().zip(&lock.means);
    let means: Vec<String> = means
        .map(|(name, mean)| format!("{name} {}", rounded(*mean, 4)))
        .collect();
    format!(
        "{} on {}, {}",
        one_line(&lock.run),
        notes::plural(lock.topics.len(), "topic"),
        means.join(", ")
    )
}

fn write_notes(gate: &Gate, err: &mut dyn Write) -> std::io::Result<()> {
    for measure in &gate.measures {
        let name = &measure.measure;
        if measure.left_out > 0 {
            let topics = notes::plural(measure.left_out, "topic");
            let note = format_args!("{name}: {topics} left out, where a run has no value");
            notes::line(err, note)?;
        }
        if measure.zeros > 0 {
            let values = notes::plural(measure.zeros, "undefined value");
            notes::line(err, format_args!("{name}: {values} counted as 0"))?;
        }
    }
    if let Some(ratchet) = &gate.ratchet
        && !ratchet.unneeded.is_empty()
    {
        let topics = ratchet.unneeded.join(", ");
        let note = format_args!("excused from the ratchet without need: {topics}");
        notes::line(err, note)?;
    }
    Ok(())
}

fn self_test(
    gate: &Gate,
    args: &GateArgs,
    watcher: Option<StepWatcher<'_>>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let tested = watched(args, watcher, |watch| gate.self_test_watched(watch))?;
    args.output.write(&outputs::of_test(&tested, args)?, out)?;
    Ok(if tested.holds() {
        exit_code::OK
    } else {
        exit_code::FAILED
    })
}
