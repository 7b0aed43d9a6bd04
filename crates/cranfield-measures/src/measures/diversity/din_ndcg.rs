//! # What it measures
//! D_nDCG for topics with navigational intents, for which one document is enough: only the first document
//! relevant to such an intent (judgement group, column 2 of the qrels) has a gain for it.
//!
//! # User model
//! That of D_nDCG; users with a navigational intent stop at the first document relevant to it.
//!
//! # Formula
//! ```math
//! \mathrm{DIN\_nDCG@}k = \frac{\sum_{i \le k} \left( \sum_{t\ \mathrm{inf}} p_t\, g_t(i) + \sum_{t\ \mathrm{nav}} \mathrm{new}_t(i) p_t\, g_t(i) \right) / \log_2(i + 1)}{\sum_{i \le k} \mathrm{GG}^*_i / \log_2(i + 1)}
//! ```
//! DIN_nDCG@k = Σ over ranks i ≤ k of GG(i) / log2(i + 1), divided by the same sum over the ideal ranking of
//! D_nDCG@k. GG(i) = Σ over intents t of Pr(t) · g(t, i), without the navigational intents for which a document
//! above i has a positive gain. `gains`, `discount` and `base` are those of D_nDCG. The intents file says which
//! intents are navigational; without one, none is, and the measure equals D_nDCG. Pr(t) is the probability of
//! intent t: its weight in the intents file divided by the sum of the topic's weights, or without such a file 1
//! divided by the number of the topic's judgement groups.
//!
//! # Worked example
//! Intents A (probability 0.75) and B (0.25). Grades: a has 1 for A and 2 for B, b has 2 for A, c has 1 for B;
//! ranking b, an unjudged document, a, c. Global gains: a 0.75 · 1 + 0.25 · 2 = 1.25, b 1.5, c 0.25. B is
//! navigational: a at rank 3 satisfies it, so c has no gain. DIN_nDCG = (1.5 + 1.25 / 2 + 0) / (1.5 + 1.25 /
//! log2 3 + 0.25 / 2) = 0.880405, where D_nDCG is 0.925013.
//!
//! # Undefined when
//! No judged document has a positive global gain, or a sum of gains overflows.
//!
//! # Differences between tools
//! Same as `DIN-nDCG` in NTCIREVAL with the discount of its `MSnDCG`. The ideal ranking ignores the types of
//! intents, so possibly no ranking reaches 1.
//!
//! # References
//! Sakai 2012.

use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, MeasureInfo};

use super::global::Global;
use crate::measures::discount::Discount;

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "DIN_nDCG",
    aliases: &["din-ndcg"],
    summary: "D_nDCG in which one document satisfies a navigational intent",
    page: crate::page::page!("din_ndcg.rs"),
    params: &[Gains::PARAM, Discount::PARAM, Discount::BASE],
    references: &["T. Sakai: Evaluation with informational and navigational intents. WWW 2012"],
    build: |params| Ok(Computation::grouped(Global::by_kind("nDCG", params)?)),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{INTENTS, check_judged, undefined_judged};

    #[test]
    fn worked_example() {
        let ideal = 1.625 + 1.25 / 3f64.log2();
        check_judged("DIN_nDCG", INTENTS, 2.125 / ideal);
        check_judged("D_nDCG", INTENTS, (2.125 + 0.25 / 5f64.log2()) / ideal);
    }

    #[test]
    fn edges() {
        // c satisfies B first, then a has a gain for A only.
        check_judged(
            "DIN_nDCG@2",
            (INTENTS.0, INTENTS.1, &["c", "a"]),
            (0.25 + 0.75 / 3f64.log2()) / (1.5 + 1.25 / 3f64.log2()),
        );
        check_judged("DIN-nDCG", (INTENTS.0, &[], &["a", "b", "c"]), 1.0);
        undefined_judged("DIN_nDCG", (&[("A", "a", 0.0)], &[], &["a"]));
    }
}
