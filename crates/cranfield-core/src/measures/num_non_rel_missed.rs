//! # What it measures
//! Number of documents rightly left out: neither relevant nor retrieved, the fourth cell of the contingency
//! table.
//!
//! # User model
//! None: a count, which says nothing of how anybody reads.
//!
//! # Formula
//! ```math
//! \mathrm{NumNonRelMissed@}k = D - R - (\min(k, n) - H_k)
//! ```
//! NumNonRelMissed@k = D − R − (documents among the first k that are not relevant), where D is the number of
//! documents in the collection (`docs`) and R the number of relevant ones in the qrels. Without `docs` only
//! judged documents count: those judged not relevant that are not among the first k.
//!
//! # Worked example
//! Relevant, not, unjudged; three relevant and two other documents in the qrels: NumNonRelMissed = 2 − 1 = 1;
//! with `docs=10`: 10 − 3 − 2 = 5.
//!
//! # Undefined when
//! `docs` is less than the number of documents known: the relevant ones and the others retrieved.
//!
//! # Differences between tools
//! No program prints it; together with NumRelRet it is the contingency table of the textbooks.
//!
//! # References
//! van Rijsbergen 1979.

use super::fallout::{self, of_contingency};
use crate::error::Error;
use crate::measure::{Aggregate, Computation, Direction, MeasureInfo, Range};
use crate::params::Params;

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "NumNonRelMissed",
    aliases: &["num_nonrel_missed"],
    summary: "number of documents rightly left out",
    source: include_str!("num_non_rel_missed.rs"),
    range: Range::COUNT,
    aggregate: Aggregate::Sum,
    direction: Direction::HigherIsBetter,
    build,
    ..fallout::INFO
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(of_contingency(params, |table| {
        Some(table.nonrelevant_missed)
    }))
}

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
