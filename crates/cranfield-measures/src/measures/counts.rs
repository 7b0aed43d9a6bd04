//! Measures that count documents under binary relevance.

use cranfield_core::measure::{Aggregate, Computation, Direction, Measure, MeasureInfo, Range};
use cranfield_core::params::{CutoffRule, ParamInfo, Params};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label, Relevant};

use super::common::depth;

/// Fields shared by the counts.
pub(super) const COUNT: MeasureInfo = MeasureInfo {
    name: "",
    summary: "",
    page: "",
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    range: Range::COUNT,
    aggregate: Aggregate::Sum,
    direction: Direction::Neutral,
    references: &[
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
    ],
    build: |_| Ok(Computation::TopicCount),
    ..MeasureInfo::DEFAULT
};

/// How a count depends on relevant documents, see [`Measure::merit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wants {
    /// Grows with every relevant document.
    Relevant,
    /// Improves as their ranks fall, not with their number.
    RelevantFirst,
    /// Does not depend on their order.
    Nothing,
}

/// Counts documents, given a topic, its binary relevance and the number of ranks to consider.
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

/// Builds the measure with this formula and the parameters declared by [`COUNT`].
pub(super) fn count(params: &Params, wants: Wants, formula: Formula) -> Computation {
    Computation::ranked(Count {
        level: params.level(),
        depth: depth(params.cutoff()),
        wants,
        formula,
    })
}
