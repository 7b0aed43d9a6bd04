//! # What it measures
//! The third of four ERR-like C/W/L measures, named after its equation number: like NERR8, with the persistence
//! p of RBP instead of a cutoff.
//!
//! # User model
//! Stops at a document with a probability equal to its gain, and otherwise continues with probability p.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = p\, (1 - g_i)
//! ```
//! C(i) = p · (1 − gain(i)).
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
//! Grades 1 and 2 with max_rel = 2, p = 0.8, depth = 2: gains 0.5 and 1, C(1) = 0.4, NERR10(p=0.8, max_rel=2,
//! depth=2) = (0.5 + 0.4 · 1) / 1.4 = 0.642857.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! Same as `NERReq10CWLMetric` in `cwl_eval` with costs of 1; `ir_measures` calls it `NERR10` and requires
//! `max_rel`. It is neither ERR nor the normalised ERR of NTCIREVAL. Pooled documents without a judgement count
//! as unjudged; `ir_measures` counts negative grades as judged, which changes only the residual.
//!
//! # References
//! Azzopardi, Mackenzie and Moffat 2021.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind};

use super::nearly_err::{NEARLY_ERR, nearly_err};

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "NERR10",
    summary: "ERR-like C/W/L measure, with persistence p",
    page: crate::page::page!("nerr10.rs"),
    params: super::params![P],
    cutoff: CutoffRule::None,
    build: |params| Ok(nearly_err(params, params.real("p"), |_, p| p)),
    ..NEARLY_ERR
};

const P: ParamInfo = ParamInfo {
    name: "p",
    kind: ParamKind::Real { min: 0.0, max: 1.0 },
    default: "0.9",
    help: "persistence: probability of continuing after a document without gain",
};

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;

    #[test]
    fn worked_example() {
        check(
            "NERR10(p=0.8, max_rel=2, depth=2)",
            &[1, 2],
            &[2, 1],
            0.9 / 1.4,
        );
    }

    #[test]
    fn edges() {
        check("NERR10", &[1], &[1], 1.0);
        check("NERR10", &[], &[], 0.0);
        check("NERR10(p=0)", &[0, 1], &[1, 0], 0.0);
    }
}
