//! Wilcoxon's signed-rank test, exact also with ties.

use crate::common::{Alternative, Degenerate};
use crate::distributions::{normal_cdf, normal_sf};
use crate::error::{Result, StatsError, at_most};
use crate::sample::{Differences, Quantised};

/// Maximum number of differences of the exact distribution; more would take seconds.
pub const MOST_EXACT: usize = 1000;
/// Maximum number of differences for which [`Method::Auto`] is exact.
pub const AUTO_EXACT: usize = 100;

/// Treatment of differences of zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ZeroRule {
    /// They are dropped before ranking (Wilcoxon 1945).
    #[default]
    Wilcox,
    /// They are ranked, and their ranks dropped (Pratt 1959).
    Pratt,
    /// They are ranked, and half of their ranks is given to each side.
    Zsplit,
}

/// How p is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Exact up to 100 non-zero differences; otherwise the normal distribution without continuity correction.
    #[default]
    Auto,
    /// From the distribution over all signs of the ranks as they are, with their ties.
    Exact,
    /// From the normal distribution with the same mean and variance.
    Normal {
        /// Whether the statistic is moved by one half towards its mean.
        continuity: bool,
    },
}

/// Result of [`wilcoxon`].
#[derive(Clone, Debug, PartialEq)]
pub struct Wilcoxon {
    /// Number of topics.
    pub n: usize,
    /// Topics without a difference.
    pub zeros: usize,
    /// Topics with a non-zero difference whose absolute value occurs more than once.
    pub tied: usize,
    /// Sum of the ranks of positive differences.
    pub positive: f64,
    /// Sum of the ranks of negative differences.
    pub negative: f64,
    /// The lesser of both sums for a two-sided test, the positive sum for a one-sided one.
    pub statistic: f64,
    /// (positive - mean) / deviation; `None` for an exact p.
    pub z: Option<f64>,
    /// p-value.
    pub p: f64,
    /// Whether p is exact.
    pub exact: bool,
    /// The alternative.
    pub alternative: Alternative,
    /// Set if all differences are zero.
    pub degenerate: Option<Degenerate>,
}

impl Wilcoxon {
    /// Matched-pairs rank-biserial correlation (R+ - R-) / (R+ + R-); 0 when all differences are zero.
    pub fn rank_biserial(&self) -> f64 {
        if self.degenerate.is_some() {
            return 0.0;
        }
        (self.positive - self.negative) / (self.positive + self.negative)
    }
}

/// Signed-rank test of a against b.
///
/// The absolute differences, on the grid of [`Quantised`], get ranks from the smallest, and equal ones their average.
/// R+ and R- are the sums of the ranks of positive and negative differences.
///
/// - Exact: each rank is positive or negative with probability one half; p is the probability of an R+ at least as far
///   from its mean. Doubled ranks are whole numbers, so the distribution is summed exactly, whatever the ties.
/// - Normal, with N ranked differences: mean N(N+1)/4 and variance [N(N+1)(2N+1) - sum (t^3 - t) / 2] / 24 over groups of
///   t ties. With Pratt's rule and z zeros, mean and variance are less z(z+1)/4 and z(z+1)(2z+1)/24, and the zeros are no
///   group (Cureton 1967).
///
/// ```
/// use cranfield_stats::wilcoxon::{Method, ZeroRule, wilcoxon};
/// use cranfield_stats::Alternative;
/// // Ranks 1, 2, 3, 4 with signs +, -, +, +: R+ = 8, R- = 2. Of 16 signs, 3 give R+ >= 8 and 3 give R+ <= 2.
/// let (a, b) = ([1.0, 0.0, 3.0, 4.0], [0.0, 2.0, 0.0, 0.0]);
/// let test = wilcoxon(&a, &b, ZeroRule::Wilcox, Method::Exact, Alternative::TwoSided)?;
/// assert_eq!((test.positive, test.negative), (8.0, 2.0));
/// assert_eq!(test.p, 6.0 / 16.0);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
///
/// F. Wilcoxon: Individual comparisons by ranking methods. Biometrics Bulletin 1, 1945.
pub fn wilcoxon(
    a: &[f64],
    b: &[f64],
    zeros: ZeroRule,
    method: Method,
    alternative: Alternative,
) -> Result<Wilcoxon> {
    wilcoxon_of_differences(&Differences::of(a, b)?, zeros, method, alternative)
}

