//! # What it measures
//! Interpolated precision: the highest precision at any rank where recall is at least x. A series of recall points
//! traces the recall-precision curve.
//!
//! # User model
//! Reads until a fraction x of the relevant documents is found, and further if precision rises again.
//!
//! # Formula
//! ```math
//! \mathrm{IPrec@}x = \max_{i : H_i \ge c} \frac{H_i}{i}, \quad c = \lceil x R \rceil
//! ```
//! IPrec@x = max of H(i) / i over the ranks i with H(i) ≥ c, and 0 if there is none, where H(i) is the number of
//! relevant documents in the first i, R the number of relevant documents in the qrels, and c = ⌈x · R⌉, so that the
//! recall H(i) / R is at least x. With `recall='round'`, c = x · R rounded half away from zero; with
//! `recall='floor(x+0.9)'`, c = ⌊x · R + 0.9⌋. All ranks of the ranking count.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; three relevant documents in the qrels: IPrec@0.3 needs ⌈0.9⌉ = 1
//! document, so it is 1/1; IPrec@0.4 needs ⌈1.2⌉ = 2, so it is 2/3 = 0.666667; IPrec@0.8 needs 3 and is 0. With
//! `recall='round'` IPrec@0.4 needs round(1.2) = 1: 1/1, and IPrec@0.8 needs round(2.4) = 2: 2/3. With
//! `recall='floor(x+0.9)'` IPrec@0.4 needs ⌊2.1⌋ = 2: 2/3.
//!
//! # Undefined when
//! The topic has no relevant document, or the ranking is empty and c is 0.
//!
//! # Differences between tools
//! The default is the definition in textbooks. `trec_eval` 10 (`iprec_at_recall`) uses `recall='round'`; version 9,
//! and so `pytrec_eval` and `ir_measures`, uses `recall='floor(x+0.9)'`. The name `iprec_at_recall` and the profiles
//! of these tools keep their rule. On an empty ranking with c = 0 `trec_eval` prints NaN.
//!
//! # References
//! Salton and McGill 1983; Buckley and Voorhees 2005.

use cranfield_core::explain::{Board, Step};
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::topic::{JudgedRanking, Label};

use super::interpolation::{RecallRule, board};

/// Interpolated precision at a recall point.
#[derive(Clone, Debug)]
pub(super) struct IPrec {
    level: f64,
    point: f64,
    recall: RecallRule,
}

impl Measure for IPrec {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        let needed = self.recall.documents(self.point, relevant.total);
        if relevant.total == 0 || (topic.retrieved() == 0 && needed <= 0.0) {
            return None;
        }
        Some(relevant.highest_precision(needed).unwrap_or(0.0))
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let value = self.evaluate(topic)?;
        let relevant = topic.relevant(self.level);
        let mut board = board(&relevant, &[self.point], self.recall, 1.0)?;
        board.steps.pop();
        let formula = "value at x";
        board
            .steps
            .push(Step::result(formula, "{}", [value], value));
        Some(board)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn reference_undefined(&self, topic: &JudgedRanking<'_>) -> f64 {
        let total = topic.relevant(self.level).total;
        let divides_by_zero =
            topic.retrieved() == 0 && self.recall.documents(self.point, total) <= 0.0;
        if divides_by_zero { -f64::NAN } else { 0.0 }
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.level))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "IPrec",
    aliases: &["iprec_at_recall", "interpolated_precision"],
    summary: "interpolated precision at a recall point",
    page: crate::page::page!("iprec.rs"),
    params: &[RecallRule::PARAM, ParamInfo::LEVEL],
    cutoff: CutoffRule::Point,
    references: &[
        "G. Salton and M. McGill: Introduction to Modern Information Retrieval. McGraw-Hill, 1983",
        "C. Buckley and E. Voorhees: Retrieval system evaluation. In: TREC: Experiment and Evaluation in Information Retrieval, MIT Press, 2005",
    ],
    build: |params| {
        Ok(Computation::ranked(IPrec {
            level: params.level(),
            point: params.point(),
            recall: RecallRule::of(params),
        }))
    },
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined, undefined_nan};

    const RANKING: &[i32] = &[1, 0, 1];
    const JUDGED: &[i32] = &[1, 1, 1, 0];

    #[test]
    fn worked_example() {
        check("IPrec@0.3", RANKING, JUDGED, 1.0);
        check("IPrec@0.4", RANKING, JUDGED, 2.0 / 3.0);
        check("IPrec@0.8", RANKING, JUDGED, 0.0);
        check("IPrec(recall='round')@0.4", RANKING, JUDGED, 1.0);
        check("IPrec(recall='round')@0.8", RANKING, JUDGED, 2.0 / 3.0);
        check("IPrec(recall='round')@1", RANKING, JUDGED, 0.0);
        check(
            "IPrec(recall='floor(x+0.9)')@0.4",
            RANKING,
            JUDGED,
            2.0 / 3.0,
        );
        check("IPrec(recall='floor(x+0.9)')@0.8", RANKING, JUDGED, 0.0);
    }

    #[test]
    fn edges() {
        check("IPrec@0.5", &[], &[1], 0.0);
        // In f64, 0.28 * 25 is above 7, but 7 of 25 is a recall of 0.28.
        check("IPrec@0.28", &[1; 7], &[1; 25], 1.0);
        check("IPrec@2", &[1], &[1], 0.0);
        check("IPrec@-1", &[0, 1], &[1, 0], 0.5);
        check("IPrec@0", &[0, -1, 1, 1], &[1, 1], 0.5);
        check("IPrec@0", &[0, 0], &[1, 0, 0], 0.0);
        undefined("IPrec@0.5", &[0], &[0]);
    }

    #[test]
    fn empty_rankings_divide_zero_by_zero_in_trec_eval() {
        undefined_nan("IPrec@0", &[], &[1, 2, 3, 0]);
        check("IPrec@0.1", &[], &[1, 2, 3, 0], 0.0);
        undefined_nan("IPrec(recall='round')@0", &[], &[1, 2, 3, 0]);
        undefined_nan("IPrec(recall='round')@0.1", &[], &[1, 2, 3, 0]);
        check("IPrec(recall='round')@0.2", &[], &[1, 2, 3, 0], 0.0);
        undefined_nan("IPrec@1", &[], &[0]);
    }

    #[test]
    fn trec_eval_name_keeps_the_rule_of_trec_eval() {
        check("iprec_at_recall_0.40", RANKING, JUDGED, 1.0);
        check("iprec_at_recall@0.4", RANKING, JUDGED, 1.0);
        check("interpolated_precision@0.4", RANKING, JUDGED, 2.0 / 3.0);
    }

    #[test]
    fn a_level_below_zero_counts_down_from_the_judged() {
        // Ranks 1, 2, 3 count as relevant, but only one judged document was retrieved: one step back from
        // rank 3.
        check("IPrec(rel=-1)@1", &[-1, -1, 1], &[1], 1.0 / 3.0);
    }
}
