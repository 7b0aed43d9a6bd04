//! # What it measures
//! R: the number of documents of the qrels that are relevant to the topic, retrieved or not.
//!
//! # User model
//! None: a count, which says nothing of how anybody reads.
//!
//! # Formula
//! ```math
//! \mathrm{NumRel} = \sum_{t} R_t
//! ```
//! R = number of judged documents with a grade of at least `rel`. The run's value is the sum over topics.
//!
//! # Worked example
//! Judged 2, 1, 1, 0: NumRel = 3, NumRel(rel=2) = 1.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! `trec_eval -c` recounts the sum over all topics of the qrels with grades above 0, whatever `-l` says; the
//! topics' own values follow `-l`. `ir_measures` knows `rel=1` only.
//!
//! # References
//! trec_eval.

use std::sync::Arc;

use crate::error::Error;
use crate::measure::{Aggregate, Computation, Direction, Measure, MeasureInfo, Range};
use crate::params::{CutoffRule, ParamInfo, Params};
use crate::tied::TiedRanking;
use crate::topic::{JudgedRanking, Label};

/// Number of relevant documents in the qrels.
#[derive(Clone, Debug)]
pub(super) struct NumRel {
    level: f64,
}

impl Measure for NumRel {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        Some(topic.relevant(self.level).total as f64)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.level))
    }

    fn grows_with_merit(&self) -> bool {
        true
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "NumRel",
    aliases: &["num_rel"],
    summary: "number of relevant documents in the qrels",
    source: include_str!("num_rel.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    range: Range::COUNT,
    aggregate: Aggregate::Sum,
    direction: Direction::Neutral,
    references: &[
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
    ],
    build,
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(Computation::Ranked(Arc::new(NumRel {
        level: params.level(),
    })))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check("NumRel", &[], &[2, 1, 1, 0], 3.0);
        check("NumRel(rel=2)", &[], &[2, 1, 1, 0], 1.0);
    }

    #[test]
    fn edges() {
        check("NumRel", &[-1], &[], 0.0);
        check("NumRel(rel=-1)", &[-1], &[1, 0], 2.0);
    }
}
