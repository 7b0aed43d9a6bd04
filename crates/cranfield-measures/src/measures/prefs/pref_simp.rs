//! # What it measures
//! The fraction of all preferences that the ranking fulfils. Each preference has the same weight, so large
//! judgement groups count more.
//!
//! # User model
//! A reader who compares documents in pairs and credits each pair in the preferred order; ranks matter only
//! through that order.
//!
//! # Formula
//! ```math
//! \mathrm{PrefSimp} = \frac{\sum_j (F_j + F'_j)}{\sum_j (P_j + P'_j + P''_j)}
//! ```
//! `PrefSimp` = Σ (F + F') / Σ (P + P' + P''), sums over judgement groups. P counts preferences with both documents retrieved, P' with one,
//! P'' with none; F counts those of P whose preferred document comes first, F' those of P' whose preferred document is the retrieved one.
//!
//! # Worked example
//! Levels d 6, a 3, b 2, f 2, c 0, e 0 in one group; ranking x, a, b, c, where x is unjudged. F + F' = 6 of 13
//! preferences: 6/13 = 0.461538. Groups 1 and 2 prefer a to b, group 3 prefers b to a and to c; ranking a, c,
//! b. Fulfilled 2 of 4: 0.5.
//!
//! # Undefined when
//! The topic has no preferences.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as `prefs_simp`, with 0 where it is undefined.
//!
//! # References
//! `trec_eval` since version 9; Carterette, Bennett, Chickering and Dumais 2008 on preferences as judgements.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::prefs::{PreferenceMeasure, PreferenceTopic, Scope};

use super::{SHARE, simple};

#[derive(Clone, Copy, Debug)]
struct PrefSimp;

impl PreferenceMeasure for PrefSimp {
    fn evaluate(&self, topic: &PreferenceTopic) -> Option<f64> {
        simple(topic, Scope::All)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "PrefSimp",
    summary: "fraction of preferences that are fulfilled",
    page: crate::page::page!("pref_simp.rs"),
    build: |_| Ok(Computation::Preference(Arc::new(PrefSimp))),
    ..SHARE
};

#[cfg(test)]
mod tests {
    use super::super::tests::{E1, E2, NONE, check, undefined};

    #[test]
    fn worked_example() {
        check("PrefSimp", E1, 6.0 / 13.0);
        check("PrefSimp", E2, 2.0 / 4.0);
    }

    #[test]
    fn undefined_without_preferences() {
        undefined("PrefSimp", NONE);
    }
}
