//! `cranfield agree`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use cranfield::agreement::{Assessor, Intervals, Merging, PercentOf, read_assessors};
use cranfield::assessors::{Effects, EffectsError, EffectsRequest};
use cranfield::core::setting::{Message, SettingStyle};
use cranfield::io::QrelsFormat;
#[cfg(feature = "plots")]
use cranfield::report::plot::{PlotFormat, Sheet};
use cranfield::stats::random::Resampling;
use cranfield::{Inputs, MergeRule, Qrels, Request, merge_qrels};

use super::compare::DEFAULT_MEASURES;
use crate::comparing::ComparisonArgs;
use crate::exit_code;
use crate::inputs::InputArgs;
use crate::lazy::whole_number;
use crate::names::one_of;
use crate::output::agreed::{Agreed, AgreedSettings, AgreedWithEffects};
use crate::output::agreement::AgreementStyle;
use crate::output::notes::{self, plural};
use crate::output_args::{OutputArgs, without_trec};

/// With two files, prints a cross table of grades, with a column per grade of the first file and a row per grade of the
/// second. Below it are agreement, Cohen's kappa (unweighted, linear, quadratic), the overlap of relevant documents,
/// positive and negative agreement, and coefficients of Fleiss, Gwet, Brennan and Prediger, and Krippendorff: over all
/// documents (`all`), with intervals, and averaged over topics (`mean`). Only documents in both files are compared; the
/// others are counted separately.
///
/// With three or more files, prints these coefficients and Conger's; then pairs of assessors, each assessor, and the
/// topics and documents with the least agreement.
///
/// With --runs, also prints how the ranking of the runs and the conclusions on pairs of runs depend on the judgements:
/// those of each assessor, and those merged by each rule.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield agree trec.qrels crowd.qrels
  cranfield agree trec.qrels crowd.qrels --merge 1 -q
  cranfield agree binary.qrels graded.qrels --percent row -f latex
  cranfield agree trec.qrels crowd.qrels -t 301
  cranfield agree ann.qrels bob.qrels cid.qrels --consensus majority \\
    --merged all.qrels
  cranfield agree ann.qrels bob.qrels cid.qrels --runs 'runs/*.run' -m nDCG@10"
)]
pub struct AgreeArgs {
    /// Judgements, one file per assessor; - is standard input. Of two files, the first has the columns of the table
    #[arg(value_name = "QRELS", required = true, num_args = 2..)]
    pub qrels: Vec<PathBuf>,
    /// Merge grades into classes that start at these levels: 1 makes the two classes <1 and >=1
    #[arg(
        long,
        value_name = "LEVEL,...",
        allow_hyphen_values = true,
        conflicts_with_all = ["merge_first", "merge_second"]
    )]
    pub merge: Option<Merging>,
    /// Merge grades of the first of two files only; agreement and kappa are then undefined
    #[arg(long, value_name = "LEVEL,...", allow_hyphen_values = true)]
    pub merge_first: Option<Merging>,
    /// Merge grades of the second of two files only
    #[arg(long, value_name = "LEVEL,...", allow_hyphen_values = true)]
    pub merge_second: Option<Merging>,
    /// Base of percentages in the table of two files [default: column]
    #[arg(long, value_enum)]
    pub percent: Option<Percent>,
    /// Print only this topic
    #[arg(short, long, value_name = "ID", conflicts_with = "per_topic")]
    pub topic: Option<String>,
    /// Also print the figures of each topic, and in csv, tsv, json and jsonl its counts
    #[arg(short = 'q', long)]
    pub per_topic: bool,
    /// Number of documents and topics with the least agreement to print, for three or more files
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole_number::<usize>)]
    pub disputed: usize,
    /// Write merged judgements to this file
    #[arg(long, value_name = "FILE", help_heading = "Merged judgements")]
    pub merged: Option<PathBuf>,
    /// Rule that merges the grades of a document: majority (the lower grade of a tie), max, min, mean or median (the
    /// lower of two middle grades) [default: majority; all rules with --runs]
    #[arg(
        long,
        value_name = "RULE",
        value_parser = one_of(MergeRule::ALL, MergeRule::name),
        hide_possible_values = true,
        help_heading = "Merged judgements"
    )]
    pub consensus: Option<MergeRule>,
    /// Judgements that replace merged ones
    #[arg(long, value_name = "QRELS", help_heading = "Merged judgements")]
    pub adjudicated: Option<PathBuf>,
    /// Compare these runs under the judgements of each assessor: files, quoted globs or folders
    #[arg(long, value_name = "RUN", num_args = 1.., help_heading = "Effect on runs")]
    pub runs: Vec<PathBuf>,
    /// Measures, separated by commas or spaces; see `cranfield measures` [default: nDCG@10,AP]
    #[arg(
        short,
        long = "measure",
        value_name = "NAME",
        requires = "runs",
        help_heading = "Effect on runs"
    )]
    pub measures: Vec<String>,
    #[command(flatten, next_help_heading = "Statistics")]
    pub comparison: ComparisonArgs,
    /// Write a heat map of the agreement of all pairs of assessors: svg, png, pdf, html, json (Vega-Lite) or csv
    #[cfg(feature = "plots")]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub figure: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Output")]
    pub output: OutputArgs,
    #[command(flatten, next_help_heading = "Input")]
    pub inputs: InputArgs,
}

