//! Correlation of two lists of scores of the same systems: do two measures, or two sets of judgements, rank systems alike?
//!
//! References: M. G. Kendall, A new measure of rank correlation, Biometrika 30 (1938), and The treatment of ties in ranking problems,
//! Biometrika 33 (1945); A. Stuart, The estimation and comparison of strengths of association in contingency tables, Biometrika 40
//! (1953); E. Yilmaz, J. A. Aslam and S. Robertson, A new rank correlation coefficient for information retrieval, SIGIR 2008;
//! J. Urbano and M. Marrero, The treatment of ties in AP correlation, ICTIR 2017; E. C. Fieller, H. O. Hartley and E. S. Pearson, Tests
//! for rank correlation coefficients I, Biometrika 44 (1957); D. G. Bonett and T. A. Wright, Sample size requirements for estimating
//! Pearson, Kendall and Spearman correlations, Psychometrika 65 (2000).

mod kendall;
mod product_moment;
mod tau_ap;
#[cfg(test)]
mod tests;

use crate::common::{Interval, check_level};
use crate::distributions::normal_quantile;
use crate::error::{Result, StatsError};
use crate::sample::{check_finite, levels};

pub use kendall::{Kendall, kendall};
pub use product_moment::{Correlation, pearson, spearman};
pub use tau_ap::{TauAp, tau_ap};

/// Scores of two lists as whole numbers in the same order, so that rounding errors neither make nor break ties.
fn on_grids(x: &[f64], y: &[f64]) -> Result<(Vec<usize>, Vec<usize>)> {
    check_lists(x, y)?;
    Ok((levels(x), levels(y)))
}

fn check_lists(x: &[f64], y: &[f64]) -> Result<()> {
    check_finite(x)?;
    check_finite(y)?;
    if x.len() != y.len() {
        return Err(StatsError::LengthsDiffer {
            left: x.len(),
            right: y.len(),
        });
    }
    if x.len() < 2 {
        return Err(StatsError::TooFew {
            what: "pairs of scores",
            found: x.len(),
            least: 2,
        });
    }
    Ok(())
}

/// A count of the values seen so far, up to each of them (a binary indexed tree).
struct Seen(Vec<u64>);

impl Seen {
    fn new(size: usize) -> Self {
        Self(vec![0; size + 1])
    }

    fn add(&mut self, value: usize) {
        let mut at = value + 1;
        while at < self.0.len() {
            self.0[at] += 1;
            at += at & at.wrapping_neg();
        }
    }

    /// How many of the values seen are less than this one.
    fn below(&self, value: usize) -> u64 {
        let (mut at, mut sum) = (value, 0);
        while at > 0 {
            sum += self.0[at];
            at &= at - 1;
        }
        sum
    }
}

/// Which coefficient an interval is for: they differ in the variance of Fisher's z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coefficient {
    /// Variance `1 / (n - 3)`.
    Pearson,
    /// Variance `(1 + r^2 / 2) / (n - 3)` (Bonett and Wright).
    Spearman,
    /// Variance `0.437 / (n - 4)` (Fieller, Hartley and Pearson).
    Kendall,
}

/// The interval of a coefficient by Fisher's transformation: `tanh(artanh(r) +- z sd)`. `None` where there are too few pairs for the
/// variance (4, or 5 for Kendall's tau), or r is not between -1 and 1.
///
/// ```
/// use cranfield_stats::rank_correlation::{Coefficient, interval};
/// let interval = interval(Coefficient::Pearson, 0.5, 28, 0.95)?.unwrap();
/// // artanh 0.5 = 0.549306, 1.959964 / 5 = 0.391993.
/// assert!((interval.low - 0.157313_f64.tanh()).abs() < 1e-6);
/// assert!((interval.high - 0.941299_f64.tanh()).abs() < 1e-6);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn interval(kind: Coefficient, r: f64, count: usize, level: f64) -> Result<Option<Interval>> {
    let level = check_level(level)?;
    let n = count as f64;
    let variance = match kind {
        Coefficient::Pearson => 1.0 / (n - 3.0),
        Coefficient::Spearman => (1.0 + r * r / 2.0) / (n - 3.0),
        Coefficient::Kendall => 0.437 / (n - 4.0),
    };
    let usable = variance > 0.0 && variance.is_finite() && r.abs() < 1.0;
    let reach = normal_quantile(0.5 + level / 2.0) * variance.sqrt();
    Ok(usable.then(|| Interval {
        low: (r.atanh() - reach).tanh(),
        high: (r.atanh() + reach).tanh(),
        level,
    }))
}
