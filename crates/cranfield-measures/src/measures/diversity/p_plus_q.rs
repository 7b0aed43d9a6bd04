//! # What it measures
//! How well a ranking serves each intent (judgement group, column 2 of the qrels) separately: Q-measure if the
//! user wants many documents, P-plus if one good document is enough.
//!
//! # User model
//! Users distributed over the intents by probability: that of Q for an informational intent, that of P-plus for
//! a navigational one.
//!
//! # Formula
//! ```math
//! \mathrm{PPlusQ@}k = \sum_{t\ \mathrm{inf}} p_t\, \mathrm{Q}_t\mathrm{@}k + \sum_{t\ \mathrm{nav}} p_t\, \mathrm{PPlus}_t\mathrm{@}k
//! ```
//! PPlusQ@k = Σ over informational intents t of Pr(t) · Q@k for t + Σ over navigational intents t of Pr(t) ·
//! PPlus@k for t, each computed from the judgements of its intent only. An intent without relevant documents
//! contributes 0. `gains` and `beta` are those of Q and PPlus. The intents file says which intents are
//! navigational; without one, none is, and the measure equals the weighted mean of Q over intents. Pr(t) is the
//! probability of intent t: its weight in the intents file divided by the sum of the topic's weights, or
//! without such a file 1 divided by the number of the topic's judgement groups.
//!
//! # Worked example
//! Intents A (informational, probability 0.75) and B (navigational, 0.25). Grades: a has 1 for A and 2 for B, b
//! has 2 for A, c has 1 for B; ranking b, an unjudged document, a, c. Q for A = (1 + (2 + 3) / (3 + 3)) / 2 =
//! 0.916667. PPlus for B = (1 + 2) / (3 + 3) = 0.5, since a is its best document. PPlusQ = 0.75 · 0.916667 +
//! 0.25 · 0.5 = 0.8125.
//!
//! # Undefined when
//! No intent has a document with a positive gain, or a sum of gains overflows.
//!
//! # Differences between tools
//! Same as `P+Q` in NTCIREVAL.
//!
//! # References
//! Sakai 2012.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::Params;

use super::global::PerIntent;
use crate::measures::blended;

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "PPlusQ",
    aliases: &["p+q"],
    summary: "weighted mean of Q-measure for informational and P-plus for navigational intents (P+Q)",
    page: crate::page::page!("p_plus_q.rs"),
    params: &[blended::GAINS, blended::BETA],
    references: &["T. Sakai: Evaluation with informational and navigational intents. WWW 2012"],
    build,
    ..MeasureInfo::DEFAULT
};

fn build(params: &Params) -> Result<Computation, Error> {
    let measure = PerIntent::of("Q", "PPlus", params)?;
    Ok(Computation::grouped(measure))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{INTENTS, check_judged, undefined_judged};

    #[test]
    fn worked_example() {
        check_judged("PPlusQ", INTENTS, 0.8125);
        check_judged("P+Q@1", INTENTS, 0.75);
    }

    #[test]
    fn edges() {
        // Without intents, Q for both: 11/12, and (3/6 + (2 + 3)/(4 + 3)) / 2.
        let (first, second) = (11.0 / 12.0, (0.5 + 5.0 / 7.0) / 2.0);
        check_judged(
            "PPlusQ",
            (INTENTS.0, &[], INTENTS.2),
            0.5 * first + 0.5 * second,
        );
        let judged = &[("A", "a", 0.0), ("B", "b", 1.0)];
        check_judged("PPlusQ", (judged, &[], &["b"]), 0.5);
        undefined_judged("PPlusQ", (&[("A", "a", 0.0)], &[], &["a"]));
    }
}
