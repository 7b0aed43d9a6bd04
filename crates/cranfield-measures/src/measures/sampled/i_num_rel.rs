//! # What it measures
//! Number of relevant documents of the topic, estimated from a pool of which only a sample was judged. Requires
//! judgements in the `strata` format.
//!
//! # User model
//! None: a count.
//!
//! # Formula
//! ```math
//! \mathrm{iNumRel} = \sum_{s} r_s \frac{D_s}{S_s}
//! ```
//! iNumRel = Σ over strata of r · D / S: the stratum has D documents, S of them judged, r relevant. A stratum
//! without judged documents contributes 0.
//!
//! # Worked example
//! One stratum of four documents, of which two were judged and one is relevant: iNumRel = 1 · 4 / 2 = 2.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! sample_eval.pl prints it as `inum_rel`, summed over all topics of the judgements, evaluated or not.
//!
//! # References
//! Yilmaz, Kanoulas and Aslam 2008.

use std::sync::Arc;

use cranfield_core::measure::{Aggregate, Computation, Direction, MeasureInfo};
use cranfield_core::params::CutoffRule;
use cranfield_core::sampled::{PoolDocument, SampledRanking, StratifiedMeasure, StratifiedPool};

use super::STRATIFIED;

/// Inferred number of relevant documents.
#[derive(Clone, Debug)]
struct InferredRelevant {
    level: f64,
}

impl StratifiedMeasure for InferredRelevant {
    fn evaluate(&self, topic: &SampledRanking<'_, PoolDocument>) -> Option<f64> {
        let pool = StratifiedPool::new(topic.judged.iter().copied(), self.level);
        Some(pool.num_rel())
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "iNumRel",
    aliases: &["inum_rel"],
    summary: "number of relevant documents, estimated from a pool sampled by strata",
    page: crate::page::page!("i_num_rel.rs"),
    cutoff: CutoffRule::None,
    aggregate: Aggregate::Sum,
    direction: Direction::Neutral,
    build: |params| {
        Ok(Computation::Stratified(Arc::new(InferredRelevant {
            level: params.level(),
        })))
    },
    ..STRATIFIED
};

#[cfg(test)]
mod tests {
    use super::super::tests::{POOL, check};

    #[test]
    fn worked_example() {
        check("iNumRel", POOL, &[], 2.0);
    }

    #[test]
    fn edges() {
        check("inum_rel", &[], &[], 0.0);
        check("iNumRel", &[(1, None), (2, Some(3.0))], &[], 1.0);
        check("iNumRel(rel=4)", &[(1, None), (2, Some(3.0))], &[], 0.0);
    }
}
