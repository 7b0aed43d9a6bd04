//! # What it measures
//! The residual of rank-biased precision: how much the value could grow if every unjudged document were
//! relevant, including those beyond the end of the ranking. A large residual means that RBP is uncertain for
//! this ranking.
//!
//! # User model
//! That of RBP; the value is how much of what the user sees is unknown.
//!
//! # Formula
//! ```math
//! \mathrm{RBPResidual} = p^n + (1 - p) \sum_{i\ \mathrm{unjudged}} p^{i - 1}
//! ```
//! RBPResidual = p^n + (1 − p) · Σ over unjudged ranks i of p^(i − 1), where n is the number of documents
//! retrieved; 0 if all of them were judged.
//!
//! # Worked example
//! Ranking: unjudged, relevant, unjudged, p = 0.5: RBPResidual = 0.125 + 0.5 · (1 + 0.25) = 0.75.
//!
//! # Undefined when
//! Never: an empty ranking scores 0.
//!
//! # Differences between tools
//! Same as `rbp_resid` in `trec_eval` 10 (there with p = 0.9), which omits the tail p^n if every retrieved
//! document was judged. Moffat and Zobel always include it: `RBP(bound='residual')`. Documents that were pooled
//! but not judged count as unjudged.
//!
//! # References
//! Moffat and Zobel 2008.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, Direction, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind, Params};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::common::Powers;

/// Residual of rank-biased precision.
#[derive(Clone, Debug)]
pub(super) struct RbpResidual {
    p: f64,
    powers: Powers,
    /// This many ranks below the first unjudged document, a power no longer changes any bit of the result,
    /// neither as a term nor as the tail.
    reach: usize,
}

impl Measure for RbpResidual {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let retrieved = topic.retrieved();
        let first = judged(topic).zip(0..).take_while(|(at, place)| at == place);
        let first = first.count();
        if first >= retrieved {
            return Some(0.0);
        }
        let end = first.saturating_add(self.reach).min(retrieved);
        let sum = self.powers.sum_without(judged(topic), end);
        let tail = if end < retrieved {
            0.0
        } else {
            self.powers.at(retrieved)
        };
        Some(if sum > 0.0 {
            tail + (1.0 - self.p) * sum
        } else {
            0.0
        })
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(f64::from(u8::from(matches!(label, Label::Judged(_)))))
    }

    fn grows_with_merit(&self) -> bool {
        true
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

/// Zero-based positions of the judged documents.
fn judged<'a>(topic: &JudgedRanking<'a>) -> impl Iterator<Item = usize> + 'a {
    let hits = topic.hits().iter();
    let judged = hits.filter(|hit| matches!(hit.label, Label::Judged(_)));
    judged.map(|hit| hit.rank as usize - 1)
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "RBPResidual",
    aliases: &["rbp_resid"],
    summary: "how much RBP could grow through unjudged documents",
    page: crate::page::page!("rbp_residual.rs"),
    params: &[P],
    cutoff: CutoffRule::None,
    direction: Direction::LowerIsBetter,
    references: &[
        "A. Moffat and J. Zobel: Rank-biased precision for measurement of retrieval effectiveness. ACM TOIS 27(1), 2008. doi:10.1145/1416950.1416952",
    ],
    build,
    ..MeasureInfo::DEFAULT
};

const P: ParamInfo = ParamInfo {
    name: "p",
    kind: ParamKind::Real { min: 0.0, max: 1.0 },
    default: "0.8",
    help: "persistence: probability of continuing to the next document",
};

fn build(params: &Params) -> Result<Computation, Error> {
    let p = params.real("p");
    Ok(Computation::ranked(RbpResidual {
        p,
        powers: Powers::new(p),
        reach: reach(p),
    }))
}

/// The smallest number of ranks after which a power of p is below (1 − p) · ε / 8, with a margin of a factor of
/// 2.
fn reach(p: f64) -> usize {
    if p >= 1.0 {
        return usize::MAX;
    }
    let negligible = (1.0 - p) * f64::EPSILON / 16.0;
    (negligible.ln() / p.ln()) as usize + 1
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, prints};
    use proptest::prelude::*;

    #[test]
    fn worked_example() {
        check(
            "RBPResidual(p=0.5)",
            &[-1, 1, -1],
            &[1],
            0.125 + 0.5 * (1.0 + 0.25),
        );
    }

    #[test]
    fn edges() {
        check("RBPResidual", &[], &[1], 0.0);
        check("RBPResidual", &[1, 0], &[1, 0], 0.0);
        prints("rbp_resid", &[-2, 1, -2, -1], &[1, 1], "0.9100");
        prints("rbp_resid.p=0.8", &[-1], &[], "1.0000");
    }
    /// Adds every power, even those that change nothing.
    fn one_by_one(p: f64, ranking: &[i32]) -> f64 {
        let (mut sum, mut power) = (0.0, 1.0);
        for grade in ranking {
            sum += if *grade < 0 { power } else { 0.0 };
            power *= p;
        }
        if sum > 0.0 {
            power + (1.0 - p) * sum
        } else {
            0.0
        }
    }

    proptest! {
        #[test]
        fn what_is_left_out_changes_nothing(
            p in prop_oneof![0.0..1.0, 0.9..1.0, Just(0.0), Just(1.0), Just(0.8)],
            mut ranking in prop::collection::vec(prop_oneof![Just(-1), 0..2], 0..90),
            more in 0usize..1500,
        ) {
            ranking.resize(ranking.len() + more, -1);
            check(&format!("RBPResidual(p={p})"), &ranking, &[1], one_by_one(p, &ranking));
        }
    }
}
