//! # What it measures
//! Novelty ratio: the fraction of the relevant documents retrieved that are new to the user. Requires a file of
//! known documents.
//!
//! # User model
//! Knows some relevant documents, reads all retrieved documents (or k of them), and wants new ones.
//!
//! # Formula
//! ```math
//! \mathrm{Novelty} = \frac{|(R \cap A) \setminus K|}{|R \cap A|}
//! ```
//! Novelty = |(R ∩ A) − K| / |R ∩ A|, where R is the set of relevant documents, A of retrieved ones and K of
//! those the user knew. For Novelty@k, A is the first k documents.
//!
//! # Worked example
//! Ranking x, a, b, y, c; a, b, c and d are relevant; the user knew a, d and y, which is not relevant. Novelty
//! = |{b, c}| / |{a, b, c}| = 0.666667.
//!
//! # Undefined when
//! No relevant document was retrieved.
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

/// Novelty ratio.
#[derive(Clone, Debug)]
struct Novelty(Within);

impl KnownMeasure for Novelty {
    fn evaluate(&self, topic: &KnownTopic<'_>) -> Option<f64> {
        topic.items(self.0.level, self.0.depth).novelty()
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "Novelty",
    aliases: &["novelty_ratio"],
    summary: "fraction of the relevant documents retrieved that are new to the user",
    page: crate::page::page!("novelty.rs"),
    build: |params| Ok(Computation::Known(Arc::new(Novelty(Within::of(params))))),
    ..KNOWN
};

#[cfg(test)]
mod tests {
    use super::super::tests::{KNOWN, RANKING, check, undefined};

    #[test]
    fn worked_example() {
        check("Novelty", RANKING, KNOWN, 2.0 / 3.0);
        check("Novelty@2", RANKING, KNOWN, 0.0);
    }

    #[test]
    fn edges() {
        check("Novelty", &[(1, false)], &[], 1.0);
        undefined("Novelty", &[], KNOWN);
        undefined("Novelty@1", RANKING, KNOWN);
        undefined("Novelty(rel=3)", RANKING, KNOWN);
    }
}
