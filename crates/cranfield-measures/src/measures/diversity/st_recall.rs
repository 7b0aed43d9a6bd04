//! # What it measures
//! Subtopic recall: the fraction of a topic's subtopics (judgement groups, column 2 of the qrels) that the
//! ranking covers.
//!
//! # User model
//! Reads k documents and wants at least one relevant document on every subtopic.
//!
//! # Formula
//! ```math
//! \mathrm{StRecall@}k = \frac{|\{ s : H_{s,k} > 0 \}|}{M}
//! ```
//! StRecall@k = subtopics with a relevant document among the first k, divided by M, the number of subtopics
//! that have a relevant document. Without a cutoff the whole ranking counts.
//!
//! # Worked example
//! Subtopic A has the relevant document a, B has a and b, C has c; ranking b, a, then an unjudged document.
//! StRecall@1 = 1/3, StRecall@2 = 2/3.
//!
//! # Undefined when
//! No subtopic has a relevant document.
//!
//! # Differences between tools
//! NTCIR calls it intent recall (I-rec), ndeval strec. ndeval, pyndeval and `ir_measures` stop at depth 20 and
//! treat grades above 0 (pyndeval: at or above a level) as 1; here any depth is allowed. They give 0 where the
//! measure is undefined.
//!
//! # References
//! Zhai, Cohen and Lafferty 2003.

use cranfield_core::groups::{GroupMeasure, JudgedGroups};
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::ParamInfo;

use super::subtopic_recall;
use crate::measures::common::Within;

/// Subtopic recall.
#[derive(Debug)]
struct StRecall(Within);

impl GroupMeasure for StRecall {
    fn evaluate(&self, topic: &JudgedGroups<'_>) -> Option<f64> {
        subtopic_recall(topic, self.0.level, self.0.depth)
    }

    fn level(&self) -> Option<f64> {
        Some(self.0.level)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "StRecall",
    aliases: &["strec", "i_rec", "i-rec", "irec"],
    summary: "subtopic recall: fraction of the subtopics that the ranking covers",
    page: crate::page::page!("st_recall.rs"),
    params: &[ParamInfo::LEVEL],
    references: &[
        "C. Zhai, W. W. Cohen and J. Lafferty: Beyond independent relevance: methods and evaluation metrics for subtopic retrieval. SIGIR 2003. doi:10.1145/860435.860440",
    ],
    build: |params| Ok(Computation::grouped(StRecall(Within::of(params)))),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{EXAMPLE, check, undefined};

    #[test]
    fn worked_example() {
        check("StRecall@1", EXAMPLE, 1.0 / 3.0);
        check("StRecall@2", EXAMPLE, 2.0 / 3.0);
        check("StRecall", EXAMPLE, 2.0 / 3.0);
    }

    #[test]
    fn edges() {
        check("StRecall(rel=2)", &[(&[1], 1, 2.0), (&[2], 1, 1.0)], 1.0);
        check("StRecall@18446744073709551615", &[(&[], 1, 1.0)], 0.0);
        undefined("StRecall", &[(&[1], 1, 0.0)]);
    }
}
