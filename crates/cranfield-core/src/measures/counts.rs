//! Measures that count documents of a binary reading.

use std::sync::Arc;

use super::common::depth;
use crate::measure::{Aggregate, Computation, Direction, Measure, MeasureInfo, Range};
use crate::params::{CutoffRule, ParamInfo, Params};
use crate::tied::TiedRanking;
use crate::topic::{JudgedRanking, Label, Relevant};

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

/// What a count makes of relevant documents, see [`Measure::merit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wants {
    /// It grows with every relevant document.
    Relevant,
    /// It is better the earlier they stand, but not the more there are.
    RelevantFirst,
    /// Their order does not matter to it.
    Nothing,
}

/// A number of documents, from a topic, its binary reading and the number of ranks to look at.
type Formula = fn(&JudgedRanking<'_>, &Relevant, usize) -> usize;

#[derive(Clone, Debug)]
struct Count {
    level: f64,
    depth: usize,
    wants: Wants,
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

    fn merit(&self, label: Label) -> Option<f64> {
        Some(match self.wants {
            Wants::Relevant | Wants::RelevantFirst => label.relevance(self.level),
            Wants::Nothing => 0.0,
        })
    }

    fn grows_with_merit(&self) -> bool {
        self.wants == Wants::Relevant
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

/// The measure with this formula and the parameters that [`COUNT`] declares.
pub(super) fn count(params: &Params, wants: Wants, formula: Formula) -> Computation {
    Computation::Ranked(Arc::new(Count {
        level: params.level(),
        depth: depth(params.cutoff()),
        wants,
        formula,
    }))
}
