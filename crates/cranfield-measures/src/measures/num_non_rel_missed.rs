//! # What it measures
//! True negatives: documents that are neither relevant nor retrieved, the fourth cell of the contingency table.
//!
//! # User model
//! None: a count.
//!
//! # Formula
//! ```math
//! \mathrm{NumNonRelMissed@}k = D - R - (\min(k, n) - H_k)
//! ```
//! NumNonRelMissed@k = D − R − (non-relevant documents among the first k), where D is the number of documents
//! in the collection (`docs`) and R the number of relevant ones in the qrels. Without `docs` only judged
//! documents count: judged non-relevant documents that are not among the first k.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, unjudged; three relevant and two non-relevant documents in the qrels:
//! NumNonRelMissed = 2 − 1 = 1; with `docs=10`: 10 − 3 − 2 = 5.
//!
//! # Undefined when
//! `docs` is less than the number of known documents: the relevant ones and the non-relevant ones retrieved.
//!
//! # Differences between tools
//! No common tool prints it; it completes the textbook contingency table.
//!
//! # References
//! van Rijsbergen 1979.

use cranfield_core::measure::{Aggregate, Direction, MeasureInfo, Range};

use super::fallout::{self, of_contingency};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "NumNonRelMissed",
    aliases: &["num_nonrel_missed"],
    summary: "number of non-relevant documents not retrieved",
    page: crate::page::page!("num_non_rel_missed.rs"),
    range: Range::COUNT,
    aggregate: Aggregate::Sum,
    direction: Direction::HigherIsBetter,
    build: |params| {
        Ok(of_contingency(params, |table| {
            Some(table.nonrelevant_missed)
        }))
    },
    ..fallout::INFO
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[1, 0, -1], &[1, 1, 1, 0, 0]);
        check("NumNonRelMissed", ranking, judged, 1.0);
        check("NumNonRelMissed(docs=10)", ranking, judged, 5.0);
    }

    #[test]
    fn edges() {
        check("NumNonRelMissed", &[], &[], 0.0);
        check("NumNonRelMissed@1", &[1, 0], &[1, 0], 1.0);
        undefined("NumNonRelMissed(docs=1)", &[-1, -1], &[1]);
    }
}
