//! # What it measures
//! The number of preferences between retrieved documents that the ranking fulfils.
//!
//! # User model
//! None: a count.
//!
//! # Formula
//! ```math
//! \mathrm{NumPrefsFulRet} = \sum_{j} F_j
//! ```
//! Σ over judgement groups of F, the number of preferences 'a to b' with both retrieved and a first.
//!
//! # Worked example
//! Levels d 6, a 3, b 2, f 2, c 0, e 0 in one group; ranking x, a, b, c, where x is unjudged. F = 3: a to b, a
//! to c, b to c.
//!
//! # Undefined when
//! Never: a topic without preferences scores 0.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as `prefs_num_prefs_ful_ret`.
//!
//! # References
//! `trec_eval` since version 9; Carterette, Bennett, Chickering and Dumais 2008 on preferences as judgements.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::prefs::{PreferenceMeasure, PreferenceTopic, Scope};

use super::COUNT;

#[derive(Clone, Copy, Debug)]
struct NumPrefsFulRet;

impl PreferenceMeasure for NumPrefsFulRet {
    fn evaluate(&self, topic: &PreferenceTopic) -> Option<f64> {
        Some(topic.fulfilled(Scope::Retrieved) as f64)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "NumPrefsFulRet",
    summary: "number of preferences between retrieved documents that a ranking fulfils",
    page: crate::page::page!("num_prefs_ful_ret.rs"),
    build: |_| Ok(Computation::Preference(Arc::new(NumPrefsFulRet))),
    ..COUNT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{E1, E2, NONE, check};

    #[test]
    fn worked_example() {
        check("NumPrefsFulRet", E1, 3.0);
        check("NumPrefsFulRet", E2, 2.0);
        check("NumPrefsFulRet", NONE, 0.0);
    }
}
