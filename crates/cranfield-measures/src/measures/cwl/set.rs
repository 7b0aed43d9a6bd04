//! # What it measures
//! The search economic measure: gain per document with returns that diminish by a power law, down to rank k.
//!
//! # User model
//! A user with diminishing returns: each further document is worth less by a power law, down to rank k.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = \begin{cases} w_{i+1} / w_i & i < k \\ 0 & \text{else} \end{cases}, \quad w_i = (i + 1)^{\beta} - i^{\beta}
//! ```
//! C(i) = w(i + 1) / w(i) for i below k, else 0, where w(i) = (i + 1)^beta − i^beta.
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
//! Relevant at rank 1, beta = 0.5, k = 2: w(1) = 0.414214, w(2) = 0.317837, C(1) = 0.767327, so SET@2 = 1 /
//! 1.767327 = 0.565826.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! Same as `SETCWLMetric` in `cwl_eval` with costs of 1. Its documentation says that ETU is k^beta if all
//! documents are relevant, which would require w(i) = i^beta − (i − 1)^beta; this implementation follows its
//! code. `ir_measures` does not provide it. Not related to the set measures SetP, SetR and SetF.
//!
//! # References
//! Azzopardi 2014.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind};

use super::{CWL, Cwl, Figures, Reading, UserModel, walk};

/// The search economic measure.
#[derive(Clone, Copy, Debug)]
struct Set {
    beta: f64,
    cutoff: f64,
}

impl UserModel for Set {
    fn read(&self, reading: &Reading<'_>) -> Option<Figures> {
        Some(walk(reading, |seen| {
            if seen.rank < self.cutoff {
                self.weight(seen.rank + 1.0) / self.weight(seen.rank)
            } else {
                0.0
            }
        }))
    }

    fn is_fixed(&self) -> bool {
        true
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "SET",
    summary: "gain per document with diminishing returns",
    page: crate::page::page!("set.rs"),
    params: super::params![BETA],
    cutoff: CutoffRule::Required,
    references: &[
        "L. Azzopardi: Modelling interaction with economic models of search. SIGIR 2014. doi:10.1145/2600428.2609574",
    ],
    build: |params| {
        Ok(Cwl::computation(
            params,
            Set {
                beta: params.real("beta"),
                cutoff: params.required_cutoff() as f64,
            },
        ))
    },
    ..CWL
};

impl Set {
    /// (rank + 1)^beta − rank^beta, without the cancellation.
    fn weight(&self, rank: f64) -> f64 {
        rank.powf(self.beta) * (self.beta * (1.0 / rank).ln_1p()).exp_m1()
    }
}

const BETA: ParamInfo = ParamInfo {
    name: "beta",
    kind: ParamKind::Real {
        min: 0.001,
        max: 1.0,
    },
    default: "0.5",
    help: "exponent of the returns; 1 means no diminishing returns",
};

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;

    #[test]
    fn worked_example() {
        check(
            "SET@2",
            &[1],
            &[1],
            1.0 / (1.0 + (3f64.sqrt() - 2f64.sqrt()) / (2f64.sqrt() - 1.0)),
        );
    }

    #[test]
    fn edges() {
        check("SET@2", &[], &[1], 0.0);
        check("SET(beta=1)@4", &[1], &[1], 0.25);
    }
}
