//! Power and sample size: the number of topics that an experiment needs, and the effects that it can detect.
//!
//! References: J. Cohen, Statistical Power Analysis for the Behavioral Sciences, second edition (1988); T. Sakai, Topic set size design,
//! Information Retrieval Journal 19 (2016).

use crate::anova::one_way;
use crate::common::Alternative;
use crate::distributions::{beta_cdf, f_quantile, increasing_root, noncentral_t_cdf, t_quantile};
use crate::error::{Result, StatsError, at_most};
use crate::matrix::ScoreMatrix;

/// Maximum number of topics of a design.
pub const MOST_TOPICS: usize = 10_000_000;

/// A number of topics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleSize {
    /// The exact, possibly fractional, number of topics that reaches the power.
    pub exact: f64,
    /// The smallest whole number of topics that reaches it, at least 2.
    pub topics: usize,
}

fn setting(name: &'static str, value: f64, ok: bool, expected: &'static str) -> Result<f64> {
    if ok {
        return Ok(value);
    }
    Err(StatsError::Setting {
        name,
        value,
        expected,
    })
}

fn probability(name: &'static str, value: f64) -> Result<f64> {
    let ok = value > 0.0 && value < 1.0;
    setting(name, value, ok, "a number between 0 and 1")
}

fn positive(name: &'static str, value: f64) -> Result<f64> {
    let ok = value > 1e-100 && value < 1e100;
    setting(name, value, ok, "a number above 0")
}

/// The power of a paired t-test: the probability of detecting a true standardised difference `effect` (mean of the differences over
/// their standard deviation) with this number of topics.
///
/// T has a noncentral t distribution with n - 1 degrees of freedom and noncentrality `effect sqrt(n)`; power is the probability beyond
/// the critical values of the test at `alpha`.
///
/// ```
/// use cranfield_stats::Alternative;
/// use cranfield_stats::power::t_power;
/// let power = t_power(0.473_098_287_4, 20.0, 0.05, Alternative::TwoSided)?;
/// assert!((power - 0.519_323_166_6).abs() < 1e-9);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn t_power(effect: f64, topics: f64, alpha: f64, alternative: Alternative) -> Result<f64> {
    setting("effect", effect, effect.is_finite(), "a finite number")?;
    let enough = topics > 1.0 && topics <= MOST_TOPICS as f64;
    setting(
        "topics",
        topics,
        enough,
        "a number above 1 and at most 10 million",
    )?;
    probability("alpha", alpha)?;
    Ok(t_power_of(effect, topics, alpha, alternative))
}

fn t_power_of(effect: f64, topics: f64, alpha: f64, alternative: Alternative) -> f64 {
    let (df, delta) = (topics - 1.0, effect * topics.sqrt());
    let upper = |critical: f64, delta: f64| noncentral_t_cdf(-critical, df, -delta);
    match alternative {
        Alternative::Greater => upper(t_quantile(1.0 - alpha, df), delta),
        Alternative::Less => upper(t_quantile(1.0 - alpha, df), -delta),
        Alternative::TwoSided => {
            let critical = t_quantile(1.0 - alpha / 2.0, df);
            (upper(critical, delta) + upper(critical, -delta)).min(1.0)
        }
    }
}

/// The number of topics with which a paired t-test detects a standardised difference with this power.
///
/// ```
/// use cranfield_stats::Alternative;
/// use cranfield_stats::power::t_topics;
/// let needed = t_topics(0.473_098_287_4, 0.8, 0.05, Alternative::TwoSided)?;
/// assert!((needed.exact - 37.034_070).abs() < 1e-5);
/// assert_eq!(needed.topics, 38);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn t_topics(
    effect: f64,
    power: f64,
    alpha: f64,
    alternative: Alternative,
) -> Result<SampleSize> {
    probability("alpha", alpha)?;
    let enough = power > alpha && power < 1.0;
    setting("power", power, enough, "a number between alpha and 1")?;
    let size = match alternative {
        Alternative::TwoSided => effect.abs(),
        Alternative::Greater => effect,
        Alternative::Less => -effect,
    };
    positive("effect in the direction of the alternative", size)?;
    let one_sided = match alternative {
        Alternative::TwoSided => Alternative::TwoSided,
        Alternative::Greater | Alternative::Less => Alternative::Greater,
    };
    let reached = |topics: f64| t_power_of(size, topics, alpha, one_sided) - power;
    sample_size(reached)
}

