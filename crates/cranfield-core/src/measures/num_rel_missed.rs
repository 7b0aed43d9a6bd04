//! # What it measures
//! Number of relevant documents not retrieved: the misses of the contingency table.
//!
//! # User model
//! None: a count, which says nothing of how anybody reads.
//!
//! # Formula
//! ```math
//! \mathrm{NumRelMissed@}k = R - H_k
//! ```
//! NumRelMissed@k = R − H, where H of the R relevant documents in the qrels are among the first k.
//!
//! # Worked example
//! Relevant, not, unjudged; three relevant and two other documents in the qrels: NumRelMissed = 2.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! No program prints it; `trec_eval`'s `utility` weighs it.
//!
//! # References
//! van Rijsbergen 1979.

use std::sync::Arc;

use super::common::depth;
use crate::error::Error;
use crate::measure::{Aggregate, Computation, Direction, Measure, MeasureInfo, Range};
use crate::params::{Cutoff, CutoffRule, ParamInfo, Params};
use crate::tied::TiedRanking;
use crate::topic::{JudgedRanking, Label};

/// Number of relevant documents not retrieved.
#[derive(Clone, Debug)]
pub(super) struct NumRelMissed {
    level: f64,
    cutoff: Option<Cutoff>,
}

impl Measure for NumRelMissed {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        let found = relevant.count_at(depth(self.cutoff));
        Some(relevant.total.saturating_sub(found) as f64)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.level))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "NumRelMissed",
    aliases: &["num_rel_missed"],
    summary: "number of relevant documents not retrieved",
    source: include_str!("num_rel_missed.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::Optional,
    range: Range::COUNT,
    aggregate: Aggregate::Sum,
    direction: Direction::LowerIsBetter,
    references: &["C. J. van Rijsbergen: Information Retrieval, 2nd edition. Butterworths, 1979"],
    build,
};

fn build(params: &Params) -> Result<Computation, Error> {
    let measure = NumRelMissed {
        level: params.level(),
        cutoff: params.cutoff(),
    };
    Ok(Computation::Ranked(Arc::new(measure)))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check("NumRelMissed", &[1, 0, -1], &[1, 1, 1, 0, 0], 2.0);
    }

    #[test]
    fn edges() {
        check("NumRelMissed", &[], &[1], 1.0);
        check("NumRelMissed@1", &[0, 1], &[1, 0], 1.0);
        check("NumRelMissed(rel=2)@100", &[2], &[2, 2, 1], 1.0);
        check("NumRelMissed", &[0], &[], 0.0);
    }
}
