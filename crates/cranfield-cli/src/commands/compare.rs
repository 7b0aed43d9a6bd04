//! `cranfield compare`.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use cranfield::compare::{
    CompareError, Comparison, Family, Parts, Plan, Planned, Settings, Step, StepWatcher,
    compare_planned, compare_scenarios, compare_watched,
};
use cranfield::core::policy::{Policies, TieBreak, Unjudged};
use cranfield::core::scenario::BoundScenario;
use cranfield::report::{Format, PageFormat};
use cranfield::{Evaluation, Request, Scenario, scenario_columns};

use super::eval::scenarios_named;
use crate::args::ResultFormat;
use crate::comparing::ComparisonArgs;
use crate::exit_code;
use crate::inputs::InputArgs;
use crate::output::{comparison, notes, terminal_width};
use crate::output_args::OutputArgs;
use crate::progress::ProgressLine;

/// Means with intervals, ranks that resampled topics allow, groups of runs that cannot be told apart, and for each pair
/// the difference, its interval, effect size, corrected p-value and a sentence that says what may be claimed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cranfield compare qrels.txt 'runs/*.run' -m 'nDCG@10 AP'
  cranfield compare qrels.txt new.run old.run -m AP --baseline old
  cranfield compare qrels.txt 'runs/*.run' -m AP --test tukey --pairs
  cranfield compare qrels.txt 'runs/*.run' -m AP -f latex -o table.tex
  cranfield compare qrels.txt 'runs/*.run' -m nDCG@10 --gains 0,1,1,1 --gains 0,1,10,100
  cranfield compare qrels.txt 'runs/*.run' --plan plan.toml --methods")]
pub struct CompareArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Runs: files, quoted globs, folders, or - for standard input
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Measures, separated by blanks; see `cranfield measures`. Without it: nDCG@10 AP
    #[arg(short, long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// A plan (TOML) that was written beforehand: what it names is confirmatory, all else exploratory
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scenarios", "gains"])]
    pub plan: Option<PathBuf>,
    /// Compare by scenarios: impatient, patient, or those of a TOML file; -m replaces their measures
    #[arg(long = "scenario", value_name = "NAME")]
    pub scenarios: Vec<String>,
    /// Compare by each measure under each of these tables of gains, such as 0,1,10,100 for grades 0 to 3; may be given again
    #[arg(long, value_name = "GAINS", conflicts_with = "scenarios")]
    pub gains: Vec<String>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub comparison: ComparisonArgs,
    /// Show all pairs, however many
    #[arg(long)]
    pub pairs: bool,
    /// Show all claims, however many
    #[arg(long)]
    pub claims: bool,
    /// Add a paragraph on methods, for a paper
    #[arg(long)]
    pub methods: bool,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub output: OutputArgs,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub inputs: InputArgs,
}

/// The measures where the user asks for none.
const DEFAULT_MEASURES: &str = "nDCG@10 AP";

pub(crate) fn run(
    args: &CompareArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    check_format(args)?;
    let line = ProgressLine::unless(args.output.quiet);
    let watch = |step: Step<'_>| line.iter().for_each(|line| line.show(step));
    let asked = Asked::of(args)?;
    let evaluation = asked.evaluation(args)?;
    let compared = asked.compared(args, &evaluation, &watch)?;
    drop(line);
    tell(args, &evaluation, &compared, out, err)
}

/// Compares the runs of an evaluation, or else those of the files, by their measures or whatever the arguments say; `watch` is
/// told of each step.
///
/// # Errors
/// If an input is invalid, the options make no sense, or output cannot be written.
pub fn run_watched(
    args: &CompareArgs,
    evaluation: Option<Evaluation>,
    watch: StepWatcher<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    check_format(args)?;
    let (asked, evaluation) = if let Some(evaluation) = evaluation {
        anyhow::ensure!(
            args.plan.is_none() && args.scenarios.is_empty() && args.gains.is_empty(),
            "plans, scenarios and gains are for the measures of Cranfield alone"
        );
        check_values(&evaluation.plan.policies)?;
        (Asked::Measures(String::new()), evaluation)
    } else {
        let asked = Asked::of(args)?;
        let evaluation = asked.evaluation(args)?;
        (asked, evaluation)
    };
    let compared = asked.compared(args, &evaluation, watch)?;
    tell(args, &evaluation, &compared, out, err)
}

fn check_format(args: &CompareArgs) -> anyhow::Result<()> {
    anyhow::ensure!(
        args.output.format != ResultFormat::Trec,
        "trec_eval prints no comparisons; choose another format"
    );
    Ok(())
}

