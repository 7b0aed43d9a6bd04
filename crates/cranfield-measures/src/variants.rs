//! Alternative readings of a measure's name: other parameters, other cutoffs, and related measures. This is the
//! search space for a published value.

use std::collections::BTreeSet;

use cranfield_core::grammar::Spec;
use cranfield_core::measure::{BoundMeasure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind};

use crate::spec::{Conventions, find_exact};

/// A setting that differs from the request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// The parameter, `cutoff`, `measure`, a policy, or `profile`.
    pub what: String,
    /// Its new value.
    pub to: String,
}

impl Change {
    /// Creates a change of a setting.
    pub fn new(what: impl Into<String>, to: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            to: to.into(),
        }
    }
}

/// A measure and its differences from the requested one.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The changes, at most one per setting.
    pub changes: Vec<Change>,
    /// The measure.
    pub measure: BoundMeasure,
}

/// Maximum number of variants of a measure.
const MAX_VARIANTS: usize = 5000;

/// Maximum number of grades used as relevance levels.
const MAX_LEVELS: usize = 6;

const CUTOFFS: [u32; 12] = [1, 3, 5, 10, 15, 20, 30, 50, 100, 200, 500, 1000];

/// Common values of numeric parameters, by parameter name.
const NUMBERS: [(&str, &[&str]); 6] = [
    ("p", &["0.5", "0.8", "0.9", "0.95"]),
    ("beta", &["0.5", "1", "2", "4"]),
    ("alpha", &["0.1", "0.5", "0.9"]),
    ("max", &["1", "2", "3", "4", "5"]),
    ("base", &["2", "10"]),
    ("T", &["1", "2", "3"]),
];

/// Measures that are often confused.
const SISTERS: [&[&str]; 6] = [
    &["nDCG", "nCG", "SDCG"],
    &["AP", "GMAP", "infAP", "SetAP", "CWL_AP", "IAP"],
    &["P", "R", "RelP", "Success", "Rprec", "SetP", "SetR"],
    &["ERR", "nERR"],
    &["RBP", "CWL_RBP"],
    &["F", "SetF", "FAlpha"],
];

/// Returns the measure and its variants with at most `most` changes, fewest first. `grades` are those of the
/// qrels.
///
/// ```
/// use cranfield_measures::spec::{Conventions, parse_measure};
/// use cranfield_measures::variants::variants;
///
/// let measure = parse_measure("P@10", &Conventions::default())?;
/// let names: Vec<_> = variants(&measure, &[0.0, 1.0, 2.0], 1).iter().map(|v| v.measure.to_string()).collect();
/// assert_eq!(names[..3], ["P@10", "P(rel=2)@10", "P(denominator='min(k,n)')@10"]);
/// assert!(names.contains(&"P@15".to_owned()) && names.contains(&"Rprec".to_owned()));
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
pub fn variants(measure: &BoundMeasure, grades: &[f64], most: usize) -> Vec<Variant> {
    let settings = settings(measure, grades);
    let mut known = BTreeSet::from([measure.to_string()]);
    let mut found = vec![Variant {
        changes: Vec::new(),
        measure: measure.clone(),
    }];
    let mut sets: Vec<Vec<Change>> = vec![Vec::new()];
    for _ in 0..most {
        sets = longer(&sets, &settings);
        for changes in &sets {
            if found.len() == MAX_VARIANTS {
                return found;
            }
            if let Some(other) = changed(measure, changes)
                && known.insert(other.to_string())
            {
                found.push(Variant {
                    changes: changes.clone(),
                    measure: other,
                });
            }
        }
    }
    found
}

/// Extends each set by one change of a later setting.
fn longer(sets: &[Vec<Change>], settings: &[Vec<Change>]) -> Vec<Vec<Change>> {
    let place = |change: &Change| settings.iter().position(|options| options.contains(change));
    let mut all = Vec::new();
    for set in sets {
        let first = set.last().and_then(place).map_or(0, |place| place + 1);
        for change in settings.iter().skip(first).flatten() {
            all.push(set.iter().chain([change]).cloned().collect());
        }
    }
    all.truncate(2 * MAX_VARIANTS);
    all
}

/// Settings that can be changed, each with its alternative values.
fn settings(measure: &BoundMeasure, grades: &[f64]) -> Vec<Vec<Change>> {
    let info = measure.info;
    let mut all: Vec<Vec<Change>> = info
        .params
        .iter()
        .map(|param| options(measure, param, grades))
        .collect();
    all.push(cutoffs(measure));
    let mut sisters = Vec::new();
    for group in SISTERS.iter().filter(|group| group.contains(&info.name)) {
        let others = group.iter().filter(|name| **name != info.name);
        sisters.extend(others.map(|name| Change::new("measure", *name)));
    }
    all.push(sisters);
    all.retain(|options| !options.is_empty());
    all
}

fn options(measure: &BoundMeasure, param: &ParamInfo, grades: &[f64]) -> Vec<Change> {
    let current = measure.params.value(param.name).map(ToString::to_string);
    let current = current.unwrap_or_default();
    let values: Vec<String> = match param.kind {
        ParamKind::Level => levels(grades).iter().map(ToString::to_string).collect(),
        ParamKind::Gains => gains(grades),
        ParamKind::Word(words) => words.iter().map(ToString::to_string).collect(),
        ParamKind::Real { .. } => {
            let known = NUMBERS.iter().find(|(name, _)| *name == param.name);
            let values = known.map_or(&[][..], |(_, values)| values);
            values.iter().map(ToString::to_string).collect()
        }
        ParamKind::Reals => Vec::new(),
    };
    let others = values
        .into_iter()
        .filter(|text| *text != current.trim_matches('\''));
    others.map(|text| Change::new(param.name, text)).collect()
}

