//! Checks, means and variances, and differences rounded to a grid.

use crate::error::{Result, StatsError};

/// Units per 1.0 of the grid of [`Quantised`], for scores from a thousandth to a few hundred or thousand.
pub const FINEST_SCALE: f64 = 1e12;

/// Size of scores below which the unit of the grid shrinks with them.
const SMALL: f64 = 1e-3;

/// Range of sizes of scores whose differences, means and deviations neither overflow nor vanish.
pub(crate) const SIZES: (f64, f64) = (1e-290, 1e290);

/// Checks that all values are finite.
pub fn check_finite(values: &[f64]) -> Result<&[f64]> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(values),
        Some(position) => Err(StatsError::NotFinite {
            value: values[position],
            position,
        }),
    }
}

/// Differences a - b of values that are paired by position.
///
/// ```
/// use cranfield_stats::sample::differences;
/// assert_eq!(differences(&[0.5, 0.75], &[0.25, 1.0])?, [0.25, -0.25]);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn differences(a: &[f64], b: &[f64]) -> Result<Vec<f64>> {
    if a.len() != b.len() {
        return Err(StatsError::LengthsDiffer {
            left: a.len(),
            right: b.len(),
        });
    }
    if a.is_empty() {
        return Err(StatsError::Empty);
    }
    check_finite(a)?;
    check_finite(b)?;
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    check_finite(&differences)?;
    Ok(differences)
}

/// Differences paired by topic, and the size of the scores that they come from.
///
/// The rounding error of a difference is relative to the scores, not to the difference: 0.3 - 0.1 misses 0.2 by the precision of
/// 0.3. The size of the scores therefore decides which differences are equal, and small scores lose none.
///
/// ```
/// use cranfield_stats::sample::Differences;
/// let d = Differences::of(&[0.5, 0.75], &[0.25, 1.0])?;
/// assert_eq!((d.values(), d.size()), (&[0.25, -0.25][..], 1.0));
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Differences {
    values: Vec<f64>,
    size: f64,
}

impl Differences {
    /// Differences a - b.
    pub fn of(a: &[f64], b: &[f64]) -> Result<Self> {
        let values = differences(a, b)?;
        let size = largest(a).max(largest(b));
        check_size(size)?;
        Ok(Self { values, size })
    }

    /// Takes values that are not differences of scores, or of scores that are about as large as the values.
    ///
    /// ```
    /// use cranfield_stats::sample::Differences;
    /// assert_eq!(Differences::alone(&[0.25, -0.5])?.size(), 0.5);
    /// # Ok::<(), cranfield_stats::StatsError>(())
    /// ```
    pub fn alone(values: &[f64]) -> Result<Self> {
        let size = largest(check_finite(values)?);
        check_size(size)?;
        let values = values.to_vec();
        Ok(Self { values, size })
    }

    /// Adds an amount to each difference; the size grows to that of the amount if it is larger.
    ///
    /// ```
    /// use cranfield_stats::sample::Differences;
    /// let raised = Differences::of(&[0.5, 0.75], &[0.25, 1.0])?.plus(0.25)?;
    /// assert_eq!(raised.values(), [0.5, 0.0]);
    /// # Ok::<(), cranfield_stats::StatsError>(())
    /// ```
    pub fn plus(&self, amount: f64) -> Result<Self> {
        let values: Vec<f64> = self.values.iter().map(|value| value + amount).collect();
        check_finite(&values)?;
        let size = self.size.max(amount.abs());
        check_size(size)?;
        Ok(Self { values, size })
    }

    /// Appends values, such as bounds that the differences are compared with.
    pub(crate) fn with(mut self, more: &[f64]) -> Result<Self> {
        self.size = self.size.max(largest(check_finite(more)?));
        check_size(self.size)?;
        self.values.extend_from_slice(more);
        Ok(self)
    }

    /// The differences.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The largest absolute score.
    pub fn size(&self) -> f64 {
        self.size
    }
}

/// The largest absolute value; 0 if there are none.
pub(crate) fn largest(values: &[f64]) -> f64 {
    let larger = |largest: f64, value: &f64| largest.max(value.abs());
    values.iter().fold(0.0, larger)
}

