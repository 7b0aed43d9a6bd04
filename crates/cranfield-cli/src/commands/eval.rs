//! `cranfield eval`.

use std::cmp::Ordering;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use cranfield::core::measure::{BoundMeasure, Direction};
use cranfield::core::scenario::BoundScenario;
use cranfield::core::vectors::{BoundVector, parse_vectors};
use cranfield::io::QrelsFormat;
use cranfield::{EvaluatedRun, Evaluation, Plan, Request, Scenario};

use crate::args::{EvalArgs, Sort};
use crate::exit_code;
use crate::output::{notes, scenarios, scores, sideways, vectors};

/// The measures for judgements that are grades, where the user asks for none.
const DEFAULT_MEASURES: &str = "nDCG@10 AP P@10 RR R@1000";

/// The same for samples by strata.
const STRATA_MEASURES: &str = "xinfAP infNDCG iP@10 iNumRelRet iNumRel";

/// The same for samples with probabilities.
const PRELS_MEASURES: &str = "statAP statP@10 statNumRel";

/// The same for sessions.
const SESSION_MEASURES: &str = "nsDCG@10 SessionDCG@10";

/// The same for a user who knows some documents.
const KNOWN_MEASURES: &str = "Coverage Novelty RelativeRecall RecallEffort";

pub(crate) fn run(args: &EvalArgs, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<u8> {
    let scenarios = bound_scenarios(args)?;
    let mut evaluation = Evaluation::of_files(request(args, &scenarios)?)?;
    sort(&mut evaluation, args.sort);
    if !args.output.quiet {
        notes::write(&evaluation, err)?;
        if !args.sideways.is_empty() {
            writeln!(
                err,
                "note: a dash is a level that is not reached within the vector"
            )?;
        }
    }
    let text = if !args.sideways.is_empty() {
        sideways::render(&evaluation, vectors_of(args)?.len(), args)?
    } else if !args.vectors.is_empty() {
        vectors::render(&evaluation, args)?
    } else if !scenarios.is_empty() {
        scenarios::render(&evaluation, &scenarios, args)?
    } else {
        scores::render(&evaluation, args)?
    };
    args.output.write(&text, out)?;
    Ok(exit_code::OK)
}

/// The scenarios asked for, by name or file, with the measures of `-m` if there are any.
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
pub(super) fn scenarios_named(names: &[String]) -> anyhow::Result<Vec<Scenario>> {
    let mut scenarios = Vec::new();
    for name in names {
        if Path::new(name)
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("toml"))
        {
            let source = cranfield::io::Source::open(name)?;
            scenarios.extend(cranfield::io::read_scenarios(&source)?);
        } else {
            scenarios.push(Scenario::named(name)?);
        }
    }
    Ok(scenarios)
}

/// The same with the measures asked for in place of their own, if there are any.
pub(super) fn scenarios_of(
    names: &[String],
    measures: Option<&str>,
) -> anyhow::Result<Vec<Scenario>> {
    let scenarios = scenarios_named(names)?;
    let Some(measures) = measures else {
        return Ok(scenarios);
    };
    let asked = scenarios.into_iter().map(|one| one.with_measures(measures));
    Ok(asked.collect::<Result<_, _>>()?)
}

/// The measures asked for, where neither vectors nor scenarios are.
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
        ([], _) => DEFAULT_MEASURES.into(),
        (names, _) => names.join(" "),
    };
    args.inputs.measures(&names)
}

/// The vectors asked for, if what is asked of them can be had.
fn vectors_of(args: &EvalArgs) -> anyhow::Result<Vec<BoundVector>> {
    let vectors = parse_vectors(&args.vectors.join(" "), &args.inputs.conventions())?;
    anyhow::ensure!(
        !vectors.is_empty() || args.vectors.is_empty(),
        "no vector is asked for; name one, such as --vector nDCG@30"
    );
    for vector in &vectors {
        anyhow::ensure!(
            !vector.is_curve() || args.per_topic,
            "{vector} has points of its own in every topic, and no mean; add --per-topic, or ask for IPrec"
        );
        for rank in &args.sideways {
            let depth = vector.depth().filter(|_| !vector.is_curve());
            let depth = depth.with_context(|| {
                format!("{vector} is not a vector by rank, which --sideways needs")
            })?;
            anyhow::ensure!(
                *rank as usize <= depth,
                "--sideways {rank}: the vector {vector} ends at rank {depth}; ask for a deeper one"
            );
        }
    }
    Ok(vectors)
}

fn request(args: &EvalArgs, scenarios: &[BoundScenario]) -> anyhow::Result<Request> {
    let request = Request {
        measures: measures(args)?,
        vectors: vectors_of(args)?,
        topic_vectors: args.per_topic,
        ..args.inputs.request(&args.qrels, &args.runs)?
    };
    let request = request.under(scenarios);
    args.inputs.check_levels(&request)?;
    if args.sideways.is_empty() {
        return Ok(request);
    }
    Ok(request.with_ideals()?)
}

fn sort(evaluation: &mut Evaluation, by: Sort) {
    let plan = &evaluation.plan;
    match by {
        Sort::Input => {}
        Sort::Name => evaluation
            .runs
            .sort_by(|a, b| a.scores.name.cmp(&b.scores.name)),
        Sort::Score if plan.measures.is_empty() => sort_by_vector(evaluation),
        Sort::Score => evaluation.runs.sort_by(|a, b| by_score(plan, a, b)),
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
    runs.sort_by(|(a, first), (b, second)| {
        let order = match direction {
            Some(Direction::HigherIsBetter) => b.total_cmp(a),
            Some(Direction::LowerIsBetter) => a.total_cmp(b),
            _ => Ordering::Equal,
        };
        order.then_with(|| first.scores.name.cmp(&second.scores.name))
    });
    evaluation.runs = runs.into_iter().map(|(_, run)| run).collect();
}

/// The error for a format that a command does not have, naming the option.
pub(crate) fn parse_named<T: std::str::FromStr<Err: std::error::Error + Send + Sync + 'static>>(
    option: &str,
    text: Option<&str>,
) -> anyhow::Result<Option<T>> {
    text.map(|text| text.parse().with_context(|| format!("option {option}")))
        .transpose()
}
