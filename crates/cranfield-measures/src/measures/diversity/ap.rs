//! # What it measures
//! Intent-aware average precision: average precision for each subtopic (judgement group, column 2 of the qrels), averaged
//! over subtopics.
//!
//! # User model
//! One user of AP for each subtopic, all subtopics equally likely.
//!
//! # Formula
//! ```math
//! \mathrm{AP\_IA} = \frac{1}{M} \sum_{s=1}^{M} \mathrm{AP}_s
//! ```
//! AP_IA = mean of AP over the subtopics that have a relevant document.
//!
//! # Worked example
//! Subtopic A has the relevant document a, B has a and b, C has c; ranking b, a, then an unjudged document.
//! AP is 1/2 for A, (1/1 + 2/2) / 2 for B and 0 for C: AP_IA = 0.5.
//!
//! # Undefined when
//! No subtopic has a relevant document.
//!
//! # Differences between tools
//! ndeval calls it MAP-IA. Subtopics without relevant documents are skipped, while `APavgjg` counts them as 0.
//! Other tools give 0 where it is undefined.
//!
//! # References
//! Agrawal and others 2009.

use cranfield_core::error::Error;
use cranfield_core::groups::{GroupMeasure, JudgedGroups};
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo, Params};

use super::subtopics;
use crate::measures::common::precision_sum;

/// Intent-aware average precision.
#[derive(Debug)]
struct ApIa {
    level: f64,
}

impl GroupMeasure for ApIa {
    fn evaluate(&self, topic: &JudgedGroups<'_>) -> Option<f64> {
        let (mut sum, mut all) = (0.0, 0);
        for relevant in subtopics(topic, self.level) {
            sum += precision_sum(&relevant, None) / relevant.total as f64;
            all += 1;
        }
        (all > 0).then(|| sum / f64::from(all))
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "AP_IA",
    aliases: &["map_ia", "map-ia"],
    summary: "intent-aware average precision, averaged over subtopics",
    page: crate::page::page!("ap.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    references: &[
        "R. Agrawal, S. Gollapudi, A. Halverson and S. Ieong: Diversifying search results. WSDM 2009. doi:10.1145/1498759.1498766",
    ],
    build,
    ..MeasureInfo::DEFAULT
};

fn build(params: &Params) -> Result<Computation, Error> {
    let level = params.level();
    Ok(Computation::grouped(ApIa { level }))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{EXAMPLE, check, undefined};

    #[test]
    fn worked_example() {
        check("AP_IA", EXAMPLE, 0.5);
    }

    #[test]
    fn edges() {
        check("AP_IA", &[(&[1], 1, 1.0), (&[1], 1, 0.0)], 1.0);
        check("AP_IA", &[(&[], 1, 1.0)], 0.0);
        undefined("AP_IA", &[(&[1], 1, 0.0)]);
    }
}
