//! # What it measures
//! Information foraging: the gain per document of a user who stops once enough gain is collected (the goal),
//! once gain comes too slowly (the rate), or both.
//!
//! # User model
//! A forager who leaves once enough gain is collected or once gain comes too slowly.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = \left(1 - \frac{1}{1 + b_1 e^{(T - G_i) R_1}}\right) \cdot \frac{1}{1 + b_2 e^{(A - G_i / i) R_2}}
//! ```
//! goal(i) = 1 − 1 / (1 + b1 · e^((T − G(i)) · R1)), rate(i) = 1 / (1 + b2 · e^((A − G(i) / i) · R2)), where
//! G(i) is the gain of ranks 1 to i. C(i) is goal(i), rate(i) or their product, depending on `model`.
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
//! Relevant at rank 1, depth = 2, T = 2, b1 = 0.9, R1 = 1: C(1) = 1 − 1 / (1 + 0.9 · e) = 0.709847, so
//! IFT(model='goal', depth=2) = 1 / 1.709847 = 0.584848. With model='rate', A = 0.2, b2 = 0.9, R2 = 1: C(1) =
//! 1 / (1 + 0.9 · e^(−0.8)) = 0.712050 and the value is 0.584095.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! Same as `IFTGoalCWLMetric`, `IFTRateCWLMetric` and `IFTGoalRateCWLMetric` in `cwl_eval` with costs of 1. It
//! has no defaults and overflows for large R1 or R2; the defaults here are examples, not fitted to users.
//! `ir_measures` does not provide it.
//!
//! # References
//! Azzopardi, Thomas and Craswell 2018.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::{ParamInfo, ParamKind, Params};

use super::{CWL, Cwl, Figures, Reading, UserModel, walk};

/// The measure of information foraging.
#[derive(Clone, Copy, Debug)]
struct Ift {
    goal: Option<Logistic>,
    rate: Option<Logistic>,
}

impl UserModel for Ift {
    fn read(&self, reading: &Reading<'_>) -> Option<Figures> {
        Some(walk(reading, |seen| {
            let goal = self
                .goal
                .map_or(1.0, |goal| 1.0 - goal.stop(seen.total_gain));
            let rate = self
                .rate
                .map_or(1.0, |rate| rate.stop(seen.total_gain / seen.rank));
            goal * rate
        }))
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "IFT",
    summary: "gain per document of a foraging user",
    page: crate::page::page!("ift.rs"),
    params: super::params![MODEL, TARGET, B1, R1, A, B2, R2],
    references: &[
        "L. Azzopardi, P. Thomas and N. Craswell: Measuring the utility of search engine result pages: an information foraging based measure. SIGIR 2018",
    ],
    build,
    ..CWL
};

/// A logistic step from 0 below the level to 1 above it.
#[derive(Clone, Copy, Debug)]
struct Logistic {
    level: f64,
    weight: f64,
    steepness: f64,
}

impl Logistic {
    fn stop(&self, value: f64) -> f64 {
        if self.weight == 0.0 {
            return 1.0;
        }
        1.0 / (1.0 + self.weight * ((self.level - value) * self.steepness).exp())
    }
}

const MODEL: ParamInfo = ParamInfo {
    name: "model",
    kind: ParamKind::Word(&["goal", "rate", "both"]),
    default: "both",
    help: "stopping criterion: goal reached, rate of gain too low, or both",
};

const TARGET: ParamInfo = ParamInfo {
    name: "T",
    kind: ParamKind::Real { min: 0.0, max: 1e6 },
    default: "2",
    help: "goal: total gain the user wants",
};

const B1: ParamInfo = ParamInfo {
    name: "b1",
    kind: ParamKind::Real { min: 0.0, max: 1e6 },
    default: "0.9",
    help: "goal: how willing the user is to continue at the goal",
};

const R1: ParamInfo = ParamInfo {
    name: "R1",
    kind: ParamKind::Real { min: 0.0, max: 1e6 },
    default: "1",
    help: "goal: steepness of the decision",
};

const A: ParamInfo = ParamInfo {
    name: "A",
    kind: ParamKind::Real { min: 0.0, max: 1e6 },
    default: "0.2",
    help: "rate: gain per document the user expects",
};

const B2: ParamInfo = ParamInfo {
    name: "b2",
    kind: ParamKind::Real { min: 0.0, max: 1e6 },
    default: "0.9",
    help: "rate: how willing the user is to stop at that rate",
};

const R2: ParamInfo = ParamInfo {
    name: "R2",
    kind: ParamKind::Real { min: 0.0, max: 1e6 },
    default: "1",
    help: "rate: steepness of the decision",
};

fn build(params: &Params) -> Result<Computation, Error> {
    let limit = |level, weight, steepness| {
        Some(Logistic {
            level: params.real(level),
            weight: params.real(weight),
            steepness: params.real(steepness),
        })
    };
    let model = match params.word("model") {
        "goal" => Ift {
            goal: limit("T", "b1", "R1"),
            rate: None,
        },
        "rate" => Ift {
            goal: None,
            rate: limit("A", "b2", "R2"),
        },
        _ => Ift {
            goal: limit("T", "b1", "R1"),
            rate: limit("A", "b2", "R2"),
        },
    };
    Ok(Cwl::computation(params, model))
}

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;

    #[test]
    fn worked_example() {
        check(
            "IFT(model='goal', depth=2)",
            &[1],
            &[1],
            1.0 / (1.0 + (1.0 - 1.0 / (1.0 + 0.9 * 1f64.exp()))),
        );
        check(
            "IFT(model='rate', depth=2)",
            &[1],
            &[1],
            1.0 / (1.0 + 1.0 / (1.0 + 0.9 * (-0.8f64).exp())),
        );
    }

    #[test]
    fn edges() {
        check("IFT", &[], &[1], 0.0);
        check("IFT(model='goal', b1=0)", &[1, 0], &[1], 1.0);
        check(
            "IFT(model='goal', b1=0, R1=1000000, T=1000000)",
            &[1, 0],
            &[1],
            1.0,
        );
        check("IFT(model='rate', b2=0, depth=2)", &[1], &[1], 0.5);
        check("IFT(model='rate', R2=1000000)", &[-1, 1], &[1], 0.0);
        check("IFT(model='goal', R1=1000000)", &[1, 1], &[1], 2.0 / 2.9);
    }
}
