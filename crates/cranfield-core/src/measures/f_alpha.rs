//! # What it measures
//! F with the weight as a share: the weighted harmonic mean of precision and recall, of the whole set
//! retrieved or of the first k.
//!
//! # User model
//! Gets the documents as a set; alpha is the share of precision in what the user values.
//!
//! # Formula
//! ```math
//! \mathrm{FAlpha@}k = \frac{1}{\alpha / P + (1 - \alpha) / R}
//! ```
//! FAlpha@k = 1 / (α / P + (1 − α) / R), and 0 if nothing relevant was found. P is precision, the relevant
//! documents among the first k over k (without `@k`, over the number retrieved), R recall, over the relevant
//! documents in the qrels. α is `alpha`, the weight of precision.
//!
//! # Worked example
//! Relevant, not, relevant; four relevant documents in the qrels: P = 2/3, R = 2/4, FAlpha = 0.571429 (F with
//! β = 1), FAlpha(alpha=0.2) = 1 / (0.2 · 3/2 + 0.8 · 2) = 0.526316 (F with β = 2).
//!
//! # Undefined when
//! The topic has no relevant document; without a cutoff also if the ranking is empty.
//!
//! # Differences between tools
//! α = 1 / (1 + β²) makes it F(beta=β). Courses write either.
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

/// F with a weight between 0 and 1.
#[derive(Clone, Debug)]
pub(super) struct FAlpha {
    level: f64,
    alpha: f64,
    cutoff: Option<Cutoff>,
}

impl Measure for FAlpha {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        f_measure(topic, self.level, self.alpha, self.cutoff)
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
    name: "FAlpha",
    aliases: &["f_alpha"],
    summary: "weighted harmonic mean of precision and recall, by the weight of precision",
    source: include_str!("f_alpha.rs"),
    params: &[ALPHA, ParamInfo::LEVEL],
    cutoff: CutoffRule::Optional,
    range: Range::UNIT,
    aggregate: Aggregate::Mean,
    direction: Direction::HigherIsBetter,
    references: &["C. J. van Rijsbergen: Information Retrieval, 2nd edition. Butterworths, 1979"],
    build,
};

const ALPHA: ParamInfo = ParamInfo {
    name: "alpha",
    kind: ParamKind::Real { min: 0.0, max: 1.0 },
    default: "0.5",
    help: "weight of precision",
};

fn build(params: &Params) -> Result<Computation, Error> {
    let measure = FAlpha {
        level: params.level(),
        alpha: params.real("alpha"),
        cutoff: params.cutoff(),
    };
    Ok(Computation::Ranked(Arc::new(measure)))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[1, 0, 1], &[1, 1, 1, 1, 0]);
        check("FAlpha", ranking, judged, 2.0 / (0.5 * 3.0 + 0.5 * 4.0));
        let value = 2.0 / (0.2 * 3.0 + 0.8 * 4.0);
        check("FAlpha(alpha=0.2)", ranking, judged, value);
    }

    #[test]
    fn edges() {
        check("FAlpha(alpha=1)@4", &[1], &[1, 1], 0.25);
        check("FAlpha(alpha=0)@4", &[1], &[1, 1], 0.5);
        check("FAlpha", &[-1], &[1], 0.0);
        undefined("FAlpha", &[], &[1]);
        undefined("FAlpha@5", &[0], &[0]);
    }
}
