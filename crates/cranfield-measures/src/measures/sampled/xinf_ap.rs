//! # What it measures
//! Average precision, estimated from a pool of which only a sample was judged: the pool is divided into strata,
//! and a uniform sample of each was judged. Requires judgements in the `strata` format.
//!
//! # User model
//! That of AP; the value is an estimate from sampled judgements.
//!
//! # Formula
//! ```math
//! \mathrm{xinfAP} = \frac{1}{R} \sum_{s} \frac{D_s}{S_s} \sum_{i\ \mathrm{rel\ in}\ s} \frac{1}{i} \left( 1 + \sum_{t} d_t \frac{q_t + \varepsilon}{m_t + 3 \varepsilon} \right)
//! ```
//! Stratum s contains D(s) documents of the pool, of which S(s) were judged and r(s) are relevant; R = Σ r(s) ·
//! D(s) / S(s). At a relevant document of rank i the precision is (1 + E) / i, where E = Σ over strata of d ·
//! (q + ε) / (m + 3ε): above rank i the ranking has d documents of the stratum, m of them judged, q relevant; ε
//! = 0.00001. xinfAP = (1 / R) · Σ over strata of D(s) / S(s) · Σ of these precisions. xinfAP@k considers the
//! first k documents.
//!
//! # Worked example
//! One stratum of four documents, a, b, c, d; b has grade 1, c has grade 0, a and d were not judged. Ranking a,
//! b, c. R = 1 · 4 / 2 = 2. One unjudged document is above b: E = 1 · ε / 3ε = 1/3. xinfAP = (1/2) · 2 · (1 +
//! 1/3) / 2 = 0.666667.
//!
//! # Undefined when
//! No judged document is relevant.
//!
//! # Differences between tools
//! sample_eval.pl calls it `infAP`, which in trec_eval is a different estimate ([infAP](#infap)); it considers
//! the first 1000 documents (`xinfAP@1000`). A version of 2012 multiplies the value by R / 1000 if R is above
//! 1000, which is not done here. It counts topics of the run only, and gives 0 where it is undefined.
//!
//! # References
//! Yilmaz, Kanoulas and Aslam 2008.

use std::sync::Arc;

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::sampled::{PoolDocument, SampledRanking, StratifiedMeasure, StratifiedPool};

use super::STRATIFIED;
use crate::measures::common::Within;

/// Extended inferred average precision.
#[derive(Clone, Debug)]
struct XinfAp(Within);

impl StratifiedMeasure for XinfAp {
    fn evaluate(&self, topic: &SampledRanking<'_, PoolDocument>) -> Option<f64> {
        let pool = StratifiedPool::new(topic.judged.iter().copied(), self.0.level);
        pool.xinf_ap(topic.first(self.0.depth))
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "xinfAP",
    summary: "average precision, estimated from a pool sampled by strata",
    page: crate::page::page!("xinf_ap.rs"),
    build: |params| {
        Ok(Computation::Stratified(Arc::new(XinfAp(Within::of(
            params,
        )))))
    },
    ..STRATIFIED
};

#[cfg(test)]
mod tests {
    use super::super::tests::{POOL, check, undefined};

    #[test]
    fn worked_example() {
        check("xinfAP", POOL, &[0, 1, 2], 2.0 / 3.0);
        check("xinfAP@1", POOL, &[0, 1, 2], 0.0);
    }

    #[test]
    fn edges() {
        check("xinfAP", POOL, &[], 0.0);
        check("xinfAP", POOL, &[-1, -1, -1, 1], 0.25);
        check("xinfAP(rel=0)", &[(1, Some(0.0))], &[0], 1.0);
        undefined("xinfAP", &[(1, Some(0.0)), (1, None)], &[0, 1]);
        undefined("xinfAP(rel=2)", POOL, &[1]);
        undefined("xinfAP", &[], &[]);
    }
}
