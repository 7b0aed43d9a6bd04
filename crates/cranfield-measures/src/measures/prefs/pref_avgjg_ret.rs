//! # What it measures
//! The fraction of preferences that the ranking fulfils between retrieved documents, averaged over judgement
//! groups.
//!
//! # User model
//! A reader who compares documents in pairs and credits each pair in the preferred order; ranks matter only
//! through that order.
//!
//! # Formula
//! ```math
//! \mathrm{PrefAvgJgRet} = \frac{1}{J} \sum_{j=1}^{J} \frac{F_j}{P_j}
//! ```
//! `PrefAvgJgRet` = mean over judgement groups of F / P, with the counts of `PrefSimpRet` taken inside the group; a group with P = 0 counts 0.
//!
//! # Worked example
//! Groups 1 and 2 prefer a to b, group 3 prefers b to a and to c; ranking a, c, b. 1/1, 1/1 and 0/2: mean 2/3.
//!
//! # Undefined when
//! No preference has both documents retrieved.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as `prefs_avgjg_ret`, with 0 where it is undefined.
//!
//! # References
//! `trec_eval` since version 9; Carterette, Bennett, Chickering and Dumais 2008 on preferences as judgements.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::prefs::{PreferenceMeasure, PreferenceTopic, Scope};

use super::{SHARE, by_group};

#[derive(Clone, Copy, Debug)]
struct PrefAvgJgRet;

impl PreferenceMeasure for PrefAvgJgRet {
    fn evaluate(&self, topic: &PreferenceTopic) -> Option<f64> {
        by_group(topic, Scope::Retrieved)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "PrefAvgJgRet",
    summary: "mean over judgement groups of the fraction fulfilled among retrieved documents",
    page: crate::page::page!("pref_avgjg_ret.rs"),
    build: |_| Ok(Computation::Preference(Arc::new(PrefAvgJgRet))),
    ..SHARE
};

#[cfg(test)]
mod tests {
    use super::super::tests::{E1, E2, NONE, check, undefined};

    #[test]
    fn worked_example() {
        check("PrefAvgJgRet", E1, 1.0);
        check("PrefAvgJgRet", E2, (1.0 + 1.0 + 0.0) / 3.0);
    }

    #[test]
    fn undefined_without_preferences() {
        undefined("PrefAvgJgRet", NONE);
    }
}
