//! # What it measures
//! Relative precision of the whole retrieved set: the number of relevant documents found, relative to the
//! maximum for a set of this size.
//!
//! # User model
//! Reads all retrieved documents in any order and compares with the best set of that size.
//!
//! # Formula
//! ```math
//! \mathrm{SetRelP} = \frac{H_n}{\min(n, R)}
//! ```
//! SetRelP = H / min(n, R), where H is the number of relevant documents retrieved, n the number retrieved and R
//! the number in the qrels.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; four relevant documents in the qrels: SetRelP = 2 / min(3, 4) =
//! 2/3 = 0.666667.
//!
//! # Undefined when
//! The ranking is empty, or the topic has no relevant document.
//!
//! # Differences between tools
//! `trec_eval` prints it as `set_relative_P`; `ir_measures` also writes `SetP(relative=True)`.
//!
//! # References
//! trec_eval.

use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::common::ratio;

/// Relative precision of the retrieved set.
#[derive(Clone, Debug)]
pub(super) struct SetRelP {
    level: f64,
}

impl Measure for SetRelP {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        ratio(relevant.retrieved, topic.retrieved().min(relevant.total))
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
    name: "SetRelP",
    aliases: &["set_relative_p"],
    summary: "relative precision of the retrieved set",
    page: crate::page::page!("set_rel_p.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    references: &[
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
    ],
    build: |params| {
        Ok(Computation::ranked(SetRelP {
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
        check("SetRelP", &[1, 0, 1], &[1, 1, 1, 1, 0], 2.0 / 3.0);
    }

    #[test]
    fn edges() {
        check("SetRelP", &[1, 0, -1], &[1], 1.0);
        check("SetRelP(rel=2)", &[1, 2], &[1, 2], 1.0);
        undefined("SetRelP", &[], &[1]);
        undefined("SetRelP", &[0], &[0]);
    }
}
