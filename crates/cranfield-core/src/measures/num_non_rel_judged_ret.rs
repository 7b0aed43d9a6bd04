//! # What it measures
//! The number of retrieved documents that were judged and are not relevant. Beside NumRelRet it shows how much
//! of a ranking was judged at all.
//!
//! # User model
//! None: a count, which says nothing of how anybody reads.
//!
//! # Formula
//! ```math
//! \mathrm{NumNonRelJudgedRet} = J_n - H_n
//! ```
//! J(n) − H(n): judged documents retrieved, less the relevant ones. The run's value is the sum over topics.
//!
//! # Worked example
//! Relevant, not relevant, unjudged, not relevant: NumNonRelJudgedRet = 3 − 1 = 2.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! `trec_eval` prints it as `num_nonrel_judged_ret`; there documents with a negative grade count as not judged,
//! as they do here when negative grades mean 'pooled'.
//!
//! # References
//! trec_eval.

use std::sync::Arc;

use crate::error::Error;
use crate::measure::{Aggregate, Computation, Direction, Measure, MeasureInfo, Range};
use crate::params::{CutoffRule, ParamInfo, Params};
use crate::tied::TiedRanking;
use crate::topic::{JudgedRanking, Label};

/// Number of retrieved documents judged not relevant.
#[derive(Clone, Debug)]
pub(super) struct NumNonRelJudgedRet {
    level: f64,
}

impl Measure for NumNonRelJudgedRet {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let judged = topic
            .hits()
            .iter()
            .filter(|hit| matches!(hit.label, Label::Judged(_)))
            .count();
        Some((judged - topic.relevant(self.level).retrieved) as f64)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, _label: Label) -> Option<f64> {
        Some(0.0)
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "NumNonRelJudgedRet",
    aliases: &["num_nonrel_judged_ret"],
    summary: "number of retrieved documents judged not relevant",
    source: include_str!("num_non_rel_judged_ret.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    range: Range::COUNT,
    aggregate: Aggregate::Sum,
    direction: Direction::Neutral,
    references: &[
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
    ],
    build,
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(Computation::Ranked(Arc::new(NumNonRelJudgedRet {
        level: params.level(),
    })))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check("NumNonRelJudgedRet", &[1, 0, -1, 0], &[1, 0, 0], 2.0);
    }

    #[test]
    fn edges() {
        check("NumNonRelJudgedRet", &[], &[1], 0.0);
        check("NumNonRelJudgedRet", &[-2, 1, -2, -1], &[1, 1], 0.0);
        check("NumNonRelJudgedRet(rel=2)", &[1, 2], &[1, 2], 1.0);
        check("NumNonRelJudgedRet(rel=-1)", &[0, -1], &[0], 0.0);
    }
}
