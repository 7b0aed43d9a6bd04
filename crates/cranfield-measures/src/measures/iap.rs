//! # What it measures
//! Interpolated average precision: the mean of interpolated precision over a list of recall points, by default
//! the eleven points 0, 0.1, …, 1. It approximates the area under the interpolated recall-precision curve.
//!
//! # User model
//! Reads until a target fraction of the relevant documents is found; the targets 0, 10, … 100 % are equally likely.
//!
//! # Formula
//! ```math
//! \mathrm{IAP} = \frac{1}{K} \sum_{x} \mathrm{IPrec@}x
//! ```
//! IAP = (1 / K) · Σ of IPrec@x over the K points x. See IPrec for its formula and for the parameter `recall`.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; three relevant documents in the qrels: the points 0 to 0.3 need
//! at most 1 document (precision 1), 0.4 to 0.6 need 2 (precision 2/3), 0.7 to 1 need 3, which are not found:
//! IAP = (3 · 2/3 + 4 · 1) / 11 = 0.545455.
//!
//! # Undefined when
//! The topic has no relevant document, or the ranking is empty.
//!
//! # Differences between tools
//! `trec_eval` calls it `11pt_avg` whatever the number of points. Version 10 uses `recall='round'`, which gives
//! 0.696970 in the example, and version 9 uses `recall='floor(x+0.9)'`, which gives 0.606061. The name `11pt_avg` and
//! the profiles of `trec_eval` keep its rule. On an empty ranking `trec_eval` prints NaN if any point needs no
//! document. Points that are not in ascending order behave as in `trec_eval`: a point that comes after a larger one
//! has no precision of its own.
//!
//! # References
//! Salton and McGill 1983; Buckley and Voorhees 2005.

use cranfield_core::error::Error;
use cranfield_core::explain::{Board, Step};
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind, Params};
use cranfield_core::topic::{JudgedRanking, Label};

use super::interpolation::{RecallRule, board, interpolate};

/// Interpolated average precision.
#[derive(Clone, Debug)]
pub(super) struct Iap {
    level: f64,
    points: Vec<f64>,
    recall: RecallRule,
}

impl Measure for Iap {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let defined = topic.relevant(self.level).total > 0 && topic.retrieved() > 0;
        defined.then(|| self.mean(topic))
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let value = self.evaluate(topic)?;
        let relevant = topic.relevant(self.level);
        let count = self.points.len() as f64;
        let mut board = board(&relevant, &self.points, self.recall, 1.0 / count)?;
        let sum: f64 = value * count;
        let formula = "sum over the points / their number";
        board
            .steps
            .push(Step::result(formula, "{} / {}", [sum, count], value));
        Some(board)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn reference_undefined(&self, topic: &JudgedRanking<'_>) -> f64 {
        let mean = self.mean(topic);
        // The sign of a NaN computed by the processor is unspecified; trec_eval prints a minus.
        if mean.is_nan() { -f64::NAN } else { mean }
    }

    fn merit(&self, label: Label) -> Option<f64> {
        let ascending = self.points.is_sorted();
        ascending.then(|| label.relevance(self.level))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "IAP",
    aliases: &["11pt_avg", "11pt"],
    summary: "mean of interpolated precision over recall points",
    page: crate::page::page!("iap.rs"),
    params: &[POINTS, RecallRule::PARAM, ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    references: &[
        "G. Salton and M. McGill: Introduction to Modern Information Retrieval. McGraw-Hill, 1983",
        "C. Buckley and E. Voorhees: Retrieval system evaluation. In: TREC: Experiment and Evaluation in Information Retrieval, MIT Press, 2005",
    ],
    build,
    ..MeasureInfo::DEFAULT
};

const POINTS: ParamInfo = ParamInfo {
    name: "points",
    kind: ParamKind::Reals,
    default: "0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1",
    help: "recall points to average over",
};

impl Iap {
    fn mean(&self, topic: &JudgedRanking<'_>) -> f64 {
        let mut sum = 0.0;
        let relevant = topic.relevant(self.level);
        interpolate(&relevant, &self.points, self.recall, |precision| {
            sum += precision;
        });
        sum / self.points.len() as f64
    }
}

fn build(params: &Params) -> Result<Computation, Error> {
    let points = params.reals("points").to_vec();
    if points.is_empty() {
        return Err(Error::parameter(
            "IAP needs at least one recall point, such as points='0,0.5,1'",
        ));
    }
    Ok(Computation::ranked(Iap {
        level: params.level(),
        points,
        recall: RecallRule::of(params),
    }))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{TestTopic, check, measure, prints, undefined, undefined_nan};
    use cranfield_core::measure::Computation;

    const RANKING: &[i32] = &[1, 0, 1];
    const JUDGED: &[i32] = &[1, 1, 1, 0];

    #[test]
    fn worked_example() {
        let two_found = 2.0 / 3.0;
        check("IAP", RANKING, JUDGED, (two_found * 3.0 + 4.0) / 11.0);
        let rounded = two_found + two_found + two_found + two_found + 5.0;
        check("IAP(recall='round')", RANKING, JUDGED, rounded / 11.0);
        prints("IAP", RANKING, JUDGED, "0.5455");
        prints("11pt_avg", RANKING, JUDGED, "0.6970");
        prints("IAP(recall='floor(x+0.9)')", RANKING, JUDGED, "0.6061");
    }

    #[test]
    fn edges() {
        check("11pt_avg..5", &[0, 1], &[1, 0], 0.5);
        check("IAP", &[0], &[1, 0], 0.0);
        undefined("IAP", &[0], &[0]);
        undefined_nan("IAP", &[], &[1]);
        undefined("IAP(points='1')", &[], &[1]);
    }

    #[test]
    fn textbook_example() {
        // Relevant at ranks 1, 3, 4, 5, 6 and 10; its source prints 0.82.
        let ranking = &[1, 0, 1, 1, 1, 1, 0, 0, 0, 1];
        let precisions = [&[0.6; 2][..], &[5.0 / 6.0; 7], &[1.0; 2]].concat();
        check(
            "IAP",
            ranking,
            &[1; 6],
            precisions.iter().sum::<f64>() / 11.0,
        );
        prints("IAP", ranking, &[1; 6], "0.8212");
        prints("11pt_avg", ranking, &[1; 6], "0.8576");
    }

    #[track_caller]
    fn explains(name: &str, rule: &str) {
        let topic = TestTopic::new(RANKING, JUDGED);
        let Computation::Ranked(measure) = measure(name).computation else {
            panic!("{name} is not a measure of a ranking");
        };
        let steps = measure.board(&topic.ranking()).unwrap().steps;
        assert!(
            steps.iter().any(|step| step.formula.contains(rule)),
            "{steps:?}"
        );
    }

    #[test]
    fn explanations_name_the_recall_rule() {
        explains("IAP", "textbook rule");
        explains("IPrec@0.5", "textbook rule");
        explains("11pt_avg", "trec_eval 10");
        explains("IAP(recall='floor(x+0.9)')", "trec_eval 9");
    }

    #[test]
    fn points_out_of_order() {
        // The walk waits for the last point, 0, until the end; the point 1 then also gets the final precision.
        check("IAP(points='1,0')", RANKING, &[1, 1, 0], 1.0);
    }
}
