//! Shared test helpers and properties of all C/W/L measures.

use cranfield_core::measure::Computation;
use proptest::prelude::*;
use proptest::sample::select;

use crate::measures::tests::{TestTopic, measure};

/// The models, with a cutoff where required.
const NAMES: [(&str, &str); 18] = [
    ("BPM", "@5"),
    ("BPMDynamic", "@5"),
    ("CWL_AP", ""),
    ("CWL_P", "@5"),
    ("CWL_RBP", ""),
    ("CWL_RR", ""),
    ("CWL_TBG", ""),
    ("CWL_TrAP", ""),
    ("CWL_U", ""),
    ("IFT", ""),
    ("INSQ", ""),
    ("INST", ""),
    ("NERR10", ""),
    ("NERR11", ""),
    ("NERR8", "@5"),
    ("NERR9", "@5"),
    ("NPV", ""),
    ("SET", "@5"),
];

pub(super) fn value(name: &str, ranking: &[i32], judged: &[i32]) -> Option<f64> {
    let topic = TestTopic::new(ranking, judged);
    match measure(name).computation {
        Computation::Ranked(measure) => measure.evaluate(&topic.ranking()),
        other => panic!("{name} is {other:?}"),
    }
}

/// Asserts a value up to rounding.
#[track_caller]
pub(super) fn check(name: &str, ranking: &[i32], judged: &[i32], expected: f64) {
    let value = value(name, ranking, judged);
    assert!(
        value.is_some_and(|value| (value - expected).abs() < 1e-12),
        "{name} of {ranking:?}, judged {judged:?}: {value:?}, not {expected}"
    );
}

#[test]
fn gains_are_scaled_and_clamped() {
    check("CWL_P(min_rel=1, max_rel=3)@1", &[2], &[2], 0.5);
    check("CWL_P(min_rel=1, max_rel=3)@1", &[1], &[1], 0.0);
    check("CWL_P(min_rel=1, max_rel=3)@1", &[4], &[4], 1.0);
    check("CWL_P(max_rel=2)@2", &[-3, 1], &[1, -3], 0.25);
    check("CWL_P(min_rel=3, max_rel=2)@1", &[2], &[2], 1.0);
    check("CWL_P(rel=2)@2", &[1, 2], &[2, 1], 0.5);
    check("CWL_P(rel=0)@3", &[-1, 0, -3], &[0, -3], 1.0 / 3.0);
}

#[test]
fn the_residual_counts_unjudged_documents() {
    check("CWL_P(residual='true')@2", &[-3, 1], &[1, -3], 0.0);
    check("CWL_P(residual='true')@2", &[-2, 1], &[1], 0.5);
    check(
        "CWL_RBP(p=0.5, depth=2, residual='true')",
        &[1],
        &[1],
        0.5 / 1.5,
    );
    check("CWL_RR(residual='true', figure='ED')", &[0], &[0], -998.0);
}

fn names() -> impl Strategy<Value = (&'static str, &'static str)> {
    select(&NAMES[..])
}

/// Grades in rank order; the judged ones are all known documents of the topic.
fn ranking() -> impl Strategy<Value = (Vec<i32>, Vec<i32>)> {
    prop::collection::vec(-2..4, 0..30).prop_map(|ranking| {
        let judged = ranking.iter().copied().filter(|grade| *grade >= 0);
        (ranking.clone(), judged.collect())
    })
}

proptest! {
    #[test]
    fn every_figure_is_finite(
        (name, cutoff) in names(),
        figure in select(&["EU", "ETU", "EC", "ETC", "ED"][..]),
        residual in any::<bool>(),
        max_rel in 0..5,
        depth in 1..40,
        (ranking, judged) in ranking(),
    ) {
        let name = format!(
            "{name}(figure='{figure}', residual='{residual}', max_rel={max_rel}, depth={depth}){cutoff}"
        );
        let value = value(&name, &ranking, &judged);
        prop_assert!(value.is_none_or(f64::is_finite), "{name}: {value:?}");
        prop_assert!(residual || value.is_none_or(|value| value >= 0.0), "{name}: {value:?}");
    }

    #[test]
    fn totals_are_rates_times_depth_where_everyone_stops(
        (name, cutoff) in select(&[("BPM", "@5"), ("CWL_AP", ""), ("CWL_P", "@5"), ("NERR8", "@5"),
            ("NERR9", "@5"), ("SET", "@5"), ("CWL_TBG", ""), ("CWL_U", "")][..]),
        (ranking, judged) in ranking(),
    ) {
        let figure = |figure| value(&format!("{name}(figure='{figure}', max_rel=3){cutoff}"), &ranking, &judged);
        let (rate, total, depth) = (figure("EU").unwrap(), figure("ETU").unwrap(), figure("ED").unwrap());
        prop_assert!((rate * depth - total).abs() < 1e-9, "{name}: {rate} {total} {depth}");
    }

    #[test]
    fn values_of_known_measures((ranking, judged) in ranking()) {
        let pairs = [
            ("CWL_P@5", "P@5"),
            ("CWL_RR", "RR"),
            ("CWL_TrAP", "AP@1000"),
            ("CWL_RBP", "RBP"),
            ("CWL_RBP(residual='true')", "RBP(bound='residual')"),
        ];
        for (cwl, known) in pairs {
            let expected = value(known, &ranking, &judged);
            let difference = expected.zip(value(cwl, &ranking, &judged)).map(|(a, b)| (a - b).abs());
            prop_assert!(difference.is_none_or(|difference| difference < 1e-9), "{cwl}: {difference:?}");
            prop_assert_eq!(difference.is_some(), expected.is_some(), "{}", cwl);
        }
    }

    #[test]
    fn an_unjudged_tail_changes_nothing((name, cutoff) in names(), (ranking, judged) in ranking()) {
        let mut longer = ranking.clone();
        longer.extend([-1, -2, -1]);
        for residual in ["false", "true"] {
            let name = format!("{name}(residual='{residual}'){cutoff}");
            prop_assert_eq!(value(&name, &ranking, &judged), value(&name, &longer, &judged));
        }
    }
}
