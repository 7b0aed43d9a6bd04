//! Intervals from replicates.

use crate::common::{Interval, check_level};
use crate::distributions::{normal_cdf, normal_quantile};
use crate::error::Result;
use crate::sample::{check_finite, mean};

/// How an interval is made from the replicates.
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

/// Interval from the values of replicates, for those who resample themselves.
///
/// With the quantiles q of the replicates (between two of them, by interpolation) and α = 1 - level:
///
/// - percentile: q(α/2) to q(1 - α/2);
/// - basic: 2 estimate - q(1 - α/2) to 2 estimate - q(α/2);
/// - `BCa`: q(α1) to q(α2) with αi = Φ(z0 + (z0 + zi) / (1 - a (z0 + zi))), where zi are the normal quantiles of α/2 and
///   1 - α/2, z0 is the normal quantile of the share of replicates below the estimate (ties as halves), and
///   a = Σ u³ / (6 (Σ u²)^1.5) with the distances u of the jackknife values, one without each topic, from their mean.
///
/// `None` when there are no replicates, or when `BCa` is undefined: all replicates lie on one side of the estimate, or the
/// jackknife values are all the same while the replicates are not.
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
    if least == greatest && *least == estimate {
        let point = Interval {
            low: estimate,
            high: estimate,
            level,
        };
        return Ok(Some(point));
    }
    let tail = 0.5 * (1.0 - level);
    let of = |low: f64, high: f64| Interval { low, high, level };
    let at = |share: f64| quantile(&sorted, share);
    Ok(match method {
        Method::Percentile => Some(of(at(tail), at(1.0 - tail))),
        Method::Basic => Some(of(
            2.0 * estimate - at(1.0 - tail),
            2.0 * estimate - at(tail),
        )),
        Method::Bca => {
            let shares = corrected_shares(estimate, &sorted, jackknife, tail);
            shares.map(|(low, high)| of(at(low), at(high)))
        }
    })
}

/// The shares of which `BCa` takes the quantiles.
fn corrected_shares(
    estimate: f64,
    sorted: &[f64],
    jackknife: &[f64],
    tail: f64,
) -> Option<(f64, f64)> {
    let below = sorted.partition_point(|&value| value < estimate);
    let up_to = sorted.partition_point(|&value| value <= estimate);
    let bias = normal_quantile((below + up_to) as f64 / (2.0 * sorted.len() as f64));
    let center = mean(jackknife)?;
    let distances = || jackknife.iter().map(|value| center - value);
    let squares: f64 = distances().map(|u| u * u).sum();
    let cubes: f64 = distances().map(|u| u * u * u).sum();
    let acceleration = cubes / (6.0 * squares.powf(1.5));
    let share = |tail: f64| {
        let moved = bias + normal_quantile(tail);
        normal_cdf(bias + moved / (1.0 - acceleration * moved))
    };
    let (low, high) = (share(tail), share(1.0 - tail));
    (low.is_finite() && high.is_finite() && bias.is_finite()).then_some((low, high))
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

    #[test]
    fn quantiles_interpolate() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), 3.0);
        assert_eq!(quantile(&[7.0], 0.3), 7.0);
    }
}
