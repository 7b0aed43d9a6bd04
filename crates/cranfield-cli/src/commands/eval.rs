//! `cranfield eval`.

use std::cmp::Ordering;
use std::io::Write;

use anyhow::Context;
use cranfield::core::measure::{BoundMeasure, Direction};
use cranfield::core::params::Value;
use cranfield::core::policy::{Policies, Profile, TieBreak};
use cranfield::core::spec::{Conventions, parse_measures};
use cranfield::io::QrelsFormat;
use cranfield::{EvaluatedRun, Evaluation, Plan, Request};

use crate::args::{EvalArgs, PolicyArgs, Sort};
use crate::exit_code;
use crate::output::{notes, scores};

/// The measures for judgements that are grades, where the user asks for none.
const DEFAULT_MEASURES: &str = "nDCG@10 AP P@10 RR R@1000";

pub(crate) fn run(args: &EvalArgs, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<u8> {
    let mut evaluation = Evaluation::of_files(request(args)?)?;
    sort(&mut evaluation, args.sort);
    if !args.quiet {
        notes::write(&evaluation, err)?;
    }
    let text = scores::render(&evaluation, args)?;
    match &args.output {
        None => out.write_all(text.as_bytes())?,
        Some(path) => cranfield::io::save_text(&text, path)?,
    }
    Ok(exit_code::OK)
}

fn request(args: &EvalArgs) -> anyhow::Result<Request> {
    let conventions = Conventions {
        profile: args.profile,
        level: args.level,
    };
    let names = match (args.measures.as_slice(), args.qrels_format) {
        ([], Some(QrelsFormat::Groups)) => "qrels_jg".into(),
        ([], Some(QrelsFormat::Prefs | QrelsFormat::QrelsPrefs)) => "prefs".into(),
        ([], _) => DEFAULT_MEASURES.into(),
        (names, _) => names.join(" "),
    };
    let measures = parse_measures(&names, &conventions)?;
    anyhow::ensure!(
        !measures.is_empty(),
        "no measure is asked for; give one with -m, such as -m nDCG@10"
    );
    check_levels(args, &measures)?;
    let runs = cranfield::io::expand_paths(&args.runs)?;
    let stdin = runs
        .iter()
        .chain([&args.qrels])
        .chain(&args.intents)
        .filter(|path| path.as_os_str() == "-")
        .count();
    anyhow::ensure!(stdin <= 1, "standard input (-) can be read only once");
    Ok(Request {
        qrels_format: args.qrels_format,
        intents: args.intents.clone(),
        run_format: args.run_format,
        policies: policies(&profile_policies(args), &args.policies),
        profile: args.profile,
        threads: args.threads.map(usize::from),
        ..Request::new(args.qrels.clone(), runs, measures)
    })
}

/// A level must be a number; below zero only `trec_eval` has a meaning for it.
fn check_levels(args: &EvalArgs, measures: &[BoundMeasure]) -> anyhow::Result<()> {
    let named = measures
        .iter()
        .filter_map(|measure| match measure.params.value("rel") {
            Some(Value::Real(level)) => Some(*level),
            _ => None,
        });
    for level in named.chain(args.level) {
        anyhow::ensure!(level.is_finite(), "a level must be a number, not {level}");
        anyhow::ensure!(
            level >= 0.0 || args.profile != Profile::Cranfield,
            "level {level}: no grade below 0 is relevant; --profile trec_eval has such levels"
        );
    }
    Ok(())
}

/// What the profile sets; `trec_eval` breaks ties the other way round where the judgements are preferences.
fn profile_policies(args: &EvalArgs) -> Policies {
    let policies = args.profile.policies();
    match args.qrels_format {
        Some(QrelsFormat::Prefs | QrelsFormat::QrelsPrefs)
            if args.profile != Profile::Cranfield =>
        {
            Policies {
                ties: TieBreak::DocidAsc,
                ..policies
            }
        }
        _ => policies,
    }
}

fn policies(profile: &Policies, args: &PolicyArgs) -> Policies {
    Policies {
        ties: args.ties.unwrap_or(profile.ties),
        topics: args.topics.unwrap_or(profile.topics),
        unjudged: args.unjudged.unwrap_or(profile.unjudged),
        negative: args.negative.unwrap_or(profile.negative),
        undefined: args.undefined.unwrap_or(profile.undefined),
        depth: args.depth.or(profile.depth),
    }
}

fn sort(evaluation: &mut Evaluation, by: Sort) {
    let plan = &evaluation.plan;
    match by {
        Sort::Input => {}
        Sort::Name => evaluation
            .runs
            .sort_by(|a, b| a.scores.name.cmp(&b.scores.name)),
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

/// The error for a format that a command does not have, naming the option.
pub(crate) fn parse_named<T: std::str::FromStr<Err: std::error::Error + Send + Sync + 'static>>(
    option: &str,
    text: Option<&str>,
) -> anyhow::Result<Option<T>> {
    text.map(|text| text.parse().with_context(|| format!("option {option}")))
        .transpose()
}
