//! # What it measures
//! The second of four ERR-like C/W/L measures, named after its equation number: like NERR8, with the reciprocal
//! rank of ERR as an additional reason to stop.
//!
//! # User model
//! That of NERR8, with a patience that also falls with rank as in ERR.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = \begin{cases} \frac{i}{i + 1} (1 - g_i) & i < k \\ 0 & \text{else} \end{cases}
//! ```
//! C(i) = i / (i + 1) · (1 − gain(i)) for i below k, else 0.
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
//! Grades 1 and 2 with max_rel = 2: gains 0.5 and 1, C(1) = 0.25, NERR9(max_rel=2)@2 = (0.5 + 0.25 · 1) /
//! 1.25 = 0.6.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! Same as `NERReq9CWLMetric` in `cwl_eval` with costs of 1; `ir_measures` calls it `NERR9` and requires
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
    name: "NERR9",
    summary: "ERR-like C/W/L measure, discounted by rank and cut at k",
    page: crate::page::page!("nerr9.rs"),
    build,
    ..NEARLY_ERR
};

fn build(params: &Params) -> Result<Computation, Error> {
    let last = params.required_cutoff() as f64;
    Ok(nearly_err(params, last, |rank, last| {
        if rank < last {
            rank / (rank + 1.0)
        } else {
            0.0
        }
    }))
}

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;

    #[test]
    fn worked_example() {
        check("NERR9(max_rel=2)@2", &[1, 2], &[2, 1], 0.75 / 1.25);
    }

    #[test]
    fn edges() {
        check("NERR9@3", &[1], &[1], 1.0);
        check("NERR9@3", &[], &[], 0.0);
        check("NERR9(figure='ED')@2", &[], &[], 1.5);
    }
}
