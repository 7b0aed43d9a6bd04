//! # What it measures
//! Average precision over all known relevant documents, expressed with the weights of the C/W/L framework
//! (TrAP).
//!
//! # User model
//! That of AP, over all known relevant documents.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \sum_i W_i\, g_i, \quad W_i = \frac{1}{i\, R} \sum_{j \le i} g_j
//! ```
//! W(i) = G(i) / i / R, where G(i) is the gain of ranks 1 to i, or 1 before the first gain, and R is the number
//! of judged documents with a gain, or of documents read with a gain if that is more. EU = Σ W(i) · gain(i)
//! over the ranks down to `depth`, EC = Σ W(i), ED = 1 / W(1), ETU = EU · ED and ETC = EC · ED. Unlike those of
//! other C/W/L measures, the weights do not sum to 1, so only EU has its usual meaning.
//!
//! The gain is 1 for a document that is relevant at `rel`; if `max_rel` is above `min_rel` it is (grade −
//! min_rel) / (max_rel − min_rel), clamped to the unit interval. Unjudged and missing documents have gain 0;
//! `residual='true'` is the increase if all of them had gain 1.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant, and three known relevant documents: CWL_TrAP = (1 + 2/3) / 3 =
//! 0.555556, like AP.
//!
//! # Undefined when
//! No judged document of the topic has a gain.
//!
//! # Differences between tools
//! Same as `TrAPCWLMetric` in `cwl_eval`, which gives 0 where it is undefined here. Its ETU and ETC follow from
//! continuation probabilities that may exceed 1. `ir_measures` does not provide it; for binary gains AP@1000 is
//! the same.
//!
//! # References
//! Azzopardi, Thomas and Moffat 2019.

use cranfield_core::measure::MeasureInfo;

use super::{CWL, Cwl, Figures, Reading, UserModel};

/// Average precision over all known relevant documents, in the C/W/L framework.
#[derive(Clone, Copy, Debug)]
struct CwlTrap;

impl UserModel for CwlTrap {
    fn read(&self, reading: &Reading<'_>) -> Option<Figures> {
        let (mut rank, mut gained, mut found) = (0.0, 0.0, 0usize);
        let (mut utility, mut weights, mut first) = (0.0, 0.0, None);
        for gain in reading.gains() {
            rank += 1.0;
            gained += gain;
            found += usize::from(gain > 0.0);
            let at_end = rank >= f64::from(reading.depth) && rank > 1.0;
            let weight = if gained > 0.0 || at_end { gained } else { 1.0 } / rank;
            utility += weight * gain;
            weights += weight;
            first = first.or(Some(weight));
        }
        let known = reading.relevant();
        let relevant = (known > 0).then(|| known.max(found) as f64)?;
        let (utility, weights) = (utility / relevant, weights / relevant);
        let depth = relevant / first?;
        Some(Figures {
            utility,
            total_utility: utility * depth,
            cost: weights * reading.cost,
            total_cost: weights * reading.cost * depth,
            depth,
        })
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "CWL_TrAP",
    summary: "average precision over all known relevant documents as a C/W/L measure",
    page: crate::page::page!("cwl_trap.rs"),
    references: &[super::PROGRAM],
    build: |params| Ok(Cwl::computation(params, CwlTrap)),
    ..CWL
};

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;
    use crate::measures::tests::undefined;

    #[test]
    fn worked_example() {
        check("CWL_TrAP", &[1, 0, 1], &[1, 1, 1, 0], 5.0 / 9.0);
    }

    #[test]
    fn edges() {
        check("CWL_TrAP", &[], &[1], 0.0);
        check("CWL_TrAP(figure='ED')", &[], &[1, 1], 2.0);
        check("CWL_TrAP(depth=1, figure='ED')", &[], &[1, 1], 2.0);
        check("CWL_TrAP(depth=2, figure='EC')", &[], &[1], 1.0);
        undefined("CWL_TrAP", &[0], &[0]);
        undefined("CWL_TrAP(residual='true')", &[], &[]);
    }
}