fn check_values(policies: &Policies) -> anyhow::Result<()> {
    anyhow::ensure!(
        policies.unjudged != Unjudged::Bounds && policies.ties != TieBreak::Bounds,
        "bounds are intervals, which cannot be compared; choose a rule that gives one value"
    );
    Ok(())
}

/// Writes notes and the result.
fn tell(
    args: &CompareArgs,
    evaluation: &Evaluation,
    compared: &Compared,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    if !args.output.quiet {
        notes::write(evaluation, err)?;
        for part in compared.parts() {
            write_notes(part, args, err)?;
        }
    }
    let text = render(evaluation, compared, args)?;
    args.output.write(&text, out)?;
    Ok(exit_code::OK)
}

/// By what runs are compared.
enum Asked {
    Measures(String),
    Scenarios(Vec<BoundScenario>),
    Plan(Box<Plan>),
}

/// Runs, compared.
pub(crate) enum Compared {
    Freely(Comparison),
    Planned(Box<Planned>),
}

impl Compared {
    /// The comparison, or the parts of one by plan.
    pub(crate) fn parts(&self) -> Vec<&Comparison> {
        match self {
            Self::Freely(comparison) => vec![comparison],
            Self::Planned(planned) => planned.parts().collect(),
        }
    }

    fn methods(&self) -> String {
        match self {
            Self::Freely(comparison) => comparison.methods(),
            Self::Planned(planned) => planned.methods(),
        }
    }
}

impl Asked {
    fn of(args: &CompareArgs) -> anyhow::Result<Self> {
        let names = match args.measures.as_slice() {
            [] => DEFAULT_MEASURES.to_owned(),
            names => names.join(" "),
        };
        let conventions = args.inputs.conventions();
        if let Some(path) = &args.plan {
            let plan = Plan::read(path, &conventions)?;
            check_options(&args.comparison, &plan)?;
            return Ok(Self::Plan(Box::new(plan)));
        }
        let mut scenarios = scenarios_named(&args.scenarios)?;
        if !args.measures.is_empty() {
            let asked = scenarios.into_iter().map(|one| one.with_measures(&names));
            scenarios = asked.collect::<Result<_, _>>()?;
        }
        let weightings = args.gains.iter().map(|gains| weighting(gains, &names));
        scenarios.extend(weightings.collect::<anyhow::Result<Vec<_>>>()?);
        if scenarios.is_empty() {
            return Ok(Self::Measures(names));
        }
        let bound = scenarios.iter().map(|scenario| scenario.bind(&conventions));
        Ok(Self::Scenarios(bound.collect::<Result<_, _>>()?))
    }

    fn request(&self, args: &CompareArgs) -> anyhow::Result<Request> {
        let request = args.inputs.request(&args.qrels, &args.runs)?;
        let request = match self {
            Self::Measures(names) => Request {
                measures: args.inputs.measures(names)?,
                ..request
            },
            Self::Scenarios(scenarios) => Request {
                topic_vectors: true,
                ..request.under(scenarios)
            },
            Self::Plan(plan) => {
                let asked = plan.measures.join(" ") + " " + &args.measures.join(" ");
                let mut measures = args.inputs.measures(&asked)?;
                let mut names = BTreeSet::new();
                measures.retain(|measure| names.insert(measure.to_string()));
                Request {
                    measures,
                    ..request
                }
            }
        };
        args.inputs.check_levels(&request)?;
        Ok(request)
    }

    /// Reads and evaluates the files.
    fn evaluation(&self, args: &CompareArgs) -> anyhow::Result<Evaluation> {
        let request = self.request(args)?;
        check_values(&request.policies)?;
        Ok(Evaluation::of_files(request)?)
    }

    /// Compares on as many threads as the user wants.
    fn compared(
        &self,
        args: &CompareArgs,
        evaluation: &Evaluation,
        watcher: StepWatcher<'_>,
    ) -> anyhow::Result<Compared> {
        let threads = args.inputs.threads.map(usize::from);
        Ok(cranfield::engine::with_threads(threads, || {
            self.compare(evaluation, &args.comparison.settings(), watcher)
        })??)
    }

    fn compare(
        &self,
        evaluation: &Evaluation,
        settings: &Settings,
        watcher: StepWatcher<'_>,
    ) -> Result<Compared, CompareError> {
        Ok(match self {
            Self::Measures(_) => Compared::Freely(compare_watched(evaluation, settings, watcher)?),
            Self::Scenarios(scenarios) => {
                let columns = scenario_columns(scenarios);
                Compared::Freely(compare_scenarios(evaluation, &columns, settings)?)
            }
            Self::Plan(plan) => Compared::Planned(Box::new(compare_planned(evaluation, plan)?)),
        })
    }
}

