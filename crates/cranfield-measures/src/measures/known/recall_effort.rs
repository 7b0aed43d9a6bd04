//! # What it measures
//! Recall effort: the number of relevant documents the user expects, divided by the number of documents read.
//! Requires a file of known documents.
//!
//! # User model
//! Expects a number of relevant documents and reads all retrieved documents, or until the expected number is
//! found.
//!
//! # Formula
//! ```math
//! \mathrm{RecallEffort} = \frac{|R \cap K|}{|A|}
//! ```
//! RecallEffort = |R ∩ K| / |A|, where R is the set of relevant documents, A of retrieved ones and K of those
//! the user knew. With `expected=n` the numerator is n. With `read='found'` the divisor is the number of
//! documents read until the expected number of relevant ones, known or not, is found. For RecallEffort@k, A is
//! the first k documents.
//!
//! # Worked example
//! Ranking x, a, b, y, c; a, b, c and d are relevant; the user knew a, d and y, which is not relevant.
//! RecallEffort = |{a, d}| / 5 = 0.4. With `read='found'` the second relevant document is at rank 3: 2/3 =
//! 0.666667.
//!
//! # Undefined when
//! The user knew no relevant document and no number is given; nothing was retrieved; with `read='found'` also
//! if the ranking ends before the expected number is found.
//!
//! # Differences between tools
//! Textbooks differ in the divisor: all documents retrieved, or those read until the expected number is found.
//!
//! # References
//! Korfhage 1997; Baeza-Yates and Ribeiro-Neto 1999.

use std::sync::Arc;

use cranfield_core::known::{KnownMeasure, KnownTopic};
use cranfield_core::measure::{Computation, MeasureInfo, Range};
use cranfield_core::params::{Cutoff, ParamInfo, ParamKind};

use super::{EXPECTED, Expected, KNOWN};
use crate::measures::common::depth;

/// Recall effort.
#[derive(Clone, Debug)]
struct RecallEffort {
    level: f64,
    expected: Expected,
    /// Whether the user stops once the expected number is found.
    stops: bool,
    cutoff: Option<Cutoff>,
}

impl KnownMeasure for RecallEffort {
    fn evaluate(&self, topic: &KnownTopic<'_>) -> Option<f64> {
        let items = topic.items(self.level, depth(self.cutoff));
        let expected = self.expected.number(&items);
        if self.stops {
            items.search_effort(expected)
        } else {
            items.recall_effort(expected)
        }
    }
}

const READ: ParamInfo = ParamInfo {
    name: "read",
    kind: ParamKind::Word(&["all", "found"]),
    default: "all",
    help: "documents the user reads: 'all' retrieved ones, or until the expected number is 'found'",
};

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "RecallEffort",
    aliases: &["recall_effort"],
    summary: "relevant documents the user knew or expected, per document read",
    page: crate::page::page!("recall_effort.rs"),
    params: &[ParamInfo::LEVEL, EXPECTED, READ],
    range: Range::COUNT,
    build: |params| {
        Ok(Computation::Known(Arc::new(RecallEffort {
            level: params.level(),
            expected: Expected::of(params),
            stops: params.word("read") == "found",
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
        check("RecallEffort", RANKING, KNOWN, 0.4);
        check("RecallEffort(read='found')", RANKING, KNOWN, 2.0 / 3.0);
        check("RecallEffort@4", RANKING, KNOWN, 0.5);
    }

    #[test]
    fn edges() {
        check("RecallEffort(expected=5)", RANKING, &[], 1.0);
        check("RecallEffort", &[(-1, false)], KNOWN, 2.0);
        undefined("RecallEffort", &[], KNOWN);
        undefined("RecallEffort", RANKING, &[]);
        undefined("RecallEffort(expected=4, read='found')", RANKING, KNOWN);
    }
}
