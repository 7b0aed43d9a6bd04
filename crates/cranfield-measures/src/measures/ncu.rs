//! # What it measures
//! Normalised cumulative utility: the mean utility at the document where the user stops, over a population of
//! users who each stop at some relevant document. A family of measures with two choices: the stopping
//! distribution and the utility.
//!
//! # User model
//! A population of users who each stop at some relevant document, distributed according to `stop`. The value is
//! the mean utility at that point.
//!
//! # Formula
//! ```math
//! \mathrm{NCU@}k = \sum_{r \le k,\ \mathrm{rel}} \mathrm{Pr}_r\, U_r
//! ```
//! NCU@k = Σ over relevant ranks r ≤ k of Pr(r) · U(r). With `utility='P'` U(r) = H(r) / r, with 'BR' it is
//! the blended ratio (H(r) + β · cg(r)) / (r + β · cg*(r)) of the Q-measure. Pr(r) is, with `stop='gu'`
//! (graded-uniform), the document's gain over the sum of all gains in the qrels; with 'rb' (rank-biased) γ^(j
//! − 1) / Σ over i < R of γ^i for the j-th relevant document retrieved; with 'u' (uniform) 1/R. A document is
//! relevant if its gain is positive. β is `beta`, γ is `gamma`.
//!
//! # Worked example
//! Grades 0, 3, unjudged, 2; judged: three documents with grade 3, three with 2, four with 1, one with 0. The
//! gains sum to 19, R = 10, precision is 1/2 at ranks 2 and 4. NCU = (3 · 0.5 + 2 · 0.5) / 19 = 0.131579.
//! `NCU(stop='rb')` = (1 + 0.95) · 0.5 / (1 + 0.95 + … + 0.95^9) = 0.121492.
//!
//! # Undefined when
//! No judged document has a positive gain, or a sum of gains overflows.
//!
//! # Differences between tools
//! NTCIREVAL's `NCUgu,P` is `NCU`, `NCUgu,BR` is `NCU(utility='BR')`, `NCUrb,P` and `NCUrb,BR` have
//! `stop='rb'`. It accepts stopping weights other than the gains (`-s`); here the gains are the weights.
//! `NCU(stop='u')` is AP, and with `utility='BR'` Q, but at a cutoff both divide by R here.
//!
//! # References
//! Sakai and Robertson 2008.

use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{Cutoff, ParamInfo, ParamKind};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::blended::{self, Found, expected_blend, found};
use super::common::{depth, quotient};
use super::gain_model::{GainModel, TopicGains};

/// Normalised cumulative utility.
#[derive(Clone, Debug)]
pub(super) struct Ncu {
    stop: Stop,
    blend: bool,
    gains: GainModel,
    beta: f64,
    cutoff: Option<Cutoff>,
}

