//! # What it measures
//! The fraction of preferences that the ranking fulfils, averaged over judgement groups. All groups have the
//! same weight, however many documents they compared.
//!
//! # User model
//! A reader who compares documents in pairs and credits each pair in the preferred order; ranks matter only
//! through that order.
//!
//! # Formula
//! ```math
//! \mathrm{PrefAvgJg} = \frac{1}{J} \sum_{j=1}^{J} \frac{F_j + F'_j}{P_j + P'_j + P''_j}
//! ```
//! `PrefAvgJg` = mean over judgement groups of (F + F') / (P + P' + P''), with the counts of `PrefSimp` taken inside the group; a group
//! without preferences counts 0.
//!
//! # Worked example
//! Groups 1 and 2 prefer a to b, group 3 prefers b to a and to c; ranking a, c, b. 1/1, 1/1 and 0/2: mean 2/3.
//!
//! # Undefined when
//! The topic has no preferences.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as `prefs_avgjg`, with 0 where it is undefined.
//!
//! # References
//! `trec_eval` since version 9; Carterette, Bennett, Chickering and Dumais 2008 on preferences as judgements.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::prefs::{PreferenceMeasure, PreferenceTopic, Scope};

use super::{SHARE, by_group};

#[derive(Clone, Copy, Debug)]
struct PrefAvgJg;

impl PreferenceMeasure for PrefAvgJg {
    fn evaluate(&self, topic: &PreferenceTopic) -> Option<f64> {
        by_group(topic, Scope::All)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "PrefAvgJg",
    summary: "mean over judgement groups of the fraction of preferences fulfilled",
    page: crate::page::page!("pref_avgjg.rs"),
    build: |_| Ok(Computation::Preference(Arc::new(PrefAvgJg))),
    ..SHARE
};

#[cfg(test)]
mod tests {
    use super::super::tests::{E1, E2, NONE, check, undefined};

    #[test]
    fn worked_example() {
        check("PrefAvgJg", E1, 6.0 / 13.0);
        check("PrefAvgJg", E2, (1.0 + 1.0 + 0.0) / 3.0);
    }

    #[test]
    fn undefined_without_preferences() {
        undefined("PrefAvgJg", NONE);
    }
}
