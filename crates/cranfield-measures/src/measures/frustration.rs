//! # What it measures
//! Frustration: the number of judged non-relevant documents among the first k, relative to the maximum
//! possible. Combined with satisfaction it gives SFT.
//!
//! # User model
//! Reads k documents and is frustrated by each judged non-relevant one.
//!
//! # Formula
//! ```math
//! \mathrm{Frustration@}k = \frac{N_k}{\min(k, N_n)}
//! ```
//! Frustration@k = n(k) / min(k, n), where n(k) of the first k documents and n of all retrieved documents are
//! judged non-relevant; 0 if n is 0. Unjudged documents do not count.
//!
//! # Worked example
//! Ranking: non-relevant, relevant, non-relevant, relevant, all judged: Frustration@1 = 1 / 1 = 1,
//! Frustration@2 = 1 / 2 = 0.5, Frustration@4 = 2 / 2 = 1.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! No common tool computes it. Myaeng and Korfhage weight non-relevant documents by their distance from
//! relevance; here each counts 1. Their measure compares orderings of one retrieved set in which every document
//! is judged.
//!
//! # References
//! Myaeng and Korfhage 1990; Korfhage 1997.

use cranfield_core::measure::{Computation, Direction, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{Hit, JudgedRanking, Label};

use super::common::{Within, is_judged_nonrelevant, ratio};

/// Frustration.
#[derive(Clone, Debug)]
pub(super) struct Frustration(Within);

impl Measure for Frustration {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        Some(frustration(topic, self.0.level, self.0.depth))
    }

    fn level(&self) -> Option<f64> {
        Some(self.0.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(-f64::from(u8::from(is_judged_nonrelevant(
            label,
            self.0.level,
        ))))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "Frustration",
    summary: "frustration: judged non-relevant documents among the first k, relative to the maximum possible",
    page: crate::page::page!("frustration.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::Required,
    direction: Direction::LowerIsBetter,
    references: &[
        "S. H. Myaeng and R. R. Korfhage: Integration of user profiles: models and experiments in information retrieval. Information Processing and Management 26(6), 1990",
        "R. R. Korfhage: Information Storage and Retrieval. Wiley, 1997",
    ],
    build: |params| Ok(Computation::ranked(Frustration(Within::of(params)))),
    ..MeasureInfo::DEFAULT
};

/// The fraction of the judged non-relevant documents that are ranked first.
pub(super) fn frustration(topic: &JudgedRanking<'_>, level: f64, cutoff: usize) -> f64 {
    let count = |hits: &[Hit]| {
        let frustrates = |hit: &&Hit| is_judged_nonrelevant(hit.label, level);
        hits.iter().filter(frustrates).count()
    };
    let most = count(topic.hits()).min(cutoff);
    ratio(count(topic.hits_at(cutoff)), most).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[0, 1, 0, 1], &[0, 1, 0, 1]);
        check("Frustration@1", ranking, judged, 1.0);
        check("Frustration@2", ranking, judged, 0.5);
        check("Frustration@4", ranking, judged, 1.0);
    }

    #[test]
    fn edges() {
        check("Frustration@5", &[], &[1], 0.0);
        check("Frustration@5", &[-1, -2, 1], &[1], 0.0);
        check("Frustration(rel=2)@1", &[1, 2, 0], &[0, 1, 2], 1.0);
        check("Frustration@1", &[1, -3], &[1, -3], 0.0);
    }
}
