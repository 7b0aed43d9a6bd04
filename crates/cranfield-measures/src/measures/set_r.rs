//! # What it measures
//! Recall of the whole retrieved set: the fraction of the topic's relevant documents that were retrieved.
//!
//! # User model
//! Reads all retrieved documents in any order and asks what was missed.
//!
//! # Formula
//! ```math
//! \mathrm{SetR} = \frac{H_n}{R}
//! ```
//! SetR = H / R, where H is the number of relevant documents retrieved and R the number in the qrels.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; four relevant documents in the qrels: SetR = 2/4.
//!
//! # Undefined when
//! The topic has no relevant document.
//!
//! # Differences between tools
//! `trec_eval` prints it as `set_recall`; ranx's `recall` without a cutoff is the same.
//!
//! # References
//! van Rijsbergen 1979.

use cranfield_core::explain::Board;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::boards::{found_board, found_of, recall_base};
use super::common::ratio;

/// Recall of the retrieved set.
#[derive(Clone, Debug)]
pub(super) struct SetR {
    level: f64,
}

impl Measure for SetR {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        ratio(relevant.retrieved, relevant.total)
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let relevant = topic.relevant(self.level);
        let (found, total) = (relevant.retrieved, relevant.total);
        let value = ratio(found, total)?;
        // Levels below zero are counted differently.
        (found == relevant.ranks.len()).then(|| {
            let steps = vec![
                recall_base(total),
                found_of("found / R", found, total, value),
            ];
            let ranks = relevant.ranks.iter().copied();
            found_board(ranks, 1.0 / total as f64, steps)
        })
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
    name: "SetR",
    aliases: &["set_recall"],
    summary: "recall of the retrieved set",
    page: crate::page::page!("set_r.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    references: &["C. J. van Rijsbergen: Information Retrieval, 2nd edition. Butterworths, 1979"],
    build: |params| {
        Ok(Computation::ranked(SetR {
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
        check("SetR", &[1, 0, 1], &[1, 1, 1, 1, 0], 2.0 / 4.0);
    }

    #[test]
    fn edges() {
        check("SetR", &[], &[1], 0.0);
        check("SetR(rel=2)", &[1, 2], &[1, 2], 1.0);
        undefined("SetR", &[0], &[0]);
    }
}
