//! Estimates from sampled judgements, one file each, and their shared code.

use cranfield_core::measure::{MeasureInfo, Range};
use cranfield_core::params::ParamInfo;

pub(super) mod i_num_rel;
pub(super) mod i_num_rel_ret;
pub(super) mod i_precision;
pub(super) mod inf_ndcg;
pub(super) mod stat_ap;
pub(super) mod stat_num_rel;
pub(super) mod stat_precision;
pub(super) mod xinf_ap;

/// Fields shared by the estimates from a stratified pool.
const STRATIFIED: MeasureInfo = MeasureInfo {
    params: &[ParamInfo::LEVEL],
    range: Range::COUNT,
    references: &[
        "E. Yilmaz, E. Kanoulas and J. Aslam: A simple and efficient sampling method for estimating AP and NDCG. SIGIR 2008",
    ],
    ..MeasureInfo::DEFAULT
};

/// Fields shared by the estimates from unequal sampling probabilities.
const DRAWN: MeasureInfo = MeasureInfo {
    references: &[
        "J. Aslam and V. Pavlu: A practical sampling strategy for efficient retrieval evaluation. Northeastern University, 2007",
    ],
    ..STRATIFIED
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::measure;
    use cranfield_core::measure::Computation;
    use cranfield_core::sampled::{DrawnJudgement, Inclusion, PoolDocument, SampledRanking};

    /// A stratum of four documents, of which two were judged: one with grade 1, one with grade 0.
    pub(super) const POOL: &[(u32, Option<f64>)] =
        &[(1, None), (1, Some(1.0)), (1, Some(0.0)), (1, None)];

    /// Grades and probabilities.
    pub(super) const PRELS: &[(f64, f64)] = &[(2.0, 0.25), (0.0, 0.5), (1.0, 1.0)];

    /// Evaluates documents of a pool in rank order, −1 for a document outside the pool.
    fn stratified(name: &str, pool: &[(u32, Option<f64>)], ranking: &[i32]) -> Option<f64> {
        let pool: Vec<_> = pool
            .iter()
            .map(|&(stratum, grade)| PoolDocument { stratum, grade })
            .collect();
        match measure(name).computation {
            Computation::Stratified(measure) => measure.evaluate(&SampledRanking {
                judged: &pool,
                ranking: &ranked(&pool, ranking),
            }),
            other => panic!("{name} is {other:?}"),
        }
    }

    fn ranked<J: Copy>(judged: &[J], ranking: &[i32]) -> Vec<Option<J>> {
        let found = |place: &i32| usize::try_from(*place).ok().map(|place| judged[place]);
        ranking.iter().map(found).collect()
    }

    fn drawn(name: &str, judged: &[(f64, f64)], ranking: &[i32]) -> Option<f64> {
        let judged: Vec<_> = judged
            .iter()
            .map(|&(grade, probability)| DrawnJudgement {
                grade,
                inclusion: Inclusion::new(probability).expect("a probability"),
            })
            .collect();
        match measure(name).computation {
            Computation::Drawn(measure) => measure.evaluate(&SampledRanking {
                judged: &judged,
                ranking: &ranked(&judged, ranking),
            }),
            other => panic!("{name} is {other:?}"),
        }
    }

    #[track_caller]
    pub(super) fn near(value: Option<f64>, expected: f64) {
        let value = value.expect("the value is defined");
        assert!((value - expected).abs() < 1e-12, "{value}, not {expected}");
    }

    #[track_caller]
    pub(super) fn check(name: &str, pool: &[(u32, Option<f64>)], ranking: &[i32], expected: f64) {
        near(stratified(name, pool, ranking), expected);
    }

    #[track_caller]
    pub(super) fn undefined(name: &str, pool: &[(u32, Option<f64>)], ranking: &[i32]) {
        assert_eq!(stratified(name, pool, ranking), None, "{name}");
    }

    #[track_caller]
    pub(super) fn check_drawn(name: &str, prels: &[(f64, f64)], ranking: &[i32], expected: f64) {
        near(drawn(name, prels, ranking), expected);
    }

    #[track_caller]
    pub(super) fn undefined_drawn(name: &str, prels: &[(f64, f64)], ranking: &[i32]) {
        assert_eq!(drawn(name, prels, ranking), None, "{name}");
    }
}
