//! Tests of the effect of assessors.

use super::*;
use cranfield_eval::{Conventions, Run, parse_measures};

const TOPICS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// An assessor for whom one document of each topic is relevant.
fn assessor(name: &str, relevant: impl Fn(usize) -> &'static str) -> Assessor {
    let topics = TOPICS.iter().enumerate();
    let judged = topics.map(|(at, topic)| (*topic, relevant(at), 1.0));
    Assessor::in_memory(name, Qrels::from_judgements(judged.collect::<Vec<_>>()))
}

/// A run with the same order of documents for all topics.
fn run(name: &str, order: [&str; 3]) -> RunInput {
    let ranked = TOPICS.iter().flat_map(|topic| {
        let scored = order.into_iter().zip([3.0, 2.0, 1.0]);
        scored.map(move |(doc, score)| (*topic, doc, score))
    });
    RunInput::new(name, Run::from_scores(name, ranked.collect::<Vec<_>>()))
}

fn effects(assessors: &[Assessor], rules: &[MergeRule]) -> Result<Effects, EffectsError> {
    let runs = [
        run("x", ["a", "b", "c"]),
        run("y", ["b", "a", "c"]),
        run("z", ["c", "b", "a"]),
    ];
    let measures = parse_measures("RR", &Conventions::default()).unwrap();
    Effects::of(&EffectsRequest {
        assessors,
        rules,
        adjudicated: None,
        runs: &runs,
        request: &Request::of_measures(measures),
        settings: &Settings::default(),
    })
}

/// By hand: under Ann, a is relevant, so x, y, z have the reciprocal ranks 1, 1/2, 1/3. Under Bob, b is, so they have 1/2, 1, 1/2.
#[test]
fn rankings_and_claims_by_hand() {
    let assessors = [assessor("ann", |_| "a"), assessor("bob", |_| "b")];
    let found = effects(&assessors, &[MergeRule::Max]).unwrap();
    let names: Vec<&str> = found.sets.iter().map(|set| &*set.name).collect();
    assert_eq!(names, ["ann", "bob", "max"]);
    assert_eq!((found.topics, found.left_out), (10, 0));
    let measure = &found.measures[0];
    let ranks = |set: usize| {
        measure.standings[set]
            .iter()
            .map(|run| run.rank)
            .collect::<Vec<_>>()
    };
    assert_eq!(ranks(0), [1, 2, 3]);
    assert_eq!(ranks(1), [2, 1, 2]);
    let change = &measure.changes[0];
    assert_eq!((change.first, change.second), (0, 1));
    // x and y swap; y and z keep their order; x and z are tied under Bob: (1 - 1) / sqrt(3 * 2).
    assert_eq!(change.tau, Some(0.0));
    assert_eq!(change.swaps, [(0, 1)]);
    assert_eq!(change.drop, Some((0, 1)));
    let flips = measure.flips();
    let kinds: Vec<_> = flips
        .iter()
        .map(|(one, flip)| (one.first, one.second, *flip))
        .collect();
    // x is better than y under Ann and worse under Bob. x is better than z under Ann only. y is better than z under both, and under max.
    assert_eq!(kinds, [(0, 1, Flip::Reversed), (0, 2, Flip::Changed)]);
    let verdicts: Vec<Verdict> = flips[0].0.under.iter().map(|under| under.verdict).collect();
    // Both documents are relevant under max, so both runs find one at rank 1.
    assert_eq!(
        verdicts,
        [Verdict::Better, Verdict::Worse, Verdict::Identical]
    );
    assert_eq!(flips[0].0.under[1].difference, -0.5);
}

#[test]
fn equal_judgements_change_nothing() {
    let half = |at: usize| if at.is_multiple_of(2) { "a" } else { "b" };
    let assessors = [assessor("ann", half), assessor("bob", half)];
    let found = effects(&assessors, MergeRule::ALL).unwrap();
    assert_eq!(found.sets.len(), 7);
    for change in &found.measures[0].changes {
        assert!(change.swaps.is_empty() && change.drop.is_none());
        assert_eq!(change.tau, Some(1.0));
    }
    assert!(found.measures[0].flips().is_empty());
}

#[test]
fn only_common_topics_are_compared() {
    let mut assessors = vec![assessor("ann", |_| "a"), assessor("bob", |_| "b")];
    assessors.push(Assessor::in_memory(
        "cid",
        Qrels::from_judgements([("3", "a", 1.0), ("4", "b", 1.0), ("other", "a", 1.0)]),
    ));
    let found = effects(&assessors, &[]).unwrap();
    assert_eq!((found.topics, found.left_out), (2, 9));
    assert_eq!(found.sets[0].judgements, 2);
    let notes: Vec<String> = found.notes().iter().map(ToString::to_string).collect();
    assert!(notes[1].starts_with("9 topics judged by some"), "{notes:?}");
    assessors.push(Assessor::in_memory(
        "dan",
        Qrels::from_judgements([("new", "a", 1.0)]),
    ));
    assert!(matches!(
        effects(&assessors, &[]),
        Err(EffectsError::NoTopic)
    ));
}
