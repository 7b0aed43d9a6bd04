//! Dunnett's comparison of several systems with one control, with one error rate for the whole family.
//!
//! ```text
//! T_i = (mean_i - mean_0) / sqrt(2 V_E / n)
//! P(max |T_i| >= c) = mean over S of  integral phi(y) (1 - (Phi(y + w) - Phi(y - w))^k) dy,   w = sqrt(2) c S
//! P(max T_i >= c)   = mean over S of  integral phi(y) (1 - Phi(y + w)^k) dy
//! ```
//!
//! Here y is what the control contributes to all k differences, whose correlation is therefore 1/2, and `S = sqrt(chi2(df) / df)`.
//! `V_E` and df are those of the two-way table for [`paired`] scores and those of the one-way table for [`unpaired`] ones.
//! `scipy.stats.dunnett` is unpaired only, and integrates by random points, so its p varies in the fourth digit or so.
//!
//! Reference: C. W. Dunnett, A multiple comparison procedure for comparing several treatments with a control, Journal of the American
//! Statistical Association 50 (1955).

use std::f64::consts::{PI, SQRT_2};

use crate::anova::{Source, one_way, two_way, vanishes};
use crate::common::{Alternative, Degenerate, Interval, check_level};
use crate::distributions::{increasing_root, normal_sf};
use crate::error::{Result, StatsError};
use crate::integrate::{LogTail, integrate, mean_over_spread};
use crate::matrix::ScoreMatrix;
use crate::pairs::check_squares;
use crate::studentised_range::check_df;

/// The distribution of the largest of k differences from a common control.
///
/// ```
/// use cranfield_stats::dunnett::ManyToOne;
/// use cranfield_stats::Alternative;
/// // Dunnett's table: 3 treatments, 20 degrees of freedom, two-sided 5 %: 2.54.
/// let many = ManyToOne::new(3, 20.0, Alternative::TwoSided)?;
/// assert!((many.critical(0.05) - 2.54).abs() < 0.005);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ManyToOne {
    df: f64,
    tail: LogTail,
}

/// Limits of w in the table: below the first, a one-sided tail is 1; beyond the second, tails are below 1e-170.
const LOWEST: f64 = -14.0;
const WIDEST: f64 = 40.0;

impl ManyToOne {
    /// The distribution for `treatments` >= 1 and `df` >= 1 degrees of freedom, which may be infinite. For
    /// [`Alternative::Less`] statistics are to be negated.
    pub fn new(treatments: usize, df: f64, alternative: Alternative) -> Result<Self> {
        if treatments == 0 {
            return Err(StatsError::TooFew {
                what: "treatments",
                found: 0,
                least: 1,
            });
        }
        check_df(df)?;
        let k = treatments as f64;
        let tail = match alternative {
            Alternative::TwoSided => LogTail::new(0.0, WIDEST, |w| two_sided_tail(k, w)),
            Alternative::Greater | Alternative::Less => {
                LogTail::new(LOWEST, WIDEST, |w| one_sided_tail(k, w))
            }
        };
        Ok(Self { df, tail })
    }

    /// Probability that the largest statistic is at least `c` when no treatment differs from the control.
    pub fn sf(&self, c: f64) -> f64 {
        mean_over_spread(self.df, |s| self.tail.at(SQRT_2 * c * s)).min(1.0)
    }

    /// The c with this tail; infinite for an `alpha` of 0, minus infinity for 1.
    pub fn critical(&self, alpha: f64) -> f64 {
        if alpha <= 0.0 {
            return f64::INFINITY;
        }
        if alpha >= 1.0 {
            return f64::NEG_INFINITY;
        }
        let alpha = alpha.max(1e-290);
        increasing_root(|c| alpha.ln() - self.sf(c).max(1e-300).ln(), 0.0, 1.0)
    }
}

fn density(y: f64) -> f64 {
    (-0.5 * y * y).exp() / (2.0 * PI).sqrt()
}

/// `1 - (1 - outside)^k` without loss of digits.
fn any_outside(k: f64, outside: f64) -> f64 {
    -(k * (-outside).ln_1p()).exp_m1()
}

/// The integrand has its mass where y lies between 0 and -w/2 or w/2, within 9 of either.
fn two_sided_tail(k: f64, w: f64) -> f64 {
    let outside = |y: f64| (normal_sf(w - y) + normal_sf(w + y)).min(1.0);
    let integrand = |y: f64| 2.0 * density(y) * any_outside(k, outside(y));
    integrate(0.0, w / 2.0 + 9.0, 24, integrand)
}

