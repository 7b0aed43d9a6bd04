//! # What it measures
//! Precision at k: the fraction of the first k documents that are relevant.
//!
//! # User model
//! Reads exactly k documents in any order; each relevant one is worth 1.
//!
//! # Formula
//! ```math
//! \mathrm{P@}k = \frac{H_k}{k}
//! ```
//! P@k = H(k) / k, where H(k) is the number of relevant documents among the first k. A ranking shorter than k
//! is treated as padded with non-relevant documents. With `denominator='min(k,n)'` the divisor is its length n
//! instead.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant: P@2 = 1/2, P@3 = 2/3 = 0.666667, P@5 = 2/5,
//! `P(denominator='min(k,n)')@5` = 2/3.
//!
//! # Undefined when
//! Never: a topic without relevant documents and an empty ranking both score 0.
//!
//! # Differences between tools
//! `trec_eval`, `ir_measures` and ranx agree. Quepid and some search engines divide by the number of documents
//! returned, which rewards short lists: `denominator='min(k,n)'`.
//!
//! # References
//! Harman 1992.

use cranfield_core::explain::Board;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::boards::{found_board, found_of, ranks_at};

/// Precision at a cutoff.
#[derive(Clone, Debug)]
pub(super) struct Precision {
    level: f64,
    cutoff: usize,
    of_returned: bool,
}

impl Measure for Precision {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let found = topic.relevant(self.level).count_at(self.cutoff);
        Some(found as f64 / self.whole(topic) as f64)
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let relevant = topic.relevant(self.level);
        let (found, whole) = (relevant.count_at(self.cutoff), self.whole(topic));
        let formula = if self.of_returned {
            "found / min(k, n)"
        } else {
            "found / k"
        };
        let step = found_of(formula, found, whole, found as f64 / whole as f64);
        let ranks = ranks_at(&relevant, self.cutoff);
        Some(found_board(ranks, 1.0 / whole as f64, vec![step]))
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

impl Precision {
    /// The divisor of the number of relevant documents found.
    fn whole(&self, topic: &JudgedRanking<'_>) -> usize {
        if self.of_returned {
            self.cutoff.min(topic.retrieved()).max(1)
        } else {
            self.cutoff
        }
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "P",
    aliases: &["precision", "prec"],
    summary: "precision: fraction of the first k documents that are relevant",
    page: crate::page::page!("precision.rs"),
    params: &[ParamInfo::LEVEL, DENOMINATOR],
    cutoff: CutoffRule::Required,
    references: &[
        "D. Harman: Evaluation issues in information retrieval. Information Processing and Management 28(4), 1992. doi:10.1016/0306-4573(92)90001-G",
    ],
    build: |params| {
        Ok(Computation::ranked(Precision {
            level: params.level(),
            cutoff: params.required_cutoff(),
            of_returned: params.word("denominator") == "min(k,n)",
        }))
    },
    ..MeasureInfo::DEFAULT
};

const DENOMINATOR: ParamInfo = ParamInfo {
    name: "denominator",
    kind: ParamKind::Word(&["k", "min(k,n)"]),
    default: "k",
    help: "divisor: k, or the number of documents retrieved if that is less (Quepid)",
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check("P@2", &[1, 0, 1], &[1, 1, 0], 1.0 / 2.0);
        check("P@3", &[1, 0, 1], &[1, 1, 0], 2.0 / 3.0);
        check("P@5", &[1, 0, 1], &[1, 1, 0], 2.0 / 5.0);
        check(
            "P(denominator='min(k,n)')@5",
            &[1, 0, 1],
            &[1, 1, 0],
            2.0 / 3.0,
        );
        check(
            "P(denominator='min(k,n)')@2",
            &[1, 0, 1],
            &[1, 1, 0],
            1.0 / 2.0,
        );
    }

    #[test]
    fn edges() {
        check("P@5", &[], &[1], 0.0);
        check("P(denominator='min(k,n)')@5", &[], &[1], 0.0);
        check("P@5", &[0], &[0], 0.0);
        check("P(rel=2)@2", &[1, 2], &[1, 2], 0.5);
    }
}
