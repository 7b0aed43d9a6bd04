//! # What it measures
//! Binary G: each relevant document is discounted by the number of non-relevant documents above it. Relevant
//! documents above it cost nothing, so the value does not depend on how many relevant documents a topic has.
//!
//! # User model
//! Reads from the top and values each relevant document less the more non-relevant ones came before it.
//!
//! # Formula
//! ```math
//! \mathrm{binG} = \frac{1}{R} \sum_{i\ \mathrm{rel}} \frac{1}{\log_2(2 + i - H_i)}
//! ```
//! binG = (1 / R) · Σ over relevant ranks i of 1 / log2(2 + i − H(i)), where i − H(i) is the number of
//! non-relevant documents above rank i.
//!
//! # Worked example
//! Ranking: non-relevant, relevant, relevant; two relevant documents in the qrels: binG = (1/log2(3) +
//! 1/log2(3)) / 2 = 0.630930.
//!
//! # Undefined when
//! The topic has no relevant document.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as an experimental measure.
//!
//! # References
//! trec_eval.

use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::log2_discount;
use cranfield_core::topic::{JudgedRanking, Label};

/// Binary G.
#[derive(Clone, Debug)]
pub(super) struct BinG {
    level: f64,
}

impl Measure for BinG {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        let mut sum = 0.0;
        for (&rank, found) in relevant.ranks.iter().zip(1u32..) {
            sum += 1.0 / log2_discount(rank + 1 - found);
        }
        (relevant.total > 0).then(|| sum / relevant.total as f64)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.level))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        if self.level <= -1.0 {
            return None;
        }
        let (mut sum, mut found) = (0.0, 0);
        for segment in topic.segments() {
            let relevant = segment.count(|label| label.is_relevant(self.level));
            let (above, others) = (segment.first() - 1 - found, segment.documents() - relevant);
            // Any number of the segment's non-relevant documents is equally likely to be above one of its
            // relevant ones.
            let terms = (0..=others).map(|more| 1.0 / log2_discount(above + more + 1));
            if relevant > 0 {
                sum += f64::from(relevant) * terms.sum::<f64>() / f64::from(others + 1);
            }
            found += relevant;
        }
        Some(sum / topic.order().base().relevant(self.level) as f64)
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "binG",
    summary: "binary G: relevant documents discounted by the non-relevant ones above",
    page: crate::page::page!("bin_g.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    references: &[
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
    ],
    build: |params| {
        Ok(Computation::ranked(BinG {
            level: params.level(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, prints, undefined};

    #[test]
    fn worked_example() {
        let term = 1.0 / 3f64.log2();
        check("binG", &[0, 1, 1], &[1, 1, 0], (term + term) / 2.0);
    }

    #[test]
    fn edges() {
        prints("binG", &[0, 2, 1], &[1, 2, 0], "0.6309");
        check("binG", &[], &[1], 0.0);
        check("binG", &[1, 1], &[1, 1], 1.0);
        check("binG(rel=2)", &[2, 1], &[2, 1], 1.0);
        undefined("binG", &[0], &[0]);
    }
}
