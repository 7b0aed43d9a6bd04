//! # What it measures
//! Generalised recall: recall for graded judgements. Each document counts by its relevance, so highly relevant
//! ones weigh more.
//!
//! # User model
//! Reads k documents and asks what fraction of the topic's total relevance they contain.
//!
//! # Formula
//! ```math
//! \mathrm{gR@}k = \frac{\sum_{i \le k} g_i}{\sum_j g^*_j}
//! ```
//! gR@k = (Σ of the gains of the first k documents) / (Σ of the gains of all judged documents). Gains below
//! zero count as 0. Without `@k` the first sum is over all documents retrieved.
//!
//! # Worked example
//! Grades 3, 0, 1 in rank order, judged 3, 2, 1, 0: gR@2 = 3 / 6 = 0.5, gR = 4 / 6 = 0.666667.
//!
//! # Undefined when
//! No judged document has a positive gain.
//!
//! # Differences between tools
//! No common tool computes it under this name. The scale of the gains cancels out, so unlike gP it needs no
//! `max`.
//!
//! # References
//! Kekäläinen and Järvelin 2002.

use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::Cutoff;
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::common::depth;

/// Generalised recall.
#[derive(Clone, Debug)]
pub(super) struct GenRecall {
    gains: Gains,
    cutoff: Option<Cutoff>,
}

impl Measure for GenRecall {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let (mut found, mut total) = (0.0, 0.0);
        for hit in topic.hits_at(depth(self.cutoff)) {
            found += self.gains.of_label(hit.label).max(0.0);
        }
        for step in self.gains.ideal(topic.base()).iter() {
            total += step.grade * f64::from(step.count);
        }
        (total > 0.0).then(|| found / total)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(self.gains.of_label(label))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "gR",
    aliases: &["generalized_recall", "generalised_recall"],
    summary: "generalised recall: fraction of the topic's relevance found among the first k, by grade",
    page: crate::page::page!("gen_recall.rs"),
    params: &[Gains::PARAM],
    references: &[
        "J. Kekäläinen and K. Järvelin: Using graded relevance assessments in IR evaluation. JASIST 53(13), 2002",
    ],
    build: |params| {
        Ok(Computation::ranked(GenRecall {
            gains: params.gains("gains").clone(),
            cutoff: params.cutoff(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[3, 0, 1], &[3, 1, 0, 2]);
        check("gR@2", ranking, judged, 0.5);
        check("gR", ranking, judged, 4.0 / 6.0);
    }

    #[test]
    fn binary_grades_give_recall() {
        check("gR@5", &[1, 0, 1], &[1, 1, 1, 0], 2.0 / 3.0);
        check("gR(gains='binary')@1", &[3, 1], &[3, 1], 0.5);
    }

    #[test]
    fn edges() {
        check("gR", &[], &[1], 0.0);
        check("gR@5", &[-1, -3], &[1, -3], 0.0);
        undefined("gR@5", &[0], &[0]);
    }
}
