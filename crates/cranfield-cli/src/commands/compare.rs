//! `cranfield compare`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use cranfield::compare::{
    By, Compared, Comparison, ComparisonOutput, ComparisonPlan, Labels, Parts, Progress, Settings,
    Weightings, check_values,
};
use cranfield::measures::scenario::BoundScenario;
use cranfield::{Evaluation, Request};

use super::eval::{scenario_files, scenarios_of};
use crate::args::ResultFormat;
use crate::comparing::ComparisonArgs;
use crate::exit_code;
use crate::inputs::InputArgs;
use crate::output::notes;
use crate::output_args::{OutputArgs, check_output, without_trec};
use crate::planned;
use crate::progress::ProgressLine;
use crate::titles::{TitleArgs, topics_of};

/// For each run, prints the mean with a confidence interval, its likely range of ranks, and the group of runs from
/// which it does not differ significantly. For each pair of runs, prints the difference with its interval, effect size
/// and corrected p-value, and a sentence that says what can be claimed.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield compare qrels.txt 'runs/*.run' -m 'nDCG@10 AP'
  cranfield compare qrels.txt new.run old.run -m AP --baseline old
  cranfield compare qrels.txt 'runs/*.run' -m AP --test tukey --pairs
  cranfield compare qrels.txt 'runs/*.run' -m AP -f latex -o table.tex
  cranfield compare qrels.txt 'runs/*.run' -m nDCG@10 \\
    --gains 0,1,1,1 --gains 0,1,10,100
  cranfield compare qrels.txt 'runs/*.run' --plan plan.toml --methods"
)]
pub struct CompareArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Runs: files, quoted globs, folders, or - for standard input
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Measures, separated by commas or spaces; see `cranfield measures` [default: nDCG@10,AP]
    #[arg(short, long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// Compare under a scenario: impatient, patient, or those in a TOML file; -m replaces its measures
    #[arg(long = "scenario", value_name = "NAME")]
    pub scenarios: Vec<String>,
    /// Gains of the grades 0, 1, 2 and so on, such as 0,1,10,100; repeat to compare several tables
    #[arg(long, value_name = "GAINS", conflicts_with = "scenarios")]
    pub gains: Vec<String>,
    /// Analysis plan (TOML), written before the experiment; its comparisons are confirmatory, all others exploratory
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ComparisonPlan::FIXED,
        conflicts_with_all = ["scenarios", "gains"]
    )]
    pub plan: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Statistics")]
    pub comparison: ComparisonArgs,
    /// Print all pairs, even if there are more than 10
    #[arg(long, help_heading = "Output")]
    pub pairs: bool,
    /// Print the claims of all pairs, even if there are more than 10
    #[arg(long, help_heading = "Output")]
    pub claims: bool,
    /// Append a methods paragraph for a paper
    #[arg(long, help_heading = "Output")]
    pub methods: bool,
    #[command(flatten, next_help_heading = "Output")]
    pub titles: TitleArgs,
    #[command(flatten, next_help_heading = "Output")]
    pub output: OutputArgs,
    #[command(flatten, next_help_heading = "Input")]
    pub inputs: InputArgs,
}

/// Measures without `-m`.
pub const DEFAULT_MEASURES: &str = "nDCG@10 AP";

/// The names of measures, separated by spaces.
fn names_of(measures: &[String]) -> String {
    match measures {
        [] => DEFAULT_MEASURES.to_owned(),
        names => names.join(" "),
    }
}

/// The evaluation of a command that compares runs by measures and writes to `output`.
pub(super) fn request_of(
    inputs: &InputArgs,
    measures: &[String],
    (qrels, runs): (&Path, &[PathBuf]),
    output: Option<&Path>,
) -> anyhow::Result<Request> {
    let request = Request {
        measures: inputs.measures(&names_of(measures))?,
        ..inputs.request(qrels, runs)?
    };
    inputs.check_levels(&request)?;
    check_values(&request.policies)?;
    check_output(output, request.files())?;
    Ok(request)
}

pub(crate) fn run(
    args: &CompareArgs,
    progress: Option<Progress>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let line = ProgressLine::new(progress, args.output.quiet);
    let titles = args.titles.open()?;
    let (mut asked, evaluation) = Asked::evaluated(args, &line.progress)?;
    let labels = titles.labels(&topics_of(&evaluation), &BTreeSet::new())?;
    let compared = asked.compared(args, &evaluation, &labels, &line.progress)?;
    drop(line);
    if !args.output.quiet {
        titles.write_note(&labels, err)?;
    }
    asked.write(args, &evaluation, &compared, out, err)
}

/// The basis of a comparison.
enum Asked {
    Measures(String),
    Scenarios {
        scenarios: Vec<BoundScenario>,
        /// Measures that do not depend on gains.
        apart: Vec<String>,
    },
    Plan(Box<ComparisonPlan>),
}

