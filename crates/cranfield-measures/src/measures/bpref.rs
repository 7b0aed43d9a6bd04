//! # What it measures
//! Binary preference: how rarely judged non-relevant documents are ranked above relevant ones. Unjudged
//! documents are ignored, so the value changes little when judgements are incomplete.
//!
//! # User model
//! None: for each relevant document, counts the documents above it that are known to be non-relevant.
//!
//! # Formula
//! ```math
//! \mathrm{Bpref} = \frac{1}{R} \sum_{\mathrm{rel}} \left( 1 - \frac{\min(n, R)}{\min(N, R)} \right)
//! ```
//! Bpref = (1 / R) · Σ over relevant documents retrieved of 1 − min(n, R) / min(N, R), where n is the number of
//! judged non-relevant documents above, and R and N are the numbers of relevant and non-relevant documents in
//! the qrels. A term with n = 0 is 1.
//!
//! # Worked example
//! Ranking: non-relevant, relevant, unjudged, relevant; three relevant and two non-relevant documents in the
//! qrels: each relevant document has one judged non-relevant document above it, so Bpref = ((1 − 1/2) + (1 −
//! 1/2)) / 3 = 0.333333.
//!
//! # Undefined when
//! The topic has no relevant document.
//!
//! # Differences between tools
//! As in `trec_eval` since version 8; earlier versions differ if N < R. ranx divides by zero if N is 0. A
//! document with a grade above 0 but below `rel` counts as non-relevant; trectools counts grade 0 only.
//!
//! # References
//! Buckley and Voorhees 2004.

use cranfield_core::explain::Board;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::boards::preference_board;
use super::common::{bpref, bpref_merit, expected_bpref};

/// Binary preference.
#[derive(Clone, Debug)]
pub(super) struct Bpref {
    level: f64,
}

impl Measure for Bpref {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        bpref(topic, self.level)
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        preference_board(topic, self.level)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(bpref_merit(label, self.level))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        expected_bpref(topic, self.level)
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "Bpref",
    aliases: &["binary_preference"],
    summary: "binary preference: judged non-relevant documents above relevant ones",
    page: crate::page::page!("bpref.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    references: &[
        "C. Buckley and E. Voorhees: Retrieval evaluation with incomplete information. SIGIR 2004. doi:10.1145/1008992.1009000",
    ],
    build: |params| {
        Ok(Computation::ranked(Bpref {
            level: params.level(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, prints, undefined};

    #[test]
    fn worked_example() {
        check("Bpref", &[0, 1, -1, 1], &[1, 1, 1, 0, 0], (0.5 + 0.5) / 3.0);
    }

    #[test]
    fn edges() {
        check("Bpref", &[], &[1], 0.0);
        check("Bpref", &[-1, 1], &[1], 1.0);
        check("Bpref(rel=2)", &[1, 2], &[2, 1], 0.0);
        undefined("Bpref", &[0], &[0]);
    }

    #[test]
    fn pooled_documents_are_ignored() {
        prints("bpref", &[-2, 1, -2, -1], &[1, 1], "0.5000");
    }
}
