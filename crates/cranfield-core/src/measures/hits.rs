//! # What it measures
//! The number of relevant documents among the first k, averaged over topics.
//!
//! # User model
//! Reads exactly k documents and counts the relevant ones.
//!
//! # Formula
//! ```math
//! \mathrm{Hits@}k = H_k
//! ```
//! Hits@k = number of relevant documents among the first k. Without `@k` the whole ranking counts.
//!
//! # Worked example
//! Relevant, not, relevant: Hits = 2, Hits@2 = 1.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! This is ranx's `hits`. NumRelRet is the sum over topics instead of the mean. NTCIREVAL's `Hit@k` and the
//! hit rate of others is Success, 1 or 0 for a topic.
//!
//! # References
//! Bassani 2022.

use super::counts::{COUNT, count};
use crate::error::Error;
use crate::measure::{Aggregate, Computation, Direction, MeasureInfo};
use crate::params::{CutoffRule, Params};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "Hits",
    aliases: &[],
    summary: "number of relevant documents among the first k",
    source: include_str!("hits.rs"),
    cutoff: CutoffRule::Optional,
    aggregate: Aggregate::Mean,
    direction: Direction::HigherIsBetter,
    references: &[
        "E. Bassani: ranx: A blazing-fast Python library for ranking evaluation and comparison. ECIR 2022",
    ],
    build,
    ..COUNT
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(count(params, |_, relevant, depth| relevant.count_at(depth)))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check("Hits", &[1, 0, 1], &[1, 1, 0], 2.0);
        check("Hits@2", &[1, 0, 1], &[1, 1, 0], 1.0);
    }

    #[test]
    fn edges() {
        check("Hits@5", &[], &[1], 0.0);
        check("Hits@100", &[-1, -2, 0], &[], 0.0);
        check("Hits(rel=2)", &[1, 2], &[1, 2], 1.0);
    }
}
