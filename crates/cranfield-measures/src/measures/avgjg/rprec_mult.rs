//! # What it measures
//! Precision after a multiple of R documents, for the judgements of each group (an assessor or an
//! interpretation of the topic), averaged over groups.
//!
//! # User model
//! One user of RprecMult per judgement group, who agrees with that group's judgements.
//!
//! # Formula
//! ```math
//! \mathrm{RprecMultavgjg@}x = \frac{1}{J} \sum_{j=1}^{J} \mathrm{RprecMult}_j\mathrm{@}x
//! ```
//! `RprecMultavgjg@x` = mean over judgement groups of `RprecMult@x`, where documents that only other groups
//! judged are unjudged. Each group has its own R; a group without relevant documents counts 0.
//!
//! # Worked example
//! Group A judges a relevant; group B judges b relevant and a non-relevant; group C judges c relevant; ranking
//! a, b. Precision after one document is 1, 0 and 0: `RprecMultavgjg@1` = 0.333333.
//!
//! # Undefined when
//! No group of the topic has a relevant document.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as `Rprec_mult_avgjg`, with 0 where it is undefined.
//!
//! # References
//! `trec_eval` since version 9; Buckley and Voorhees 2005 on R-precision.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::{CutoffRule, ParamInfo};

use super::GroupMean;

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "RprecMultavgjg",
    summary: "precision at a multiple of R, averaged over judgement groups",
    page: crate::page::page!("rprec_mult.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::Point,
    references: &[
        "C. Buckley: trec_eval, versions 9 and 10, https://github.com/usnistgov/trec_eval",
        "C. Buckley and E. Voorhees: Retrieval system evaluation. In: TREC: Experiment and Evaluation in Information Retrieval, MIT Press, 2005",
    ],
    build: |params| GroupMean::of("RprecMult", params),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{EXAMPLE, check};

    #[test]
    fn worked_example() {
        check("RprecMultavgjg@1", EXAMPLE, 1.0 / 3.0);
        check("RprecMultavgjg@2", EXAMPLE, (0.5 + 0.5 + 0.0) / 3.0);
    }

    #[test]
    fn edges() {
        check("RprecMultavgjg@1", &EXAMPLE[..1], 1.0);
    }
}
