//! # What it measures
//! The number of relevant documents among the first k, averaged over topics.
//!
//! # User model
//! Reads exactly k documents and counts the relevant ones.
//!
//! # Formula
//! ```math
//! \mathrm{Hits@}k = H_k
//! ```
//! Hits@k = number of relevant documents among the first k. Without `@k` the whole ranking counts.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant: Hits = 2, Hits@2 = 1.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! Same as `hits` in ranx. NumRelRet is the sum over topics instead of the mean. NTCIREVAL's `Hit@k` and the
//! hit rate of other tools are Success, 1 or 0 per topic.
//!
//! # References
//! Bassani 2022.

use cranfield_core::explain::{Board, Step};
use cranfield_core::measure::{Computation, Measure, MeasureInfo, Range};
use cranfield_core::params::ParamInfo;
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::boards::{found_board, ranks_at};
use super::common::Within;

/// Number of relevant documents among the first k.
#[derive(Clone, Debug)]
pub(super) struct Hits(Within);

impl Measure for Hits {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.0.level);
        Some(relevant.count_at(self.0.depth) as f64)
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let relevant = topic.relevant(self.0.level);
        let value = relevant.count_at(self.0.depth) as f64;
        let step = Step::result("found", "{}", [value], value);
        let ranks = ranks_at(&relevant, self.0.depth);
        Some(found_board(ranks, 1.0, vec![step]))
    }

    fn level(&self) -> Option<f64> {
        Some(self.0.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.0.level))
    }

    fn grows_with_merit(&self) -> bool {
        true
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "Hits",
    summary: "number of relevant documents among the first k",
    page: crate::page::page!("hits.rs"),
    params: &[ParamInfo::LEVEL],
    range: Range::COUNT,
    references: &[
        "E. Bassani: ranx: A blazing-fast Python library for ranking evaluation and comparison. ECIR 2022",
    ],
    build: |params| Ok(Computation::ranked(Hits(Within::of(params)))),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check("Hits", &[1, 0, 1], &[1, 1, 0], 2.0);
        check("Hits@2", &[1, 0, 1], &[1, 1, 0], 1.0);
    }

    #[test]
    fn edges() {
        check("Hits@5", &[], &[1], 0.0);
        check("Hits@100", &[-1, -2, 0], &[], 0.0);
        check("Hits(rel=2)", &[1, 2], &[1, 2], 1.0);
    }
}