fn one_sided_tail(k: f64, w: f64) -> f64 {
    let integrand = |y: f64| density(y) * any_outside(k, normal_sf(y + w));
    let low = (-w / 2.0).min(0.0) - 9.0;
    integrate(low, 9.0, 36, integrand)
}

/// One system against the control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControlTest {
    /// Index of the system.
    pub system: usize,
    /// System minus control, as a difference of means.
    pub difference: f64,
    /// T; `None` where there is no residual variance.
    pub statistic: Option<f64>,
    /// Probability of a largest T at least as large when no system differs from the control.
    pub p: f64,
    /// Simultaneous interval of the difference. A one-sided interval has an infinite end.
    pub interval: Interval,
}

/// The comparison of all systems with the control.
#[derive(Clone, Debug, PartialEq)]
pub struct Dunnett {
    /// Index of the control.
    pub control: usize,
    /// The alternative.
    pub alternative: Alternative,
    /// Residual variance.
    pub residual_variance: f64,
    /// Its degrees of freedom.
    pub df: f64,
    /// Set if there is no residual variance. p is then 0 for a difference in the direction of the alternative, and 1 otherwise.
    pub degenerate: Option<Degenerate>,
    /// The other systems, in their order.
    pub tests: Vec<ControlTest>,
}

/// Compares systems with the control on the same topics.
///
/// ```
/// use cranfield_stats::{Alternative, ScoreMatrix, dunnett};
/// let scores = ScoreMatrix::new(&[[1.0, 2.0, 3.0], [3.0, 4.0, 8.0], [1.0, 2.0, 4.0]])?;
/// let all = dunnett::paired(&scores, 0, Alternative::TwoSided, 0.95)?;
/// // V_E = 7/9 with 4 degrees of freedom: T = 3 / sqrt(14 / 27).
/// assert!((all.tests[0].statistic.unwrap() - 3.0 / (14f64 / 27.0).sqrt()).abs() < 1e-12);
/// assert!(all.tests[0].p < 0.05 && all.tests[1].p > 0.5);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn paired(
    scores: &ScoreMatrix,
    control: usize,
    alternative: Alternative,
    level: f64,
) -> Result<Dunnett> {
    let table = two_way(scores)?;
    compare(
        scores,
        &table.means,
        table.residual,
        (control, alternative, level),
    )
}

/// Compares systems with the control as if each had topics of its own.
///
/// ```
/// use cranfield_stats::{Alternative, ScoreMatrix, dunnett};
/// let scores = ScoreMatrix::new(&[[1.0, 2.0, 3.0], [3.0, 4.0, 8.0], [1.0, 2.0, 4.0]])?;
/// let all = dunnett::unpaired(&scores, 0, Alternative::TwoSided, 0.95)?;
/// assert!(all.tests[0].p > 0.1);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn unpaired(
    scores: &ScoreMatrix,
    control: usize,
    alternative: Alternative,
    level: f64,
) -> Result<Dunnett> {
    let table = one_way(scores)?;
    compare(
        scores,
        &table.means,
        table.residual,
        (control, alternative, level),
    )
}

fn compare(
    scores: &ScoreMatrix,
    means: &[f64],
    residual: Source,
    (control, alternative, level): (usize, Alternative, f64),
) -> Result<Dunnett> {
    check_squares(scores)?;
    let level = check_level(level)?;
    let Some(&control_mean) = means.get(control) else {
        return Err(StatsError::TooFew {
            what: "systems including the control",
            found: means.len(),
            least: control.saturating_add(1),
        });
    };
    let many = ManyToOne::new(means.len() - 1, residual.df, alternative)?;
    let error = (2.0 * residual.mean_square / scores.topics() as f64).sqrt();
    let no_variance = vanishes(residual, scores);
    let reach = if no_variance {
        0.0
    } else {
        many.critical(1.0 - level) * error
    };
    let test = |system: usize| {
        let difference = means[system] - control_mean;
        let equal = difference.abs() <= 1e-13 * means[system].abs().max(control_mean.abs());
        let difference = if no_variance && equal {
            0.0
        } else {
            difference
        };
        let statistic = (!no_variance).then(|| difference / error);
        ControlTest {
            system,
            difference,
            statistic,
            p: match statistic {
                Some(t) => many.sf(towards(alternative, t)),
                None => f64::from(u8::from(towards(alternative, difference) <= 0.0)),
            },
            interval: interval(difference, reach, alternative, level),
        }
    };
    let others = (0..means.len()).filter(|&system| system != control);
    let tests: Vec<ControlTest> = others.map(test).collect();
    let identical = tests.iter().all(|test| test.difference == 0.0);
    let kind = if identical {
        Degenerate::Identical
    } else {
        Degenerate::Constant
    };
    Ok(Dunnett {
        control,
        alternative,
        residual_variance: residual.mean_square,
        df: residual.df,
        degenerate: no_variance.then_some(kind),
        tests,
    })
}

