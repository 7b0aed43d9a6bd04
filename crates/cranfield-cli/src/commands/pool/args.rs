//! Options of `cranfield pool`.

#![allow(missing_docs, reason = "groups of options have their own help")]
#![allow(
    clippy::doc_markdown,
    reason = "these comments are shown on a terminal, without Markdown"
)]

use std::path::PathBuf;

use clap::{Arg, Args, Subcommand};
use cranfield::core::policy::TieBreak;
use cranfield::io::{QrelsFormat, RunFormat};
use cranfield::pool::Strategy;

use crate::lazy::{Lazy, positive_number, whole_number};
use crate::names::one_of;
use crate::output_args::{OutputArgs, without_trec};

/// Chooses documents for judgement, and examines what a pool holds, misses and favours.
#[derive(Debug, Args)]
pub struct PoolArgs {
    #[command(subcommand)]
    pub command: PoolCommand,
}

#[derive(Debug, Subcommand)]
pub enum PoolCommand {
    /// Choose documents to judge
    Make(Lazy<MakeArgs>),
    /// Report size, overlap, unique contributions and hours of work
    Stats(Lazy<StatsArgs>),
    /// Score runs as if they had not contributed to the pool
    Bias(Lazy<BiasArgs>),
    /// Estimate how many relevant documents are missing
    Missing(Lazy<MissingArgs>),
    /// Rank runs without judgements
    Votes(Lazy<VotesArgs>),
    /// List the documents that would settle a comparison of two runs
    Settle(Lazy<SettleArgs>),
}

/// Writes a run with the documents of each topic in the order in which they should be judged. With --qrels, judgements answer for a
/// person: an adaptive strategy is replayed, and the pool's cost is reported.
#[derive(Debug, Args)]
#[command(after_help = "Strategies:
  depth(10)     the first 10 documents of every run
  take(100)     100 documents by best rank, then by number of runs
  rrf(60), rbp(0.8)
                by reciprocal ranks, or by the weights of rank-biased precision;
                or a method of fuse without weights and training, such as mnz
  strata('1-10:1, 11-50:0.2, 51-:0.05')
                a random sample of each stratum of ranks, at these rates
  pps(50)       50 documents, drawn by their weight in average precision
  mtf           move to front: stay with a run while its documents are relevant
  mm(1), thompson(1), ucb
                bandits; mm(0.9) and thompson(0.9) forget, update=all lets every
                run learn that holds the document
  hedge(0.1)    runs weighted by how well they ranked what was judged
  mtc           documents that move the differences between runs most

Examples:
  cranfield pool make 'runs/*.run' --strategy 'depth(10)' -o pool.run
  cranfield pool make 'runs/*.run' --strategy mtf --budget 100 --qrels qrels.txt
  cranfield pool make 'runs/*.run' -o pool.run \\
    --strategy \"strata('1-10:1, 11-:0.1')\"
  cranfield pool make 'runs/*.run' \\
    --strategy \"strata('1-10:1, 11-:0.1')\" \\
    --qrels judged.txt --sample strata.txt")]
pub struct MakeArgs {
    #[command(flatten)]
    pub runs: RunArgs,
    /// Strategy, with its parameters
    #[arg(long, value_name = "NAME", default_value = "depth(10)")]
    pub strategy: Strategy,
    /// Most documents per topic
    #[arg(long, value_name = "N", value_parser = positive_number::<usize>)]
    pub budget: Option<usize>,
    /// Relevance judgements that answer for a person; unjudged documents are not relevant
    #[arg(long, value_name = "QRELS")]
    pub qrels: Option<PathBuf>,
    #[command(flatten)]
    pub judged: JudgedArgs,
    /// Measure whose order of runs is compared, with --qrels
    #[arg(short, long, value_name = "NAME", default_value = "AP")]
    pub measure: String,
    /// Seed of random numbers
    #[arg(long, value_name = "N", default_value_t = 42, value_parser = whole_number::<u64>)]
    pub seed: u64,
    /// Write strata or inclusion probabilities with grades, for eval
    #[arg(long, value_name = "FILE", requires = "qrels")]
    pub sample: Option<PathBuf>,
    /// Write the pool to a file instead of standard output
    #[arg(short, long, value_name = "POOL")]
    pub output: Option<PathBuf>,
    /// Suppress notes on standard error
    #[arg(long)]
    pub quiet: bool,
}

