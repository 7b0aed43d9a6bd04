//! The commands and their options. Help texts are these comments.

#![allow(
    clippy::doc_markdown,
    reason = "these comments are shown on a terminal, where backticks disturb"
)]

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use cranfield::core::policy::{
    IdenticalIds, NegativeGrades, TieBreak, TopicPolicy, Undefined, Unjudged,
};

pub use crate::commands::agree::{AgreeArgs, Percent};
pub use crate::commands::compare::CompareArgs;
pub use crate::commands::discriminate::DiscriminateArgs;
pub use crate::commands::doctor::{DoctorArgs, FileKind, ReportFormat};
pub use crate::commands::gate::{GateArgs, InconclusiveArg};
#[cfg(feature = "pictures")]
pub use crate::commands::plot::{PlotArgs, Size};
pub use crate::commands::power::PowerArgs;
#[cfg(feature = "pictures")]
pub use crate::commands::report::{PageFormat, ReportArgs};
pub use crate::commands::rosetta::RosettaArgs;
pub use crate::commands::similarity::SimilarityArgs;
pub use crate::commands::whence::WhenceArgs;
pub use crate::comparing::{ComparisonArgs, FamilyArg, TestArgs};
pub use crate::inputs::InputArgs;
pub use crate::lazy::Lazy;
use crate::lazy::whole_number;
pub use crate::output_args::OutputArgs;

/// Evaluate rankings against relevance judgements
///
/// Data goes to standard output, notes to standard error. Files may be compressed (gzip, zstd, bzip2, xz, lz4; by
/// content), `-` is standard input, quoted globs and folders are expanded.
#[derive(Debug, Parser)]
#[command(name = "cranfield", version, max_term_width = 80)]
#[command(
    after_help = "Exit codes: 0 ok, 1 gate failed, 2 usage, 3 invalid input,\n4 inconclusive, 5 internal error."
)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compute measures: one line per run, or one per topic
    Eval(Lazy<EvalArgs>),
    /// Tell which differences between runs the topics justify
    Compare(Lazy<CompareArgs>),
    /// Say whether a run may replace another: PASS, FAIL or INCONCLUSIVE
    Gate(Lazy<Box<GateArgs>>),
    /// Tell how many topics are needed, and what they can show
    Power(Lazy<PowerArgs>),
    /// Tell how well measures tell runs apart
    Discriminate(Lazy<DiscriminateArgs>),
    /// Take a value apart: each document's or topic's share of it
    Explain(Lazy<ExplainArgs>),
    /// List the measures, or explain one
    Measures(Lazy<MeasuresArgs>),
    /// Draw a picture: curves, differences by topic, spread over topics, ranks, tests
    #[cfg(feature = "pictures")]
    Plot(Lazy<Box<PlotArgs>>),
    /// Put an evaluation on one page: leaderboard, pictures, topics, claims
    #[cfg(feature = "pictures")]
    Report(Lazy<Box<ReportArgs>>),
    /// Tell how alike the rankings of two runs are, without judgements
    Similarity(Lazy<SimilarityArgs>),
    /// Compare two sets of judgements: cross table and agreement
    Agree(Lazy<AgreeArgs>),
    /// Change the format of a run or of judgements
    Convert(Lazy<ConvertArgs>),
    /// Tell what is wrong with runs and judgements, and repair what is safe
    Doctor(Lazy<DoctorArgs>),
    /// One run, one name: the number of every program, and why it differs
    Rosetta(Lazy<RosettaArgs>),
    /// Tell which settings give a published number
    Whence(Lazy<WhenceArgs>),
    /// Drop-in trec_eval (also a program of that name)
    #[command(name = "trec_eval", disable_help_flag = true)]
    TrecEval(TrecEvalArgs),
}

/// Arguments of `trec_eval`, which reads them itself.
#[derive(Debug, ClapArgs)]
pub struct TrecEvalArgs {
    /// Options and files; `cranfield trec_eval -h` lists them
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENT"
    )]
    pub arguments: Vec<std::ffi::OsString>,
}

/// Every result comes with notes on standard error: topics counted, missing and extra, ties that a cutoff cuts through, documents
/// that nobody judged.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  cranfield eval qrels.txt bm25.run dense.run.gz -m 'nDCG@10 AP(rel=2) R@1000'
  cranfield eval qrels.txt 'runs/*.run' -m official --profile trec_eval -q -f csv
  zcat run.gz | cranfield eval qrels.txt - -m ndcg_cut_10
  cranfield eval qrels.txt 'runs/*.run' --vector 'nDCG@30 IPrec'
  cranfield eval qrels.txt 'runs/*.run' --scenario impatient --scenario patient")]
pub struct EvalArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Runs: files, quoted globs, folders, or - for standard input
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Measures, separated by blanks; see `cranfield measures`. Without it: nDCG@10 AP P@10 RR R@1000
    #[arg(short, long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// Vectors instead of measures: nDCG@30 at ranks 1 to 30, IPrec at recall 0 to 1, PR@100
    #[arg(long = "vector", value_name = "NAME", conflicts_with = "measures")]
    pub vectors: Vec<String>,
    /// How many documents of each run give what every run, and the ideal, gives at these ranks
    #[arg(
        long,
        value_name = "RANK,...",
        value_delimiter = ',',
        requires = "vectors",
        conflicts_with_all = ["scenarios", "per_topic"],
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub sideways: Vec<u32>,
    /// Scenarios: impatient, patient, or those of a TOML file; -m replaces their measures
    #[arg(long = "scenario", value_name = "NAME", conflicts_with = "vectors")]
    pub scenarios: Vec<String>,
    /// Also print each topic
    #[arg(short = 'q', long)]
    pub per_topic: bool,
    /// Order of runs
    #[arg(long, value_enum, default_value_t = Sort::Score)]
    pub sort: Sort,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub output: OutputArgs,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub inputs: InputArgs,
}

