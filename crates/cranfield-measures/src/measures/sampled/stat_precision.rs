//! # What it measures
//! Precision of the first k documents, estimated from judgements of documents sampled with unequal
//! probabilities. Requires judgements in the `prels` format. A single value may exceed 1; the expected value
//! over all samples is precision.
//!
//! # User model
//! That of P; the value is an estimate from sampled judgements.
//!
//! # Formula
//! ```math
//! \mathrm{statP}@k = \frac{1}{k} \sum_{i \le k,\ i\ \mathrm{rel}} \frac{1}{\pi_i}
//! ```
//! statP@k = (1 / k) · Σ over the relevant judged documents among the first k of 1/π, where π is the document's
//! inclusion probability.
//!
//! # Worked example
//! Relevant a (π = 0.25) and c (π = 1), non-relevant b (π = 0.5); ranking: an unjudged document, a, b, c.
//! statP@4 = (4 + 1) / 4 = 1.25; statP@10 = 0.5.
//!
//! # Undefined when
//! The sum overflows.
//!
//! # Differences between tools
//! statAP_MQ_eval.pl gives 0 for a ranking shorter than k; here missing documents count as non-relevant.
//!
//! # References
//! Aslam and Pavlu 2007.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::CutoffRule;
use cranfield_core::sampled::{DrawnJudgement, DrawnMeasure, InclusionSample, SampledRanking};

use super::DRAWN;
use crate::measures::common::Within;

/// Precision by inclusion probabilities.
#[derive(Clone, Debug)]
struct StatPrecision(Within);

impl DrawnMeasure for StatPrecision {
    fn evaluate(&self, topic: &SampledRanking<'_, DrawnJudgement>) -> Option<f64> {
        let at_level = |judged: &DrawnJudgement| judged.at_level(self.0.level);
        let sample = InclusionSample::new(topic.judged.iter().map(at_level));
        let shown = topic.first(self.0.depth).iter();
        let ranking: Vec<_> = shown.map(|found| found.as_ref().map(at_level)).collect();
        let value = sample.stat_precision(&ranking, self.0.depth);
        value.filter(|value| value.is_finite())
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "statP",
    summary: "precision, estimated by inclusion probabilities",
    page: crate::page::page!("stat_precision.rs"),
    cutoff: CutoffRule::Required,
    build: |params| {
        Ok(Computation::Drawn(Arc::new(StatPrecision(Within::of(
            params,
        )))))
    },
    ..DRAWN
};

#[cfg(test)]
mod tests {
    use super::super::tests::{PRELS, check_drawn, undefined_drawn};

    #[test]
    fn worked_example() {
        check_drawn("statP@4", PRELS, &[-1, 0, 1, 2], 1.25);
        check_drawn("statP@10", PRELS, &[-1, 0, 1, 2], 0.5);
    }

    #[test]
    fn edges() {
        check_drawn("statP@1", &[], &[], 0.0);
        check_drawn("statP(rel=2)@4", PRELS, &[0, 2], 1.0);
        undefined_drawn("statP@1", &[(1.0, 1e-320)], &[0]);
    }
}