/// The test of [`wilcoxon`] on differences.
pub fn wilcoxon_of_differences(
    d: &Differences,
    zeros: ZeroRule,
    method: Method,
    alternative: Alternative,
) -> Result<Wilcoxon> {
    if d.values().is_empty() {
        return Err(StatsError::Empty);
    }
    let ranks = Ranks::of(&Quantised::of_differences(d)?.units, zeros);
    let method = match method {
        Method::Auto if ranks.signed.len() <= AUTO_EXACT => Method::Exact,
        Method::Auto => Method::Normal { continuity: false },
        chosen => chosen,
    };
    let (p, z) = match method {
        _ if ranks.signed.is_empty() => (1.0, None),
        Method::Normal { continuity } => {
            let z = ranks.z(zeros, continuity, alternative);
            (p_of_z(z, alternative), Some(z))
        }
        Method::Exact | Method::Auto => (ranks.exact(alternative)?, None),
    };
    Ok(ranks.result(d.values().len(), zeros, alternative, (p, z)))
}

/// Doubled ranks, which are whole numbers.
struct Ranks {
    /// Of differences other than zero: doubled rank, and whether the difference is positive.
    signed: Vec<(u64, bool)>,
    zeros: usize,
    tied: usize,
    /// Sum of t^3 - t over groups of ties, without zeros.
    tie_sum: f64,
}

impl Ranks {
    fn of(units: &[i64], rule: ZeroRule) -> Self {
        let zeros = units.iter().filter(|&&unit| unit == 0).count();
        let mut values: Vec<i64> = units.iter().copied().filter(|&unit| unit != 0).collect();
        values.sort_unstable_by_key(|value| value.unsigned_abs());
        let mut below = if rule == ZeroRule::Wilcox { 0 } else { zeros };
        let mut ranks = Self {
            signed: Vec::with_capacity(values.len()),
            zeros,
            tied: 0,
            tie_sum: 0.0,
        };
        for group in values.chunk_by(|x, y| x.unsigned_abs() == y.unsigned_abs()) {
            let doubled = (2 * below + group.len() + 1) as u64;
            ranks
                .signed
                .extend(group.iter().map(|&value| (doubled, value > 0)));
            if group.len() > 1 {
                ranks.tied += group.len();
                ranks.tie_sum += cubes(group.len());
            }
            below += group.len();
        }
        ranks
    }

    /// Doubled sums of ranks with this sign.
    fn sum(&self, positive: bool) -> u64 {
        let chosen = self.signed.iter().filter(|rank| rank.1 == positive);
        chosen.map(|rank| rank.0).sum()
    }

    /// Half of the ranks of zeros, which each side gets under [`ZeroRule::Zsplit`].
    fn split(&self, rule: ZeroRule) -> f64 {
        match rule {
            ZeroRule::Zsplit => 0.25 * triangle(self.zeros),
            _ => 0.0,
        }
    }

    fn z(&self, rule: ZeroRule, continuity: bool, alternative: Alternative) -> f64 {
        let ranked = match rule {
            ZeroRule::Wilcox => self.signed.len(),
            _ => self.signed.len() + self.zeros,
        };
        let cubic = |count: usize| triangle(count) * (2.0 * count as f64 + 1.0);
        let (dropped, zero_ties) = match rule {
            ZeroRule::Wilcox => (0, 0),
            ZeroRule::Pratt => (self.zeros, 0),
            ZeroRule::Zsplit => (0, self.zeros),
        };
        let mean = (triangle(ranked) - triangle(dropped)) / 4.0;
        let ties = 0.5 * (self.tie_sum + cubes(zero_ties));
        let variance = (cubic(ranked) - cubic(dropped) - ties) / 24.0;
        let distance = 0.5 * self.sum(true) as f64 + self.split(rule) - mean;
        let moved = match (continuity, alternative) {
            (false, _) => 0.0,
            (true, Alternative::Greater) => 0.5,
            (true, Alternative::Less) => -0.5,
            (true, Alternative::TwoSided) if distance == 0.0 => 0.0,
            (true, Alternative::TwoSided) => 0.5 * distance.signum(),
        };
        (distance - moved) / variance.sqrt()
    }

