//! # What it measures
//! Weighted mean of intent recall, the fraction of intents that the ranking covers, and D_nDCG: a ranking
//! should cover the intents (judgement groups, column 2 of the qrels) and rank documents for likely intents
//! early.
//!
//! # User model
//! That of D_nDCG, combined with a user who only checks whether each intent is covered.
//!
//! # Formula
//! ```math
//! \mathrm{Dsharp\_nDCG@}k = \gamma\, \mathrm{StRecall@}k + (1 - \gamma)\, \mathrm{D\_nDCG@}k
//! ```
//! Dsharp_nDCG@k = γ · StRecall@k + (1 − γ) · D_nDCG@k, where γ is `gamma` and `rel` is the lowest relevant
//! grade for StRecall, the intent recall. Pr(t) is the probability of intent t: its weight in the intents file
//! divided by the sum of the topic's weights, or without such a file 1 divided by the number of the topic's
//! judgement groups.
//!
//! # Worked example
//! Intents A (probability 0.75) and B (0.25). Grades: a has 1 for A and 2 for B, b has 2 for A, c has 1 for B;
//! ranking b, an unjudged document, a, c. Global gains: a 0.75 · 1 + 0.25 · 2 = 1.25, b 1.5, c 0.25. The first
//! 3 documents cover both intents, and D_nDCG@3 is 0.880405: Dsharp_nDCG@3 = 0.5 · 1 + 0.5 · 0.880405 =
//! 0.940203. Dsharp_nDCG@1 = 0.5 · 1/2 + 0.5 · 1 = 0.75.
//!
//! # Undefined when
//! No intent has a relevant document, no judged document has a positive global gain, or a sum of gains
//! overflows.
//!
//! # Differences between tools
//! Same as `D#-nDCG` in NTCIREVAL with the discount of its `MSnDCG`. Its manual requires a relevant document
//! for every intent; here intents without one are excluded from intent recall.
//!
//! # References
//! Sakai and Song 2011.

use cranfield_core::gains::Gains;
use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::ParamInfo;

use super::global::{GAMMA, Global, Sharp};
use crate::measures::discount::Discount;

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "Dsharp_nDCG",
    aliases: &["d#-ndcg", "d#_ndcg"],
    summary: "weighted mean of intent recall and D_nDCG (D#-nDCG)",
    page: crate::page::page!("sharp_ndcg.rs"),
    params: &[
        GAMMA,
        Gains::PARAM,
        Discount::PARAM,
        Discount::BASE,
        ParamInfo::LEVEL,
    ],
    references: &[
        "T. Sakai and R. Song: Evaluating diversified search results using per-intent graded relevance. SIGIR 2011. doi:10.1145/2009916.2010055",
    ],
    build: |params| Ok(Sharp::of(Global::of("nDCG", params)?, params)),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{INTENTS, check_judged, undefined_judged};

    #[test]
    fn worked_example() {
        let d_ndcg = 2.125 / (1.625 + 1.25 / 3f64.log2());
        check_judged("Dsharp_nDCG@3", INTENTS, 0.5 + 0.5 * d_ndcg);
        check_judged("Dsharp_nDCG@1", INTENTS, 0.75);
        check_judged("D#-nDCG(gamma=0.25)@1", INTENTS, 0.25 * 0.5 + 0.75);
    }

    #[test]
    fn edges() {
        check_judged("Dsharp_nDCG(gamma=1, rel=2)@1", INTENTS, 0.5);
        check_judged("Dsharp_nDCG", (INTENTS.0, INTENTS.1, &["x"]), 0.0);
        undefined_judged("Dsharp_nDCG", (&[("A", "a", 0.0)], &[], &["a"]));
        undefined_judged("Dsharp_nDCG(rel=3)", INTENTS);
    }
}
