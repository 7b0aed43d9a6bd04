//! `cranfield bench`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use cranfield::collection::QueryFields;
use cranfield::compare::Progress;
use cranfield::eval::Inputs;
use cranfield::io::{Code, Problem};
use cranfield::lab::bench::{
    BenchError, BenchResult, BenchSettings, IndexBenchSettings, Indexing, Judged, Load, Target,
    bench, bench_indexing, cores,
};
use cranfield::lab::duration::parse_duration;
use cranfield::lab::engine::{ColdIndex, Engine, EnginePath, EngineSettings, open_engine};
use cranfield::lab::inputs;
use cranfield::report::plot::{PlotFormat, Sheet};
use cranfield::search::dense::Similarity;
use cranfield::search::{Feedback, Model};
use cranfield::{Conventions, Plan, Qrels, Request, parse_measures, plots};

use crate::exit_code;
use crate::lazy::whole_number;
use crate::output_args::{OutputArgs, without_trec};
use crate::progress::ProgressLine;

/// Measures latency, throughput and CPU time of engines on the same topics, and compares their answers. An engine is an
/// index, a folder of vectors, or a file that describes a program or a server.
///
/// A closed loop sends a request when the last one is answered, and measures service times. An open loop sends requests
/// at planned times, and also measures response times, which include the wait behind slow requests.
///
/// With --index, it measures indexing instead: time, CPU time, memory and size, each repetition in a process of its own.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield bench index --topics topics.txt --model BM25 --model QL --quick
  cranfield bench a.toml b.toml --topics t.tsv --qrels qrels --figure pareto.svg
  cranfield bench server.toml --topics t.tsv --load closed:4 --load open:200/s
  cranfield bench server.toml --topics topics.tsv --find-rate 'p99<50ms'
  cranfield bench --index collection.toml --threads 1 --threads 2"
)]
pub struct BenchArgs {
    /// Engines: folders of indexes or vectors (vectors:DIR), or files that describe other engines
    #[arg(
        value_name = "ENGINE",
        required_unless_present = "index",
        conflicts_with = "index"
    )]
    pub engines: Vec<PathBuf>,
    /// Topics: a file, or a collection file
    #[arg(long, value_name = "FILE", required_unless_present = "index")]
    pub topics: Option<PathBuf>,
    /// Relevance judgements, to report quality next to cost
    #[arg(long, value_name = "FILE")]
    pub qrels: Option<PathBuf>,
    /// Model of the indexes; repeat for several engines [default: BM25]
    #[arg(long = "model", value_name = "MODEL")]
    pub models: Vec<Model>,
    /// Feedback of the indexes
    #[arg(long, value_name = "METHOD")]
    pub feedback: Option<Feedback>,
    /// Similarity of vectors: dot or cosine
    #[arg(long, value_name = "NAME", default_value = "dot")]
    pub similarity: Similarity,
    /// Fields of the topic to search for, such as title+desc
    #[arg(long, value_name = "FIELDS", default_value = "title")]
    pub query: QueryFields,
    /// Measures of quality
    #[arg(
        short,
        long = "measure",
        value_name = "NAME",
        default_value = "nDCG@10",
        requires = "qrels"
    )]
    pub measures: String,
    /// Load: closed:CLIENTS, open:RATE/s (random arrivals) or open:RATE/s,even; may be repeated [default: closed:1]
    #[arg(long = "load", value_name = "LOAD")]
    pub loads: Vec<Load>,
    /// Find the highest rate with this response time, such as p99<50ms
    #[arg(long, value_name = "TARGET")]
    pub find_rate: Option<Target>,
    /// Documents per answer
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole_number::<usize>)]
    pub depth: usize,
    /// Repetitions, each with new processes or connections [default: 10, or 5 with --quick]
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>)]
    pub repetitions: Option<usize>,
    /// Time of each load in each repetition, such as 10s [default: 10s, or 1s with --quick]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub length: Option<Duration>,
    /// Most clients of an open loop [default: 512 for servers, the number of cores for programs]
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>)]
    pub clients: Option<usize>,
    /// Measure a few seconds only
    #[arg(long)]
    pub quick: bool,
    /// Remove indexes from the system's cache before each pass over the topics, to measure reading from disks; Linux only
    #[arg(long, conflicts_with = "index")]
    pub cold: bool,
    /// Exit with code 4 if the machine was noisy or the load generator was late
    #[arg(long)]
    pub strict: bool,
    /// Seed of the order of topics, of arrivals and of intervals
    #[arg(long, value_name = "SEED", default_value_t = 42)]
    pub seed: u64,
    /// Write a figure of quality against latency: svg, png, pdf, html, json (Vega-Lite) or csv
    #[arg(long, value_name = "FILE", requires = "qrels")]
    pub figure: Option<PathBuf>,
    #[command(flatten)]
    pub indexing: IndexingArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// What to index and how, to measure that instead of searching.
