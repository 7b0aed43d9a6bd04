//! # What it measures
//! Coverage ratio: the fraction of the relevant documents known to the user that the ranking retrieves.
//! Requires a file of known documents.
//!
//! # User model
//! Knows some relevant documents, reads all retrieved documents (or k of them), and looks for the known ones.
//!
//! # Formula
//! ```math
//! \mathrm{Coverage} = \frac{|R \cap A \cap K|}{|R \cap K|}
//! ```
//! Coverage = |R ∩ A ∩ K| / |R ∩ K|, where R is the set of relevant documents, A of retrieved ones and K of
//! those the user knew. For Coverage@k, A is the first k documents.
//!
//! # Worked example
//! Ranking x, a, b, y, c; a, b, c and d are relevant; the user knew a, d and y, which is not relevant. Coverage
//! = |{a}| / |{a, d}| = 0.5.
//!
//! # Undefined when
//! The user knew no relevant document.
//!
//! # Differences between tools
//! No other tool computes it.
//!
//! # References
//! Korfhage 1997; Baeza-Yates and Ribeiro-Neto 1999.

use std::sync::Arc;

use cranfield_core::known::{KnownMeasure, KnownTopic};
use cranfield_core::measure::{Computation, MeasureInfo};

use super::KNOWN;
use crate::measures::common::Within;

/// Coverage ratio.
#[derive(Clone, Debug)]
struct Coverage(Within);

impl KnownMeasure for Coverage {
    fn evaluate(&self, topic: &KnownTopic<'_>) -> Option<f64> {
        topic.items(self.0.level, self.0.depth).coverage()
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "Coverage",
    aliases: &["coverage_ratio"],
    summary: "fraction of the relevant documents known to the user that were retrieved",
    page: crate::page::page!("coverage.rs"),
    build: |params| Ok(Computation::Known(Arc::new(Coverage(Within::of(params))))),
    ..KNOWN
};

#[cfg(test)]
mod tests {
    use super::super::tests::{KNOWN, RANKING, check, undefined};

    #[test]
    fn worked_example() {
        check("Coverage", RANKING, KNOWN, 0.5);
        check("Coverage@1", RANKING, KNOWN, 0.0);
    }

    #[test]
    fn edges() {
        check("Coverage", &[], KNOWN, 0.0);
        undefined("Coverage(rel=2)", RANKING, KNOWN);
        undefined("Coverage", RANKING, &[]);
        undefined("Coverage", RANKING, &[0, -1]);
    }
}