/// A statistic as a distance towards the alternative.
fn towards(alternative: Alternative, t: f64) -> f64 {
    match alternative {
        Alternative::TwoSided => t.abs(),
        Alternative::Greater => t,
        Alternative::Less => -t,
    }
}

fn interval(difference: f64, reach: f64, alternative: Alternative, level: f64) -> Interval {
    let (low, high) = (difference - reach, difference + reach);
    let (low, high) = match alternative {
        Alternative::TwoSided => (low, high),
        Alternative::Greater => (low, f64::INFINITY),
        Alternative::Less => (f64::NEG_INFINITY, high),
    };
    Interval { low, high, level }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anova::tests::{near, sakai};
    use crate::distributions::t_sf;

    /// Dunnett's tables of 1955 and 1964 at 5 %, for 1 to 4 treatments.
    #[test]
    fn printed_tables() {
        let check = |alternative, df, expected: [f64; 4]| {
            for (treatments, value) in (1..).zip(expected) {
                let many = ManyToOne::new(treatments, df, alternative).unwrap();
                near(many.critical(0.05), value, 0.0051);
            }
        };
        check(Alternative::TwoSided, 20.0, [2.09, 2.38, 2.54, 2.65]);
        check(
            Alternative::TwoSided,
            f64::INFINITY,
            [1.96, 2.21, 2.35, 2.44],
        );
        check(Alternative::Greater, 20.0, [1.72, 2.03, 2.19, 2.30]);
        check(
            Alternative::Greater,
            f64::INFINITY,
            [1.64, 1.92, 2.06, 2.16],
        );
    }

    #[test]
    fn one_treatment_is_students_t() {
        for df in [1.0, 4.0, 38.0, 6272.0] {
            let two = ManyToOne::new(1, df, Alternative::TwoSided).unwrap();
            let one = ManyToOne::new(1, df, Alternative::Greater).unwrap();
            for t in [0.01, 0.5, 2.0, 6.0, 15.0] {
                near(two.sf(t) / (2.0 * t_sf(t, df)), 1.0, 1e-10);
                near(one.sf(t) / t_sf(t, df), 1.0, 1e-10);
                near(one.sf(-t), t_sf(-t, df), 1e-10);
            }
        }
    }

    /// Two systems: the paired t of A and B, with its interval.
    #[test]
    fn two_systems_are_a_paired_t() {
        let scores = sakai();
        let pair = ScoreMatrix::new(&[scores.row(0), scores.row(1)]).unwrap();
        let all = paired(&pair, 1, Alternative::TwoSided, 0.95).unwrap();
        near(all.tests[0].statistic.unwrap(), 2.115_759_861_3, 1e-9);
        near(all.tests[0].p, 0.047_796_761_8, 1e-10);
        near(all.tests[0].interval.low, 0.000_805_944_7, 1e-9);
        near(all.tests[0].interval.high, 0.149_194_055_3, 1e-9);
        let less = paired(&pair, 0, Alternative::Less, 0.95).unwrap();
        near(less.tests[0].p, 0.047_796_761_8 / 2.0, 1e-10);
        assert_eq!(less.tests[0].interval.low, f64::NEG_INFINITY);
    }

    /// Fewer comparisons than all pairs, more than one: p lies between those of t and of Tukey.
    #[test]
    fn between_t_and_tukey() {
        let all = paired(&sakai(), 0, Alternative::TwoSided, 0.95).unwrap();
        let tukey = crate::tukey::paired(&sakai(), 0.95).unwrap();
        for (test, pair) in all.tests.iter().zip(&tukey.pairs) {
            assert!(test.p < pair.p);
            assert!(test.p > 2.0 * t_sf(test.statistic.unwrap().abs(), all.df));
        }
    }

    #[test]
    fn no_residual_variance_and_errors() {
        let scores = ScoreMatrix::new(&[[0.1, 0.7], [0.3, 0.9], [0.1, 0.7]]).unwrap();
        let all = paired(&scores, 0, Alternative::Greater, 0.95).unwrap();
        assert_eq!(all.degenerate, Some(Degenerate::Constant));
        assert_eq!((all.tests[0].p, all.tests[1].p), (0.0, 1.0));
        assert!(paired(&scores, 3, Alternative::Greater, 0.95).is_err());
        assert!(paired(&scores, 0, Alternative::Greater, 0.0).is_err());
        assert!(ManyToOne::new(0, 3.0, Alternative::TwoSided).is_err());
    }
}