#[derive(Debug, Args)]
pub struct IndexingArgs {
    /// Measure indexing: a collection file, the folder of a collection, or documents; may be repeated for files of documents
    #[arg(long, value_name = "COLLECTION", help_heading = "Indexing")]
    pub index: Vec<PathBuf>,
    /// Analyser; repeat to compare several [default: english]
    #[arg(
        long = "analyzer",
        value_name = "NAME",
        requires = "index",
        help_heading = "Indexing"
    )]
    pub analyzers: Vec<String>,
    /// Number of threads; repeat to compare several [default: all cores]
    #[arg(long, value_name = "N", requires = "index", help_heading = "Indexing")]
    pub threads: Vec<NonZeroUsize>,
    /// Fields to index, or all, as for `cranfield index`
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        requires = "index",
        help_heading = "Indexing"
    )]
    pub fields: Vec<String>,
    /// Do not store the text of documents
    #[arg(long, requires = "index", help_heading = "Indexing")]
    pub no_text: bool,
}

pub(crate) fn run(
    args: &BenchArgs,
    progress: Option<Progress>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let inputs = args.engines.iter().chain(&args.topics).chain(&args.qrels);
    let inputs = inputs.chain(&args.indexing.index);
    let inputs: Vec<&Path> = inputs.map(PathBuf::as_path).collect();
    let outputs = args.output.output.iter().chain(&args.figure);
    let outputs: Vec<&Path> = outputs.map(PathBuf::as_path).collect();
    cranfield::io::check_outputs(&outputs, &inputs)?;
    let (true, Some(topics)) = (args.indexing.index.is_empty(), &args.topics) else {
        return run_indexing(args, progress, out);
    };
    let format = args.figure.as_deref().map(figure_format).transpose()?;
    let engines = opened(args)?;
    let (queries, _) = inputs::queries(&inputs::topics(topics)?, &args.query);
    let judged = args.qrels.as_deref().map(|qrels| judgements(args, qrels));
    let judged = judged.transpose()?;
    let line = ProgressLine::new(progress, args.output.quiet);
    let settings = settings(args, line.progress.clone());
    let judged = judged.as_ref().map(|(qrels, plan)| Judged { qrels, plan });
    let references: Vec<&dyn Engine> = engines.iter().map(AsRef::as_ref).collect();
    let result = bench(&references, &queries, judged, &settings);
    drop(line);
    let result = result.map_err(|error| located(error, args, &engines))?;
    args.output.print(&result, out)?;
    if let (Some(path), Some(format)) = (&args.figure, format) {
        save_figure(&result, path, format, err)?;
    }
    if args.strict && !result.is_sound() {
        return Ok(exit_code::INCONCLUSIVE);
    }
    Ok(exit_code::OK)
}

/// Measures indexing, with this program in processes of its own.
fn run_indexing(
    args: &BenchArgs,
    progress: Option<Progress>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let line = ProgressLine::new(progress, args.output.quiet);
    let usual = settings(args, Progress::default());
    let program = std::env::current_exe()?;
    let mut ways = Vec::new();
    for analyzer in or_default(&args.indexing.analyzers, "english".into()) {
        let cores = NonZeroUsize::new(cores()).unwrap_or(NonZeroUsize::MIN);
        ways.extend(
            or_default(&args.indexing.threads, cores)
                .into_iter()
                .map(|threads| Indexing {
                    analyzer: analyzer.clone(),
                    threads: threads.get(),
                }),
        );
    }
    let result = bench_indexing(&IndexBenchSettings {
        program: vec![program.into()],
        inputs: args.indexing.index.clone(),
        ways,
        fields: args.indexing.fields.clone(),
        text: !args.indexing.no_text,
        repetitions: usual.repetitions,
        seed: usual.seed,
        progress: line.progress.clone(),
    });
    drop(line);
    let result = result?;
    args.output.print(&result, out)?;
    Ok(if args.strict && !result.is_sound() {
        exit_code::INCONCLUSIVE
    } else {
        exit_code::OK
    })
}

