//! # What it measures
//! False negatives: relevant documents that were not retrieved.
//!
//! # User model
//! None: a count.
//!
//! # Formula
//! ```math
//! \mathrm{NumRelMissed@}k = R - H_k
//! ```
//! NumRelMissed@k = R − H, where H of the R relevant documents in the qrels are among the first k.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, unjudged; three relevant and two non-relevant documents in the qrels:
//! NumRelMissed = 2.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! No common tool prints it; `utility` in `trec_eval` weights it.
//!
//! # References
//! van Rijsbergen 1979.

use cranfield_core::measure::{Direction, MeasureInfo};
use cranfield_core::params::CutoffRule;

use super::counts::{COUNT, Wants, count};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "NumRelMissed",
    aliases: &["num_rel_missed"],
    summary: "number of relevant documents not retrieved",
    page: crate::page::page!("num_rel_missed.rs"),
    cutoff: CutoffRule::Optional,
    direction: Direction::LowerIsBetter,
    references: &["C. J. van Rijsbergen: Information Retrieval, 2nd edition. Butterworths, 1979"],
    build: |params| {
        Ok(count(params, Wants::RelevantFirst, |_, relevant, depth| {
            relevant.total.saturating_sub(relevant.count_at(depth))
        }))
    },
    ..COUNT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check("NumRelMissed", &[1, 0, -1], &[1, 1, 1, 0, 0], 2.0);
    }

    #[test]
    fn edges() {
        check("NumRelMissed", &[], &[1], 1.0);
        check("NumRelMissed@1", &[0, 1], &[1, 0], 1.0);
        check("NumRelMissed(rel=2)@100", &[2], &[2, 2, 1], 1.0);
        check("NumRelMissed", &[0], &[], 0.0);
    }
}