/// Where an increasing function of the number of topics reaches 0.
fn sample_size(reached: impl Fn(f64) -> f64) -> Result<SampleSize> {
    let too_many = || StatsError::OutOfReach {
        most: MOST_TOPICS,
        instead: "choose a lower power or a larger difference",
    };
    let mut high = 2.0;
    while reached(high) < 0.0 {
        high *= 2.0;
        if high > MOST_TOPICS as f64 {
            return Err(too_many());
        }
    }
    if high == 2.0 {
        return Ok(SampleSize {
            exact: 2.0,
            topics: 2,
        });
    }
    let exact = increasing_root(reached, high, 1.0).max(2.0);
    Ok(SampleSize {
        exact,
        // A root within rounding of a whole number is that number.
        topics: (exact - 1e-9 * exact).ceil() as usize,
    })
}

/// The smallest standardised difference that a paired t-test detects with this number of topics and power. Multiplied by the standard
/// deviation of the differences, it is the minimum detectable difference of means.
///
/// ```
/// use cranfield_stats::Alternative;
/// use cranfield_stats::power::{minimum_detectable_effect, t_power};
/// let effect = minimum_detectable_effect(50, 0.8, 0.05, Alternative::TwoSided)?;
/// assert!((t_power(effect, 50.0, 0.05, Alternative::TwoSided)? - 0.8).abs() < 1e-9);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn minimum_detectable_effect(
    topics: usize,
    power: f64,
    alpha: f64,
    alternative: Alternative,
) -> Result<f64> {
    t_power(0.0, topics as f64, alpha, alternative)?;
    let enough = power > alpha && power < 1.0;
    setting("power", power, enough, "a number between alpha and 1")?;
    let sign = if alternative == Alternative::Less {
        -1.0
    } else {
        1.0
    };
    let topics = topics as f64;
    let reached = |effect: f64| t_power_of(sign * effect, topics, alpha, alternative) - power;
    Ok(sign * increasing_root(reached, 0.0, 1.0 / topics.sqrt()))
}

/// P(F >= f) of the noncentral F distribution.
///
/// A sum over Poisson weights with mean `lambda / 2`:
///
/// ```text
/// sum_j exp(-lambda/2) (lambda/2)^j / j!  P(Beta(df1/2 + j, df2/2) >= df1 f / (df1 f + df2))
/// ```
///
/// ```
/// let p = cranfield_stats::power::noncentral_f_sf(3.2, 2.0, 57.0, 5.0);
/// assert!((p - 0.475_124_742_1).abs() < 1e-10);
/// ```
pub fn noncentral_f_sf(f: f64, df1: f64, df2: f64, lambda: f64) -> f64 {
    if f <= 0.0 {
        return 1.0;
    }
    let total = df1 * f + df2;
    let (x, y) = (df1 * f / total, df2 / total);
    let mean = lambda / 2.0;
    // Weights beyond are below 1e-18 of the largest.
    let reach = 9.0 * mean.sqrt() + 40.0;
    let first = (mean - reach).max(0.0).floor() as u64;
    let last = (mean + reach).ceil() as u64;
    let weight = |j: f64| poisson_weight(j, mean);
    let term = |j: u64| {
        let j = j as f64;
        weight(j) * beta_cdf(y, x, df2 / 2.0, df1 / 2.0 + j)
    };
    (first..=last).map(term).sum::<f64>().clamp(0.0, 1.0)
}

fn poisson_weight(j: f64, mean: f64) -> f64 {
    if mean == 0.0 {
        return f64::from(u8::from(j == 0.0));
    }
    (j * mean.ln() - mean - statrs::function::gamma::ln_gamma(j + 1.0)).exp()
}

/// The power of a one-way analysis of variance of m systems, each on n topics, to find a range of `difference` between the best and the
/// worst: the noncentrality is the least possible, `n difference^2 / (2 variance)`.
///
/// ```
/// use cranfield_stats::power::anova_power;
/// assert!(anova_power(0.1, 0.05, 10, 157, 0.05)? < 0.8);
/// assert!(anova_power(0.1, 0.05, 10, 158, 0.05)? >= 0.8);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn anova_power(
    difference: f64,
    variance: f64,
    systems: usize,
    topics: usize,
    alpha: f64,
) -> Result<f64> {
    positive("difference", difference)?;
    positive("variance", variance)?;
    probability("alpha", alpha)?;
    for (what, found) in [("systems", systems), ("topics", topics)] {
        if found < 2 {
            return Err(StatsError::TooFew {
                what,
                found,
                least: 2,
            });
        }
        at_most(what, found, MOST_TOPICS, "use fewer")?;
    }
    Ok(anova_power_of(
        difference,
        variance,
        (systems, topics as f64),
        alpha,
    ))
}