fn or_default<T: Clone>(given: &[T], default: T) -> Vec<T> {
    if given.is_empty() {
        vec![default]
    } else {
        given.to_vec()
    }
}

fn opened(args: &BenchArgs) -> anyhow::Result<Vec<Box<dyn Engine>>> {
    let mut engines = Vec::new();
    for path in &args.engines {
        let is_index = matches!(EnginePath::new(path), EnginePath::Index(_));
        let models = if is_index {
            args.models.as_slice()
        } else {
            &[]
        };
        let feedback = args.feedback.clone().filter(|_| is_index);
        let settings = |model: Model| EngineSettings {
            model,
            feedback: feedback.clone(),
            similarity: args.similarity,
        };
        anyhow::ensure!(
            is_index || !args.cold,
            "--cold needs indexes, and `{}` is none",
            path.display()
        );
        let usual = [Model::default()];
        let models = if models.is_empty() { &usual } else { models };
        for model in models {
            let settings = settings(model.clone());
            let engine: Result<Box<dyn Engine>, _> = if args.cold {
                ColdIndex::open(path, &settings).map(|index| Box::new(index) as _)
            } else {
                open_engine(path, &settings)
            };
            engines.push(engine.map_err(super::search::error)?);
        }
    }
    for (at, engine) in engines.iter().enumerate() {
        let mut others = engines.iter().skip(at + 1);
        anyhow::ensure!(
            !others.any(|other| other.name() == engine.name()),
            "two engines are named `{}`; set `name` in one of the files",
            engine.name()
        );
    }
    Ok(engines)
}

fn judgements(args: &BenchArgs, path: &Path) -> anyhow::Result<(Arc<Qrels>, Plan)> {
    let measures = parse_measures(&args.measures, &Conventions::default())?;
    anyhow::ensure!(!measures.is_empty(), "no measure given; name one with -m");
    let request = Request::new(path, Vec::<PathBuf>::new(), measures);
    let inputs = Inputs::open(&request)?;
    let plan = inputs.plan(&request)?;
    let qrels = inputs.qrels();
    let qrels = qrels.ok_or_else(|| anyhow::anyhow!("expected judgements with grades"))?;
    Ok((Arc::clone(qrels), plan))
}

fn settings(args: &BenchArgs, progress: Progress) -> BenchSettings {
    let usual = if args.quick {
        BenchSettings::quick()
    } else {
        BenchSettings::default()
    };
    BenchSettings {
        depth: args.depth,
        loads: if args.loads.is_empty() {
            usual.loads.clone()
        } else {
            args.loads.clone()
        },
        repetitions: args.repetitions.unwrap_or(usual.repetitions),
        length: args.length.unwrap_or(usual.length),
        clients: args.clients,
        find_rate: args.find_rate,
        seed: args.seed,
        progress,
        ..usual
    }
}

/// An engine's failure, with the file that describes it.
fn located(error: BenchError, args: &BenchArgs, engines: &[Box<dyn Engine>]) -> anyhow::Error {
    let BenchError::Engine { engine, error } = &error else {
        return error.into();
    };
    let at = engines.iter().position(|found| found.name() == engine);
    let path = at.and_then(|at| args.engines.get(at));
    let path = path.map_or_else(|| engine.clone(), |path| path.display().to_string());
    let problem = Problem::file(Code::FailedTopics, &path, error.to_string());
    cranfield::io::Error::from(problem).into()
}

pub(crate) fn figure_format(path: &Path) -> anyhow::Result<PlotFormat> {
    let format = PlotFormat::of_file(&path.to_string_lossy());
    format.ok_or_else(|| anyhow::anyhow!("cannot infer the format from `{}`", path.display()))
}

fn save_figure(
    result: &BenchResult,
    path: &Path,
    format: PlotFormat,
    err: &mut dyn Write,
) -> anyhow::Result<()> {
    match result.pareto() {
        Some(plot) => plots::save(&plot.render(format, &Sheet::default())?, path)?,
        None => crate::output::notes::line(err, "no figure: no topic is judged")?,
    }
    Ok(())
}
