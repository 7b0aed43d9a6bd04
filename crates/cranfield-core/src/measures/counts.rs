//! Measures that count documents.

use std::sync::Arc;

use super::common::depth;
use crate::measure::{Aggregate, Computation, Direction, Measure, MeasureInfo, Range};
use crate::params::{CutoffRule, ParamInfo, Params};
use crate::topic::{JudgedRanking, Relevant};

/// What counts have in common.
pub(super) const COUNT: MeasureInfo = MeasureInfo {
    name: "",
    aliases: &[],
    summary: "",
    source: "",
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    range: Range::COUNT,
    aggregate: Aggregate::Sum,
    direction: Direction::Neutral,
    references: &[
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
    ],
    build: |_| Ok(Computation::TopicCount),
};

/// A number of documents, from a topic, its binary reading and the number of ranks to look at.
type Formula = fn(&JudgedRanking<'_>, &Relevant, usize) -> usize;

#[derive(Clone, Debug)]
struct Count {
    level: f64,
    depth: usize,
    formula: Formula,
}

impl Measure for Count {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        Some((self.formula)(topic, &relevant, self.depth) as f64)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }
}

/// The measure with this formula and the parameters that [`COUNT`] declares.
pub(super) fn count(params: &Params, formula: Formula) -> Computation {
    Computation::Ranked(Arc::new(Count {
        level: params.level(),
        depth: depth(params.cutoff()),
        formula,
    }))
}
