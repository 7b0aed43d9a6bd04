//! `cranfield fuse`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use cranfield::compare::Progress;
use cranfield::core::policy::TieBreak;
use cranfield::core::setting::SettingStyle;
use cranfield::fusion::{self, Fusion, Method, Missing, Norm, Profile};
use cranfield::io::{QrelsFormat, RunFormat, Source, expand_paths, read_qrels};
use cranfield::lab::{FuseRequest, fuse_files};

use crate::exit_code;
use crate::lazy::positive_number;
use crate::names::one_of;
use crate::output::notes;
use crate::output_args::check_output;
use crate::progress::ProgressLine;

/// Fuses runs into one and writes it, and next to it a file RUN.yaml that says how it was made. The topics are those that any run has; a run without a topic has an
/// empty list for it. Ranks are made from scores, never read from the rank column. Equal fused scores are in descending order of document ids.
#[derive(Debug, Args)]
#[command(after_help = "Methods:
  of scores: min max med sum anz mnz gmnz(gamma=0.5);
             wsum wmnz mixed (with --weights)
  of ranks:  rrf(k=60) rbc(phi=0.8) (weights optional)
             isr log_isr logn_isr(sigma=0.01)
  of votes:  bordafuse condorcet copeland;
             w_bordafuse w_condorcet (with --weights)
  trained:   posfuse probfuse(segments=25) segfuse slidefuse(w=5) mapfuse
             bayesfuse (with --train)

Normalisations, for methods of scores:
  min-max min-max-inverted max sum zmuv(shift=0) rank borda dbsf
  sigmoid tmm(min=0) none

Examples:
  cranfield fuse bm25.run dense.run -o hybrid.run
  cranfield fuse bm25.run dense.run -o hybrid.run --method wsum \\
    --weights 0.3,0.7
  cranfield fuse bm25.run dense.run -o hybrid.run --method wsum \\
    --weights 0.3,0.7 --norm tmm --norm 'tmm(min=-1)'
  cranfield fuse 'runs/*.run' -o fused.run.gz --method posfuse \\
    --train train-qrels.txt")]
pub struct FuseArgs {
    /// Runs: files, quoted globs, folders, or - for standard input
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// The fused run; the extension selects format and compression; - for standard output
    #[arg(short, long, value_name = "RUN")]
    pub output: PathBuf,
    /// Fusion method
    #[arg(short, long, value_name = "METHOD", default_value = "rrf(k=60)")]
    pub method: Method,
    /// Normalisation of scores; once for all runs, or once for each [default: min-max]
    #[arg(short, long = "norm", value_name = "NORM")]
    pub norms: Vec<Norm>,
    /// Weights of the runs, separated by commas
    #[arg(
        short,
        long,
        value_name = "W,W,...",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    pub weights: Vec<f64>,
    /// Documents per topic of the fused run
    #[arg(short, long, value_name = "N", default_value_t = 1000, value_parser = positive_number::<usize>)]
    pub depth: usize,
    /// Documents per topic of each run that are used [default: all]
    #[arg(long, value_name = "N", value_parser = positive_number::<usize>)]
    pub input_depth: Option<usize>,
    /// Score of documents that a run lacks: ignore (none), or min (its lowest for the topic)
    #[arg(long, value_name = "RULE", default_value = "ignore", value_parser = one_of(Missing::ALL, Missing::name), hide_possible_values = true)]
    pub missing: Missing,
    /// Order of equal scores in the runs: docid-desc, docid-asc, input-order or file-order
    #[arg(long, value_name = "RULE", default_value = "docid-desc", value_parser = one_of(TieBreak::ALL, TieBreak::name), hide_possible_values = true)]
    pub ties: TieBreak,
    /// Edge cases as in another program: ranx
    #[arg(long, value_name = "NAME", default_value = "cranfield", value_parser = one_of(Profile::ALL, Profile::name), hide_possible_values = true)]
    pub profile: Profile,
    /// Judgements of the topics to train on
    #[arg(long, value_name = "QRELS")]
    pub train: Option<PathBuf>,
    /// Tag of the run [default: name of the method]
    #[arg(long, value_name = "TAG")]
    pub tag: Option<String>,
    /// Format of the runs [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(RunFormat::ALL, RunFormat::name))]
    pub run_format: Option<RunFormat>,
    /// Format of the judgements [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(QrelsFormat::ALL, QrelsFormat::name))]
    pub qrels_format: Option<QrelsFormat>,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Suppress notes and progress on standard error
    #[arg(long)]
    pub quiet: bool,
}

impl FuseArgs {
    fn fusion(&self) -> Fusion {
        Fusion {
            method: self.method,
            norms: self.norms.clone(),
            weights: self.weights.clone(),
            input_depth: self.input_depth,
            depth: Some(self.depth),
            missing: self.missing,
            profile: self.profile,
            ties: self.ties,
            trained: None,
        }
    }
}

pub(crate) fn run(
    args: &FuseArgs,
    progress: Option<Progress>,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let runs = expand_paths(&args.runs)?;
    let inputs = runs.iter().chain(&args.train).map(PathBuf::as_path);
    check_output(Some(&args.output), inputs)?;
    let train = args.train.as_deref();
    let read = |path: &Path| read_qrels(&Source::open(path)?, args.qrels_format);
    let line = ProgressLine::new(progress, args.quiet);
    let request = FuseRequest {
        runs,
        run_format: args.run_format,
        fusion: args.fusion(),
        train: train.map(read).transpose()?,
        tag: args.tag.clone(),
        progress: line.progress.clone(),
    };
    let threads = args.threads.map(usize::from);
    let fused = cranfield::engine::with_threads(threads, || fuse_files(&request, &args.output))?;
    let summary = fused.map_err(error)?;
    if !args.quiet {
        notes::write_all(summary.notes(), err)?;
    }
    Ok(exit_code::OK)
}

/// The errors of the library, with their own exit codes.
pub(super) fn error(error: fusion::Error) -> anyhow::Error {
    match error {
        fusion::Error::Input(error) => error.into(),
        fusion::Error::Setting(error) => error.into(),
        error => anyhow::anyhow!(error.render(SettingStyle::CommandLine)),
    }
}