/// With --topic, the computation rank by rank; without, the topics that make the mean. With two runs, the
/// same for their difference, the second minus the first. Shares add up to the value.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  cranfield explain qrels.txt bm25.run -m AP -t 301
  cranfield explain qrels.txt bm25.run -m nDCG@10
  cranfield explain qrels.txt bm25.run dense.run -m AP -t 301 -f html -o ap.html")]
pub struct ExplainArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Run, or - for standard input
    pub run: PathBuf,
    /// Run whose difference from the first is explained
    #[arg(value_name = "RUN2")]
    pub other: Option<PathBuf>,
    /// Measures, separated by blanks; see `cranfield measures`
    #[arg(short, long = "measure", value_name = "NAME", required = true)]
    pub measures: Vec<String>,
    /// Topic, or session, to explain by documents [default: all, by topics]
    #[arg(short, long, value_name = "ID")]
    pub topic: Option<String>,
    /// Format of the explanation; json has full precision
    #[arg(short, long, value_enum, default_value_t = ExplainFormat::Text)]
    pub format: ExplainFormat,
    /// Decimals in text, md and html
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=17))]
    pub digits: u8,
    /// Rows shown even without a share: the first N documents, N topics at each end
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole_number::<usize>)]
    pub depth_shown: usize,
    /// Write the explanation to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub inputs: InputArgs,
}

/// Format of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExplainFormat {
    /// For a terminal
    Text,
    /// Markdown
    Md,
    /// A file of its own, for a browser or a printer
    Html,
    /// One object, with policies
    Json,
}

/// Policies; each replaces what the profile sets.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Policies (each replaces what the profile sets)")]
pub struct PolicyArgs {
    /// Order of equal scores: docid-desc, docid-desc-f32 (trec_eval 9), docid-asc, input-order,
    /// rank-column (ignores scores), file-order (ignores ranks too), expected, best, worst,
    /// bounds (interval)
    #[arg(long, value_name = "RULE")]
    pub ties: Option<TieBreak>,
    /// Topics that count: judged (all with judgements; missing ones are empty rankings), both, run,
    /// relevant (both, with a positive grade)
    #[arg(long, value_name = "RULE")]
    pub topics: Option<TopicPolicy>,
    /// Unjudged documents: nonrelevant, condensed (dropped), relevant, bounds (interval)
    #[arg(long, value_name = "RULE")]
    pub unjudged: Option<Unjudged>,
    /// Grades below zero: judged (not relevant) or pooled (not judged, as in trec_eval)
    #[arg(long, value_name = "RULE")]
    pub negative: Option<NegativeGrades>,
    /// Undefined values in averages: zero or skip
    #[arg(long, value_name = "RULE")]
    pub undefined: Option<Undefined>,
    /// Keep only the first N documents of each ranking
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub depth: Option<usize>,
    /// Documents with the topic's own id: keep or drop
    #[arg(long, value_name = "RULE")]
    pub identical: Option<IdenticalIds>,
}

/// Reads a number of documents.
fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("a ranking without documents has no value; give 1 or more".into()),
        Ok(number) => Ok(number),
        Err(_) => Err("expected a whole number from 1".into()),
    }
}

/// Format of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResultFormat {
    /// Aligned for a terminal
    Table,
    /// One object, with provenance
    Json,
    /// One object per line: a value, a pair of runs, or what else the command is about
    Jsonl,
    /// The same as lines between commas
    Csv,
    /// The same as lines between tabs
    Tsv,
    /// Markdown
    Md,
    /// LaTeX
    Latex,
    /// HTML
    Html,
    /// As `trec_eval` prints
    Trec,
}

/// Order of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    /// By the first measure, best first
    Score,
    /// By name
    Name,
    /// As given
    Input,
}

/// With a name: its formula, parameters, user model, worked example and references. Names of other programs are read too.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  cranfield measures
  cranfield measures nDCG
  cranfield measures --format json")]
pub struct MeasuresArgs {
    /// A measure's name, in any form that `eval` reads, or that of a group
    pub name: Option<String>,
    /// Format: table, md or json
    #[arg(short, long, value_enum, default_value_t = CatalogueFormat::Table)]
    pub format: CatalogueFormat,
}

/// Format of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CatalogueFormat {
    /// For a terminal
    Table,
    /// Markdown
    Md,
    /// JSON
    Json,
}

/// Formats are told by content and by the output's name. Scores and grades keep every bit.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  cranfield convert bm25.run bm25.parquet
  cranfield convert qrels.tsv qrels.txt.gz
  cranfield convert --kind run scores.json - --to trec")]
pub struct ConvertArgs {
    /// File to read; - is standard input
    pub input: PathBuf,
    /// File to write; - is standard output
    pub output: PathBuf,
    /// What the file is [default: told by content]
    #[arg(long, value_enum)]
    pub kind: Option<Kind>,
    /// Format to read: trec, json, jsonl, csv, tsv, msmarco, parquet; for judgements also beir
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<String>,
    /// Format to write [default: by the output's extension]
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<String>,
    /// No notes
    #[arg(long)]
    pub quiet: bool,
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// A run
    Run,
    /// Judgements
    Qrels,
}
