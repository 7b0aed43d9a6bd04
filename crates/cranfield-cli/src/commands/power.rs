//! `cranfield power`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use cranfield::power::{Power, Settings};
use cranfield::{Evaluation, Request};

use super::compare::request_of;
use crate::exit_code;
use crate::inputs::InputArgs;
use crate::lazy::whole_number;
use crate::output::notes;
use crate::output::sections::{Found, document};
use crate::output_args::{OutputArgs, without_trec};
use crate::uses;

/// The least difference that some numbers of topics show, and the topics that a difference needs: for a paired t test, for a
/// one-way analysis of variance, and for an interval. How much topics vary is told by a pilot, which is some runs evaluated
/// on some topics, or by --sd, the standard deviation of the differences of two runs over topics.
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
    /// Relevance judgements of a pilot
    pub qrels: Option<PathBuf>,
    /// Runs of the pilot, two or more: files, quoted globs, folders, or - for standard input
    #[arg(value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Measures, separated by blanks; see `cranfield measures`. Without it: nDCG@10 AP
    #[arg(short, long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// Differences of means to find, in units of the measure
    #[arg(long, value_name = "D,...", value_delimiter = ',')]
    pub difference: Vec<f64>,
    /// Widths that the interval of a difference may have
    #[arg(long, value_name = "W,...", value_delimiter = ',')]
    pub width: Vec<f64>,
    /// Numbers of topics to look at [default: that of the pilot, 25, 50, 100, 200]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = whole_number::<usize>)]
    pub sizes: Vec<usize>,
    /// Probability with which a difference is to be found
    #[arg(long, value_name = "P", default_value_t = 0.8)]
    pub power: f64,
    /// Significance level; intervals have the confidence 1 - alpha
    #[arg(long, value_name = "A", default_value_t = 0.05)]
    pub alpha: f64,
    /// Number of runs that the analysis of variance compares [default: those of the pilot, or 2]
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>)]
    pub among: Option<usize>,
    /// Standard deviation of the differences of two runs over topics, in place of a pilot
    #[arg(long, value_name = "S", conflicts_with_all = ["qrels", "measures"])]
    pub sd: Option<f64>,
    /// Differences to find in such standard deviations (effect sizes), in place of a pilot
    #[arg(
        long,
        value_name = "E,...",
        value_delimiter = ',',
        conflicts_with_all = ["qrels", "measures", "sd", "difference", "width"]
    )]
    pub effect: Vec<f64>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub output: OutputArgs,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub inputs: InputArgs,
}

pub(crate) fn run(
    args: &PowerArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    check_uses(args)?;
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
    let members = [
        ("settings", power.settings_object()),
        ("designs", power.objects().into()),
    ];
    let found = Found {
        sections: power.sections(usize::from(args.output.digits)),
        records: power.records(),
        objects: power.record_objects(),
        document: document(pilot.as_ref(), members),
    };
    args.output.write(&found.render(args.output.format)?, out)?;
    Ok(exit_code::OK)
}

/// Refuses options that would be ignored.
fn check_uses(args: &PowerArgs) -> anyhow::Result<()> {
    let in_place = [
        ("--sd", args.sd.is_some()),
        ("--effect", !args.effect.is_empty()),
    ];
    if let Some(what) = uses::first_given(in_place) {
        let why = "without the files of a pilot nothing is evaluated";
        uses::refuse(what, args.inputs.given(), why)?;
    }
    if args.difference.is_empty() && args.effect.is_empty() {
        let among = [("--among", args.among.is_some())];
        let why = "the analysis of variance tells the topics that a difference needs, so give --difference too";
        uses::refuse("a design without differences", among, why)?;
    }
    Ok(())
}

/// What is to be evaluated as a pilot; `None` without one.
fn request(args: &PowerArgs) -> anyhow::Result<Option<Request>> {
    let Some(qrels) = &args.qrels else {
        anyhow::ensure!(
            args.sd.is_some() || !args.effect.is_empty(),
            "how much topics vary is not known; give judgements and runs as a pilot, --sd or --effect"
        );
        return Ok(None);
    };
    anyhow::ensure!(
        !args.runs.is_empty(),
        "a pilot needs judgements and two or more runs; give the runs too"
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
