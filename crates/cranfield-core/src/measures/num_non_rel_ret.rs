//! # What it measures
//! Number of documents retrieved that are not relevant: the false alarms of the contingency table, unjudged
//! documents among them.
//!
//! # User model
//! None: a count, which says nothing of how anybody reads.
//!
//! # Formula
//! ```math
//! \mathrm{NumNonRelRet@}k = \min(k, n) - H_k
//! ```
//! NumNonRelRet@k = min(k, n) − H, where H of the first k documents are relevant and n are retrieved.
//!
//! # Worked example
//! Relevant, not, unjudged; three relevant and two other documents in the qrels: NumNonRelRet = 2.
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

/// Number of documents retrieved that are not relevant.
#[derive(Clone, Debug)]
pub(super) struct NumNonRelRet {
    level: f64,
    cutoff: Option<Cutoff>,
}

impl Measure for NumNonRelRet {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let (relevant, depth) = (topic.relevant(self.level), depth(self.cutoff));
        let shown = topic.retrieved().min(depth);
        Some(shown.saturating_sub(relevant.count_at(depth)) as f64)
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
    name: "NumNonRelRet",
    aliases: &["num_nonrel_ret"],
    summary: "number of documents retrieved that are not relevant",
    source: include_str!("num_non_rel_ret.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::Optional,
    range: Range::COUNT,
    aggregate: Aggregate::Sum,
    direction: Direction::LowerIsBetter,
    references: &["C. J. van Rijsbergen: Information Retrieval, 2nd edition. Butterworths, 1979"],
    build,
};

fn build(params: &Params) -> Result<Computation, Error> {
    let measure = NumNonRelRet {
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
        check("NumNonRelRet", &[1, 0, -1], &[1, 1, 1, 0, 0], 2.0);
    }

    #[test]
    fn edges() {
        check("NumNonRelRet", &[], &[1], 0.0);
        check("NumNonRelRet@2", &[-1, -2, 0], &[0], 2.0);
        check("NumNonRelRet(rel=2)@100", &[1, 2], &[2, 1], 1.0);
    }
}
