//! Statistics of counted items, resampled.

use rayon::prelude::*;

use super::{BLOCK, MOST_KEPT, Method, interval};
use crate::common::{Interval, check_level};
use crate::error::{Result, StatsError};
use crate::pool;
use crate::random::{Resampling, Stream};

/// A statistic with its interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The value; `None` if it is undefined.
    pub value: Option<f64>,
    /// Its interval; `None` if the value is undefined or the replicates do not allow one, see [`interval()`].
    pub interval: Option<Interval>,
}

/// Percentile intervals of statistics of items of several kinds, given by their counts: a replicate draws as many items, with
/// replacement, and counts their kinds. All statistics are computed from the same draws. Replicates in which a statistic is undefined
/// are left out of its interval.
///
/// ```
/// use cranfield_stats::bootstrap::resample_counts;
/// use cranfield_stats::random::Resampling;
/// // The share of the first kind: 30 of 100, with a standard error of sqrt(0.3 * 0.7 / 100) = 0.0458.
/// let share = |counts: &[u64]| vec![Some(counts[0] as f64 / 100.0)];
/// let resampling = Resampling { replicates: 10_000, seed: 42 };
/// let found = resample_counts(&[30, 70], share, 0.95, resampling)?;
/// assert_eq!(found[0].value, Some(0.3));
/// let interval = found[0].interval.unwrap();
/// assert!((interval.low - 0.21).abs() < 0.011 && (interval.high - 0.39).abs() < 0.011);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn resample_counts(
    counts: &[u64],
    statistics: impl Fn(&[u64]) -> Vec<Option<f64>> + Sync,
    level: f64,
    resampling: Resampling,
) -> Result<Vec<Estimate>> {
    check_level(level)?;
    let values = statistics(counts);
    let most = MOST_KEPT / values.len().max(1);
    let Resampling { replicates, seed } = resampling.checked(most)?;
    let kinds = kinds_of_items(counts)?;
    if kinds.is_empty() {
        let undefined = |value| Estimate {
            value,
            interval: None,
        };
        return Ok(values.into_iter().map(undefined).collect());
    }
    let block = |number: usize| {
        let mut stream = Stream::new(seed, number as u64);
        let size = (replicates - number * BLOCK).min(BLOCK);
        let draw = |_| {
            let mut drawn = vec![0; counts.len()];
            for _ in 0..kinds.len() {
                drawn[kinds[stream.index(kinds.len() as u32)] as usize] += 1;
            }
            statistics(&drawn)
        };
        (0..size).map(draw).collect::<Vec<_>>()
    };
    let blocks = (0..replicates.div_ceil(BLOCK)).into_par_iter();
    let drawn: Vec<Vec<Vec<Option<f64>>>> = pool::run(|| blocks.map(block).collect());
    let drawn = drawn.concat();
    let estimate = |(at, value): (usize, Option<f64>)| {
        let replicates = drawn.iter().filter_map(|values| values.get(at).copied()?);
        let replicates: Vec<f64> = replicates.filter(|value| value.is_finite()).collect();
        let of_value =
            value.map(|value| interval(value, &replicates, &[], Method::Percentile, level));
        Ok(Estimate {
            value,
            interval: of_value.transpose()?.flatten(),
        })
    };
    values.into_iter().enumerate().map(estimate).collect()
}

/// The kind of each item.
fn kinds_of_items(counts: &[u64]) -> Result<Vec<u32>> {
    let total = counts
        .iter()
        .fold(0, |sum: u64, &count| sum.saturating_add(count));
    if total > u64::from(u32::MAX) {
        return Err(StatsError::TooMany {
            what: "items",
            found: usize::try_from(total).unwrap_or(usize::MAX),
            most: u32::MAX as usize,
            instead: "use fewer items",
        });
    }
    let kinds = counts.iter().enumerate();
    let kinds = kinds.flat_map(|(kind, &count)| (0..count).map(move |_| kind as u32));
    Ok(kinds.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_threads;

    const RESAMPLING: Resampling = Resampling {
        replicates: 1000,
        seed: 7,
    };

    /// The mean of items with the values 0 to 9 is a mean of ten independent draws: its standard error is sqrt(8.25 / 10).
    #[test]
    fn intervals_of_a_mean() {
        let mean = |counts: &[u64]| {
            let sum: u64 = counts.iter().enumerate().map(|(at, n)| at as u64 * n).sum();
            vec![Some(sum as f64 / counts.iter().sum::<u64>() as f64)]
        };
        let found = resample_counts(&[1; 10], mean, 0.95, RESAMPLING).unwrap();
        let interval = found[0].interval.unwrap();
        let error = (8.25_f64 / 10.0).sqrt();
        assert_eq!(found[0].value, Some(4.5));
        assert!(
            (interval.low - (4.5 - 1.96 * error)).abs() < 0.2,
            "{interval:?}"
        );
        assert!(
            (interval.high - (4.5 + 1.96 * error)).abs() < 0.2,
            "{interval:?}"
        );
    }

    #[test]
    fn results_do_not_depend_on_threads() {
        let first = |counts: &[u64]| vec![Some(counts[0] as f64), None];
        let found = || resample_counts(&[20, 30, 50], first, 0.9, RESAMPLING).unwrap();
        assert_eq!(on_threads(1, found), on_threads(2, found));
        assert_eq!(found()[1], Estimate::default());
    }

    #[test]
    fn nothing_to_draw_has_no_interval() {
        let constant = |_: &[u64]| vec![Some(1.0)];
        let found = resample_counts(&[0, 0], constant, 0.95, RESAMPLING).unwrap();
        assert_eq!(found[0].interval, None);
        assert!(resample_counts(&[u64::MAX, 1], constant, 0.95, RESAMPLING).is_err());
        assert!(resample_counts(&[1], constant, 1.0, RESAMPLING).is_err());
        let none = Resampling {
            replicates: 0,
            seed: 1,
        };
        assert!(resample_counts(&[1], constant, 0.95, none).is_err());
    }
}
