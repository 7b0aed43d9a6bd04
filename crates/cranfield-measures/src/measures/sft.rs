//! # What it measures
//! The weighted total of satisfaction and frustration: rewards rankings for early relevant documents and
//! penalises early non-relevant ones.
//!
//! # User model
//! Is pleased by relevant documents and annoyed by non-relevant ones, above all at early ranks.
//!
//! # Formula
//! ```math
//! \mathrm{SFT@}k = w\, \mathrm{Satisfaction@}k + (1 - w) (1 - \mathrm{Frustration@}k)
//! ```
//! SFT@k = w · Satisfaction@k + (1 − w) · (1 − Frustration@k), with `weight` w.
//!
//! # Worked example
//! Grades 0, 2, 0, 1 in rank order, all judged: Satisfaction@2 = 2 / 3, Frustration@2 = 1 / 2, SFT@2 = 0.5 ·
//! 2/3 + 0.5 · 1/2 = 0.583333.
//!
//! # Undefined when
//! Satisfaction is undefined: no judged document is relevant and has a positive gain.
//!
//! # Differences between tools
//! No common tool computes it. Myaeng and Korfhage leave the weights of the two parts open; equal weights are
//! the default here.
//!
//! # References
//! Myaeng and Korfhage 1990; Korfhage 1997.

use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::common::is_judged_nonrelevant;
use super::frustration::frustration;
use super::satisfaction::satisfaction;

/// Satisfaction and frustration together.
#[derive(Clone, Debug)]
pub(super) struct Sft {
    weight: f64,
    gains: Gains,
    level: f64,
    cutoff: usize,
}

impl Measure for Sft {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let satisfaction = satisfaction(topic, &self.gains, self.level, self.cutoff)?;
        let frustration = frustration(topic, self.level, self.cutoff);
        Some(self.weight * satisfaction + (1.0 - self.weight) * (1.0 - frustration))
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        let gain = self.gains.of_label(label).max(0.0);
        let frustrates = is_judged_nonrelevant(label, self.level);
        Some(label.relevance(self.level) * gain - f64::from(u8::from(frustrates)))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "SFT",
    aliases: &["satisfaction_frustration_total"],
    summary: "total of satisfaction and frustration at k",
    page: crate::page::page!("sft.rs"),
    params: &[WEIGHT, Gains::PARAM, ParamInfo::LEVEL],
    cutoff: CutoffRule::Required,
    references: &[
        "S. H. Myaeng and R. R. Korfhage: Integration of user profiles: models and experiments in information retrieval. Information Processing and Management 26(6), 1990",
        "R. R. Korfhage: Information Storage and Retrieval. Wiley, 1997",
    ],
    build: |params| {
        Ok(Computation::ranked(Sft {
            weight: params.real("weight"),
            gains: params.gains("gains").clone(),
            level: params.level(),
            cutoff: params.required_cutoff(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

const WEIGHT: ParamInfo = ParamInfo {
    name: "weight",
    kind: ParamKind::Real { min: 0.0, max: 1.0 },
    default: "0.5",
    help: "weight of satisfaction; frustration has the rest",
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[0, 2, 0, 1], &[0, 2, 0, 1]);
        check("SFT@2", ranking, judged, 0.5 * (2.0 / 3.0) + 0.5 * 0.5);
        check("SFT(weight=1)@2", ranking, judged, 2.0 / 3.0);
        check("SFT(weight=0)@2", ranking, judged, 0.5);
    }

    #[test]
    fn edges() {
        check("SFT@5", &[], &[1], 0.5);
        check("SFT@1", &[1, 0], &[1, 0], 1.0);
        check("SFT@1", &[0, 1], &[1, 0], 0.0);
        undefined("SFT@5", &[0], &[0]);
    }
}