/// The unit of the grid of [`Quantised`] for scores of this size: smaller differences are rounding errors.
///
/// ```
/// use cranfield_stats::sample::unit;
/// assert_eq!([unit(0.8), unit(0.0)], [1e-12, 1e-12]);
/// assert!((unit(8e-21) / 1e-32 - 1.0).abs() < 1e-12);
/// ```
pub fn unit(size: f64) -> f64 {
    1.0 / scale_of((size, size), 1)
}

/// Checks that differences, means and deviations of scores of this size neither overflow nor vanish.
fn check_size(size: f64) -> Result<()> {
    let (least, most) = SIZES;
    if size == 0.0 || (least..=most).contains(&size) {
        return Ok(());
    }
    Err(StatsError::Setting {
        name: "the largest score",
        value: size,
        expected: "0 or a number from 1e-290 to 1e290; multiply all scores by the same number",
    })
}

/// Checks that there are at least `least` values.
pub fn check_count(values: &[f64], least: usize) -> Result<()> {
    if values.is_empty() {
        return Err(StatsError::Empty);
    }
    if values.len() < least {
        return Err(StatsError::TooFew {
            what: "values",
            found: values.len(),
            least,
        });
    }
    Ok(())
}

/// Arithmetic mean; `None` if there are no values. A mean within the rounding error of its sum is 0, as in exact arithmetic.
///
/// ```
/// use cranfield_stats::sample::{mean, variance};
/// assert_eq!(mean(&[1.0, 2.0, 6.0]), Some(3.0));
/// assert_eq!(mean(&[0.3, -0.1, -0.2]), Some(0.0)); // the sum is -2.8e-17
/// assert_eq!(variance(&[1.0, 2.0, 6.0]), Some(7.0)); // (4 + 1 + 9) / 2
/// ```
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| mean_beside(values, 0.0))
}

/// The mean of a non-empty list of values, each with the rounding error of a score of this size. The sum may overflow.
pub(crate) fn mean_beside(values: &[f64], size: f64) -> f64 {
    let n = values.len() as f64;
    let sum: f64 = values.iter().sum();
    if !sum.is_finite() {
        return values.iter().map(|value| value / n).sum();
    }
    // Each of n additions is off by at most half an epsilon of what was added up so far.
    let absolute: f64 = values.iter().map(|value| value.abs()).sum();
    let is_rounding = sum.abs() <= n * f64::EPSILON * (absolute + size);
    if is_rounding { 0.0 } else { sum / n }
}

/// Sample variance, with the divisor n - 1; `None` for fewer than two values. It overflows for values above about 1e150 and vanishes
/// below about 1e-150; [`standard_deviation`] has no such limits.
pub fn variance(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (values.len() > 1).then(|| squares.sum::<f64>() / (values.len() - 1) as f64)
}

/// Sample standard deviation; `None` for fewer than two values.
///
/// ```
/// use cranfield_stats::sample::standard_deviation;
/// let deviation = standard_deviation(&[1e200, 3e200]).unwrap();
/// assert!((deviation / 1e200 - 2.0_f64.sqrt()).abs() < 1e-12);
/// ```
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    let factor = factor_for(largest(values));
    if factor == 1.0 {
        return variance(values).map(f64::sqrt);
    }
    let scaled: Vec<f64> = values.iter().map(|value| value * factor).collect();
    Some(variance(&scaled)?.sqrt() / factor)
}

/// The power of two that scales values of this size so that their squares neither overflow nor vanish; 1 if none is needed.
pub(crate) fn factor_for(size: f64) -> f64 {
    if size == 0.0 || (1e-100..=1e100).contains(&size) {
        return 1.0;
    }
    2.0_f64.powi(-(size.log2().round() as i32).clamp(-1000, 1000))
}

