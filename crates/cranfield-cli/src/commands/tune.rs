//! `cranfield tune`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use cranfield::Qrels;
use cranfield::collection::QueryFields;
use cranfield::compare;
use cranfield::io::{QrelsFormat, RunFormat, Source};
use cranfield::lab::inputs;
use cranfield::lab::tune::{
    Choice, Folding, IndexCandidate, Point, QrelsJudge, Search, Settings, Space, TuneError, Tuned,
    Tuner, read_assignments,
};
use cranfield::render::{Render, ResultFormat};
use cranfield::report::plural;
use cranfield::search::{Feedback, Index, Model};
use cranfield::stats::random::Resampling;

use super::search;
use crate::exit_code;
use crate::lazy::whole_number;
use crate::names::one_of;
use crate::output::{notes, terminal_width};
use crate::output_args::{check_output, without_trec};

/// Chooses parameters by cross-validation: for each fold of the topics, the point with the best score on the other
/// topics. Prints the choices with their scores on both sides, and tests the tuned system against the default. In the
/// run, every topic is answered by the point that was chosen without it.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Spaces:
  k1=[0.6, 0.9, 1.2]           a list of numbers or names
  b=0..1 step 0.1              a range with a step
  mu=log 100..5000 points 9    a geometric range; 11 values if points is omitted
  feedback.docs=[5, 10, 20]    a parameter of the feedback method
  model=[BM25, DPH, PL2]       models

Examples:
  cranfield tune index topics.txt qrels.txt --space 'k1=[0.6, 0.9, 1.2]; b=0..1 step 0.1'
  cranfield tune index collection.toml --space 'mu=log 100..5000' --model QL -o tuned.run
  cranfield tune index topics.txt qrels.txt --space 'k1=0..4' --search 'random(50)' --choice one-se"
)]
pub struct TuneArgs {
    /// Folder of the index
    pub index: PathBuf,
    /// Topics: a file, or a collection file
    pub topics: PathBuf,
    /// Relevance judgements [default: those of the collection file]
    pub qrels: Option<PathBuf>,
    /// Parameters and their values; may be repeated
    #[arg(long, value_name = "SPACE", required = true)]
    pub space: Vec<String>,
    /// Measure to optimise
    #[arg(short, long, value_name = "NAME", default_value = "AP")]
    pub measure: String,
    /// Model; its parameters are the default point
    #[arg(long, value_name = "MODEL", default_value = "BM25")]
    pub model: Model,
    /// Expand queries by the terms of the best documents
    #[arg(long, value_name = "METHOD")]
    pub feedback: Option<Feedback>,
    /// Fields of the topic to search for, such as title+desc
    #[arg(long, value_name = "FIELDS", default_value = "title")]
    pub query: QueryFields,
    /// Documents per topic
    #[arg(short, long, value_name = "N", default_value_t = 1000, value_parser = whole_number::<usize>)]
    pub depth: usize,
    #[command(flatten)]
    pub folding: FoldArgs,
    /// Write the run
    #[arg(short, long, value_name = "RUN")]
    pub output: Option<PathBuf>,
    /// Output format of the result
    #[arg(short, long, value_enum, default_value = "table")]
    pub format: ResultFormat,
    /// Suppress notes on standard error
    #[arg(long)]
    pub quiet: bool,
}

/// Options of cross-validation.
#[derive(Debug, Args)]
pub struct FoldArgs {
    /// Number of folds
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = whole_number::<usize>)]
    pub folds: usize,
    /// File of topics and groups, one pair per line; topics of a group stay in one fold
    #[arg(long, value_name = "FILE", conflicts_with = "splits")]
    pub groups: Option<PathBuf>,
    /// File of topics and folds, one pair per line; topics of the fold train are never tested
    #[arg(long, value_name = "FILE", conflicts_with = "folds")]
    pub splits: Option<PathBuf>,
    /// Points to try: grid (all), random(N) or coordinate (one parameter after another)
    #[arg(long, value_name = "SEARCH", default_value = "grid", value_parser = parsed::<Search>)]
    pub search: Search,
    /// Choice of a point: best, or one-se (the default, or the point nearest to it, within one standard error of the best)
    #[arg(long, value_name = "RULE", default_value = "best", value_parser = parsed::<Choice>)]
    pub choice: Choice,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 42, value_parser = whole_number::<u64>)]
    pub seed: u64,
    /// Significance level of the test against the default
    #[arg(long, value_name = "A", default_value_t = 0.05)]
    pub alpha: f64,
    /// Format of the judgements [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(QrelsFormat::ALL, QrelsFormat::name))]
    pub qrels_format: Option<QrelsFormat>,
}

