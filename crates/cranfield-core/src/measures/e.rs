//! # What it measures
//! E-measure: the loss in precision and recall together; 0 is perfect and 1 is the worst.
//!
//! # User model
//! Gets the documents as a set; b says how many times as much recall is worth to the user as precision.
//!
//! # Formula
//! ```math
//! \mathrm{E@}k = 1 - \frac{1 + \beta^2}{\beta^2 / R + 1 / P}
//! ```
//! E@k = 1 − (1 + b²) / (b² / R + 1 / P) = 1 − F@k with β = b, and 1 if nothing relevant was found. P is
//! precision, the relevant documents among the first k over k (without `@k`, over the number retrieved), R
//! recall, over the relevant documents in the qrels. b is `beta`: 0 gives 1 − P, a large one 1 − R.
//!
//! # Worked example
//! Relevant, not; four relevant documents in the qrels: P = 0.5, R = 0.25, E = 1 − 2 / (4 + 2) = 0.666667,
//! E(beta=0) = 0.5, E(beta=2) = 1 − 5 / (16 + 2) = 0.722222.
//!
//! # Undefined when
//! The topic has no relevant document; without a cutoff also if the ranking is empty.
//!
//! # Differences between tools
//! Some texts let b > 1 emphasise precision; here, as van Rijsbergen has it, it emphasises recall.
//!
//! # References
//! van Rijsbergen 1979.

use std::sync::Arc;

use super::common::f_measure;
use crate::error::Error;
use crate::measure::{Aggregate, Computation, Direction, Measure, MeasureInfo, Range};
use crate::params::{Cutoff, CutoffRule, ParamInfo, ParamKind, Params};
use crate::tied::TiedRanking;
use crate::topic::{JudgedRanking, Label};

/// Effectiveness measure E.
#[derive(Clone, Debug)]
pub(super) struct E {
    level: f64,
    alpha: f64,
    cutoff: Option<Cutoff>,
}

impl Measure for E {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        f_measure(topic, self.level, self.alpha, self.cutoff).map(|f| 1.0 - f)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.level))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "E",
    aliases: &["e-measure", "e_measure"],
    summary: "loss in precision and recall together, 1 - F (E-measure)",
    source: include_str!("e.rs"),
    params: &[BETA, ParamInfo::LEVEL],
    cutoff: CutoffRule::Optional,
    range: Range::UNIT,
    aggregate: Aggregate::Mean,
    direction: Direction::LowerIsBetter,
    references: &["C. J. van Rijsbergen: Information Retrieval, 2nd edition. Butterworths, 1979"],
    build,
};

const BETA: ParamInfo = ParamInfo {
    name: "beta",
    kind: ParamKind::Real {
        min: 0.0,
        max: f64::INFINITY,
    },
    default: "1",
    help: "how much more recall counts than precision",
};

fn build(params: &Params) -> Result<Computation, Error> {
    let measure = E {
        level: params.level(),
        alpha: 1.0 / (1.0 + params.real("beta").powi(2)),
        cutoff: params.cutoff(),
    };
    Ok(Computation::Ranked(Arc::new(measure)))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[1, 0], &[1, 1, 1, 1]);
        check("E", ranking, judged, 1.0 - 1.0 / (0.5 * 2.0 + 0.5 * 4.0));
        check("E(beta=0)", ranking, judged, 0.5);
        let value = 1.0 - 1.0 / (0.2 * 2.0 + 0.8 * 4.0);
        check("E-measure(beta=2)@2", ranking, judged, value);
    }

    #[test]
    fn edges() {
        check("E", &[0], &[1, 0], 1.0);
        check("E@5", &[], &[1], 1.0);
        check("E(beta=1e300)", &[1, 0], &[1, 1, 1, 1], 0.75);
        undefined("E", &[], &[1]);
        undefined("E", &[0], &[0]);
    }
}
