//! # What it measures
//! Gain from novelty, relative to the ideal ranking of the judged documents: each further document on a
//! subtopic (judgement group, column 2 of the qrels) is worth less than the one before, and lower ranks are
//! worth less.
//!
//! # User model
//! Wants one of several subtopics, reads as the user of DCG, and discounts each further document on the same
//! subtopic by the factor 1 - alpha. The value is relative to the ideal ranking of the judged documents.
//!
//! # Formula
//! ```math
//! \mathrm{alpha\_nDCG@}k = \frac{\sum_{i \le k} G_i / \log_2(i + 1)}{\sum_{i \le k} G^*_i / \log_2(i + 1)}, \quad G_i = \sum_{s \ni d_i} (1 - \alpha)^{\mathrm{seen}_s}
//! ```
//! G(i) = Σ over the subtopics to which the document at rank i is relevant of (1 − α)^(documents of the
//! subtopic above it). alpha_nDCG@k = Σ for i ≤ k of G(i) / log2(i + 1), divided by the same sum over the ideal
//! ranking of the judged documents. Without `@k` both sums are complete. The ideal ranking is greedy: each rank
//! takes the remaining document with the highest G, the larger id among equals. A better ranking may exist, so
//! the value can exceed 1, but not e / (e − 1) = 1.58.
//!
//! # Worked example
//! Subtopic A has the relevant document a, B has a and b, C has c; ranking b, a, then an unjudged document.
//! With α = 0.5, G is 1 at rank 1 and 1 + 0.5 at rank 2. The ideal ranking is a, c, b, with G 2, 1 and 0.5.
//! alpha_nDCG@2 = (1 + 1.5 / log2 3) / (2 + 1 / log2 3) = 0.739812.
//!
//! # Undefined when
//! No subtopic has a relevant document.
//!
//! # Differences between tools
//! As in ndeval, pyndeval and `ir_measures`, which reject k above 20 and give 0 where it is undefined. What
//! some tools call alpha-nDCG, without a greedy ideal, is `alpha_DCG` here.
//!
//! # References
//! Clarke and others 2008.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::ParamInfo;

use super::{ALPHA, Decay, GREEDY, NormalisedNovelty};

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "alpha_nDCG",
    aliases: &["alpha-ndcg", "α_ndcg"],
    summary: "discounted gain from novel subtopics, as a fraction of the ideal ranking's",
    page: crate::page::page!("alpha_ndcg.rs"),
    params: &[ALPHA, ParamInfo::LEVEL],
    range: GREEDY,
    references: &[
        "C. L. A. Clarke and others: Novelty and diversity in information retrieval evaluation. SIGIR 2008. doi:10.1145/1390334.1390446",
    ],
    build: |params| Ok(NormalisedNovelty::of(params, Decay::Log2)),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{EXAMPLE, check, undefined};

    #[test]
    fn worked_example() {
        let (found, ideal) = (1.0 + 1.5 / 3f64.log2(), 2.0 + 1.0 / 3f64.log2());
        check("alpha_nDCG@2", EXAMPLE, found / ideal);
        check("alpha_nDCG@1", EXAMPLE, 0.5);
        check("alpha_nDCG", EXAMPLE, found / (ideal + 0.25));
    }

    #[test]
    fn edges() {
        // With α = 1 only the first document of a subtopic counts, with α = 0 all count equally.
        check(
            "alpha_nDCG(alpha=1)@5",
            EXAMPLE,
            (1.0 + 1.0 / 3f64.log2()) / (2.0 + 1.0 / 3f64.log2()),
        );
        check(
            "alpha_nDCG(alpha=0)@2",
            EXAMPLE,
            (1.0 + 2.0 / 3f64.log2()) / (2.0 + 1.0 / 3f64.log2()),
        );
        check("alpha_nDCG@18446744073709551615", EXAMPLE, {
            let ideal = 2.0 + 1.0 / 3f64.log2() + 0.25;
            (1.0 + 1.5 / 3f64.log2()) / ideal
        });
        check("alpha_nDCG(rel=2)@5", &[(&[2], 1, 2.0)], 1.0 / 3f64.log2());
        check("alpha_nDCG@5", &[(&[], 1, 1.0)], 0.0);
        undefined("alpha_nDCG@5", &[(&[1], 1, 0.0)]);
    }
}
