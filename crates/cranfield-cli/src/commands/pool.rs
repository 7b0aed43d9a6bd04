//! `cranfield pool`.

#![allow(missing_docs, reason = "groups of options have their own help")]
#![allow(
    clippy::doc_markdown,
    reason = "these comments are shown on a terminal, without Markdown"
)]

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use cranfield::core::policy::{Policies, TieBreak};
use cranfield::io::{QrelsFormat, RunFormat, Source};
use cranfield::pool::missing::{
    MissingSettings, missing, strata_of, stratified_tables, stratified_total,
};
use cranfield::pool::{
    Groups, PoolSettings, PoolStats, Rankings, Strategy, Tables, VoteSettings, bias, make,
    named_runs, settle, votes,
};
use cranfield::report::plot::{Plot, Sheet};
use cranfield::{Conventions, parse_measures};
use cranfield::{Inputs, Judgements, Qrels, Request, RunInput};

use crate::exit_code;
use crate::lazy::{Lazy, whole_number};
use crate::names::one_of;
use crate::output::notes;
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
                or any method of fuse, such as mnz
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
  cranfield pool make 'runs/*.run' --strategy \"strata('1-10:1, 11-:0.1')\" -o pool.run
  cranfield pool make 'runs/*.run' --strategy \"strata('1-10:1, 11-:0.1')\" --qrels judged.txt --sample strata.txt")]
pub struct MakeArgs {
    #[command(flatten)]
    pub runs: RunArgs,
    /// Strategy, with its parameters
    #[arg(long, value_name = "NAME", default_value = "depth(10)")]
    pub strategy: Strategy,
    /// Most documents per topic
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>)]
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
/// again.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield pool bias qrels.txt 'runs/*.run'
  cranfield pool bias qrels.txt 'runs/*.run' -m nDCG@10 --depth 20 --groups teams.txt"
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
#[command(mut_arg("format", without_trec), mut_arg("runs", |runs| runs.required(false)), after_help = "Examples:
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

/// Runs and how they are cut.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Runs: files, quoted globs, folders, or - for standard input
    #[arg(value_name = "RUN", required = true)]
    pub runs: Vec<PathBuf>,
    /// Use only the first N documents of each ranking
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole_number::<usize>)]
    pub depth: usize,
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

impl GroupArgs {
    fn read(&self, runs: &[String]) -> anyhow::Result<Groups> {
        Ok(match &self.groups {
            Some(path) => Groups::read(&Source::open(path)?, runs)?,
            None => Groups::single(runs),
        })
    }
}

impl JudgedArgs {
    fn level(&self) -> f64 {
        self.level.unwrap_or(1.0)
    }
}

/// Judgements, if any, and runs.
struct Opened {
    inputs: Inputs,
    rankings: Rankings,
}

impl RunArgs {
    /// Opens the files, none of which may be an output.
    fn open(
        &self,
        qrels: Option<&Path>,
        judged: &JudgedArgs,
        extra: Option<&Path>,
        outputs: &[Option<&Path>],
    ) -> anyhow::Result<Opened> {
        let paths = cranfield::io::expand_paths(&self.runs)?;
        let inputs = open(&paths, self.run_format, qrels, judged, extra, outputs)?;
        let runs = named_runs(inputs.runs())?;
        let depth = Some(self.depth).filter(|depth| *depth > 0);
        let rankings = Rankings::new(&runs, self.ties, depth)?;
        Ok(Opened { inputs, rankings })
    }
}

fn open(
    runs: &[PathBuf],
    run_format: Option<RunFormat>,
    qrels: Option<&Path>,
    judged: &JudgedArgs,
    extra: Option<&Path>,
    outputs: &[Option<&Path>],
) -> anyhow::Result<Inputs> {
    let files = runs.iter().map(PathBuf::as_path).chain(qrels).chain(extra);
    let files: Vec<&Path> = files.collect();
    let outputs: Vec<&Path> = outputs.iter().copied().flatten().collect();
    cranfield::io::check_outputs(&outputs, &files)?;
    let stdin = files.iter().filter(|path| path.as_os_str() == "-").count();
    anyhow::ensure!(stdin <= 1, "standard input (-) can be read only once");
    let Some(qrels) = qrels else {
        let shown: Vec<_> = runs.iter().map(|path| path.to_string_lossy()).collect();
        let names = cranfield::run_names(&shown.iter().map(AsRef::as_ref).collect::<Vec<_>>());
        let runs = names.into_iter().zip(runs).map(|(name, path)| {
            let run = cranfield::io::read_run(&Source::open(path)?, run_format)?;
            Ok(RunInput::new(name, run))
        });
        let runs = runs.collect::<Result<Vec<_>, cranfield::io::Error>>()?;
        let none = Qrels::from_judgements([("", "", 0.0); 0]);
        return Ok(Inputs::in_memory(none, runs));
    };
    let request = Request {
        judged: crate::inputs::judged(qrels)?,
        qrels_format: judged.qrels_format,
        run_format,
        ..Request::new(qrels, runs, Vec::new())
    };
    Ok(Inputs::open(&request)?.load()?)
}

