//! # What it measures
//! Discounted cumulative gain: the sum of the gains of the documents retrieved, each discounted by the
//! logarithm of its rank. Values are not comparable across topics; use nDCG for that.
//!
//! # User model
//! Reads from the top and values documents by grade, with a weight that falls logarithmically with rank.
//!
//! # Formula
//! ```math
//! \mathrm{DCG@}k = \sum_{i \le k} \frac{g_i}{\log_2(i + 1)}
//! ```
//! DCG@k = Σ over ranks i ≤ k of gain(i) / d(i), d(i) = log2(i + 1). Without `@k` the whole ranking counts.
//! With `discount='jk'` d(i) is 1 before rank b and log_b(i) from rank b on, where b is `base`; with 'zipf' it
//! is i, with 'none' 1 (CG).
//!
//! # Worked example
//! Grades 3, 0, 2 in rank order: DCG = 3/1 + 0 + 2/2 = 4, DCG@2 = 3/1 = 3. `DCG(discount='jk')` = 3 + 0 +
//! 2/log2(3) = 4.261860, `DCG(discount='zipf')` = 3 + 2/3 = 3.666667, `DCG(gains='exp')` = 7 + 3/2 = 8.5.
//!
//! # Undefined when
//! Never: a ranking without gains scores 0.
//!
//! # Differences between tools
//! Same as `dcg` in `trec_eval` 10 and ranx. Järvelin and Kekäläinen's original discount, which leaves ranks 1
//! and 2 undiscounted, is `discount='jk'`. Burges et al. use the gain 2^grade − 1, which is `gains='exp'` and
//! ranx's `dcg_burges`. `ideal` has an effect only as 'trec_eval', which can assign a gain to unjudged
//! documents.
//!
//! # References
//! Järvelin and Kekäläinen 2002; Burges et al. 2005.

use cranfield_core::error::Error;
use cranfield_core::explain::Board;
use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, Measure, MeasureInfo, Range};
use cranfield_core::params::{Cutoff, Params};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::boards::{self, GainNames, gain_board, normalised_gain_board};
use super::common::{dcg, depth, ideal_dcg, quotient};
use super::discount::Discount;
use super::gain_model::{GainModel, Ideal};

/// A measure of the cumulated gain family, with the parameters `gains` and, where declared, `ideal` and
/// `discount`.
#[derive(Clone, Debug)]
pub(super) struct CumulatedGain {
    gains: GainModel,
    discount: Discount,
    cutoff: Option<Cutoff>,
    part: Part,
    names: GainNames,
}

/// The value of a [`CumulatedGain`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The sum of the ranking.
    Ranking,
    /// The sum of the ideal ranking.
    Ideal,
    /// The sum of the ranking divided by that of the ideal ranking.
    Normalised,
}

impl Measure for CumulatedGain {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let (depth, discount) = (depth(self.cutoff), self.discount);
        if let Some(sums) = self.gains.shared_dcg(topic, discount) {
            return self.value(|| sums.dcg(depth), || sums.ideal(depth));
        }
        let gains = self.gains.read(topic);
        self.value(
            || dcg(&gains, depth, discount),
            || ideal_dcg(&gains, depth, discount),
        )
    }

    fn shares_dcg(&self) -> bool {
        self.gains.shares_dcg(self.discount)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        self.gains.merit(label)
    }

    fn grows_with_merit(&self) -> bool {
        self.part == Part::Ranking
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let (gains, depth) = (self.gains.read(topic), depth(self.cutoff));
        match self.part {
            Part::Ranking => gain_board(&gains, depth, self.discount, self.names),
            Part::Ideal => None,
            Part::Normalised => normalised_gain_board(&gains, depth, self.discount, self.names),
        }
    }
}

impl CumulatedGain {
    /// Builds the measure from its parameters.
    pub(super) fn build(params: &Params, part: Part, names: GainNames) -> Computation {
        let gains = match params.value("ideal") {
            Some(_) => GainModel::of(params),
            None => GainModel::by_gain(params),
        };
        let discount = match params.value("discount") {
            Some(_) => Discount::of(params),
            None => Discount::None,
        };
        Computation::ranked(Self {
            gains,
            discount,
            cutoff: params.cutoff(),
            part,
            names,
        })
    }

    fn value(&self, sum: impl Fn() -> f64, ideal: impl Fn() -> f64) -> Option<f64> {
        match self.part {
            Part::Ranking => Some(sum()),
            Part::Ideal => Some(ideal()),
            Part::Normalised => quotient(sum(), ideal()),
        }
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "DCG",
    summary: "discounted cumulative gain",
    page: crate::page::page!("dcg.rs"),
    params: &[Gains::PARAM, Ideal::PARAM, Discount::PARAM, Discount::BASE],
    range: Range::COUNT,
    references: &[
        "K. Järvelin and J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002. doi:10.1145/582415.582418",
        "C. Burges et al.: Learning to rank using gradient descent. ICML 2005. doi:10.1145/1102351.1102363",
    ],
    build,
    ..MeasureInfo::DEFAULT
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(CumulatedGain::build(params, Part::Ranking, boards::DCG))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check("DCG", &[3, 0, 2], &[3, 2, 1, 0], 3.0 / 1.0 + 2.0 / 2.0);
        check("DCG@2", &[3, 0, 2], &[3, 2, 1, 0], 3.0);
        check(
            "DCG(gains='0,1,3,7')",
            &[3, 0, 2],
            &[3, 2, 1, 0],
            7.0 + 3.0 / 2.0,
        );
        check("DCG(gains='exp')", &[3, 0, 2], &[3, 2], 7.0 + 3.0 / 2.0);
        check(
            "DCG(discount='jk')",
            &[3, 0, 2],
            &[3, 2],
            3.0 + 2.0 / 3f64.log2(),
        );
        check("DCG(discount='zipf')", &[3, 0, 2], &[3, 2], 3.0 + 2.0 / 3.0);
    }

    #[test]
    fn edges() {
        check("DCG", &[], &[1], 0.0);
        check("DCG", &[-1, -2, 0], &[0], 0.0);
        check("DCG(gains='1=-2')", &[1], &[1], -2.0);
        check(
            "dcg.-1=4",
            &[1, -1, -1],
            &[1],
            1.0 + 4.0 / 3f64.log2() + 4.0 / 2.0,
        );
    }
}
