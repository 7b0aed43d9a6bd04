//! Checks, means and variances, and differences rounded to a grid.

use crate::error::{Result, StatsError};

/// The finest grid of [`Quantised`]: units in one.
pub const FINEST_SCALE: f64 = 1e12;

/// These values, if all of them are finite.
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

/// Nothing, if there are at least so many values.
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

/// Arithmetic mean; `None` of nothing.
///
/// ```
/// use cranfield_stats::sample::{mean, variance};
/// assert_eq!(mean(&[1.0, 2.0, 6.0]), Some(3.0));
/// assert_eq!(variance(&[1.0, 2.0, 6.0]), Some(7.0)); // (4 + 1 + 9) / 2
/// ```
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Variance of the values as a sample: squared distances from the mean over n - 1; `None` of fewer than two values.
pub fn variance(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (values.len() > 1).then(|| squares.sum::<f64>() / (values.len() - 1) as f64)
}

/// Standard deviation of the values as a sample; `None` of fewer than two values.
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    variance(values).map(f64::sqrt)
}

/// Values as whole numbers of units of a decimal grid.
///
/// Scores of topics are coarse, and many sums of them are equal on paper. In floating point they are not: 0.3 - 0.1 is
/// not 0.2. A unit is 10^-12, or the smallest power of ten with which the sum of all absolute values stays below 2^52,
/// so that sums are exact both in `i64` and in `f64`. The grid is decimal because most scores are short decimals, which
/// fall on it without error.
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
    /// Units in one.
    pub scale: f64,
}

impl Quantised {
    /// Rounds finite values to the grid.
    pub fn of(values: &[f64]) -> Result<Self> {
        check_finite(values)?;
        let scale = scale_for(values.iter().copied(), values.len());
        let units = values.iter().map(|value| (value * scale).round() as i64);
        Ok(Self {
            units: units.collect(),
            scale,
        })
    }

    /// How far two sums that are equal on paper may be apart: each value is off by at most half a unit.
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

/// Units in one, for sums of `count` of these finite values.
pub(crate) fn scale_for(values: impl Iterator<Item = f64>, count: usize) -> f64 {
    const LARGEST_SUM: f64 = (1_u64 << 52) as f64;
    let largest = values.fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest * FINEST_SCALE * (count as f64) < LARGEST_SUM {
        return FINEST_SCALE;
    }
    let digits = LARGEST_SUM.log10() - largest.log10() - (count.max(1) as f64).log10();
    10.0_f64.powi((digits.floor() as i32).min(11))
}

/// For each finite value, how many different values are below it. Values that are equal on paper are the same: those whose
/// distance is at most half a unit of the grid of [`Quantised`].
///
/// ```
/// use cranfield_stats::sample::levels;
/// assert_eq!(levels(&[0.3, 0.1 + 0.2, 0.1, 0.5]), [1, 1, 0, 2]);
/// ```
pub fn levels(values: &[f64]) -> Vec<usize> {
    let scale = scale_for(values.iter().copied(), 1);
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut levels = vec![0; values.len()];
    let differ = |a: usize, b: usize| (values[b] - values[a]) * scale > 0.5;
    for pair in order.windows(2) {
        levels[pair[1]] = levels[pair[0]] + usize::from(differ(pair[0], pair[1]));
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bit_makes_no_level() {
        assert_eq!(levels(&[]), [] as [usize; 0]);
        // Just at the border between two units, where rounding would part them.
        let border = 0.500_000_000_000_5;
        let next = f64::from_bits(f64::to_bits(border) + 1);
        assert_eq!(levels(&[next, border, 0.5]), [1, 1, 0]);
        assert_eq!(levels(&[1e-12, 0.0, -0.0]), [1, 0, 0]);
        assert_eq!(
            levels(&[1e200, 1e200 * (1.0 + f64::EPSILON), -1e200]),
            [1, 1, 0]
        );
    }

    #[test]
    fn refused() {
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
        assert_eq!(variance(&[1.0]), None);
        assert_eq!(standard_deviation(&[1.0, 3.0]), Some(2.0_f64.sqrt()));
    }

    #[test]
    fn sums_on_the_grid_stay_exact() {
        for largest in [1e-300, 1e-13, 1.0, 5e3, 1e9, 1e200, f64::MAX / 2.0] {
            let values = vec![largest; 1000];
            let grid = Quantised::of(&values).unwrap();
            let sum: f64 = grid.units.iter().map(|&unit| unit.abs() as f64).sum();
            assert!(sum <= 2.0_f64.powi(52), "{largest}: {sum}");
            if largest > 1e-11 {
                assert!(sum >= 1e3, "{largest}: {sum}");
            }
        }
    }

    #[test]
    fn rounding_errors_do_not_split_ties() {
        let values = [0.7 - 0.5, 0.3 - 0.1, 0.2 - 0.0, 0.6 - 0.4];
        assert!(values.windows(2).any(|pair| pair[0] != pair[1]));
        assert!(Quantised::of(&values).unwrap().all_equal());
    }
}
