//! `cranfield eval`.

use std::cmp::Ordering;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use cranfield::core::measure::{BoundMeasure, Direction};
use cranfield::core::small_sort::SmallSort;
use cranfield::core::vectors::BoundVector;
use cranfield::io::QrelsFormat;
use cranfield::measures::scenario::BoundScenario;
use cranfield::measures::vectors::parse_vectors;
use cranfield::render::Render;
use cranfield::{EvaluatedRun, Evaluation, Plan, Request, Scenario};

use crate::args::{EvalArgs, Sort};
use crate::exit_code;
use crate::output::notes;
use crate::output::scenarios::ScenarioScores;
use crate::output::scores::{Scores, Shape};
use crate::output::sideways::Sideways;
use crate::output::topic_rows::{TopicRows, check_topics};
use crate::output::vectors::{Ranks, Vectors};
use crate::output_args::check_output;

/// Default measures for samples by strata.
const STRATA_MEASURES: &str = "xinfAP infNDCG iP@10 iNumRelRet iNumRel";

/// Default measures for samples with probabilities.
const PRELS_MEASURES: &str = "statAP statP@10 statNumRel";

/// Default measures for sessions.
const SESSION_MEASURES: &str = "nsDCG@10 SessionDCG@10";

/// Default measures for users who know some documents.
const KNOWN_MEASURES: &str = "Coverage Novelty RelativeRecall RecallEffort";

pub(crate) fn run(args: &EvalArgs, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<u8> {
    let scenarios = bound_scenarios(args)?;
    let request = request(args, &scenarios)?;
    let files = scenario_files(&args.scenarios);
    check_output(
        args.output.output.as_deref(),
        request.files().into_iter().chain(files),
    )?;
    let mut evaluation = Evaluation::of_files(request)?;
    sort(&mut evaluation, args.sort);
    if !args.output.quiet {
        notes::write(&evaluation, err)?;
        if !args.sideways.is_empty() {
            writeln!(
                err,
                "note: a dash means that the vector does not reach the level"
            )?;
        }
    }
    check_topics(&evaluation, &args.topic)?;
    let rows = TopicRows::new(&evaluation, args.per_topic, &args.topic);
    if let Some(note) = rows.note().filter(|_| !args.output.quiet) {
        notes::line(err, note)?;
    }
    let result = result(args, &evaluation, &scenarios, rows)?;
    args.output.print(result.as_ref(), out)?;
    Ok(exit_code::OK)
}

fn result<'a>(
    args: &EvalArgs,
    evaluation: &'a Evaluation,
    scenarios: &'a [BoundScenario],
    rows: TopicRows,
) -> anyhow::Result<Box<dyn Render + 'a>> {
    let digits = usize::from(args.output.digits);
    Ok(if !args.sideways.is_empty() {
        let vectors = vectors_of(args)?.len();
        Box::new(Sideways::new(evaluation, vectors, &args.sideways, digits))
    } else if !args.vectors.is_empty() {
        Box::new(Vectors {
            evaluation,
            rows,
            ranks: if args.all_ranks {
                Ranks::All
            } else {
                Ranks::Few
            },
            digits,
        })
    } else if !scenarios.is_empty() {
        Box::new(ScenarioScores::new(evaluation, scenarios, rows, digits))
    } else {
        let shape = if args.wide { Shape::Wide } else { Shape::Long };
        Box::new(Scores::new(evaluation, rows, digits, shape))
    })
}

/// The scenarios by name or file, with the measures of `-m` if there are any.
fn bound_scenarios(args: &EvalArgs) -> anyhow::Result<Vec<BoundScenario>> {
    let scenarios = scenarios_named(&args.scenarios)?;
    let asked = args.measures.join(" ");
    let bound = scenarios.into_iter().map(|scenario| {
        let scenario = match asked.as_str() {
            "" => scenario,
            names => scenario.with_measures(names)?,
        };
        Ok(scenario.bind(&args.inputs.conventions())?)
    });
    bound.collect()
}

/// The scenarios with these names, and those of files.
///
/// # Errors
/// If there is no such scenario, or a file is invalid.
pub fn scenarios_named(names: &[String]) -> anyhow::Result<Vec<Scenario>> {
    let mut scenarios = Vec::new();
    for name in names {
        if is_scenario_file(Path::new(name)) {
            let source = cranfield::io::Source::open(name)?;
            scenarios.extend(cranfield::io::read_scenarios(&source)?);
        } else {
            scenarios.push(Scenario::named(name)?);
        }
    }
    Ok(scenarios)
}

/// The scenarios with these names, with other measures if there are any.
///
/// # Errors
/// If there is no such scenario or measure, or a file is invalid.
pub fn scenarios_of(names: &[String], measures: Option<&str>) -> anyhow::Result<Vec<Scenario>> {
    let scenarios = scenarios_named(names)?;
    let Some(measures) = measures else {
        return Ok(scenarios);
    };
    let asked = scenarios.into_iter().map(|one| one.with_measures(measures));
    Ok(asked.collect::<Result<_, _>>()?)
}

/// Whether a name is that of a TOML file.
fn is_scenario_file(name: &Path) -> bool {
    name.extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("toml"))
}

/// The files among names of scenarios.
pub(super) fn scenario_files(names: &[String]) -> impl Iterator<Item = &Path> {
    let paths = names.iter().map(Path::new);
    paths.filter(|path| is_scenario_file(path))
}

