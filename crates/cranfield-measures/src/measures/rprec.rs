//! # What it measures
//! R-precision: precision after R documents, where R is the number of relevant documents. It equals recall at
//! that rank.
//!
//! # User model
//! Reads exactly as many documents as the topic has relevant ones.
//!
//! # Formula
//! ```math
//! \mathrm{Rprec} = \frac{H_R}{R}
//! ```
//! Rprec = H(R) / R, where R is the number of relevant documents in the qrels and H(R) the number among the
//! first R retrieved.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; three relevant documents in the qrels: Rprec = 2/3 = 0.666667.
//! With two in the qrels: Rprec = 1/2.
//!
//! # Undefined when
//! The topic has no relevant document.
//!
//! # Differences between tools
//! `trec_eval`, `ir_measures` and ranx agree: a ranking shorter than R is still divided by R.
//!
//! # References
//! Buckley and Voorhees 2005.

use cranfield_core::explain::Board;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::boards::{found_board, found_of, ranks_at, recall_base};
use super::common::ratio;

/// Precision at R.
#[derive(Clone, Debug)]
pub(super) struct Rprec {
    level: f64,
}

impl Measure for Rprec {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        ratio(relevant.count_at(relevant.total), relevant.total)
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let relevant = topic.relevant(self.level);
        let (found, total) = (relevant.count_at(relevant.total), relevant.total);
        let value = found_of(
            "found in the first R / R",
            found,
            total,
            ratio(found, total)?,
        );
        let ranks = ranks_at(&relevant, total);
        let steps = vec![recall_base(total), value];
        Some(found_board(ranks, 1.0 / total as f64, steps))
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
    name: "Rprec",
    aliases: &["r-precision", "r_precision"],
    summary: "precision after R documents",
    page: crate::page::page!("rprec.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    references: &[
        "C. Buckley and E. Voorhees: Retrieval system evaluation. In: TREC: Experiment and Evaluation in Information Retrieval, MIT Press, 2005",
    ],
    build: |params| {
        Ok(Computation::ranked(Rprec {
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
        check("Rprec", &[1, 0, 1], &[1, 1, 1, 0], 2.0 / 3.0);
        check("Rprec", &[1, 0, 1], &[1, 1, 0], 1.0 / 2.0);
    }

    #[test]
    fn edges() {
        check("Rprec", &[], &[1], 0.0);
        check("Rprec", &[1], &[1, 1, 1], 1.0 / 3.0);
        check("r-precision(rel=2)", &[2, 1], &[2, 2, 1], 1.0 / 2.0);
        undefined("Rprec", &[0], &[0]);
    }
}
