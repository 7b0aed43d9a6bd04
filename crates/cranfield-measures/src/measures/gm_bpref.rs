//! # What it measures
//! Binary preference averaged over topics by the geometric mean, which emphasises a system's worst topics.
//!
//! # User model
//! Per topic, that of Bpref; across topics, a user for whom failures weigh more than successes.
//!
//! # Formula
//! ```math
//! \mathrm{GMBpref} = \exp\left( \frac{1}{Q} \sum_{t=1}^{Q} \ln \max(\mathrm{Bpref}_t, 10^{-5}) \right)
//! ```
//! Topic: Bpref = (1 / R) · Σ over relevant documents retrieved of 1 − min(n, R) / min(N, R). Run: exp of the
//! mean of ln max(Bpref, 0.00001).
//!
//! # Worked example
//! Ranking: non-relevant, relevant, unjudged, relevant; three relevant and two non-relevant documents in the
//! qrels: each relevant document has one judged non-relevant document above it, so the value = ((1 − 1/2) + (1
//! − 1/2)) / 3 = 0.333333.
//!
//! # Undefined when
//! The topic has no relevant document.
//!
//! # Differences between tools
//! Only `trec_eval` computes it (`gm_bpref`) and prints it only in the summary; `pytrec_eval` returns the
//! logarithm as a topic's value.
//!
//! # References
//! Buckley and Voorhees 2004; Robertson 2006.

use cranfield_core::measure::{Aggregate, MeasureInfo};

use super::bpref;

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "GMBpref",
    aliases: &["gm_bpref"],
    summary: "binary preference, geometric mean over topics",
    page: crate::page::page!("gm_bpref.rs"),
    aggregate: Aggregate::GeometricMean,
    references: &[
        "C. Buckley and E. Voorhees: Retrieval evaluation with incomplete information. SIGIR 2004. doi:10.1145/1008992.1009000",
        "S. Robertson: On GMAP: and other transformations. CIKM 2006. doi:10.1145/1183614.1183630",
    ],
    ..bpref::INFO
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        check(
            "GMBpref",
            &[0, 1, -1, 1],
            &[1, 1, 1, 0, 0],
            (0.5 + 0.5) / 3.0,
        );
    }

    #[test]
    fn edges() {
        check("GMBpref", &[], &[1], 0.0);
        undefined("GMBpref", &[], &[]);
    }
}