    fn exact(&self, alternative: Alternative) -> Result<f64> {
        at_most(
            "non-zero differences",
            self.signed.len(),
            MOST_EXACT,
            "use the normal distribution",
        )?;
        // The distribution of R+ is symmetric, so that both tails are upper tails of one of the sums.
        let upper = |sum| upper_tail(&self.signed, sum);
        let (positive, negative) = (self.sum(true), self.sum(false));
        Ok(match alternative {
            Alternative::Greater => upper(positive),
            Alternative::Less => upper(negative),
            Alternative::TwoSided => (2.0 * upper(positive.max(negative))).min(1.0),
        })
    }

    fn result(
        &self,
        n: usize,
        rule: ZeroRule,
        alternative: Alternative,
        (p, z): (f64, Option<f64>),
    ) -> Wilcoxon {
        let split = self.split(rule);
        let positive = 0.5 * self.sum(true) as f64 + split;
        let negative = 0.5 * self.sum(false) as f64 + split;
        Wilcoxon {
            n,
            zeros: self.zeros,
            tied: self.tied,
            positive,
            negative,
            statistic: match alternative {
                Alternative::TwoSided => positive.min(negative),
                _ => positive,
            },
            z,
            p,
            exact: z.is_none(),
            alternative,
            degenerate: self.signed.is_empty().then_some(Degenerate::Identical),
        }
    }
}

/// k (k + 1), twice the sum of the numbers up to k.
fn triangle(k: usize) -> f64 {
    k as f64 * (k as f64 + 1.0)
}

fn cubes(t: usize) -> f64 {
    (t as f64).powi(3) - t as f64
}

/// Probability that the ranks with random signs have a positive sum of at least `sum`. Probabilities instead of counts:
/// they do not overflow, and halves are exact.
fn upper_tail(ranks: &[(u64, bool)], sum: u64) -> f64 {
    let total: u64 = ranks.iter().map(|rank| rank.0).sum();
    let mut probability = vec![0.0_f64; total as usize + 1];
    probability[0] = 1.0;
    let mut reach = 0;
    for &(rank, _) in ranks {
        let rank = rank as usize;
        for at in (0..=reach).rev() {
            let half = 0.5 * probability[at];
            probability[at + rank] += half;
            probability[at] = half;
        }
        reach += rank;
    }
    let tail = probability.get(sum as usize..).unwrap_or_default();
    // From the far end, where the terms are smallest.
    tail.iter().rev().sum::<f64>().min(1.0)
}