impl Measure for Ncu {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let gains = self.gains.read(topic);
        let (mut sum, mut biased) = (0.0, 1.0);
        for document in found(&gains, self.beta, depth(self.cutoff)) {
            sum += self.utility(document) * self.stop.weight(document.gain, &mut biased);
        }
        quotient(sum, self.stop.total(&gains))
    }

    fn merit(&self, label: Label) -> Option<f64> {
        match self.stop {
            Stop::Uniform => self.gains.merit_by_rule(label),
            Stop::Graded | Stop::RankBiased(_) => None,
        }
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        let order = topic.order();
        let gains = self.gains.read(&order);
        let beta = if self.blend { self.beta } else { 0.0 };
        let weight: fn(f64) -> f64 = match self.stop {
            Stop::Graded => |gain| gain,
            Stop::Uniform => |_| 1.0,
            Stop::RankBiased(_) => return None,
        };
        let sum = expected_blend(topic, &gains, beta, depth(self.cutoff), weight)?;
        quotient(sum, self.stop.total(&gains))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "NCU",
    aliases: &["normalised_cumulative_utility"],
    summary: "mean utility at the relevant document where a user stops (NCU)",
    page: crate::page::page!("ncu.rs"),
    params: &[STOP, UTILITY, GAMMA, blended::GAINS, blended::BETA],
    references: &[
        "T. Sakai and S. Robertson: Modelling a user population for designing information retrieval metrics. EVIA 2008",
    ],
    build: |params| {
        Ok(Computation::ranked(Ncu {
            stop: match params.word("stop") {
                "rb" => Stop::RankBiased(params.real("gamma")),
                "u" => Stop::Uniform,
                _ => Stop::Graded,
            },
            blend: params.word("utility") == "BR",
            gains: GainModel::by_gain(params),
            beta: params.real("beta"),
            cutoff: params.cutoff(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

/// Where users stop.
#[derive(Clone, Copy, Debug)]
enum Stop {
    Graded,
    RankBiased(f64),
    Uniform,
}

const STOP: ParamInfo = ParamInfo {
    name: "stop",
    kind: ParamKind::Word(&["gu", "rb", "u"]),
    default: "gu",
    help: "where users stop: graded-uniform, rank-biased or uniform over relevant documents",
};

const UTILITY: ParamInfo = ParamInfo {
    name: "utility",
    kind: ParamKind::Word(&["P", "BR"]),
    default: "P",
    help: "utility at the stop: precision or the blended ratio",
};

const GAMMA: ParamInfo = ParamInfo {
    name: "gamma",
    kind: ParamKind::Real { min: 0.0, max: 1.0 },
    default: "0.95",
    help: "persistence of rank-biased stopping, per relevant document",
};

impl Ncu {
    fn utility(&self, document: Found) -> f64 {
        if self.blend {
            document.blended
        } else {
            document.precision
        }
    }
}

impl Stop {
    /// The weight of the next relevant document; `biased` is the current power of γ.
    fn weight(self, gain: f64, biased: &mut f64) -> f64 {
        match self {
            Self::Graded => gain,
            Self::RankBiased(gamma) => {
                let weight = *biased;
                *biased *= gamma;
                weight
            }
            Self::Uniform => 1.0,
        }
    }

    /// The sum of the weights of all relevant documents.
    fn total(self, gains: &TopicGains<'_>) -> f64 {
        let mut biased = 1.0;
        let weights = gains.ideal_gains();
        weights.map(|gain| self.weight(gain, &mut biased)).sum()
    }
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    const RANKING: &[i32] = &[0, 3, -1, 2];
    const JUDGED: &[i32] = &[3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 0];

    #[test]
    fn worked_example() {
        check("NCU", RANKING, JUDGED, (3.0 * 0.5 + 2.0 * 0.5) / 19.0);
        let powers = std::iter::successors(Some(1.0), |power| Some(power * 0.95));
        let total = powers.take(10).sum::<f64>();
        check(
            "NCU(stop='rb')",
            RANKING,
            JUDGED,
            (0.5 + 0.5 * 0.95) / total,
        );
        let blended = (0.5 * 3.0 + 7.0 / 15.0 * 2.0) / 19.0;
        check("NCU(utility='BR')", RANKING, JUDGED, blended);
    }

    #[test]
    fn uniform_stopping_is_average_precision_and_q() {
        check("NCU(stop='u')", RANKING, JUDGED, (0.5 + 0.5) / 10.0);
        let q = (0.5 + 7.0 / 15.0) / 10.0;
        check("NCU(stop='u', utility='BR')", RANKING, JUDGED, q);
    }

    #[test]
    fn edges() {
        check("NCU", &[], &[1], 0.0);
        check("NCU@1", &[0, 1], &[1], 0.0);
        check("NCU(stop='rb', gamma=0)", &[0, 1, 1], &[1, 1], 0.5);
        undefined("NCU", &[0, -2], &[0]);
        undefined("NCU(stop='rb')", &[], &[]);
    }
}
