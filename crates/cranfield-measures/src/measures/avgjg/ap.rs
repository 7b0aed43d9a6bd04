//! # What it measures
//! Average precision for the judgements of each group (an assessor or an interpretation of the topic), averaged
//! over groups: how well the ranking serves users who disagree about relevance.
//!
//! # User model
//! One user of AP per judgement group, who agrees with that group's judgements.
//!
//! # Formula
//! ```math
//! \mathrm{APavgjg@}k = \frac{1}{J} \sum_{j=1}^{J} \mathrm{AP}_j\mathrm{@}k
//! ```
//! `APavgjg@k` = mean over judgement groups of AP@k, where documents that only other groups judged are unjudged.
//! A group without relevant documents counts 0.
//!
//! # Worked example
//! Group A judges a relevant; group B judges b relevant and a non-relevant; group C judges c relevant; ranking
//! a, b. AP is 1/1, 1/2 and 0: mean 0.5.
//!
//! # Undefined when
//! No group of the topic has a relevant document.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as `map_avgjg` (without a cutoff), with 0 where it is undefined.
//!
//! # References
//! `trec_eval` since version 9; Buckley and Voorhees 2005 on average precision.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::ParamInfo;

use super::GroupMean;

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "APavgjg",
    summary: "average precision, averaged over judgement groups",
    page: crate::page::page!("ap.rs"),
    params: &[ParamInfo::LEVEL],
    references: &[
        "C. Buckley: trec_eval, versions 9 and 10, https://github.com/usnistgov/trec_eval",
        "C. Buckley and E. Voorhees: Retrieval system evaluation. In: TREC: Experiment and Evaluation in Information Retrieval, MIT Press, 2005",
    ],
    build: |params| GroupMean::of("AP", params),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{EXAMPLE, check, undefined};

    #[test]
    fn worked_example() {
        check("APavgjg", EXAMPLE, (1.0 + 0.5 + 0.0) / 3.0);
        check("APavgjg@1", EXAMPLE, (1.0 + 0.0 + 0.0) / 3.0);
    }

    #[test]
    fn edges() {
        check("APavgjg", &EXAMPLE[1..2], 0.5);
        check("APavgjg", &[(&[(1, 1.0)], 1, 0), (&[(1, 0.0)], 0, 1)], 0.5);
        undefined("APavgjg", &[(&[(1, 0.0)], 0, 1)]);
    }
}
