//! Drops and tolerances: is a system worse than a baseline, or shown to be not worse than it by more than a tolerance?
//!
//! With the differences d = system - baseline, oriented so that more is better, and a tolerance of at least 0, two one-sided
//! questions are asked of the same data:
//!
//! - *dropped*: is the mean below 0, or below minus the tolerance ([`DropNull`] says which)?
//! - *within*: is the mean above minus the tolerance? That is a test of non-inferiority, and the same as asking whether the
//!   lower confidence bound of the mean is above minus the tolerance.
//!
//! [`DropDesign`] says how often each of them is found for a drop of a given size, and how many topics that takes.
//!
//! References: D. Schuirmann, A comparison of the two one-sided tests procedure and the power approach, Journal of
//! Pharmacokinetics and Biopharmaceutics 15 (1987); J. Cohen, Statistical Power Analysis for the Behavioral Sciences (1988).

use crate::common::{Alternative, Degenerate, check_level};
use crate::distributions::{increasing_root, normal_cdf, t_quantile};
use crate::error::{Result, StatsError};
use crate::integrate::mean_over_parts;
use crate::paired_t::{Moments, p_of_constant, p_of_t};
use crate::power::{SampleSize, least_topics, minimum_detectable_effect, t_power, t_topics};
use crate::sample::{Differences, unit};

/// The null hypothesis of a drop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DropNull {
    /// No drop: the test asks whether the system is worse.
    #[default]
    Zero,
    /// A drop of the tolerance: the test asks whether the system is worse by more than the tolerance.
    Tolerance,
}

/// Whether a change of scores of this size is a drop of more than the tolerance. Changes within a [`unit()`] count as equal.
///
/// ```
/// use cranfield_stats::non_inferiority::exceeds;
/// assert!(!exceeds(0.30 - 0.31, 0.01, 1.0) && exceeds(-0.011, 0.01, 1.0));
/// assert!(!exceeds(-1e-15, 0.0, 1.0) && exceeds(-1e-15, 0.0, 1e-14));
/// ```
pub fn exceeds(change: f64, tolerance: f64, size: f64) -> bool {
    change < -tolerance - unit(size.max(tolerance))
}

/// Result of [`drop_test`].
#[derive(Clone, Debug, PartialEq)]
pub struct DropTest {
    /// Number of topics.
    pub n: usize,
    /// Mean of the differences.
    pub mean_difference: f64,
    /// Their standard deviation.
    pub standard_deviation: f64,
    /// p-value of the drop, by Student's t.
    pub p_drop: f64,
    /// p-value of being within the tolerance, by Student's t.
    pub p_within: f64,
    /// Lower confidence bound of the mean, with the confidence 1 - alpha.
    pub low: f64,
    /// Whether the mean is below minus the tolerance, see [`exceeds`].
    pub exceeds: bool,
    /// Set if all differences are equal.
    pub degenerate: Option<Degenerate>,
}

/// The two one-sided t tests of a drop, on differences of at least two topics.
///
/// If all differences are equal, both p-values are 0 or 1, and a difference of exactly the tolerance, or of 0 with a tolerance of 0, is
/// within it.
///
/// ```
/// use cranfield_stats::non_inferiority::{DropNull, drop_test};
/// use cranfield_stats::sample::Differences;
/// // Differences -3, -2, -1: mean -2, standard error 1 / sqrt 3, t = -3.4641 with 2 degrees of freedom.
/// let d = Differences::alone(&[-3.0, -2.0, -1.0])?;
/// let test = drop_test(&d, 0.0, DropNull::Zero, 0.05)?;
/// assert!((test.p_drop - (0.5 - 0.5 * (12.0_f64 / 14.0).sqrt())).abs() < 1e-12);
/// // Against a tolerated drop of 2, half of all samples would be as low.
/// let test = drop_test(&d, 2.0, DropNull::Tolerance, 0.05)?;
/// assert!((test.p_drop - 0.5).abs() < 1e-12 && (test.p_within - 0.5).abs() < 1e-12);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn drop_test(d: &Differences, tolerance: f64, null: DropNull, alpha: f64) -> Result<DropTest> {
    check_tolerance(tolerance)?;
    check_level(alpha)?;
    let moments = Moments::of(d)?;
    let df = moments.n as f64 - 1.0;
    let bound = match null {
        DropNull::Zero => 0.0,
        DropNull::Tolerance => -tolerance,
    };
    let exceeds = exceeds(moments.mean, tolerance, d.size());
    let p_drop = match moments.t(bound) {
        Some(t) => p_of_t(t, df, Alternative::Less),
        None if exceeds => p_of_constant(moments.mean - bound, Alternative::Less),
        None => 1.0,
    };
    let p_within = match moments.t(-tolerance) {
        Some(t) => p_of_t(t, df, Alternative::Greater),
        None => f64::from(u8::from(exceeds)),
    };
    Ok(DropTest {
        n: moments.n,
        mean_difference: moments.mean,
        standard_deviation: moments.deviation,
        p_drop,
        p_within,
        low: moments.interval(Alternative::Greater, 1.0 - alpha).low,
        exceeds,
        degenerate: moments.degenerate,
    })
}

