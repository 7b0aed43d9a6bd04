//! Plans and the options beside them.

use std::path::Path;

use cranfield::compare::{Family, Plan, Settings};

use crate::args::PolicyArgs;
use crate::comparing::ComparisonArgs;
use crate::inputs::InputArgs;

/// The plan of a file, and the options with what it fixes.
pub(crate) fn read(
    path: &Path,
    comparison: &ComparisonArgs,
    inputs: &InputArgs,
) -> anyhow::Result<(Plan, InputArgs)> {
    let plan = Plan::read(path, &inputs.conventions())?;
    check(&plan, comparison_options(comparison, &plan))?;
    check(&plan, input_options(inputs, &plan))?;
    let inputs = under(inputs, &plan);
    Ok((plan, inputs))
}

/// An option: its name, what the user says, and what the plan has.
type PlannedOption = (&'static str, Option<String>, String);

/// Options that contradict a plan are refused: the plan says how, and was there first.
fn check(plan: &Plan, options: Vec<PlannedOption>) -> anyhow::Result<()> {
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

fn comparison_options(given: &ComparisonArgs, plan: &Plan) -> Vec<PlannedOption> {
    let (planned, tests) = (&plan.settings, &given.tests);
    let family = |family: Family| match family {
        Family::Measure => "measure",
        Family::All => "all",
    };
    vec![
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
            "rope",
            given.rope.map(|rope| rope.to_string()),
            planned.rope.map_or("none".into(), |rope| rope.to_string()),
        ),
        (
            "interval",
            given.interval.map(|method| method.name().into()),
            interval(planned).into(),
        ),
        (
            "standardise",
            given.standardise.map(|how| how.name().into()),
            planned
                .standardise
                .map_or("none".into(), |how| how.name().into()),
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
    ]
}

/// How a plan has intervals of differences made, by itself or by its test.
fn interval(planned: &Settings) -> &'static str {
    if planned.test.has_own_intervals() {
        "simultaneous ones of its test"
    } else {
        planned.interval_asked().name()
    }
}

/// The options on evaluation that the plan fixes.
fn input_options(given: &InputArgs, plan: &Plan) -> Vec<PlannedOption> {
    let planned = &plan.policies;
    let profile = planned.profile.map(|profile| {
        let given = given.profile.map(|profile| profile.to_string());
        ("profile", given, profile.to_string())
    });
    let level = planned.level.map(|level| {
        let given = given.level.map(|level| level.to_string());
        ("level", given, level.to_string())
    });
    let policies = planned.policies.iter().map(|(policy, value)| {
        let given = policy_given(&given.policies, policy);
        (*policy, given, value.clone())
    });
    profile.into_iter().chain(level).chain(policies).collect()
}

fn policy_given(given: &PolicyArgs, policy: &str) -> Option<String> {
    match policy {
        "ties" => given.ties.map(|value| value.to_string()),
        "topics" => given.topics.map(|value| value.to_string()),
        "unjudged" => given.unjudged.map(|value| value.to_string()),
        "negative" => given.negative.map(|value| value.to_string()),
        "undefined" => given.undefined.map(|value| value.to_string()),
        "identical" => given.identical.map(|value| value.to_string()),
        _ => given.depth.map(|value| value.to_string()),
    }
}

/// The options with what the plan fixes.
fn under(given: &InputArgs, plan: &Plan) -> InputArgs {
    let planned = &plan.policies;
    let mut inputs = given.clone();
    inputs.profile = planned.profile.or(inputs.profile);
    inputs.level = planned.level.or(inputs.level);
    let policies = &mut inputs.policies;
    for (policy, value) in &planned.policies {
        // A plan has values of policies only.
        match *policy {
            "ties" => policies.ties = value.parse().ok(),
            "topics" => policies.topics = value.parse().ok(),
            "unjudged" => policies.unjudged = value.parse().ok(),
            "negative" => policies.negative = value.parse().ok(),
            "undefined" => policies.undefined = value.parse().ok(),
            "identical" => policies.identical = value.parse().ok(),
            _ => policies.depth = value.parse().ok(),
        }
    }
    inputs
}
