//! # What it measures
//! Time-biased gain as a C/W/L measure: gain per document if half of the remaining users leave in each
//! half-life and each document takes the same time.
//!
//! # User model
//! Spends the same time on every document; half of the remaining users leave in each half-life.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = 2^{-\mathrm{cost} / \mathrm{halflife}}
//! ```
//! C(i) = 2^(−cost / halflife) for i below `depth`, and 0 there.
//!
//! With V(1) = 1 and V(i + 1) = V(i) · C(i), EU = Σ V(i) · gain(i) / Σ V(i) over the ranks down to `depth`.
//! `figure` selects another quantity: ETU = Σ L(i) · (gain of ranks 1 to i) and ETC = Σ L(i) · (cost of ranks 1
//! to i), where L(i) = V(i) · (1 − C(i)); EC, the cost of one document, is `cost`; ED = Σ V(i) is the expected
//! number of documents read. EU is between 0 and 1; the others may exceed 1.
//!
//! The gain is 1 for a document that is relevant at `rel`; if `max_rel` is above `min_rel` it is (grade −
//! min_rel) / (max_rel − min_rel), clamped to the unit interval. Unjudged and missing documents have gain 0;
//! `residual='true'` is the increase if all of them had gain 1.
//!
//! # Worked example
//! Relevant at rank 1, halflife = 1, depth = 3: V = 1, 0.5, 0.25, so CWL_TBG(halflife=1, depth=3) = 1 / 1.75
//! = 0.571429.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! Same as `TBGCWLMetric` in `cwl_eval`, whose name ends in a space, with one `cost` for all documents; there
//! costs per document type come from a file. TBG is the original measure. `ir_measures` provides neither.
//!
//! # References
//! Smucker and Clarke 2012; Azzopardi, Thomas and Moffat 2019.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::{ParamInfo, ParamKind};

use super::{COST, CWL, Cwl, Figures, Reading, UserModel, walk};

/// Time-biased gain in the C/W/L framework.
#[derive(Clone, Copy, Debug)]
struct CwlTbg {
    halflife: f64,
}

impl UserModel for CwlTbg {
    fn read(&self, reading: &Reading<'_>) -> Option<Figures> {
        let onward = (-reading.cost / self.halflife).exp2();
        let end = f64::from(reading.depth);
        Some(walk(
            reading,
            |seen| if seen.rank < end { onward } else { 0.0 },
        ))
    }

    fn is_fixed(&self) -> bool {
        true
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "CWL_TBG",
    summary: "time-biased gain as a C/W/L measure",
    page: crate::page::page!("cwl_tbg.rs"),
    params: super::params![HALFLIFE, COST],
    references: &[
        "M. Smucker and C. Clarke: Time-based calibration of effectiveness measures. SIGIR 2012. doi:10.1145/2348283.2348300",
        super::PROGRAM,
    ],
    build: |params| {
        Ok(Cwl::computation(
            params,
            CwlTbg {
                halflife: params.real("halflife"),
            },
        ))
    },
    ..CWL
};

const HALFLIFE: ParamInfo = ParamInfo {
    name: "halflife",
    kind: ParamKind::Real {
        min: 0.001,
        max: 1e9,
    },
    default: "224",
    help: "cost after which half of the users have left",
};

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;

    #[test]
    fn worked_example() {
        check("CWL_TBG(halflife=1, depth=3)", &[1], &[1], 1.0 / 1.75);
    }

    #[test]
    fn edges() {
        check("CWL_TBG", &[], &[1], 0.0);
        check(
            "CWL_TBG(halflife=1, depth=2, cost=2, figure='ETC')",
            &[1],
            &[1],
            2.5,
        );
        check("CWL_TBG(cost=0, depth=2)", &[1], &[1], 0.5);
        check("CWL_TBG(cost=1000000000)", &[1], &[1], 1.0);
    }
}
