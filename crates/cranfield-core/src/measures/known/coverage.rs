//! # What it measures
//! Coverage ratio: how much of what the user already knows to be relevant the ranking finds. Needs a file of known
//! documents (`--known FILE`).
//!
//! # User model
//! Knows some relevant documents, reads all that is retrieved (or k documents), and looks for those known.
//!
//! # Formula
//! ```math
//! \mathrm{Coverage} = \frac{|R \cap A \cap K|}{|R \cap K|}
//! ```
//! Coverage = |R ∩ A ∩ K| / |R ∩ K|, with R the relevant documents, A those retrieved, K those that the user knew.
//! Coverage@k takes the first k documents for A.
//!
//! # Worked example
//! Ranking x, a, b, y, c; relevant are a, b, c and d; the user knew a, d and y, which is not relevant.
//! Coverage = |{a}| / |{a, d}| = 0.5.
//!
//! # Undefined when
//! The user knew no relevant document.
//!
//! # Differences between tools
//! No other tool has it.
//!
//! # References
//! Korfhage 1997; Baeza-Yates and Ribeiro-Neto 1999.

use std::sync::Arc;

use super::KNOWN;
use crate::error::Error;
use crate::known::{KnownMeasure, KnownTopic};
use crate::measure::{Computation, MeasureInfo};
use crate::measures::common::depth;
use crate::params::{Cutoff, Params};

/// Coverage ratio.
#[derive(Clone, Debug)]
struct Coverage {
    level: f64,
    cutoff: Option<Cutoff>,
}

impl KnownMeasure for Coverage {
    fn evaluate(&self, topic: &KnownTopic<'_>) -> Option<f64> {
        topic.items(self.level, depth(self.cutoff)).coverage()
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "Coverage",
    aliases: &["coverage_ratio"],
    summary: "share of the relevant documents known to the user that was retrieved",
    source: include_str!("coverage.rs"),
    build,
    ..KNOWN
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(Computation::Known(Arc::new(Coverage {
        level: params.level(),
        cutoff: params.cutoff(),
    })))
}

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
