//! # What it measures
//! The fraction of the first k documents that are unjudged.
//!
//! # User model
//! None: a diagnostic of the judgements or the run.
//!
//! # Formula
//! ```math
//! \mathrm{Unjudged@}k = \frac{\min(k, n) - J_k}{k}
//! ```
//! Unjudged@k = (number of documents among the first k that were not judged) / k. A ranking shorter than k is
//! still divided by k.
//!
//! # Worked example
//! Ranking: relevant, unjudged, non-relevant: Unjudged@2 = 1/2, Unjudged@5 = 1/5.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! Same as `unj` in `trec_eval` 10; documents that were pooled but not judged count as unjudged. Judged@k
//! divides by the length of a short ranking instead, so the two do not always add up to 1.
//!
//! # References
//! trec_eval.

use cranfield_core::measure::{Computation, Direction, Measure, MeasureInfo};
use cranfield_core::params::CutoffRule;
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

/// Fraction of unjudged documents at a cutoff.
#[derive(Clone, Debug)]
pub(super) struct Unjudged {
    cutoff: usize,
}

impl Measure for Unjudged {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let unjudged = topic.retrieved().min(self.cutoff) - topic.judged_at(self.cutoff);
        Some(unjudged as f64 / self.cutoff as f64)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(f64::from(u8::from(matches!(label, Label::Judged(_)))))
    }

    fn grows_with_merit(&self) -> bool {
        true
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "Unjudged",
    aliases: &["unj"],
    summary: "fraction of the first k documents that are unjudged",
    page: crate::page::page!("unjudged.rs"),
    cutoff: CutoffRule::Required,
    direction: Direction::LowerIsBetter,
    references: &[
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
    ],
    build: |params| {
        Ok(Computation::ranked(Unjudged {
            cutoff: params.required_cutoff(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, prints};

    #[test]
    fn worked_example() {
        check("Unjudged@2", &[1, -1, 0], &[1, 0], 1.0 / 2.0);
        check("Unjudged@5", &[1, -1, 0], &[1, 0], 1.0 / 5.0);
    }

    #[test]
    fn edges() {
        prints("unj_3", &[-2, 1, -2, -1], &[1, 1], "0.6667");
        check("Unjudged@5", &[], &[1], 0.0);
        check("Unjudged@1", &[-1, -1], &[], 1.0);
    }
}
