//! # What it measures
//! Precision as a C/W/L measure: the gain per document of a user who reads exactly k documents. Its value is
//! P@k, or graded precision; the framework adds the other quantities and the residual.
//!
//! # User model
//! Reads exactly k documents.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = \begin{cases} 1 & i < k \\ 0 & \text{else} \end{cases}
//! ```
//! C(i) = 1 for i below k, else 0.
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
//! Ranking: relevant, non-relevant: CWL_P@2 = 1/2; ETU is 1 and ED is 2.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! Same as `PrecisionCWLMetric` in `cwl_eval` with costs of 1. There k beyond the depth of 1000 is an error;
//! here reading ends at `depth`, so CWL_P@2000 is CWL_P@1000 unless `depth` is raised. P is the measure of
//! `trec_eval`, without that limit.
//!
//! # References
//! Moffat, Bailey, Scholer and Thomas 2017; Azzopardi, Thomas and Moffat 2019.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::CutoffRule;

use super::{CWL, Cwl, Figures, Reading, UserModel, walk};

/// Precision in the C/W/L framework.
#[derive(Clone, Copy, Debug)]
struct CwlP {
    cutoff: f64,
}

impl UserModel for CwlP {
    fn read(&self, reading: &Reading<'_>) -> Option<Figures> {
        Some(walk(reading, |seen| {
            f64::from(u8::from(seen.rank < self.cutoff))
        }))
    }

    fn is_fixed(&self) -> bool {
        true
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "CWL_P",
    summary: "precision at a cutoff as a C/W/L measure",
    page: crate::page::page!("cwl_p.rs"),
    cutoff: CutoffRule::Required,
    references: &[super::FRAMEWORK, super::PROGRAM],
    build: |params| {
        Ok(Cwl::computation(
            params,
            CwlP {
                cutoff: params.required_cutoff() as f64,
            },
        ))
    },
    ..CWL
};

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;

    #[test]
    fn worked_example() {
        check("CWL_P@2", &[1, 0], &[1, 0], 0.5);
        check("CWL_P(figure='ETU')@2", &[1, 0], &[1, 0], 1.0);
        check("CWL_P(figure='ED')@2", &[1, 0], &[1, 0], 2.0);
    }

    #[test]
    fn edges() {
        check("CWL_P@2", &[], &[1], 0.0);
        check("CWL_P(max_rel=4)@2", &[3, 2], &[3, 2], 0.625);
        check("CWL_P(residual='true')@4", &[-1, 1, -2], &[1], 0.75);
        check("CWL_P@2000", &[1], &[1], 0.001);
    }
}
