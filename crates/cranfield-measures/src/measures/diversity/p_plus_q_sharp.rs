//! # What it measures
//! Weighted mean of intent recall, the fraction of intents that the ranking covers, and PPlusQ.
//!
//! # User model
//! That of PPlusQ, combined with a user who only checks whether each intent is covered.
//!
//! # Formula
//! ```math
//! \mathrm{PPlusQsharp@}k = \gamma\, \mathrm{StRecall@}k + (1 - \gamma)\, \mathrm{PPlusQ@}k
//! ```
//! PPlusQsharp@k = γ · StRecall@k + (1 − γ) · PPlusQ@k, where γ is `gamma` and `rel` is the lowest relevant
//! grade for StRecall, the intent recall. The intents file says which intents are navigational; without one,
//! none is, and the measure uses the weighted mean of Q over intents. Pr(t) is the probability of intent t: its
//! weight in the intents file divided by the sum of the topic's weights, or without such a file 1 divided by
//! the number of the topic's judgement groups.
//!
//! # Worked example
//! Intents A (informational, probability 0.75) and B (navigational, 0.25). Grades: a has 1 for A and 2 for B, b
//! has 2 for A, c has 1 for B; ranking b, an unjudged document, a, c. Q for A = (1 + (2 + 3) / (3 + 3)) / 2 =
//! 0.916667. PPlus for B = (1 + 2) / (3 + 3) = 0.5, since a is its best document. PPlusQ = 0.75 · 0.916667 +
//! 0.25 · 0.5 = 0.8125. Both intents are covered: PPlusQsharp = 0.5 · 1 + 0.5 · 0.8125 = 0.90625.
//!
//! # Undefined when
//! No intent has a relevant document or one with a positive gain, or a sum of gains overflows.
//!
//! # Differences between tools
//! Same as `P+Q#` in NTCIREVAL. Its manual requires a relevant document for every intent; here intents without
//! one are excluded from intent recall.
//!
//! # References
//! Sakai 2012.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::{ParamInfo, Params};

use super::global::{GAMMA, PerIntent, Sharp};
use crate::measures::blended;

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "PPlusQsharp",
    aliases: &["p+q#"],
    summary: "weighted mean of intent recall and PPlusQ (P+Q#)",
    page: crate::page::page!("p_plus_q_sharp.rs"),
    params: &[GAMMA, blended::GAINS, blended::BETA, ParamInfo::LEVEL],
    references: &["T. Sakai: Evaluation with informational and navigational intents. WWW 2012"],
    build,
    ..MeasureInfo::DEFAULT
};

fn build(params: &Params) -> Result<Computation, Error> {
    let inner = PerIntent::of("Q", "PPlus", params)?;
    Ok(Sharp::of(inner, params))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{INTENTS, check_judged, undefined_judged};

    #[test]
    fn worked_example() {
        check_judged("PPlusQsharp", INTENTS, 0.90625);
        check_judged("P+Q#@1", INTENTS, 0.5 * 0.5 + 0.5 * 0.75);
    }

    #[test]
    fn edges() {
        check_judged("PPlusQsharp", (INTENTS.0, INTENTS.1, &["x"]), 0.0);
        undefined_judged("PPlusQsharp", (&[("A", "a", 0.0)], &[], &["a"]));
    }
}
