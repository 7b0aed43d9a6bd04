//! # What it measures
//! Relative relevance: the cosine similarity of the relevance that the system assigns to the retrieved
//! documents and their grades. It measures agreement between two kinds of relevance rather than performance.
//!
//! # User model
//! None: an agreement between system and assessors.
//!
//! # Formula
//! ```math
//! \mathrm{RelativeRelevance@}k = \frac{\sum_{i \le k} s_i\, g_i}{\sqrt{\sum_{i \le k} s_i^2 \cdot \sum_{i \le k} g_i^2}}
//! ```
//! RelativeRelevance@k = Σ s(i) · g(i) / √(Σ s(i)² · Σ g(i)²) over the first k documents retrieved, with gain
//! g(i) of the document at rank i. The system's relevance s(i) is 1 for every document retrieved, or 1/i with
//! `system='reciprocal'`. Gains below zero count as 0. It is 0 if documents with a gain exist but none was
//! retrieved.
//!
//! # Worked example
//! Grades 2, 0, 1 in rank order: RelativeRelevance = 3 / √(3 · 5) = 0.774597. With
//! `system='reciprocal'`: (2 + 1/3) / √((1 + 1/4 + 1/9) · 5) = 0.894427.
//!
//! # Undefined when
//! No judged document has a positive gain.
//!
//! # Differences between tools
//! No common tool computes it. Borlund and Ingwersen compare relevance judged by different people and by the
//! system, first with the Jaccard coefficient and later with the cosine. With system scores as relevance the
//! value would depend on their scale; measures here do not see scores, so only the ranking is used.
//!
//! # References
//! Borlund and Ingwersen 1998; Järvelin and Kekäläinen 2002.

use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{Cutoff, ParamInfo, ParamKind};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::common::depth;

/// Relative relevance.
#[derive(Clone, Debug)]
pub(super) struct RelativeRelevance {
    gains: Gains,
    reciprocal: bool,
    cutoff: Option<Cutoff>,
}

impl Measure for RelativeRelevance {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let depth = depth(self.cutoff);
        let (mut product, mut squares) = (0.0, 0.0);
        for hit in topic.hits_at(depth) {
            let gain = self.gains.of_label(hit.label).max(0.0);
            product += self.claimed(hit.rank) * gain;
            squares += gain * gain;
        }
        let exists = !self.gains.ideal(topic.base()).is_empty();
        let claimed = self.claimed_squares(topic.retrieved().min(depth));
        let cosine = if squares > 0.0 {
            product / (claimed * squares).sqrt()
        } else {
            0.0
        };
        exists.then_some(cosine)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        self.cutoff
            .is_none()
            .then(|| self.gains.of_label(label).max(0.0))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        let additive = || topic.additive(|order| self.evaluate(order));
        self.cutoff.is_none().then(additive)?
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "RelativeRelevance",
    aliases: &["relative_relevance"],
    summary: "relative relevance: cosine between the system's relevance and the grades",
    page: crate::page::page!("relative_relevance.rs"),
    params: &[SYSTEM, Gains::PARAM],
    references: &[
        "P. Borlund and P. Ingwersen: Measures of relative relevance and ranked half-life: performance indicators for interactive IR. SIGIR 1998",
        "K. Järvelin and J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002. doi:10.1145/582415.582418",
    ],
    build: |params| {
        Ok(Computation::ranked(RelativeRelevance {
            gains: params.gains("gains").clone(),
            reciprocal: params.word("system") == "reciprocal",
            cutoff: params.cutoff(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

impl RelativeRelevance {
    /// The relevance that the system assigns to the document at a rank.
    fn claimed(&self, rank: u32) -> f64 {
        if self.reciprocal {
            1.0 / f64::from(rank)
        } else {
            1.0
        }
    }

    /// The sum of squares of the system's relevance over this many documents.
    fn claimed_squares(&self, documents: usize) -> f64 {
        if !self.reciprocal {
            return documents as f64;
        }
        let mut sum = 0.0;
        for rank in 1..=documents as u32 {
            sum += self.claimed(rank) * self.claimed(rank);
        }
        sum
    }
}

const SYSTEM: ParamInfo = ParamInfo {
    name: "system",
    kind: ParamKind::Word(&["binary", "reciprocal"]),
    default: "binary",
    help: "relevance assigned by the system: 1 for every document retrieved, or 1 / rank",
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, prints, undefined};

    #[test]
    fn worked_example() {
        check(
            "RelativeRelevance",
            &[2, 0, 1],
            &[2, 1, 0],
            3.0 / 15f64.sqrt(),
        );
        prints(
            "RelativeRelevance(system='reciprocal')",
            &[2, 0, 1],
            &[2, 1, 0],
            "0.8944",
        );
        check("RelativeRelevance@1", &[2, 0, 1], &[2, 1, 0], 1.0);
    }

    #[test]
    fn edges() {
        check("RelativeRelevance", &[], &[1], 0.0);
        check("RelativeRelevance", &[-1, 0, -3], &[1, 0, -3], 0.0);
        check("RelativeRelevance", &[2, -1, -1, -1], &[2], 0.5);
        check(
            "RelativeRelevance(gains='1=-5')",
            &[1, 2],
            &[1, 2],
            2.0 / (2.0f64 * 4.0).sqrt(),
        );
        undefined("RelativeRelevance", &[0], &[0]);
    }
}
