//! Tests of equivalence: two one-sided tests, and the Bayesian signed-rank test.

use rayon::prelude::*;

use crate::common::{Alternative, Degenerate, Interval, check_level};
use crate::error::{Result, StatsError};
use crate::paired_t::{Moments, p_of_constant, p_of_t};
use crate::pool;
use crate::random::{MOST_REPLICATES, Resampling, Stream};
use crate::sample::{Differences, Quantised};

/// One of the two tests of [`tost`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneSided {
    /// The bound that is tested against.
    pub bound: f64,
    /// t; `None` if all differences are equal.
    pub statistic: Option<f64>,
    /// p-value.
    pub p: f64,
}

/// Result of [`tost`].
#[derive(Clone, Debug, PartialEq)]
pub struct Tost {
    /// Number of topics.
    pub n: usize,
    /// Mean of the differences a - b.
    pub mean_difference: f64,
    /// n - 1.
    pub degrees_of_freedom: f64,
    /// Whether the mean difference lies above the lower bound.
    pub above_lower: OneSided,
    /// Whether the mean difference lies below the upper bound.
    pub below_upper: OneSided,
    /// The greater of both p-values: systems are equivalent if it is small.
    pub p: f64,
    /// Interval of the mean difference at 1 - 2 alpha: it lies within the bounds exactly when p < alpha.
    pub interval: Interval,
    /// Set if all differences are equal.
    pub degenerate: Option<Degenerate>,
}

/// Two one-sided paired t tests: is the mean difference within the bounds?
///
/// t = (mean - lower) / (s / sqrt n) is tested for greater, t' = (mean - upper) / (s / sqrt n) for less; p is the greater of
/// the two p-values.
///
/// ```
/// use cranfield_stats::equivalence::tost;
/// // Differences -1, 0, 1 with bounds ±2: t = ±2 / (1 / sqrt 3) = ±3.4641, 2 degrees of freedom.
/// let test = tost(&[0.0, 1.0, 2.0], &[1.0, 1.0, 1.0], -2.0, 2.0, 0.05)?;
/// assert!((test.p - (0.5 - 0.5 * (12.0_f64 / 14.0).sqrt())).abs() < 1e-12);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
///
/// D. Schuirmann: A comparison of the two one-sided tests procedure and the power approach for assessing the equivalence of
/// average bioavailability. Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.
pub fn tost(a: &[f64], b: &[f64], lower: f64, upper: f64, alpha: f64) -> Result<Tost> {
    check_bounds(lower, upper)?;
    let level = 1.0 - 2.0 * alpha;
    check_level(level)?;
    let moments = Moments::of(&Differences::of(a, b)?)?;
    let df = moments.n as f64 - 1.0;
    let one_sided = |bound: f64, alternative| {
        let statistic = moments.t(bound);
        OneSided {
            bound,
            statistic,
            p: match statistic {
                Some(t) => p_of_t(t, df, alternative),
                None => p_of_constant(moments.mean - bound, alternative),
            },
        }
    };
    let above_lower = one_sided(lower, Alternative::Greater);
    let below_upper = one_sided(upper, Alternative::Less);
    Ok(Tost {
        n: moments.n,
        mean_difference: moments.mean,
        degrees_of_freedom: df,
        above_lower,
        below_upper,
        p: above_lower.p.max(below_upper.p),
        interval: moments.interval(Alternative::TwoSided, level),
        degenerate: moments.degenerate,
    })
}

fn check_bounds(lower: f64, upper: f64) -> Result<()> {
    check("the lower bound", lower, true, "a finite number")?;
    let expected = "a finite number above the lower bound";
    check("the upper bound", upper, lower < upper, expected)
}

/// Draws per stream of random numbers.
const BLOCK: usize = 64;

/// Prior of the Bayesian signed-rank test: a difference of zero with this weight, where a topic has weight 1.
pub const PRIOR: f64 = 0.5;

/// Result of [`bayesian_signed_rank`].
#[derive(Clone, Debug, PartialEq)]
pub struct SignedRankPosterior {
    /// Number of topics.
    pub n: usize,
    /// Half width of the region of practical equivalence.
    pub rope: f64,
    /// Weight of the prior's difference of zero.
    pub prior: f64,
    /// Probability that b is practically better.
    pub less: f64,
    /// Probability of practical equivalence.
    pub equivalent: f64,
    /// Probability that a is practically better.
    pub greater: f64,
    /// Mean share of pairs below, within and above the region, in closed form.
    pub mean_shares: [f64; 3],
    /// Mean share of pairs exactly on an edge of the region, in closed form: half counts as within, half as below or above. In a region
    /// of width 0 both edges coincide, and their pairs count for both.
    pub edge_share: f64,
    /// Number of draws and seed.
    pub resampling: Resampling,
}