fn parsed<T: std::str::FromStr<Err = TuneError>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: TuneError| error.to_string())
}

pub(crate) fn run(args: &TuneArgs, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<u8> {
    let files = [
        Some(&args.topics),
        args.qrels.as_ref(),
        args.folding.groups.as_ref(),
        args.folding.splits.as_ref(),
    ];
    check_output(
        args.output.as_deref(),
        files.into_iter().flatten().map(PathBuf::as_path),
    )?;
    let space: Space = args.space.join(";").parse().map_err(error)?;
    let judge = QrelsJudge::new(qrels(args)?, &args.measure).map_err(error)?;
    let topics = inputs::topics(&args.topics)?;
    let (queries, without) = inputs::queries(&topics, &args.query);
    let ids: Vec<String> = queries.iter().map(|query| query.topic.clone()).collect();
    let index = Arc::new(Index::open(&args.index).map_err(search::error)?);
    let queries = queries.into_iter().map(|query| (query.topic, query.text));
    let candidate = IndexCandidate::new(
        index,
        args.model.clone(),
        args.feedback.clone(),
        queries,
        args.depth,
    );
    let default = candidate.default_point(space.names()).map_err(error)?;
    let judged = judge.judged(&ids);
    if !args.quiet {
        notes::write_all(notes_of(ids.len() - judged.len(), &without, &default), err)?;
    }
    let mut tuner = Tuner::new(&candidate, &judge, judged, space, default).map_err(error)?;
    let tuned = tuner.tune(&args.folding.settings()?).map_err(error)?;
    if let Some(path) = &args.output {
        save(&tuner, &tuned, &ids, path)?;
    }
    out.write_all(tuned.render(args.format, terminal_width())?.as_bytes())?;
    Ok(exit_code::OK)
}

/// Notes on the topics that are left out, and the default point.
pub fn notes_of(unjudged: usize, without: &[String], default: &Point) -> Vec<String> {
    let mut notes = vec![format!("the default point is {default}")];
    if unjudged > 0 {
        notes.push(format!(
            "{} without judgements left out",
            plural(unjudged, "topic")
        ));
    }
    if !without.is_empty() {
        notes.push(format!(
            "{} without the fields of the query left out",
            plural(without.len(), "topic")
        ));
    }
    notes
}

pub(super) fn save(
    tuner: &Tuner<'_>,
    tuned: &Tuned,
    topics: &[String],
    path: &Path,
) -> anyhow::Result<()> {
    let run = tuner.answers(tuned, topics, "tuned").map_err(error)?;
    let format = RunFormat::of_name(&path.to_string_lossy()).unwrap_or(RunFormat::Trec);
    Ok(cranfield::io::save_run(&run, format, path)?)
}

/// The judgements of the file, or those of the collection.
fn qrels(args: &TuneArgs) -> anyhow::Result<Qrels> {
    if let Some(path) = &args.qrels {
        let source = Source::open(path)?;
        return Ok(cranfield::io::read_qrels(
            &source,
            args.folding.qrels_format,
        )?);
    }
    match inputs::collection(&args.topics)? {
        Some(collection) => Ok(collection.qrels()?),
        None => anyhow::bail!(
            "expected relevance judgements after the topics, or a collection file that names them"
        ),
    }
}

impl FoldArgs {
    /// The settings of tuning.
    pub(super) fn settings(&self) -> anyhow::Result<Settings> {
        let assignments = |path: &PathBuf| anyhow::Ok(read_assignments(&Source::open(path)?)?);
        let folding = match (&self.splits, &self.groups) {
            (Some(splits), _) => Folding::Given(assignments(splits)?),
            (None, Some(groups)) => Folding::Grouped {
                folds: self.folds,
                groups: assignments(groups)?,
            },
            (None, None) => Folding::Stratified { folds: self.folds },
        };
        let comparison = compare::Settings::default();
        Ok(Settings {
            search: self.search,
            folding,
            choice: self.choice,
            seed: self.seed,
            comparison: compare::Settings {
                alpha: self.alpha,
                resampling: Resampling {
                    seed: self.seed,
                    ..comparison.resampling
                },
                ..comparison
            },
        })
    }
}

/// The errors of the library, with their own exit codes.
pub(super) fn error(error: TuneError) -> anyhow::Error {
    match error {
        TuneError::Input(error) => error.into(),
        error => error.into(),
    }
}
