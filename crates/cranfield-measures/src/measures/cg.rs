//! # What it measures
//! Cumulative gain: the sum of the gains of the first k documents, regardless of their order. Values are not
//! comparable across topics; use nCG for that.
//!
//! # User model
//! Reads exactly k documents and values each by its grade, regardless of rank.
//!
//! # Formula
//! ```math
//! \mathrm{CG@}k = \sum_{i \le k} g_i
//! ```
//! CG@k = Σ over ranks i ≤ k of gain(i). Without `@k` the whole ranking counts.
//!
//! # Worked example
//! Grades 3, 0, 2: CG = 3 + 0 + 2 = 5, CG@2 = 3.
//!
//! # Undefined when
//! Never: a ranking without gains scores 0.
//!
//! # Differences between tools
//! Equals `DCG(discount='none')`. With `gains='binary'` it is Hits.
//!
//! # References
//! Järvelin and Kekäläinen 2002.

use cranfield_core::error::Error;
use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, MeasureInfo, Range};
use cranfield_core::params::Params;

use super::boards;
use super::dcg::{CumulatedGain, Part};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "CG",
    aliases: &["cumulative_gain"],
    summary: "sum of gains",
    page: crate::page::page!("cg.rs"),
    params: &[Gains::PARAM],
    range: Range::COUNT,
    references: &[
        "K. Järvelin and J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002. doi:10.1145/582415.582418",
    ],
    build,
    ..MeasureInfo::DEFAULT
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(CumulatedGain::build(params, Part::Ranking, boards::CG))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check("CG", &[3, 0, 2], &[3, 2, 1, 0], 5.0);
        check("CG@2", &[3, 0, 2], &[3, 2, 1, 0], 3.0);
    }

    #[test]
    fn edges() {
        check("CG", &[], &[1], 0.0);
        check("CG@100", &[-1, -2, 2], &[2], 2.0);
        check("CG(gains='1=-2')", &[1], &[1], -2.0);
    }
}
