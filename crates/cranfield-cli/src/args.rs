//! The commands and their options. The comments are the help.

#![allow(missing_docs, reason = "groups of options have their own help")]
#![allow(
    clippy::doc_markdown,
    reason = "these comments are shown on a terminal, without Markdown"
)]

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use cranfield::compare::Progress;
use cranfield::core::policy::{
    IdenticalIds, NegativeGrades, TieBreak, TopicPolicy, Undefined, Unjudged,
};

pub use cranfield::render::ResultFormat;

pub use crate::commands::agree::{AgreeArgs, Percent};
pub use crate::commands::bench::BenchArgs;
pub use crate::commands::compare::CompareArgs;
pub use crate::commands::completions::CompletionsArgs;
pub use crate::commands::demo::DemoArgs;
pub use crate::commands::discriminate::DiscriminateArgs;
pub use crate::commands::doctor::{DoctorArgs, ReportFormat};
pub use crate::commands::experiment::ExperimentArgs;
pub use crate::commands::fuse::FuseArgs;
pub use crate::commands::gate::{GateArgs, InconclusiveArg};
pub use crate::commands::index::IndexArgs;
pub use crate::commands::judge::{FakeGraderArgs, JudgeArgs};
#[cfg(feature = "plots")]
pub use crate::commands::plot::{PlotArgs, Size};
pub use crate::commands::pool::PoolArgs;
pub use crate::commands::power::PowerArgs;
#[cfg(feature = "plots")]
pub use crate::commands::report::{PageFormat, ReportArgs};
pub use crate::commands::rosetta::RosettaArgs;
pub use crate::commands::search::SearchArgs;
pub use crate::commands::similarity::SimilarityArgs;
pub use crate::commands::tune::TuneArgs;
pub use crate::commands::tune_fuse::TuneFuseArgs;
pub use crate::commands::whence::WhenceArgs;
#[cfg(feature = "server")]
pub use crate::commands::{
    admin::AdminArgs, serve::ServeArgs, submit::SubmitArgs, verify::VerifyArgs,
};
pub use crate::comparing::{ComparisonArgs, FamilyArg, TestArgs};
pub use crate::inputs::InputArgs;
pub use crate::lazy::Lazy;
use crate::lazy::whole_number;
use crate::names::one_of;
pub use crate::output_args::OutputArgs;
use crate::output_args::without_trec;
use crate::titles::TitleArgs;

