//! # What it measures
//! Precision of the first k documents, estimated from a pool of which only a sample was judged. Requires
//! judgements in the `strata` format.
//!
//! # User model
//! That of P; the value is an estimate from sampled judgements.
//!
//! # Formula
//! ```math
//! \mathrm{iP}@k = \frac{1}{k} \sum_{s} d_s \frac{q_s + \varepsilon}{m_s + 3 \varepsilon}
//! ```
//! iP@k = (1 / k) · Σ over strata of d · (q + ε) / (m + 3ε), ε = 0.00001: d of the first k documents are in the
//! stratum, m of them judged, q relevant. Documents outside the pool, and those missing from a ranking shorter
//! than k, count as non-relevant.
//!
//! # Worked example
//! One stratum of four documents, a, b, c, d; b has grade 1, c has grade 0, a and d were not judged. Ranking a, b, c.
//! iP@4 = (1/4) · 3 · 1.00001 / 2.00003 = 0.374998.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! sample_eval.pl prints it as `iP10`, `iP50`, `iP1000` or at other cutoffs, depending on its version.
//!
//! # References
//! Yilmaz, Kanoulas and Aslam 2008.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo, Range};
use cranfield_core::params::CutoffRule;
use cranfield_core::sampled::{PoolDocument, SampledRanking, StratifiedMeasure, StratifiedPool};

use super::STRATIFIED;
use crate::measures::common::Within;

/// Inferred precision.
#[derive(Clone, Debug)]
struct InferredPrecision(Within);

impl StratifiedMeasure for InferredPrecision {
    fn evaluate(&self, topic: &SampledRanking<'_, PoolDocument>) -> Option<f64> {
        let pool = StratifiedPool::new(topic.judged.iter().copied(), self.0.level);
        pool.precision(topic.ranking, self.0.depth)
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "iP",
    summary: "precision, estimated from a pool sampled by strata",
    page: crate::page::page!("i_precision.rs"),
    cutoff: CutoffRule::Required,
    range: Range::UNIT,
    build: |params| {
        Ok(Computation::Stratified(Arc::new(InferredPrecision(
            Within::of(params),
        ))))
    },
    ..STRATIFIED
};

#[cfg(test)]
mod tests {
    use super::super::tests::{POOL, check};

    #[test]
    fn worked_example() {
        check("iP@4", POOL, &[0, 1, 2], 3.0 * 1.00001 / 2.00003 / 4.0);
        check("iP@2", POOL, &[0, 1, 2], 2.0 * 1.00001 / 1.00003 / 2.0);
    }

    #[test]
    fn edges() {
        check("iP@5", POOL, &[], 0.0);
        check("iP@1", &[], &[-1], 0.0);
        // No document of the stratum was judged: one in three is assumed relevant.
        check("iP@1", &[(1, None)], &[0], 1.0 / 3.0);
    }
}
