//! # What it measures
//! False positives: retrieved documents that are not relevant, including unjudged ones.
//!
//! # User model
//! None: a count.
//!
//! # Formula
//! ```math
//! \mathrm{NumNonRelRet@}k = \min(k, n) - H_k
//! ```
//! NumNonRelRet@k = min(k, n) − H, where H of the first k documents are relevant and n are retrieved.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, unjudged; three relevant and two non-relevant documents in the qrels:
//! NumNonRelRet = 2.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! No common tool prints it; `utility` in `trec_eval` weights it.
//!
//! # References
//! van Rijsbergen 1979.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, Direction, MeasureInfo};
use cranfield_core::params::{CutoffRule, Params};

use super::counts::{COUNT, Wants, count};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "NumNonRelRet",
    aliases: &["num_nonrel_ret"],
    summary: "number of non-relevant documents retrieved",
    page: crate::page::page!("num_non_rel_ret.rs"),
    cutoff: CutoffRule::Optional,
    direction: Direction::LowerIsBetter,
    references: &["C. J. van Rijsbergen: Information Retrieval, 2nd edition. Butterworths, 1979"],
    build,
    ..COUNT
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(count(
        params,
        Wants::RelevantFirst,
        |topic, relevant, depth| {
            let shown = topic.retrieved().min(depth);
            shown.saturating_sub(relevant.count_at(depth))
        },
    ))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check("NumNonRelRet", &[1, 0, -1], &[1, 1, 1, 0, 0], 2.0);
    }

    #[test]
    fn edges() {
        check("NumNonRelRet", &[], &[1], 0.0);
        check("NumNonRelRet@2", &[-1, -2, 0], &[0], 2.0);
        check("NumNonRelRet(rel=2)@100", &[1, 2], &[2, 1], 1.0);
    }
}
