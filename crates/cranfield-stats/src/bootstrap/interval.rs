//! Intervals from replicates.

use crate::common::{Interval, check_level};
use crate::distributions::{normal_cdf, normal_quantile};
use crate::error::Result;
use crate::sample::{check_finite, largest, mean};

/// Method of computing an interval from replicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Quantiles of the replicates.
    Percentile,
    /// Quantiles mirrored at the estimate: 2 estimate - quantile.
    Basic,
    /// Quantiles corrected for bias and skewness (bias-corrected and accelerated).
    #[default]
    Bca,
}

impl Method {
    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Percentile => "percentile",
            Self::Basic => "basic",
            Self::Bca => "BCa",
        }
    }
}

/// Number of topics from which bootstrap intervals are about as wide as they should be.
///
/// A resampled mean varies less than the mean of new topics, by the factor sqrt((n - 1) / n), and its quantiles are closer than those
/// of Student's t. Neither is corrected, so that intervals are too short for few topics. Coverage of 95 % intervals for n normally
/// distributed differences (10,000 samples of each size; see also `docs/reference/interval-coverage.md`):
///
/// | n | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 12 | 15 | 25 | 50 |
/// |---|---|---|---|---|---|---|---|---|---|---|---|---|---|
/// | percentile | 0.51 | 0.75 | 0.81 | 0.84 | 0.86 | 0.87 | 0.88 | 0.89 | 0.90 | 0.91 | 0.92 | 0.93 | 0.94 |
/// | `BCa` | 0.51 | 0.73 | 0.81 | 0.84 | 0.86 | 0.87 | 0.88 | 0.89 | 0.90 | 0.91 | 0.92 | 0.93 | 0.94 |
///
/// With three topics, one resample in nine consists of a single topic, so that both ends are observed differences. There are
/// binom(2n - 1, n) different resamples: 3, 10, 35, 126, 462, 1716, 6435, 24,310 and 92,378 of 2 to 10 topics.
///
/// T. Hesterberg: What teachers should know about the bootstrap. The American Statistician 69, 2015.
pub const LEAST_TOPICS: usize = 10;

/// Average number of replicates beyond each end of an interval with [`replicates_for`] replicates.
const BEYOND: f64 = 10.0;

/// The number of replicates for an interval of this level: about ten of them lie beyond each end.
///
/// ```
/// use cranfield_stats::bootstrap::replicates_for;
/// assert_eq!([replicates_for(0.95), replicates_for(0.5)], [400, 40]);
/// assert_eq!(replicates_for(1.0 - 1e-9), 20_000_000_000);
/// ```
pub fn replicates_for(level: f64) -> usize {
    // 1 - 0.95 is inexact in binary.
    let alpha = ((1.0 - level) * 1e12).round() / 1e12;
    (2.0 * BEYOND / alpha * (1.0 - 1e-12)).ceil() as usize
}

/// Interval from the values of replicates.
///
/// With the quantiles q of the replicates (between two of them, by interpolation) and α = 1 - level:
///
/// - percentile: q(α/2) to q(1 - α/2);
/// - basic: 2 estimate - q(1 - α/2) to 2 estimate - q(α/2);
/// - `BCa`: q(α1) to q(α2) with αi = Φ(z0 + (z0 + zi) / (1 - a (z0 + zi))), where zi are the normal quantiles of α/2 and
///   1 - α/2, z0 is the normal quantile of the share of replicates below the estimate (ties as halves), and
///   a = Σ u³ / (6 (Σ u²)^1.5) with the distances u of the jackknife values, one without each topic, from their mean.
///
/// Replicates that differ from the estimate by rounding count as ties.
///
/// `None` if there are too few of the B replicates: an end would be the quantile of a probability below 1 / (B + 1) or above
/// B / (B + 1), and so the smallest or largest replicate by chance. Also `None` if `BCa` is undefined: all replicates lie on one side of
/// the estimate, or the jackknife values are all equal while the replicates are not.
///
/// ```
/// use cranfield_stats::bootstrap::{Method, interval};
/// let replicates = [1.0, 2.0, 3.0, 4.0, 5.0];
/// let basic = interval(3.5, &replicates, &[], Method::Basic, 0.5)?.unwrap();
/// assert_eq!((basic.low, basic.high), (3.0, 5.0)); // 7 - 4 and 7 - 2
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn interval(
    estimate: f64,
    replicates: &[f64],
    jackknife: &[f64],
    method: Method,
    level: f64,
) -> Result<Option<Interval>> {
    check_level(level)?;
    check_finite(replicates)?;
    let mut sorted = replicates.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let (Some(least), Some(greatest)) = (sorted.first(), sorted.last()) else {
        return Ok(None);
    };
    // A little slack, as 1 - 0.9 is a little less than 0.1.
    let reached = (1.0 - 1e-9) / (sorted.len() as f64 + 1.0);
    let tail = 0.5 * (1.0 - level);
    if tail < reached {
        return Ok(None);
    }
    if least == greatest && *least == estimate {
        let point = Interval {
            low: estimate,
            high: estimate,
            level,
        };
        return Ok(Some(point));
    }
    let shares = match method {
        Method::Percentile | Method::Basic => Some((tail, 1.0 - tail)),
        Method::Bca => corrected_shares(estimate, &sorted, jackknife, tail),
    };
    let shares = shares.filter(|(low, high)| *low >= reached && 1.0 - high >= reached);
    Ok(shares.map(|(low, high)| {
        let [low, high] = [low, high].map(|share| quantile(&sorted, share));
        let (low, high) = match method {
            Method::Basic => (2.0 * estimate - high, 2.0 * estimate - low),
            Method::Percentile | Method::Bca => (low, high),
        };
        Interval { low, high, level }
    }))
}

