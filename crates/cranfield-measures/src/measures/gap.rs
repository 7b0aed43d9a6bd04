//! # What it measures
//! Graded average precision: average precision for users who differ in the lowest grade they consider relevant.
//! Each pair of relevant documents counts with the probability that a user considers both relevant.
//!
//! # User model
//! A population of AP users who differ in the lowest grade they consider relevant.
//!
//! # Formula
//! ```math
//! \mathrm{GAP@}k = \frac{1}{\sum A} \sum_{n \le k,\ \mathrm{rel}} \frac{1}{n} \sum_{m \le n,\ \mathrm{rel}} \min(A_m, A_n)
//! ```
//! GAP@k = Σ over relevant ranks n ≤ k of (1 / n) · Σ over relevant ranks m ≤ n of min(A(m), A(n)), divided by
//! the sum of A over all relevant documents in the qrels. A of a document is its gain, which is proportional to
//! the probability that a user's threshold is at or below its grade. So `gains='grade'` makes all thresholds
//! from 1 to the highest grade equally likely, and `gains='0,1,4'` makes threshold 2 three times as likely as
//! threshold 1. A document is relevant if its gain is positive. Gains should not decrease with the grade.
//!
//! # Worked example
//! Grades 1, 0, 2, judged 2, 1, 0: GAP = (1/1 + (1 + 2)/3) / (2 + 1) = 0.666667, GAP@2 = 1/3.
//!
//! # Undefined when
//! No judged document has a positive gain, or a sum of gains overflows.
//!
//! # Differences between tools
//! The paper writes threshold probabilities g(1), g(2), …, whose sums are the gains here. With `gains='binary'`
//! GAP is AP. NTCIREVAL computes it with the option `-gap`.
//!
//! # References
//! Robertson, Kanoulas and Yilmaz 2010.

use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::Cutoff;
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::common::{depth, quotient};
use super::gain_model::GainModel;

/// Graded average precision.
#[derive(Clone, Debug)]
pub(super) struct Gap {
    gains: GainModel,
    cutoff: Option<Cutoff>,
}

impl Measure for Gap {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let (gains, depth) = (self.gains.read(topic), depth(self.cutoff));
        let within = gains
            .relevant()
            .take_while(|(rank, _)| *rank as usize <= depth);
        let found: Vec<_> = within.collect();
        let mut above = Above::new(found.iter().map(|(_, gain)| *gain).collect());
        let mut sum = 0.0;
        for (rank, gain) in found {
            above.add(gain);
            sum += above.sum_of_least(gain) / f64::from(rank);
        }
        quotient(sum, gains.ideal_gains().sum())
    }

    fn merit(&self, label: Label) -> Option<f64> {
        self.gains.merit(label)
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        let order = topic.order();
        let gains = self.gains.read(&order);
        let gain = |label: Label| gains.gain(label).max(0.0);
        let least = |one: Label, other: Label| gain(one).min(gain(other));
        let weight = |rank: u32| 1.0 / f64::from(rank);
        let sum = topic.pairs(gain, least, weight, depth(self.cutoff))?;
        quotient(sum, gains.ideal_gains().sum())
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "GAP",
    aliases: &["graded_average_precision"],
    summary: "average precision over users' relevance thresholds (GAP)",
    page: crate::page::page!("gap.rs"),
    params: &[Gains::PARAM],
    references: &[
        "S. Robertson, E. Kanoulas and E. Yilmaz: Extending average precision to graded relevance judgments. SIGIR 2010. doi:10.1145/1835449.1835550",
    ],
    build: |params| {
        Ok(Computation::ranked(Gap {
            gains: GainModel::by_gain(params),
            cutoff: params.cutoff(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

/// The gains found so far, as a binary indexed tree over all gains in ascending order: updates and sums take
/// logarithmic time.
#[derive(Debug)]
struct Above {
    /// The distinct gains to be added, in ascending order.
    known: Vec<f64>,
    /// Number and sum of gains, by node of the tree.
    nodes: Vec<(f64, f64)>,
    count: f64,
}

impl Above {
    fn new(mut known: Vec<f64>) -> Self {
        known.sort_unstable_by(f64::total_cmp);
        known.dedup();
        Self {
            nodes: vec![(0.0, 0.0); known.len() + 1],
            known,
            count: 0.0,
        }
    }

    /// Number of known gains up to and including this one: the index of its node.
    fn place(&self, gain: f64) -> usize {
        self.known.partition_point(|known| *known <= gain)
    }

    fn add(&mut self, gain: f64) {
        self.count += 1.0;
        let mut node = self.place(gain);
        while let Some((count, sum)) = self.nodes.get_mut(node) {
            *count += 1.0;
            *sum += gain;
            node += node & node.wrapping_neg();
        }
    }

    /// Sum of min(other, gain) over the gains found.
    fn sum_of_least(&self, gain: f64) -> f64 {
        let (mut count, mut sum) = (0.0, 0.0);
        let mut node = self.place(gain);
        while node > 0 {
            count += self.nodes[node].0;
            sum += self.nodes[node].1;
            node &= node - 1;
        }
        sum + (self.count - count) * gain
    }
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        check("GAP", &[1, 0, 2], &[2, 1, 0], (1.0 + 3.0 / 3.0) / 3.0);
        check("GAP@2", &[1, 0, 2], &[2, 1, 0], 1.0 / 3.0);
        check(
            "GAP(gains='0,1,4')",
            &[1, 0, 2],
            &[2, 1],
            (1.0 + 5.0 / 3.0) / 5.0,
        );
    }

    #[test]
    fn every_pair_counts_by_the_smaller_gain() {
        // Pairs at ranks 1 to 5: 2; 2 + 3; 1 three times; 2, 3, 1, 3; 2, 3, 1, 3, 4.
        let sum = 2.0 + 5.0 / 2.0 + 3.0 / 3.0 + 9.0 / 4.0 + 13.0 / 5.0;
        check("GAP", &[2, 3, 1, 3, 4], &[4, 3, 3, 2, 1, 1], sum / 14.0);
    }

    #[test]
    fn binary_gains_give_average_precision() {
        let value = (1.0 + 2.0 / 3.0) / 3.0;
        check("GAP(gains='binary')", &[2, 0, 1], &[2, 1, 3, 0], value);
    }

    #[test]
    fn edges() {
        check("GAP", &[], &[1], 0.0);
        check("GAP@100", &[-1, 1], &[1], 0.5);
        undefined("GAP", &[0, -2], &[0]);
        undefined("GAP@5", &[], &[]);
        undefined("GAP(gains='exp')", &[1], &[5000, 5000]);
    }
}
