//! # What it measures
//! The fraction of preferences that the ranking fulfils for a pair of documents, averaged over pairs with at
//! least one retrieved. Retrieved documents are considered ranked above those not retrieved.
//!
//! # User model
//! A reader who compares documents in pairs and credits each pair in the preferred order; ranks matter only
//! through that order.
//!
//! # Formula
//! ```math
//! \mathrm{PrefPairImp} = \frac{1}{|\mathrm{pairs}|} \sum_{\{i, j\} : i \in \mathrm{run}} \frac{W_{i,j}}{W_{i,j} + W_{j,i}}
//! ```
//! `PrefPairImp` = mean over pairs {i, j} with any preference and i retrieved of W(i, j) / (W(i, j) + W(j, i)), where j is ranked after i or not
//! retrieved, and W(i, j) is the number of preferences 'i to j' over all judgement groups.
//!
//! # Worked example
//! Groups 1 and 2 prefer a to b, group 3 prefers b to a and to c; ranking a, c, b. Pair a, b: 2/3; pair c, b:
//! 0. Mean 1/3. Levels d 6, a 3, b 2, f 2, c 0, e 0 in one group; ranking x, a, b, c, where x is unjudged.
//! 6/10.
//!
//! # Undefined when
//! No preference has a retrieved document.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, as `prefs_pair_imp`, with 0 where it is undefined.
//!
//! # References
//! `trec_eval` since version 9; Carterette, Bennett, Chickering and Dumais 2008 on preferences as judgements.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::prefs::{PreferenceMeasure, PreferenceTopic, Scope};

use super::SHARE;

#[derive(Clone, Copy, Debug)]
struct PrefPairImp;

impl PreferenceMeasure for PrefPairImp {
    fn evaluate(&self, topic: &PreferenceTopic) -> Option<f64> {
        topic.mean_of_pairs(Scope::Implied)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "PrefPairImp",
    summary: "mean over pairs with a retrieved document of the fraction of preferences fulfilled",
    page: crate::page::page!("pref_pair_imp.rs"),
    build: |_| Ok(Computation::Preference(Arc::new(PrefPairImp))),
    ..SHARE
};

#[cfg(test)]
mod tests {
    use super::super::tests::{E1, E2, NONE, check, undefined};

    #[test]
    fn worked_example() {
        check("PrefPairImp", E1, 6.0 / 10.0);
        check("PrefPairImp", E2, (2.0 / 3.0) / 2.0);
    }

    #[test]
    fn undefined_without_preferences() {
        undefined("PrefPairImp", NONE);
    }
}
