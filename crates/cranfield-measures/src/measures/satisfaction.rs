//! # What it measures
//! Satisfaction: the gain of the first k documents relative to the best ordering of the retrieved documents.
//! Non-relevant documents count as 0. Combined with frustration it gives SFT.
//!
//! # User model
//! Reads k documents and compares their gain with the maximum for any k retrieved documents.
//!
//! # Formula
//! ```math
//! \mathrm{Satisfaction@}k = \frac{\sum_{i \le k,\ \mathrm{rel}} g_i}{\sum_{i \le k} g^{\mathrm{ret}}_i}
//! ```
//! Satisfaction@k = (Σ of the gains of the relevant documents among the first k) / (Σ of the k highest gains of
//! relevant documents among all retrieved). It is 0 if relevant documents exist but none was retrieved.
//!
//! # Worked example
//! Grades 1, 0, 3, 2 in rank order, `rel=2`: Satisfaction@2 = 0 / 5 = 0, Satisfaction@3 = 3 / 5 = 0.6.
//!
//! # Undefined when
//! No judged document is relevant and has a positive gain.
//!
//! # Differences between tools
//! No common tool computes it. Myaeng and Korfhage's measure is the sliding ratio with the weights of
//! non-relevant documents set to zero; here `rel` decides which documents these are.
//!
//! # References
//! Myaeng and Korfhage 1990; Korfhage 1997.

use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::sliding_ratio::sliding_ratio;

/// Satisfaction.
#[derive(Clone, Debug)]
pub(super) struct Satisfaction {
    gains: Gains,
    level: f64,
    cutoff: usize,
}

impl Measure for Satisfaction {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        satisfaction(topic, &self.gains, self.level, self.cutoff)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.level) * self.gains.of_label(label))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "Satisfaction",
    summary: "satisfaction: gain of the relevant documents among the first k, relative to their best order",
    page: crate::page::page!("satisfaction.rs"),
    params: &[Gains::PARAM, ParamInfo::LEVEL],
    cutoff: CutoffRule::Required,
    references: &[
        "S. H. Myaeng and R. R. Korfhage: Integration of user profiles: models and experiments in information retrieval. Information Processing and Management 26(6), 1990",
        "R. R. Korfhage: Information Storage and Retrieval. Wiley, 1997",
    ],
    build: |params| {
        Ok(Computation::ranked(Satisfaction {
            gains: params.gains("gains").clone(),
            level: params.level(),
            cutoff: params.required_cutoff(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

/// The sliding ratio of the relevant documents.
pub(super) fn satisfaction(
    topic: &JudgedRanking<'_>,
    gains: &Gains,
    level: f64,
    cutoff: usize,
) -> Option<f64> {
    let gain = |label: Label| {
        if label.is_relevant(level) {
            gains.of_label(label)
        } else {
            0.0
        }
    };
    let mut judged = topic.base().grades().iter();
    let exists = judged.any(|step| gain(Label::Judged(step.grade)) > 0.0);
    exists.then(|| sliding_ratio(topic, cutoff, gain))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[1, 0, 3, 2], &[1, 0, 3, 2]);
        check("Satisfaction(rel=2)@2", ranking, judged, 0.0);
        check("Satisfaction(rel=2)@3", ranking, judged, 0.6);
        check("Satisfaction@2", ranking, judged, 0.2);
    }

    #[test]
    fn edges() {
        check("Satisfaction@5", &[], &[1], 0.0);
        check("Satisfaction@5", &[-1, 0], &[1, 0], 0.0);
        undefined("Satisfaction@5", &[0], &[0]);
        undefined("Satisfaction(rel=2)@5", &[1], &[1]);
    }
}
