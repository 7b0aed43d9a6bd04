//! # What it measures
//! Reciprocal rank: how early the first relevant document is ranked.
//!
//! # User model
//! Reads from the top and stops at the first relevant document.
//!
//! # Formula
//! ```math
//! \mathrm{RR} = \frac{1}{\min \{ i\ \mathrm{rel} \}}
//! ```
//! RR = 1 / (rank of the first relevant document), and 0 if there is none. RR@k is 0 if that rank is beyond k.
//!
//! # Worked example
//! Ranking: non-relevant, non-relevant, relevant: RR = 1/3 = 0.333333, RR@2 = 0.
//!
//! # Undefined when
//! The topic has no relevant document.
//!
//! # Differences between tools
//! `trec_eval` (`recip_rank`) has no cutoff. In `ir_measures` RR and RR@k come from different programs that
//! break ties differently; here both use the same ranking. `mrr` in ranx and the MS MARCO script agree.
//!
//! # References
//! Kantor and Voorhees 2000.

use cranfield_core::explain::{Board, BoardRow, Step};
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::ParamInfo;
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::boards::ranks_at;
use super::common::Within;

/// Reciprocal rank.
#[derive(Clone, Debug)]
pub(super) struct Rr(Within);

impl Measure for Rr {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.0.level);
        match relevant.ranks.first() {
            Some(&rank) if rank as usize <= self.0.depth => Some(1.0 / f64::from(rank)),
            _ => (relevant.total > 0).then_some(0.0),
        }
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let relevant = topic.relevant(self.0.level);
        let value = self.evaluate(topic)?;
        let first = ranks_at(&relevant, self.0.depth).next();
        let step = match first {
            Some(rank) => Step::result("1 / rank", "1 / {}", [f64::from(rank)], value),
            None => Step::result("0, no relevant document found", "{}", [0.0], value),
        };
        let row = first.map(|rank| BoardRow::new(rank, [value], value));
        Some(Board {
            columns: vec!["1/rank"],
            rows: row.into_iter().collect(),
            steps: vec![step],
        })
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
        let relevant = |label: Label| label.relevance(self.0.level);
        let first = || topic.cascade(relevant, |rank| 1.0 / f64::from(rank), self.0.depth);
        (self.0.level > -1.0).then(first)?
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "RR",
    aliases: &["mrr", "reciprocal_rank", "recip_rank"],
    summary: "reciprocal rank of the first relevant document",
    page: crate::page::page!("rr.rs"),
    params: &[ParamInfo::LEVEL],
    references: &[
        "P. Kantor and E. Voorhees: The TREC-5 confusion track: Comparing retrieval methods for scanned text. Information Retrieval 2(2/3), 2000",
    ],
    build: |params| Ok(Computation::ranked(Rr(Within::of(params)))),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        check("RR", &[0, 0, 1], &[1, 0, 0], 1.0 / 3.0);
        check("RR@2", &[0, 0, 1], &[1, 0, 0], 0.0);
    }

    #[test]
    fn edges() {
        check("RR", &[], &[1], 0.0);
        check("MRR@10", &[-1, 1, 1], &[1, 1], 0.5);
        check("RR(rel=2)", &[1, 2], &[2, 1], 0.5);
        check("RR(rel=-1)", &[-1, 1], &[1], 1.0);
        undefined("RR", &[0], &[0]);
    }
}
