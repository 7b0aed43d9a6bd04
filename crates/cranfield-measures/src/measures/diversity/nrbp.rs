//! # What it measures
//! Novelty- and rank-biased precision: rank-biased precision in which each further document on a subtopic (judgement group,
//! column 2 of the qrels) is worth less than the one before.
//!
//! # User model
//! That of RBP, for a user who wants one of several subtopics; further documents on it are worth less.
//!
//! # Formula
//! ```math
//! \mathrm{NRBP} = \frac{1 - (1 - \alpha) \beta}{M} \sum_i G_i\, \beta^{i - 1}, \quad G_i = \sum_{s \ni d_i} (1 - \alpha)^{\mathrm{seen}_s}
//! ```
//! NRBP = (1 − (1 − α) · β) / M · Σ over all ranks i of G(i) · β^(i − 1), where G(i) = Σ over the subtopics to which the
//! document at rank i is relevant of (1 − α)^(documents of the subtopic above it), and M is the number of subtopics that have a
//! relevant document.
//!
//! # Worked example
//! Subtopic A has the relevant document a, B has a and b, C has c; ranking b, a, then an unjudged document.
//! With α = β = 0.5, G is 1 at rank 1 and 1 + 0.5 at rank 2. NRBP = 0.75 / 3 · (1 + 1.5 · 0.5) = 0.4375.
//!
//! # Undefined when
//! No subtopic has a relevant document.
//!
//! # Differences between tools
//! As in ndeval, pyndeval and `ir_measures`, which give 0 where it is undefined.
//!
//! # References
//! Clarke, Kolla and Vechtomova 2009.

use cranfield_core::groups::{GroupMeasure, JudgedGroups};
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};

use super::{ALPHA, BETA, Decay, novelty_sum, subtopics};

/// Novelty- and rank-biased precision.
#[derive(Debug)]
struct Nrbp {
    alpha: f64,
    beta: f64,
    level: f64,
}

impl GroupMeasure for Nrbp {
    fn evaluate(&self, topic: &JudgedGroups<'_>) -> Option<f64> {
        let all = subtopics(topic, self.level).count();
        let decay = Decay::Power(self.beta);
        let sum = novelty_sum(topic, self.level, self.alpha, usize::MAX, decay);
        let scale = 1.0 - (1.0 - self.alpha) * self.beta;
        (all > 0).then(|| scale / all as f64 * sum)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "NRBP",
    summary: "novelty- and rank-biased precision over subtopics",
    page: crate::page::page!("nrbp.rs"),
    params: &[ALPHA, BETA, ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    references: &[
        "C. L. A. Clarke, M. Kolla and O. Vechtomova: An effectiveness measure for ambiguous and underspecified queries. ICTIR 2009. doi:10.1007/978-3-642-04417-5_17",
    ],
    build: |params| {
        Ok(Computation::grouped(Nrbp {
            alpha: params.real("alpha"),
            beta: params.real("beta"),
            level: params.level(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{EXAMPLE, check, undefined};

    #[test]
    fn worked_example() {
        check("NRBP", EXAMPLE, 0.4375);
    }

    #[test]
    fn edges() {
        check("NRBP(beta=0)", EXAMPLE, 1.0 / 3.0);
        check("NRBP(alpha=0, beta=1)", EXAMPLE, 0.0);
        check("NRBP", &[(&[], 1, 1.0)], 0.0);
        undefined("NRBP", &[(&[1], 1, 0.0)]);
    }
}