/// The pool holds the first documents of every run, down to --depth.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield pool stats 'runs/*.run' --depth 20 --seconds 40
  cranfield pool stats 'runs/*.run' --qrels qrels.txt --groups teams.txt -q"
)]
pub struct StatsArgs {
    #[command(flatten)]
    pub runs: RunArgs,
    /// Relevance judgements, to count judged and relevant documents
    #[arg(long, value_name = "QRELS")]
    pub qrels: Option<PathBuf>,
    #[command(flatten)]
    pub judged: JudgedArgs,
    #[command(flatten)]
    pub groups: GroupArgs,
    /// Seconds that one judgement takes
    #[arg(long, value_name = "S", default_value_t = 30.0)]
    pub seconds: f64,
    /// Also print each topic
    #[arg(short = 'q', long)]
    pub per_topic: bool,
    /// Write a figure of unique contributions: svg, png, pdf, html, json (Vega-Lite) or csv
    #[arg(long, value_name = "FILE")]
    pub figure: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Leaves out every run in turn, or every group: removes the documents that only it contributed to the pool from the judgements, and scores all runs
/// again. A note says how much of the pool is judged.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    mut_arg("depth", with_judged_depth),
    after_help = "Examples:
  cranfield pool bias qrels.txt 'runs/*.run'
  cranfield pool bias qrels.txt 'runs/*.run' -m nDCG@10 --depth 20 \\
    --groups teams.txt"
)]
pub struct BiasArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    #[command(flatten)]
    pub runs: RunArgs,
    /// Measure
    #[arg(short, long, value_name = "NAME", default_value = "AP")]
    pub measure: String,
    #[command(flatten)]
    pub judged: JudgedArgs,
    #[command(flatten)]
    pub groups: GroupArgs,
    /// Write a figure of scores with and without a run's own documents: svg, png, pdf, html, json (Vega-Lite) or csv
    #[arg(long, value_name = "FILE")]
    pub figure: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Extrapolates the growth of the pool, and takes runs as captures of the relevant documents. For judgements of a stratified sample
/// (--qrels-format strata), estimates the number of relevant documents from the strata, without runs.
#[derive(Debug, Args)]
#[command(mut_arg("format", without_trec), mut_arg("depth", with_judged_depth), mut_arg("runs", |runs| runs.required(false)), after_help = "Examples:
  cranfield pool missing qrels.txt 'runs/*.run'
  cranfield pool missing qrels.txt 'runs/*.run' --depth 50 --to 200 -q
  cranfield pool missing strata.txt --qrels-format strata")]
