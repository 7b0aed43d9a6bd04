//! The value of a measure as each program defines it, and why it differs from Cranfield's.

use std::mem::discriminant;

use cranfield_core::measure::BoundMeasure;
use cranfield_core::policy::Policies;
use cranfield_io::{Code, Error, Problem};
use cranfield_measures::profiles::Profile;
use cranfield_measures::profiles::{InProgram, NotThere, in_program};

use crate::evaluation::Judgements;
use crate::inputs::Inputs;

/// Differences up to this size are due to the order of summation, not to conventions.
const SAME: f64 = 1e-12;

/// The value of a measure in one program.
#[derive(Clone, Debug)]
pub struct RosettaRow {
    /// The program.
    pub profile: Profile,
    /// The measure that the name denotes in the program, or why there is none.
    pub measure: Result<BoundMeasure, NotThere>,
    /// The run's value.
    pub value: Option<f64>,
    /// Number of topics in the mean.
    pub topics: usize,
    /// The policies behind it.
    pub policies: Policies,
    /// Names of the policies that affect the value.
    pub matter: Vec<&'static str>,
    /// Why the value differs from Cranfield's or does not exist; empty if it is the same.
    pub reasons: Vec<String>,
}

/// Evaluates a measure as each program of `profiles` defines it. Parameters in the name apply everywhere; the program sets the
/// others.
///
/// ```
/// use cranfield_eval::{Conventions, Inputs, Profile, Qrels, Run, parse_measures, rosetta};
///
/// let qrels = Qrels::from_judgements([("q1", "d1", 1.0), ("q1", "d2", 2.0)]);
/// let run = Run::from_scores("mine", [("q1", "d1", 2.0), ("q1", "d2", 1.0)]);
/// let inputs = Inputs::new(qrels, run);
/// let measure = parse_measures("nDCG@2", &Conventions::default())?.remove(0);
/// let rows = rosetta(&inputs, &measure, &[Profile::Gdeval])?;
/// assert_eq!(rows[0].measure.as_ref().unwrap().to_string(), "nDCG(gains='exp')@2");
/// assert_eq!(rows[0].reasons, ["gains are 2^grade - 1"]);
/// // An explicit parameter applies even if it is Cranfield's default.
/// let measure = parse_measures("nDCG(gains='grade')@2", &Conventions::default())?.remove(0);
/// let rows = rosetta(&inputs, &measure, &[Profile::Gdeval])?;
/// assert_eq!(rows[0].measure.as_ref().unwrap_err().to_string(), "gains are 2^grade - 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the measure needs other judgements, or if its value is a string.
pub fn rosetta(
    inputs: &Inputs,
    measure: &BoundMeasure,
    profiles: &[Profile],
) -> Result<Vec<RosettaRow>, Error> {
    check_number(measure)?;
    check_judgements(inputs)?;
    let own = value(inputs, measure, Profile::Cranfield, &Policies::OWN)?;
    let rows = profiles
        .iter()
        .map(|profile| row(inputs, measure, own.0, *profile));
    rows.collect()
}

/// Rejects measures whose values are strings.
pub(crate) fn check_number(measure: &BoundMeasure) -> Result<(), Error> {
    if !measure.is_text() {
        return Ok(());
    }
    let message = format!("{measure} is a string, not a number");
    let problem = Problem::file(Code::UnknownFormat, "<measure>", message);
    Err(problem
        .with_help("choose a measure with a number as its value, such as nDCG@10")
        .into())
}

/// Rejects judgements for which programs have no conventions of their own.
pub(crate) fn check_judgements(inputs: &Inputs) -> Result<(), Error> {
    if matches!(
        inputs.judgements(),
        Judgements::Grades(_) | Judgements::Groups(_)
    ) {
        return Ok(());
    }
    let message =
        "conventions of programs are known only for graded judgements and judgement groups";
    let problem = Problem::file(Code::UnknownFormat, inputs.qrels_path(), message);
    Err(problem
        .with_help("use graded judgements or judgement groups")
        .into())
}

