//! Shared helpers of the measures' tests: topics from grades and measures from names.
//!
//! In a ranking −1 is an unjudged document and −2 one that was pooled but not judged.

use cranfield_core::groups::{GroupedQrelsBuilder, IntentKind, Intents};
use cranfield_core::measure::{BoundMeasure, Computation, Measure};
use cranfield_core::policy::Policies;
use cranfield_core::topic::{GradeCount, Hit, JudgedRanking, Label, RecallBase};

use crate::profiles::Profile;
use crate::spec::{Conventions, parse_measures};

/// A topic's data, from which a [`JudgedRanking`] borrows.
#[derive(Clone, Debug)]
pub(crate) struct TestTopic {
    retrieved: usize,
    hits: Vec<Hit>,
    grades: Vec<GradeCount>,
}

impl TestTopic {
    /// Grades in rank order, and the grades of all judged documents.
    pub(crate) fn new(ranking: &[i32], judged: &[i32]) -> Self {
        let label = |code: i32| match code {
            -2 => Label::Pooled,
            grade => Label::Judged(f64::from(grade)),
        };
        let hits = ranking.iter().zip(1u32..).filter(|(code, _)| **code != -1);
        let hits = hits
            .map(|(code, rank)| Hit {
                rank,
                label: label(*code),
            })
            .collect();
        let mut grades: Vec<GradeCount> = Vec::new();
        let mut judged = judged.to_vec();
        judged.sort_unstable_by(|a, b| b.cmp(a));
        for grade in judged.into_iter().map(f64::from) {
            match grades.last_mut().filter(|last| last.grade == grade) {
                Some(last) => last.count += 1,
                None => grades.push(GradeCount { grade, count: 1 }),
            }
        }
        Self {
            retrieved: ranking.len(),
            hits,
            grades,
        }
    }

    pub(crate) fn ranking(&self) -> JudgedRanking<'_> {
        JudgedRanking::new(self.retrieved, &self.hits, RecallBase::new(&self.grades))
    }
}

/// Parses a name of any kind into exactly one measure.
#[track_caller]
pub(crate) fn measure(name: &str) -> BoundMeasure {
    let mut measures = parse_measures(name, &Conventions::of(Profile::Cranfield)).unwrap();
    assert_eq!(measures.len(), 1, "{name}");
    measures.remove(0)
}

/// Evaluates a measure of judgement groups for one topic, given judgements (group, document, grade), intent
/// weights (all equal if empty) and a ranking.
#[track_caller]
pub(crate) fn grouped_value<T: AsRef<str>>(
    name: &str,
    judgements: &[(T, T, f64)],
    intents: &[(&str, f64, IntentKind)],
    ranking: &[T],
) -> Option<f64> {
    let mut builder = GroupedQrelsBuilder::default();
    for (group, doc, grade) in judgements {
        let (group, doc) = (group.as_ref(), doc.as_ref());
        builder.push(b"1", group.as_bytes(), doc.as_bytes(), *grade);
    }
    let mut qrels = builder.finish().unwrap();
    if !intents.is_empty() {
        let mut known = Intents::default();
        for (intent, weight, kind) in intents {
            known.push(b"1", intent.as_bytes(), *weight, *kind).unwrap();
        }
        qrels = qrels.with_intents(&known).unwrap();
    }
    let ranked: Vec<&[u8]> = ranking.iter().map(|doc| doc.as_ref().as_bytes()).collect();
    let topic = qrels.topic(b"1").expect("the topic has judgements");
    let topic = topic.judge(&ranked, &Policies::default(), &[]);
    match measure(name).computation {
        Computation::Grouped(measure) => measure.evaluate(&topic),
        other => panic!("{name} is {other:?}"),
    }
}

#[track_caller]
fn evaluate<T>(
    name: &str,
    ranking: &[i32],
    judged: &[i32],
    with: impl Fn(&dyn Measure, &JudgedRanking<'_>) -> T,
) -> T {
    let topic = TestTopic::new(ranking, judged);
    match measure(name).computation {
        Computation::Ranked(measure) => with(measure.as_ref(), &topic.ranking()),
        other => panic!("{name} is {other:?}"),
    }
}

/// Asserts a value exactly.
#[track_caller]
pub(crate) fn check(name: &str, ranking: &[i32], judged: &[i32], expected: f64) {
    let value = evaluate(name, ranking, judged, |measure, topic| {
        measure.evaluate(topic)
    });
    assert_eq!(
        value,
        Some(expected),
        "{name} of {ranking:?}, judged {judged:?}"
    );
}

/// Asserts a value as trec_eval prints it.
#[track_caller]
pub(crate) fn prints(name: &str, ranking: &[i32], judged: &[i32], expected: &str) {
    let value = evaluate(name, ranking, judged, |measure, topic| {
        measure.evaluate(topic)
    });
    let printed = value.map(|value| format!("{value:.4}"));
    assert_eq!(
        printed.as_deref(),
        Some(expected),
        "{name} of {ranking:?}, judged {judged:?}"
    );
}

/// Asserts that a value is undefined and that trec_eval prints 0 for it.
#[track_caller]
pub(crate) fn undefined(name: &str, ranking: &[i32], judged: &[i32]) {
    let reference = undefined_reference(name, ranking, judged);
    assert_eq!(reference, 0.0, "{name} of {ranking:?}, judged {judged:?}");
}

/// Asserts that a value is undefined and that trec_eval prints -nan for it.
#[track_caller]
pub(crate) fn undefined_nan(name: &str, ranking: &[i32], judged: &[i32]) {
    let reference = undefined_reference(name, ranking, judged);
    assert!(
        reference.is_nan() && reference.is_sign_negative(),
        "{name} of {ranking:?}: {reference}"
    );
}

#[track_caller]
fn undefined_reference(name: &str, ranking: &[i32], judged: &[i32]) -> f64 {
    let (value, reference) = evaluate(name, ranking, judged, |measure, topic| {
        (measure.evaluate(topic), measure.reference_undefined(topic))
    });
    assert_eq!(value, None, "{name} of {ranking:?}, judged {judged:?}");
    reference
}
