//! # What it measures
//! Number of relevant documents of the topic, estimated from judgements of documents sampled with unequal
//! probabilities. Requires judgements in the `prels` format.
//!
//! # User model
//! None: a count.
//!
//! # Formula
//! ```math
//! \mathrm{statNumRel} = \sum_{d\ \mathrm{rel}} \frac{1}{\pi_d}
//! ```
//! statNumRel = Σ over the relevant judged documents of 1/π, where π is the document's inclusion probability.
//!
//! # Worked example
//! Relevant a (π = 0.25) and c (π = 1), non-relevant b (π = 0.5): statNumRel = 4 + 1 = 5.
//!
//! # Undefined when
//! The sum overflows.
//!
//! # Differences between tools
//! statAP_MQ_eval.pl prints it as `Relevant`.
//!
//! # References
//! Aslam and Pavlu 2007.

use std::sync::Arc;

use cranfield_core::measure::{Aggregate, Computation, Direction, MeasureInfo};
use cranfield_core::params::CutoffRule;
use cranfield_core::sampled::{DrawnJudgement, DrawnMeasure, InclusionSample, SampledRanking};

use super::DRAWN;

/// Number of relevant documents by inclusion probabilities.
#[derive(Clone, Debug)]
struct StatRelevant {
    level: f64,
}

impl DrawnMeasure for StatRelevant {
    fn evaluate(&self, topic: &SampledRanking<'_, DrawnJudgement>) -> Option<f64> {
        let judged = topic.judged.iter();
        let sample = InclusionSample::new(judged.map(|judged| judged.at_level(self.level)));
        Some(sample.num_rel()).filter(|value| value.is_finite())
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "statNumRel",
    summary: "number of relevant documents, estimated by inclusion probabilities",
    page: crate::page::page!("stat_num_rel.rs"),
    cutoff: CutoffRule::None,
    aggregate: Aggregate::Sum,
    direction: Direction::Neutral,
    build: |params| {
        Ok(Computation::Drawn(Arc::new(StatRelevant {
            level: params.level(),
        })))
    },
    ..DRAWN
};

#[cfg(test)]
mod tests {
    use super::super::tests::{PRELS, check_drawn, undefined_drawn};

    #[test]
    fn worked_example() {
        check_drawn("statNumRel", PRELS, &[], 5.0);
    }

    #[test]
    fn edges() {
        check_drawn("statNumRel", &[], &[], 0.0);
        check_drawn("statNumRel(rel=0)", PRELS, &[], 7.0);
        undefined_drawn("statNumRel", &[(1.0, 1e-320)], &[]);
    }
}