/// Base of percentages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Percent {
    /// The documents of the column
    Column,
    /// The documents of the row
    Row,
    /// All documents that both files judge
    All,
    /// No percentages
    None,
}

impl Percent {
    /// The base, if there is one.
    pub fn of(self) -> Option<PercentOf> {
        match self {
            Self::Column => Some(PercentOf::Column),
            Self::Row => Some(PercentOf::Row),
            Self::All => Some(PercentOf::All),
            Self::None => None,
        }
    }
}

pub(crate) fn run(
    args: &AgreeArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    check(args)?;
    #[cfg(feature = "plots")]
    let format = args
        .figure
        .as_deref()
        .map(super::bench::figure_format)
        .transpose()?;
    let request = request(args)?;
    check_files(args, request.as_ref())?;
    let assessors = read_assessors(&args.qrels, args.inputs.qrels_format)?;
    let adjudicated = match &args.adjudicated {
        None => None,
        Some(path) => Some(adjudicated(path, args.inputs.qrels_format)?),
    };
    let threads = args.inputs.threads.map(usize::from);
    let found = cranfield::engine::with_threads(threads, || {
        let agreed = Agreed::of(&assessors, settings(args))?;
        let effects =
            request.map(|request| effects(args, &assessors, adjudicated.as_ref(), request));
        Ok::<_, anyhow::Error>(AgreedWithEffects {
            agreed,
            effects: effects.transpose()?,
            digits: usize::from(args.output.digits),
        })
    })??;
    let mut messages = found.notes();
    if let Some(path) = &args.merged {
        let rule = args.consensus.unwrap_or_default();
        messages.push(write_merged(&assessors, rule, adjudicated.as_ref(), path)?);
    }
    #[cfg(feature = "plots")]
    if let (Some(path), Some(format)) = (&args.figure, format) {
        save_figure(&assessors, &settings(args), path, format)?;
    }
    if !args.output.quiet {
        notes::write_all(messages, err)?;
    }
    args.output.print(&found, out)?;
    Ok(exit_code::OK)
}

/// Rejects options that have no effect.
fn check(args: &AgreeArgs) -> anyhow::Result<()> {
    let of_two = [
        ("--merge-first", args.merge_first.is_some()),
        ("--merge-second", args.merge_second.is_some()),
        ("--percent", args.percent.is_some()),
    ];
    if let (Some((name, _)), true) = (
        of_two.iter().find(|(_, given)| *given),
        args.qrels.len() > 2,
    ) {
        anyhow::bail!("{name} needs exactly two files, not {}", args.qrels.len());
    }
    let merges = args.merged.is_some() || !args.runs.is_empty();
    anyhow::ensure!(
        merges || (args.consensus.is_none() && args.adjudicated.is_none()),
        "--consensus and --adjudicated need --merged FILE or --runs"
    );
    let level = args.inputs.level.unwrap_or(1.0);
    anyhow::ensure!(
        level.is_finite(),
        "--level must be a finite number, not {level}"
    );
    Ok(())
}

/// Checks that standard input is read once, and that no output is an input.
fn check_files(args: &AgreeArgs, request: Option<&Request>) -> anyhow::Result<()> {
    let own = args
        .qrels
        .iter()
        .chain(&args.adjudicated)
        .map(PathBuf::as_path);
    let runs = request
        .into_iter()
        .flat_map(|request| request.files().into_iter().skip(1));
    let inputs: Vec<&Path> = own.chain(runs).collect();
    let stdin = inputs.iter().filter(|path| path.as_os_str() == "-").count();
    anyhow::ensure!(stdin <= 1, "standard input (-) can be read only once");
    let outputs = [&args.output.output, &args.merged].into_iter().flatten();
    #[cfg(feature = "plots")]
    let outputs = outputs.chain(&args.figure);
    let outputs: Vec<&Path> = outputs.map(PathBuf::as_path).collect();
    Ok(cranfield::io::check_outputs(&outputs, &inputs)?)
}

