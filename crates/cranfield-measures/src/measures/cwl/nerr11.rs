//! # What it measures
//! The fourth of four ERR-like C/W/L measures, named after its equation number: like NERR8, with the wanted
//! gain T of INSQ instead of a cutoff.
//!
//! # User model
//! Stops at a document with a probability equal to its gain, and otherwise continues as the user of INSQ.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = \left( \frac{i + 2T - 1}{i + 2T} \right)^2 (1 - g_i)
//! ```
//! C(i) = ((i + 2T − 1) / (i + 2T))² · (1 − gain(i)).
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
//! Grades 1 and 2 with max_rel = 2, T = 1, depth = 2: gains 0.5 and 1, C(1) = 4/9 · 0.5 = 2/9,
//! NERR11(max_rel=2, depth=2) = (0.5 + 2/9) / (11/9) = 0.590909.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! Same as `NERReq11CWLMetric` in `cwl_eval` with costs of 1; `ir_measures` calls it `NERR11` and requires
//! `max_rel`. It is neither ERR nor the normalised ERR of NTCIREVAL. Pooled documents without a judgement count
//! as unjudged; `ir_measures` counts negative grades as judged, which changes only the residual.
//!
//! # References
//! Azzopardi, Mackenzie and Moffat 2021.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::{CutoffRule, Params};

use super::T;
use super::nearly_err::{NEARLY_ERR, nearly_err};

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "NERR11",
    summary: "ERR-like C/W/L measure, with wanted gain T",
    page: crate::page::page!("nerr11.rs"),
    params: super::params![T],
    cutoff: CutoffRule::None,
    build,
    ..NEARLY_ERR
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(nearly_err(params, params.real("T"), |rank, target| {
        let place = rank + 2.0 * target;
        ((place - 1.0) / place).powi(2)
    }))
}

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;

    #[test]
    fn worked_example() {
        check(
            "NERR11(max_rel=2, depth=2)",
            &[1, 2],
            &[2, 1],
            (0.5 + 2.0 / 9.0) / (1.0 + 2.0 / 9.0),
        );
    }

    #[test]
    fn edges() {
        check("NERR11", &[1], &[1], 1.0);
        check("NERR11", &[], &[], 0.0);
    }
}