/// Values as whole numbers of units of a decimal grid.
///
/// Scores of topics are coarse, and many of their sums are equal in exact arithmetic but not in floating point: 0.3 - 0.1 is not 0.2.
/// A unit is 10^-12. It is smaller if all scores are below a thousandth, and larger if the sum of all absolute values would reach 2^52,
/// so that sums are exact both in `i64` and in `f64`. The grid is decimal because most scores are short decimals, which lie on it.
///
/// ```
/// use cranfield_stats::sample::Quantised;
/// let units = Quantised::of(&[0.3 - 0.1, -0.2, 1e-14])?;
/// assert_eq!(units.units, [200_000_000_000, -200_000_000_000, 0]);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Quantised {
    /// The values in units.
    pub units: Vec<i64>,
    /// Units per 1.0.
    pub scale: f64,
}

impl Quantised {
    /// Rounds finite values to the grid.
    pub fn of(values: &[f64]) -> Result<Self> {
        Self::of_differences(&Differences::alone(values)?)
    }

    /// Rounds differences to the grid of their scores.
    ///
    /// ```
    /// use cranfield_stats::sample::{Differences, Quantised};
    /// // 0.3 - 0.1 is not 0.2, and 3e-30 - 1e-30 is not 2e-30.
    /// for size in [1.0, 1e-29] {
    ///     let (a, b) = ([0.3 * size, 0.2 * size], [0.1 * size, 0.0]);
    ///     let units = Quantised::of_differences(&Differences::of(&a, &b)?)?;
    ///     assert!(units.all_equal() && !units.all_zero());
    /// }
    /// # Ok::<(), cranfield_stats::StatsError>(())
    /// ```
    pub fn of_differences(d: &Differences) -> Result<Self> {
        let values = d.values();
        let scale = scale_of((d.size, largest(values)), values.len());
        let units = values.iter().map(|value| (value * scale).round() as i64);
        Ok(Self {
            units: units.collect(),
            scale,
        })
    }

    /// The largest distance between two sums that are equal in exact arithmetic: each value is off by at most half a unit.
    pub fn slack(&self) -> i64 {
        self.units.len().cast_signed() as i64
    }