/// The measures, unless vectors or scenarios are evaluated.
fn measures(args: &EvalArgs) -> anyhow::Result<Vec<BoundMeasure>> {
    if !args.vectors.is_empty() || !args.scenarios.is_empty() {
        return Ok(Vec::new());
    }
    let names = match (args.measures.as_slice(), args.inputs.qrels_format) {
        ([], Some(QrelsFormat::Groups)) => "qrels_jg".into(),
        ([], Some(QrelsFormat::Prefs | QrelsFormat::QrelsPrefs)) => "prefs".into(),
        ([], Some(QrelsFormat::Strata)) => STRATA_MEASURES.into(),
        ([], Some(QrelsFormat::Prels)) => PRELS_MEASURES.into(),
        ([], _) if args.inputs.sessions.is_some() => SESSION_MEASURES.into(),
        ([], _) if args.inputs.known.is_some() => KNOWN_MEASURES.into(),
        ([], _) => cranfield::DEFAULT_MEASURES.into(),
        (names, _) => names.join(" "),
    };
    args.inputs.measures(&names)
}

/// The vectors, checked against the other options.
fn vectors_of(args: &EvalArgs) -> anyhow::Result<Vec<BoundVector>> {
    let vectors = parse_vectors(&args.vectors.join(" "), &args.inputs.conventions())?;
    anyhow::ensure!(
        !vectors.is_empty() || args.vectors.is_empty(),
        "no vector given; name one, such as --vector nDCG@30"
    );
    for vector in &vectors {
        anyhow::ensure!(
            !vector.is_curve() || args.has_topics(),
            "{vector} has its own points in every topic, so it has no mean; add --per-topic, or use IPrec"
        );
        for rank in &args.sideways {
            let depth = vector.depth().filter(|_| !vector.is_curve());
            let depth = depth.with_context(|| {
                format!("--sideways needs a vector by rank, which {vector} is not")
            })?;
            anyhow::ensure!(
                *rank as usize <= depth,
                "--sideways {rank} is deeper than {vector}, which ends at rank {depth}"
            );
        }
    }
    Ok(vectors)
}

fn request(args: &EvalArgs, scenarios: &[BoundScenario]) -> anyhow::Result<Request> {
    let request = Request {
        measures: measures(args)?,
        vectors: vectors_of(args)?,
        topic_vectors: args.has_topics(),
        ..args.inputs.request(&args.qrels, &args.runs)?
    };
    let request = request.under(scenarios);
    args.inputs.check_levels(&request)?;
    if args.sideways.is_empty() {
        return Ok(request);
    }
    Ok(request.with_ideals())
}

/// Sorts the runs.
pub fn sort(evaluation: &mut Evaluation, by: Sort) {
    let plan = &evaluation.plan;
    match by {
        Sort::Input => {}
        Sort::Name => evaluation
            .runs
            .small_sort_by(|a, b| a.scores.name.cmp(&b.scores.name)),
        Sort::Score if plan.measures.is_empty() => sort_by_vector(evaluation),
        Sort::Score => evaluation.runs.small_sort_by(|a, b| by_score(plan, a, b)),
    }
}

/// Best first by the first measure that has a direction; equal runs by name.
fn by_score(plan: &Plan, a: &EvaluatedRun, b: &EvaluatedRun) -> Ordering {
    let directed = plan
        .measures
        .iter()
        .position(|measure| measure.info.direction != Direction::Neutral);
    let Some(measure) = directed else {
        return a.scores.name.cmp(&b.scores.name);
    };
    let value = |run: &EvaluatedRun| run.scores.aggregate(measure).unwrap_or(f64::NEG_INFINITY);
    let descending = value(b).total_cmp(&value(a));
    let order = match plan.measures[measure].info.direction {
        Direction::LowerIsBetter => descending.reverse(),
        _ => descending,
    };
    order.then_with(|| a.scores.name.cmp(&b.scores.name))
}

/// Best first by the mean of the first vector's components; equal runs by name.
fn sort_by_vector(evaluation: &mut Evaluation) {
    let direction = evaluation.plan.vectors.first().map(BoundVector::direction);
    let plan = &evaluation.plan;
    let score = |run: &EvaluatedRun| run.scores.avg_pos(plan, 0).unwrap_or(f64::NEG_INFINITY);
    let scores: Vec<f64> = evaluation.runs.iter().map(score).collect();
    let mut runs: Vec<_> = scores
        .into_iter()
        .zip(std::mem::take(&mut evaluation.runs))
        .collect();
    runs.small_sort_by(|(a, first), (b, second)| {
        let order = match direction {
            Some(Direction::HigherIsBetter) => b.total_cmp(a),
            Some(Direction::LowerIsBetter) => a.total_cmp(b),
            _ => Ordering::Equal,
        };
        order.then_with(|| first.scores.name.cmp(&second.scores.name))
    });
    evaluation.runs = runs.into_iter().map(|(_, run)| run).collect();
}

/// Parses the value of an option, and names the option in the error.
pub(crate) fn parse_named<T: std::str::FromStr<Err: std::error::Error + Send + Sync + 'static>>(
    option: &str,
    text: Option<&str>,
) -> anyhow::Result<Option<T>> {
    text.map(|text| text.parse().with_context(|| format!("option {option}")))
        .transpose()
}
