//! # What it measures
//! Gain from novelty: each further document on a subtopic (judgement group, column 2 of the qrels) is worth
//! less than the one before, and lower ranks are worth less. Divided by the gain of a hypothetical ranking in
//! which every document is relevant to all subtopics.
//!
//! # User model
//! Wants one of several subtopics, reads as the user of DCG, and discounts each further document on the same
//! subtopic by the factor 1 - alpha.
//!
//! # Formula
//! ```math
//! \mathrm{alpha\_DCG@}k = \frac{\sum_{i \le k} G_i / \log_2(i + 1)}{\sum_{i \le k} M (1 - \alpha)^{i - 1} / \log_2(i + 1)}, \quad G_i = \sum_{s \ni d_i} (1 - \alpha)^{\mathrm{seen}_s}
//! ```
//! G(i) = Σ over the subtopics to which the document at rank i is relevant of (1 − α)^(documents of the subtopic above it).
//! alpha_DCG@k = Σ for i ≤ k of G(i) / log2(i + 1), divided by Σ for i ≤ k of M · (1 − α)^(i − 1) / log2(i + 1): the value if every document
//! were relevant to each of the M subtopics that have a relevant document. k is at most 1000000.
//!
//! # Worked example
//! Subtopic A has the relevant document a, B has a and b, C has c; ranking b, a, then an unjudged document.
//! With α = 0.5, G is 1 at rank 1 and 1 + 0.5 at rank 2. alpha_DCG@2 = (1 + 1.5 / log2 3) / (3 + 1.5 / log2 3) = 0.493207.
//!
//! # Undefined when
//! No subtopic has a relevant document.
//!
//! # Differences between tools
//! ndeval, pyndeval and `ir_measures` do not normalise at k = 1, where their value is a plain count, and reject
//! k above 20; here k = 1 is normalised like any other cutoff. They give 0 where the measure is undefined.
//!
//! # References
//! Clarke and others 2008.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo, Params};

use super::{ALPHA, Decay, Novelty};

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "alpha_DCG",
    aliases: &["alpha-dcg", "α_dcg"],
    summary: "discounted gain from novel subtopics",
    page: crate::page::page!("alpha_dcg.rs"),
    params: &[ALPHA, ParamInfo::LEVEL],
    cutoff: CutoffRule::Required,
    references: &[
        "C. L. A. Clarke and others: Novelty and diversity in information retrieval evaluation. SIGIR 2008. doi:10.1145/1390334.1390446",
    ],
    build,
    ..MeasureInfo::DEFAULT
};

fn build(params: &Params) -> Result<Computation, Error> {
    let measure = Novelty::new(params, Decay::Log2)?;
    Ok(Computation::grouped(measure))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{EXAMPLE, check, undefined};

    #[test]
    fn worked_example() {
        let second = 1.5 / 3f64.log2();
        check("alpha_DCG@2", EXAMPLE, (1.0 + second) / (3.0 + second));
        check("alpha_DCG@1", EXAMPLE, 1.0 / 3.0);
    }

    #[test]
    fn edges() {
        check(
            "alpha_DCG(alpha=1)@2",
            EXAMPLE,
            (1.0 + 1.0 / 3f64.log2()) / 3.0,
        );
        check("alpha_DCG(alpha=0)@1", &[(&[1], 1, 1.0)], 1.0);
        check("alpha_DCG@5", &[(&[], 1, 1.0)], 0.0);
        undefined("alpha_DCG@5", &[(&[1], 1, 0.0)]);
    }
}
