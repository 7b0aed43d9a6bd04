//! # What it measures
//! Discounted cumulative gain: the sum of the gains of the documents retrieved, each divided by the logarithm
//! of its rank. Not comparable between topics; nDCG is.
//!
//! # Formula
//! DCG@k = Σ over ranks i ≤ k of gain(i) / log2(i + 1). Without `@k` the whole ranking counts.
//!
//! # Worked example
//! Grades 3, 0, 2 in rank order: DCG = 3/1 + 0 + 2/2 = 4, DCG@2 = 3/1 = 3.
//!
//! # Undefined when
//! Never: a ranking without gains has 0.
//!
//! # Differences between tools
//! This is `trec_eval` 10's `dcg` and ranx's `dcg`. Järvelin and Kekäläinen's first paper leaves rank 1 and 2
//! undiscounted, and Burges et al. gain 2^grade − 1, which is `gains='0,1,3,7,15'`.
//!
//! # References
//! Järvelin and Kekäläinen 2002.

use std::sync::Arc;

use super::common::{dcg, depth};
use super::gain_model::{GainModel, Ideal};
use crate::error::Error;
use crate::gains::Gains;
use crate::measure::{Aggregate, Computation, Direction, Measure, MeasureInfo, Range};
use crate::params::{Cutoff, CutoffRule, Params};
use crate::topic::JudgedRanking;

/// Discounted cumulative gain.
#[derive(Clone, Debug)]
pub(super) struct Dcg {
    gains: GainModel,
    cutoff: Option<Cutoff>,
}

impl Measure for Dcg {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        Some(dcg(&self.gains.read(topic), depth(self.cutoff)))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "DCG",
    aliases: &[],
    summary: "discounted cumulative gain",
    source: include_str!("dcg.rs"),
    params: &[Gains::PARAM, Ideal::PARAM],
    cutoff: CutoffRule::Optional,
    range: Range::COUNT,
    aggregate: Aggregate::Mean,
    direction: Direction::HigherIsBetter,
    references: &[
        "K. Järvelin and J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002. doi:10.1145/582415.582418",
    ],
    build,
};

fn build(params: &Params) -> Result<Computation, Error> {
    let measure = Dcg {
        gains: GainModel::of(params),
        cutoff: params.cutoff(),
    };
    Ok(Computation::Ranked(Arc::new(measure)))
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
