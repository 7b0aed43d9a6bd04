//! # What it measures
//! Preferences fulfilled between retrieved documents, with equal numbers of relevant (level above 0) and
//! non-relevant documents in each judgement group. See `PrefAvgJgRnonrel`.
//!
//! # User model
//! A reader who compares documents in pairs and credits each pair in the preferred order; ranks matter only
//! through that order.
//!
//! # Formula
//! ```math
//! \mathrm{PrefAvgJgRnonrelRet} = \frac{1}{J} \sum_{j=1}^{J} \frac{F_j + r_j (r_j - n_j)}{P_j + R_j (r_j - n_j)} \quad (r_j \ge n_j)
//! ```
//! The mean over judgement groups of a fraction. With r relevant and n non-relevant documents retrieved, if r ≥
//! n: (F + r · (r − n)) / (P + R · (r − n)), where R is the number of relevant documents, retrieved or not, and
//! F and P are those of `PrefSimpRet`. If r < n, preferences between retrieved documents are recounted with
//! only the first r (in a group with several sub-groups, R) documents of the lowest level. In a group with one
//! sub-group this recount also compares these with every document of their own level and with themselves.
//!
//! # Worked example
//! Levels d 6, a 3, b 2, f 2, c 0, e 0 in one group; ranking x, a, b, c, where x is unjudged. r = 2, n = 1, R =
//! 4: (3 + 2 · 1) / (3 + 4 · 1) = 5/7.
//!
//! # Undefined when
//! The topic has no judgement group, or some group has nothing to count (nothing retrieved, for example).
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as `prefs_avgjg_Rnonrel_ret`, with 0 where it is undefined. See
//! `PrefAvgJgRnonrel`.
//!
//! # References
//! `trec_eval` since version 9; Carterette, Bennett, Chickering and Dumais 2008 on preferences as judgements.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::prefs::{PreferenceMeasure, PreferenceTopic, Scope};

use super::{SHARE, balanced};

#[derive(Clone, Copy, Debug)]
struct PrefAvgJgRnonrelRet;

impl PreferenceMeasure for PrefAvgJgRnonrelRet {
    fn evaluate(&self, topic: &PreferenceTopic) -> Option<f64> {
        balanced(topic, Scope::Retrieved)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "PrefAvgJgRnonrelRet",
    summary: "like PrefAvgJgRnonrel, among retrieved documents",
    page: crate::page::page!("pref_avgjg_rnonrel_ret.rs"),
    build: |_| Ok(Computation::Preference(Arc::new(PrefAvgJgRnonrelRet))),
    ..SHARE
};

#[cfg(test)]
mod tests {
    use super::super::tests::{E1, NONE, ONE_GROUP_IRRELEVANT, check, undefined};

    #[test]
    fn worked_example() {
        check("PrefAvgJgRnonrelRet", E1, 5.0 / 7.0);
    }

    #[test]
    fn undefined_without_preferences() {
        undefined("PrefAvgJgRnonrelRet", NONE);
        undefined("PrefAvgJgRnonrelRet", ONE_GROUP_IRRELEVANT);
    }
}
