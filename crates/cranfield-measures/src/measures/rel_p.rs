//! # What it measures
//! Relative precision at k: precision at k as a fraction of the highest possible for the topic. Also called
//! capped recall.
//!
//! # User model
//! Reads k documents and compares the number of relevant ones with the maximum possible.
//!
//! # Formula
//! ```math
//! \mathrm{RelP@}k = \frac{H_k}{\min(k, R)}
//! ```
//! RelP@k = H(k) / min(k, R), where H(k) is the number of relevant documents among the first k and R the number
//! in the qrels.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; three relevant documents in the qrels: RelP@2 = 1/2, RelP@5 = 2/3
//! = 0.666667.
//!
//! # Undefined when
//! The topic has no relevant document.
//!
//! # Differences between tools
//! `trec_eval` prints it as `relative_P`; BEIR has it as `R_cap`. It equals P@k if k ≤ R, and R@k if k ≥ R.
//!
//! # References
//! trec_eval; Thakur et al. 2021.

use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::common::{Within, ratio};

/// Relative precision at a cutoff.
#[derive(Clone, Debug)]
pub(super) struct RelP(Within);

impl Measure for RelP {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.0.level);
        ratio(
            relevant.count_at(self.0.depth),
            self.0.depth.min(relevant.total),
        )
    }

    fn level(&self) -> Option<f64> {
        Some(self.0.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.0.level))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "RelP",
    aliases: &["relative_p", "r_cap"],
    summary: "relative precision: precision at k over the best possible",
    page: crate::page::page!("rel_p.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::Required,
    references: &[
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
        "N. Thakur et al.: BEIR: A heterogeneous benchmark for zero-shot evaluation of information retrieval models. NeurIPS 2021",
    ],
    build: |params| Ok(Computation::ranked(RelP(Within::of(params)))),
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        check("RelP@2", &[1, 0, 1], &[1, 1, 1, 0], 1.0 / 2.0);
        check("RelP@5", &[1, 0, 1], &[1, 1, 1, 0], 2.0 / 3.0);
    }

    #[test]
    fn edges() {
        check("RelP@5", &[], &[1], 0.0);
        check("RelP(rel=2)@5", &[1, 2], &[2, 1], 1.0);
        undefined("RelP@5", &[0], &[0]);
    }
}
