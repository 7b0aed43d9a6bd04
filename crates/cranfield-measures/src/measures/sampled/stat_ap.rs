//! # What it measures
//! Average precision, estimated from judgements of documents sampled with unequal probabilities. Requires
//! judgements in the `prels` format.
//!
//! # User model
//! That of AP; the value is an estimate from sampled judgements.
//!
//! # Formula
//! ```math
//! \mathrm{statAP} = \frac{1}{R} \sum_{i\ \mathrm{rel}} \frac{1}{\pi_i i} \left( 1 + \sum_{j < i,\ j\ \mathrm{rel}} \frac{1}{\pi_j} \right)
//! ```
//! A document sampled with probability π represents 1/π documents. R = Σ over the relevant judged documents of
//! 1/π. statAP = (1 / R) · Σ over the relevant documents of the ranking, at rank i, of (1/π) · (1 + Σ of 1/π
//! over the relevant documents above) / i. statAP@k considers the first k documents.
//!
//! # Worked example
//! Relevant a (π = 0.25) and c (π = 1), non-relevant b (π = 0.5); ranking: an unjudged document, a, b, c. R = 4
//! + 1 = 5. statAP = (4 · 1 / 2 + 1 · (1 + 4) / 4) / 5 = 0.65.
//!
//! # Undefined when
//! No judged document is relevant.
//!
//! # Differences between tools
//! statAP_MQ_eval.pl leaves the order of equal scores unspecified and counts only topics with a value. A Java
//! port rounds R and truncates the sum of documents above to a whole number; neither is done here.
//!
//! # References
//! Aslam and Pavlu 2007.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::sampled::{DrawnJudgement, DrawnMeasure, InclusionSample, SampledRanking};

use super::DRAWN;
use crate::measures::common::Within;

/// Average precision by inclusion probabilities.
#[derive(Clone, Debug)]
struct StatAp(Within);

impl DrawnMeasure for StatAp {
    fn evaluate(&self, topic: &SampledRanking<'_, DrawnJudgement>) -> Option<f64> {
        let at_level = |judged: &DrawnJudgement| judged.at_level(self.0.level);
        let sample = InclusionSample::new(topic.judged.iter().map(at_level));
        let shown = topic.first(self.0.depth).iter();
        let ranking: Vec<_> = shown.map(|found| found.as_ref().map(at_level)).collect();
        let value = sample.stat_ap(&ranking);
        value.filter(|value| value.is_finite())
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "statAP",
    summary: "average precision, estimated by inclusion probabilities",
    page: crate::page::page!("stat_ap.rs"),
    build: |params| Ok(Computation::Drawn(Arc::new(StatAp(Within::of(params))))),
    ..DRAWN
};

#[cfg(test)]
mod tests {
    use super::super::tests::{PRELS, check_drawn, undefined_drawn};

    #[test]
    fn worked_example() {
        check_drawn("statAP", PRELS, &[-1, 0, 1, 2], 0.65);
        check_drawn("statAP@2", PRELS, &[-1, 0, 1, 2], 0.4);
    }

    #[test]
    fn edges() {
        check_drawn("statAP", PRELS, &[], 0.0);
        check_drawn("statAP(rel=2)", PRELS, &[2, 0], 0.5);
        undefined_drawn("statAP", &[(0.0, 0.5), (-1.0, 0.1)], &[0]);
        undefined_drawn("statAP(rel=-1)", &[(-1.0, 0.1)], &[0]);
        undefined_drawn(
            "statAP",
            &[(1.0, f64::MIN_POSITIVE), (1.0, f64::MIN_POSITIVE)],
            &[0, 1],
        );
    }
}
