//! # What it measures
//! Graded G: gains are discounted by how far the ranking has fallen behind the ideal one, not by rank. A
//! document loses nothing as long as the ranking above it is ideal.
//!
//! # User model
//! Reads from the top; gains lose value only as the ranking falls behind the best possible one.
//!
//! # Formula
//! ```math
//! \mathrm{G} = \frac{1}{\sum_j g^*_j} \sum_i \frac{g_i}{\log_2\left(2 + \sum_{j \le i} \max(g^*_j, 1) - \sum_{j \le i} g_j\right)}
//! ```
//! G = Σ over ranks i of gain(i) / log2(2 + C(i) − A(i)), divided by the sum of all positive gains of the
//! qrels. A(i) is the gain retrieved up to rank i, and C(i) = Σ over j ≤ i of max(g*(j), 1), where g*(1) ≥
//! g*(2) ≥ … are the gains of the ideal ranking, and 0 beyond its end.
//!
//! # Worked example
//! Grades 0, 2, 1 in rank order, judged 2, 1, 0: C = 2, 3, 4 and A = 0, 2, 3, so G = (2/log2(3) + 1/log2(3)) /
//! 3 = 0.630930.
//!
//! # Undefined when
//! No judged document has a positive gain.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as an experimental measure. For grades 0 and 1 it equals binG.
//!
//! # References
//! trec_eval.

use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::CutoffRule;
use cranfield_core::topic::log2;
use cranfield_core::topic::{GradeCount, JudgedRanking};

use super::common::is_whole;
use super::gain_model::{GainModel, Ideal};

/// Graded G.
#[derive(Clone, Debug)]
pub(super) struct G {
    gains: GainModel,
}

impl Measure for G {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let gains = self.gains.read(topic);
        let mut pace = Pace {
            ideal: gains.ideal_steps(),
            passed: 0,
            rank: 0,
            cost: 0.0,
        };
        let (mut result, mut gained) = (0.0, 0.0);
        for (rank, gain) in gains.documents() {
            gained += gain;
            result += gain / log2(2.0 + pace.cost_at(rank) - gained);
        }
        let mut ideal = 0.0;
        for step in gains.ideal_steps() {
            (0..step.count).for_each(|_| ideal += step.grade);
        }
        (ideal > 0.0).then(|| result / ideal)
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "G",
    aliases: &["graded_g"],
    summary: "graded G: gains discounted by the distance to the ideal ranking",
    page: crate::page::page!("g.rs"),
    params: &[Gains::PARAM, Ideal::PARAM],
    cutoff: CutoffRule::None,
    references: &[
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
    ],
    build: |params| {
        Ok(Computation::ranked(G {
            gains: GainModel::of(params),
        }))
    },
    ..MeasureInfo::DEFAULT
};

/// C(i) of the formula, for ascending ranks.
struct Pace<'a> {
    /// The rest of the ideal ranking.
    ideal: &'a [GradeCount],
    /// Documents of its first step that were already passed.
    passed: u32,
    rank: u32,
    cost: f64,
}

impl Pace<'_> {
    fn cost_at(&mut self, rank: u32) -> f64 {
        while self.rank < rank
            && let Some((step, rest)) = self.ideal.split_first()
        {
            let ranks = (rank - self.rank).min(step.count - self.passed);
            (0..ranks).for_each(|_| self.cost += step.grade.max(1.0));
            self.rank += ranks;
            self.passed += ranks;
            if self.passed == step.count {
                (self.ideal, self.passed) = (rest, 0);
            }
        }
        self.pass_ones(rank - self.rank);
        self.rank = rank;
        self.cost
    }

    /// Adds 1 for each rank beyond the ideal ranking, in one addition where the result is identical.
    fn pass_ones(&mut self, ranks: u32) {
        if is_whole(self.cost) {
            self.cost += f64::from(ranks);
            return;
        }
        for _ in 0..ranks {
            self.cost += 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, prints, undefined};

    #[test]
    fn worked_example() {
        let log = 3f64.log2();
        check("G", &[0, 2, 1], &[2, 1, 0], (2.0 / log + 1.0 / log) / 3.0);
        prints("G", &[0, 2, 1], &[2, 1, 0], "0.6309");
    }

    #[test]
    fn edges() {
        check("G", &[], &[1], 0.0);
        check("G", &[2, 1], &[2, 1], 1.0);
        check("G", &[-1, -1, 1], &[1], 1.0 / 4f64.log2());
        undefined("G", &[0], &[0]);
        undefined("G.1=0.5", &[1], &[1, 0]);
    }

    #[test]
    fn gains_below_one_cost_one() {
        check(
            "G(gains='0,0.5')",
            &[1, -1],
            &[1, 1],
            0.5 / (2.0f64 + 1.0 - 0.5).log2() / 1.0,
        );
        check(
            "G(gains='0,1.5')",
            &[-1, -1, 1],
            &[1],
            1.5 / (2.0f64 + 3.5 - 1.5).log2() / 1.5,
        );
    }
}
