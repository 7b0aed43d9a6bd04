//! # What it measures
//! Net present value: gain per document, discounted by an interest rate for each document read before it.
//!
//! # User model
//! Discounts a gain by an interest rate for each document read before it.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = \frac{1}{1 + \mathrm{rate}}
//! ```
//! C(i) = 1 / (1 + rate).
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
//! Relevant at rank 1, rate = 1, depth = 2: C = 0.5, so NPV(rate=1, depth=2) = 1 / 1.5 = 0.666667.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! Same as `NPVCWLMetric` in `cwl_eval` with costs of 1. It is RBP with p = 1 / (1 + rate), except that the
//! weights are normalised down to `depth`. `ir_measures` does not provide it.
//!
//! # References
//! Azzopardi, Thomas and Moffat 2019.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::{ParamInfo, ParamKind};

use super::{CWL, Cwl, Figures, Reading, UserModel, walk};

/// Net present value.
#[derive(Clone, Copy, Debug)]
struct Npv {
    rate: f64,
}

impl UserModel for Npv {
    fn read(&self, reading: &Reading<'_>) -> Option<Figures> {
        Some(walk(reading, |_| 1.0 / (1.0 + self.rate)))
    }

    fn is_fixed(&self) -> bool {
        true
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "NPV",
    summary: "gain per document, discounted by an interest rate",
    page: crate::page::page!("npv.rs"),
    params: super::params![RATE],
    references: &[super::PROGRAM],
    build: |params| {
        Ok(Cwl::computation(
            params,
            Npv {
                rate: params.real("rate"),
            },
        ))
    },
    ..CWL
};

const RATE: ParamInfo = ParamInfo {
    name: "rate",
    kind: ParamKind::Real { min: 0.0, max: 1e9 },
    default: "0.1",
    help: "interest rate per document",
};

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;

    #[test]
    fn worked_example() {
        check("NPV(rate=1, depth=2)", &[1], &[1], 1.0 / 1.5);
    }

    #[test]
    fn edges() {
        check("NPV", &[], &[1], 0.0);
        check("NPV(rate=0, depth=4)", &[1], &[1], 0.25);
    }
}
