//! # What it measures
//! Normalised cumulative gain: the gain of the first k documents relative to the maximum for k documents,
//! regardless of their order.
//!
//! # User model
//! Reads exactly k documents and compares their total gain with that of the best k.
//!
//! # Formula
//! ```math
//! \mathrm{nCG@}k = \frac{\sum_{i \le k} g_i}{\sum_{i \le k} g^*_i}
//! ```
//! nCG@k = CG@k / CG@k of the ideal ranking, which has all judged documents of the topic in descending order of
//! gain, positive gains only. Without `@k` both sums are complete: the fraction of all gain.
//!
//! # Worked example
//! Grades 3, 0, 2, judged 3, 2, 1: nCG@2 = 3 / (3 + 2) = 0.6, nCG = 5/6 = 0.833333.
//!
//! # Undefined when
//! No document of the ideal ranking has a positive gain, or a sum of gains overflows.
//!
//! # Differences between tools
//! Equals `nDCG(discount='none')` and the NCG of the TREC Deep Learning track. With `ideal='ranking'` the ideal
//! ranking contains only retrieved documents.
//!
//! # References
//! Järvelin and Kekäläinen 2002; Craswell et al. 2020.

use cranfield_core::error::Error;
use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::Params;

use super::boards;
use super::dcg::{CumulatedGain, Part};
use super::gain_model::Ideal;

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "nCG",
    aliases: &["normalized_cg"],
    summary: "sum of gains as a fraction of the ideal ranking's",
    page: crate::page::page!("ncg.rs"),
    params: &[Gains::PARAM, Ideal::PARAM],
    references: &[
        "K. Järvelin and J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002. doi:10.1145/582415.582418",
        "N. Craswell, B. Mitra, E. Yilmaz, D. Campos and E. Voorhees: Overview of the TREC 2019 deep learning track. arXiv:2003.07820, 2020",
    ],
    build,
    ..MeasureInfo::DEFAULT
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(CumulatedGain::build(params, Part::Normalised, boards::CG))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        check("nCG@2", &[3, 0, 2], &[3, 2, 1], 3.0 / 5.0);
        check("nCG", &[3, 0, 2], &[3, 2, 1], 5.0 / 6.0);
    }

    #[test]
    fn edges() {
        check("nCG", &[], &[1], 0.0);
        check("NCG@100", &[-1, 1], &[1], 1.0);
        check("nCG(ideal='ranking')@1", &[1, 2], &[3, 2, 1], 0.5);
        undefined("nCG", &[0, -2], &[0]);
        undefined("nCG@5", &[], &[]);
    }
}
