//! Tests of significance of all pairs of systems, for the stand-ins of other packages.

use cranfield::stats::random::Resampling;
use cranfield::stats::randomisation::{Method, randomisation};
use cranfield::stats::{Alternative, ScoreMatrix, StatsError, paired_t, tukey};
use pyo3::prelude::*;

use crate::errors::Failure;
use crate::work::work;

/// Confidence of intervals, which are not shown.
const LEVEL: f64 = 0.95;

/// A pair of systems, by number, and its p-value.
type Pair = (usize, usize, f64);

/// p-values of all pairs of systems, by number, from the scores that each has on the same topics: `student` is the paired t test,
/// `fisher` the randomisation test with that many random signs, `tukey` Tukey's test of scores that are not paired.
#[pyfunction]
#[pyo3(signature = (test, scores, *, replicates = 1000, seed = 42))]
pub(crate) fn pair_tests(
    py: Python<'_>,
    test: &str,
    scores: Vec<Vec<f64>>,
    replicates: usize,
    seed: u64,
) -> PyResult<Vec<Pair>> {
    let test = test.to_owned();
    work(py, true, None, move || {
        let resampling = Resampling { replicates, seed };
        p_values(&test, &scores, resampling).map_err(|error| Failure::Usage(error.to_string()))
    })
}

fn p_values(
    test: &str,
    scores: &[Vec<f64>],
    resampling: Resampling,
) -> Result<Vec<Pair>, StatsError> {
    let matrix = ScoreMatrix::new(scores)?;
    if test == "tukey" {
        let pairs = tukey::unpaired(&matrix, LEVEL)?.pairs;
        return Ok(pairs
            .into_iter()
            .map(|pair| (pair.first, pair.second, pair.p))
            .collect());
    }
    let of_pair = |(first, second): (usize, usize)| {
        let (a, b) = (matrix.row(first), matrix.row(second));
        let p = if test == "student" {
            paired_t::paired_t(a, b, Alternative::TwoSided, LEVEL)?.p
        } else {
            let method = Method::MonteCarlo(resampling);
            randomisation(a, b, method, Alternative::TwoSided)?.p
        };
        Ok((first, second, p))
    };
    matrix.pairs().map(of_pair).collect()
}