fn check_tolerance(tolerance: f64) -> Result<()> {
    if (0.0..1e100).contains(&tolerance) {
        return Ok(());
    }
    Err(StatsError::Setting {
        name: "the tolerance",
        value: tolerance,
        expected: "a number from 0 to less than 1e100",
    })
}

/// The design of an experiment that tests for drops, for normally distributed differences with a known standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DropDesign {
    /// Number of topics, at least 2.
    pub topics: usize,
    /// Standard deviation of the differences, above 0.
    pub deviation: f64,
    /// The tolerated drop, at least 0.
    pub tolerance: f64,
    /// The null hypothesis of a drop.
    pub null: DropNull,
    /// Significance level of a drop.
    pub alpha_drop: f64,
    /// Significance level of being within the tolerance.
    pub alpha_within: f64,
}

impl DropDesign {
    fn check(&self) -> Result<()> {
        check_tolerance(self.tolerance)?;
        t_power(0.0, self.topics as f64, self.alpha_drop, Alternative::Less)?;
        t_power(
            0.0,
            self.topics as f64,
            self.alpha_within,
            Alternative::Less,
        )?;
        if self.deviation > 1e-100 && self.deviation < 1e100 {
            return Ok(());
        }
        Err(StatsError::Setting {
            name: "the standard deviation",
            value: self.deviation,
            expected: "a number between 1e-100 and 1e100; multiply all scores by the same number",
        })
    }

    /// The probability of finding a true drop: the mean is below minus the tolerance, and significantly below the null hypothesis.
    ///
    /// ```
    /// use cranfield_stats::Alternative;
    /// use cranfield_stats::non_inferiority::{DropDesign, DropNull};
    /// use cranfield_stats::power::t_power;
    /// let design = DropDesign {
    ///     topics: 50, deviation: 0.1, tolerance: 0.0, null: DropNull::Zero, alpha_drop: 0.05, alpha_within: 0.05,
    /// };
    /// // Without a tolerance it is the power of a one-sided t test.
    /// let power = t_power(0.4, 50.0, 0.05, Alternative::Greater)?;
    /// assert!((design.fail_rate(0.04)? - power).abs() < 1e-9);
    /// # Ok::<(), cranfield_stats::StatsError>(())
    /// ```
    pub fn fail_rate(&self, drop: f64) -> Result<f64> {
        self.check()?;
        let topics = self.topics as f64;
        match self.null {
            DropNull::Zero if self.tolerance > 0.0 => Ok(self.joint_rate(drop)),
            DropNull::Zero => t_power(
                drop / self.deviation,
                topics,
                self.alpha_drop,
                Alternative::Greater,
            ),
            DropNull::Tolerance => {
                let effect = (drop - self.tolerance) / self.deviation;
                t_power(effect, topics, self.alpha_drop, Alternative::Greater)
            }
        }
    }

    /// P(mean < -tolerance and t < -t'), with t' the critical value. Given S, the estimated over the true deviation, the mean
    /// must be below both bounds, and it is independent of S.
    fn joint_rate(&self, drop: f64) -> f64 {
        let (df, error) = (
            self.topics as f64 - 1.0,
            self.deviation / (self.topics as f64).sqrt(),
        );
        let critical = t_quantile(1.0 - self.alpha_drop, df) * error;
        let given = |spread: f64| {
            let bound = (critical * spread).max(self.tolerance);
            // A probability of 1e-300 is negligible and has a logarithm.
            normal_cdf((drop - bound) / error).max(1e-300).ln()
        };
        // The integrand has an edge where one bound takes over from the other.
        let edge = self.tolerance / critical;
        let places = if edge > 0.0 { &[edge][..] } else { &[] };
        mean_over_parts(df, places, given).clamp(0.0, 1.0)
    }

    /// The probability that a system with this true drop is shown to be within the tolerance.
    pub fn pass_rate(&self, drop: f64) -> Result<f64> {
        self.check()?;
        let effect = (self.tolerance - drop) / self.deviation;
        t_power(
            effect,
            self.topics as f64,
            self.alpha_within,
            Alternative::Greater,
        )
    }

