//! # What it measures
//! Average precision: the mean, over all relevant documents of the topic, of the precision at the rank of each.
//! A relevant document that was not retrieved contributes 0.
//!
//! # User model
//! Reads from the top and stops at one of the topic's relevant documents, each equally likely, retrieved or
//! not. The value is the expected precision of the documents read.
//!
//! # Formula
//! ```math
//! \mathrm{AP@}k = \frac{1}{R} \sum_{i \le k,\ \mathrm{rel}} \frac{H_i}{i}
//! ```
//! AP@k = (1 / R) · Σ over relevant ranks i ≤ k of H(i) / i, where H(i) is the number of relevant documents
//! among the first i, and R the number of relevant documents in the qrels. Without `@k` the whole ranking
//! counts. With `denominator='min(R,k)'` the sum is divided by k if k is less than R, so that k relevant
//! documents score 1.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; three relevant documents in the qrels: AP = (1/1 + 2/3) / 3 =
//! 0.555556, AP@2 = (1/1) / 3 = 0.333333, `AP(denominator='min(R,k)')@2` = (1/1) / 2 = 0.5.
//!
//! # Undefined when
//! The topic has no relevant document.
//!
//! # Differences between tools
//! With a cutoff, `trec_eval` (`map_cut`), `ir_measures` and ranx divide by R, as here; NTCIREVAL divides by
//! min(R, k): `denominator='min(R,k)'`.
//!
//! # References
//! Harman 1992; Buckley and Voorhees 2005.

use cranfield_core::explain::Board;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{Cutoff, ParamInfo, ParamKind, Params};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::boards::precision_board;
use super::common::{depth, expected_precision_sum, precision_sum};

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
    /// The divisor of the sum.
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
    page: crate::page::page!("ap.rs"),
    params: &[ParamInfo::LEVEL, DENOMINATOR],
    references: &[
        "D. Harman: Evaluation issues in information retrieval. Information Processing and Management 28(4), 1992. doi:10.1016/0306-4573(92)90001-G",
        "C. Buckley and E. Voorhees: Retrieval system evaluation. In: TREC: Experiment and Evaluation in Information Retrieval, MIT Press, 2005",
    ],
    build: |params| {
        Ok(Computation::ranked(Ap {
            level: params.level(),
            denominator: match params.word("denominator") {
                "min(R,k)" => Denominator::Reachable,
                _ => Denominator::Relevant,
            },
            cutoff: params.cutoff(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

/// The divisor of the sum.
#[derive(Clone, Copy, Debug)]
enum Denominator {
    /// Number of relevant documents in the qrels.
    Relevant,
    /// That number, or the cutoff if it is lower.
    Reachable,
}

const DENOMINATOR: ParamInfo = ParamInfo {
    name: "denominator",
    kind: ParamKind::Word(&["R", "min(R,k)"]),
    default: "R",
    help: "divisor at a cutoff: R, or k if k is less than R (NTCIREVAL)",
};

/// Average precision of the whole ranking, divided by the number of relevant documents in the qrels.
pub(super) fn of_whole_ranking(params: &Params) -> Computation {
    Computation::ranked(Ap {
        level: params.level(),
        denominator: Denominator::Relevant,
        cutoff: None,
    })
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