/// A request for one measure.
fn request(measure: &str, judged: &JudgedArgs, ties: TieBreak) -> anyhow::Result<Request> {
    let conventions = Conventions {
        level: judged.level,
        ..Conventions::default()
    };
    let measures = parse_measures(measure, &conventions)?;
    anyhow::ensure!(
        measures.len() == 1,
        "expected one measure, found {}",
        measures.len()
    );
    let policies = Policies {
        ties,
        ..Policies::default()
    };
    let request = Request {
        policies,
        ..Request::of_measures(measures)
    };
    request.check_levels(judged.level)?;
    Ok(request)
}

pub(crate) fn run(
    command: &PoolCommand,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let (tables, output) = match command {
        PoolCommand::Make(Lazy(args)) => return make_pool(args, out, err),
        PoolCommand::Stats(Lazy(args)) => (stats_tables(args)?, &args.output),
        PoolCommand::Bias(Lazy(args)) => (bias_tables(args)?, &args.output),
        PoolCommand::Missing(Lazy(args)) => (missing_tables(args)?, &args.output),
        PoolCommand::Votes(Lazy(args)) => (votes_tables(args)?, &args.output),
        PoolCommand::Settle(Lazy(args)) => (settle_tables(args)?, &args.output),
    };
    if !output.quiet {
        notes::write_all(tables.notes().to_vec(), err)?;
    }
    let tables = tables.with_digits(usize::from(output.digits));
    output.print(&tables, out)?;
    Ok(exit_code::OK)
}

