//! # What it measures
//! Number of relevant documents retrieved, estimated from a pool of which only a sample was judged. Requires
//! judgements in the `strata` format.
//!
//! # User model
//! None: a count.
//!
//! # Formula
//! ```math
//! \mathrm{iNumRelRet} = \sum_{s} d_s \frac{q_s + \varepsilon}{m_s + 3 \varepsilon}
//! ```
//! iNumRelRet = Σ over strata of d · (q + ε) / (m + 3ε), ε = 0.00001: the ranking has d documents of the
//! stratum, m of them judged, q relevant. iNumRelRet@k counts only the first k documents.
//!
//! # Worked example
//! One stratum of four documents, a, b, c, d; b has grade 1, c has grade 0, a and d were not judged. Ranking a, b, c.
//! iNumRelRet = 3 · 1.00001 / 2.00003 = 1.499993.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! sample_eval.pl prints it as `inum_rel_ret`, for the first 1000 documents (`iNumRelRet@1000`).
//!
//! # References
//! Yilmaz, Kanoulas and Aslam 2008.

use std::sync::Arc;

use cranfield_core::measure::{Aggregate, Computation, MeasureInfo};
use cranfield_core::sampled::{PoolDocument, SampledRanking, StratifiedMeasure, StratifiedPool};

use super::STRATIFIED;
use crate::measures::common::Within;

/// Inferred number of relevant documents retrieved.
#[derive(Clone, Debug)]
struct InferredRetrieved(Within);

impl StratifiedMeasure for InferredRetrieved {
    fn evaluate(&self, topic: &SampledRanking<'_, PoolDocument>) -> Option<f64> {
        let pool = StratifiedPool::new(topic.judged.iter().copied(), self.0.level);
        Some(pool.num_rel_ret(topic.first(self.0.depth)))
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "iNumRelRet",
    aliases: &["inum_rel_ret"],
    summary: "number of relevant documents retrieved, estimated from a pool sampled by strata",
    page: crate::page::page!("i_num_rel_ret.rs"),
    aggregate: Aggregate::Sum,
    build: |params| {
        Ok(Computation::Stratified(Arc::new(InferredRetrieved(
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
        check("iNumRelRet", POOL, &[0, 1, 2], 3.0 * 1.00001 / 2.00003);
        check("inum_rel_ret@1", POOL, &[0, 1, 2], 1.0 / 3.0);
    }

    #[test]
    fn edges() {
        check("iNumRelRet", POOL, &[], 0.0);
        check("iNumRelRet", &[], &[-1, -1], 0.0);
    }
}
