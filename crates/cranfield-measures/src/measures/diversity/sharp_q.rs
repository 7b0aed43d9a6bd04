//! # What it measures
//! Weighted mean of intent recall, the fraction of intents that the ranking covers, and D_Q: a ranking should
//! cover the intents (judgement groups, column 2 of the qrels) and rank documents for likely intents early.
//!
//! # User model
//! That of D_Q, combined with a user who only checks whether each intent is covered.
//!
//! # Formula
//! ```math
//! \mathrm{Dsharp\_Q@}k = \gamma\, \mathrm{StRecall@}k + (1 - \gamma)\, \mathrm{D\_Q@}k
//! ```
//! Dsharp_Q@k = γ · StRecall@k + (1 − γ) · D_Q@k, where γ is `gamma` and `rel` is the lowest relevant grade for
//! StRecall, the intent recall. Pr(t) is the probability of intent t: its weight in the intents file divided by
//! the sum of the topic's weights, or without such a file 1 divided by the number of the topic's judgement
//! groups.
//!
//! # Worked example
//! Intents A (probability 0.75) and B (0.25). Grades: a has 1 for A and 2 for B, b has 2 for A, c has 1 for B; ranking b, an
//! unjudged document, a, c. Global gains: a 0.75 · 1 + 0.25 · 2 = 1.25, b 1.5, c 0.25.
//! The ranking covers both intents, and D_Q is 0.882937: Dsharp_Q = 0.5 · 1 + 0.5 · 0.882937 = 0.941468.
//!
//! # Undefined when
//! No intent has a relevant document, no judged document has a positive global gain, or a sum of gains
//! overflows.
//!
//! # Differences between tools
//! Same as `D#-Q` in NTCIREVAL. Its manual requires a relevant document for every intent; here intents without
//! one are excluded from intent recall.
//!
//! # References
//! Sakai and Song 2011.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::ParamInfo;

use super::global::{GAMMA, Global, Sharp};
use crate::measures::blended;

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "Dsharp_Q",
    aliases: &["d#-q", "d#_q"],
    summary: "weighted mean of intent recall and D_Q (D#-Q)",
    page: crate::page::page!("sharp_q.rs"),
    params: &[GAMMA, blended::GAINS, blended::BETA, ParamInfo::LEVEL],
    references: &[
        "T. Sakai and R. Song: Evaluating diversified search results using per-intent graded relevance. SIGIR 2011. doi:10.1145/2009916.2010055",
    ],
    build: |params| Ok(Sharp::of(Global::of("Q", params)?, params)),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{INTENTS, check_judged, undefined_judged};

    #[test]
    fn worked_example() {
        let d_q = (1.0 + 4.75 / 6.0 + 6.0 / 7.0) / 3.0;
        check_judged("Dsharp_Q", INTENTS, 0.5 + 0.5 * d_q);
        check_judged("D#-Q(gamma=0)", INTENTS, d_q);
    }

    #[test]
    fn edges() {
        check_judged("Dsharp_Q", (INTENTS.0, INTENTS.1, &["x"]), 0.0);
        undefined_judged("Dsharp_Q", (&[("A", "a", 0.0)], &[], &["a"]));
    }
}
