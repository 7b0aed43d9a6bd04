//! # What it measures
//! Preferences fulfilled as in `PrefAvgJg`, but with the number N of non-relevant documents made equal to the
//! number R of relevant ones (level above 0) in each judgement group, so that groups with many and few
//! non-relevant documents are comparable.
//!
//! # User model
//! A reader who compares documents in pairs and credits each pair in the preferred order; ranks matter only
//! through that order.
//!
//! # Formula
//! ```math
//! \mathrm{PrefAvgJgRnonrel} = \frac{1}{J} \sum_{j=1}^{J} \frac{F_j + F'_j + r_j (R_j - N_j)}{P_j + P'_j + P''_j + R_j (R_j - N_j)} \quad (R_j \ge N_j)
//! ```
//! The mean over judgement groups of a fraction. If R ≥ N, as if there were R − N more non-relevant documents
//! that were not retrieved: (F + F' + r · (R − N)) / (P + P' + P'' + R · (R − N)), where r is the number of
//! relevant documents retrieved and the other counts are those of `PrefSimp`. If R < N, preferences are
//! recounted with only the first R documents of the lowest level (in rank order, retrieved ones first). In a
//! group with one sub-group this recount also compares these R documents with every document of their own level
//! and with themselves.
//!
//! # Worked example
//! Levels d 6, a 3, b 2, f 2, c 0, e 0 in one group; ranking x, a, b, c, where x is unjudged. R = 4, N = 2, r =
//! 2: (6 + 2 · 2) / (13 + 4 · 2) = 10/21.
//!
//! # Undefined when
//! The topic has no judgement group, or some group has nothing to count (no relevant document, for example).
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as `prefs_avgjg_Rnonrel`, with 0 where it is undefined, so one group without
//! relevant documents makes the topic 0. The comparison of documents with themselves is a defect of `trec_eval`
//! that is reproduced. With levels below 0 it reads out of bounds if R exceeds the number of documents at the
//! lowest level; here only those documents count.
//!
//! # References
//! `trec_eval` since version 9; Carterette, Bennett, Chickering and Dumais 2008 on preferences as judgements.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::prefs::{PreferenceMeasure, PreferenceTopic, Scope};

use super::{SHARE, balanced};

#[derive(Clone, Copy, Debug)]
struct PrefAvgJgRnonrel;

impl PreferenceMeasure for PrefAvgJgRnonrel {
    fn evaluate(&self, topic: &PreferenceTopic) -> Option<f64> {
        balanced(topic, Scope::All)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "PrefAvgJgRnonrel",
    summary: "mean over judgement groups of preferences fulfilled, with as many non-relevant documents as relevant ones",
    page: crate::page::page!("pref_avgjg_rnonrel.rs"),
    build: |_| Ok(Computation::Preference(Arc::new(PrefAvgJgRnonrel))),
    ..SHARE
};

#[cfg(test)]
mod tests {
    use super::super::tests::{E1, NONE, ONE_GROUP_IRRELEVANT, check, undefined};

    #[test]
    fn worked_example() {
        check("PrefAvgJgRnonrel", E1, 10.0 / 21.0);
    }

    #[test]
    fn undefined_without_preferences() {
        undefined("PrefAvgJgRnonrel", NONE);
        undefined("PrefAvgJgRnonrel", ONE_GROUP_IRRELEVANT);
    }
}
