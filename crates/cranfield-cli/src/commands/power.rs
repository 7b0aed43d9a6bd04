//! `cranfield power`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use cranfield::power::{Power, PowerOutput, Settings};
use cranfield::{Evaluation, Request};

use super::compare::request_of;
use crate::exit_code;
use crate::inputs::InputArgs;
use crate::lazy::whole_number;
use crate::output::notes;
use crate::output_args::{OutputArgs, without_trec};

/// Prints the smallest difference that a number of topics can detect, and the number of topics needed to detect a
/// difference, for the paired t test and one-way analysis of variance. With --width, also prints the number of topics
/// needed for a confidence interval of that width. The variance comes from pilot runs or from --sd.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield power qrels.txt 'runs/*.run' -m 'nDCG@10 AP'
  cranfield power qrels.txt 'runs/*.run' -m AP --difference 0.02,0.05
  cranfield power qrels.txt 'runs/*.run' -m AP --sizes 50,250 --power 0.9
  cranfield power --sd 0.2 --difference 0.05 --among 10
  cranfield power --effect 0.2,0.5"
)]
pub struct PowerArgs {
    /// Relevance judgements of the pilot runs
    pub qrels: Option<PathBuf>,
    /// Pilot runs, two or more: files, quoted globs, folders, or - for standard input
    #[arg(value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Measures, separated by commas or spaces; see `cranfield measures` [default: nDCG@10,AP]
    #[arg(short, long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// Differences of means to detect, in units of the measure
    #[arg(long, value_name = "D,...", value_delimiter = ',')]
    pub difference: Vec<f64>,
    /// Widths of the confidence interval of a difference to reach
    #[arg(long, value_name = "W,...", value_delimiter = ',')]
    pub width: Vec<f64>,
    /// Numbers of topics to consider [default: that of the pilot runs, 25, 50, 100, 200]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = whole_number::<usize>)]
    pub sizes: Vec<usize>,
    /// Power, the probability of detecting a difference
    #[arg(long, value_name = "P", default_value_t = 0.8)]
    pub power: f64,
    /// Significance level; intervals have confidence 1 - alpha
    #[arg(long, value_name = "A", default_value_t = 0.05)]
    pub alpha: f64,
    /// Number of runs in the analysis of variance [default: that of the pilot runs, or 2]
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>)]
    pub among: Option<usize>,
    /// Standard deviation over topics of the difference between two runs; replaces pilot runs
    #[arg(long, value_name = "S", conflicts_with_all = ["qrels", "measures"])]
    pub sd: Option<f64>,
    /// Effect sizes to detect, in standard deviations of the difference; replace pilot runs
    #[arg(
        long,
        value_name = "E,...",
        value_delimiter = ',',
        conflicts_with_all = ["qrels", "measures", "sd", "difference", "width"]
    )]
    pub effect: Vec<f64>,
    #[command(flatten, next_help_heading = "Output")]
    pub output: OutputArgs,
    #[command(flatten, next_help_heading = "Input")]
    pub inputs: InputArgs,
}

pub(crate) fn run(
    args: &PowerArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let pilot = request(args)?.map(Evaluation::of_files).transpose()?;
    let power = match (&pilot, args.sd) {
        (Some(pilot), _) => Power::of_pilot(pilot, &settings(args))?,
        (None, Some(sd)) => Power::of_sd(sd, &settings(args))?,
        (None, None) => Power::of_effects(&settings(args))?,
    };
    if let (Some(pilot), false) = (&pilot, args.output.quiet) {
        notes::write(pilot, err)?;
        notes::write_all(power.notes(), err)?;
    }
    let result = PowerOutput {
        power: &power,
        pilot: pilot.as_ref(),
        digits: usize::from(args.output.digits),
    };
    args.output.print(&result, out)?;
    Ok(exit_code::OK)
}

/// The evaluation of the pilot runs, if there are any.
fn request(args: &PowerArgs) -> anyhow::Result<Option<Request>> {
    let Some(qrels) = &args.qrels else {
        anyhow::ensure!(
            args.sd.is_some() || !args.effect.is_empty(),
            "unknown variance: pass pilot runs with their judgements, --sd or --effect"
        );
        return Ok(None);
    };
    anyhow::ensure!(
        !args.runs.is_empty(),
        "expected two or more pilot runs after the judgements"
    );
    let output = args.output.output.as_deref();
    request_of(&args.inputs, &args.measures, (qrels, &args.runs), output).map(Some)
}

fn settings(args: &PowerArgs) -> Settings {
    let differences = match args.effect.as_slice() {
        [] => &args.difference,
        _ => &args.effect,
    };
    Settings {
        power: args.power,
        alpha: args.alpha,
        sizes: args.sizes.clone(),
        differences: differences.clone(),
        widths: args.width.clone(),
        among: args.among,
    }
}
