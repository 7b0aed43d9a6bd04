//! # What it measures
//! The fraction of preferences that the ranking fulfils, among those with at least one document retrieved.
//! Retrieved documents are considered ranked above those not retrieved.
//!
//! # User model
//! A reader who compares documents in pairs and credits each pair in the preferred order; ranks matter only
//! through that order.
//!
//! # Formula
//! ```math
//! \mathrm{PrefSimpImp} = \frac{\sum_j (F_j + F'_j)}{\sum_j (P_j + P'_j)}
//! ```
//! `PrefSimpImp` = Σ (F + F') / Σ (P + P'), sums over judgement groups. P counts preferences with both documents retrieved, P' with one;
//! F counts those of P whose preferred document comes first, F' those of P' whose preferred document is the retrieved one.
//!
//! # Worked example
//! Levels d 6, a 3, b 2, f 2, c 0, e 0 in one group; ranking x, a, b, c, where x is unjudged. P = 3, P' = 7, F
//! + F' = 6: 6/10.
//!
//! # Undefined when
//! No preference has a retrieved document.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as `prefs_simp_imp`, with 0 where it is undefined.
//!
//! # References
//! `trec_eval` since version 9; Carterette, Bennett, Chickering and Dumais 2008 on preferences as judgements.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::prefs::{PreferenceMeasure, PreferenceTopic, Scope};

use super::{SHARE, simple};

#[derive(Clone, Copy, Debug)]
struct PrefSimpImp;

impl PreferenceMeasure for PrefSimpImp {
    fn evaluate(&self, topic: &PreferenceTopic) -> Option<f64> {
        simple(topic, Scope::Implied)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "PrefSimpImp",
    summary: "fraction of preferences with a retrieved document that are fulfilled",
    page: crate::page::page!("pref_simp_imp.rs"),
    build: |_| Ok(Computation::Preference(Arc::new(PrefSimpImp))),
    ..SHARE
};

#[cfg(test)]
mod tests {
    use super::super::tests::{E1, E2, NONE, check, undefined};

    #[test]
    fn worked_example() {
        check("PrefSimpImp", E1, 6.0 / 10.0);
        check("PrefSimpImp", E2, 2.0 / 4.0);
    }

    #[test]
    fn undefined_without_preferences() {
        undefined("PrefSimpImp", NONE);
    }
}
