//! # What it measures
//! Q-measure for all users of an ambiguous topic: the gain of a document is its global gain, the sum over
//! intents (judgement groups, column 2 of the qrels) of its gain weighted by the intent's probability.
//!
//! # User model
//! An average user of Q: users are distributed over the intents by probability, and a document is worth its
//! expected gain.
//!
//! # Formula
//! ```math
//! \mathrm{D\_Q@}k = \frac{1}{\min(R, k)} \sum_{r \le k,\ \mathrm{rel}} \frac{H_r + \beta\, \mathrm{cg}_r}{r + \beta\, \mathrm{cg}^*_r}, \quad \mathrm{cg}_r = \sum_{i \le r} \mathrm{GG}_i, \quad \mathrm{GG}(d) = \sum_t p_t\, g_t(d)
//! ```
//! D_Q@k = Q@k where the gain of a document d is GG(d) = Σ over intents t of Pr(t) · g(t, d); g(t, d) is the
//! gain of d's grade for t by `gains`. A document is relevant if its global gain is positive, and the ideal
//! ranking has all judged documents in descending order of GG. β is `beta`, as in Q. Pr(t) is the probability
//! of intent t: its weight in the intents file divided by the sum of the topic's weights, or without such a
//! file 1 divided by the number of the topic's judgement groups.
//!
//! # Worked example
//! Intents A (probability 0.75) and B (0.25). Grades: a has 1 for A and 2 for B, b has 2 for A, c has 1 for B; ranking b, an
//! unjudged document, a, c. Global gains: a 0.75 · 1 + 0.25 · 2 = 1.25, b 1.5, c 0.25.
//! cg* is 1.5, 2.75, 3, …: the blended ratios are 1, (2 + 2.75) / (3 + 3) = 0.791667 and (3 + 3) / (4 + 3) = 0.857143.
//! D_Q = (1 + 0.791667 + 0.857143) / 3 = 0.882937.
//!
//! # Undefined when
//! No judged document has a positive global gain, or a sum of gains overflows.
//!
//! # Differences between tools
//! Same as `D-Q` in NTCIREVAL. Unlike D_nDCG, D_Q depends on the scale of the probabilities, since the blended
//! ratio compares gains with numbers of documents.
//!
//! # References
//! Sakai and Song 2011.

use cranfield_core::measure::{Computation, MeasureInfo};

use super::global::Global;
use crate::measures::blended;

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "D_Q",
    aliases: &["d-q"],
    summary: "Q-measure of gains weighted by intent probabilities",
    page: crate::page::page!("d_q.rs"),
    params: &[blended::GAINS, blended::BETA],
    references: &[
        "T. Sakai and R. Song: Evaluating diversified search results using per-intent graded relevance. SIGIR 2011. doi:10.1145/2009916.2010055",
    ],
    build: |params| Ok(Computation::grouped(Global::of("Q", params)?)),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{INTENTS, check_judged, undefined_judged};

    #[test]
    fn worked_example() {
        let (second, third) = (4.75 / 6.0, 6.0 / 7.0);
        check_judged("D_Q", INTENTS, (1.0 + second + third) / 3.0);
        check_judged("D_Q@3", INTENTS, (1.0 + second) / 3.0);
        check_judged("D-Q@1", INTENTS, 1.0);
    }

    #[test]
    fn edges() {
        check_judged("D_Q(beta=0)", INTENTS, (1.0 + 2.0 / 3.0 + 3.0 / 4.0) / 3.0);
        check_judged("D_Q", (INTENTS.0, INTENTS.1, &["x"]), 0.0);
        undefined_judged("D_Q", (&[("A", "a", 0.0)], &[], &["a"]));
    }
}
