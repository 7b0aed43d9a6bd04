//! `cranfield discriminate`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use cranfield::Evaluation;
use cranfield::discriminate::{Discrimination, DiscriminationOutput, Settings, Test};
use cranfield::stats::random::Resampling;

use super::compare::request_of;
use crate::comparing::named;
use crate::exit_code;
use crate::inputs::InputArgs;
use crate::lazy::whole_number;
use crate::output::notes;
use crate::output_args::{OutputArgs, without_trec};

/// For each measure, prints the fraction of pairs of runs that differ significantly (power) and the largest difference
/// that does not (above). Then splits the topics at random and prints how often the two halves order a pair differently
/// (swaps), the difference from which this is rare (sure), and how often one half contradicts the majority (error) or
/// cannot decide (ties).
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield discriminate qrels.txt 'runs/*.run' -m 'AP nDCG@10 P@10 RR'
  cranfield discriminate qrels.txt runs -m AP --test randomised-tukey
  cranfield discriminate qrels.txt runs -m 'AP P@10' --curves -f csv"
)]
pub struct DiscriminateArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Runs, two or more: files, quoted globs, folders, or - for standard input
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Measures, separated by commas or spaces; see `cranfield measures` [default: nDCG@10,AP]
    #[arg(short, long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// Test of all pairs: tukey or randomised-tukey
    #[arg(long, value_name = "TEST", value_parser = named::<Test>, default_value = "tukey")]
    pub test: Test,
    /// Significance level
    #[arg(long, value_name = "A", default_value_t = 0.05)]
    pub alpha: f64,
    /// Number of topics in each half [default: half of the topics]
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>)]
    pub half: Option<usize>,
    /// Bin width for differences, in units of the measure
    #[arg(long, value_name = "W", default_value_t = 0.01)]
    pub bin: f64,
    /// Highest swap rate at which a difference is sure
    #[arg(long, value_name = "R", default_value_t = 0.05)]
    pub rate: f64,
    /// Treat means as tied if they differ by at most this fraction of the larger one
    #[arg(long, value_name = "F", default_value_t = 0.05)]
    pub fuzziness: f64,
    /// Number of random halves, and of permutations of the test
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = whole_number::<usize>)]
    pub replicates: usize,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 42, value_parser = whole_number::<u64>)]
    pub seed: u64,
    /// Also print swap rates by difference, and the p-values of all pairs (json always has them)
    #[arg(long)]
    pub curves: bool,
    #[command(flatten, next_help_heading = "Output")]
    pub output: OutputArgs,
    #[command(flatten, next_help_heading = "Input")]
    pub inputs: InputArgs,
}

pub(crate) fn run(
    args: &DiscriminateArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let files = (args.qrels.as_path(), args.runs.as_slice());
    let output = args.output.output.as_deref();
    let request = request_of(&args.inputs, &args.measures, files, output)?;
    let evaluation = Evaluation::of_files(request)?;
    let threads = args.inputs.threads.map(usize::from);
    let examine = || Discrimination::of(&evaluation, &settings(args));
    let found = cranfield::engine::with_threads(threads, examine)??;
    if !args.output.quiet {
        notes::write(&evaluation, err)?;
        notes::write_all(found.notes(), err)?;
    }
    let result = DiscriminationOutput {
        found: &found,
        evaluation: &evaluation,
        curves: args.curves,
        digits: usize::from(args.output.digits),
    };
    args.output.print(&result, out)?;
    Ok(exit_code::OK)
}

fn settings(args: &DiscriminateArgs) -> Settings {
    Settings {
        test: args.test,
        alpha: args.alpha,
        half: args.half,
        bin: args.bin,
        rate: args.rate,
        fuzziness: args.fuzziness,
        resampling: Resampling {
            replicates: args.replicates,
            seed: args.seed,
        },
    }
}