/// The probabilities whose quantiles are the ends of a `BCa` interval.
fn corrected_shares(
    estimate: f64,
    sorted: &[f64],
    jackknife: &[f64],
    tail: f64,
) -> Option<(f64, f64)> {
    let slack = rounding(estimate, sorted);
    let below = sorted.partition_point(|&value| value < estimate - slack);
    let up_to = sorted.partition_point(|&value| value <= estimate + slack);
    let bias = normal_quantile((below + up_to) as f64 / (2.0 * sorted.len() as f64));
    let acceleration = acceleration(jackknife)?;
    let share = |tail: f64| {
        let moved = bias + normal_quantile(tail);
        normal_cdf(bias + moved / (1.0 - acceleration * moved))
    };
    let (low, high) = (share(tail), share(1.0 - tail));
    (low.is_finite() && high.is_finite() && bias.is_finite()).then_some((low, high))
}

/// Largest rounding error of a replicate that equals the estimate in exact arithmetic: each is summed in another order.
fn rounding(estimate: f64, sorted: &[f64]) -> f64 {
    let (least, greatest) = (sorted[0], sorted[sorted.len() - 1]);
    let size = estimate.abs().max(least.abs()).max(greatest.abs());
    (1e-10 * (greatest - least)).max(16.0 * f64::EPSILON * size)
}

/// The acceleration of `BCa`. Distances are taken in units of the largest, since cubes of small ones are 0 and those of large ones
/// infinite; `None` of no values.
fn acceleration(jackknife: &[f64]) -> Option<f64> {
    let center = mean(jackknife)?;
    let distances: Vec<f64> = jackknife.iter().map(|value| center - value).collect();
    let unit = largest(&distances);
    let sum = |power: i32| {
        distances
            .iter()
            .map(|u| (u / unit).powi(power))
            .sum::<f64>()
    };
    Some(sum(3) / (6.0 * sum(2).powf(1.5)))
}

/// Quantile of ascending values, of which there are some, with interpolation between neighbours.
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    let fraction = place - place.floor();
    sorted[below] + fraction * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bootstrap::bootstrap_mean;
    use crate::random::Resampling;
    use crate::testing::within;

    #[test]
    fn bca_by_hand() {
        // Half of the replicates lie below the estimate and the jackknife is symmetric: no bias, no acceleration.
        let replicates: Vec<f64> = (0..=100).map(f64::from).collect();
        let bca = interval(50.0, &replicates, &[1.0, 2.0, 3.0], Method::Bca, 0.9);
        let bca = bca.unwrap().unwrap();
        within(bca.low, 5.0, 1e-9);
        within(bca.high, 95.0, 1e-9);
        // Everything below the estimate: z0 is infinite.
        let none = interval(500.0, &replicates, &[1.0, 2.0, 3.0], Method::Bca, 0.9);
        assert_eq!(none.unwrap(), None);
        let flat = interval(50.0, &replicates, &[1.0, 1.0], Method::Bca, 0.9);
        assert_eq!(flat.unwrap(), None);
    }

    #[test]
    fn constant_values() {
        for method in [Method::Percentile, Method::Basic, Method::Bca] {
            let result = bootstrap_mean(&[0.5; 4], method, 0.95, Resampling::default()).unwrap();
            let interval = result.interval.unwrap();
            assert_eq!((interval.low, interval.high), (0.5, 0.5));
        }
    }

    /// No end is the smallest or largest replicate by chance: 39 replicates reach 2.5 % on either side, 38 do not.
    #[test]
    fn ends_lie_within_the_replicates() {
        let replicates: Vec<f64> = (0..39).map(f64::from).collect();
        for method in [Method::Percentile, Method::Basic, Method::Bca] {
            let with = |count: usize, level| {
                let jackknife = [1.0, 2.0, 3.0];
                interval(
                    count as f64 / 2.0 - 0.5,
                    &replicates[..count],
                    &jackknife,
                    method,
                    level,
                )
            };
            assert!(with(39, 0.95).unwrap().is_some(), "{method:?}");
            for (count, level) in [(1, 0.95), (3, 0.95), (38, 0.95), (39, 0.96)] {
                assert_eq!(with(count, level), Ok(None), "{method:?} {count} {level}");
            }
        }
        // A skewed sample moves the upper end of BCa beyond the replicates: z0 = 0, a = 0.0913, so that 1.96 becomes 2.387.
        let skewed = interval(
            19.0,
            &replicates,
            &[0.0, 0.0, 0.0, 0.0, -1.0],
            Method::Bca,
            0.95,
        );
        assert_eq!(skewed, Ok(None));
    }

    /// Of the resamples of 0.1, 0.2 and 0.3 seven of 27 have the mean 0.2 on paper, and some of them not in floating point.
    #[test]
    fn replicates_that_round_to_the_estimate_are_ties() {
        let with = |noise: f64| {
            let replicates: Vec<f64> = (0..401).map(|at| f64::from(at - 200) / 10.0).collect();
            let tied = replicates
                .iter()
                .map(|value| if value.abs() < 2.0 { noise } else { *value });
            let tied: Vec<f64> = tied.collect();
            interval(0.0, &tied, &[1.0, 2.0, 3.0], Method::Bca, 0.9).unwrap()
        };
        assert_eq!(with(0.0), with(1e-15));
        assert_eq!(with(0.0), with(-1e-15));
    }

    #[test]
    fn quantiles_interpolate() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), 3.0);
        assert_eq!(quantile(&[7.0], 0.3), 7.0);
    }
}
