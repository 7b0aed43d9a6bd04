//! # What it measures
//! nDCG for all users of an ambiguous topic: the gain of a document is its global gain, the sum over intents
//! (judgement groups, column 2 of the qrels) of its gain weighted by the intent's probability.
//!
//! # User model
//! An average user of nDCG: users are distributed over the intents by probability, and a document is worth its
//! expected gain.
//!
//! # Formula
//! ```math
//! \mathrm{D\_nDCG@}k = \frac{\sum_{i \le k} \mathrm{GG}_i / \log_2(i + 1)}{\sum_{i \le k} \mathrm{GG}^*_i / \log_2(i + 1)}, \quad \mathrm{GG}(d) = \sum_t p_t\, g_t(d)
//! ```
//! D_nDCG@k = nDCG@k where the gain of a document d is GG(d) = Σ over intents t of Pr(t) · g(t, d); g(t, d) is
//! the gain of d's grade for t by `gains`, and the ideal ranking has all judged documents in descending order
//! of GG. `discount` and `base` are those of nDCG. Pr(t) is the probability of intent t: its weight in the
//! intents file divided by the sum of the topic's weights, or without such a file 1 divided by the number of
//! the topic's judgement groups.
//!
//! # Worked example
//! Intents A (probability 0.75) and B (0.25). Grades: a has 1 for A and 2 for B, b has 2 for A, c has 1 for B; ranking b, an
//! unjudged document, a, c. Global gains: a 0.75 · 1 + 0.25 · 2 = 1.25, b 1.5, c 0.25.
//! D_nDCG@3 = (1.5 + 1.25 / 2) / (1.5 + 1.25 / log2 3 + 0.25 / 2) = 0.880405.
//!
//! # Undefined when
//! No judged document has a positive global gain, or a sum of gains overflows.
//!
//! # Differences between tools
//! Same as `D-nDCG` in NTCIREVAL with the discount of its `MSnDCG`; `discount='jk'` is that of its `nDCG`.
//!
//! # References
//! Sakai and Song 2011.

use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, MeasureInfo};

use super::global::Global;
use crate::measures::discount::Discount;

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "D_nDCG",
    aliases: &["d-ndcg"],
    summary: "nDCG of gains weighted by intent probabilities",
    page: crate::page::page!("d_ndcg.rs"),
    params: &[Gains::PARAM, Discount::PARAM, Discount::BASE],
    references: &[
        "T. Sakai and R. Song: Evaluating diversified search results using per-intent graded relevance. SIGIR 2011. doi:10.1145/2009916.2010055",
    ],
    build: |params| Ok(Computation::grouped(Global::of("nDCG", params)?)),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{INTENTS, check, check_judged, undefined_judged};

    #[test]
    fn worked_example() {
        let (found, ideal) = (1.5 + 0.625, 1.5 + 1.25 / 3f64.log2() + 0.125);
        check_judged("D_nDCG@3", INTENTS, found / ideal);
        check_judged("D_nDCG", INTENTS, (found + 0.25 / 5f64.log2()) / ideal);
        check_judged("D_nDCG@1", INTENTS, 1.0);
    }

    #[test]
    fn gains_and_discounts() {
        // Gains 1 and 3: a has 0.75 + 0.75, b 2.25, c 0.25.
        let ideal = 2.25 + 1.5 / 3f64.log2() + 0.125;
        check_judged("D_nDCG(gains='exp')@3", INTENTS, (2.25 + 0.75) / ideal);
        check_judged(
            "D-nDCG(discount='none')@3",
            INTENTS,
            (1.5 + 1.25) / (1.5 + 1.25 + 0.25),
        );
    }

    #[test]
    fn edges() {
        // Without probabilities intents are equally likely: gains 1, 2 and 1 of the documents at ranks 1, 2 and none, halved.
        check(
            "D_nDCG",
            &[(&[2], 1, 1.0), (&[1, 2], 2, 1.0), (&[], 1, 1.0)],
            (1.0 + 2.0 / 3f64.log2()) / (2.0 + 1.0 / 3f64.log2() + 0.5),
        );
        check_judged("D_nDCG", (INTENTS.0, INTENTS.1, &["x"]), 0.0);
        undefined_judged("D_nDCG", (&[("A", "a", 0.0)], &[], &["a"]));
        let only_b = &[("A", 1.0, INTENTS.1[0].2), ("B", 0.0, INTENTS.1[1].2)];
        undefined_judged(
            "D_nDCG",
            (&[("A", "a", 0.0), ("B", "b", 1.0)], only_b, &["b"]),
        );
        let huge = &["a", "b", "c"].map(|doc| ("A", doc, 1e308));
        undefined_judged("D_nDCG", (huge, &[], &["a"]));
    }
}
