//! # What it measures
//! Rank-biased precision: the expected gain per document read, for a user who reads from the top and continues
//! to the next document with probability p. With p = 0.5 the user reads two documents on average, with p = 0.95
//! twenty.
//!
//! # User model
//! Reads from the top and continues from each document to the next with probability p, regardless of relevance:
//! 1 / (1 - p) documents on average.
//!
//! # Formula
//! ```math
//! \mathrm{RBP} = (1 - p) \sum_i g_i\, p^{i - 1}
//! ```
//! RBP = (1 − p) · Σ over ranks i of gain(i) · p^(i − 1). The gain is 1 for a document that is relevant at
//! `rel` and 0 for any other; with `gains='grade'` or a table such as `gains='0,0.5,1'` it comes from the
//! grade, and `rel` has no effect. `scale='topic'` maps the gains of the topic's table, including 0, to the
//! unit interval, (gain − min) / (max − min), if any is outside it. RBP@k stops at rank k.
//!
//! By default this is the lower bound: unjudged documents have no gain. With `bound='upper'` every unjudged
//! document, and every rank beyond the end of the ranking down to k, has the highest gain: 1, or with `gains`
//! the highest gain of the topic's judged documents if that is more. `bound='residual'` is the upper bound
//! minus the lower bound: how much of the value is unknown.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant, p = 0.8: RBP = 0.2 · (1 + 0.64) = 0.328. Grades 2, 0, 1 with
//! `p=0.5, gains='0,0.5,1'`: 0.5 · (1 + 0.5 · 0.25) = 0.5625. Relevant, unjudged, p = 0.5: 0.5,
//! `bound='residual'` is 0.25 for rank 2 and 0.25 for all ranks below, 0.5, and `bound='upper'` is 1.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! `trec_eval` 10's `rbp` is `RBP(p=0.9, gains='grade', scale='topic')`: its scaling makes a topic's value
//! depend on the highest grade in its own qrels. There, the bounds start from uninitialised memory; here they
//! start from 0, as they do there if `rbp` is the only measure requested. ranx's `rbp.95` is `RBP(p=0.95,
//! gains='grade')`, which can exceed 1. `ir_measures` is binary with p = 0.8, as here. The residual is that of
//! Moffat and Zobel; RBPResidual is that of `trec_eval`, which is 0 if every retrieved document was judged.
//!
//! # References
//! Moffat and Zobel 2008.

use cranfield_core::error::Error;
use cranfield_core::explain::{Board, BoardRow, Step};
use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{Cutoff, ParamInfo, ParamKind, Params};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{Hit, JudgedRanking, Label};

use super::common::{Powers, depth};
use super::gain_model::TrecTable;

/// Rank-biased precision.
#[derive(Clone, Debug)]
pub(super) struct Rbp {
    p: f64,
    powers: Powers,
    gain: Gain,
    bound: Bound,
    cutoff: Option<Cutoff>,
}

