//! # What it measures
//! The number of preferences that the ranking fulfils: the preferred document is retrieved, and the other is
//! ranked below it or not retrieved.
//!
//! # User model
//! None: a count.
//!
//! # Formula
//! ```math
//! \mathrm{NumPrefsFul} = \sum_{j} (F_j + F'_j)
//! ```
//! Σ over judgement groups of F + F', where F counts preferences 'a to b' with both retrieved and a first, and F' those with only a
//! retrieved.
//!
//! # Worked example
//! Levels d 6, a 3, b 2, f 2, c 0, e 0 in one group; ranking x, a, b, c, where x is unjudged. F = 3 (a to b, a
//! to c, b to c) and F' = 3 (a to f, a to e, b to e): 6.
//!
//! # Undefined when
//! Never: a topic without preferences scores 0.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as `prefs_num_prefs_ful`.
//!
//! # References
//! `trec_eval` since version 9; Carterette, Bennett, Chickering and Dumais 2008 on preferences as judgements.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::prefs::{PreferenceMeasure, PreferenceTopic, Scope};

use super::COUNT;

#[derive(Clone, Copy, Debug)]
struct NumPrefsFul;

impl PreferenceMeasure for NumPrefsFul {
    fn evaluate(&self, topic: &PreferenceTopic) -> Option<f64> {
        Some(topic.fulfilled(Scope::All) as f64)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "NumPrefsFul",
    summary: "number of preferences that a ranking fulfils",
    page: crate::page::page!("num_prefs_ful.rs"),
    build: |_| Ok(Computation::Preference(Arc::new(NumPrefsFul))),
    ..COUNT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{E1, E2, NONE, check};

    #[test]
    fn worked_example() {
        check("NumPrefsFul", E1, 6.0);
        check("NumPrefsFul", E2, 2.0);
        check("NumPrefsFul", NONE, 0.0);
    }
}
