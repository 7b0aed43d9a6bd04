//! # What it measures
//! Precision at k for the judgements of each group (an assessor or an interpretation of the topic), averaged
//! over groups.
//!
//! # User model
//! One user of P per judgement group, who agrees with that group's judgements.
//!
//! # Formula
//! ```math
//! \mathrm{Pavgjg@}k = \frac{1}{J} \sum_{j=1}^{J} \mathrm{P}_j\mathrm{@}k
//! ```
//! `Pavgjg@k` = mean over judgement groups of P@k, where documents that only other groups judged are unjudged.
//!
//! # Worked example
//! Group A judges a relevant; group B judges b relevant and a non-relevant; group C judges c relevant; ranking
//! a, b. P@5 is 1/5, 1/5 and 0: mean 0.133333.
//!
//! # Undefined when
//! The topic has no judgement group.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as `P_avgjg`, with 0 where it is undefined.
//!
//! # References
//! `trec_eval` since version 9; Harman 1992 on precision.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::{CutoffRule, ParamInfo};

use super::GroupMean;

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "Pavgjg",
    summary: "precision at k, averaged over judgement groups",
    page: crate::page::page!("precision.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::Required,
    references: &[
        "C. Buckley: trec_eval, versions 9 and 10, https://github.com/usnistgov/trec_eval",
        "D. Harman: Evaluation issues in information retrieval. Information Processing and Management 28(4), 1992. doi:10.1016/0306-4573(92)90001-G",
    ],
    build: |params| GroupMean::of("P", params),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{EXAMPLE, check};

    #[test]
    fn worked_example() {
        check("Pavgjg@5", EXAMPLE, (0.2 + 0.2 + 0.0) / 3.0);
        check("Pavgjg@1", EXAMPLE, 1.0 / 3.0);
    }

    #[test]
    fn edges() {
        check("Pavgjg@5", &[(&[(1, 0.0)], 0, 1)], 0.0);
        check("Pavgjg(rel=0)@1", EXAMPLE, 2.0 / 3.0);
    }
}