/// Bayesian signed-rank test with a region of practical equivalence of ± `rope`.
///
/// The differences and a prior difference of zero get random weights w from the Dirichlet distribution with parameters
/// (prior, 1, ..., 1). A draw's share above the region is the sum of `w_i w_j` over all pairs (i, j) with
/// `d_i + d_j > 2 rope`, half for equality, the share below likewise, and the share within is the rest. The probability of a
/// region is the share of draws in which its share is the greatest; ties are divided equally.
///
/// ```
/// use cranfield_stats::{equivalence::{PRIOR, bayesian_signed_rank}, random::Resampling};
/// let (a, b) = ([0.5, 0.6, 0.55, 0.7], [0.2, 0.3, 0.2, 0.3]);
/// let posterior = bayesian_signed_rank(&a, &b, 0.01, PRIOR, Resampling::default())?;
/// // One zero of weight 1/2 and four topics far above: the only pair within the region is that of the zero with itself,
/// // with the mean weight 1/2 * 3/2 / (9/2 * 11/2) = 1/33.
/// assert!((posterior.mean_shares[1] - 1.0 / 33.0).abs() < 1e-12);
/// assert!(posterior.greater > 0.99);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
///
/// A. Benavoli, G. Corani, J. Demšar, M. Zaffalon: Time for a change: a tutorial for comparing multiple classifiers through
/// Bayesian analysis. Journal of Machine Learning Research 18, 2017.
pub fn bayesian_signed_rank(
    a: &[f64],
    b: &[f64],
    rope: f64,
    prior: f64,
    resampling: Resampling,
) -> Result<SignedRankPosterior> {
    check(
        "the region of practical equivalence",
        rope,
        rope >= 0.0,
        "a finite number of at least 0",
    )?;
    check(
        "the weight of the prior",
        prior,
        prior > 0.0,
        "a positive finite number",
    )?;
    let Resampling { replicates, seed } = resampling.checked(MOST_REPLICATES)?;
    let d = Differences::of(a, b)?.with(&[0.0, rope])?;
    let n = d.values().len() - 2;
    let mut units = Quantised::of_differences(&d)?.units;
    let doubled_rope = 2 * units.pop().unwrap_or_default();
    let regions = Regions::of(&units, doubled_rope, prior);
    let block = |number: usize| {
        let mut stream = Stream::new(seed, number as u64);
        let size = (replicates - number * BLOCK).min(BLOCK);
        let draws = (0..size).map(|_| regions.sixths(&mut stream));
        draws.fold([0; 3], added)
    };
    let blocks = (0..replicates.div_ceil(BLOCK)).into_par_iter();
    let sixths = pool::run(|| blocks.map(block).reduce(|| [0; 3], added));
    let [less, equivalent, greater] = sixths.map(|count| count as f64 / (6.0 * replicates as f64));
    Ok(SignedRankPosterior {
        n,
        rope,
        prior,
        less,
        equivalent,
        greater,
        mean_shares: regions.mean_shares(),
        edge_share: regions.edge_share(),
        resampling,
    })
}

fn check(name: &'static str, value: f64, in_range: bool, expected: &'static str) -> Result<()> {
    if in_range && value.is_finite() {
        return Ok(());
    }
    Err(StatsError::Setting {
        name,
        value,
        expected,
    })
}

fn added(left: [u64; 3], right: [u64; 3]) -> [u64; 3] {
    [left[0] + right[0], left[1] + right[1], left[2] + right[2]]
}

/// Ascending differences with the parameters of their weights, and for each where its partners change region.
struct Regions {
    parameters: Vec<f64>,
    partners: Vec<Partners>,
}

/// For a difference, places in the ascending order: partners before `below` make a pair below the region, those before
/// `low_edge` on its lower edge, those before `within` inside, before `high_edge` on the upper edge, the others above.
struct Partners {
    below: usize,
    low_edge: usize,
    within: usize,
    high_edge: usize,
}

