//! Student's paired t test.

use crate::common::{Alternative, Degenerate, Interval, check_level};
use crate::distributions::{t_cdf, t_quantile, t_sf};
use crate::error::Result;
use crate::sample::{Differences, Quantised, check_count, factor_for, largest, mean_beside};

/// Result of [`paired_t`].
#[derive(Clone, Debug, PartialEq)]
pub struct PairedT {
    /// Number of topics.
    pub n: usize,
    /// The alternative.
    pub alternative: Alternative,
    /// Mean of the differences a - b.
    pub mean_difference: f64,
    /// Standard deviation of the differences.
    pub standard_deviation: f64,
    /// Standard error of the mean difference.
    pub standard_error: f64,
    /// t; `None` if all differences are equal.
    pub statistic: Option<f64>,
    /// n - 1.
    pub degrees_of_freedom: f64,
    /// p-value.
    pub p: f64,
    /// Interval of the mean difference; open to one side for a one-sided alternative.
    pub interval: Interval,
    /// Set if all differences are equal.
    pub degenerate: Option<Degenerate>,
}

/// Paired t test of a against b.
///
/// With the differences d = a - b, their mean and their standard deviation s (over n - 1):
/// t = mean / (s / sqrt n), with n - 1 degrees of freedom; the interval is mean ± t' s / sqrt n with the quantile t' of
/// the level.
///
/// If all differences are zero, p = 1. If they are equal and not zero, there is no variance and t is undefined: p is 0 on the side of
/// the difference and 1 on the other, and [`PairedT::degenerate`] is set.
///
/// ```
/// use cranfield_stats::paired_t::paired_t;
/// use cranfield_stats::Alternative;
/// // Differences 1, 2, 3: mean 2, s 1, t = 2 / (1 / sqrt 3) = 3.4641 with 2 degrees of freedom.
/// let test = paired_t(&[2.0, 4.0, 6.0], &[1.0, 2.0, 3.0], Alternative::TwoSided, 0.95)?;
/// assert!((test.statistic.unwrap() - 12.0_f64.sqrt()).abs() < 1e-12);
/// // With 2 degrees of freedom p = 1 - t / sqrt(t^2 + 2) = 1 - sqrt(12 / 14).
/// assert!((test.p - (1.0 - (12.0_f64 / 14.0).sqrt())).abs() < 1e-12);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
///
/// Student: The probable error of a mean. Biometrika 6, 1908.
pub fn paired_t(a: &[f64], b: &[f64], alternative: Alternative, level: f64) -> Result<PairedT> {
    t_of_differences(&Differences::of(a, b)?, alternative, level)
}

/// The t test of [`paired_t`] on differences.
pub fn t_of_differences(d: &Differences, alternative: Alternative, level: f64) -> Result<PairedT> {
    check_level(level)?;
    let moments = Moments::of(d)?;
    let df = moments.n as f64 - 1.0;
    let statistic = moments.t(0.0);
    let p = match statistic {
        Some(t) => p_of_t(t, df, alternative),
        None => p_of_constant(moments.mean, alternative),
    };
    Ok(PairedT {
        n: moments.n,
        alternative,
        mean_difference: moments.mean,
        standard_deviation: moments.deviation,
        standard_error: moments.error,
        statistic,
        degrees_of_freedom: df,
        p,
        interval: moments.interval(alternative, level),
        degenerate: moments.degenerate,
    })
}

/// Mean of differences, and related moments.
pub(crate) struct Moments {
    pub(crate) n: usize,
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
    pub(crate) error: f64,
    pub(crate) degenerate: Option<Degenerate>,
}

impl Moments {
    /// Computes the moments of at least two finite differences. Differences that are equal on the grid have no variance.
    pub(crate) fn of(d: &Differences) -> Result<Self> {
        let grid = Quantised::of_differences(d)?;
        let (d, size) = (d.values(), d.size());
        check_count(d, 2)?;
        let n = d.len();
        if grid.all_equal() {
            let identical = grid.all_zero();
            return Ok(Self {
                n,
                mean: if identical { 0.0 } else { mean_beside(d, size) },
                deviation: 0.0,
                error: 0.0,
                degenerate: Some(if identical {
                    Degenerate::Identical
                } else {
                    Degenerate::Constant
                }),
            });
        }
        let mean = mean_beside(d, size);
        // Squares of huge numbers overflow, and those of tiny ones are 0.
        let distances: Vec<f64> = d.iter().map(|value| value - mean).collect();
        let factor = factor_for(largest(&distances));
        let squares: f64 = distances.iter().map(|far| (far * factor).powi(2)).sum();
        let deviation = (squares / (n as f64 - 1.0)).sqrt() / factor;
        Ok(Self {
            n,
            mean,
            deviation,
            error: deviation / (n as f64).sqrt(),
            degenerate: None,
        })
    }

