//! The bootstrap: topics resampled with replacement.

mod counts;
mod curves;
mod interval;
mod ranks;
mod test;

use rayon::prelude::*;

use crate::common::{Interval, check_level};
use crate::error::{Result, StatsError};
use crate::pool;
use crate::random::{Resampling, Stream};
use crate::sample::{check_count, check_finite};

pub use counts::{Estimate, resample_counts};
pub use curves::{MOST_POINTS, mean_bands};
pub use interval::{LEAST_TOPICS, Method, interval, replicates_for};
pub use ranks::{MOST_SYSTEMS, RankInterval, rank_intervals};
pub use test::{BootstrapTest, Statistic, bootstrap_test};

/// Maximum number of replicates of a statistic, whose values are all kept: 10 million.
pub const MOST_KEPT: usize = 10_000_000;

/// Replicates that draw from one stream.
const BLOCK: usize = 64;

/// Estimate of a statistic and its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    /// The statistic of the original topics.
    pub estimate: f64,
    /// Its interval; `None` if the replicates do not allow one, see [`interval()`].
    pub interval: Option<Interval>,
    /// Standard deviation of the replicates.
    pub standard_error: f64,
    /// Method of the interval.
    pub method: Method,
    /// Replicates with a value.
    pub defined: usize,
    /// Number of replicates and seed.
    pub resampling: Resampling,
}

/// Interval of any statistic, given as a function of the indexes of the drawn topics, which may repeat. Replicates without a value are
/// left out; [`Bootstrap::defined`] counts the others.
///
/// ```
/// use cranfield_stats::bootstrap::{Method, bootstrap};
/// use cranfield_stats::random::Resampling;
/// let scores = [0.2, 0.4, 0.4, 0.5, 0.9];
/// let mean = |topics: &[usize]| {
///     Some(topics.iter().map(|&topic| scores[topic]).sum::<f64>() / topics.len() as f64)
/// };
/// let result = bootstrap(5, mean, Method::Percentile, 0.95, Resampling::default())?;
/// assert!((result.estimate - 0.48).abs() < 1e-12);
/// // The standard error of a resampled mean is s / sqrt n with s over n: sqrt(0.0536 / 5) = 0.1035.
/// assert!((result.standard_error - 0.1035).abs() < 0.001);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
///
/// B. Efron and R. Tibshirani: An introduction to the bootstrap. Chapman and Hall 1993.
pub fn bootstrap(
    topics: usize,
    statistic: impl Fn(&[usize]) -> Option<f64> + Sync,
    method: Method,
    level: f64,
    resampling: Resampling,
) -> Result<Bootstrap> {
    check_level(level)?;
    let everything: Vec<usize> = (0..topics).collect();
    let estimate = match statistic(&everything) {
        Some(value) if value.is_finite() => value,
        other => {
            return Err(StatsError::Setting {
                name: "the statistic of all topics",
                value: other.unwrap_or(f64::NAN),
                expected: "a finite number",
            });
        }
    };
    let values = replicates(topics, &statistic, resampling)?;
    let without = |left_out: usize| {
        let rest: Vec<usize> = (0..topics).filter(|&topic| topic != left_out).collect();
        statistic(&rest)
    };
    let jackknife: Option<Vec<f64>> = match method {
        Method::Bca => pool::run(|| (0..topics).into_par_iter().map(without).collect()),
        _ => None,
    };
    let jackknife = jackknife.unwrap_or_default();
    Ok(Bootstrap {
        estimate,
        interval: interval(estimate, &values, &jackknife, method, level)?,
        standard_error: crate::sample::standard_deviation(&values).unwrap_or(0.0),
        method,
        defined: values.len(),
        resampling,
    })
}

/// Interval of the mean of values.
pub fn bootstrap_mean(
    values: &[f64],
    method: Method,
    level: f64,
    resampling: Resampling,
) -> Result<Bootstrap> {
    check_finite(values)?;
    check_count(values, 2)?;
    let mean = |topics: &[usize]| {
        let sum: f64 = topics.iter().map(|&topic| values[topic]).sum();
        Some(sum / topics.len() as f64)
    };
    bootstrap(values.len(), mean, method, level, resampling)
}

/// Values of the statistic on resampled topics, by number of the replicate.
fn replicates(
    topics: usize,
    statistic: &(impl Fn(&[usize]) -> Option<f64> + Sync),
    resampling: Resampling,
) -> Result<Vec<f64>> {
    let Resampling { replicates, seed } = resampling.checked(MOST_KEPT)?;
    let count = topic_count(topics)?;
    let block = |number: usize| {
        let mut stream = Stream::new(seed, number as u64);
        let size = (replicates - number * BLOCK).min(BLOCK);
        let mut drawn = vec![0; topics];
        let mut values = Vec::with_capacity(size);
        for _ in 0..size {
            for topic in &mut drawn {
                *topic = stream.index(count);
            }
            values.extend(statistic(&drawn).filter(|value| value.is_finite()));
        }
        values
    };
    let blocks = (0..replicates.div_ceil(BLOCK)).into_par_iter();
    let blocks: Vec<Vec<f64>> = pool::run(|| blocks.map(block).collect());
    Ok(blocks.concat())
}

fn topic_count(topics: usize) -> Result<u32> {
    if topics == 0 {
        return Err(StatsError::Empty);
    }
    u32::try_from(topics).map_err(|_| StatsError::TooMany {
        what: "topics",
        found: topics,
        most: u32::MAX as usize,
        instead: "use fewer topics",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::ScoreMatrix;
    use crate::testing::{A, B, C, RESAMPLING, on_threads, within};

    #[test]
    fn statistics_without_a_value_are_counted() {
        let first_only = |topics: &[usize]| topics.contains(&0).then_some(1.0);
        let result = bootstrap(2, first_only, Method::Percentile, 0.9, RESAMPLING).unwrap();
        within(result.defined as f64 / 20_000.0, 0.75, 0.02);
        let never = |_: &[usize]| None;
        assert!(bootstrap(2, never, Method::Percentile, 0.9, RESAMPLING).is_err());
        assert!(bootstrap(0, |_: &[usize]| Some(1.0), Method::Basic, 0.9, RESAMPLING).is_err());
    }

    #[test]
    fn results_do_not_depend_on_threads() {
        let scores = ScoreMatrix::new(&[A, B, C]).unwrap();
        let both = || {
            (
                rank_intervals(&scores, 0.95, RESAMPLING).unwrap(),
                bootstrap_mean(&A, Method::Bca, 0.95, RESAMPLING).unwrap(),
            )
        };
        assert_eq!(on_threads(1, both), on_threads(2, both));
    }
}