impl Regions {
    /// The prior's zero is the last of the units.
    fn of(units: &[i64], doubled_rope: i64, prior: f64) -> Self {
        let last = units.len() - 1;
        let weight = |at: usize| if at == last { prior } else { 1.0 };
        let mut weighted: Vec<(i64, f64)> = units
            .iter()
            .enumerate()
            .map(|(at, &unit)| (unit, weight(at)))
            .collect();
        weighted.sort_by_key(|entry| entry.0);
        let before = |limit: i64| weighted.partition_point(|entry| entry.0 < limit);
        let up_to = |limit: i64| weighted.partition_point(|entry| entry.0 <= limit);
        let partners = weighted.iter().map(|&(unit, _)| Partners {
            below: before(-doubled_rope - unit),
            low_edge: up_to(-doubled_rope - unit),
            within: before(doubled_rope - unit),
            high_edge: up_to(doubled_rope - unit),
        });
        Self {
            partners: partners.collect(),
            parameters: weighted.iter().map(|entry| entry.1).collect(),
        }
    }

    /// Shares below and above, as sums over pairs of `pair(i, weight of its partners)`, where the weights of all
    /// differences up to each place are given. A region without width has no inside: an edge counts half to each side.
    fn shares(&self, up_to: &[f64], weights: &[f64]) -> (f64, f64) {
        let total = up_to[weights.len()];
        let (mut below, mut above) = (0.0, 0.0);
        for (partners, weight) in self.partners.iter().zip(weights) {
            below += weight * 0.5 * (up_to[partners.below] + up_to[partners.low_edge]);
            above += weight * (total - 0.5 * (up_to[partners.within] + up_to[partners.high_edge]));
        }
        (below, above)
    }

    /// One draw: six sixths, given to the region or regions with the greatest share.
    fn sixths(&self, stream: &mut Stream) -> [u64; 3] {
        let draw = |&parameter: &f64| match parameter {
            1.0 => stream.exponential(),
            other => stream.gamma(other),
        };
        let weights: Vec<f64> = self.parameters.iter().map(draw).collect();
        let up_to = running_sums(&weights);
        let (below, above) = self.shares(&up_to, &weights);
        let square = up_to[weights.len()].powi(2);
        let shares = [below, square - below - above, above];
        let greatest = shares.iter().copied().fold(0.0, f64::max);
        let wins = shares.map(|share| share >= greatest - 1e-12 * square);
        let winners = wins.iter().filter(|&&won| won).count() as u64;
        wins.map(|won| if won { 6 / winners } else { 0 })
    }

    /// Means of the shares: the mean of `w_i w_j` is `p_i p_j / (P (P + 1))`, and that of `w_i^2` has `p_i (p_i + 1)` above.
    fn mean_shares(&self) -> [f64; 3] {
        let up_to = running_sums(&self.parameters);
        let total = up_to[self.parameters.len()];
        let (mut below, mut above) = self.shares(&up_to, &self.parameters);
        for (at, (partners, parameter)) in self.partners.iter().zip(&self.parameters).enumerate() {
            let half = |before: usize, up_to: usize| {
                0.5 * f64::from(u8::from(at < before)) + 0.5 * f64::from(u8::from(at < up_to))
            };
            below += parameter * half(partners.below, partners.low_edge);
            above += parameter * (1.0 - half(partners.within, partners.high_edge));
        }
        let scale = total * (total + 1.0);
        let (below, above) = (below / scale, above / scale);
        [below, 1.0 - below - above, above]
    }

    /// Mean of the share of pairs on an edge.
    fn edge_share(&self) -> f64 {
        let up_to = running_sums(&self.parameters);
        let total = up_to[self.parameters.len()];
        let mut sum = 0.0;
        for (at, (partners, parameter)) in self.partners.iter().zip(&self.parameters).enumerate() {
            for edge in [
                partners.below..partners.low_edge,
                partners.within..partners.high_edge,
            ] {
                let own = f64::from(u8::from(edge.contains(&at)));
                sum += parameter * (up_to[edge.end] - up_to[edge.start] + own);
            }
        }
        sum / (total * (total + 1.0))
    }
}

