//! The distribution of the studentised range: how far apart the largest and the smallest of k means lie when all are equal,
//! in units of their estimated standard error.
//!
//! ```text
//! P(W >= w) = k integral phi(z) (Phi(z)^(k-1) - (Phi(z) - Phi(z - w))^(k-1)) dz      for known variance
//! P(Q >= q) = mean of P(W >= q S),  S = sqrt(chi2(df) / df)                            for a variance with df degrees of freedom
//! ```
//!
//! Both integrals are taken by Gauss-Legendre quadrature over panels that follow the integrand. The inner one has positive terms
//! only, so small tails keep their digits; it is tabulated once for all q. Tails below about 1e-170 are 0.
//!
//! Reference: J. W. Tukey, The problem of multiple comparisons (1953), in The Collected Works of John W. Tukey VIII (1994).

use std::f64::consts::PI;

use crate::distributions::{increasing_root, normal_cdf};
use crate::error::{Result, StatsError};
use crate::integrate::{LogTail, integrate, mean_over_spread};

/// The distribution for given numbers of groups and degrees of freedom.
///
/// ```
/// use cranfield_stats::studentised_range::StudentisedRange;
/// let range = StudentisedRange::new(3, 38.0)?;
/// assert!((range.critical(0.05) - 3.449_020_901_4).abs() < 1e-9);
/// assert!((range.sf(3.449_020_901_4) - 0.05).abs() < 1e-10);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct StudentisedRange {
    df: f64,
    tail: LogTail,
}

/// Ranges beyond this have tails below 1e-170.
const WIDEST: f64 = 40.0;

impl StudentisedRange {
    /// The distribution of `groups` >= 2 means with `df` >= 1 degrees of freedom, which may be infinite.
    pub fn new(groups: usize, df: f64) -> Result<Self> {
        if groups < 2 {
            return Err(StatsError::TooFew {
                what: "groups",
                found: groups,
                least: 2,
            });
        }
        check_df(df)?;
        Ok(Self {
            df,
            tail: LogTail::new(0.0, WIDEST, |w| range_tail(groups as f64, w)),
        })
    }

    /// P(Q >= q).
    pub fn sf(&self, q: f64) -> f64 {
        if q <= 0.0 {
            return 1.0;
        }
        mean_over_spread(self.df, |s| self.tail.at(q * s)).min(1.0)
    }

    /// The q with P(Q >= q) = `alpha`, between 0 and infinity for `alpha` from 1 to 0.
    pub fn critical(&self, alpha: f64) -> f64 {
        if alpha >= 1.0 {
            return 0.0;
        }
        if alpha <= 0.0 {
            return f64::INFINITY;
        }
        let alpha = alpha.max(1e-290);
        increasing_root(|q| alpha.ln() - self.sf(q).max(1e-300).ln(), 0.0, 1.0)
    }
}

/// Degrees of freedom of a variance: at least 1, infinity for a known one.
pub(crate) fn check_df(df: f64) -> Result<f64> {
    if df >= 1.0 {
        return Ok(df);
    }
    Err(StatsError::Setting {
        name: "degrees of freedom",
        value: df,
        expected: "a number of at least 1",
    })
}

/// P(W >= w) of the range of `k` standard normal values; z is the largest of them.
fn range_tail(k: f64, w: f64) -> f64 {
    const REACH: f64 = 8.5;
    let density = |z: f64| (-0.5 * z * z).exp() / (2.0 * PI).sqrt();
    let integrand = |z: f64| {
        let (below, outside) = (normal_cdf(z), normal_cdf(z - w));
        if outside == 0.0 {
            return 0.0;
        }
        let all_below = ((k - 1.0) * below.ln()).exp();
        let one_outside = -((k - 1.0) * (-outside / below).ln_1p()).exp_m1();
        k * density(z) * all_below * one_outside
    };
    integrate(w / 2.0 - REACH, w / 2.0 + REACH, 14, integrand)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anova::tests::near;
    use crate::distributions::{normal_sf, t_sf};

    /// scipy 1.17 `studentized_range`.
    #[test]
    fn values_of_scipy() {
        let sf = |q, k, df| StudentisedRange::new(k, df).unwrap().sf(q);
        near(sf(3.5, 10, 441.0), 0.285_017_899_3, 1e-10);
        near(sf(3.5, 5, f64::INFINITY), 0.096_338_464_0, 1e-10);
        let critical = StudentisedRange::new(3, 38.0).unwrap().critical(0.05);
        near(critical, 3.449_020_901_4, 1e-10);
    }

    /// Points of the usual tables: q(.05; 2, 1) = 17.97, q(.05; 10, 5) = 6.99, q(.01; 3, 10) = 5.27, q(.05; 3, inf) = 3.31.
    #[test]
    fn printed_tables() {
        for (alpha, k, df, q) in [
            (0.05, 2, 1.0, 17.97),
            (0.05, 10, 5.0, 6.99),
            (0.01, 3, 10.0, 5.27),
            (0.05, 3, f64::INFINITY, 3.31),
        ] {
            near(
                StudentisedRange::new(k, df).unwrap().critical(alpha),
                q,
                0.0051,
            );
        }
    }

    /// Of two means the range is the absolute difference: Q = sqrt(2) |T|, far into the tail.
    #[test]
    fn two_groups_are_students_t() {
        for df in [1.0, 2.0, 7.0, 49.0, 6272.0] {
            let range = StudentisedRange::new(2, df).unwrap();
            for q in [0.01, 1.0, 4.0, 12.0, 30.0, 1000.0] {
                let exact = 2.0 * t_sf(q / 2f64.sqrt(), df);
                // Below 1e-170 there is nothing.
                if exact > 1e-150 {
                    near(range.sf(q) / exact, 1.0, 1e-10);
                }
            }
        }
        let known = StudentisedRange::new(2, f64::INFINITY).unwrap();
        near(
            known.sf(9.0) / (2.0 * normal_sf(9.0 / 2f64.sqrt())),
            1.0,
            1e-10,
        );
    }

    #[test]
    fn quantiles_return_to_their_tail() {
        for k in [2, 5, 129, 1000] {
            for df in [1.0, 3.0, 20.0, 6272.0, f64::INFINITY] {
                let range = StudentisedRange::new(k, df).unwrap();
                for alpha in [0.9, 0.5, 0.05, 1e-6] {
                    near(range.sf(range.critical(alpha)) / alpha, 1.0, 1e-9);
                }
            }
        }
    }

    #[test]
    fn limits_and_errors() {
        let range = StudentisedRange::new(3, 5.0).unwrap();
        assert_eq!((range.sf(0.0), range.sf(-1.0)), (1.0, 1.0));
        assert_eq!(
            (range.critical(1.0), range.critical(0.0)),
            (0.0, f64::INFINITY)
        );
        assert_eq!(range.sf(f64::INFINITY), 0.0);
        assert!(range.critical(1e-310).is_finite());
        assert!(StudentisedRange::new(1, 5.0).is_err());
        assert!(StudentisedRange::new(3, 0.0).is_err());
        assert!(StudentisedRange::new(3, f64::NAN).is_err());
    }
}
