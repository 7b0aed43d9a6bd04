//! Every function that draws random numbers returns the same bits on any number of threads.

use std::fmt::Debug;

use crate::bootstrap::{
    Method, Statistic, bootstrap_mean, bootstrap_test, mean_bands, rank_intervals,
};
use crate::common::Alternative;
use crate::discriminative::{stability, swap_rates};
use crate::effect::effect_sizes;
use crate::equivalence::bayesian_signed_rank;
use crate::matrix::ScoreMatrix;
use crate::null_simulation::{NullSource, family_rejection_rates};
use crate::random::Resampling;
use crate::randomisation::{
    self, randomisation, randomisation_of_pairs, randomisation_of_statistic,
};
use crate::testing::{A, B, C, on_threads};
use crate::{friedman, randomised_tukey};

/// Not a multiple of any block, so that the last one is shorter.
const RESAMPLING: Resampling = Resampling {
    replicates: 2999,
    seed: 17,
};

/// The debug format of a number is exact: different numbers print differently.
#[track_caller]
fn same<T: Debug>(compute: impl Fn() -> T + Sync) {
    let with = |threads| on_threads(threads, || format!("{:?}", compute()));
    let one = with(1);
    assert!(!one.starts_with("Err"), "{one}");
    assert_eq!(one, with(2));
    assert_eq!(one, with(3));
}

fn scores() -> ScoreMatrix {
    ScoreMatrix::new(&[A, B, C]).unwrap()
}

#[test]
fn tests_of_two_systems() {
    for sides in [
        Alternative::TwoSided,
        Alternative::Greater,
        Alternative::Less,
    ] {
        let method = randomisation::Method::MonteCarlo(RESAMPLING);
        same(|| randomisation(&A, &B, method, sides));
        same(|| randomisation(&A, &B, randomisation::Method::Exact, sides));
        same(|| bootstrap_test(&A, &B, Statistic::Studentised, sides, RESAMPLING));
        same(|| bootstrap_test(&A, &B, Statistic::PlainMean, sides, RESAMPLING));
        let largest = |a: &[f64], b: &[f64]| {
            let most = |values: &[f64]| values.iter().copied().reduce(f64::max);
            Some(most(a)? - most(b)?)
        };
        same(|| randomisation_of_statistic(&A, &B, largest, method, sides));
    }
}

#[test]
fn tests_of_several_systems() {
    same(|| randomisation_of_pairs(&scores(), RESAMPLING, Alternative::TwoSided));
    same(|| randomised_tukey::compare(&scores(), RESAMPLING));
    same(|| friedman::permutation_p(&scores(), RESAMPLING));
}

#[test]
fn intervals() {
    for method in [Method::Percentile, Method::Basic, Method::Bca] {
        same(|| bootstrap_mean(&A, method, 0.95, RESAMPLING));
    }
    same(|| rank_intervals(&scores(), 0.95, RESAMPLING));
    let curves: Vec<Vec<Option<f64>>> = A
        .iter()
        .zip(B)
        .map(|(&a, b)| vec![Some(a), None, Some(b)])
        .collect();
    same(|| mean_bands(&curves, 0.95, RESAMPLING));
}

#[test]
fn simulations() {
    same(|| swap_rates(&scores(), 5, 0.05, RESAMPLING));
    same(|| stability(&scores(), 5, 0.05, RESAMPLING));
    same(|| effect_sizes(&A, &B, 0.95, RESAMPLING));
    same(|| bayesian_signed_rank(&A, &B, 0.01, 0.5, RESAMPLING));
    let source = NullSource::Normal { topics: 10 };
    let test = |scores: &ScoreMatrix, _| Ok(scores.row(0)[0].abs().fract());
    same(|| family_rejection_rates(&source, 3, test, &[0.05, 0.5], RESAMPLING));
}
