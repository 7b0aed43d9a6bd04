//! # What it measures
//! The fraction of preferences that the ranking fulfils, among those with at least one document retrieved,
//! averaged over judgement groups.
//!
//! # User model
//! A reader who compares documents in pairs and credits each pair in the preferred order; ranks matter only
//! through that order.
//!
//! # Formula
//! ```math
//! \mathrm{PrefAvgJgImp} = \frac{1}{J} \sum_{j=1}^{J} \frac{F_j + F'_j}{P_j + P'_j}
//! ```
//! `PrefAvgJgImp` = mean over judgement groups of (F + F') / (P + P'), with the counts of `PrefSimpImp` taken inside the group; a group with
//! P + P' = 0 counts 0.
//!
//! # Worked example
//! Groups 1 and 2 prefer a to b, group 3 prefers b to a and to c; ranking a, c, b. 1/1, 1/1 and 0/2: mean 2/3.
//! Levels d 6, a 3, b 2, f 2, c 0, e 0 in one group; ranking x, a, b, c, where x is unjudged. 6/10.
//!
//! # Undefined when
//! No preference has a retrieved document.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as `prefs_avgjg_imp`, with 0 where it is undefined.
//!
//! # References
//! `trec_eval` since version 9; Carterette, Bennett, Chickering and Dumais 2008 on preferences as judgements.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::prefs::{PreferenceMeasure, PreferenceTopic, Scope};

use super::{SHARE, by_group};

#[derive(Clone, Copy, Debug)]
struct PrefAvgJgImp;

impl PreferenceMeasure for PrefAvgJgImp {
    fn evaluate(&self, topic: &PreferenceTopic) -> Option<f64> {
        by_group(topic, Scope::Implied)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "PrefAvgJgImp",
    summary: "mean over judgement groups of the fraction fulfilled with a retrieved document",
    page: crate::page::page!("pref_avgjg_imp.rs"),
    build: |_| Ok(Computation::Preference(Arc::new(PrefAvgJgImp))),
    ..SHARE
};

#[cfg(test)]
mod tests {
    use super::super::tests::{E1, E2, NONE, check, undefined};

    #[test]
    fn worked_example() {
        check("PrefAvgJgImp", E1, 6.0 / 10.0);
        check("PrefAvgJgImp", E2, (1.0 + 1.0 + 0.0) / 3.0);
    }

    #[test]
    fn undefined_without_preferences() {
        undefined("PrefAvgJgImp", NONE);
    }
}
