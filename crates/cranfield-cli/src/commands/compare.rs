//! `cranfield compare`.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use cranfield::compare::{
    By, Compared, Comparison, ComparisonOutput, ComparisonPlan, Parts, Step, StepWatcher,
    Weightings,
};
use cranfield::core::policy::Policies;
use cranfield::core::scenario::BoundScenario;
use cranfield::{Evaluation, Request};

use super::eval::{scenario_files, scenarios_of};
use crate::args::ResultFormat;
use crate::comparing::ComparisonArgs;
use crate::exit_code;
use crate::inputs::InputArgs;
use crate::output::notes;
use crate::output_args::{OutputArgs, check_output, without_trec};
use crate::planned;
use crate::progress::Progress;

/// Prints the mean of each run with its confidence interval, the ranks that it takes when topics are resampled, and groups of
/// runs that do not differ significantly. For each pair of runs: the difference with its interval, effect size, corrected
/// p-value, and a sentence with what can be claimed.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield compare qrels.txt 'runs/*.run' -m 'nDCG@10 AP'
  cranfield compare qrels.txt new.run old.run -m AP --baseline old
  cranfield compare qrels.txt 'runs/*.run' -m AP --test tukey --pairs
  cranfield compare qrels.txt 'runs/*.run' -m AP -f latex -o table.tex
  cranfield compare qrels.txt 'runs/*.run' -m nDCG@10 --gains 0,1,1,1 --gains 0,1,10,100
  cranfield compare qrels.txt 'runs/*.run' --plan plan.toml --methods"
)]
pub struct CompareArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Runs: files, quoted globs, folders, or - for standard input
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Measures, separated by spaces; see `cranfield measures` [default: nDCG@10 AP]
    #[arg(short, long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// Compare by scenarios: impatient, patient, or those of a TOML file; -m replaces their measures
    #[arg(long = "scenario", value_name = "NAME")]
    pub scenarios: Vec<String>,
    /// Gains of grades 0, 1, 2, ..., such as 0,1,10,100; repeat to compare by several tables of gains
    #[arg(long, value_name = "GAINS", conflicts_with = "scenarios")]
    pub gains: Vec<String>,
    /// Analysis plan (TOML), written before the experiment: what it names is confirmatory, everything else exploratory
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ComparisonPlan::FIXED,
        conflicts_with_all = ["scenarios", "gains"]
    )]
    pub plan: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Statistics")]
    #[allow(missing_docs, reason = "its options have their own help")]
    pub comparison: ComparisonArgs,
    /// Print all pairs [default: if there are at most 10]
    #[arg(long, help_heading = "Output")]
    pub pairs: bool,
    /// Print the claims of all pairs [default: if there are at most 10]
    #[arg(long, help_heading = "Output")]
    pub claims: bool,
    /// Append a paragraph on methods, for a paper
    #[arg(long, help_heading = "Output")]
    pub methods: bool,
    #[command(flatten, next_help_heading = "Output")]
    #[allow(missing_docs, reason = "its options have their own help")]
    pub output: OutputArgs,
    #[command(flatten, next_help_heading = "Input")]
    #[allow(missing_docs, reason = "its options have their own help")]
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
    watcher: Option<StepWatcher<'_>>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let progress = Progress::new(watcher, args.output.quiet);
    let watch = |step: Step<'_>| progress.report(step);
    let (asked, evaluation) = Asked::evaluated(args, &watch)?;
    let compared = asked.compared(args, &evaluation, &watch)?;
    drop(progress);
    asked.write(args, &evaluation, &compared, out, err)
}

pub(crate) fn check_values(policies: &Policies) -> anyhow::Result<()> {
    anyhow::ensure!(
        !policies.are_bounds(),
        "the policy `bounds` gives intervals, which cannot be compared; choose another value"
    );
    Ok(())
}

/// What runs are compared by.
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
    /// What to compare by, and the options of the evaluation.
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

    /// What to compare by, and the evaluation of the files.
    fn evaluated(args: &CompareArgs, watch: StepWatcher<'_>) -> anyhow::Result<(Self, Evaluation)> {
        let (asked, inputs) = Self::of(args)?;
        let request = asked.request(args, &inputs)?;
        check_values(&request.policies)?;
        let named = args.plan.as_deref().into_iter();
        let files = request.files().into_iter().chain(named);
        let files = files.chain(scenario_files(&args.scenarios));
        check_output(args.output.output.as_deref(), files)?;
        Ok((asked, Evaluation::of_files_watched(request, watch)?))
    }

    /// Compares with the settings and threads of the arguments.
    fn compared(
        &self,
        args: &CompareArgs,
        evaluation: &Evaluation,
        watcher: StepWatcher<'_>,
    ) -> anyhow::Result<Compared> {
        let settings = args.comparison.settings();
        let threads = args.inputs.threads.map(usize::from);
        let compare = || Compared::of(evaluation, self.by(), &settings, watcher);
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
        args.output.format,
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
