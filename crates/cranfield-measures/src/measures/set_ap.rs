//! # What it measures
//! Precision times recall of the whole retrieved set: average precision if every relevant document retrieved
//! counted with the precision of the whole set.
//!
//! # User model
//! Sees the documents as an unordered set.
//!
//! # Formula
//! ```math
//! \mathrm{SetAP} = \frac{H_n^2}{n R}
//! ```
//! SetAP = H² / (n · R), where H is the number of relevant documents retrieved, n the number retrieved and R
//! the number in the qrels.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; four relevant documents in the qrels: SetAP = 2² / (3 · 4) = 4/12
//! = 0.333333.
//!
//! # Undefined when
//! The ranking is empty, or the topic has no relevant document.
//!
//! # Differences between tools
//! `trec_eval` prints it as `set_map`; version 8 called it `exact_unranked_avg_prec`.
//!
//! # References
//! trec_eval.

use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::common::ratio;

/// Precision times recall of the retrieved set.
#[derive(Clone, Debug)]
pub(super) struct SetAp {
    level: f64,
}

impl Measure for SetAp {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        ratio(
            relevant.retrieved * relevant.retrieved,
            topic.retrieved() * relevant.total,
        )
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
    name: "SetAP",
    aliases: &["set_map"],
    summary: "precision times recall of the retrieved set",
    page: crate::page::page!("set_ap.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    references: &[
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
    ],
    build: |params| {
        Ok(Computation::ranked(SetAp {
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
        check("SetAP", &[1, 0, 1], &[1, 1, 1, 1, 0], 4.0 / 12.0);
    }

    #[test]
    fn edges() {
        check("SetAP", &[0], &[1, 0], 0.0);
        check("SetAP(rel=2)", &[1, 2], &[1, 2], 0.5);
        undefined("SetAP", &[], &[1]);
        undefined("SetAP", &[0], &[0]);
    }
}
