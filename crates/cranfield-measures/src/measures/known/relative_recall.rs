//! # What it measures
//! Relative recall: the number of relevant documents retrieved, divided by the number the user expected.
//! Requires a file of known documents.
//!
//! # User model
//! Expects a number of relevant documents and reads all retrieved documents (or k of them).
//!
//! # Formula
//! ```math
//! \mathrm{RelativeRecall} = \frac{|R \cap A|}{|R \cap K|}
//! ```
//! RelativeRecall = |R ∩ A| / |R ∩ K|, where R is the set of relevant documents, A of retrieved ones and K of
//! those the user knew. With `expected=n` the divisor is n. For RelativeRecall@k, A is the first k documents.
//! It may exceed 1.
//!
//! # Worked example
//! Ranking x, a, b, y, c; a, b, c and d are relevant; the user knew a, d and y, which is not relevant.
//! RelativeRecall = |{a, b, c}| / |{a, d}| = 1.5; with `expected=4` it is 0.75.
//!
//! # Undefined when
//! The user knew no relevant document, and no number is given.
//!
//! # Differences between tools
//! Textbooks give the divisor as the relevant documents the user knows or as those the user expects. The
//! fraction of what several systems found together is also called relative recall, but is a different measure.
//!
//! # References
//! Korfhage 1997; Baeza-Yates and Ribeiro-Neto 1999.

use std::sync::Arc;

use cranfield_core::known::{KnownMeasure, KnownTopic};
use cranfield_core::measure::{Computation, MeasureInfo, Range};
use cranfield_core::params::{Cutoff, ParamInfo};

use super::{EXPECTED, Expected, KNOWN};
use crate::measures::common::depth;

/// Relative recall.
#[derive(Clone, Debug)]
struct RelativeRecall {
    level: f64,
    expected: Expected,
    cutoff: Option<Cutoff>,
}

impl KnownMeasure for RelativeRecall {
    fn evaluate(&self, topic: &KnownTopic<'_>) -> Option<f64> {
        let items = topic.items(self.level, depth(self.cutoff));
        items.relative_recall(self.expected.number(&items))
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "RelativeRecall",
    aliases: &["relative_recall"],
    summary: "relevant documents retrieved, relative to those the user knew or expected",
    page: crate::page::page!("relative_recall.rs"),
    params: &[ParamInfo::LEVEL, EXPECTED],
    range: Range::COUNT,
    build: |params| {
        Ok(Computation::Known(Arc::new(RelativeRecall {
            level: params.level(),
            expected: Expected::of(params),
            cutoff: params.cutoff(),
        })))
    },
    ..KNOWN
};

#[cfg(test)]
mod tests {
    use super::super::tests::{KNOWN, RANKING, check, undefined};

    #[test]
    fn worked_example() {
        check("RelativeRecall", RANKING, KNOWN, 1.5);
        check("RelativeRecall(expected=4)", RANKING, KNOWN, 0.75);
        check("RelativeRecall@2", RANKING, KNOWN, 0.5);
    }

    #[test]
    fn edges() {
        check("RelativeRecall", &[], KNOWN, 0.0);
        check("RelativeRecall(expected=2)", RANKING, &[], 1.5);
        undefined("RelativeRecall", RANKING, &[]);
        undefined("RelativeRecall(rel=2)", RANKING, KNOWN);
    }
}