/// The run's value of a measure, and the number of topics behind it.
fn value(
    inputs: &Inputs,
    measure: &BoundMeasure,
    profile: Profile,
    policies: &Policies,
) -> Result<(Option<f64>, usize), Error> {
    let scores = inputs.scores(std::slice::from_ref(measure), profile, policies)?;
    Ok((scores.aggregate(0), scores.topics.len()))
}

fn row(
    inputs: &Inputs,
    own: &BoundMeasure,
    own_value: Option<f64>,
    profile: Profile,
) -> Result<RosettaRow, Error> {
    let found = in_program(profile, own);
    let mut row = RosettaRow {
        profile,
        measure: found
            .as_ref()
            .map(|it| it.measure.clone())
            .map_err(Clone::clone),
        value: None,
        topics: 0,
        policies: profile.policies(),
        matter: Vec::new(),
        reasons: Vec::new(),
    };
    let mut found = match found {
        Ok(found) => found,
        Err(NotThere::NotSo(reasons)) => return Ok(RosettaRow { reasons, ..row }),
        Err(why @ NotThere::NoMeasure) => {
            row.reasons.push(why.to_string());
            return Ok(row);
        }
    };
    row.policies = found.measure.overrides.over(&row.policies);
    // The row has the policies, which are varied one by one below.
    found.measure.overrides = own.overrides;
    (row.value, row.topics) = value(inputs, &found.measure, profile, &row.policies)?;
    if !same(row.value, own_value) {
        explain(inputs, own, &found, &mut row)?;
    }
    row.measure = Ok(found.measure);
    Ok(row)
}

/// Finds the parts of the definition and the policies that affect the value.
fn explain(
    inputs: &Inputs,
    own: &BoundMeasure,
    found: &InProgram,
    row: &mut RosettaRow,
) -> Result<(), Error> {
    let differing = row.policies.differing(&Policies::OWN);
    for (policy, _) in &differing {
        let without = row.policies.with_from(policy, &Policies::OWN);
        let (other, _) = value(inputs, &found.measure, row.profile, &without)?;
        if !same(other, row.value) {
            row.matter.push(policy);
        }
    }
    for difference in &found.differences {
        if matters(inputs, own, found, row, difference.what)? {
            row.reasons.push(difference.reason.clone());
        }
    }
    let mut policies = row.matter.clone();
    if row.reasons.is_empty() && policies.is_empty() {
        // None has an effect alone, but together they do.
        let all = found.differences.iter();
        row.reasons = all.map(|difference| difference.reason.clone()).collect();
        policies = differing.iter().map(|(policy, _)| *policy).collect();
    }
    let sentences = policies
        .iter()
        .filter_map(|policy| found.policy_reason(row.profile, policy));
    row.reasons.extend(sentences.map(str::to_owned));
    Ok(())
}

/// Whether a part of the program's definition affects the value.
fn matters(
    inputs: &Inputs,
    own: &BoundMeasure,
    found: &InProgram,
    row: &RosettaRow,
    what: &str,
) -> Result<bool, Error> {
    let there = &found.measure;
    if own.params.value(what).is_some() {
        let Some(without) = restored(own, there, |name| name == what) else {
            return Ok(true);
        };
        let (other, _) = value(inputs, &without, row.profile, &row.policies)?;
        return Ok(!same(other, row.value));
    }
    // The rest of the definition, with Cranfield's parameters and policies.
    let Some(without) = restored(own, there, |_| true) else {
        return Ok(true);
    };
    let (here, _) = value(inputs, own, Profile::Cranfield, &Policies::OWN)?;
    let (other, _) = value(inputs, &without, Profile::Cranfield, &Policies::OWN)?;
    Ok(!same(other, here))
}

/// The program's measure with the parameters of Cranfield's measure.
fn restored(
    own: &BoundMeasure,
    there: &BoundMeasure,
    which: impl Fn(&str) -> bool,
) -> Option<BoundMeasure> {
    let names = own.info.params.iter().map(|param| param.name);
    let params =
        names
            .filter(|name| which(name))
            .fold(there.params.clone(), |params, name| {
                match (own.params.value(name), there.params.value(name)) {
                    (Some(value), Some(other)) if discriminant(value) == discriminant(other) => {
                        params.with(name, value.clone())
                    }
                    _ => params,
                }
            });
    there.info.bind(params).ok()
}

