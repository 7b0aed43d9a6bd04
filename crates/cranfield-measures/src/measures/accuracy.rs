//! # What it measures
//! Ranking accuracy: the probability that a randomly chosen relevant document of the ranking is ranked above a
//! randomly chosen non-relevant one. It is the area under the ROC curve of the ranking.
//!
//! # User model
//! None: every pair of a relevant and a non-relevant document counts equally, whatever their ranks.
//!
//! # Formula
//! ```math
//! \mathrm{Accuracy@}k = 1 - \frac{\sum_{i \le k,\ \mathrm{rel}} (i - H_i)}{H_n\, (n - H_n)}, \quad n = \min(k, \text{retrieved})
//! ```
//! Accuracy@k = 1 − Σ over relevant ranks i ≤ k of (non-relevant documents above i) / (H · (n − H)), where H of
//! the first n = min(k, number retrieved) documents are relevant. It is 1 if all are relevant. Unjudged
//! documents count as non-relevant.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant, non-relevant: Accuracy = 1 − (0 + 1) / (2 · 2) = 0.75, Accuracy@2
//! = 1.
//!
//! # Undefined when
//! No relevant document is among the first k.
//!
//! # Differences between tools
//! Same as `Accuracy` in `ir_measures`, which divides by zero if every document is relevant and leaves out
//! undefined topics. Not the fraction of correctly classified documents that is also called accuracy.
//!
//! # References
//! Hanley and McNeil 1982; MacAvaney, Macdonald and Ounis 2022.

use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::ParamInfo;
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::common::Within;

/// Probability that a relevant document is ranked above a non-relevant one.
#[derive(Clone, Debug)]
pub(super) struct Accuracy(Within);

impl Accuracy {
    fn has_cutoff(&self) -> bool {
        self.0.depth < usize::MAX
    }
}

impl Measure for Accuracy {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let Within { level, depth } = self.0;
        let relevant = topic.relevant(level);
        let found = relevant.count_at(depth);
        let others = topic.retrieved().min(depth).saturating_sub(found);
        let above = relevant.ranks.iter().take(found).zip(1u32..);
        let inversions: f64 = above.map(|(rank, count)| f64::from(rank - count)).sum();
        let pairs = found as f64 * others as f64;
        match (found, others) {
            (0, _) => None,
            (_, 0) => Some(1.0),
            _ => Some(1.0 - inversions / pairs),
        }
    }

    fn level(&self) -> Option<f64> {
        Some(self.0.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        (!self.has_cutoff()).then(|| label.relevance(self.0.level))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        let additive = || topic.additive(|order| self.evaluate(order));
        (!self.has_cutoff()).then(additive)?
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "Accuracy",
    aliases: &["auc"],
    summary: "probability that a relevant document is ranked above a non-relevant one",
    page: crate::page::page!("accuracy.rs"),
    params: &[ParamInfo::LEVEL],
    references: &[
        "J. Hanley and B. McNeil: The meaning and use of the area under a receiver operating characteristic (ROC) curve. Radiology 143(1), 1982",
        "S. MacAvaney, C. Macdonald and I. Ounis: Streamlining evaluation with ir-measures. ECIR 2022",
    ],
    build: |params| Ok(Computation::ranked(Accuracy(Within::of(params)))),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        check("Accuracy", &[1, 0, 1, 0], &[1, 1, 0, 0], 0.75);
        check("Accuracy@2", &[1, 0, 1, 0], &[1, 1, 0, 0], 1.0);
    }

    #[test]
    fn edges() {
        check("Accuracy", &[1, 2], &[1, 2], 1.0);
        check("Accuracy", &[-1, -2, 0, 1], &[1, 0], 0.0);
        check("Accuracy(rel=2)@100", &[1, 2, 1], &[2, 1, 1], 0.5);
        undefined("Accuracy", &[], &[1]);
        undefined("Accuracy@1", &[0, 1], &[1, 0]);
    }
}
