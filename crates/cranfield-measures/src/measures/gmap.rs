//! # What it measures
//! Average precision averaged over topics by the geometric mean. An improvement from 0.01 to 0.02 on a hard
//! topic counts as much as one from 0.4 to 0.8 on an easy one, so the measure emphasises a system's worst
//! topics.
//!
//! # User model
//! Per topic, that of AP; across topics, a user for whom failures weigh more than successes.
//!
//! # Formula
//! ```math
//! \mathrm{GMAP} = \exp\left( \frac{1}{Q} \sum_{t=1}^{Q} \ln \max(\mathrm{AP}_t, 10^{-5}) \right)
//! ```
//! Topic: AP = (1 / R) · Σ over relevant ranks i of H(i) / i. Run: exp of the mean of ln max(AP, 0.00001).
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; three relevant documents: (1/1 + 2/3) / 3 = 0.555556. Two topics
//! with AP 0.1 and 0: exp((ln 0.1 + ln 0.00001) / 2) = 0.001.
//!
//! # Undefined when
//! The topic has no relevant document.
//!
//! # Differences between tools
//! `trec_eval` prints `gm_map` only in the summary; `pytrec_eval` returns the logarithm as a topic's value. The
//! floor of 0.00001 is that of `trec_eval`.
//!
//! # References
//! Voorhees 2004; Robertson 2006.

use cranfield_core::measure::{Aggregate, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};

use super::ap;

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "GMAP",
    aliases: &["gm_map"],
    summary: "average precision, geometric mean over topics",
    page: crate::page::page!("gmap.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    aggregate: Aggregate::GeometricMean,
    references: &[
        "E. Voorhees: Overview of the TREC 2004 robust retrieval track. TREC 2004",
        "S. Robertson: On GMAP: and other transformations. CIKM 2006. doi:10.1145/1183614.1183630",
    ],
    build: |params| Ok(ap::of_whole_ranking(params)),
    ..ap::INFO
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, measure, undefined};

    #[test]
    fn worked_example() {
        check(
            "GMAP",
            &[1, 0, 1],
            &[1, 1, 1, 0],
            (1.0 / 1.0 + 2.0 / 3.0) / 3.0,
        );
        let run = measure("GMAP").info.aggregate.of([0.1, 0.0]).unwrap();
        assert!((run - 0.001).abs() < 1e-15);
    }

    #[test]
    fn edges() {
        check("GMAP", &[], &[1], 0.0);
        undefined("GMAP", &[0], &[0]);
    }
}
