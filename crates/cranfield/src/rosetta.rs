//! One run, one name, every program's number, and why it is not Cranfield's.

use cranfield_core::measure::BoundMeasure;
use cranfield_core::policy::{Policies, Profile};
use cranfield_core::profiles::in_program;
use cranfield_io::Error;

use crate::inputs::Inputs;

/// Differences up to this much are of the order of addition, not of conventions.
const SAME: f64 = 1e-12;

/// What a name gives in one program.
#[derive(Clone, Debug)]
pub struct RosettaRow {
    /// The program.
    pub profile: Profile,
    /// The measure that the name means there; `None` if the program has none of that name.
    pub measure: Option<BoundMeasure>,
    /// The run's value.
    pub value: Option<f64>,
    /// Number of topics that it is the mean of.
    pub topics: usize,
    /// The policies behind it.
    pub policies: Policies,
    /// Policies, by name, without which the number would be another one.
    pub matter: Vec<&'static str>,
    /// Why the number is not Cranfield's; empty if it is.
    pub reasons: Vec<&'static str>,
}

/// Evaluates a measure, named as Cranfield names it, in every program of `profiles`.
///
/// ```
/// use cranfield::{Conventions, Inputs, Profile, Qrels, Run, parse_measures, rosetta};
///
/// let qrels = Qrels::from_judgements([("q1", "d1", 1.0), ("q1", "d2", 2.0)]);
/// let run = Run::from_scores("mine", [("q1", "d1", 2.0), ("q1", "d2", 1.0)]);
/// let measure = parse_measures("nDCG@2", &Conventions::default())?.remove(0);
/// let rows = rosetta(&Inputs::new(qrels, run), &measure, Profile::ALL)?;
/// let gdeval = rows.iter().find(|row| row.profile == Profile::Gdeval).unwrap();
/// assert_eq!(gdeval.measure.as_ref().unwrap().to_string(), "nDCG(gains='exp')@2");
/// assert_eq!(gdeval.reasons, ["gains are 2^grade - 1"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rosetta(
    inputs: &Inputs,
    measure: &BoundMeasure,
    profiles: &[Profile],
) -> Result<Vec<RosettaRow>, Error> {
    let own = value(inputs, measure, Profile::Cranfield, &Policies::OWN)?;
    let rows = profiles
        .iter()
        .map(|profile| row(inputs, measure, own.0, *profile));
    rows.collect()
}

/// The run's value of a measure, and the number of topics behind it.
fn value(
    inputs: &Inputs,
    measure: &BoundMeasure,
    profile: Profile,
    policies: &Policies,
) -> Result<(Option<f64>, usize), Error> {
    let scores = inputs.evaluate(std::slice::from_ref(measure), profile, policies)?;
    Ok((scores.aggregate(0), scores.topics.len()))
}

fn row(
    inputs: &Inputs,
    own: &BoundMeasure,
    own_value: Option<f64>,
    profile: Profile,
) -> Result<RosettaRow, Error> {
    let mut row = RosettaRow {
        profile,
        measure: None,
        value: None,
        topics: 0,
        policies: profile.policies(),
        matter: Vec::new(),
        reasons: Vec::new(),
    };
    let Some(found) = in_program(profile, own) else {
        return Ok(row);
    };
    let mut measure = found.measure;
    row.policies = measure.overrides.over(&row.policies);
    // The policies are told by the row, and are changed one by one below.
    measure.overrides = own.overrides;
    (row.value, row.topics) = value(inputs, &measure, profile, &row.policies)?;
    if !same(row.value, own_value) {
        let differing = row.policies.differing(&Policies::OWN);
        for (policy, _) in differing {
            let without = row.policies.with_from(policy, &Policies::OWN);
            let (other, _) = value(inputs, &measure, profile, &without)?;
            if !same(other, row.value) {
                row.matter.push(policy);
            }
        }
        let same_measure = measure.info.name == own.info.name && measure.params == own.params;
        if !same_measure && !found.reason.is_empty() {
            row.reasons.push(found.reason);
        }
        let program = profile.program();
        let policies = row
            .matter
            .iter()
            .filter_map(|policy| program.reason(policy));
        row.reasons.extend(policies);
    }
    row.measure = Some(measure);
    Ok(row)
}

fn same(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= SAME || one.to_bits() == other.to_bits(),
        _ => one.is_none() && other.is_none(),
    }
}
