//! The correlations of Pearson and Spearman.

use super::{check_lists, on_grids};
use crate::distributions::t_sf;
use crate::error::Result;
use crate::ranks::Ranks;

/// A coefficient with its test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correlation {
    /// The coefficient, from -1 to 1; `None` where all scores of a list are equal.
    pub coefficient: Option<f64>,
    /// Two-sided p of no association; `None` where there is no coefficient, or fewer than 3 pairs.
    pub p: Option<f64>,
    /// Number of pairs.
    pub count: usize,
}

/// Pearson's product-moment correlation; p is that of `t = r sqrt((n - 2) / (1 - r^2))` with n - 2 degrees of freedom.
///
/// ```
/// use cranfield_stats::rank_correlation::pearson;
/// let r = pearson(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0])?;
/// assert!((r.coefficient.unwrap() - 0.5).abs() < 1e-15);
/// assert!((r.p.unwrap() - 2.0 / 3.0).abs() < 1e-12);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn pearson(x: &[f64], y: &[f64]) -> Result<Correlation> {
    check_lists(x, y)?;
    Ok(product_moment(x, y))
}

/// Spearman's rho: Pearson's correlation of ranks, ties sharing the mean of theirs.
///
/// ```
/// use cranfield_stats::rank_correlation::spearman;
/// let rho = spearman(&[1.0, 20.0, 300.0], &[0.1, 0.9, 0.5])?;
/// assert!((rho.coefficient.unwrap() - 0.5).abs() < 1e-15);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn spearman(x: &[f64], y: &[f64]) -> Result<Correlation> {
    let (x, y) = on_grids(x, y)?;
    let ranks = |values: &[usize]| -> Vec<f64> {
        Ranks::of(values)
            .doubled
            .iter()
            .map(|&rank| rank as f64 / 2.0)
            .collect()
    };
    Ok(product_moment(&ranks(&x), &ranks(&y)))
}

fn product_moment(x: &[f64], y: &[f64]) -> Correlation {
    let coefficient = unit_deviations(x).zip(unit_deviations(y)).map(|(x, y)| {
        let products = x.iter().zip(&y).map(|(a, b)| a * b);
        products.sum::<f64>().clamp(-1.0, 1.0)
    });
    let df = x.len() as f64 - 2.0;
    let p = |r: f64| {
        let rest = (1.0 - r) * (1.0 + r);
        if rest > 0.0 {
            2.0 * t_sf(r.abs() * (df / rest).sqrt(), df)
        } else {
            0.0
        }
    };
    Correlation {
        coefficient,
        p: coefficient.filter(|_| df > 0.0).map(p),
        count: x.len(),
    }
}

/// Deviations from the mean, scaled to a sum of squares of 1; `None` of equal values. Values are scaled first, so that no square is too
/// large or too small.
fn unit_deviations(values: &[f64]) -> Option<Vec<f64>> {
    let largest = values
        .iter()
        .fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let scaled: Vec<f64> = values.iter().map(|value| value / largest).collect();
    let mean = scaled.iter().sum::<f64>() / scaled.len() as f64;
    let norm = scaled
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>()
        .sqrt();
    let varied = norm > 1e-13 * (scaled.len() as f64).sqrt();
    varied.then(|| scaled.iter().map(|value| (value - mean) / norm).collect())
}
