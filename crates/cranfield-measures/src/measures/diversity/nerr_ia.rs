//! # What it measures
//! Intent-aware expected reciprocal rank, relative to the ideal ranking of the judged documents: the rank at
//! which a user who wants one of the subtopics (judgement groups, column 2 of the qrels) stops, where each
//! relevant document satisfies the user with probability α.
//!
//! # User model
//! That of ERR, for a user who wants one of several subtopics; users whose subtopic is already satisfied gain
//! nothing more. The value is relative to the ideal ranking of the judged documents.
//!
//! # Formula
//! ```math
//! \mathrm{nERR\_IA@}k = \frac{\sum_{i \le k} G_i / i}{\sum_{i \le k} G^*_i / i}, \quad G_i = \sum_{s \ni d_i} (1 - \alpha)^{\mathrm{seen}_s}
//! ```
//! G(i) = Σ over the subtopics to which the document at rank i is relevant of (1 − α)^(documents of the
//! subtopic above it). nERR_IA@k = Σ for i ≤ k of G(i) / i, divided by the same sum over the ideal ranking of
//! the judged documents. Without `@k` both sums are complete. The ideal ranking is greedy: each rank takes the
//! remaining document with the highest G, the larger id among equals. A better ranking may exist, so the value
//! can exceed 1, but not e / (e − 1) = 1.58.
//!
//! # Worked example
//! Subtopic A has the relevant document a, B has a and b, C has c; ranking b, a, then an unjudged document.
//! With α = 0.5, G is 1 at rank 1 and 1 + 0.5 at rank 2. The ideal ranking is a, c, b, with G 2, 1 and 0.5.
//! nERR_IA@2 = (1 + 1.5 / 2) / (2 + 1 / 2) = 0.7.
//!
//! # Undefined when
//! No subtopic has a relevant document.
//!
//! # Differences between tools
//! As in ndeval, pyndeval and `ir_measures`, which reject k above 20 and give 0 where it is undefined.
//! `ir_measures` has no parameter for α.
//!
//! # References
//! Chapelle and others 2009.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::ParamInfo;

use super::{ALPHA, Decay, GREEDY, NormalisedNovelty};

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "nERR_IA",
    aliases: &["nerr-ia"],
    summary: "intent-aware expected reciprocal rank, as a fraction of the ideal ranking's",
    page: crate::page::page!("nerr_ia.rs"),
    params: &[ALPHA, ParamInfo::LEVEL],
    range: GREEDY,
    references: &[
        "O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan: Expected reciprocal rank for graded relevance. CIKM 2009. doi:10.1145/1645953.1646033",
    ],
    build: |params| Ok(NormalisedNovelty::of(params, Decay::Rank)),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{EXAMPLE, check, undefined};

    #[test]
    fn worked_example() {
        check("nERR_IA@2", EXAMPLE, 0.7);
        check("nERR_IA@1", EXAMPLE, 0.5);
    }

    #[test]
    fn edges() {
        check("nERR_IA", EXAMPLE, 1.75 / (2.5 + 0.5 / 3.0));
        check("nERR_IA@5", &[(&[], 1, 1.0)], 0.0);
        undefined("nERR_IA@5", &[(&[1], 1, 0.0)]);
    }
}