    /// The smallest true drop that is found with this power.
    ///
    /// ```
    /// use cranfield_stats::non_inferiority::{DropDesign, DropNull};
    /// let design = DropDesign {
    ///     topics: 50, deviation: 0.1, tolerance: 0.01, null: DropNull::Zero, alpha_drop: 0.05, alpha_within: 0.05,
    /// };
    /// let drop = design.detectable(0.8)?;
    /// assert!((design.fail_rate(drop)? - 0.8).abs() < 1e-9);
    /// # Ok::<(), cranfield_stats::StatsError>(())
    /// ```
    pub fn detectable(&self, power: f64) -> Result<f64> {
        self.check()?;
        let effect =
            minimum_detectable_effect(self.topics, power, self.alpha_drop, Alternative::Greater)?;
        Ok(match self.null {
            DropNull::Tolerance => self.tolerance + effect * self.deviation,
            DropNull::Zero if self.tolerance == 0.0 => effect * self.deviation,
            DropNull::Zero => {
                let start = (effect * self.deviation).max(self.tolerance);
                let step = self.deviation / (self.topics as f64).sqrt();
                increasing_root(|drop| self.joint_rate(drop) - power, start, step)
            }
        })
    }

    /// The smallest number of topics with which a true drop is found with this power; `None` for drops that no number of topics finds
    /// with this power, such as those within the tolerance.
    pub fn topics_to_see(&self, drop: f64, power: f64) -> Result<Option<usize>> {
        self.detectable(power)?;
        if drop <= self.tolerance || drop <= 0.0 {
            return Ok(None);
        }
        let enough = |topics: usize| {
            Self { topics, ..*self }
                .fail_rate(drop)
                .is_ok_and(|rate| rate >= power)
        };
        Ok(least_topics(enough).ok())
    }

