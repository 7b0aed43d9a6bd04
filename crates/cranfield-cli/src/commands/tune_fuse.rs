//! `cranfield tune-fuse`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use cranfield::fusion::{Fusion, Method, Norm};
use cranfield::io::{RunFormat, Source, expand_paths, read_qrels, read_run};
use cranfield::lab::tune::{FusionCandidate, QrelsJudge, Space, Tuner};
use cranfield::render::{Render, ResultFormat};

use super::tune::{FoldArgs, error, notes_of, save};
use crate::exit_code;
use crate::lazy::whole_number;
use crate::names::one_of;
use crate::output::{notes, terminal_width};
use crate::output_args::{check_output, without_trec};

/// Chooses weights and parameters of a fusion by cross-validation: for each fold of the topics, the point with the best score on the other topics. Prints the
/// choices with their scores on both sides, and tests the tuned fusion against the default: equal weights and the parameters of the method. In the run, every topic is
/// fused by the point that was chosen without it.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Spaces:
  w=simplex(2) step 0.1        weights of two runs that sum to 1: w1 and w2
  k=[10, 30, 60, 100]          a parameter of the method
  norm=[min-max, zmuv, sum]    normalisations
  method=[sum, mnz, rrf]       methods

Examples:
  cranfield tune-fuse qrels.txt bm25.run dense.run --method wsum \\
    --space 'w=simplex(2) step 0.1'
  cranfield tune-fuse qrels.txt 'runs/*.run' --space 'k=log 1..1000' \\
    -m nDCG@10 -o tuned.run"
)]
pub struct TuneFuseArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Runs: files, quoted globs or folders
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Parameters and their values; may be repeated
    #[arg(long, value_name = "SPACE", required = true)]
    pub space: Vec<String>,
    /// Measure to optimise
    #[arg(short, long, value_name = "NAME", default_value = "AP")]
    pub measure: String,
    /// Fusion method; its parameters are the default point
    #[arg(long, value_name = "METHOD", default_value = "rrf(k=60)")]
    pub method: Method,
    /// Normalisation of scores; once for all runs, or once for each [default: min-max]
    #[arg(short, long = "norm", value_name = "NORM")]
    pub norms: Vec<Norm>,
    /// Documents per topic of the fused run
    #[arg(short, long, value_name = "N", default_value_t = 1000, value_parser = whole_number::<usize>)]
    pub depth: usize,
    #[command(flatten)]
    pub folding: FoldArgs,
    /// Format of the runs [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(RunFormat::ALL, RunFormat::name))]
    pub run_format: Option<RunFormat>,
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

pub(crate) fn run(
    args: &TuneFuseArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let paths = expand_paths(&args.runs)?;
    let inputs = paths.iter().chain([&args.qrels]).map(PathBuf::as_path);
    check_output(args.output.as_deref(), inputs)?;
    let space: Space = args.space.join(";").parse().map_err(error)?;
    let qrels = read_qrels(&Source::open(&args.qrels)?, args.folding.qrels_format)?;
    let judge = QrelsJudge::new(qrels, &args.measure).map_err(error)?;
    let read = |path: &PathBuf| read_run(&Source::open(path)?, args.run_format);
    let runs = paths.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let fusion = Fusion {
        norms: args.norms.clone(),
        depth: Some(args.depth),
        ..Fusion::new(args.method)
    };
    let candidate = FusionCandidate::new(runs, fusion).map_err(error)?;
    let default = candidate.default_point(space.names()).map_err(error)?;
    let topics = candidate.topics();
    let judged = judge.judged(&topics);
    if !args.quiet {
        let unjudged = topics.len() - judged.len();
        notes::write_all(notes_of(unjudged, &[], &default), err)?;
    }
    let mut tuner = Tuner::new(&candidate, &judge, judged, space, default).map_err(error)?;
    let tuned = tuner.tune(&args.folding.settings()?).map_err(error)?;
    if let Some(path) = &args.output {
        save(&tuner, &tuned, &topics, path)?;
    }
    out.write_all(tuned.render(args.format, terminal_width())?.as_bytes())?;
    Ok(exit_code::OK)
}
