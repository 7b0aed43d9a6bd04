//! # What it measures
//! Average precision: the mean, over all relevant documents of the topic, of the precision at the rank where
//! each is found. A document that is not found contributes 0. Its user stops at a relevant document, each
//! with equal probability.
//!
//! # User model
//! Reads from the top and stops at a relevant document, at each of the topic's relevant documents with the same
//! probability, found or not; what counts is the precision of what was read by then.
//!
//! # Formula
//! ```math
//! \mathrm{AP@}k = \frac{1}{R} \sum_{i \le k,\ \mathrm{rel}} \frac{H_i}{i}
//! ```
//! AP@k = (1 / R) · Σ over relevant ranks i ≤ k of H(i) / i, where H(i) is the number of relevant documents
//! among the first i, and R the number of relevant documents in the qrels. Without `@k` the whole ranking
//! counts. With `denominator='min(R,k)'` the sum is divided by k where k is less than R, so that a ranking of k
//! relevant documents has 1.
//!
//! # Worked example
//! Relevant, not, relevant; three relevant documents in the qrels: AP = (1/1 + 2/3) / 3 = 0.555556, AP@2 =
//! (1/1) / 3 = 0.333333, `AP(denominator='min(R,k)')@2` = (1/1) / 2 = 0.5.
//!
//! # Undefined when
//! The topic has no relevant document.
//!
//! # Differences between tools
//! With a cutoff, `trec_eval` (`map_cut`), `ir_measures` and ranx divide by R as here; NTCIREVAL divides by
//! min(R, k), which is `denominator='min(R,k)'`.
//!
//! # References
//! Harman 1992; Buckley and Voorhees 2005.

use std::sync::Arc;

use super::boards::precision_board;
use super::common::{depth, expected_precision_sum, precision_sum};
use crate::error::Error;
use crate::explain::Board;
use crate::measure::{Aggregate, Computation, Direction, Measure, MeasureInfo, Range};
use crate::params::{Cutoff, CutoffRule, ParamInfo, ParamKind, Params};
use crate::tied::TiedRanking;
use crate::topic::{JudgedRanking, Label};

/// Average precision.
#[derive(Clone, Debug)]
pub(super) struct Ap {
    level: f64,
    denominator: Denominator,
    cutoff: Option<Cutoff>,
}

impl Measure for Ap {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        let sum = precision_sum(&relevant, self.cutoff);
        (relevant.total > 0).then(|| sum / self.most(relevant.total) as f64)
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let relevant = topic.relevant(self.level);
        precision_board(&relevant, self.cutoff, self.most(relevant.total))
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.level))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        let sum = expected_precision_sum(topic, self.level, self.cutoff)?;
        Some(sum / self.most(topic.order().base().relevant(self.level)) as f64)
    }
}

impl Ap {
    /// What the sum is divided by.
    fn most(&self, relevant: usize) -> usize {
        match self.denominator {
            Denominator::Relevant => relevant,
            Denominator::Reachable => relevant.min(depth(self.cutoff)),
        }
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "AP",
    aliases: &["map", "average_precision"],
    summary: "average precision",
    source: include_str!("ap.rs"),
    params: &[ParamInfo::LEVEL, DENOMINATOR],
    cutoff: CutoffRule::Optional,
    range: Range::UNIT,
    aggregate: Aggregate::Mean,
    direction: Direction::HigherIsBetter,
    references: &[
        "D. Harman: Evaluation issues in information retrieval. Information Processing and Management 28(4), 1992. doi:10.1016/0306-4573(92)90001-G",
        "C. Buckley and E. Voorhees: Retrieval system evaluation. In: TREC: Experiment and Evaluation in Information Retrieval, MIT Press, 2005",
    ],
    build,
};

/// What the sum is divided by.
#[derive(Clone, Copy, Debug)]
enum Denominator {
    /// The relevant documents in the qrels.
    Relevant,
    /// As many of them as the cutoff has room for.
    Reachable,
}

const DENOMINATOR: ParamInfo = ParamInfo {
    name: "denominator",
    kind: ParamKind::Word(&["R", "min(R,k)"]),
    default: "R",
    help: "what the sum is divided by at a cutoff: R, or k where k is less than R (NTCIREVAL)",
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(Computation::Ranked(Arc::new(Ap {
        level: params.level(),
        denominator: match params.word("denominator") {
            "min(R,k)" => Denominator::Reachable,
            _ => Denominator::Relevant,
        },
        cutoff: params.cutoff(),
    })))
}

/// Average precision of the whole ranking, by the relevant documents in the qrels.
pub(super) fn of_whole_ranking(params: &Params) -> Computation {
    Computation::Ranked(Arc::new(Ap {
        level: params.level(),
        denominator: Denominator::Relevant,
        cutoff: None,
    }))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        check(
            "AP",
            &[1, 0, 1],
            &[1, 1, 1, 0],
            (1.0 / 1.0 + 2.0 / 3.0) / 3.0,
        );
        check("AP@2", &[1, 0, 1], &[1, 1, 1, 0], 1.0 / 3.0);
        let reachable = "AP(denominator='min(R,k)')";
        check(&format!("{reachable}@2"), &[1, 0, 1], &[1, 1, 1, 0], 0.5);
        let all = (1.0 / 1.0 + 2.0 / 3.0) / 3.0;
        check(reachable, &[1, 0, 1], &[1, 1, 1, 0], all);
        check(
            "AP(rel=2)",
            &[1, 2, 2],
            &[2, 2, 1, 0],
            (1.0 / 2.0 + 2.0 / 3.0) / 2.0,
        );
    }

    #[test]
    fn edges() {
        check("AP", &[], &[1], 0.0);
        check("AP@100", &[0, 1], &[1, 0], 0.5);
        undefined("AP", &[0, 0], &[0, 0]);
        undefined("AP", &[], &[]);
    }
}