    /// The number of topics with which a system without any drop is shown to be within the tolerance with this power; `None`
    /// if there is no tolerance, or more than 10 million topics would be needed.
    pub fn topics_to_pass(&self, power: f64) -> Result<Option<SampleSize>> {
        self.check()?;
        if self.tolerance == 0.0 {
            return Ok(None);
        }
        let effect = self.tolerance / self.deviation;
        match t_topics(effect, power, self.alpha_within, Alternative::Greater) {
            Err(StatsError::OutOfReach { .. }) => Ok(None),
            Err(StatsError::Setting { name, .. }) if name.starts_with("effect") => Ok(None),
            found => found.map(Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;
    use crate::testing::{A, B, near, within};

    fn design(null: DropNull, tolerance: f64) -> DropDesign {
        DropDesign {
            topics: 50,
            deviation: 0.1,
            tolerance,
            null,
            alpha_drop: 0.05,
            alpha_within: 0.05,
        }
    }

    /// The integral over the spread by scipy 1.17's `quad`, in parts up to the edge and from there.
    #[test]
    fn rates_of_drops_are_those_of_the_integral() {
        for (drop, topics, deviation, tolerance, alpha, expected) in [
            (0.05, 12, 0.1, 0.04, 0.05, 0.481_597_578_313_458_3),
            (0.08, 12, 0.1, 0.055, 0.05, 0.777_938_407_477_637_5),
            (0.03, 6, 0.05, 0.04, 0.01, 0.096_358_417_623_446_21),
        ] {
            let design = DropDesign {
                topics,
                deviation,
                tolerance,
                alpha_drop: alpha,
                ..design(DropNull::Zero, 0.0)
            };
            within(design.fail_rate(drop).unwrap(), expected, 1e-11);
        }
    }

    #[test]
    fn one_sided_tests_of_sakai() {
        // Two-sided, t = 2.1158 has p = 0.0478; the baseline is the better one here.
        let d = Differences::of(&B, &A).unwrap();
        let test = drop_test(&d, 0.0, DropNull::Zero, 0.05).unwrap();
        near(test.p_drop, 0.047_796_761_8 / 2.0);
        within(test.p_drop + test.p_within, 1.0, 1e-12);
        assert!(test.exceeds && test.low < test.mean_difference);
    }

    #[test]
    fn the_bound_and_the_test_agree() {
        let d: Vec<f64> = A.iter().zip(B).map(|(a, b)| 0.3 * (a - b) - 0.02).collect();
        let d = Differences::alone(&d).unwrap();
        let low = drop_test(&d, 0.0, DropNull::Zero, 0.05).unwrap().low;
        for (tolerance, passes) in [(-low + 1e-9, true), (-low - 1e-9, false)] {
            let test = drop_test(&d, tolerance, DropNull::Zero, 0.05).unwrap();
            assert_eq!(test.p_within <= 0.05, passes, "{tolerance}");
        }
    }

    #[test]
    fn constant_differences_leave_nothing_to_estimate() {
        let of = |d: f64, tolerance| {
            let test = drop_test(
                &Differences::alone(&[d; 5]).unwrap(),
                tolerance,
                DropNull::Zero,
                0.05,
            )
            .unwrap();
            (test.p_drop, test.p_within)
        };
        assert_eq!(of(0.0, 0.0), (1.0, 0.0));
        assert_eq!(of(-0.01, 0.01), (1.0, 0.0));
        assert_eq!(of(0.30 - 0.31, 0.01), (1.0, 0.0));
        assert_eq!(of(-0.02, 0.01), (0.0, 1.0));
        assert_eq!(of(0.02, 0.0), (1.0, 0.0));
    }

    /// Rates of simulated samples within three and a half standard errors of those computed.
    #[test]
    fn rates_are_those_of_simulated_samples() {
        const SAMPLES: usize = 20_000;
        for (null, tolerance, drop) in [
            (DropNull::Zero, 0.03, 0.05),
            (DropNull::Zero, 0.01, 0.03),
            (DropNull::Tolerance, 0.02, 0.05),
            (DropNull::Zero, 0.04, 0.0),
        ] {
            let design = design(null, tolerance);
            let mut stream = Stream::new(11, (tolerance * 100.0) as u64);
            let (mut failed, mut passed) = (0, 0);
            for _ in 0..SAMPLES {
                let d: Vec<f64> = (0..50).map(|_| 0.1 * stream.normal() - drop).collect();
                let d = Differences::alone(&d).unwrap();
                let test = drop_test(&d, tolerance, null, 0.05).unwrap();
                failed += usize::from(test.exceeds && test.p_drop <= 0.05);
                passed += usize::from(test.p_within <= 0.05);
            }
            for (count, expected) in [
                (failed, design.fail_rate(drop).unwrap()),
                (passed, design.pass_rate(drop).unwrap()),
            ] {
                let error = (expected * (1.0 - expected) / SAMPLES as f64).sqrt();
                within(count as f64 / SAMPLES as f64, expected, 3.5 * error);
            }
        }
    }

    #[test]
    fn topics_are_the_smallest_sufficient_number() {
        for null in [DropNull::Zero, DropNull::Tolerance] {
            let design = design(null, 0.02);
            let topics = design.topics_to_see(0.04, 0.8).unwrap().unwrap();
            let rate = |topics| DropDesign { topics, ..design }.fail_rate(0.04).unwrap();
            assert!(rate(topics) >= 0.8 && rate(topics - 1) < 0.8);
            assert_eq!(design.topics_to_see(0.02, 0.8), Ok(None));
            let topics = design.topics_to_pass(0.8).unwrap().unwrap().topics;
            let rate = |topics| DropDesign { topics, ..design }.pass_rate(0.0).unwrap();
            assert!(rate(topics) >= 0.8 && rate(topics - 1) < 0.8);
        }
        assert_eq!(design(DropNull::Zero, 0.0).topics_to_pass(0.8), Ok(None));
        // 1e-5 of a deviation takes some 6e10 topics.
        let far = design(DropNull::Zero, 1e-6);
        assert_eq!(far.topics_to_pass(0.8), Ok(None));
        assert_eq!(far.topics_to_see(2e-6, 0.8), Ok(None));
        // One-sided, d = 0.2, power 0.8: 156 topics (statsmodels' TTestPower gives 155.9).
        let needed = design(DropNull::Zero, 0.02)
            .topics_to_pass(0.8)
            .unwrap()
            .unwrap();
        assert_eq!(needed.topics, 156);
    }

    #[test]
    fn invalid_designs_are_errors() {
        for tolerance in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(
                drop_test(
                    &Differences::alone(&[0.1, 0.2]).unwrap(),
                    tolerance,
                    DropNull::Zero,
                    0.05
                )
                .is_err()
            );
        }
        assert!(
            drop_test(
                &Differences::alone(&[0.1]).unwrap(),
                0.0,
                DropNull::Zero,
                0.05
            )
            .is_err()
        );
        let flat = DropDesign {
            deviation: 0.0,
            ..design(DropNull::Zero, 0.0)
        };
        assert!(flat.fail_rate(0.1).is_err() && flat.detectable(0.8).is_err());
    }
}
