//! # What it measures
//! Reciprocal rank as a C/W/L measure: the gain per document of a user who stops at the first document with
//! any gain.
//!
//! # User model
//! Stops at the first document with any gain.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = \begin{cases} 1 & g_i = 0 \\ 0 & \text{else} \end{cases}
//! ```
//! C(i) = 1 until the first rank with a gain above 0, and 0 there.
//!
//! With V(1) = 1 and V(i + 1) = V(i) · C(i), EU = Σ V(i) · gain(i) / Σ V(i) over the ranks down to `depth`.
//! `figure` selects another quantity: ETU = Σ L(i) · (gain of ranks 1 to i) and ETC = Σ L(i) · (cost of ranks 1
//! to i), where L(i) = V(i) · (1 − C(i)); EC, the cost of one document, is 1; ED = Σ V(i) is the expected
//! number of documents read. EU is between 0 and 1; the others may exceed 1.
//!
//! The gain is 1 for a document that is relevant at `rel`; if `max_rel` is above `min_rel` it is (grade −
//! min_rel) / (max_rel − min_rel), clamped to the unit interval. Unjudged and missing documents have gain 0;
//! `residual='true'` is the increase if all of them had gain 1.
//!
//! # Worked example
//! Ranking: non-relevant, relevant: CWL_RR = 1/2, and ED is 2.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! Same as `RRCWLMetric` in `cwl_eval` with costs of 1. If no document has a gain, the user reads to `depth`
//! and never stops: ED is 1000 and ETC 0. With graded gains the value is the first gain divided by its rank. RR
//! is the measure of `trec_eval`.
//!
//! # References
//! Kantor and Voorhees 2000; Azzopardi, Thomas and Moffat 2019.

use cranfield_core::measure::MeasureInfo;

use super::{CWL, Cwl, Figures, Reading, UserModel, walk};

/// Reciprocal rank in the C/W/L framework.
#[derive(Clone, Copy, Debug)]
struct CwlRr;

impl UserModel for CwlRr {
    fn read(&self, reading: &Reading<'_>) -> Option<Figures> {
        Some(walk(reading, |seen| f64::from(u8::from(seen.gain <= 0.0))))
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "CWL_RR",
    summary: "reciprocal rank as a C/W/L measure",
    page: crate::page::page!("cwl_rr.rs"),
    references: &[
        "P. Kantor and E. Voorhees: The TREC-5 confusion track: Comparing retrieval methods for scanned text. Information Retrieval 2(2/3), 2000",
        super::PROGRAM,
    ],
    build: |params| Ok(Cwl::computation(params, CwlRr)),
    ..CWL
};

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;

    #[test]
    fn worked_example() {
        check("CWL_RR", &[0, 1], &[1, 0], 0.5);
        check("CWL_RR(figure='ED')", &[0, 1], &[1, 0], 2.0);
    }

    #[test]
    fn edges() {
        check("CWL_RR", &[], &[1], 0.0);
        check("CWL_RR(figure='ED')", &[], &[1], 1000.0);
        check("CWL_RR(figure='ETC')", &[], &[1], 0.0);
        check("CWL_RR(max_rel=2)", &[0, 1, 2], &[2, 1], 0.25);
        check("CWL_RR(residual='true')", &[0], &[0], 0.5);
    }
}
