//! # What it measures
//! Novelty- and rank-biased precision, relative to the ideal ranking of the judged documents: each further
//! document on a subtopic (judgement group, column 2 of the qrels) is worth less than the one before.
//!
//! # User model
//! That of RBP, for a user who wants one of several subtopics; further documents on it are worth less. The
//! value is relative to the ideal ranking of the judged documents.
//!
//! # Formula
//! ```math
//! \mathrm{nNRBP} = \frac{\sum_i G_i\, \beta^{i - 1}}{\sum_i G^*_i\, \beta^{i - 1}}, \quad G_i = \sum_{s \ni d_i} (1 - \alpha)^{\mathrm{seen}_s}
//! ```
//! G(i) = Σ over the subtopics to which the document at rank i is relevant of (1 − α)^(documents of the
//! subtopic above it). nNRBP = Σ over all ranks i of G(i) · β^(i − 1), divided by the same sum over the ideal
//! ranking of the judged documents. The ideal ranking is greedy: each rank takes the remaining document with
//! the highest G, the larger id among equals. A better ranking may exist, so the value can exceed 1, but not e
//! / (e − 1) = 1.58.
//!
//! # Worked example
//! Subtopic A has the relevant document a, B has a and b, C has c; ranking b, a, then an unjudged document.
//! With α = β = 0.5, G is 1 at rank 1 and 1 + 0.5 at rank 2. The ideal ranking is a, c, b, with G 2, 1 and 0.5.
//! nNRBP = (1 + 1.5 · 0.5) / (2 + 1 · 0.5 + 0.5 · 0.25) = 0.666667.
//!
//! # Undefined when
//! No subtopic has a relevant document.
//!
//! # Differences between tools
//! As in ndeval, pyndeval and `ir_measures`, which give NaN where it is undefined, and for α = 0 with β = 1.
//!
//! # References
//! Clarke, Kolla and Vechtomova 2009.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::{CutoffRule, ParamInfo};

use super::{ALPHA, BETA, Decay, GREEDY, NormalisedNovelty};

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "nNRBP",
    summary: "novelty- and rank-biased precision, as a fraction of the ideal ranking's",
    page: crate::page::page!("nnrbp.rs"),
    params: &[ALPHA, BETA, ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    range: GREEDY,
    references: &[
        "C. L. A. Clarke, M. Kolla and O. Vechtomova: An effectiveness measure for ambiguous and underspecified queries. ICTIR 2009. doi:10.1007/978-3-642-04417-5_17",
    ],
    build: |params| {
        Ok(NormalisedNovelty::of(
            params,
            Decay::Power(params.real("beta")),
        ))
    },
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{EXAMPLE, check, undefined};

    #[test]
    fn worked_example() {
        check("nNRBP", EXAMPLE, 1.75 / 2.625);
    }

    #[test]
    fn edges() {
        check("nNRBP(beta=0)", EXAMPLE, 0.5);
        check("nNRBP(alpha=0, beta=1)", EXAMPLE, 3.0 / 4.0);
        check("nNRBP", &[(&[], 1, 1.0)], 0.0);
        undefined("nNRBP", &[(&[1], 1, 0.0)]);
    }
}
