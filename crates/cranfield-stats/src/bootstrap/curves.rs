//! Bands around mean curves.

use rayon::prelude::*;

use super::interval::quantile;
use super::{BLOCK, MOST_KEPT, topic_count};
use crate::common::{Interval, check_level};
use crate::error::{Result, StatsError, at_most};
use crate::pool;
use crate::random::{Resampling, Stream};

/// Maximum number of points of a curve: one million.
pub const MOST_POINTS: usize = 1_000_000;

/// Number of means to keep in memory at a time.
const KEPT: usize = 4_000_000;

/// For every point of a mean curve, the percentile interval of the mean over resampled topics.
///
/// `curves` has one curve per topic, all of the same length; a topic without a value at a point is left out there. All points use
/// the same resampled topics. The band is `None` where no topic has a value.
///
/// ```
/// use cranfield_stats::{bootstrap::mean_bands, random::Resampling};
/// // At the second point all topics agree.
/// let curves = [vec![Some(0.0), Some(0.5)], vec![Some(1.0), Some(0.5)]];
/// let bands = mean_bands(&curves, 0.95, Resampling { replicates: 1000, seed: 1 })?;
/// let (first, second) = (bands[0].unwrap(), bands[1].unwrap());
/// assert_eq!((first.low, first.high), (0.0, 1.0));
/// assert_eq!((second.low, second.high), (0.5, 0.5));
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn mean_bands(
    curves: &[Vec<Option<f64>>],
    level: f64,
    resampling: Resampling,
) -> Result<Vec<Option<Interval>>> {
    check_level(level)?;
    let resampling = resampling.checked(MOST_KEPT)?;
    topic_count(curves.len())?;
    let points = check_curves(curves)?;
    let at_a_time = (KEPT / resampling.replicates).max(1);
    let mut bands = Vec::with_capacity(points);
    for first in (0..points).step_by(at_a_time) {
        let some = first..(first + at_a_time).min(points);
        let parts: Vec<&[Option<f64>]> = curves.iter().map(|curve| &curve[some.clone()]).collect();
        bands.extend(bands_of(&parts, level, resampling));
    }
    Ok(bands)
}

/// Checks the curves and returns their number of points.
fn check_curves(curves: &[Vec<Option<f64>>]) -> Result<usize> {
    let points = curves.first().map_or(0, Vec::len);
    for curve in curves {
        if curve.len() != points {
            return Err(StatsError::LengthsDiffer {
                left: points,
                right: curve.len(),
            });
        }
        let values: Vec<f64> = curve.iter().flatten().copied().collect();
        crate::sample::check_finite(&values)?;
    }
    at_most(
        "points of a curve",
        points,
        MOST_POINTS,
        "use a smaller cutoff",
    )?;
    Ok(points)
}

/// The bands of a range of points.
fn bands_of(
    curves: &[&[Option<f64>]],
    level: f64,
    Resampling { replicates, seed }: Resampling,
) -> Vec<Option<Interval>> {
    let points = curves.first().map_or(0, |curve| curve.len());
    let block = |number: usize| {
        let mut stream = Stream::new(seed, number as u64);
        let size = (replicates - number * BLOCK).min(BLOCK);
        let means = (0..size).flat_map(|_| resampled_means(curves, points, &mut stream));
        means.collect::<Vec<f64>>()
    };
    let blocks = (0..replicates.div_ceil(BLOCK)).into_par_iter();
    let blocks: Vec<Vec<f64>> = pool::run(|| blocks.map(block).collect());
    let band = |point: usize| {
        let means = blocks
            .iter()
            .flat_map(|block| block[point..].iter().step_by(points));
        let mut means: Vec<f64> = means.copied().filter(|mean| !mean.is_nan()).collect();
        means.sort_unstable_by(f64::total_cmp);
        let tail = 0.5 * (1.0 - level);
        (!means.is_empty()).then(|| Interval {
            low: quantile(&means, tail),
            high: quantile(&means, 1.0 - tail),
            level,
        })
    };
    pool::run(|| (0..points).into_par_iter().map(band).collect())
}

/// The mean of every point over topics drawn with replacement; NaN where none of them has a value.
fn resampled_means(curves: &[&[Option<f64>]], points: usize, stream: &mut Stream) -> Vec<f64> {
    let count = curves.len() as u32;
    let mut times = vec![0.0_f64; curves.len()];
    for _ in 0..count {
        times[stream.index(count)] += 1.0;
    }
    let (mut sums, mut counts) = (vec![0.0; points], vec![0.0; points]);
    for (curve, times) in curves.iter().zip(&times).filter(|(_, times)| **times > 0.0) {
        for ((sum, count), value) in sums.iter_mut().zip(&mut counts).zip(*curve) {
            if let Some(value) = value {
                *sum += times * value;
                *count += times;
            }
        }
    }
    sums.iter()
        .zip(&counts)
        .map(|(sum, count)| sum / count)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bootstrap::{Method, bootstrap_mean};
    use crate::testing::A;

    const RESAMPLING: Resampling = Resampling {
        replicates: 2000,
        seed: 5,
    };

    /// [`bootstrap_mean`] draws the same topics.
    #[test]
    fn a_point_is_the_interval_of_its_mean() {
        let curves: Vec<Vec<Option<f64>>> = A.iter().map(|&a| vec![Some(a), None]).collect();
        let bands = mean_bands(&curves, 0.9, RESAMPLING).unwrap();
        let mean = bootstrap_mean(&A, Method::Percentile, 0.9, RESAMPLING).unwrap();
        let (band, interval) = (bands[0].unwrap(), mean.interval.unwrap());
        assert!(
            (band.low - interval.low).abs() < 1e-12,
            "{band:?} {interval:?}"
        );
        assert!(
            (band.high - interval.high).abs() < 1e-12,
            "{band:?} {interval:?}"
        );
        assert_eq!(bands[1], None);
    }

    #[test]
    fn invalid_curves_are_errors() {
        let bands = |curves: &[Vec<Option<f64>>]| mean_bands(curves, 0.95, RESAMPLING);
        assert!(bands(&[]).is_err());
        assert!(bands(&[vec![Some(1.0)], vec![]]).is_err());
        assert!(bands(&[vec![Some(f64::NAN)]]).is_err());
        assert_eq!(bands(&[vec![], vec![]]).unwrap(), []);
    }
}
