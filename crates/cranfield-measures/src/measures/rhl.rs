//! # What it measures
//! Ranked half-life: the rank by which half of the ranking's gain is reached, the median of the gain over the
//! ranks. Lower values mean that more of the gain comes early.
//!
//! # User model
//! Asks by which rank half of the ranking's total gain is reached.
//!
//! # Formula
//! ```math
//! \mathrm{RHL} = L + \frac{n / 2 - F}{f}
//! ```
//! RHL = L + (n / 2 − F) / f, where n is the gain of all documents retrieved, the median class is the first
//! rank by which at least n / 2 is reached, f is its document's gain, F the gain above it, and L the rank above
//! it, its lower limit; the interval of a class is 1. Gains below zero count as 0. RHL@k considers the first k
//! documents only.
//!
//! # Worked example
//! Grades 3, 0, 2, 1 in rank order: n = 6, half of it is reached at rank 1, RHL = 0 + (3 − 0) / 3 = 1. Grades
//! 0, 1, 0, 3: n = 4, the median class is rank 4, RHL = 3 + (2 − 1) / 3 = 3.333333.
//!
//! # Undefined when
//! No document retrieved has a positive gain.
//!
//! # Differences between tools
//! No common tool computes it. Here the lower limit of a class is the preceding rank; a histogram with classes
//! centred on the ranks gives values higher by 0.5.
//!
//! # References
//! Borlund and Ingwersen 1998.

use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, Direction, Measure, MeasureInfo, Range};
use cranfield_core::params::Cutoff;
use cranfield_core::topic::{Hit, JudgedRanking, Label};

use super::common::depth;

/// Ranked half-life.
#[derive(Clone, Debug)]
pub(super) struct Rhl {
    gains: Gains,
    cutoff: Option<Cutoff>,
}

impl Measure for Rhl {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let positive = |hit: &Hit| {
            let gain = self.gains.of_label(hit.label);
            (gain > 0.0).then_some((hit.rank, gain))
        };
        let hits = topic.hits_at(depth(self.cutoff));
        let mut total = 0.0;
        for (_, gain) in hits.iter().filter_map(positive) {
            total += gain;
        }
        let mut above = 0.0;
        for (rank, gain) in hits.iter().filter_map(positive) {
            if above + gain >= total / 2.0 {
                return Some(f64::from(rank - 1) + (total / 2.0 - above) / gain);
            }
            above += gain;
        }
        None
    }

    fn merit(&self, label: Label) -> Option<f64> {
        self.cutoff
            .is_none()
            .then(|| self.gains.of_label(label).max(0.0))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "RHL",
    aliases: &["ranked_half_life"],
    summary: "ranked half-life: rank by which half of the gain is reached",
    page: crate::page::page!("rhl.rs"),
    params: &[Gains::PARAM],
    range: Range::COUNT,
    direction: Direction::LowerIsBetter,
    references: &[
        "P. Borlund and P. Ingwersen: Measures of relative relevance and ranked half-life: performance indicators for interactive IR. SIGIR 1998",
    ],
    build: |params| {
        Ok(Computation::ranked(Rhl {
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
        check("RHL", &[3, 0, 2, 1], &[3, 2, 1, 0], 1.0);
        check("RHL", &[0, 1, 0, 3], &[3, 1, 0, 0], 3.0 + 1.0 / 3.0);
    }

    #[test]
    fn edges() {
        check("RHL@2", &[0, 1, 0, 3], &[3, 1, 0, 0], 1.5);
        check("RHL", &[1], &[1], 0.5);
        check("RHL(gains='binary')", &[1, 3], &[1, 3], 1.0);
        check("RHL", &[-1, -3, 2], &[2, -3], 2.5);
        undefined("RHL", &[], &[1]);
        undefined("RHL", &[0, -1], &[0, 1]);
    }
}