pub struct MissingArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    #[command(flatten)]
    pub runs: RunArgs,
    #[command(flatten)]
    pub judged: JudgedArgs,
    #[command(flatten)]
    pub groups: GroupArgs,
    /// Depth to which the growth is extrapolated
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole_number::<usize>)]
    pub to: usize,
    /// Bootstrap replicates
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole_number::<usize>)]
    pub replicates: usize,
    /// Seed of the bootstrap
    #[arg(long, value_name = "N", default_value_t = 42, value_parser = whole_number::<u64>)]
    pub seed: u64,
    /// Also print each topic
    #[arg(short = 'q', long)]
    pub per_topic: bool,
    /// Write a figure of the growth of the pool: svg, png, pdf, html, json (Vega-Lite) or csv
    #[arg(long, value_name = "FILE")]
    pub figure: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Takes the runs as voters: soboroff (random documents of the pool are relevant), wu-crestani (documents count by the number of other runs that
/// hold them), nuray-can (documents that the most unusual runs rank high are relevant), majority.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield pool votes 'runs/*.run'
  cranfield pool votes 'runs/*.run' --qrels qrels.txt"
)]
pub struct VotesArgs {
    #[command(flatten)]
    pub runs: RunArgs,
    /// Relevance judgements, to compare the order with the true one
    #[arg(long, value_name = "QRELS")]
    pub qrels: Option<PathBuf>,
    /// Measure of the true order, with --qrels
    #[arg(short, long, value_name = "NAME", default_value = "AP")]
    pub measure: String,
    #[command(flatten)]
    pub judged: JudgedArgs,
    /// Share of the pool that soboroff draws
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    pub rate: f64,
    /// Number of draws of soboroff
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = whole_number::<usize>)]
    pub draws: usize,
    /// Seed of the draws
    #[arg(long, value_name = "N", default_value_t = 42, value_parser = whole_number::<u64>)]
    pub seed: u64,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The list is enough: if all of its documents turn out not to be relevant, as the scores assume, the order of the runs stays whatever the other
/// unjudged documents are. If one is relevant, run the command again.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield pool settle qrels.txt bm25.run dense.run -m nDCG@10
  cranfield pool settle qrels.txt bm25.run dense.run -m P@10 --pool to-judge.run"
)]
pub struct SettleArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// First run
    pub run: PathBuf,
    /// Second run
    #[arg(value_name = "RUN2")]
    pub other: PathBuf,
    /// Measure
    #[arg(short, long, value_name = "NAME", default_value = "nDCG@10")]
    pub measure: String,
    /// Write the list as a run, for judging
    #[arg(long, value_name = "FILE")]
    pub pool: Option<PathBuf>,
    /// Order of documents with equal scores
    #[arg(long, value_name = "RULE", default_value = "docid-desc", value_parser = one_of(TieBreak::ALL, TieBreak::name), hide_possible_values = true)]
    pub ties: TieBreak,
    /// Format of the runs [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(RunFormat::ALL, RunFormat::name))]
    pub run_format: Option<RunFormat>,
    #[command(flatten)]
    pub judged: JudgedArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The default depth of commands that need the depth of the judged pool.
fn with_judged_depth(depth: Arg) -> Arg {
    depth.help(
        "Depth of the pool that was judged [default: the greatest to which half of the runs have 95 % of their documents judged]",
    )
}

/// Runs and how they are cut.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Runs: files, quoted globs, folders, or - for standard input
    #[arg(value_name = "RUN", required = true)]
    pub runs: Vec<PathBuf>,
    /// Use only the first N documents of each ranking [default: 100]
    #[arg(long, value_name = "N", value_parser = positive_number::<usize>)]
    pub depth: Option<usize>,
    /// Order of documents with equal scores: docid-desc, docid-desc-f32, docid-asc, input-order, rank-column or file-order
    #[arg(long, value_name = "RULE", default_value = "docid-desc", value_parser = one_of(TieBreak::ALL, TieBreak::name), hide_possible_values = true)]
    pub ties: TieBreak,
    /// Format of the runs [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(RunFormat::ALL, RunFormat::name))]
    pub run_format: Option<RunFormat>,
}

/// How judgements are read.
#[derive(Debug, Args)]
pub struct JudgedArgs {
    /// Lowest grade that counts as relevant [default: 1]
    #[arg(short, long, value_name = "GRADE", allow_negative_numbers = true)]
    pub level: Option<f64>,
    /// Format of the judgements [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(QrelsFormat::ALL, QrelsFormat::name))]
    pub qrels_format: Option<QrelsFormat>,
}

/// Groups of runs.
#[derive(Debug, Args)]
pub struct GroupArgs {
    /// File of runs and their groups, one pair per line [default: every run is a group]
    #[arg(long, value_name = "FILE")]
    pub groups: Option<PathBuf>,
}