    /// Whether all values are the same number of units.
    pub fn all_equal(&self) -> bool {
        self.units.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// Whether all values are zero.
    pub fn all_zero(&self) -> bool {
        self.units.iter().all(|&unit| unit == 0)
    }
}

/// Units per 1.0, for sums of `count` of these finite scores.
pub(crate) fn scale_for(scores: impl Iterator<Item = f64>, count: usize) -> f64 {
    let largest = scores.fold(0.0_f64, |largest, value| largest.max(value.abs()));
    scale_of((largest, largest), count)
}

/// Units per 1.0, for sums of `count` values up to `largest` that come from scores of this size.
fn scale_of((size, largest): (f64, f64), count: usize) -> f64 {
    const LARGEST_SUM: f64 = (1_u64 << 52) as f64;
    let finest = if size >= SMALL || size == 0.0 {
        12
    } else {
        // Sizes are at least 1e-290, and powers of ten end at 1e308.
        (12 - size.log10().ceil() as i32).min(305)
    };
    let scale = 10.0_f64.powi(finest);
    if largest * scale * (count as f64) < LARGEST_SUM {
        return scale;
    }
    let digits = LARGEST_SUM.log10() - largest.log10() - (count.max(1) as f64).log10();
    10.0_f64.powi((digits.floor() as i32).min(finest - 1))
}

/// For each finite value, the number of distinct values below it. Values at most half a unit of the grid of [`Quantised`] apart count
/// as equal.
///
/// ```
/// use cranfield_stats::sample::levels;
/// assert_eq!(levels(&[0.3, 0.1 + 0.2, 0.1, 0.5]), [1, 1, 0, 2]);
/// ```
pub fn levels(values: &[f64]) -> Vec<usize> {
    let scale = scale_for(values.iter().copied(), 1);
    let order = ascending(values);
    let mut levels = vec![0; values.len()];
    let differ = |a: usize, b: usize| values[b] / 2.0 - values[a] / 2.0 > 0.25 / scale;
    for pair in order.windows(2) {
        levels[pair[1]] = levels[pair[0]] + usize::from(differ(pair[0], pair[1]));
    }
    levels
}

/// The places of values in ascending order; equal values keep theirs.
pub(crate) fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]).then(a.cmp(&b)));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_errors_do_not_make_levels() {
        assert_eq!(levels(&[]), [] as [usize; 0]);
        // On the border between two units, where rounding would separate them.
        let border = 0.500_000_000_000_5;
        let next = f64::from_bits(f64::to_bits(border) + 1);
        assert_eq!(levels(&[next, border, 0.5]), [1, 1, 0]);
        assert_eq!(levels(&[1e-12, 0.0, -0.0]), [1, 0, 0]);
        assert_eq!(
            levels(&[1e200, 1e200 * (1.0 + f64::EPSILON), -1e200]),
            [1, 1, 0]
        );
        assert_eq!(levels(&[f64::MAX, -f64::MAX, 0.0]), [2, 0, 1]);
        assert_eq!(levels(&[3e-200, 1e-200, 2e-200]), [2, 0, 1]);
    }

    #[test]
    fn extreme_sizes_are_errors() {
        for size in [5e-324, 1e-300, 1e300, f64::MAX] {
            assert!(Quantised::of(&[size, 0.0]).is_err(), "{size}");
            assert!(Differences::of(&[size], &[0.0]).is_err(), "{size}");
        }
        assert!(Differences::alone(&[0.0]).is_ok());
        assert!(Differences::alone(&[1.0]).unwrap().plus(1e300).is_err());
    }

    #[test]
    fn deviations_of_any_size() {
        let deviation =
            |size: f64| standard_deviation(&[1.0, 2.0, 6.0].map(|x| x * size)).unwrap() / size;
        for size in [1e-290, 1e-200, 1e-30, 1e120, 1e290] {
            assert!(
                (deviation(size) / 7.0_f64.sqrt() - 1.0).abs() < 1e-14,
                "{size}"
            );
        }
    }

    #[test]
    fn invalid_samples_are_errors() {
        assert_eq!(differences(&[], &[]), Err(StatsError::Empty));
        assert_eq!(
            differences(&[1.0], &[]),
            Err(StatsError::LengthsDiffer { left: 1, right: 0 })
        );
        let not_finite = differences(&[0.0, f64::NAN], &[0.0, 0.0]);
        assert!(matches!(
            not_finite,
            Err(StatsError::NotFinite { position: 1, .. })
        ));
        let overflow = differences(&[f64::MAX], &[f64::MIN]);
        assert!(matches!(overflow, Err(StatsError::NotFinite { .. })));
        assert!(matches!(
            check_count(&[1.0], 2),
            Err(StatsError::TooFew { found: 1, .. })
        ));
    }

    #[test]
    fn moments_of_few() {
        assert_eq!(mean(&[]), None);
        // At any size, noise is 0 and a relative difference of a millionth is not.
        for size in [1e-280, 1e-9, 1.0, 1e280] {
            let noise = [0.3 * size, -0.1 * size, -0.2 * size];
            assert!(noise.iter().sum::<f64>() != 0.0, "{size}");
            assert_eq!(mean(&noise), Some(0.0), "{size}");
            let real = [0.3 * size, -0.1 * size, -0.199_999_7 * size];
            let found = mean(&real).unwrap() / size;
            assert!((found - 1e-7).abs() < 1e-12, "{found}");
        }
        assert!(mean(&[f64::MAX, f64::MAX]).unwrap().is_finite());
        assert_eq!(variance(&[1.0]), None);
        assert_eq!(standard_deviation(&[1.0, 3.0]), Some(2.0_f64.sqrt()));
    }

    #[test]
    fn sums_on_the_grid_stay_exact() {
        for largest in [1e-289, 1e-13, 0.002, 1.0, 5e3, 1e9, 1e200, 1e289] {
            let values = vec![largest; 1000];
            let grid = Quantised::of(&values).unwrap();
            let sum: f64 = grid.units.iter().map(|&unit| unit.abs() as f64).sum();
            assert!(sum <= 2.0_f64.powi(52), "{largest}: {sum}");
            assert!(sum >= 1e12, "{largest}: {sum}");
        }
    }

    #[test]
    fn rounding_errors_do_not_split_ties() {
        let values = [0.7 - 0.5, 0.3 - 0.1, 0.2 - 0.0, 0.6 - 0.4];
        assert!(values.windows(2).any(|pair| pair[0] != pair[1]));
        assert!(Quantised::of(&values).unwrap().all_equal());
    }
}
