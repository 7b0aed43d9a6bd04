//! # What it measures
//! INST: like INSQ, but adaptive: gain already found counts towards the wanted gain T, so users who find more
//! stop earlier.
//!
//! # User model
//! Wants the gain T, reads from the top, and becomes less likely to continue as gain is found.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = \left( \frac{i + T + T_i - 1}{i + T + T_i} \right)^2, \quad T_i = T - \sum_{j \le i} g_j
//! ```
//! C(i) = ((i + T + T(i) − 1) / (i + T + T(i)))², where T(i) = T − (gain of ranks 1 to i).
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
//! Relevant at rank 1, T = 1, depth = 2: T(1) = 0 and C(1) = (1/2)² = 0.25, so INST(depth=2) = 1 / 1.25 =
//! 0.8.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! Same as `INSTCWLMetric` in `cwl_eval` with costs of 1; `ir_measures` calls it `INST` and requires `max_rel`.
//! T must be at least 0.5 here: below it C(i) can exceed 1, which `cwl_eval` does not check. Pooled documents
//! without a judgement count as unjudged; `ir_measures` counts negative grades as judged, which changes only
//! the residual.
//!
//! # References
//! Moffat, Bailey, Scholer and Thomas 2015 and 2017.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::{ParamInfo, ParamKind};

use super::{CWL, Cwl, Figures, Reading, UserModel, walk};

/// INST.
#[derive(Clone, Copy, Debug)]
struct Inst {
    target: f64,
}

impl UserModel for Inst {
    fn read(&self, reading: &Reading<'_>) -> Option<Figures> {
        Some(walk(reading, |seen| {
            let place = seen.rank + self.target + (self.target - seen.total_gain);
            ((place - 1.0) / place).powi(2)
        }))
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "INST",
    summary: "gain per document of a user who adapts to the gain found",
    page: crate::page::page!("inst.rs"),
    params: super::params![TARGET],
    references: &[
        "A. Moffat, P. Bailey, F. Scholer and P. Thomas: INST: an adaptive metric for information retrieval evaluation. ADCS 2015. doi:10.1145/2838931.2838938",
        super::FRAMEWORK,
    ],
    build: |params| {
        Ok(Cwl::computation(
            params,
            Inst {
                target: params.real("T"),
            },
        ))
    },
    ..CWL
};

/// Like [`super::T`], but large enough to keep C(i) a probability.
const TARGET: ParamInfo = ParamInfo {
    kind: ParamKind::Real { min: 0.5, max: 1e9 },
    ..super::T
};

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;

    #[test]
    fn worked_example() {
        check("INST(depth=2)", &[1], &[1], 1.0 / 1.25);
        check(
            "INST(depth=2, figure='ETU')",
            &[1],
            &[1],
            0.75 + 0.25 * (1.0 - (2.0f64 / 3.0).powi(2)),
        );
    }

    #[test]
    fn edges() {
        check("INST", &[], &[1], 0.0);
        check("INST(T=0.5)", &[1, 1], &[1, 1], 1.0);
        check("INST(depth=1)", &[-1, 1], &[1], 0.0);
        check("INST(T=1000000000, depth=1)", &[1], &[1], 1.0);
    }
}
