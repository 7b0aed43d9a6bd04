//! # What it measures
//! INSQ: the gain per document of a user who wants T relevant documents and becomes more likely to continue
//! with depth.
//!
//! # User model
//! Wants T relevant documents, reads from the top, and becomes more likely to continue with depth.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = \left( \frac{i + 2T - 1}{i + 2T} \right)^2
//! ```
//! C(i) = ((i + 2T − 1) / (i + 2T))².
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
//! Relevant at rank 1, T = 1, depth = 2: C(1) = (2/3)² = 4/9, so INSQ(depth=2) = 1 / (1 + 4/9) = 0.692308.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! Same as `INSQCWLMetric` in `cwl_eval` with costs of 1; `ir_measures` calls it `INSQ` and requires `max_rel`.
//! The sum ends at `depth` (1000), so ETU is not exactly EU · ED. Pooled documents without a judgement count as
//! unjudged; `ir_measures` counts negative grades as judged, which changes only the residual.
//!
//! # References
//! Moffat, Scholer and Thomas 2012.

use cranfield_core::measure::MeasureInfo;

use super::{CWL, Cwl, Figures, Reading, T, UserModel, walk};

/// INSQ.
#[derive(Clone, Copy, Debug)]
struct Insq {
    target: f64,
}

impl UserModel for Insq {
    fn read(&self, reading: &Reading<'_>) -> Option<Figures> {
        Some(walk(reading, |seen| {
            let place = seen.rank + 2.0 * self.target;
            ((place - 1.0) / place).powi(2)
        }))
    }

    fn is_fixed(&self) -> bool {
        true
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "INSQ",
    summary: "gain per document of a user who wants T relevant documents",
    page: crate::page::page!("insq.rs"),
    params: super::params![T],
    references: &[
        "A. Moffat, F. Scholer and P. Thomas: Models and metrics: IR evaluation as a user process. ADCS 2012. doi:10.1145/2407085.2407092",
    ],
    build: |params| {
        Ok(Cwl::computation(
            params,
            Insq {
                target: params.real("T"),
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
        check("INSQ(depth=2)", &[1], &[1], 1.0 / (1.0 + 4.0 / 9.0));
        check("INSQ(depth=2, figure='ED')", &[1], &[1], 1.0 + 4.0 / 9.0);
    }

    #[test]
    fn edges() {
        check("INSQ", &[], &[1], 0.0);
        check("INSQ(T=0)", &[1], &[1], 1.0);
        check("INSQ(figure='EC')", &[1], &[1], 1.0);
        check("INSQ(residual='true')", &[], &[], 1.0);
    }
}