/// Make and evaluate rankings of documents
///
/// Results go to standard output, notes to standard error. An input is a file, a folder, a quoted glob, or - for
/// standard input. Files may be compressed with gzip, zstd, bzip2, xz or lz4.
#[derive(Debug, Parser)]
#[command(name = "cranfield", version, max_term_width = 80)]
#[command(
    after_help = "Exit codes:\n  0 success\n  1 gate failed, or scores of an archive differ\n  2 usage error\n  3 invalid input\n  4 gate inconclusive, or bench noisy\n  5 internal error"
)]
pub struct Args {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
    /// Receives the progress of long commands, instead of a bar on the terminal.
    #[arg(skip)]
    pub progress: Option<Progress>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Evaluate runs against relevance judgements
    #[command(alias = "evaluate")]
    Eval(Lazy<EvalArgs>),
    /// Test which differences between runs are significant
    Compare(Lazy<CompareArgs>),
    /// Check a run for regressions: PASS, FAIL or INCONCLUSIVE
    Gate(Lazy<Box<GateArgs>>),
    /// Estimate how many topics an experiment needs
    Power(Lazy<PowerArgs>),
    /// Estimate the discriminative power of measures
    Discriminate(Lazy<DiscriminateArgs>),
    /// Show how documents or topics contribute to a value
    Explain(Lazy<ExplainArgs>),
    /// List all measures, or describe one
    #[command(aliases = ["measure", "metrics"])]
    Measures(Lazy<MeasuresArgs>),
    /// Plot curves, distributions, differences, ranks or tests
    #[cfg(feature = "plots")]
    Plot(Lazy<Box<PlotArgs>>),
    /// Write a one-page report: leaderboard, plots, topics and tests
    #[cfg(feature = "plots")]
    Report(Lazy<Box<ReportArgs>>),
    /// Measure how similar runs are, without judgements
    Similarity(Lazy<SimilarityArgs>),
    /// Measure the agreement of assessors, and its effect on runs
    #[command(alias = "agreement")]
    Agree(Lazy<Box<AgreeArgs>>),
    /// Judge the documents of a pool, in the terminal or by a program
    Judge(Lazy<Box<JudgeArgs>>),
    /// Answer the questions of `judge --with` without a model
    #[command(hide = true)]
    FakeGrader(Lazy<FakeGraderArgs>),
    /// Convert a run or judgements to another format
    Convert(Lazy<ConvertArgs>),
    /// Find and repair problems in runs, judgements and collections
    #[command(aliases = ["check", "validate"])]
    Doctor(Lazy<DoctorArgs>),
    /// Index the documents of a collection
    Index(Lazy<IndexArgs>),
    /// Search an index for the topics of a collection
    Search(Lazy<SearchArgs>),
    /// Fuse runs into one
    Fuse(Lazy<Box<FuseArgs>>),
    /// Measure the speed of engines next to the quality of their answers
    #[command(alias = "benchmark")]
    Bench(Lazy<Box<BenchArgs>>),
    /// Tune parameters by cross-validation
    Tune(Lazy<Box<TuneArgs>>),
    /// Choose documents to judge, and examine pools
    Pool(PoolArgs),
    /// Tune weights and parameters of a fusion by cross-validation
    TuneFuse(Lazy<Box<TuneFuseArgs>>),
    /// Run a whole experiment from one file
    Experiment(Lazy<ExperimentArgs>),
    /// Run the experiment of the bundled collection
    Demo(Lazy<DemoArgs>),
    /// Run campaigns: a leaderboard for a class or a shared task
    #[cfg(feature = "server")]
    Serve(Lazy<ServeArgs>),
    /// Send a run to a campaign
    #[cfg(feature = "server")]
    Submit(Lazy<SubmitArgs>),
    /// Manage a data folder of `serve`: accounts, backups, checks
    #[cfg(feature = "server")]
    Admin(Lazy<AdminArgs>),
    /// Check the archive of a campaign, and score its runs again
    #[cfg(feature = "server")]
    Verify(Lazy<VerifyArgs>),
    /// Compute a measure as other tools do, and explain the differences
    Rosetta(Lazy<RosettaArgs>),
    /// Find the settings that reproduce a published number
    Whence(Lazy<WhenceArgs>),
    /// Print a shell completion script
    #[command(alias = "completion")]
    Completions(Lazy<CompletionsArgs>),
    /// Run the drop-in trec_eval (also installed as `trec_eval`)
    #[command(name = "trec_eval", disable_help_flag = true)]
    TrecEval(TrecEvalArgs),
}

/// Arguments of `trec_eval`, which parses them itself.
#[derive(Debug, ClapArgs)]
pub struct TrecEvalArgs {
    /// Options and files; see `cranfield trec_eval -h`
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENT"
    )]
    pub arguments: Vec<std::ffi::OsString>,
}

/// Prints one line per run, or one per topic with -q. Notes on standard error report what the values depend on, such as
/// missing topics, ties and unjudged documents.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  cranfield eval qrels.txt bm25.run dense.run.gz -m 'nDCG@10,AP(rel=2),R@1000'
  cranfield eval qrels.txt 'runs/*.run' -m official --profile trec_eval -q
  cranfield eval qrels.txt 'runs/*.run' -m nDCG@10,AP -f csv --wide
  zcat run.gz | cranfield eval qrels.txt - -m ndcg_cut_10
  cranfield eval qrels.txt bm25.run --vector Gain@10,CG@10,nDCG@10 --topic 301
  cranfield eval qrels.txt 'runs/*.run' --scenario impatient --scenario patient")]
