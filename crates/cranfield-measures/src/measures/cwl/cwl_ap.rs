//! # What it measures
//! Average precision as a C/W/L measure: the gain per document of a user who continues as long as gain remains
//! further down, and stops at a document with gain with a probability that falls with its rank.
//!
//! # User model
//! Knows the ranking in advance, continues as long as gain remains further down, and stops at a document with
//! gain with a probability that falls with its rank.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = \frac{S_{i+1}}{S_i}, \quad S_i = \sum_{j \ge i} \frac{g_j}{j}
//! ```
//! C(i) = S(i + 1) / S(i), where S(i) = Σ over ranks j from i to `depth` of gain(j) / j, and 0 where no gain
//! follows. This gives EU = Σ gain(i) / i · G(i) / G, where G(i) is the gain of ranks 1 to i and G that of all
//! ranks; ETU = Σ gain(i) / i · G(i) / S(1), EC = 1, and ETC = ED = G / S(1). If no document has a gain, the
//! user reads one document.
//!
//! The gain is 1 for a document that is relevant at `rel`; if `max_rel` is above `min_rel` it is (grade −
//! min_rel) / (max_rel − min_rel), clamped to the unit interval. Unjudged and missing documents have gain 0;
//! `residual='true'` is the increase if all of them had gain 1.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant: CWL_AP = (1 · 1 + 1/3 · 2) / 2 = 0.833333, regardless of how many
//! relevant documents were missed; ED is 2 / (4/3) = 1.5.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! Same as `APCWLMetric` in `cwl_eval`, which `ir_measures` uses for AP with that provider. It divides by the
//! number of relevant documents retrieved, while AP divides by all known ones: one relevant document at rank 1
//! out of ten known gives 1 here and 0.1 for AP.
//!
//! # References
//! Moffat, Bailey, Scholer and Thomas 2017; Azzopardi, Thomas and Moffat 2019.

use cranfield_core::measure::MeasureInfo;

use super::{CWL, Cwl, Figures, Reading, UserModel};

/// Average precision in the C/W/L framework.
#[derive(Clone, Copy, Debug)]
struct CwlAp;

impl UserModel for CwlAp {
    fn read(&self, reading: &Reading<'_>) -> Option<Figures> {
        let (mut rank, mut gained, mut weights, mut sum) = (0.0, 0.0, 0.0, 0.0);
        for gain in reading.gains() {
            rank += 1.0;
            gained += gain;
            weights += gain / rank;
            sum += gain / rank * gained;
        }
        let (gained, weights) = if weights > 0.0 {
            (gained, weights)
        } else {
            (1.0, 1.0)
        };
        Some(Figures {
            utility: sum / gained,
            total_utility: sum / weights,
            cost: reading.cost,
            total_cost: gained * reading.cost / weights,
            depth: gained / weights,
        })
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "CWL_AP",
    summary: "average precision as a C/W/L measure",
    page: crate::page::page!("cwl_ap.rs"),
    references: &[super::FRAMEWORK, super::PROGRAM],
    build: |params| Ok(Cwl::computation(params, CwlAp)),
    ..CWL
};

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;

    #[test]
    fn worked_example() {
        check("CWL_AP", &[1, 0, 1], &[1, 1, 1, 1, 0], 5.0 / 6.0);
        check(
            "CWL_AP(figure='ED')",
            &[1, 0, 1],
            &[1, 1, 1, 1, 0],
            2.0 / (4.0 / 3.0),
        );
    }

    #[test]
    fn edges() {
        check("CWL_AP", &[], &[1], 0.0);
        check("CWL_AP(figure='ED')", &[0], &[1], 1.0);
        check("CWL_AP(figure='ETU')", &[0], &[1], 0.0);
        check("CWL_AP(figure='ETC')", &[0, 1], &[1], 2.0);
        check("CWL_AP(residual='true')", &[-1, -1], &[], 1.0);
    }
}
