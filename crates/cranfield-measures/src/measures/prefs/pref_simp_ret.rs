//! # What it measures
//! The fraction of preferences that the ranking fulfils, among those whose documents are both retrieved: how
//! well the ranking orders the documents it retrieves.
//!
//! # User model
//! A reader who compares documents in pairs and credits each pair in the preferred order; ranks matter only
//! through that order.
//!
//! # Formula
//! ```math
//! \mathrm{PrefSimpRet} = \frac{\sum_j F_j}{\sum_j P_j}
//! ```
//! `PrefSimpRet` = Σ F / Σ P, sums over judgement groups. P counts preferences with both documents retrieved, F those of them whose
//! preferred document comes first.
//!
//! # Worked example
//! Levels d 6, a 3, b 2, f 2, c 0, e 0 in one group; ranking x, a, b, c, where x is unjudged. All 3 preferences
//! between a, b and c are fulfilled: 1.
//!
//! # Undefined when
//! No preference has both documents retrieved.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as `prefs_simp_ret`, with 0 where it is undefined.
//!
//! # References
//! `trec_eval` since version 9; Carterette, Bennett, Chickering and Dumais 2008 on preferences as judgements.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::prefs::{PreferenceMeasure, PreferenceTopic, Scope};

use super::{SHARE, simple};

#[derive(Clone, Copy, Debug)]
struct PrefSimpRet;

impl PreferenceMeasure for PrefSimpRet {
    fn evaluate(&self, topic: &PreferenceTopic) -> Option<f64> {
        simple(topic, Scope::Retrieved)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "PrefSimpRet",
    summary: "fraction of preferences between retrieved documents that are fulfilled",
    page: crate::page::page!("pref_simp_ret.rs"),
    build: |_| Ok(Computation::Preference(Arc::new(PrefSimpRet))),
    ..SHARE
};

#[cfg(test)]
mod tests {
    use super::super::tests::{E1, E2, NONE, check, undefined};

    #[test]
    fn worked_example() {
        check("PrefSimpRet", E1, 1.0);
        check("PrefSimpRet", E2, 2.0 / 4.0);
    }

    #[test]
    fn undefined_without_preferences() {
        undefined("PrefSimpRet", NONE);
    }
}
