//! # What it measures
//! The number of documents retrieved for the topic, after the depth limit and the unjudged policy were applied.
//!
//! # User model
//! None: a count.
//!
//! # Formula
//! ```math
//! \mathrm{NumRet} = \sum_{t} n_t
//! ```
//! n, the length of the ranking. The run's value is the sum over topics.
//!
//! # Worked example
//! Ranking: relevant, unjudged, non-relevant: NumRet = 3.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! `trec_eval` prints it as `num_ret`. In `ir_measures`, `NumRet(rel=1)` counts relevant documents only, which
//! is NumRelRet.
//!
//! # References
//! trec_eval.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::Params;
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::counts::COUNT;

/// Number of documents retrieved.
#[derive(Clone, Debug)]
pub(super) struct NumRet;

impl Measure for NumRet {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        Some(topic.retrieved() as f64)
    }

    fn merit(&self, _label: Label) -> Option<f64> {
        Some(0.0)
    }

    fn grows_with_merit(&self) -> bool {
        true
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "NumRet",
    aliases: &["num_ret"],
    summary: "number of documents retrieved",
    page: crate::page::page!("num_ret.rs"),
    params: &[],
    build,
    ..COUNT
};

fn build(_params: &Params) -> Result<Computation, Error> {
    Ok(Computation::ranked(NumRet))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check("NumRet", &[1, -1, 0], &[1, 0], 3.0);
    }

    #[test]
    fn edges() {
        check("NumRet", &[], &[1], 0.0);
        check("NumRet", &[-1], &[], 1.0);
    }
}
