//! # What it measures
//! Sliding ratio: the gain of the first k documents relative to the maximum for k documents of the same
//! ranking. It evaluates only the order, not what was retrieved.
//!
//! # User model
//! Reads k documents and compares their gain with the best k of the same retrieved documents.
//!
//! # Formula
//! ```math
//! \mathrm{SlidingRatio@}k = \frac{\sum_{i \le k} g_i}{\sum_{i \le k} g^{\mathrm{ret}}_i}
//! ```
//! SlidingRatio@k = (Σ of the gains of the first k documents) / (Σ of the k highest gains among all documents
//! retrieved). Gains below zero count as 0. It is 0 if documents with a gain exist but none was retrieved.
//!
//! # Worked example
//! Grades 1, 0, 3, 2 in rank order: SlidingRatio@2 = (1 + 0) / (3 + 2) = 0.2, SlidingRatio@3 = 4 / 6 =
//! 0.666667.
//!
//! # Undefined when
//! No judged document has a positive gain.
//!
//! # Differences between tools
//! No common tool computes it. Järvelin and Kekäläinen's normalised cumulated gain uses the recall base instead
//! of the retrieved documents, so it does not change with the length of the ranking.
//!
//! # References
//! Pollack 1968; Korfhage 1997.

use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::CutoffRule;
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{Hit, JudgedRanking, Label};

/// Sliding ratio.
#[derive(Clone, Debug)]
pub(super) struct SlidingRatio {
    gains: Gains,
    cutoff: usize,
}

impl Measure for SlidingRatio {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let gains = |label| self.gains.of_label(label);
        let exists = !self.gains.ideal(topic.base()).is_empty();
        exists.then(|| sliding_ratio(topic, self.cutoff, gains))
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(self.gains.of_label(label))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "SlidingRatio",
    aliases: &["sliding_ratio"],
    summary: "sliding ratio: gain of the first k relative to the best order of the retrieved documents",
    page: crate::page::page!("sliding_ratio.rs"),
    params: &[Gains::PARAM],
    cutoff: CutoffRule::Required,
    references: &[
        "S. M. Pollack: Measures for the comparison of information retrieval systems. American Documentation 19(4), 1968",
        "R. R. Korfhage: Information Storage and Retrieval. Wiley, 1997",
    ],
    build: |params| {
        Ok(Computation::ranked(SlidingRatio {
            gains: params.gains("gains").clone(),
            cutoff: params.required_cutoff(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

/// The gain of the first `cutoff` documents divided by the maximum for as many retrieved documents; 0 if that
/// is 0.
pub(super) fn sliding_ratio(
    topic: &JudgedRanking<'_>,
    cutoff: usize,
    gain: impl Fn(Label) -> f64,
) -> f64 {
    let positive = |hit: &Hit| Some(gain(hit.label)).filter(|gain| *gain > 0.0);
    let mut found = 0.0;
    for gain in topic.hits_at(cutoff).iter().filter_map(positive) {
        found += gain;
    }
    let mut best: Vec<_> = topic.hits().iter().filter_map(positive).collect();
    best.sort_unstable_by(|a, b| b.total_cmp(a));
    let mut most = 0.0;
    for gain in best.iter().take(cutoff) {
        most += gain;
    }
    if most > 0.0 { found / most } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[1, 0, 3, 2], &[1, 0, 3, 2, 3]);
        check("SlidingRatio@2", ranking, judged, 0.2);
        check("SlidingRatio@3", ranking, judged, 4.0 / 6.0);
        check("SlidingRatio@4", ranking, judged, 1.0);
        check("SlidingRatio@100", ranking, judged, 1.0);
    }

    #[test]
    fn edges() {
        check("SlidingRatio@5", &[], &[1], 0.0);
        check("SlidingRatio@5", &[-1, -3], &[1, -3], 0.0);
        check("SlidingRatio(gains='0,1,10')@1", &[1, 2], &[1, 2], 0.1);
        check("SlidingRatio(gains='binary')@1", &[1, 2], &[1, 2], 1.0);
        undefined("SlidingRatio@5", &[0], &[0]);
    }
}
