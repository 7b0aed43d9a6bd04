//! Whether engines answer the same question, and how well.

use cranfield_core::measure::BoundMeasure;
use cranfield_core::run::Run;
use cranfield_eval::similarity::{Comparison, ListMeasure, Ties};
use cranfield_eval::{Plan, Qrels, evaluate_run};
use cranfield_stats::bootstrap::{Method, bootstrap};
use cranfield_stats::random::Resampling;
use serde::Serialize;

use super::BenchError;
use super::estimate::{Estimate, LEVEL};
use crate::run_topics::TopicsRun;

/// Persistence of rank-biased overlap.
const PERSISTENCE: f64 = 0.9;
/// Least rank-biased overlap of engines that answer the same question.
const SAME: f64 = 0.95;
/// Documents whose overlap is counted.
const TOP: usize = 10;
/// Replicates of the interval of a mean.
const REPLICATES: usize = 2000;

/// Answers of one engine to all topics, once.
#[derive(Clone, Debug)]
pub struct Answers {
    /// The answers.
    pub run: TopicsRun,
    /// Their quality, if there are judgements.
    pub quality: Vec<Quality>,
}

/// The mean of a measure over topics.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quality {
    /// Name of the measure.
    pub measure: String,
    /// The mean, with an interval over topics.
    pub mean: Estimate,
}

/// Agreement of the answers of two engines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SameAnswers {
    /// Name of the first engine.
    pub first: String,
    /// Name of the second engine.
    pub second: String,
    /// Topics that both answered.
    pub topics: usize,
    /// Mean share of common documents among the first ten.
    pub overlap: f64,
    /// Mean rank-biased overlap with persistence 0.9; `None` if no topic has documents of both.
    pub rbo: Option<f64>,
    /// Largest difference between the scores that both give to a document.
    pub score_difference: Option<f64>,
}

impl SameAnswers {
    /// Whether the engines answer the same question.
    pub fn are_same(&self) -> bool {
        self.rbo.is_some_and(|rbo| rbo >= SAME)
    }

    pub(super) fn of(first: &Run, second: &Run) -> Result<Self, BenchError> {
        let comparison = Comparison::new(ListMeasure::Overlap, PERSISTENCE, Ties::Corrected, None);
        let comparison =
            comparison.map_err(|error| BenchError::Setting(error.message().clone()))?;
        let similarity = comparison.runs(first, second);
        let similarity =
            similarity.map_err(|error| BenchError::Setting(error.to_string().into()))?;
        let common = || {
            let topics = first.topics();
            topics.filter_map(|topic| Some((topic, second.get(topic.id())?)))
        };
        let overlaps: Vec<f64> = common()
            .filter_map(|(one, other)| overlap(one, other))
            .collect();
        let differences = common().filter_map(|(one, other)| score_difference(one, other));
        Ok(Self {
            first: first.tag().to_owned(),
            second: second.tag().to_owned(),
            topics: common().count(),
            overlap: overlaps.iter().sum::<f64>() / overlaps.len().max(1) as f64,
            rbo: similarity.mean(0),
            score_difference: differences.reduce(f64::max),
        })
    }
}

type Topic<'a> = cranfield_core::run::RunTopic<'a>;

/// Share of common documents among the first ten, or fewer if both have fewer; `None` if both are empty.
fn overlap(one: Topic<'_>, other: Topic<'_>) -> Option<f64> {
    let top = |topic: Topic<'_>| topic.entries().take(TOP).len();
    let most = top(one).max(top(other));
    let shared = one.entries().take(TOP).filter(|entry| {
        let mut others = other.entries().take(TOP);
        others.any(|candidate| candidate.doc == entry.doc)
    });
    (most > 0).then(|| shared.count() as f64 / most as f64)
}

fn score_difference(one: Topic<'_>, other: Topic<'_>) -> Option<f64> {
    let scores: std::collections::HashMap<&[u8], f64> = other
        .entries()
        .map(|entry| (entry.doc, entry.score))
        .collect();
    let differences = one.entries().filter_map(|entry| {
        let score = scores.get(entry.doc)?;
        Some((entry.score - score).abs())
    });
    differences.reduce(f64::max)
}

/// The quality of answers of at most `depth` documents under a plan.
pub(super) fn quality(
    run: &Run,
    (qrels, plan): (&Qrels, &Plan),
    depth: usize,
    seed: u64,
) -> Vec<Quality> {
    let scores = evaluate_run(run, qrels, plan);
    let measures = plan.measures.iter().enumerate();
    let name = |measure: &BoundMeasure| match measure.params.cutoff() {
        Some(cutoff) if cutoff.get() <= depth => measure.to_string(),
        _ => format!("{measure} of {depth} documents"),
    };
    let of = |(at, measure): (usize, &BoundMeasure)| {
        let values: Vec<f64> = (0..scores.topics.len())
            .filter_map(|topic| scores.row(topic).get(at).copied())
            .filter(|value| !value.is_nan())
            .collect();
        let resampling = Resampling {
            replicates: REPLICATES,
            seed,
        };
        let mean = |topics: &[usize]| {
            let sum: f64 = topics.iter().map(|topic| values[*topic]).sum();
            (!topics.is_empty()).then(|| sum / topics.len() as f64)
        };
        let found = bootstrap(values.len(), mean, Method::Percentile, LEVEL, resampling).ok()?;
        Some(Quality {
            measure: name(measure),
            mean: Estimate {
                value: found.estimate,
                interval: found.interval.map(|interval| [interval.low, interval.high]),
            },
        })
    };
    measures.filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_answers_are_the_same() {
        let run = |tag: &str, second: f64| {
            let rows = [("1", "a", 3.0), ("1", "b", second), ("2", "c", 1.0)];
            Run::from_scores(tag, rows)
        };
        let same = SameAnswers::of(&run("x", 2.0), &run("y", 2.0)).expect("runs are valid");
        assert!(same.are_same());
        assert_eq!((same.overlap, same.score_difference), (1.0, Some(0.0)));
        let other = SameAnswers::of(&run("x", 2.0), &run("y", 2.5)).expect("runs are valid");
        assert_eq!((other.rbo, other.score_difference), (same.rbo, Some(0.5)));
    }

    /// Of the documents a b and b c, one of two is shared; topic 2 has nothing in common.
    #[test]
    fn different_answers_are_told_apart() {
        let one = Run::from_scores("x", [("1", "a", 2.0), ("1", "b", 1.0), ("2", "d", 1.0)]);
        let other = Run::from_scores("y", [("1", "b", 2.0), ("1", "c", 1.0), ("2", "e", 1.0)]);
        let found = SameAnswers::of(&one, &other).expect("runs are valid");
        assert_eq!((found.topics, found.overlap), (2, 0.25));
        assert!(!found.are_same());
    }
}