/// Sums of the first 0, 1, 2, ... values.
fn running_sums(values: &[f64]) -> Vec<f64> {
    let mut sums = Vec::with_capacity(values.len() + 1);
    let mut sum = 0.0;
    sums.push(sum);
    for value in values {
        sum += value;
        sums.push(sum);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paired_t::paired_t;
    use crate::testing::{A, B, near, within};

    const RESAMPLING: Resampling = Resampling {
        replicates: 50_000,
        seed: 9,
    };

    #[test]
    fn tost_is_two_t_tests() {
        let test = tost(&A, &B, -0.1, 0.2, 0.05).unwrap();
        let moved = |by: f64| A.map(|score| score + by);
        let lower = paired_t(&moved(0.1), &B, Alternative::Greater, 0.95).unwrap();
        let upper = paired_t(&moved(-0.2), &B, Alternative::Less, 0.95).unwrap();
        near(test.above_lower.p, lower.p);
        near(test.below_upper.p, upper.p);
        near(test.p, lower.p.max(upper.p));
        assert_eq!(test.interval.level, 0.9);
    }

    #[test]
    fn tost_without_variance_and_errors() {
        let same = tost(&A, &A, -0.1, 0.1, 0.05).unwrap();
        assert_eq!(
            (same.p, same.degenerate),
            (0.0, Some(Degenerate::Identical))
        );
        assert_eq!(
            tost(&[1.0, 2.0], &[0.5, 1.5], -0.1, 0.1, 0.05).unwrap().p,
            1.0
        );
        assert!(tost(&A, &B, 0.1, -0.1, 0.05).is_err());
        assert!(tost(&A, &B, -0.1, f64::NAN, 0.05).is_err());
        assert!(tost(&A, &B, -0.1, 0.1, 0.5).is_err());
    }

    #[test]
    fn one_topic_by_hand() {
        // Difference 1 and a zero of weight 1: w is uniform, the share above ±0.4 is 1 - (1 - w)^2 (pairs of 1 with 0 have
        // the sum 1 > 0.8), within (1 - w)^2: above is the greater for 1 - w < sqrt(1/2).
        let posterior = bayesian_signed_rank(&[1.0], &[0.0], 0.4, 1.0, RESAMPLING).unwrap();
        within(posterior.greater, 0.5_f64.sqrt(), 0.01);
        assert_eq!(posterior.less, 0.0);
        near(posterior.mean_shares[2], 2.0 / 3.0);
        near(posterior.greater + posterior.equivalent, 1.0);
    }

    /// Differences 0.1 and 0.3 with a zero of weight 1: of the means 0, 0.05, 0.1, 0.15, 0.2, 0.3, the one of 0.1 with itself is
    /// on the edge of ±0.1, with the mean weight 2 / (3 * 4), and half of it counts as within.
    #[test]
    fn pairs_on_an_edge_count_half() {
        let at = |rope: f64| {
            let (a, b) = ([0.1, 0.3], [0.0, 0.0]);
            bayesian_signed_rank(&a, &b, rope, 1.0, RESAMPLING).unwrap()
        };
        let [inside, edge, outside] = [0.0999, 0.1, 0.1001].map(at);
        near(edge.edge_share, 1.0 / 6.0);
        near(edge.mean_shares[2], inside.mean_shares[2] - 1.0 / 12.0);
        near(edge.mean_shares[2], outside.mean_shares[2] + 1.0 / 12.0);
        assert_eq!((inside.edge_share, outside.edge_share), (0.0, 0.0));
        // The zero of the prior and the differences of ±0.2 have means on both edges.
        let both = bayesian_signed_rank(&[0.2, -0.2], &[0.0; 2], 0.1, 1.0, RESAMPLING).unwrap();
        near(both.edge_share, 4.0 / 12.0);
    }

    #[test]
    fn no_difference() {
        let posterior = bayesian_signed_rank(&A, &A, 0.0, PRIOR, RESAMPLING).unwrap();
        assert_eq!(
            (posterior.less, posterior.equivalent, posterior.greater),
            (0.5, 0.0, 0.5)
        );
        let posterior = bayesian_signed_rank(&A, &A, 0.01, PRIOR, RESAMPLING).unwrap();
        assert_eq!(posterior.equivalent, 1.0);
    }

    #[test]
    fn sides_mirror_each_other() {
        let forth = bayesian_signed_rank(&A, &B, 0.05, PRIOR, RESAMPLING).unwrap();
        let back = bayesian_signed_rank(&B, &A, 0.05, PRIOR, RESAMPLING).unwrap();
        near(forth.mean_shares[0], back.mean_shares[2]);
        within(forth.greater, back.less, 0.01);
        within(forth.less, back.greater, 0.01);
    }

    #[test]
    fn invalid_settings_are_errors() {
        assert!(bayesian_signed_rank(&A, &B, -0.1, PRIOR, RESAMPLING).is_err());
        assert!(bayesian_signed_rank(&A, &B, 0.1, 0.0, RESAMPLING).is_err());
        assert!(bayesian_signed_rank(&[], &[], 0.1, PRIOR, RESAMPLING).is_err());
    }
}
