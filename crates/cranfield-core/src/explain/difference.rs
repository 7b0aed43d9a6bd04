//! The difference of two runs by the documents of one topic, or by the topics of a mean. The difference is always
//! the second run minus the first.

use std::collections::BTreeMap;

use super::{Explanation, MeanExplanation, sum};
use crate::measure::{Aggregate, BoundMeasure};
use crate::small_sort::SmallSort;
use crate::topic::Label;

/// A document's rank in one run and its share there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DocShare {
    /// Rank, from 1.
    pub rank: u32,
    /// Its part of the value.
    pub share: f64,
}

/// A document of at least one of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct DocDifference {
    /// Document id.
    pub doc: Box<[u8]>,
    /// Its judgement.
    pub label: Label,
    /// Its ranks and shares in the runs.
    pub runs: [Option<DocShare>; 2],
}

impl DocDifference {
    /// Its part of the difference: the share in the second run minus that in the first, 0 where a run lacks it.
    pub fn share(&self) -> f64 {
        let [first, second] = self.runs.map(|run| run.map_or(0.0, |found| found.share));
        second - first
    }
}

/// The difference of two runs for one topic and measure, by document.
#[derive(Clone, Debug)]
pub struct TopicDifference {
    /// The explanations of both values.
    pub runs: [Explanation; 2],
    /// Documents of either run, those with the largest part of the difference first.
    pub documents: Vec<DocDifference>,
}

impl TopicDifference {
    /// Joins two explanations of the same measure and topic.
    pub fn new(runs: [Explanation; 2]) -> Self {
        let mut found: BTreeMap<&[u8], DocDifference> = BTreeMap::new();
        for (place, run) in runs.iter().enumerate() {
            for (document, rank) in run.documents.iter().zip(1..) {
                let entry = found.entry(&document.doc).or_insert_with(|| DocDifference {
                    doc: document.doc.clone(),
                    label: document.label,
                    runs: [None; 2],
                });
                let share = document.share;
                entry.runs[place] = Some(DocShare { rank, share });
            }
        }
        let mut documents: Vec<DocDifference> = found.into_values().collect();
        let first_rank = |document: &DocDifference| {
            let ranks = document.runs.iter().flatten().map(|found| found.rank);
            ranks.min().unwrap_or(u32::MAX)
        };
        // Stable: documents alike in both stay in the order of their ids.
        documents.small_sort_by(|a, b| {
            let larger = b.share().abs().total_cmp(&a.share().abs());
            larger.then_with(|| first_rank(a).cmp(&first_rank(b)))
        });
        Self { runs, documents }
    }

    /// The second run's value minus the first's; `None` if one is undefined.
    pub fn difference(&self) -> Option<f64> {
        let [first, second] = &self.runs;
        Some(second.value? - first.value?)
    }

    /// The part of the difference that belongs to no document.
    pub fn nothing(&self) -> f64 {
        self.runs[1].nothing - self.runs[0].nothing
    }

    /// The part of documents below those with their own shares.
    pub fn rest(&self) -> f64 {
        self.runs[1].rest - self.runs[0].rest
    }

    /// The sum of all parts.
    pub fn total(&self) -> f64 {
        let shares = self.documents.iter().map(DocDifference::share);
        sum(shares.chain([self.nothing(), self.rest()]))
    }
}

/// A topic of at least one of two means.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicPair {
    /// Topic id.
    pub id: Box<[u8]>,
    /// The runs' values; `None` if undefined or not evaluated.
    pub values: [Option<f64>; 2],
    /// Its part of the difference.
    pub share: f64,
}

/// The difference of two runs in one measure, by topic.
#[derive(Clone, Debug)]
pub struct MeanDifference {
    /// The measure.
    pub measure: BoundMeasure,
    /// The explanations of both means.
    pub runs: [MeanExplanation; 2],
    /// Topics, those with the largest part of the difference first.
    pub topics: Vec<TopicPair>,
}

impl MeanDifference {
    /// Joins two means of the same measure.
    ///
    /// A topic's part is its share in the second mean minus that in the first. Shares of geometric means are
    /// logarithms; they are multiplied by (b − a) / (ln b − ln a), so that parts add up to b − a all the same.
    pub fn new(runs: [MeanExplanation; 2]) -> Self {
        let mut found: BTreeMap<&[u8], TopicPair> = BTreeMap::new();
        let scale = scale(&runs);
        for (place, (run, sign)) in runs.iter().zip([-1.0, 1.0]).enumerate() {
            for topic in &run.topics {
                let entry = found.entry(&topic.id).or_insert_with(|| TopicPair {
                    id: topic.id.clone(),
                    values: [None; 2],
                    share: 0.0,
                });
                entry.values[place] = topic.value;
                entry.share += sign * topic.share * scale;
            }
        }
        let mut topics: Vec<TopicPair> = found.into_values().collect();
        topics.small_sort_by(|a, b| b.share.abs().total_cmp(&a.share.abs()));
        Self {
            measure: runs[0].measure.clone(),
            topics,
            runs,
        }
    }

    /// The second run's value minus the first's; `None` if one is undefined.
    pub fn difference(&self) -> Option<f64> {
        let [first, second] = &self.runs;
        Some(second.value? - first.value?)
    }

    /// The sum of all parts.
    pub fn total(&self) -> f64 {
        sum(self.topics.iter().map(|topic| topic.share))
    }
}

/// The factor that turns shares into parts of the difference.
fn scale([first, second]: &[MeanExplanation; 2]) -> f64 {
    let (Some(a), Some(b)) = (first.value, second.value) else {
        return 1.0;
    };
    if first.measure.info.aggregate != Aggregate::GeometricMean {
        return 1.0;
    }
    let logarithms = second.total() - first.total();
    if logarithms == 0.0 {
        a
    } else {
        (b - a) / logarithms
    }
}
