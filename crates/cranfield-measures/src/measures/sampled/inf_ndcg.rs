//! # What it measures
//! nDCG, estimated from a pool of which only a sample was judged: the pool is divided into strata, and a
//! uniform sample of each was judged. Requires judgements in the `strata` format.
//!
//! # User model
//! That of nDCG; the value is an estimate from sampled judgements.
//!
//! # Formula
//! ```math
//! \mathrm{infNDCG} = \frac{1}{\mathrm{IDCG}} \sum_{s} \frac{d_s}{m_s} \sum_{i\ \mathrm{in}\ s} \frac{\mathrm{gain}_i}{\log_2 (i + 1)}
//! ```
//! DCG = Σ over strata of (d / m) · Σ of gain / log2(rank + 1) over the stratum's judged documents in the
//! ranking, which has d documents of the stratum, m of them judged. infNDCG = DCG divided by the DCG of the
//! ideal ranking, which contains the estimated number of documents of each grade: Σ over strata of judged
//! documents with the grade · D / S, rounded to the nearest whole number, where the stratum has D documents, S
//! of them judged. infNDCG@k considers the first k documents of both rankings.
//!
//! # Worked example
//! One stratum of four documents, a, b, c, d; b has grade 1, c has grade 0, a and d were not judged. Ranking a, b, c.
//! DCG = (3/2) · 1 / log2(3) = 0.946395. Ideal: two documents of grade 1, 1 + 1 / log2(3) = 1.630930.
//! infNDCG = 0.580279.
//!
//! # Undefined when
//! The ideal ranking has no gain.
//!
//! # Differences between tools
//! sample_eval.pl considers the first 1000 documents (`infNDCG@1000`). It uses fractional ranks instead of
//! rounding the estimated numbers; the two agree if these are whole. It sorts grades as strings, so that 10
//! comes below 2.
//!
//! # References
//! Yilmaz, Kanoulas and Aslam 2008.

use std::sync::Arc;

use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::Cutoff;
use cranfield_core::sampled::{PoolDocument, SampledRanking, StratifiedMeasure, StratifiedPool};

use super::STRATIFIED;
use crate::measures::common::depth;

/// Inferred nDCG.
#[derive(Clone, Debug)]
struct InfNdcg {
    gains: Gains,
    cutoff: Option<Cutoff>,
}

impl StratifiedMeasure for InfNdcg {
    fn evaluate(&self, topic: &SampledRanking<'_, PoolDocument>) -> Option<f64> {
        let pool = StratifiedPool::new(topic.judged.iter().copied(), 1.0);
        let depth = depth(self.cutoff);
        let value = pool.inf_ndcg(topic.first(depth), &self.gains, depth);
        value.filter(|value| value.is_finite())
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "infNDCG",
    summary: "nDCG, estimated from a pool sampled by strata",
    page: crate::page::page!("inf_ndcg.rs"),
    params: &[Gains::PARAM],
    build: |params| {
        Ok(Computation::Stratified(Arc::new(InfNdcg {
            gains: params.gains("gains").clone(),
            cutoff: params.cutoff(),
        })))
    },
    ..STRATIFIED
};

#[cfg(test)]
mod tests {
    use super::super::tests::{POOL, check, undefined};

    #[test]
    fn worked_example() {
        let dcg = 1.5 / 3f64.log2();
        check("infNDCG", POOL, &[0, 1, 2], dcg / (1.0 + 1.0 / 3f64.log2()));
        check(
            "infNDCG@2",
            POOL,
            &[0, 1, 2],
            2.0 / 3f64.log2() / (1.0 + 1.0 / 3f64.log2()),
        );
    }

    #[test]
    fn edges() {
        check("infNDCG", POOL, &[], 0.0);
        check("infNDCG", POOL, &[-1], 0.0);
        check(
            "infNDCG(gains='exp')",
            &[(1, Some(2.0))],
            &[-1, 0],
            1.0 / 3f64.log2(),
        );
        undefined("infNDCG", &[(1, Some(0.0))], &[0]);
        undefined("infNDCG", &[], &[]);
    }
}
