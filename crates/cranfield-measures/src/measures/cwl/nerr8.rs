//! # What it measures
//! The first of four ERR-like C/W/L measures, named after its equation number: a user who is satisfied by each
//! document with a probability equal to its gain and reads at most k documents.
//!
//! # User model
//! Stops at a document with a probability equal to its gain, and reads at most k documents.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = \begin{cases} 1 - g_i & i < k \\ 0 & \text{else} \end{cases}
//! ```
//! C(i) = 1 − gain(i) for i below k, else 0.
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
//! Grades 1 and 2 with max_rel = 2: gains 0.5 and 1, C(1) = 0.5, NERR8(max_rel=2)@2 = (0.5 + 0.5 · 1) / 1.5 =
//! 0.666667.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! Same as `NERReq8CWLMetric` in `cwl_eval` with costs of 1; `ir_measures` calls it `NERR8` and requires
//! `max_rel`. It is neither ERR nor the normalised ERR of NTCIREVAL. Pooled documents without a judgement count
//! as unjudged; `ir_measures` counts negative grades as judged, which changes only the residual.
//!
//! # References
//! Azzopardi, Mackenzie and Moffat 2021.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::Params;

use super::nearly_err::{NEARLY_ERR, nearly_err};

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "NERR8",
    summary: "ERR-like C/W/L measure, cut at rank k",
    page: crate::page::page!("nerr8.rs"),
    build,
    ..NEARLY_ERR
};

fn build(params: &Params) -> Result<Computation, Error> {
    let last = params.required_cutoff() as f64;
    Ok(nearly_err(params, last, |rank, last| {
        if rank < last { 1.0 } else { 0.0 }
    }))
}

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;

    #[test]
    fn worked_example() {
        check("NERR8(max_rel=2)@2", &[1, 2], &[2, 1], 1.0 / 1.5);
    }

    #[test]
    fn edges() {
        check("NERR8@3", &[0, 1, 1], &[1, 1], 0.5);
        check("NERR8@3", &[], &[], 0.0);
        check("NERR8(figure='ED')@3", &[], &[], 3.0);
    }
}