fn make_pool(args: &MakeArgs, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<u8> {
    anyhow::ensure!(
        args.sample.is_none() || args.strategy.is_sample(),
        "--sample needs a strategy that draws a sample: strata or pps"
    );
    let qrels = args.qrels.as_deref();
    let outputs = [args.output.as_deref(), args.sample.as_deref()];
    let Opened { inputs, rankings } = args.runs.open(qrels, &args.judged, None, &outputs)?;
    args.strategy.check(&rankings, Some(args.runs.depth))?;
    let settings = PoolSettings {
        strategy: args.strategy.clone(),
        budget: args.budget,
        level: args.judged.level(),
        seed: args.seed,
    };
    let judged = qrels.and(inputs.qrels()).map(AsRef::as_ref);
    let pool = make(&rankings, &settings, judged);
    let mut shown = pool.notes();
    if qrels.is_some() {
        let request = request(&args.measure, &args.judged, args.runs.ties)?;
        if let Some(tau) = pool.tau(&inputs, &request)? {
            shown.push(format!(
                "tau of the runs' order by {} with and without the other judgements: {tau:.4}",
                args.measure
            ));
        }
    }
    if !args.quiet {
        notes::write_all(shown, err)?;
    }
    if let (Some(path), Some(sample)) = (&args.sample, &pool.sample) {
        cranfield::io::save_text(sample, path)?;
    }
    let run = pool.to_run();
    if let Some(path) = &args.output {
        save(&run, path)?;
    } else {
        let mut text = Vec::new();
        cranfield::io::write_run(&run, RunFormat::Trec, &mut text)?;
        out.write_all(&text)?;
    }
    Ok(exit_code::OK)
}

fn save(run: &cranfield::Run, path: &Path) -> anyhow::Result<()> {
    let format = RunFormat::of_name(&path.to_string_lossy()).unwrap_or(RunFormat::Trec);
    Ok(cranfield::io::save_run(run, format, path)?)
}

/// Writes a figure in the format of its extension.
fn save_figure(path: Option<&Path>, plot: impl FnOnce() -> Plot) -> anyhow::Result<()> {
    if let Some(path) = path {
        let format = super::bench::figure_format(path)?;
        cranfield::plots::save(&plot().render(format, &Sheet::default())?, path)?;
    }
    Ok(())
}

fn stats_tables(args: &StatsArgs) -> anyhow::Result<Tables> {
    anyhow::ensure!(
        args.seconds > 0.0 && args.seconds.is_finite(),
        "--seconds is {}; give a number above 0",
        args.seconds
    );
    let (qrels, groups) = (args.qrels.as_deref(), args.groups.groups.as_deref());
    let outputs = [args.output.output.as_deref(), args.figure.as_deref()];
    let opened = args.runs.open(qrels, &args.judged, groups, &outputs)?;
    let groups = args.groups.read(&opened.rankings.names)?;
    let judged = qrels.and(opened.inputs.qrels()).map(AsRef::as_ref);
    let stats = PoolStats::new(&opened.rankings, &groups, judged, args.judged.level());
    save_figure(args.figure.as_deref(), || stats.figure())?;
    Ok(stats.tables(args.per_topic, args.seconds))
}

fn bias_tables(args: &BiasArgs) -> anyhow::Result<Tables> {
    let request = request(&args.measure, &args.judged, args.runs.ties)?;
    let (qrels, groups) = (Some(args.qrels.as_path()), args.groups.groups.as_deref());
    let outputs = [args.output.output.as_deref(), args.figure.as_deref()];
    let opened = args.runs.open(qrels, &args.judged, groups, &outputs)?;
    let groups = args.groups.read(&opened.rankings.names)?;
    let level = args.judged.level();
    let found = bias(&opened.inputs, &request, &opened.rankings, &groups, level)?;
    save_figure(args.figure.as_deref(), || found.figure())?;
    Ok(found.tables())
}

fn missing_tables(args: &MissingArgs) -> anyhow::Result<Tables> {
    let (qrels, groups) = (Some(args.qrels.as_path()), args.groups.groups.as_deref());
    let outputs = [args.output.output.as_deref(), args.figure.as_deref()];
    let opened = args.runs.open(qrels, &args.judged, groups, &outputs)?;
    let level = args.judged.level();
    if let Judgements::Strata(sampled) = opened.inputs.judgements() {
        let strata = strata_of(sampled, level);
        return Ok(stratified_tables(&strata, &stratified_total(&strata)));
    }
    anyhow::ensure!(
        !opened.rankings.names.is_empty(),
        "expected runs after the judgements, or --qrels-format strata"
    );
    let groups = args.groups.read(&opened.rankings.names)?;
    let settings = MissingSettings {
        level,
        to: args.to,
        replicates: args.replicates,
        seed: args.seed,
    };
    let judged = opened.inputs.qrels();
    let judged = judged.ok_or_else(|| anyhow::anyhow!("expected one grade per document"))?;
    let found = missing(&opened.rankings, &groups, judged, &settings);
    save_figure(args.figure.as_deref(), || found.figure())?;
    Ok(found.tables(args.per_topic))
}

fn votes_tables(args: &VotesArgs) -> anyhow::Result<Tables> {
    anyhow::ensure!(
        args.rate > 0.0 && args.rate <= 1.0,
        "--rate is {}; give a number above 0 and at most 1",
        args.rate
    );
    anyhow::ensure!(args.draws > 0, "--draws is 0; give a number of at least 1");
    let request = request(&args.measure, &args.judged, args.runs.ties)?;
    let outputs = [args.output.output.as_deref()];
    let qrels = args.qrels.as_deref();
    let opened = args.runs.open(qrels, &args.judged, None, &outputs)?;
    let settings = VoteSettings {
        rate: args.rate,
        draws: args.draws,
        seed: args.seed,
    };
    let truth = qrels.map(|_| (opened.inputs.clone(), &request));
    Ok(votes(&opened.inputs, &opened.rankings, &settings, truth)?.tables())
}

fn settle_tables(args: &SettleArgs) -> anyhow::Result<Tables> {
    let request = request(&args.measure, &args.judged, args.ties)?;
    let runs = [args.run.clone(), args.other.clone()];
    let outputs = [args.output.output.as_deref(), args.pool.as_deref()];
    let qrels = Some(args.qrels.as_path());
    let inputs = open(&runs, args.run_format, qrels, &args.judged, None, &outputs)?;
    let Some(settled) = settle(&inputs, &request)? else {
        anyhow::bail!(
            "both runs have the same {}, so there is no order to settle",
            args.measure
        );
    };
    if let Some(path) = &args.pool {
        save(&settled.to_run(), path)?;
    }
    Ok(settled.tables())
}
