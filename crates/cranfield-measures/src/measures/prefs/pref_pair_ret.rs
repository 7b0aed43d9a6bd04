//! # What it measures
//! The fraction of preferences that the ranking fulfils for a pair of documents, averaged over pairs that are
//! both retrieved.
//!
//! # User model
//! A reader who compares documents in pairs and credits each pair in the preferred order; ranks matter only
//! through that order.
//!
//! # Formula
//! ```math
//! \mathrm{PrefPairRet} = \frac{1}{|\mathrm{pairs}|} \sum_{\{i, j\} \subseteq \mathrm{run}} \frac{W_{i,j}}{W_{i,j} + W_{j,i}}
//! ```
//! `PrefPairRet` = mean over pairs of retrieved documents {i, j} with any preference of W(i, j) / (W(i, j) + W(j, i)), where i is ranked before j
//! and W(i, j) is the number of preferences 'i to j' over all judgement groups.
//!
//! # Worked example
//! Groups 1 and 2 prefer a to b, group 3 prefers b to a and to c; ranking a, c, b. Pair a, b: 2/3; pair c, b:
//! 0. Mean 1/3. Levels d 6, a 3, b 2, f 2, c 0, e 0 in one group; ranking x, a, b, c, where x is unjudged. 3/3
//! = 1.
//!
//! # Undefined when
//! No preference has both documents retrieved.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as `prefs_pair_ret`, with 0 where it is undefined.
//!
//! # References
//! `trec_eval` since version 9; Carterette, Bennett, Chickering and Dumais 2008 on preferences as judgements.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::prefs::{PreferenceMeasure, PreferenceTopic, Scope};

use super::SHARE;

#[derive(Clone, Copy, Debug)]
struct PrefPairRet;

impl PreferenceMeasure for PrefPairRet {
    fn evaluate(&self, topic: &PreferenceTopic) -> Option<f64> {
        topic.mean_of_pairs(Scope::Retrieved)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "PrefPairRet",
    summary: "mean over pairs of retrieved documents of the fraction of preferences fulfilled",
    page: crate::page::page!("pref_pair_ret.rs"),
    build: |_| Ok(Computation::Preference(Arc::new(PrefPairRet))),
    ..SHARE
};

#[cfg(test)]
mod tests {
    use super::super::tests::{E1, E2, NONE, check, undefined};

    #[test]
    fn worked_example() {
        check("PrefPairRet", E1, 1.0);
        check("PrefPairRet", E2, (2.0 / 3.0) / 2.0);
    }

    #[test]
    fn undefined_without_preferences() {
        undefined("PrefPairRet", NONE);
    }
}