fn same(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= SAME || one.to_bits() == other.to_bits(),
        _ => one.is_none() && other.is_none(),
    }
}

#[cfg(test)]
mod tests {
    use cranfield_core::qrels::Qrels;
    use cranfield_core::run::Run;
    use cranfield_measures::spec::{Conventions, parse_measures};

    use super::*;

    /// Grades 1, 0, 3 at ranks 1 to 3, and a missing document of grade 2.
    fn inputs() -> Inputs {
        let judged = [("d1", 1.0), ("d2", 0.0), ("d3", 3.0), ("d4", 2.0)];
        let qrels = Qrels::from_judgements(judged.map(|(doc, grade)| ("q", doc, grade)));
        let ranked = [("d1", 3.0), ("d2", 2.0), ("d3", 1.0)];
        let run = Run::from_scores("mine", ranked.map(|(doc, score)| ("q", doc, score)));
        Inputs::new(qrels, run)
    }

    fn row(profile: Profile, name: &str) -> RosettaRow {
        let measure = parse_measures(name, &Conventions::default())
            .unwrap()
            .remove(0);
        rosetta(&inputs(), &measure, &[profile]).unwrap().remove(0)
    }

    #[track_caller]
    fn check(profile: Profile, name: &str, value: f64, reasons: &[&str]) {
        let row = row(profile, name);
        let found = row.value.unwrap();
        assert!(
            (found - value).abs() < 1e-12,
            "{profile} {name}: {found}, not {value}"
        );
        assert_eq!(row.reasons, reasons, "{profile} {name}");
    }

    /// By hand, with the weights (1 - p) p^(rank - 1).
    #[test]
    fn explicit_parameters_apply_everywhere() {
        let p8 = 0.2 * (1.0 + 0.64);
        let p9 = 0.1 * (1.0 + 0.81);
        check(Profile::Cranfield, "RBP", p8, &[]);
        // The cutoff at rank 1000 has no visible effect.
        check(Profile::Cwl, "RBP", p9, &["p is 0.9"]);
        check(Profile::Cwl, "RBP(p=0.8)", p8, &[]);
        // Grades are divided by the highest of the topic, 3.
        check(
            Profile::TrecEval,
            "RBP(p=0.8)",
            0.2 * (1.0 / 3.0 + 0.64),
            &[
                "gains are grades",
                "gains are mapped to the unit interval by the topic's own highest grade",
            ],
        );
        check(
            Profile::TrecEval,
            "RBP",
            0.1 * (1.0 / 3.0 + 0.81),
            &[
                "p is 0.9",
                "gains are grades",
                "gains are mapped to the unit interval by the topic's own highest grade",
            ],
        );
    }

    #[test]
    fn only_effective_differences_are_reasons() {
        // Three documents have a rating, so Quepid's ideal contains all of them at a cutoff of 3 too.
        let row = row(Profile::Quepid, "nDCG@3");
        assert_eq!(row.reasons, ["gains are 2^rating - 1"]);
        let dcg = |gains: [f64; 3]| gains[0] + gains[1] / 3f64.log2() + gains[2] / 2.0;
        let expected = dcg([1.0, 0.0, 7.0]) / dcg([7.0, 3.0, 1.0]);
        assert!((row.value.unwrap() - expected).abs() < 1e-12);
        let why = self::row(Profile::Quepid, "nDCG(gains='grade')@3");
        assert_eq!(why.value, None);
        assert_eq!(
            why.measure.unwrap_err().to_string(),
            "gains are 2^rating - 1"
        );
    }

    #[test]
    fn strings_are_errors() {
        let measure = parse_measures("RunId", &Conventions::default())
            .unwrap()
            .remove(0);
        let error = rosetta(&inputs(), &measure, Profile::ALL).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("RunId is a string, not a number"),
            "{error}"
        );
    }
}