/// The lowest grades above zero, ascending.
fn levels(grades: &[f64]) -> Vec<f64> {
    let mut levels: Vec<f64> = grades
        .iter()
        .copied()
        .filter(|grade| *grade > 0.0)
        .collect();
    levels.sort_unstable_by(f64::total_cmp);
    levels.dedup();
    levels.truncate(MAX_LEVELS);
    levels
}

/// Common gains: the three rules, lower grades without gain, and binary gains from each grade.
fn gains(grades: &[f64]) -> Vec<String> {
    let levels = levels(grades);
    let mut all: Vec<String> = ["grade", "exp", "binary"].map(str::to_owned).to_vec();
    for at in 1..levels.len() {
        let (below, above) = levels.split_at(at);
        let zero = |grade: &f64| format!("{grade}=0");
        let none: Vec<String> = below.iter().map(zero).collect();
        let one: Vec<String> = above.iter().map(|grade| format!("{grade}=1")).collect();
        all.push(none.join(","));
        all.push([none, one].concat().join(","));
    }
    all
}

fn cutoffs(measure: &BoundMeasure) -> Vec<Change> {
    let current = measure.params.at();
    let mut values: Vec<String> = match measure.info.cutoff {
        CutoffRule::None => Vec::new(),
        CutoffRule::Point => (0..=10)
            .map(|tenths| (f64::from(tenths) / 10.0).to_string())
            .collect(),
        CutoffRule::Optional | CutoffRule::Required => {
            CUTOFFS.iter().map(ToString::to_string).collect()
        }
    };
    values.retain(|text| Some(text) != current.as_ref());
    if measure.info.cutoff == CutoffRule::Optional && current.is_some() {
        values.push("none".into());
    }
    values
        .into_iter()
        .map(|text| Change::new("cutoff", text))
        .collect()
}

/// Applies changes to a measure; `None` if there is no such measure.
fn changed(measure: &BoundMeasure, changes: &[Change]) -> Option<BoundMeasure> {
    let mut spec = Spec::of(measure);
    let mut info: &'static MeasureInfo = measure.info;
    for Change { what, to } in changes {
        match what.as_str() {
            "measure" => info = find_exact(to)?,
            "cutoff" => spec.cutoff = Some(to.clone()).filter(|to| to != "none"),
            _ => {
                spec.arguments.retain(|(name, _)| name != what);
                spec.arguments.push((what.clone(), to.clone()));
            }
        }
    }
    if info.name != measure.info.name {
        spec.arguments
            .retain(|(name, _)| info.params.iter().any(|param| param.name == name));
        spec.cutoff = spec.cutoff.filter(|_| info.cutoff != CutoffRule::None);
    }
    let own = Conventions::default();
    let params = own
        .check(info, &spec.arguments, spec.cutoff.as_deref())
        .ok()?;
    let found = info.bind(params).ok()?;
    Some(BoundMeasure {
        overrides: measure.overrides,
        ..found
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::parse_measures;

    fn of(name: &str, most: usize) -> Vec<Variant> {
        let measures = parse_measures(name, &Conventions::default()).unwrap();
        variants(&measures[0], &[0.0, 1.0, 2.0, 3.0, -1.0], most)
    }

    #[track_caller]
    fn has(name: &str, most: usize, expected: &str) {
        let names: Vec<String> = of(name, most)
            .iter()
            .map(|v| v.measure.to_string())
            .collect();
        assert!(names.iter().any(|name| name == expected), "{names:?}");
    }

    #[test]
    fn common_confusions_are_included() {
        has("nDCG@10", 1, "nDCG(gains='exp')@10");
        has("nDCG@10", 1, "nDCG(gains='1=0')@10");
        has("nDCG@10", 1, "nDCG(gains='1=0,2=1,3=1')@10");
        has("nDCG@10", 1, "nDCG(ideal='ranking')@10");
        has("nDCG@10", 2, "nDCG(gains='exp', ideal='uncut')@10");
        has("nDCG@10", 1, "nDCG");
        has("AP", 1, "AP@1000");
        has("AP", 2, "AP(denominator='min(R,k)')@10");
        has("ERR@20", 1, "ERR(max=3)@20");
        has("P@10", 1, "P@15");
        has("R@10", 1, "Success@10");
        has("IPrec@0.1", 1, "IPrec@0");
    }

    #[test]
    fn variants_are_unique_and_have_the_fewest_changes() {
        let all = of("nDCG@10", 3);
        let mut names: Vec<String> = all.iter().map(|v| v.measure.to_string()).collect();
        assert!(all.is_sorted_by_key(|variant| variant.changes.len()));
        assert_eq!(all[0].changes, []);
        names.sort();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(all.len() < MAX_VARIANTS, "{}", all.len());
    }

    #[test]
    fn many_grades_stay_bounded() {
        let grades: Vec<f64> = (0..1000).map(f64::from).collect();
        let measures = parse_measures("nDCG@10", &Conventions::default()).unwrap();
        assert!(variants(&measures[0], &grades, 4).len() <= MAX_VARIANTS);
    }
}
