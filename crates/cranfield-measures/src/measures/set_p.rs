//! # What it measures
//! Precision of the whole retrieved set: the fraction of retrieved documents that are relevant.
//!
//! # User model
//! Reads all retrieved documents in any order.
//!
//! # Formula
//! ```math
//! \mathrm{SetP} = \frac{H_n}{n}
//! ```
//! SetP = H / n, where H is the number of relevant documents retrieved and n the number of documents retrieved.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant: SetP = 2/3 = 0.666667.
//!
//! # Undefined when
//! The ranking is empty.
//!
//! # Differences between tools
//! `trec_eval` prints it as `set_P`; ranx's `precision` without a cutoff is the same.
//!
//! # References
//! van Rijsbergen 1979.

use cranfield_core::explain::Board;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::boards::{found_board, found_of};
use super::common::ratio;

/// Precision of the retrieved set.
#[derive(Clone, Debug)]
pub(super) struct SetP {
    level: f64,
}

impl Measure for SetP {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        ratio(topic.relevant(self.level).retrieved, topic.retrieved())
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let relevant = topic.relevant(self.level);
        let (found, shown) = (relevant.retrieved, topic.retrieved());
        let value = ratio(found, shown)?;
        // Levels below zero are counted differently.
        (found == relevant.ranks.len()).then(|| {
            let step = found_of("found / retrieved", found, shown, value);
            let ranks = relevant.ranks.iter().copied();
            found_board(ranks, 1.0 / shown as f64, vec![step])
        })
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
    name: "SetP",
    aliases: &["set_p"],
    summary: "precision of the retrieved set",
    page: crate::page::page!("set_p.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    references: &["C. J. van Rijsbergen: Information Retrieval, 2nd edition. Butterworths, 1979"],
    build: |params| {
        Ok(Computation::ranked(SetP {
            level: params.level(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        check("SetP", &[1, 0, 1], &[1, 1, 0], 2.0 / 3.0);
    }

    #[test]
    fn edges() {
        check("SetP", &[-1], &[], 0.0);
        check("SetP(rel=2)", &[1, 2], &[1, 2], 0.5);
        undefined("SetP", &[], &[1]);
    }
}
