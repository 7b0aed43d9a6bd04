//! # What it measures
//! F-measure: the weighted harmonic mean of precision and recall, for the whole retrieved set or the first k.
//!
//! # User model
//! Sees the documents as an unordered set; recall is worth beta times as much to the user as precision.
//!
//! # Formula
//! ```math
//! \mathrm{F@}k = \frac{(1 + \beta^2)\, P\, R}{\beta^2 P + R}
//! ```
//! F@k = (1 + β²) · P · R / (β² · P + R), and 0 if nothing relevant was found. P is precision, the relevant
//! documents among the first k over k (without `@k`, over the number retrieved), R recall, over the relevant
//! documents in the qrels. β is `beta`.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; four relevant documents in the qrels: P = 2/3, R = 2/4, F =
//! 0.571429, F(beta=2) = 5 · P · R / (4 · P + R) = 0.526316; F@2: P = 1/2, R = 1/4, F = 0.333333.
//!
//! # Undefined when
//! The topic has no relevant document; without a cutoff also if the ranking is empty.
//!
//! # Differences between tools
//! `set_F` in `trec_eval` and `SetF` in `ir_measures` use the parameter as β²; that is SetF here. F is computed
//! as H / (α · k + (1 − α) · R) with α = 1 / (1 + β²), which is equivalent and needs no special case.
//!
//! # References
//! van Rijsbergen 1979.

use std::sync::Arc;

use crate::error::Error;
use crate::measure::{Aggregate, Computation, Direction, Measure, MeasureInfo, Range};
use crate::params::{Cutoff, CutoffRule, ParamInfo, ParamKind, Params};
use crate::tied::TiedRanking;
use crate::topic::{JudgedRanking, Label};

/// F as H / (α · n + (1 − α) · R), or a value derived from it. Undefined without relevant documents, and for an
/// empty ranking without cutoff.
#[derive(Clone, Debug)]
struct OfF {
    level: f64,
    /// Weight of precision.
    alpha: f64,
    cutoff: Option<Cutoff>,
    value: fn(f64) -> f64,
}

impl Measure for OfF {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        let (shown, found) = match self.cutoff {
            Some(cutoff) => (cutoff.get(), relevant.count_at(cutoff.get())),
            None => (topic.retrieved(), relevant.retrieved),
        };
        let whole = self.alpha * shown as f64 + (1.0 - self.alpha) * relevant.total as f64;
        (shown > 0 && relevant.total > 0).then(|| (self.value)(found as f64 / whole))
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
    name: "F",
    aliases: &["f-measure", "f_measure", "f1"],
    summary: "weighted harmonic mean of precision and recall (F-measure)",
    page: crate::page::page!("f.rs"),
    params: &[BETA, ParamInfo::LEVEL],
    cutoff: CutoffRule::Optional,
    range: Range::UNIT,
    aggregate: Aggregate::Mean,
    direction: Direction::HigherIsBetter,
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
    Ok(of_f(params, alpha(params), |f| f))
}

/// The weight of precision given by the parameter `beta`.
pub(super) fn alpha(params: &Params) -> f64 {
    1.0 / (1.0 + params.real("beta").powi(2))
}

/// Builds a measure derived from F with a weight of precision.
pub(super) fn of_f(params: &Params, alpha: f64, value: fn(f64) -> f64) -> Computation {
    Computation::Ranked(Arc::new(OfF {
        level: params.level(),
        alpha,
        cutoff: params.cutoff(),
        value,
    }))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[1, 0, 1], &[1, 1, 1, 1, 0]);
        check("F", ranking, judged, 2.0 / (0.5 * 3.0 + 0.5 * 4.0));
        check("F(beta=2)", ranking, judged, 2.0 / (0.2 * 3.0 + 0.8 * 4.0));
        check("F1@2", ranking, judged, 1.0 / (0.5 * 2.0 + 0.5 * 4.0));
    }

    #[test]
    fn edges() {
        check("F", &[0], &[1, 0], 0.0);
        check("F@5", &[], &[1], 0.0);
        check("F(beta=0)", &[1, 0], &[1, 1], 0.5);
        check("F(beta=1e300)", &[1, 0], &[1, 1, 1, 1], 0.25);
        check("F(rel=2)@1", &[2, 1], &[2, 1], 1.0);
        undefined("F", &[], &[1]);
        undefined("F", &[0], &[0]);
    }
}