pub struct EvalArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Runs: files, quoted globs, folders, or - for standard input
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Measures, separated by commas or spaces; see `cranfield measures` [default: nDCG@10,AP,P@10,RR,R@1000]
    #[arg(short, long = "measure", value_name = "NAME", aliases = MEASURE_ALIASES)]
    pub measures: Vec<String>,
    /// Print a measure at every rank or recall level, such as nDCG@30 (ranks 1 to 30), Gain@30 (the gain at each rank),
    /// IPrec (recall 0 to 1) or PR@100 (the precision-recall curve)
    #[arg(long = "vector", value_name = "NAME", conflicts_with = "measures")]
    pub vectors: Vec<String>,
    /// Show every rank of a vector in tables, not just a selection
    #[arg(long, requires = "vectors", conflicts_with = "sideways")]
    pub all_ranks: bool,
    /// Print how many documents of each run must be read to match the other runs, and the ideal, at these ranks
    #[arg(
        long,
        value_name = "RANK,...",
        value_delimiter = ',',
        requires = "vectors",
        conflicts_with_all = ["scenarios", "per_topic", "topic"],
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub sideways: Vec<u32>,
    /// Evaluate a scenario: impatient, patient, or those in a TOML file; -m replaces its measures
    #[arg(long = "scenario", value_name = "NAME", conflicts_with = "vectors")]
    pub scenarios: Vec<String>,
    /// Also print each topic
    #[arg(short = 'q', long)]
    pub per_topic: bool,
    /// Print only this topic, without the mean; may be repeated
    #[arg(short, long, value_name = "ID")]
    pub topic: Vec<String>,
    /// Write one record per run (or topic, with -q) instead of one per value, in csv, tsv and jsonl
    #[arg(long, conflicts_with_all = ["vectors", "scenarios"])]
    pub wide: bool,
    /// Order of runs
    #[arg(long, value_enum, default_value_t = Sort::Score)]
    pub sort: Sort,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub inputs: InputArgs,
}

/// With --topic, shows the computation rank by rank. Without it, shows the share of each topic in the mean. With two
/// runs, explains the difference, second run minus first. Shares add up to the value.
#[derive(Debug, ClapArgs)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield explain qrels.txt bm25.run -m AP -t 301
  cranfield explain qrels.txt bm25.run -m nDCG@10
  cranfield explain qrels.txt bm25.run dense.run -m AP -t 301 -f html -o ap.html"
)]
pub struct ExplainArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Run, or - for standard input
    pub run: PathBuf,
    /// Second run, to explain RUN2 minus RUN
    #[arg(value_name = "RUN2")]
    pub other: Option<PathBuf>,
    /// Measures, separated by commas or spaces; see `cranfield measures`
    #[arg(short, long = "measure", value_name = "NAME", required = true, aliases = MEASURE_ALIASES)]
    pub measures: Vec<String>,
    /// Explain this topic or session, document by document [default: the mean, topic by topic]
    #[arg(short, long, value_name = "ID")]
    pub topic: Option<String>,
    /// Rows to show even if their share is zero: the first N documents, or N topics at each end
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole_number::<usize>)]
    pub depth_shown: usize,
    #[command(flatten)]
    pub titles: TitleArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub inputs: InputArgs,
}

/// Other names of the option for measures.
const MEASURE_ALIASES: [&str; 3] = ["measures", "metric", "metrics"];