/// A table of gains as a scenario that is named by it.
fn weighting(gains: &str, measures: &str) -> anyhow::Result<Scenario> {
    let scenario = Scenario {
        name: gains.replace([',', ' '], "-"),
        parameters: vec![("gains".into(), gains.into())],
        ..Scenario::default()
    };
    let scenario = scenario.with_measures(measures)?;
    anyhow::ensure!(
        !scenario.parameters.is_empty(),
        "--gains {gains}: none of the measures {measures} has gains; nDCG, DCG, nCG and CG do"
    );
    Ok(scenario)
}

/// Options that contradict a plan are refused: the plan says how, and was there first.
fn check_options(given: &ComparisonArgs, plan: &Plan) -> anyhow::Result<()> {
    let (planned, tests) = (&plan.settings, &given.tests);
    let family = |family: Family| match family {
        Family::Measure => "measure",
        Family::All => "all",
    };
    let options: [(&str, Option<String>, String); 8] = [
        (
            "test",
            tests.test.map(|test| test.to_string()),
            planned.test.to_string(),
        ),
        (
            "correction",
            tests.correction.map(|one| one.name().into()),
            planned.correction().name().into(),
        ),
        (
            "family",
            given.family.map(|one| family(one.into()).into()),
            family(planned.family).into(),
        ),
        (
            "alpha",
            tests.alpha.map(|alpha| alpha.to_string()),
            planned.alpha.to_string(),
        ),
        (
            "margin",
            given.margin.map(|margin| margin.to_string()),
            planned
                .margin
                .map_or("none".into(), |margin| margin.to_string()),
        ),
        (
            "replicates",
            tests.replicates.map(|count| count.to_string()),
            planned.resampling.replicates.to_string(),
        ),
        (
            "seed",
            tests.seed.map(|seed| seed.to_string()),
            planned.resampling.seed.to_string(),
        ),
        (
            "baseline",
            (!given.baseline.is_empty()).then(|| given.baseline.join(" ")),
            planned.baselines.join(" "),
        ),
    ];
    for (option, given, planned) in options {
        if let Some(given) = given
            && given != planned
        {
            let planned = if planned.is_empty() { "none" } else { &planned };
            anyhow::bail!(
                "--{option} {given} contradicts {}, which has {planned}; leave the option out, or change the plan",
                plan.path
            );
        }
    }
    Ok(())
}

fn write_notes(
    comparison: &Comparison,
    args: &CompareArgs,
    err: &mut dyn Write,
) -> std::io::Result<()> {
    for table in &comparison.measures {
        let topics = &table.topics;
        if topics.left_out > 0 {
            let (measure, topics) = (&table.measure, notes::plural(topics.left_out, "topic"));
            writeln!(
                err,
                "note: {measure}: {topics} left out, where a run has no value"
            )?;
        }
        if topics.zeros > 0 {
            let (measure, values) = (
                &table.measure,
                notes::plural(topics.zeros, "undefined value"),
            );
            writeln!(err, "note: {measure}: {values} counted as 0")?;
        }
    }
    let hidden = comparison.hidden_pairs();
    let is_page = matches!(
        args.output.format,
        ResultFormat::Table | ResultFormat::Md | ResultFormat::Html
    );
    if hidden > 0 && is_page && !(args.pairs && args.claims) {
        writeln!(
            err,
            "note: {hidden} pairs were tested; --pairs shows them, --claims what may be said"
        )?;
    }
    Ok(())
}

fn render(
    evaluation: &Evaluation,
    compared: &Compared,
    args: &CompareArgs,
) -> anyhow::Result<String> {
    let parts = Parts {
        pairs: args.pairs,
        claims: args.claims,
        methods: args.methods,
        digits: usize::from(args.output.digits),
    };
    let page = |format| {
        let page = match compared {
            Compared::Freely(comparison) => comparison.page(&parts),
            Compared::Planned(planned) => planned.page(&parts),
        };
        page.render(format, terminal_width())
    };
    Ok(match args.output.format {
        ResultFormat::Table => page(PageFormat::Text),
        ResultFormat::Md => page(PageFormat::Markdown),
        ResultFormat::Html => page(PageFormat::Html),
        ResultFormat::Latex | ResultFormat::Trec => match compared {
            Compared::Freely(comparison) => comparison.latex(&parts),
            Compared::Planned(planned) => planned.latex(&parts),
        },
        ResultFormat::Csv => comparison::records(compared).render(Format::Csv),
        ResultFormat::Tsv => comparison::records(compared).render(Format::Tsv),
        ResultFormat::Jsonl => comparison::jsonl(compared),
        ResultFormat::Json => {
            let methods = compared.methods();
            let document = comparison::document(evaluation, compared, &methods);
            serde_json::to_string_pretty(&document)? + "\n"
        }
    })
}