    /// t of the mean against a hypothetical one.
    pub(crate) fn t(&self, against: f64) -> Option<f64> {
        let defined = self.degenerate.is_none();
        defined.then(|| (self.mean - against) / self.error)
    }

    pub(crate) fn interval(&self, alternative: Alternative, level: f64) -> Interval {
        let df = self.n as f64 - 1.0;
        let reach = |p: f64| match self.degenerate {
            None => t_quantile(p, df) * self.error,
            Some(_) => 0.0,
        };
        let (low, high) = match alternative {
            Alternative::TwoSided => {
                let reach = reach(0.5 + 0.5 * level);
                (self.mean - reach, self.mean + reach)
            }
            Alternative::Greater => (self.mean - reach(level), f64::INFINITY),
            Alternative::Less => (f64::NEG_INFINITY, self.mean + reach(level)),
        };
        Interval { low, high, level }
    }
}

/// p of a t statistic.
pub(crate) fn p_of_t(t: f64, df: f64, alternative: Alternative) -> f64 {
    match alternative {
        Alternative::TwoSided => (2.0 * t_sf(t.abs(), df)).min(1.0),
        Alternative::Greater => t_sf(t, df),
        Alternative::Less => t_cdf(t, df),
    }
}

/// p if all differences are equal.
pub(crate) fn p_of_constant(difference: f64, alternative: Alternative) -> f64 {
    let against = match alternative {
        Alternative::TwoSided => difference == 0.0,
        Alternative::Greater => difference <= 0.0,
        Alternative::Less => difference >= 0.0,
    };
    if against { 1.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{A, B, C, near};

    #[test]
    fn sakai_20_topics() {
        let test = paired_t(&A, &B, Alternative::TwoSided, 0.95).unwrap();
        near(test.statistic.unwrap(), 2.115_759_861_3);
        near(test.p, 0.047_796_761_8);
        assert_eq!(test.degrees_of_freedom, 19.0);
        near(test.interval.low, 0.000_805_944_7);
        near(test.interval.high, 0.149_194_055_3);
        near(
            paired_t(&A, &C, Alternative::TwoSided, 0.95).unwrap().p,
            0.123_165_104_6,
        );
        near(
            paired_t(&B, &C, Alternative::TwoSided, 0.95).unwrap().p,
            0.521_773_448_4,
        );
    }

    #[test]
    fn one_sided() {
        let p = |alternative| paired_t(&A, &B, alternative, 0.9).unwrap().p;
        near(p(Alternative::Greater), 0.047_796_761_8 / 2.0);
        near(p(Alternative::Greater) + p(Alternative::Less), 1.0);
        let test = paired_t(&A, &B, Alternative::Less, 0.9).unwrap();
        assert_eq!(test.interval.low, f64::NEG_INFINITY);
    }

    #[test]
    fn degenerate() {
        let same = paired_t(&[0.3, 0.1], &[0.3, 0.1], Alternative::TwoSided, 0.95).unwrap();
        assert_eq!((same.p, same.statistic), (1.0, None));
        assert_eq!(same.degenerate, Some(Degenerate::Identical));
        // 0.3 - 0.1 and 0.9 - 0.7 differ in the last bit.
        let (a, b) = ([0.3, 0.9], [0.1, 0.7]);
        let shifted = paired_t(&a, &b, Alternative::TwoSided, 0.95).unwrap();
        assert_eq!((shifted.p, shifted.statistic), (0.0, None));
        assert_eq!(shifted.degenerate, Some(Degenerate::Constant));
        assert_eq!(paired_t(&a, &b, Alternative::Less, 0.95).unwrap().p, 1.0);
    }

    #[test]
    fn huge_and_tiny() {
        let scaled = |by: f64| {
            let d = Differences::alone(&[1.0, -0.5, 2.0, 0.25].map(|d| d * by)).unwrap();
            t_of_differences(&d, Alternative::TwoSided, 0.95).unwrap().p
        };
        for size in [1e-280, 1e-200, 1e-100, 1e-14, 1e-6, 1e100, 1e250, 1e289] {
            assert!((scaled(size) / scaled(1.0) - 1.0).abs() < 1e-12, "{size}");
        }
        // Rounding errors of scores are no difference, however small the scores are.
        for size in [1.0, 1e-3, 1e-20, 1e-200] {
            let a = [0.3 - 0.1, 0.4, 0.9 - 0.7].map(|score: f64| score * size);
            let b = [0.2, 0.4, 0.2].map(|score: f64| score * size);
            let test = paired_t(&a, &b, Alternative::TwoSided, 0.95).unwrap();
            assert_eq!(test.degenerate, Some(Degenerate::Identical), "{size}");
        }
    }

    #[test]
    fn invalid_input_is_an_error() {
        assert!(paired_t(&[1.0], &[2.0], Alternative::TwoSided, 0.95).is_err());
        assert!(paired_t(&A, &B, Alternative::TwoSided, 95.0).is_err());
    }
}