fn settings(args: &AgreeArgs) -> AgreedSettings {
    let merging = |own: &Option<Merging>| {
        let merging = own.as_ref().or(args.merge.as_ref());
        merging.cloned().unwrap_or_default()
    };
    let tests = &args.comparison.tests;
    AgreedSettings {
        first: merging(&args.merge_first),
        second: merging(&args.merge_second),
        level: args.inputs.level.unwrap_or(1.0),
        topic: args.topic.clone(),
        disputed: args.disputed,
        style: AgreementStyle {
            percent: args.percent.unwrap_or(Percent::Column).of(),
            per_topic: args.per_topic,
            intervals: intervals(tests.alpha, tests.replicates, tests.seed),
            digits: usize::from(args.output.digits),
        },
    }
}

/// How intervals are computed, with the defaults where nothing is given.
pub fn intervals(alpha: Option<f64>, replicates: Option<usize>, seed: Option<u64>) -> Intervals {
    let default = Intervals::default();
    Intervals {
        level: alpha.map_or(default.level, |alpha| 1.0 - alpha),
        resampling: Resampling {
            replicates: replicates.unwrap_or(default.resampling.replicates),
            seed: seed.unwrap_or(default.resampling.seed),
        },
    }
}

/// The evaluation of the runs, if there are any.
fn request(args: &AgreeArgs) -> anyhow::Result<Option<Request>> {
    let Some(first) = args.qrels.first().filter(|_| !args.runs.is_empty()) else {
        return Ok(None);
    };
    let names = match &*args.measures {
        [] => DEFAULT_MEASURES.to_owned(),
        names => names.join(" "),
    };
    let inputs = &args.inputs;
    let request = Request {
        measures: inputs.measures(&names)?,
        ..inputs.request(first, &args.runs)?
    };
    inputs.check_levels(&request)?;
    Ok(Some(request))
}

fn adjudicated(path: &Path, format: Option<QrelsFormat>) -> anyhow::Result<Qrels> {
    let source = cranfield::io::Source::open(path)?;
    Ok(cranfield::io::read_qrels(&source, format)?)
}

fn effects(
    args: &AgreeArgs,
    assessors: &[Assessor],
    adjudicated: Option<&Qrels>,
    request: Request,
) -> anyhow::Result<Effects> {
    let judged = assessors.first().map(|first| first.qrels.clone());
    let request = Request { judged, ..request };
    let runs = Inputs::open(&request)?.load()?;
    effects_on_runs(&EffectsRequest {
        assessors,
        rules: &rules(args.consensus),
        adjudicated,
        runs: runs.runs(),
        request: &request,
        settings: &args.comparison.settings(),
    })
}

/// The rules to compare: the one that is given, or all.
pub fn rules(consensus: Option<MergeRule>) -> Vec<MergeRule> {
    consensus.map_or_else(|| MergeRule::ALL.to_vec(), |rule| vec![rule])
}

/// The effect of assessors on runs.
///
/// # Errors
/// If the runs cannot be compared.
pub fn effects_on_runs(request: &EffectsRequest<'_>) -> anyhow::Result<Effects> {
    Effects::of(request).map_err(|error| match error {
        EffectsError::Input(error) => error.into(),
        EffectsError::Compare { judgements, why } => {
            let why = why.render(SettingStyle::CommandLine);
            anyhow::anyhow!("judgements of {judgements}: {why}")
        }
        other => other.into(),
    })
}

/// Writes merged judgements, and returns a note on them.
///
/// # Errors
/// If the file cannot be written.
pub fn write_merged(
    assessors: &[Assessor],
    rule: MergeRule,
    adjudicated: Option<&Qrels>,
    path: &Path,
) -> anyhow::Result<Message> {
    let sets: Vec<&Qrels> = assessors.iter().map(|assessor| &*assessor.qrels).collect();
    let merged = merge_qrels(&sets, rule, adjudicated);
    let format = path.to_str().and_then(QrelsFormat::of_name);
    cranfield::io::save_qrels(&merged, format.unwrap_or(QrelsFormat::Trec), path)?;
    let judgements = plural(merged.judgements(), "judgement");
    let settled = adjudicated.map_or_else(String::new, |qrels| {
        format!(", {} adjudicated", qrels.judgements())
    });
    Ok(format!("{judgements} merged by {rule}{settled}: {}", path.display()).into())
}

/// Writes the heat map of all pairs of assessors.
///
/// # Errors
/// If the assessors cannot be compared, or the file cannot be written.
#[cfg(feature = "plots")]
pub fn save_figure(
    assessors: &[Assessor],
    settings: &AgreedSettings,
    path: &Path,
    format: PlotFormat,
) -> anyhow::Result<()> {
    let panel = settings.panel(assessors)?;
    let figure = cranfield::plots::assessors(&panel);
    Ok(cranfield::plots::save(
        &figure.render(format, &Sheet::default())?,
        path,
    )?)
}
