//! # What it measures
//! Rank-biased precision as a C/W/L measure, with the other quantities and the residual.
//!
//! # User model
//! Continues from each document to the next with probability p, regardless of relevance.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = p
//! ```
//! C(i) = p.
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
//! Relevant at rank 1, p = 0.5, depth = 2: CWL_RBP(p=0.5, depth=2) = 1 / 1.5 = 0.666667.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! Same as `RBPCWLMetric` in `cwl_eval` with costs of 1. There p is 0.9 by default. The weights sum to 1 over
//! the ranks down to `depth`, so the value is RBP divided by 1 − p^depth. `ir_measures` uses it for RBP if
//! `rel` is given.
//!
//! # References
//! Moffat and Zobel 2008; Moffat, Bailey, Scholer and Thomas 2017.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::{ParamInfo, ParamKind};

use super::{CWL, Cwl, Figures, Reading, UserModel, walk};

/// Rank-biased precision in the C/W/L framework.
#[derive(Clone, Copy, Debug)]
struct CwlRbp {
    p: f64,
}

impl UserModel for CwlRbp {
    fn read(&self, reading: &Reading<'_>) -> Option<Figures> {
        Some(walk(reading, |_| self.p))
    }

    fn is_fixed(&self) -> bool {
        true
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "CWL_RBP",
    summary: "rank-biased precision as a C/W/L measure",
    page: crate::page::page!("cwl_rbp.rs"),
    params: super::params![P],
    references: &[
        "A. Moffat and J. Zobel: Rank-biased precision for measurement of retrieval effectiveness. ACM TOIS 27(1), 2008. doi:10.1145/1416950.1416952",
        super::FRAMEWORK,
    ],
    build: |params| {
        Ok(Cwl::computation(
            params,
            CwlRbp {
                p: params.real("p"),
            },
        ))
    },
    ..CWL
};

const P: ParamInfo = ParamInfo {
    name: "p",
    kind: ParamKind::Real { min: 0.0, max: 1.0 },
    default: "0.8",
    help: "persistence: probability of continuing to the next document",
};

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;

    #[test]
    fn worked_example() {
        check("CWL_RBP(p=0.5, depth=2)", &[1], &[1], 1.0 / 1.5);
    }

    #[test]
    fn edges() {
        check("CWL_RBP", &[], &[1], 0.0);
        check("CWL_RBP(p=0)", &[1], &[1], 1.0);
        check("CWL_RBP(p=1, depth=4)", &[1], &[1], 0.25);
    }
}