impl Measure for Rbp {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        Some(match self.bound {
            Bound::Lower => self.lower(topic),
            Bound::Upper => self.upper(topic),
            Bound::Residual => self.upper(topic) - self.lower(topic),
        })
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let value = self.lower(topic);
        let plain = matches!(self.bound, Bound::Lower) && value.is_finite();
        plain.then(|| self.table(topic, value))
    }

    fn level(&self) -> Option<f64> {
        match self.gain {
            Gain::Binary(level) => Some(level),
            Gain::Plain(_) | Gain::ScaledRule(_) | Gain::Scaled(_) => None,
        }
    }

    fn merit(&self, label: Label) -> Option<f64> {
        match (&self.gain, self.bound) {
            (Gain::Binary(level), Bound::Lower) => Some(label.relevance(*level)),
            (Gain::Plain(gains) | Gain::ScaledRule(gains), Bound::Lower) => {
                Some(gains.of_label(label))
            }
            _ => None,
        }
    }

    fn grows_with_merit(&self) -> bool {
        true
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

impl Rbp {
    /// Tabulates the lower bound.
    fn table(&self, topic: &JudgedRanking<'_>, value: f64) -> Board {
        let (mut sum, mut rows) = (0.0, Vec::new());
        for (rank, gain) in self.documents(topic) {
            let weight = (1.0 - self.p) * self.p.powf(f64::from(rank) - 1.0);
            let term = gain * weight;
            sum += term;
            rows.push(BoardRow::new(rank, [gain, weight, sum], term));
        }
        let residual = self.upper(topic) - value;
        Board {
            columns: vec!["gain", "weight", "sum"],
            rows,
            steps: vec![
                Step::rule(
                    "weight",
                    "(1 - p) * p^(rank - 1)",
                    "{} * {}^(rank - 1)",
                    [1.0 - self.p, self.p],
                ),
                Step::given(
                    "residual",
                    "the most that unjudged and unseen documents could add",
                    residual,
                ),
                Step::result("sum of gain * weight", "{}", [sum], value),
            ],
        }
    }

    /// Ranks and gains of the documents with a non-zero gain, down to the cutoff.
    fn documents(&self, topic: &JudgedRanking<'_>) -> Vec<(u32, f64)> {
        let depth = depth(self.cutoff);
        let ranked = |gain: &dyn Fn(Label) -> f64, hits: &[Hit]| -> Vec<(u32, f64)> {
            let gains = hits.iter().map(|hit| (hit.rank, gain(hit.label)));
            gains.filter(|(_, gain)| *gain != 0.0).collect()
        };
        let mut documents = match &self.gain {
            Gain::Binary(level) => {
                let relevant = topic.relevant(*level);
                relevant.ranks.iter().map(|rank| (*rank, 1.0)).collect()
            }
            Gain::Plain(gains) => ranked(&|label| gains.of_label(label), topic.hits()),
            Gain::ScaledRule(gains) => {
                let highest = highest_gain(gains, topic);
                ranked(&|label| gains.of_label(label) / highest, topic.hits())
            }
            Gain::Scaled(gains) => {
                let mut table = TrecTable::new(gains.pairs(), topic.base());
                table.scale_to_unit();
                ranked(&|label| table.gain(label), &table.hits(topic))
            }
        };
        documents.retain(|(rank, _)| *rank as usize <= depth);
        documents
    }

    /// The value if unjudged documents have no gain.
    fn lower(&self, topic: &JudgedRanking<'_>) -> f64 {
        let depth = depth(self.cutoff);
        let within = |document: &(u32, f64)| document.0 as usize <= depth;
        let sum = match &self.gain {
            Gain::Binary(level) => {
                let relevant = topic.relevant(*level);
                let documents = relevant.ranks.iter().map(|&rank| (rank, 1.0));
                self.powers.weighted_sum(documents.take_while(within))
            }
            Gain::Plain(gains) => {
                let gain = |hit: &Hit| (hit.rank, gains.of_label(hit.label));
                self.powers
                    .weighted_sum(topic.hits().iter().map(gain).take_while(within))
            }
            Gain::ScaledRule(gains) => {
                let highest = highest_gain(gains, topic);
                let gain = |hit: &Hit| (hit.rank, gains.of_label(hit.label) / highest);
                self.powers
                    .weighted_sum(topic.hits().iter().map(gain).take_while(within))
            }
            Gain::Scaled(gains) => {
                let mut table = TrecTable::new(gains.pairs(), topic.base());
                table.scale_to_unit();
                let hits = table.hits(topic);
                let gain = |hit: &Hit| (hit.rank, table.gain(hit.label));
                self.powers
                    .weighted_sum(hits.iter().map(gain).take_while(within))
            }
        };
        (1.0 - self.p) * sum
    }

    /// The value if unjudged documents have the highest gain.
    fn upper(&self, topic: &JudgedRanking<'_>) -> f64 {
        let hits = topic.hits_at(depth(self.cutoff)).iter();
        let judged = hits.filter(|hit| matches!(hit.label, Label::Judged(_)));
        let sum = |gain: &dyn Fn(Label) -> f64| {
            let documents = judged.clone().map(|hit| (hit.rank, gain(hit.label)));
            (1.0 - self.p) * self.powers.weighted_sum(documents)
        };
        let (gained, highest) = match &self.gain {
            Gain::Binary(level) => {
                let gain = |label: Label| f64::from(u8::from(label.is_relevant(*level)));
                (sum(&gain), 1.0)
            }
            Gain::Plain(gains) => {
                let known = topic.base().grades().iter();
                let known = known.map(|level| gains.of_grade(level.grade));
                (
                    sum(&|label| gains.of_label(label)),
                    known.fold(1.0, f64::max),
                )
            }
            Gain::ScaledRule(gains) => {
                let highest = highest_gain(gains, topic);
                (sum(&|label| gains.of_label(label) / highest), 1.0)
            }
            Gain::Scaled(gains) => {
                let mut table = TrecTable::new(gains.pairs(), topic.base());
                table.scale_to_unit();
                (sum(&|label| table.gain(label)), 1.0)
            }
        };
        let whole = self
            .cutoff
            .map_or(1.0, |k| 1.0 - self.p.powf(k.get() as f64));
        let unknown = (whole - sum(&|_| 1.0)).max(0.0);
        gained + highest * unknown
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "RBP",
    aliases: &["rank_biased_precision"],
    summary: "rank-biased precision",
    page: crate::page::page!("rbp.rs"),
    params: &[P, GAINS, SCALE, BOUND, ParamInfo::LEVEL],
    references: &[
        "A. Moffat and J. Zobel: Rank-biased precision for measurement of retrieval effectiveness. ACM TOIS 27(1), 2008. doi:10.1145/1416950.1416952",
    ],
    build,
    ..MeasureInfo::DEFAULT
};

/// The assumption about unjudged documents.
#[derive(Clone, Copy, Debug)]
enum Bound {
    Lower,
    Upper,
    Residual,
}

/// Where a document's gain comes from.
#[derive(Clone, Debug)]
enum Gain {
    /// 1 for a document that is relevant at this level.
    Binary(f64),
    /// Gains, unscaled.
    Plain(Gains),
    /// A rule that increases with the grade, divided by the gain of the topic's highest grade.
    ScaledRule(Gains),
    /// A table, scaled to the unit interval together with the topic's other grades.
    Scaled(Gains),
}

/// The gain of the topic's highest grade, at least 1: gains within the unit interval stay unscaled.
fn highest_gain(gains: &Gains, topic: &JudgedRanking<'_>) -> f64 {
    let highest = topic.base().highest().unwrap_or(0.0);
    gains.of_grade(highest).max(1.0)
}

const P: ParamInfo = ParamInfo {
    name: "p",
    kind: ParamKind::Real { min: 0.0, max: 1.0 },
    default: "0.8",
    help: "persistence: probability of continuing to the next document",
};

const GAINS: ParamInfo = ParamInfo {
    default: "binary",
    ..Gains::PARAM
};

const SCALE: ParamInfo = ParamInfo {
    name: "scale",
    kind: ParamKind::Word(&["none", "topic"]),
    default: "none",
    help: "gains unscaled, or mapped to the unit interval by the topic's own range (trec_eval)",
};

const BOUND: ParamInfo = ParamInfo {
    name: "bound",
    kind: ParamKind::Word(&["lower", "upper", "residual"]),
    default: "lower",
    help: "gain of unjudged and missing documents: none (lower), the highest (upper), or the difference of the two (residual)",
};

fn build(params: &Params) -> Result<Computation, Error> {
    let gains = params.gains("gains");
    let gain = match params.word("scale") {
        _ if gains.is_binary() => Gain::Binary(params.level()),
        "topic" if gains.pairs().is_empty() => Gain::ScaledRule(gains.clone()),
        "topic" => Gain::Scaled(gains.clone()),
        _ => Gain::Plain(gains.clone()),
    };
    let p = params.real("p");
    Ok(Computation::ranked(Rbp {
        p,
        powers: Powers::new(p),
        gain,
        bound: match params.word("bound") {
            "upper" => Bound::Upper,
            "residual" => Bound::Residual,
            _ => Bound::Lower,
        },
        cutoff: params.cutoff(),
    }))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, prints};

    #[test]
    fn worked_example() {
        check(
            "RBP",
            &[1, 0, 1],
            &[1, 1, 0],
            (1.0 - 0.8) * (1.0 + 0.8 * 0.8),
        );
        check(
            "RBP(p=0.5, gains='0,0.5,1')",
            &[2, 0, 1],
            &[2, 1, 0],
            0.5 * (1.0 + 0.5 * 0.25),
        );
    }

    #[test]
    fn bounds() {
        check("RBP(p=0.5)", &[1, -1], &[1], 0.5);
        check("RBP(p=0.5, bound='residual')", &[1, -1], &[1], 0.5);
        check("RBP(p=0.5, bound='upper')", &[1, -1], &[1], 1.0);
        // Unlike in RBPResidual, the tail below a completely judged ranking counts.
        check("RBP(p=0.5, bound='residual')", &[1, 0], &[1, 0], 0.25);
        check("RBP(p=0.5, bound='upper')@2", &[1, 0], &[1, 0], 0.5);
        check("RBP(p=0.5, bound='upper')@2", &[1], &[1], 0.75);
        check("RBP(bound='residual')", &[], &[], 1.0);
        check("RBP(p=0, bound='upper')", &[-2, 1], &[1], 1.0);
        check("RBP(p=1, bound='upper')", &[1], &[1], 1.0);
        check(
            "RBP(p=0.5, bound='upper', gains='grade')@2",
            &[1, -1],
            &[1, 3],
            0.5 + 0.75,
        );
        check(
            "RBP(p=0.5, bound='upper', gains='grade', scale='topic')@2",
            &[1, -1],
            &[1, 2],
            0.5,
        );
        check(
            "RBP(p=0.5, bound='residual', rel=2)",
            &[1, -1, 2],
            &[1, 2],
            0.25 + 0.125,
        );
    }

    #[test]
    fn edges() {
        check("RBP", &[], &[1], 0.0);
        check("RBP", &[0], &[0], 0.0);
        check("RBP(p=0)", &[1, 1], &[1, 1], 1.0);
        check("RBP(p=1)", &[1, 1], &[1, 1], 0.0);
        check("RBP(p=0.5, rel=2)@1", &[2, 2], &[2, 2], 0.5);
        check("RBP(p=0.5, rel=2)", &[1, 2], &[1, 2], 0.5 * 0.5);
    }

    #[test]
    fn values_of_trec_eval() {
        prints("rbp", &[1, 1, 1], &[1, 1, 1], "0.2710");
        prints("rbp", &[1, 2], &[1, 2], "0.1400");
        prints("rbp.p=0.5", &[1, 2], &[1, 2], "0.5000");
    }

    #[test]
    fn exponential_gains_are_scaled_too() {
        let expected = 0.5 * (1.0 + 1.0 / 3.0 * 0.5);
        check(
            "RBP(p=0.5, gains='exp', scale='topic')",
            &[2, 1],
            &[2, 1],
            expected,
        );
    }

    #[test]
    fn scaling_by_topic() {
        // Gains −1, 0, 1 of levels 0, −1 and 1: the range is −1 to 1, and an unjudged document without an
        // entry keeps 0.
        check(
            "rbp.p=0.5,0=-1",
            &[0, -1, 1],
            &[1, 0],
            0.5 * (0.0 + 0.0 + 1.0 * 0.25),
        );
        check(
            "rbp.p=0.5,0=-1,-1=0",
            &[0, -1, 1],
            &[1, 0],
            0.5 * (0.5 * 0.5 + 1.0 * 0.25),
        );
    }

    #[test]
    fn ranx_uses_raw_grades() {
        check("rbp.50", &[3, 0, 2], &[3, 2], 0.5 * (3.0 + 2.0 * 0.25));
    }
}
