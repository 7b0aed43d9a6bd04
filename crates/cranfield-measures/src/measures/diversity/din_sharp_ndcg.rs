//! # What it measures
//! Weighted mean of intent recall and DIN_nDCG: D#-nDCG for topics with navigational intents, for which one
//! document is enough.
//!
//! # User model
//! That of DIN_nDCG, combined with a user who only checks whether each intent is covered.
//!
//! # Formula
//! ```math
//! \mathrm{DINsharp\_nDCG@}k = \gamma\, \mathrm{StRecall@}k + (1 - \gamma)\, \mathrm{DIN\_nDCG@}k
//! ```
//! DINsharp_nDCG@k = γ · StRecall@k + (1 − γ) · DIN_nDCG@k, where γ is `gamma` and `rel` is the lowest relevant
//! grade for StRecall, the intent recall. The intents file says which intents are navigational; without one,
//! none is, and the measure equals Dsharp_nDCG. Pr(t) is the probability of intent t: its weight in the intents
//! file divided by the sum of the topic's weights, or without such a file 1 divided by the number of the
//! topic's judgement groups.
//!
//! # Worked example
//! Intents A (probability 0.75) and B (0.25). Grades: a has 1 for A and 2 for B, b has 2 for A, c has 1 for B; ranking b, an
//! unjudged document, a, c. Global gains: a 0.75 · 1 + 0.25 · 2 = 1.25, b 1.5, c 0.25.
//! B is navigational. The ranking covers both intents, and DIN_nDCG is 0.880405:
//! DINsharp_nDCG = 0.5 · 1 + 0.5 · 0.880405 = 0.940203.
//!
//! # Undefined when
//! No intent has a relevant document, no judged document has a positive global gain, or a sum of gains
//! overflows.
//!
//! # Differences between tools
//! Same as `DIN#-nDCG` in NTCIREVAL with the discount of its `MSnDCG`. Its manual requires a relevant document
//! for every intent; here intents without one are excluded from intent recall.
//!
//! # References
//! Sakai 2012.

use cranfield_core::gains::Gains;
use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::ParamInfo;

use super::global::{GAMMA, Global, Sharp};
use crate::measures::discount::Discount;

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "DINsharp_nDCG",
    aliases: &["din#-ndcg", "din#_ndcg"],
    summary: "weighted mean of intent recall and DIN_nDCG (DIN#-nDCG)",
    page: crate::page::page!("din_sharp_ndcg.rs"),
    params: &[
        GAMMA,
        Gains::PARAM,
        Discount::PARAM,
        Discount::BASE,
        ParamInfo::LEVEL,
    ],
    references: &["T. Sakai: Evaluation with informational and navigational intents. WWW 2012"],
    build: |params| Ok(Sharp::of(Global::by_kind("nDCG", params)?, params)),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{INTENTS, check_judged, undefined_judged};

    #[test]
    fn worked_example() {
        let din_ndcg = 2.125 / (1.625 + 1.25 / 3f64.log2());
        check_judged("DINsharp_nDCG", INTENTS, 0.5 + 0.5 * din_ndcg);
        check_judged("DIN#-nDCG(gamma=0)", INTENTS, din_ndcg);
    }

    #[test]
    fn edges() {
        check_judged("DINsharp_nDCG", (INTENTS.0, INTENTS.1, &["x"]), 0.0);
        undefined_judged("DINsharp_nDCG", (&[("A", "a", 0.0)], &[], &["a"]));
    }
}