/// Policies, each of which overrides the profile.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Policies (each overrides the profile)")]
pub struct PolicyArgs {
    /// Order of documents with equal scores: docid-desc, docid-desc-f32 (trec_eval 9), docid-asc, input-order,
    /// rank-column (ignores scores), file-order (ignores scores and ranks), expected (mean over all orders), best,
    /// worst, bounds (interval)
    #[arg(long, value_name = "RULE", value_parser = one_of(TieBreak::ALL, TieBreak::name), hide_possible_values = true)]
    pub ties: Option<TieBreak>,
    /// Topics to average over: judged (those missing from the run count as empty rankings), both (judged and in the
    /// run), run, relevant (both, with a grade above zero)
    #[arg(long, value_name = "RULE", value_parser = one_of(TopicPolicy::ALL, TopicPolicy::name), hide_possible_values = true)]
    pub topics: Option<TopicPolicy>,
    /// Treatment of unjudged documents: nonrelevant, condensed (removed), relevant, bounds (interval)
    #[arg(long, value_name = "RULE", value_parser = one_of(Unjudged::ALL, Unjudged::name), hide_possible_values = true)]
    pub unjudged: Option<Unjudged>,
    /// Meaning of grades below zero: judged (not relevant) or pooled (not judged, as in trec_eval)
    #[arg(long, value_name = "RULE", value_parser = one_of(NegativeGrades::ALL, NegativeGrades::name), hide_possible_values = true)]
    pub negative: Option<NegativeGrades>,
    /// Undefined values in averages: zero (count as 0) or skip
    #[arg(long, value_name = "RULE", value_parser = one_of(Undefined::ALL, Undefined::name), hide_possible_values = true)]
    pub undefined: Option<Undefined>,
    /// Use only the first N documents of each ranking
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub depth: Option<usize>,
    /// Documents with the same id as the topic: keep or drop
    #[arg(long, value_name = "RULE", value_parser = one_of(IdenticalIds::ALL, IdenticalIds::name), hide_possible_values = true)]
    pub identical: Option<IdenticalIds>,
}

/// Parses a number of documents.
pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "expected a whole number of at least 1".into())
}

/// Order of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    /// By the first measure, best first
    Score,
    /// By name
    Name,
    /// In the order given
    Input,
}

/// With a name, prints its formula, parameters, user model, worked example and references. Names from other tools work
/// too.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  cranfield measures
  cranfield measures nDCG
  cranfield measures --format json")]
pub struct MeasuresArgs {
    /// Measure or group of measures, as in `eval -m`
    pub name: Option<String>,
    /// Format of the result
    #[arg(short, long, value_enum, default_value_t = CatalogueFormat::Table)]
    pub format: CatalogueFormat,
}

/// Format of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CatalogueFormat {
    /// Text for a terminal
    Table,
    /// Markdown
    Md,
    /// JSON
    Json,
}

/// Detects the input format from the content and the output format from the file name. Scores and grades keep full
/// precision.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  cranfield convert bm25.run bm25.parquet
  cranfield convert qrels.tsv -o qrels.txt.gz
  cranfield convert --kind run scores.json - --to trec")]
pub struct ConvertArgs {
    /// File to read, or - for standard input
    pub input: PathBuf,
    /// File to write, or - for standard output
    #[arg(required_unless_present = "output")]
    pub target: Option<PathBuf>,
    /// File to write, instead of TARGET
    #[arg(short, long, value_name = "FILE", conflicts_with = "target")]
    pub output: Option<PathBuf>,
    /// Kind of the file [default: detected]
    #[arg(long, value_enum)]
    pub kind: Option<Kind>,
    /// Format to read: trec, json, jsonl, csv, tsv, msmarco, parquet, or beir (judgements only) [default: detected]
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<String>,
    /// Format to write [default: from the file name]
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<String>,
    /// Suppress notes on standard error
    #[arg(long)]
    pub quiet: bool,
}

impl ConvertArgs {
    /// The file to write.
    pub(crate) fn target(&self) -> &Path {
        let target = self.output.as_deref().or(self.target.as_deref());
        target.unwrap_or(Path::new("-"))
    }
}

impl EvalArgs {
    /// Whether topics are printed.
    pub(crate) fn has_topics(&self) -> bool {
        self.per_topic || !self.topic.is_empty()
    }
}

/// Kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// A run
    Run,
    /// Judgements
    Qrels,
}
