//! # What it measures
//! The number of preferences between documents of the topic: the denominator of `PrefSimp`.
//!
//! # User model
//! None: a count.
//!
//! # Formula
//! ```math
//! \mathrm{NumPrefs} = \sum_{j} (P_j + P'_j + P''_j)
//! ```
//! Σ over judgement groups of the number of preferences 'a to b'. In a group with one sub-group every document
//! is preferred to each document at a lower level, and a repeated line repeats its preferences. In a group with
//! several sub-groups preferences are transitive (a to b and b to c gives a to c), and each counts once.
//!
//! # Worked example
//! Levels d 6, a 3, b 2, f 2, c 0, e 0 in one group; ranking x, a, b, c, where x is unjudged. Preferences: d to
//! 5 others, a to 4, b to 2, f to 2, together 13.
//!
//! # Undefined when
//! Never: a topic without preferences scores 0.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as `prefs_num_prefs_poss`.
//!
//! # References
//! `trec_eval` since version 9; Carterette, Bennett, Chickering and Dumais 2008 on preferences as judgements.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::prefs::{PreferenceMeasure, PreferenceTopic, Scope};

use super::COUNT;

#[derive(Clone, Copy, Debug)]
struct NumPrefs;

impl PreferenceMeasure for NumPrefs {
    fn evaluate(&self, topic: &PreferenceTopic) -> Option<f64> {
        Some(topic.possible(Scope::All) as f64)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "NumPrefs",
    summary: "number of preferences that a ranking could fulfil",
    page: crate::page::page!("num_prefs.rs"),
    build: |_| Ok(Computation::Preference(Arc::new(NumPrefs))),
    ..COUNT
};

#[cfg(test)]
mod tests {
    use super::super::tests::{E1, E2, NONE, check};

    #[test]
    fn worked_example() {
        check("NumPrefs", E1, 13.0);
        check("NumPrefs", E2, 4.0);
        check("NumPrefs", NONE, 0.0);
    }
}