impl Asked {
    /// The basis of the comparison, and the options of the evaluation.
    fn of(args: &CompareArgs) -> anyhow::Result<(Self, Cow<'_, InputArgs>)> {
        if let Some(path) = &args.plan {
            let (plan, inputs) = planned::read(path, &args.inputs)?;
            return Ok((Self::Plan(Box::new(plan)), Cow::Owned(inputs)));
        }
        let names = names_of(&args.measures);
        let inputs = Cow::Borrowed(&args.inputs);
        let asked = (!args.measures.is_empty()).then_some(&*names);
        let (mut scenarios, mut apart) = (scenarios_of(&args.scenarios, asked)?, Vec::new());
        if !args.gains.is_empty() {
            let weightings = Weightings::of(&args.gains, &names)?;
            (scenarios, apart) = (weightings.scenarios, weightings.apart);
        }
        if scenarios.is_empty() {
            return Ok((Self::Measures(names), inputs));
        }
        let conventions = inputs.conventions();
        let bound = scenarios.iter().map(|scenario| scenario.bind(&conventions));
        let scenarios = bound.collect::<Result<_, _>>()?;
        Ok((Self::Scenarios { scenarios, apart }, inputs))
    }

    fn request(&self, args: &CompareArgs, inputs: &InputArgs) -> anyhow::Result<Request> {
        let request = inputs.request(&args.qrels, &args.runs)?;
        let request = match self {
            Self::Measures(names) => Request {
                measures: inputs.measures(names)?,
                ..request
            },
            Self::Scenarios { scenarios, .. } => Request {
                topic_vectors: true,
                ..request.under(scenarios)
            },
            Self::Plan(plan) => {
                let asked = plan.measures.join(" ") + " " + &args.measures.join(" ");
                let mut measures = inputs.measures(&asked)?;
                let mut names = BTreeSet::new();
                measures.retain(|measure| names.insert(measure.to_string()));
                Request {
                    measures,
                    ..request
                }
            }
        };
        inputs.check_levels(&request)?;
        Ok(request)
    }

    /// The basis of the comparison, and the evaluation of the files.
    fn evaluated(args: &CompareArgs, progress: &Progress) -> anyhow::Result<(Self, Evaluation)> {
        let (asked, inputs) = Self::of(args)?;
        let request = Request {
            progress: progress.clone(),
            ..asked.request(args, &inputs)?
        };
        check_values(&request.policies)?;
        let named = args.plan.as_deref().into_iter();
        let files = request.files().into_iter().chain(named);
        let files = files.chain(scenario_files(&args.scenarios));
        let files = files.chain(args.titles.file());
        check_output(args.output.output.as_deref(), files)?;
        Ok((asked, Evaluation::of_files(request)?))
    }

    /// Compares with the settings and threads of the arguments.
    fn compared(
        &mut self,
        args: &CompareArgs,
        evaluation: &Evaluation,
        labels: &Labels,
        progress: &Progress,
    ) -> anyhow::Result<Compared> {
        let settings = Settings {
            labels: labels.clone(),
            progress: progress.clone(),
            ..args.comparison.settings()
        };
        if let Self::Plan(plan) = self {
            plan.settings.progress = progress.clone();
            plan.settings.labels = labels.clone();
        }
        let threads = args.inputs.threads.map(usize::from);
        let compare = || Compared::of(evaluation, self.by(), &settings);
        Ok(cranfield::engine::with_threads(threads, compare)??)
    }

    /// Writes notes and the result.
    fn write(
        &self,
        args: &CompareArgs,
        evaluation: &Evaluation,
        compared: &Compared,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> anyhow::Result<u8> {
        if !args.output.quiet {
            notes::write(evaluation, err)?;
            if let Self::Scenarios { apart, .. } = self
                && !apart.is_empty()
            {
                let names = apart.join(" ");
                notes::line(
                    err,
                    format_args!("{names} do not depend on gains and are shown once"),
                )?;
            }
            for part in compared.parts() {
                write_notes(part, args, err)?;
            }
        }
        let result = ComparisonOutput {
            evaluation,
            compared,
            parts: &Parts {
                pairs: args.pairs,
                claims: args.claims,
                methods: args.methods,
                digits: usize::from(args.output.digits),
            },
        };
        args.output.print(&result, out)?;
        Ok(exit_code::OK)
    }

    fn by(&self) -> By<'_> {
        match self {
            Self::Measures(_) => By::Measures,
            Self::Scenarios { scenarios, .. } => By::Scenarios(scenarios),
            Self::Plan(plan) => By::Plan(plan),
        }
    }
}

fn write_notes(
    comparison: &Comparison,
    args: &CompareArgs,
    err: &mut dyn Write,
) -> std::io::Result<()> {
    notes::write_all(comparison.notes(), err)?;
    let hidden = comparison.hidden_pairs();
    let is_page = matches!(
        args.output.format(),
        ResultFormat::Table | ResultFormat::Md | ResultFormat::Html
    );
    if hidden > 0 && is_page && !(args.pairs && args.claims) {
        writeln!(
            err,
            "note: {hidden} pairs were tested; --pairs and --claims print them"
        )?;
    }
    Ok(())
}
