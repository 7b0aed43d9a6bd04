//! # What it measures
//! Intent-aware expected reciprocal rank: the rank at which a user who wants one of the subtopics (judgement
//! groups, column 2 of the qrels) stops, where each relevant document satisfies the user with probability α.
//!
//! # User model
//! That of ERR, for a user who wants one of several subtopics; users whose subtopic is already satisfied gain
//! nothing more.
//!
//! # Formula
//! ```math
//! \mathrm{ERR\_IA@}k = \frac{\sum_{i \le k} G_i / i}{\sum_{i \le k} M (1 - \alpha)^{i - 1} / i}, \quad G_i = \sum_{s \ni d_i} (1 - \alpha)^{\mathrm{seen}_s}
//! ```
//! G(i) = Σ over the subtopics to which the document at rank i is relevant of (1 − α)^(documents of the subtopic above it).
//! ERR_IA@k = Σ for i ≤ k of G(i) / i, divided by Σ for i ≤ k of M · (1 − α)^(i − 1) / i: the value if every document
//! were relevant to each of the M subtopics that have a relevant document. k is at most 1000000.
//!
//! # Worked example
//! Subtopic A has the relevant document a, B has a and b, C has c; ranking b, a, then an unjudged document.
//! With α = 0.5, G is 1 at rank 1 and 1 + 0.5 at rank 2. ERR_IA@2 = (1 + 1.5 / 2) / (3 + 1.5 / 2) = 0.466667.
//!
//! # Undefined when
//! No subtopic has a relevant document.
//!
//! # Differences between tools
//! ndeval, pyndeval and `ir_measures` do not normalise at k = 1, where their value is a plain count, and reject
//! k above 20; here k = 1 is normalised like any other cutoff. They give 0 where the measure is undefined.
//!
//! # References
//! Chapelle and others 2009.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo, Params};

use super::{ALPHA, Decay, Novelty};

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "ERR_IA",
    aliases: &["err-ia"],
    summary: "intent-aware expected reciprocal rank",
    page: crate::page::page!("err_ia.rs"),
    params: &[ALPHA, ParamInfo::LEVEL],
    cutoff: CutoffRule::Required,
    references: &[
        "O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan: Expected reciprocal rank for graded relevance. CIKM 2009. doi:10.1145/1645953.1646033",
    ],
    build,
    ..MeasureInfo::DEFAULT
};

fn build(params: &Params) -> Result<Computation, Error> {
    let measure = Novelty::new(params, Decay::Rank)?;
    Ok(Computation::grouped(measure))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{EXAMPLE, check, undefined};

    #[test]
    fn worked_example() {
        check("ERR_IA@2", EXAMPLE, 1.75 / 3.75);
        check("ERR_IA@1", EXAMPLE, 1.0 / 3.0);
    }

    #[test]
    fn edges() {
        check("ERR_IA@5", &[(&[], 1, 1.0)], 0.0);
        undefined("ERR_IA@5", &[(&[1], 1, 0.0)]);
    }
}
