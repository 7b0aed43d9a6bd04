//! # What it measures
//! F-measure of the whole retrieved set: the weighted harmonic mean of its precision and recall.
//!
//! # User model
//! Sees the documents as an unordered set.
//!
//! # Formula
//! ```math
//! \mathrm{SetF} = \frac{(x + 1)\, P\, R}{x P + R}
//! ```
//! SetF = (x + 1) · P · R / (x · P + R), where P and R are precision and recall of the set and x is the
//! parameter `beta`, which is not squared. SetF = 0 if nothing relevant was retrieved.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; four relevant documents in the qrels: P = 2/3, R = 2/4, SetF = 2
//! · P · R / (P + R) = 0.571429; SetF(beta=2) = 3 · P · R / (2 · P + R) = 0.545455.
//!
//! # Undefined when
//! The ranking is empty, or the topic has no relevant document.
//!
//! # Differences between tools
//! `trec_eval` (`set_F`) and `ir_measures` (`SetF`) also use the parameter unsquared, so `beta=4` is the
//! textbook F with β = 2. At the default of 1 there is no difference; `f1` in ranx is the same.
//!
//! # References
//! van Rijsbergen 1979.

use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::common::ratio;

/// F of the retrieved set.
#[derive(Clone, Debug)]
pub(super) struct SetF {
    level: f64,
    beta: f64,
}

impl Measure for SetF {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        let precision = ratio(relevant.retrieved, topic.retrieved())?;
        let recall = ratio(relevant.retrieved, relevant.total)?;
        if relevant.retrieved == 0 {
            return Some(0.0);
        }
        Some((self.beta + 1.0) * precision * recall / (self.beta * precision + recall))
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
    name: "SetF",
    aliases: &["set_f_measure"],
    summary: "weighted harmonic mean of precision and recall of the retrieved set",
    page: crate::page::page!("set_f.rs"),
    params: &[BETA, ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    references: &["C. J. van Rijsbergen: Information Retrieval, 2nd edition. Butterworths, 1979"],
    build: |params| {
        Ok(Computation::ranked(SetF {
            level: params.level(),
            beta: params.real("beta"),
        }))
    },
    ..MeasureInfo::DEFAULT
};

const BETA: ParamInfo = ParamInfo {
    name: "beta",
    kind: ParamKind::Real {
        min: 0.0,
        max: f64::INFINITY,
    },
    default: "1",
    help: "weight of recall, used unsquared",
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let (p, r) = (2.0 / 3.0, 2.0 / 4.0);
        check("SetF", &[1, 0, 1], &[1, 1, 1, 1, 0], 2.0 * p * r / (p + r));
        check(
            "SetF(beta=2)",
            &[1, 0, 1],
            &[1, 1, 1, 1, 0],
            3.0 * p * r / (2.0 * p + r),
        );
    }

    #[test]
    fn edges() {
        check("SetF", &[0], &[1, 0], 0.0);
        check("SetF(beta=0)", &[1, 0], &[1, 1], 0.5);
        undefined("SetF", &[], &[1]);
        undefined("SetF", &[0], &[0]);
    }
}
