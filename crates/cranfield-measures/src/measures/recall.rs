//! # What it measures
//! Recall at k: the fraction of the topic's relevant documents that are among the first k.
//!
//! # User model
//! Reads k documents and asks what was missed.
//!
//! # Formula
//! ```math
//! \mathrm{R@}k = \frac{H_k}{R}
//! ```
//! R@k = H(k) / R, where H(k) is the number of relevant documents among the first k and R the number in the
//! qrels.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; three relevant documents in the qrels: R@1 = 1/3 = 0.333333, R@5
//! = 2/3 = 0.666667.
//!
//! # Undefined when
//! The topic has no relevant document.
//!
//! # Differences between tools
//! `trec_eval`, `ir_measures` and ranx agree. Recall in some papers on question answering is Success@k, and
//! capped recall in BEIR is RelP@k.
//!
//! # References
//! van Rijsbergen 1979.

use cranfield_core::explain::Board;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::boards::{found_board, found_of, ranks_at, recall_base};
use super::common::{Within, ratio};

/// Recall at a cutoff.
#[derive(Clone, Debug)]
pub(super) struct Recall(Within);

impl Measure for Recall {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.0.level);
        ratio(relevant.count_at(self.0.depth), relevant.total)
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let relevant = topic.relevant(self.0.level);
        let (found, total) = (relevant.count_at(self.0.depth), relevant.total);
        let value = found_of("found / R", found, total, ratio(found, total)?);
        let ranks = ranks_at(&relevant, self.0.depth);
        let steps = vec![recall_base(total), value];
        Some(found_board(ranks, 1.0 / total as f64, steps))
    }

    fn level(&self) -> Option<f64> {
        Some(self.0.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.0.level))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "R",
    aliases: &["recall"],
    summary: "recall: fraction of the relevant documents found among the first k",
    page: crate::page::page!("recall.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::Required,
    references: &["C. J. van Rijsbergen: Information Retrieval, 2nd edition. Butterworths, 1979"],
    build: |params| Ok(Computation::ranked(Recall(Within::of(params)))),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        check("R@1", &[1, 0, 1], &[1, 1, 1, 0], 1.0 / 3.0);
        check("R@5", &[1, 0, 1], &[1, 1, 1, 0], 2.0 / 3.0);
    }

    #[test]
    fn edges() {
        check("R@5", &[], &[1], 0.0);
        check("recall(rel=2)@1", &[2], &[2, 2, 1], 0.5);
        undefined("R@5", &[0], &[0]);
    }
}
