//! Explanations of sessions.

use std::sync::Arc;

use proptest::prelude::*;

use cranfield_core::explain::{
    SessionDifference, SessionExplanation, SessionRanking, explain_session,
};
use cranfield_core::measure::Computation;
use cranfield_core::session::{JudgedSession, SessionMeasure};
use cranfield_core::topic::Label;

use crate::spec::{Conventions, parse_measure};

fn ranking(topic: &'static str, grades: &[u32]) -> SessionRanking<'static> {
    const DOCS: [&[u8]; 6] = [b"a", b"b", b"c", b"d", b"e", b"f"];
    let labels = grades.iter().map(|grade| match grade {
        0 => Label::Unjudged,
        grade => Label::Judged(f64::from(*grade - 1)),
    });
    SessionRanking {
        topic: topic.as_bytes(),
        in_run: true,
        documents: DOCS.into_iter().zip(labels).collect(),
    }
}

fn explained(name: &str, rankings: &[SessionRanking<'_>]) -> SessionExplanation {
    let measure = parse_measure(name, &Conventions::default()).expect("a measure");
    let documents = rankings.iter().flat_map(|ranking| &ranking.documents);
    let judged: Vec<f64> = documents
        .filter_map(|(_, label)| match label {
            Label::Judged(grade) => Some(*grade),
            _ => None,
        })
        .collect();
    explain_session(&measure, b"s", rankings, &judged, None)
}

#[test]
fn worked_example() {
    // Grades 1, 0 and grade 2: 1 + 2 / 1.5.
    let rankings = [ranking("1", &[2, 1]), ranking("2", &[3])];
    let found = explained("SessionDCG", &rankings);
    let shares: Vec<Vec<f64>> = found
        .rankings
        .iter()
        .map(|ranking| ranking.documents.iter().map(|d| d.share).collect())
        .collect();
    assert_eq!(shares, [vec![1.0, 0.0], vec![2.0 / 1.5]]);
    let board = found.rankings[1].board.as_ref().expect("a table");
    assert_eq!(board.steps[0].value, Some(1.5));
    assert_eq!(board.rows[0].cells.last(), Some(&found.value));
    let last = found.steps.expect("steps").pop().expect("a result");
    assert_eq!(last.value, found.value);
}

#[test]
fn parts_are_those_of_the_rankings() {
    // Grades 1, 0 and 2: 1 of 2 + 1 / 1.5, and 2 / 1.5 of it.
    let found = explained("nsDCG", &[ranking("1", &[2, 1]), ranking("2", &[3])]);
    let parts: Vec<_> = found.rankings.iter().map(|ranking| ranking.value).collect();
    assert_eq!(parts, [Some(0.375), Some(0.5)]);
}

#[test]
fn undefined_values_have_no_shares() {
    let found = explained("nsDCG", &[ranking("1", &[0, 1])]);
    assert_eq!((found.value, found.total()), (None, 0.0));
    assert_eq!(found.rankings[0].value, None);
    let measure = parse_measure("nsDCG", &Conventions::default()).expect("a measure");
    let number = explain_session(&measure, b"s", &[], &[], Some(0.0));
    assert_eq!((number.value, number.total()), (Some(0.0), 0.0));
}

#[test]
fn differences_add_up() {
    let first = explained("nsDCG", &[ranking("1", &[2, 1]), ranking("2", &[3, 2])]);
    let second = explained("nsDCG", &[ranking("1", &[1, 2]), ranking("2", &[2, 3])]);
    let difference = SessionDifference::new([first, second]);
    let value = difference.difference().expect("both are defined");
    assert!((value - difference.total()).abs() < 1e-12);
    assert_eq!(difference.rankings.len(), 2);
}

/// A measure with no tables: the product of the numbers of judged documents in all rankings.
#[derive(Debug)]
struct Product;

impl SessionMeasure for Product {
    fn evaluate(&self, session: &JudgedSession<'_>) -> Option<f64> {
        let judged = |ranking: &Vec<Label>| {
            let judged = ranking.iter().filter(|label| **label != Label::Unjudged);
            judged.count() as f64
        };
        Some(session.rankings.iter().map(judged).product())
    }
}

#[test]
fn without_tables_judgements_become_known_in_reading_order() {
    let mut measure = parse_measure("nsDCG", &Conventions::default()).expect("a measure");
    measure.computation = Computation::Session(Arc::new(Product));
    let rankings = [ranking("1", &[1, 0, 1]), ranking("2", &[0, 1, 1])];
    let found = explain_session(&measure, b"s", &rankings, &[], None);
    let parts: Vec<_> = found.rankings.iter().map(|ranking| ranking.value).collect();
    assert_eq!(
        (found.value, parts),
        (Some(4.0), vec![Some(0.0), Some(4.0)])
    );
    assert_eq!(found.rankings[1].documents[1].share, 2.0);
}

proptest! {
    #[test]
    fn shares_add_up_to_the_value_to_the_bit_of_evaluation(
        grades in prop::collection::vec(prop::collection::vec(0u32..5, 0..6), 0..5),
        cutoff in 1usize..8,
    ) {
        let rankings: Vec<_> = grades.iter().map(|grades| ranking("t", grades)).collect();
        for name in ["SessionDCG", "nsDCG", "nsDCG(bq=2, b=3, gains='exp')"] {
            let found = explained(&format!("{name}@{cutoff}"), &rankings);
            if let (Some(value), Some(steps)) = (found.value, &found.steps) {
                prop_assert!((found.total() - value).abs() < 1e-12 * value.max(1.0));
                let last = steps.last().and_then(|step| step.value);
                prop_assert_eq!(last.map(f64::to_bits), Some(value.to_bits()));
            }
            prop_assert_eq!(found.value.is_some(), found.steps.is_some());
        }
    }
}