fn anova_power_of(difference: f64, variance: f64, (systems, n): (usize, f64), alpha: f64) -> f64 {
    let m = systems as f64;
    let (df1, df2) = (m - 1.0, m * (n - 1.0));
    let lambda = n * difference * difference / (2.0 * variance);
    let critical = f_quantile(1.0 - alpha, df1, df2);
    // The noncentral F has its mean near (df1 + lambda) / df1, with a standard deviation below this; 40 of them are certainty.
    let spread = (2.0 * (df1 + 2.0 * lambda)).sqrt();
    if lambda > 1e4 && df1 * critical * 2.0 + 40.0 * spread < lambda {
        return 1.0;
    }
    noncentral_f_sf(critical, df1, df2, lambda)
}

/// Sakai's topic set size design for analysis of variance: the smallest number of topics with which a range of `difference` among m systems
/// is detected with this power. With two systems it is the design for an unpaired t-test.
///
/// ```
/// use cranfield_stats::power::anova_topics;
/// let needed = |systems| anova_topics(0.1, 0.05, systems, 0.8, 0.05);
/// assert_eq!([needed(2)?, needed(10)?, needed(50)?], [80, 158, 301]);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn anova_topics(
    difference: f64,
    variance: f64,
    systems: usize,
    power: f64,
    alpha: f64,
) -> Result<usize> {
    anova_power(difference, variance, systems, 2, alpha)?;
    let enough = power > alpha && power < 1.0;
    setting("power", power, enough, "a number between alpha and 1")?;
    least_topics(|topics| {
        anova_power_of(difference, variance, (systems, topics as f64), alpha) >= power
    })
}

/// The design for a paired t-test: the number of topics with which a true `difference` of means is detected if the differences have this variance.
/// Twice the residual variance of the one-way table is a cautious guess for it.
///
/// ```
/// use cranfield_stats::power::t_design;
/// let needed = t_design(0.1, 0.1, 0.8, 0.05)?;
/// assert!((needed.exact - 80.430_475).abs() < 1e-5);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn t_design(difference: f64, variance: f64, power: f64, alpha: f64) -> Result<SampleSize> {
    positive("difference", difference)?;
    positive("variance", variance)?;
    t_topics(
        difference / variance.sqrt(),
        power,
        alpha,
        Alternative::TwoSided,
    )
}

/// The design for an interval: the smallest number of topics with which the expected width of the interval of a paired difference is at
/// most `width`.
///
/// ```text
/// 2 t(n - 1) sqrt(variance / n) sqrt(2 / (n - 1)) Gamma(n / 2) / Gamma((n - 1) / 2) <= width
/// ```
///
/// The last factors are the mean of the estimated standard deviation over the true one.
///
/// ```
/// use cranfield_stats::power::interval_topics;
/// assert_eq!([interval_topics(0.1, 0.1, 0.95)?, interval_topics(0.2, 0.1, 0.95)?], [156, 41]);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn interval_topics(width: f64, variance: f64, level: f64) -> Result<usize> {
    positive("width", width)?;
    positive("variance", variance)?;
    probability("level", level)?;
    least_topics(|topics| expected_width(topics as f64, variance, level) <= width)
}

fn expected_width(n: f64, variance: f64, level: f64) -> f64 {
    let ln_gamma = statrs::function::gamma::ln_gamma;
    let ln_ratio = ln_gamma(n / 2.0) - ln_gamma((n - 1.0) / 2.0);
    let shrink = (2.0 / (n - 1.0)).sqrt() * ln_ratio.exp();
    2.0 * t_quantile(0.5 + level / 2.0, n - 1.0) * (variance / n).sqrt() * shrink
}

