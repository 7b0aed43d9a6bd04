//! # What it measures
//! Intent-aware precision: precision for each subtopic (judgement group, column 2 of the qrels), averaged over subtopics.
//!
//! # User model
//! One user of P for each subtopic, all subtopics equally likely.
//!
//! # Formula
//! ```math
//! \mathrm{P\_IA@}k = \frac{1}{k M} \sum_{s=1}^{M} H_{s,k}
//! ```
//! P_IA@k = Σ over the first k documents of the number of subtopics that each is relevant to, divided by k · M, where M is the
//! number of subtopics that have a relevant document.
//!
//! # Worked example
//! Subtopic A has the relevant document a, B has a and b, C has c; ranking b, a, then an unjudged document.
//! Document b is relevant to 1 subtopic and a to 2: P_IA@2 = 3 / (2 · 3) = 0.5.
//!
//! # Undefined when
//! No subtopic has a relevant document.
//!
//! # Differences between tools
//! ndeval, pyndeval and `ir_measures` stop at depth 20 and treat grades above 0 (pyndeval: at or above a level)
//! as 1; here any depth is allowed. They give 0 where the measure is undefined.
//!
//! # References
//! Agrawal and others 2009.

use cranfield_core::groups::{GroupMeasure, JudgedGroups};
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};

use super::subtopics;
use crate::measures::common::Within;

/// Intent-aware precision.
#[derive(Debug)]
struct PrecisionIa(Within);

impl GroupMeasure for PrecisionIa {
    fn evaluate(&self, topic: &JudgedGroups<'_>) -> Option<f64> {
        let (mut found, mut all) = (0, 0);
        for relevant in subtopics(topic, self.0.level) {
            found += relevant.count_at(self.0.depth);
            all += 1;
        }
        (all > 0).then(|| found as f64 / (self.0.depth as f64 * f64::from(all)))
    }

    fn level(&self) -> Option<f64> {
        Some(self.0.level)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "P_IA",
    aliases: &["p-ia"],
    summary: "intent-aware precision: precision at k, averaged over subtopics",
    page: crate::page::page!("precision.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::Required,
    references: &[
        "R. Agrawal, S. Gollapudi, A. Halverson and S. Ieong: Diversifying search results. WSDM 2009. doi:10.1145/1498759.1498766",
    ],
    build: |params| Ok(Computation::grouped(PrecisionIa(Within::of(params)))),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{EXAMPLE, check, undefined};

    #[test]
    fn worked_example() {
        check("P_IA@2", EXAMPLE, 0.5);
        check("P_IA@10", EXAMPLE, 0.1);
    }

    #[test]
    fn edges() {
        check("P_IA@5", &[(&[], 1, 1.0)], 0.0);
        undefined("P_IA@5", &[(&[1], 1, 0.0)]);
    }
}
