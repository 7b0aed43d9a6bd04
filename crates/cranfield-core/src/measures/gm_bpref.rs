//! # What it measures
//! Binary preference of a topic, averaged over topics by the geometric mean, which looks at a system's worst
//! topics.
//!
//! # User model
//! As Bpref for a topic; over topics, a user who minds failures more than enjoys successes.
//!
//! # Formula
//! ```math
//! \mathrm{GMBpref} = \exp\left( \frac{1}{Q} \sum_{t=1}^{Q} \ln \max(\mathrm{Bpref}_t, 10^{-5}) \right)
//! ```
//! Topic: Bpref = (1 / R) · Σ over relevant documents retrieved of 1 − min(n, R) / min(N, R). Run: exp of the
//! mean of ln max(Bpref, 0.00001).
//!
//! # Worked example
//! Not relevant, relevant, unjudged, relevant; the qrels hold three relevant documents and two that are not:
//! each relevant document has one judged above it that is not relevant, so the value = ((1 − 1/2) + (1 − 1/2))
//! / 3 = 0.333333.
//!
//! # Undefined when
//! The topic has no relevant document.
//!
//! # Differences between tools
//! Only `trec_eval` has it (`gm_bpref`), and prints it in the summary only; `pytrec_eval` gives the logarithm
//! as a topic's value.
//!
//! # References
//! Buckley and Voorhees 2004; Robertson 2006.

use super::bpref;
use crate::measure::{Aggregate, MeasureInfo};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "GMBpref",
    aliases: &["gm_bpref"],
    summary: "binary preference, averaged over topics geometrically",
    source: include_str!("gm_bpref.rs"),
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
