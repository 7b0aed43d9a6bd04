//! # What it measures
//! nDCG averaged over the ranks at which the ideal ranking changes to the next lower gain, as R-precision uses
//! the rank at which the ideal ranking runs out of relevant documents.
//!
//! # User model
//! Compares with the ideal ranking at the ranks where it exhausts a grade.
//!
//! # Formula
//! ```math
//! \mathrm{RnDCG} = \frac{1}{|E|} \sum_{e \in E} \frac{\mathrm{DCG}_e}{\mathrm{IDCG}_e}
//! ```
//! RnDCG = mean of DCG(e) / IDCG(e) over the ranks e at which a gain of the ideal ranking has its last
//! document; if the ranking continues for more than one document beyond the last such rank, DCG / IDCG of the
//! whole ranking is included in the mean.
//!
//! # Worked example
//! Grades 0, 2, 1 in rank order, judged 2, 1, 0: the ideal has its last 2 at rank 1, DCG = 0, and its last 1 at
//! rank 2, DCG / IDCG = (2/log2(3)) / (2 + 1/log2(3)) = 0.479625; RnDCG = (0 + 0.479625) / 2 = 0.239812.
//!
//! # Undefined when
//! No judged document has a positive gain, or none is relevant at `rel`.
//!
//! # Differences between tools
//! Only `trec_eval` computes it (`Rndcg`), as an experimental measure; if documents are relevant but no gain is
//! positive, it prints NaN.
//!
//! # References
//! Järvelin and Kekäläinen 2002; trec_eval.

use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{GradeCount, JudgedRanking, Label};

use super::discount::Discount;
use super::gain_model::{GainModel, Ideal};

/// Mean nDCG where the ideal gain changes.
#[derive(Clone, Debug)]
pub(super) struct Rndcg {
    gains: GainModel,
    level: f64,
}

impl Measure for Rndcg {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let gains = self.gains.read(topic);
        if gains.ideal_steps().is_empty() || topic.base().relevant(self.level) == 0 {
            return None;
        }
        let sums = gains.dcg_sums();
        let goes_on = sums.ideal_len() + 1 < topic.retrieved();
        let (mut sum, mut terms) = (0.0, 0u32);
        for end in last_ranks(gains.ideal_steps()).chain(goes_on.then_some(usize::MAX)) {
            sum += sums.dcg(end) / sums.ideal(end);
            terms += 1;
        }
        Some(sum / f64::from(terms))
    }

    fn shares_dcg(&self) -> bool {
        self.gains.shares_dcg(Discount::Log2)
    }

    fn reference_undefined(&self, topic: &JudgedRanking<'_>) -> f64 {
        if topic.base().relevant(self.level) == 0 {
            0.0
        } else {
            -f64::NAN
        }
    }

    fn merit(&self, label: Label) -> Option<f64> {
        self.gains.merit(label)
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "RnDCG",
    summary: "nDCG averaged over the ranks where the ideal gain changes",
    page: crate::page::page!("rndcg.rs"),
    params: &[Gains::PARAM, Ideal::PARAM, ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    references: &[
        "K. Järvelin and J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002. doi:10.1145/582415.582418",
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
    ],
    build: |params| {
        Ok(Computation::ranked(Rndcg {
            gains: GainModel::of(params),
            level: params.level(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

/// Ranks at which a gain of the ideal ranking has its last document; neighbouring steps with the same gain are
/// merged.
fn last_ranks(steps: &[GradeCount]) -> impl Iterator<Item = usize> + '_ {
    let ends = steps.iter().scan(0, |end, step| {
        *end += step.count as usize;
        Some(*end)
    });
    let next_gains = steps
        .iter()
        .skip(1)
        .map(|step| Some(step.grade))
        .chain([None]);
    let changes = ends.zip(steps).zip(next_gains);
    changes
        .filter(|((_, step), next)| *next != Some(step.grade))
        .map(|((end, _), _)| end)
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, prints, undefined, undefined_nan};

    #[test]
    fn worked_example() {
        let second = (2.0 / 3f64.log2()) / (2.0 + 1.0 / 3f64.log2());
        check("RnDCG", &[0, 2, 1], &[2, 1, 0], (0.0 + second) / 2.0);
        prints("Rndcg", &[0, 2, 1], &[2, 1, 0], "0.2398");
    }

    #[test]
    fn a_longer_ranking_adds_its_end() {
        check("RnDCG", &[0, 0, 1], &[1, 0, 0], (0.0 + 1.0 / 2.0) / 2.0);
        check("RnDCG", &[0, 1], &[1, 0], 0.0);
    }

    #[test]
    fn steps_of_equal_gain_are_merged() {
        check(
            "RnDCG(gains='0,3,3')",
            &[2, 0],
            &[2, 1, 0],
            3.0 / (3.0 + 3.0 / 3f64.log2()),
        );
    }

    #[test]
    fn edges() {
        check("RnDCG", &[], &[1], 0.0);
        check("RnDCG", &[2, 1], &[2, 1], 1.0);
        undefined("RnDCG", &[0], &[0]);
        undefined("RnDCG(rel=2)", &[1], &[1]);
        undefined_nan("Rndcg.1=0,2=0", &[1], &[1, 2]);
    }
}