fn p_of_z(z: f64, alternative: Alternative) -> f64 {
    match alternative {
        Alternative::TwoSided => (2.0 * normal_sf(z.abs())).min(1.0),
        Alternative::Greater => normal_sf(z),
        Alternative::Less => normal_cdf(z),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{A, B, near};
    use proptest::prelude::*;

    const NORMAL: Method = Method::Normal { continuity: false };
    const MOVED: Method = Method::Normal { continuity: true };

    fn two_sided(rule: ZeroRule, method: Method) -> Wilcoxon {
        wilcoxon(&A, &B, rule, method, Alternative::TwoSided).unwrap()
    }

    #[test]
    fn sakai_20_topics() {
        let golden = [
            (ZeroRule::Wilcox, 24.0, 0.037_229_303_1, 0.039_946_021_7),
            (ZeroRule::Pratt, 49.0, 0.065_300_689_7, 0.068_123_049_7),
            (ZeroRule::Zsplit, 56.5, 0.067_489_607_6, 0.070_365_587_5),
        ];
        for (rule, statistic, normal, moved) in golden {
            assert_eq!(two_sided(rule, NORMAL).statistic, statistic);
            near(two_sided(rule, NORMAL).p, normal);
            near(two_sided(rule, MOVED).p, moved);
        }
    }

    #[test]
    fn exact_with_ties() {
        near(
            two_sided(ZeroRule::Wilcox, Method::Exact).p,
            0.040_344_238_3,
        );
        near(two_sided(ZeroRule::Pratt, Method::Exact).p, 0.071_350_097_7);
        near(
            two_sided(ZeroRule::Zsplit, Method::Exact).p,
            0.071_350_097_7,
        );
        let twelve = |rule| {
            let method = Method::Auto;
            wilcoxon(&A[..12], &B[..12], rule, method, Alternative::TwoSided).unwrap()
        };
        assert_eq!(twelve(ZeroRule::Wilcox).p, 0.070_312_5);
        assert_eq!(twelve(ZeroRule::Pratt).p, 0.062_5);
        assert!(twelve(ZeroRule::Pratt).exact);
    }

    #[test]
    fn counts_and_effect() {
        let test = two_sided(ZeroRule::Wilcox, Method::Auto);
        assert_eq!((test.n, test.zeros), (20, 5));
        near(test.rank_biserial(), 0.6);
    }

    #[test]
    fn identical_systems_and_errors() {
        for rule in [ZeroRule::Wilcox, ZeroRule::Pratt, ZeroRule::Zsplit] {
            for method in [Method::Auto, Method::Exact, NORMAL, MOVED] {
                let test = wilcoxon(&A, &A, rule, method, Alternative::Greater).unwrap();
                assert_eq!((test.p, test.z), (1.0, None));
                assert_eq!(test.degenerate, Some(Degenerate::Identical));
                assert_eq!(test.rank_biserial(), 0.0);
            }
        }
        let many: Vec<f64> = (1..=1001).map(f64::from).collect();
        let exact = |d: &[f64]| {
            let d = Differences::alone(d).unwrap();
            wilcoxon_of_differences(&d, ZeroRule::Wilcox, Method::Exact, Alternative::Less)
        };
        assert!(matches!(exact(&many), Err(StatsError::TooMany { .. })));
        assert_eq!(exact(&[]), Err(StatsError::Empty));
        // All of 1000 positive: no other signs reach that far, and 2^-1000 is still a number.
        let test = wilcoxon_of_differences(
            &Differences::alone(&many[..1000]).unwrap(),
            ZeroRule::Wilcox,
            Method::Exact,
            Alternative::Greater,
        );
        assert_eq!(test.unwrap().p, 2.0_f64.powi(-1000));
    }

    proptest! {
        /// All signs, one by one.
        #[test]
        fn exact_is_the_share_of_all_signs(units in prop::collection::vec(-4_i64..=4, 1..=11)) {
            let d: Vec<f64> = units.iter().map(|&unit| unit as f64 / 10.0).collect();
            let test = |method| {
                let d = Differences::alone(&d).unwrap();
                wilcoxon_of_differences(&d, ZeroRule::Pratt, method, Alternative::Greater).unwrap()
            };
            let observed = test(NORMAL).positive;
            let flipped = |signs: u32| -> Vec<f64> {
                let sign = |at: usize| if signs >> at & 1 == 1 { -1.0 } else { 1.0 };
                d.iter().enumerate().map(|(at, d)| sign(at) * d).collect()
            };
            let reaches = |signs: &u32| {
                let d = Differences::alone(&flipped(*signs)).unwrap();
                let rule = ZeroRule::Pratt;
                let test = wilcoxon_of_differences(&d, rule, NORMAL, Alternative::Greater).unwrap();
                test.positive >= observed
            };
            let all = 1_u32 << d.len();
            let share = (0..all).filter(reaches).count() as f64 / f64::from(all);
            prop_assert!((test(Method::Exact).p - share).abs() < 1e-14);
        }
    }
}