/// The smallest number of topics, at least 2, for which a monotone condition holds.
pub(crate) fn least_topics(enough: impl Fn(usize) -> bool) -> Result<usize> {
    let mut high = 2;
    while !enough(high) {
        high *= 2;
        if high > MOST_TOPICS {
            return Err(StatsError::OutOfReach {
                most: MOST_TOPICS,
                instead: "choose a lower power, or a larger difference or width",
            });
        }
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low.midpoint(high);
        if enough(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(high)
}

/// The residual variance of scores within systems, pooled over several collections by their degrees of freedom, for designs of new ones.
///
/// ```
/// use cranfield_stats::{ScoreMatrix, power::pooled_variance};
/// let one = ScoreMatrix::new(&[[1.0, 3.0], [4.0, 6.0]])?;
/// let other = ScoreMatrix::new(&[[0.0, 0.0, 3.0], [0.0, 3.0, 3.0]])?;
/// // (2 + 2) with 2 degrees of freedom and (6 + 6) with 4.
/// assert!((pooled_variance(&[one, other])? - 16.0 / 6.0).abs() < 1e-12);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn pooled_variance(collections: &[ScoreMatrix]) -> Result<f64> {
    let (mut squares, mut df) = (0.0, 0.0);
    for scores in collections {
        let table = one_way(scores)?;
        squares += table.residual.sum_of_squares;
        df += table.residual.df;
    }
    if collections.is_empty() {
        return Err(StatsError::Empty);
    }
    Ok(squares / df)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anova::tests::near;
    use crate::distributions::f_sf;

    /// statsmodels 0.15 `TTestPower`, `FTestAnovaPower`, scipy `ncf`: the examples of the functions.
    #[test]
    fn values_of_statsmodels() {
        let two = Alternative::TwoSided;
        near(
            t_power(0.473_098_287_4, 20.0, 0.05, two).unwrap(),
            0.519_323_166_6,
            1e-9,
        );
        near(
            t_topics(0.473_098_287_4, 0.8, 0.05, two).unwrap().exact,
            37.034_070,
            1e-5,
        );
        near(
            t_design(0.1, 0.1, 0.8, 0.05).unwrap().exact,
            80.430_475,
            1e-5,
        );
        near(noncentral_f_sf(3.2, 2.0, 57.0, 5.0), 0.475_124_742_1, 1e-10);
        for (systems, topics) in [(2, 80), (10, 158), (50, 301)] {
            assert_eq!(anova_topics(0.1, 0.05, systems, 0.8, 0.05), Ok(topics));
        }
        assert_eq!(interval_topics(0.1, 0.1, 0.95), Ok(156));
        assert_eq!(interval_topics(0.2, 0.1, 0.95), Ok(41));
    }

    /// Without an effect the power is alpha, one-sided and two-sided.
    #[test]
    fn no_effect() {
        for alternative in [
            Alternative::TwoSided,
            Alternative::Greater,
            Alternative::Less,
        ] {
            near(t_power(0.0, 12.0, 0.05, alternative).unwrap(), 0.05, 1e-10);
        }
        near(
            noncentral_f_sf(3.0, 2.0, 9.0, 0.0),
            f_sf(3.0, 2.0, 9.0),
            1e-14,
        );
    }

    #[test]
    fn sides() {
        let power = |effect, alternative| t_power(effect, 20.0, 0.05, alternative).unwrap();
        near(
            power(0.5, Alternative::Greater),
            power(-0.5, Alternative::Less),
            1e-12,
        );
        assert!(power(0.5, Alternative::Greater) > power(0.5, Alternative::TwoSided));
        let less = t_topics(-0.5, 0.8, 0.05, Alternative::Less).unwrap();
        assert_eq!(
            less,
            t_topics(0.5, 0.8, 0.05, Alternative::Greater).unwrap()
        );
        let found = minimum_detectable_effect(20, 0.8, 0.05, Alternative::Less).unwrap();
        near(power(found, Alternative::Less), 0.8, 1e-9);
        assert!(found < 0.0);
        let little = minimum_detectable_effect(20, 0.06, 0.05, Alternative::TwoSided).unwrap();
        near(power(little, Alternative::TwoSided), 0.06, 1e-9);
    }

    /// The whole number is the first that reaches the power.
    #[test]
    fn whole_numbers() {
        for effect in [0.05, 0.2, 0.7, 3.0] {
            let needed = t_topics(effect, 0.9, 0.01, Alternative::TwoSided).unwrap();
            let power = |n: usize| t_power(effect, n as f64, 0.01, Alternative::TwoSided).unwrap();
            assert!(power(needed.topics) >= 0.9 - 1e-9);
            assert!(needed.topics == 2 || power(needed.topics - 1) < 0.9);
        }
    }

    #[test]
    fn invalid_designs_are_errors() {
        let two = Alternative::TwoSided;
        assert!(t_power(f64::NAN, 20.0, 0.05, two).is_err());
        assert!(t_power(0.5, 1.0, 0.05, two).is_err());
        assert!(t_power(0.5, 1e300, 0.05, two).is_err());
        assert!(anova_power(0.1, 0.1, usize::MAX, 3, 0.05).is_err());
        assert!(t_power(0.5, 20.0, 1.0, two).is_err());
        assert!(t_topics(0.0, 0.8, 0.05, two).is_err());
        assert!(t_topics(-0.5, 0.8, 0.05, Alternative::Greater).is_err());
        assert!(t_topics(0.5, 0.01, 0.05, two).is_err());
        assert!(t_topics(1e-9, 0.8, 0.05, two).is_err());
        assert!(anova_topics(0.1, 0.0, 3, 0.8, 0.05).is_err());
        assert!(anova_topics(0.1, 0.1, 1, 0.8, 0.05).is_err());
        assert!(anova_topics(1e-9, 1.0, 3, 0.8, 0.05).is_err());
        assert_eq!(anova_topics(1e9, 1e-9, 3, 0.8, 0.05), Ok(2));
        assert!(interval_topics(1e-9, 1.0, 0.95).is_err());
        assert_eq!(pooled_variance(&[]), Err(StatsError::Empty));
    }
}
