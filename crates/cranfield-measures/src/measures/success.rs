//! # What it measures
//! Success at k: whether any of the first k documents is relevant. Its mean over topics is the fraction of
//! topics with at least one relevant document in the first k.
//!
//! # User model
//! Reads at most k documents and needs one relevant document.
//!
//! # Formula
//! ```math
//! \mathrm{Success@}k = \begin{cases} 1 & H_k > 0 \\ 0 & \text{else} \end{cases}
//! ```
//! Success@k = 1 if H(k) > 0, else 0, where H(k) is the number of relevant documents among the first k.
//!
//! # Worked example
//! Ranking: non-relevant, relevant: Success@1 = 0, Success@2 = 1.
//!
//! # Undefined when
//! Never: a topic without relevant documents scores 0.
//!
//! # Differences between tools
//! `trec_eval` (`success`), `ir_measures` (`Success`), ranx (`hit_rate`) and NTCIREVAL (`Hit`) agree. In
//! question answering it is called top-k accuracy, and sometimes recall.
//!
//! # References
//! Craswell and Hawking 2004.

use cranfield_core::explain::{Board, Step};
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::boards::{found_board, ranks_at};
use super::common::Within;

/// Success at a cutoff.
#[derive(Clone, Debug)]
pub(super) struct Success(Within);

impl Measure for Success {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let found = topic.relevant(self.0.level).count_at(self.0.depth);
        Some(if found > 0 { 1.0 } else { 0.0 })
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let relevant = topic.relevant(self.0.level);
        let first = ranks_at(&relevant, self.0.depth).next();
        let value = f64::from(u8::from(first.is_some()));
        let step = Step::result(
            "1 if a relevant document is found by rank k",
            "{}",
            [value],
            value,
        );
        Some(found_board(first, 1.0, vec![step]))
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
        let found = || topic.cascade(relevant, |_| 1.0, self.0.depth);
        (self.0.level > -1.0).then(found)?
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "Success",
    aliases: &["hit_rate", "hit"],
    summary: "success: whether any of the first k documents is relevant",
    page: crate::page::page!("success.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::Required,
    references: &["N. Craswell and D. Hawking: Overview of the TREC 2004 web track. TREC 2004"],
    build: |params| Ok(Computation::ranked(Success(Within::of(params)))),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check("Success@1", &[0, 1], &[1, 0], 0.0);
        check("Success@2", &[0, 1], &[1, 0], 1.0);
    }

    #[test]
    fn edges() {
        check("Success@5", &[], &[1], 0.0);
        check("Success@5", &[0], &[0], 0.0);
        check("hit_rate(rel=2)@9", &[1, 2], &[1, 2], 1.0);
    }
}
