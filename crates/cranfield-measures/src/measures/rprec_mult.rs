//! # What it measures
//! Precision after a multiple of R documents. A series of multiples shows precision at ranks that are
//! comparable across topics with few and many relevant documents.
//!
//! # User model
//! Reads a multiple of the number of relevant documents.
//!
//! # Formula
//! ```math
//! \mathrm{RprecMult@}x = \frac{H_c}{c}, \quad c = \lfloor x R + 0.9 \rfloor
//! ```
//! RprecMult@x = H(c) / c with c = ⌊x · R + 0.9⌋, where R is the number of relevant documents in the qrels.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; three relevant documents in the qrels: RprecMult@0.4 covers ⌊1.2
//! + 0.9⌋ = 2 documents: 1/2; RprecMult@2 covers ⌊6 + 0.9⌋ = 6: 2/6 = 0.333333.
//!
//! # Undefined when
//! The topic has no relevant document, or x is so small that c is 0 or less.
//!
//! # Differences between tools
//! Only `trec_eval` computes it (`Rprec_mult`). It kept this rounding when version 10 changed that of
//! interpolated precision.
//!
//! # References
//! trec_eval.

use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::common::ratio;

/// Precision at a multiple of R.
#[derive(Clone, Debug)]
pub(super) struct RprecMult {
    level: f64,
    multiple: f64,
}

impl Measure for RprecMult {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        let cut = (self.multiple * relevant.total as f64 + 0.9) as usize;
        ratio(relevant.count_at(cut), cut)
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
    name: "RprecMult",
    aliases: &["rprec_mult"],
    summary: "precision after a multiple of R documents",
    page: crate::page::page!("rprec_mult.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::Point,
    references: &[
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
    ],
    build: |params| {
        Ok(Computation::ranked(RprecMult {
            level: params.level(),
            multiple: params.point(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        check("RprecMult@0.4", &[1, 0, 1], &[1, 1, 1, 0], 1.0 / 2.0);
        check("RprecMult@2", &[1, 0, 1], &[1, 1, 1, 0], 2.0 / 6.0);
    }

    #[test]
    fn edges() {
        check("RprecMult@1", &[], &[1], 0.0);
        check("RprecMult(rel=2)@1", &[2, 1], &[2, 1], 1.0);
        undefined("RprecMult@2", &[0], &[0]);
        undefined("RprecMult@0", &[1], &[1]);
        undefined("RprecMult@-3", &[1], &[1]);
    }
}
