//! Correlation of two lists of scores of the same systems: do two measures, or two sets of judgements, rank systems alike?
//!
//! References: M. G. Kendall, A new measure of rank correlation, Biometrika 30 (1938), and The treatment of ties in ranking problems,
//! Biometrika 33 (1945); A. Stuart, The estimation and comparison of strengths of association in contingency tables, Biometrika 40
//! (1953); E. Yilmaz, J. A. Aslam and S. Robertson, A new rank correlation coefficient for information retrieval, SIGIR 2008;
//! J. Urbano and M. Marrero, The treatment of ties in AP correlation, ICTIR 2017; E. C. Fieller, H. O. Hartley and E. S. Pearson, Tests
//! for rank correlation coefficients I, Biometrika 44 (1957); D. G. Bonett and T. A. Wright, Sample size requirements for estimating
//! Pearson, Kendall and Spearman correlations, Psychometrika 65 (2000).

use crate::common::{Interval, check_level};
use crate::distributions::{normal_quantile, normal_sf, t_sf};
use crate::error::{Result, StatsError};
use crate::ranks::Ranks;
use crate::sample::{check_finite, scale_for};

/// Kendall's tau in its variants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kendall {
    /// Pairs in the same order in both lists.
    pub concordant: u64,
    /// Pairs in opposite orders.
    pub discordant: u64,
    /// Pairs tied in the first list, whatever they are in the second.
    pub tied_x: u64,
    /// Pairs tied in the second list, whatever they are in the first.
    pub tied_y: u64,
    /// `(C - D) / (n (n-1) / 2)`.
    pub tau_a: f64,
    /// `(C - D) / sqrt((P - T_x) (P - T_y))` of P pairs; `None` where all scores of a list are tied.
    pub tau_b: Option<f64>,
    /// `2 (C - D) / (n^2 (k - 1) / k)`, k the smaller number of different scores; `None` as for `tau_b`.
    pub tau_c: Option<f64>,
    /// Two-sided p of no association; `None` as for `tau_b`.
    pub p: Option<f64>,
    /// Whether p is exact, and not from the normal distribution.
    pub exact: bool,
}

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

/// Scores of two lists as whole numbers on a decimal grid, so that rounding errors neither make nor break ties.
fn on_grids(x: &[f64], y: &[f64]) -> Result<(Vec<i64>, Vec<i64>)> {
    check_lists(x, y)?;
    let grid = |values: &[f64]| {
        let scale = scale_for(values.iter().copied(), 1);
        values
            .iter()
            .map(|value| (value * scale).round() as i64)
            .collect()
    };
    Ok((grid(x), grid(y)))
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

/// For each value the number of different values below it.
fn levels(values: &[i64]) -> Vec<usize> {
    let mut distinct = values.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    values
        .iter()
        .map(|value| distinct.partition_point(|other| other < value))
        .collect()
}

fn pairs_of(count: u64) -> u64 {
    (u128::from(count) * u128::from(count.saturating_sub(1)) / 2) as u64
}

/// Kendall's tau of two lists, with a two-sided test.
///
/// p is exact, by counting permutations, where nothing is tied and there are at most 33 scores, or at most one pair is out of
/// order; else it is that of a normal deviate with the variance corrected for ties. These are the rules of `scipy.stats.kendalltau`.
///
/// ```
/// use cranfield_stats::rank_correlation::kendall;
/// let tau = kendall(&[0.9, 0.8, 0.8, 0.6], &[0.7, 0.5, 0.6, 0.6])?;
/// // Of six pairs (1,2), (1,3), (1,4) agree, (2,4) does not, (2,3) is tied in x and (3,4) in y.
/// assert_eq!((tau.concordant, tau.discordant), (3, 1));
/// assert!((tau.tau_a - 2.0 / 6.0).abs() < 1e-15);
/// assert!((tau.tau_b.unwrap() - 2.0 / 5.0).abs() < 1e-15);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn kendall(x: &[f64], y: &[f64]) -> Result<Kendall> {
    let (x, y) = on_grids(x, y)?;
    let (rx, ry) = (Ranks::of(&x), Ranks::of(&y));
    let tied = |ranks: &Ranks| ranks.ties.iter().map(|&t| pairs_of(t)).sum::<u64>();
    let both: Vec<(i64, i64)> = x.iter().copied().zip(y.iter().copied()).collect();
    let (tied_x, tied_y, tied_both) = (tied(&rx), tied(&ry), tied(&Ranks::of(&both)));
    let pairs = pairs_of(x.len() as u64);
    let discordant = discordant(&x, &y);
    let concordant = pairs + tied_both - tied_x - tied_y - discordant;
    let excess = concordant as f64 - discordant as f64;
    let untied = ((pairs - tied_x) as f64) * ((pairs - tied_y) as f64);
    let defined = untied > 0.0;
    let least = rx.ties.len().min(ry.ties.len()) as f64;
    let n = x.len() as f64;
    let no_ties = tied_x == 0 && tied_y == 0;
    let fewer = concordant.min(discordant);
    let exact = no_ties && (x.len() <= 33 || fewer <= 1);
    let p = || {
        if exact {
            return exact_p(x.len(), fewer, pairs);
        }
        2.0 * normal_sf(excess.abs() / variance(n, &rx, &ry).sqrt())
    };
    Ok(Kendall {
        concordant,
        discordant,
        tied_x,
        tied_y,
        tau_a: excess / pairs as f64,
        tau_b: defined.then(|| (excess / untied.sqrt()).clamp(-1.0, 1.0)),
        tau_c: defined.then(|| 2.0 * excess / (n * n * (least - 1.0) / least)),
        p: defined.then(|| p().min(1.0)),
        exact,
    })
}

/// Pairs with opposite orders: inversions of y in ascending order of x; pairs with equal x are kept from counting by ascending y.
fn discordant(x: &[i64], y: &[i64]) -> u64 {
    let levels = levels(y);
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by_key(|&at| (x[at], y[at]));
    let mut seen = Seen::new(x.len());
    let mut count = 0;
    for (before, &at) in order.iter().enumerate() {
        count += before as u64 - seen.below(levels[at] + 1);
        seen.add(levels[at]);
    }
    count
}

/// The variance of C - D under no association, with ties (Kendall 1945).
fn variance(n: f64, x: &Ranks, y: &Ranks) -> f64 {
    let sum = |ranks: &Ranks, term: fn(f64) -> f64| {
        ranks.ties.iter().map(|&t| term(t as f64)).sum::<f64>()
    };
    let once = |ranks: &Ranks| sum(ranks, |t| t * (t - 1.0));
    let twice = |ranks: &Ranks| sum(ranks, |t| t * (t - 1.0) * (t - 2.0));
    let weighted = |ranks: &Ranks| sum(ranks, |t| t * (t - 1.0) * (2.0 * t + 5.0));
    let m = n * (n - 1.0);
    let triples = if n > 2.0 {
        twice(x) * twice(y) / (9.0 * m * (n - 2.0))
    } else {
        0.0
    };
    (m * (2.0 * n + 5.0) - weighted(x) - weighted(y)) / 18.0
        + once(x) * once(y) / (2.0 * m)
        + triples
}

/// The share of permutations of n with at most `fewer` inversions, or as many of the opposite, doubled; `pairs` is the greatest number
/// of inversions.
fn exact_p(n: usize, fewer: u64, pairs: u64) -> f64 {
    if 2 * fewer >= pairs {
        return 1.0;
    }
    // Shares of permutations of 1, 2, ... with 0, 1, ... inversions: the next item adds 0 to j inversions.
    let length = fewer as usize + 1;
    let mut shares = vec![0.0; length];
    shares[0] = 1.0;
    for items in 2..=n {
        let mut next = vec![0.0; length];
        let mut window = 0.0;
        for at in 0..length {
            window += shares[at];
            if at >= items {
                window -= shares[at - items];
            }
            next[at] = window / items as f64;
        }
        shares = next;
    }
    2.0 * shares.iter().sum::<f64>()
}

/// The AP correlation of Yilmaz, Aslam and Robertson, in which the top of the estimated ranking `y` counts most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TauAp {
    /// The coefficient; `None` where one of the lists has ties.
    pub tau_ap: Option<f64>,
    /// Its mean over all ways to break the ties of `y`; `None` where `x` has ties.
    pub tau_ap_a: Option<f64>,
    /// Ties as information, symmetric in both lists; `None` where all scores of a list are tied.
    pub tau_ap_b: Option<f64>,
}

/// AP correlation of the scores `y` with the true scores `x`, larger ones being better.
///
/// With items in the order of y, and C(i) the number of items above rank i that are above it in x as well:
///
/// ```text
/// tau_ap = 2 / (n - 1) sum_{i=2..n} C(i) / (i - 1) - 1
/// ```
///
/// `tau_ap_a` is its mean over the orders of tied items of y. In `tau_ap_b` an item is compared with the items above its group of
/// ties only, items of the top group are left out, and both directions are averaged:
///
/// ```text
/// tau_ap_b(x, y) = (t(x, y) + t(y, x)) / 2,   t(x, y) = 2 / (n - t_1) sum_{i not in the top group} C_g(i) / (p_i - 1) - 1
/// ```
///
/// where `t_1` is the size of the top group, `p_i` the first rank of the group of i, and `C_g(i)` counts above that group.
///
/// ```
/// use cranfield_stats::rank_correlation::tau_ap;
/// // True order 1 2 3, estimated 2 1 3: C(2) / 1 = 0, C(3) / 2 = 1.
/// let tau = tau_ap(&[0.9, 0.5, 0.1], &[0.5, 0.9, 0.1])?;
/// assert_eq!(tau.tau_ap, Some(0.0));
/// // Both first items tied: the mean of 0 and 1.
/// assert_eq!(tau_ap(&[0.9, 0.5, 0.1], &[0.5, 0.5, 0.1])?.tau_ap_a, Some(0.5));
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn tau_ap(x: &[f64], y: &[f64]) -> Result<TauAp> {
    let (x, y) = on_grids(x, y)?;
    let tied = |values: &[i64]| Ranks::of(values).ties.iter().any(|&t| t > 1);
    let (from_y, from_x) = (Climb::new(&x, &y), Climb::new(&y, &x));
    let both = from_y.b().zip(from_x.b());
    Ok(TauAp {
        tau_ap: (!tied(&x) && !tied(&y)).then(|| from_y.a()),
        tau_ap_a: (!tied(&x)).then(|| from_y.a()),
        tau_ap_b: both.map(|(one, other)| f64::midpoint(one, other)),
    })
}

/// The groups of equal `y`, best first: the number of items above, the size, and how many pairs of an item with one above its group are in
/// the same order in x.
struct Climb {
    groups: Vec<(u64, u64, u64)>,
    count: f64,
}

impl Climb {
    fn new(x: &[i64], y: &[i64]) -> Self {
        let levels = levels(x);
        let mut order: Vec<usize> = (0..y.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(y[at]));
        let mut seen = Seen::new(x.len());
        let mut groups = Vec::new();
        let mut above = 0;
        for group in order.chunk_by(|&a, &b| y[a] == y[b]) {
            let concordant = group.iter().map(|&at| above - seen.below(levels[at] + 1));
            groups.push((above, group.len() as u64, concordant.sum::<u64>()));
            for &at in group {
                seen.add(levels[at]);
            }
            above += group.len() as u64;
        }
        Self {
            groups,
            count: x.len() as f64,
        }
    }

    /// The mean over the orders within groups. An item is at each of the group's places alike; at the place k + 1 of the group it has
    /// all items above the group and k of its fellows above, half of which are truly above on average.
    fn a(&self) -> f64 {
        let group = |&(above, size, concordant): &(u64, u64, u64)| {
            let place = |k: u64| {
                let (k, above) = (k as f64, above as f64);
                let truly_above = concordant as f64 / size as f64 + k / 2.0;
                if above + k > 0.0 {
                    truly_above / (above + k)
                } else {
                    0.0
                }
            };
            (0..size).map(place).sum::<f64>()
        };
        2.0 / (self.count - 1.0) * self.groups.iter().map(group).sum::<f64>() - 1.0
    }

    fn b(&self) -> Option<f64> {
        let (_, top, _) = *self.groups.first()?;
        let below_top = self.count - top as f64;
        let group = |&(above, _, concordant): &(u64, u64, u64)| concordant as f64 / above as f64;
        let sum = self.groups[1..].iter().map(group).sum::<f64>();
        (below_top > 0.0).then(|| 2.0 / below_top * sum - 1.0)
    }
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
    let ranks = |values: &[i64]| -> Vec<f64> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anova::tests::near;
    use proptest::prelude::*;

    const X: [f64; 7] = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3];
    const Y: [f64; 7] = [0.85, 0.9, 0.6, 0.65, 0.5, 0.2, 0.3];
    const X_TIES: [f64; 7] = [0.9, 0.8, 0.8, 0.6, 0.5, 0.4, 0.3];
    const Y_TIES: [f64; 7] = [0.85, 0.9, 0.6, 0.6, 0.5, 0.2, 0.3];

    /// scipy 1.17 `kendalltau`, `spearmanr`; trectools for `tau_ap`.
    #[test]
    fn values_of_scipy() {
        let tau = kendall(&X, &Y).unwrap();
        near(tau.tau_b.unwrap(), 0.714_285_7, 5e-8);
        assert_eq!(tau.tau_a, tau.tau_b.unwrap());
        near(tau.p.unwrap(), 0.030_158_7, 5e-8);
        assert!(tau.exact);
        near(
            spearman(&X, &Y).unwrap().coefficient.unwrap(),
            0.892_857_1,
            5e-8,
        );
        near(tau_ap(&X, &Y).unwrap().tau_ap.unwrap(), 0.5, 1e-15);
        let tied = kendall(&X_TIES, &Y_TIES).unwrap();
        near(tied.tau_b.unwrap(), 0.75, 1e-15);
        near(tied.tau_c.unwrap(), 0.734_693_9, 5e-8);
        near(tied.tau_a, 0.714_285_7, 5e-8);
        assert!(!tied.exact);
    }

    /// The test data of the R package ircor: x, y, x with ties, y with ties, then what its tests expect.
    const IRCOR: [[[f64; 10]; 4]; 3] = [
        [
            [
                0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992,
            ],
            [
                0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988,
            ],
            [0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1.0],
            [0.8, 0.4, 0.8, 1.0, 0.7, 0.1, 0.4, 0.5, 0.6, 1.0],
        ],
        [
            [
                0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38,
            ],
            [
                0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644,
            ],
            [0.3, 0.6, 0.2, 0.9, 0.6, 0.2, 0.7, 0.8, 0.7, 0.4],
            [0.3, 0.8, 0.7, 0.9, 0.1, 0.1, 0.5, 0.6, 1.0, 0.6],
        ],
        [
            [
                0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445,
            ],
            [
                0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25,
            ],
            [0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1.0, 0.4],
            [0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0.0, 0.2],
        ],
    ];

    #[test]
    fn values_of_ircor() {
        let close = |found: Option<f64>, expected: f64| near(found.unwrap(), expected, 5.1e-5);
        let taus = [[0.9111, 0.9398], [0.2889, 0.3765], [-0.6889, -0.6510]];
        let ties_of_y = [0.8889, 0.3333, -0.6222];
        let ap = [[0.8519, 0.7454], [0.2504, 0.2692], [-0.6971, -0.5558]];
        let ap_b = [[0.8333, 0.7321], [0.2880, 0.297], [-0.668, -0.7047]];
        for (at, [x, y, x_ties, y_ties]) in IRCOR.iter().enumerate() {
            close(kendall(x, y).unwrap().tau_b, taus[at][0]);
            close(kendall(x_ties, y_ties).unwrap().tau_b, taus[at][1]);
            close(Some(kendall(x, y_ties).unwrap().tau_a), ties_of_y[at]);
            close(tau_ap(x, y).unwrap().tau_ap, ap[at][0]);
            close(tau_ap(x, y).unwrap().tau_ap_a, ap[at][0]);
            close(tau_ap(x, y_ties).unwrap().tau_ap_a, ap[at][1]);
            close(tau_ap(x, y).unwrap().tau_ap_b, ap_b[at][0]);
            close(tau_ap(x_ties, y_ties).unwrap().tau_ap_b, ap_b[at][1]);
            close(tau_ap(y_ties, x_ties).unwrap().tau_ap_b, ap_b[at][1]);
            assert_eq!(tau_ap(x_ties, y).unwrap().tau_ap_a, None);
            assert_eq!(tau_ap(x, y_ties).unwrap().tau_ap, None);
        }
    }

    #[test]
    fn nothing_to_correlate() {
        let tau = kendall(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]).unwrap();
        assert_eq!((tau.tau_b, tau.tau_c, tau.p), (None, None, None));
        assert_eq!(tau.tau_a, 0.0);
        assert_eq!(pearson(&[0.1, 0.1], &[1.0, 2.0]).unwrap().coefficient, None);
        assert_eq!(
            spearman(&[0.0, 0.0], &[0.0, 0.0]).unwrap().coefficient,
            None
        );
        assert_eq!(pearson(&[1.0, 2.0], &[1.0, 2.0]).unwrap().p, None);
        assert_eq!(
            pearson(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]).unwrap().p,
            Some(0.0)
        );
        assert_eq!(tau_ap(&[1.0, 2.0], &[3.0, 3.0]).unwrap().tau_ap_b, None);
        let large = pearson(&[1e300, -1e300, 0.0], &[1e-300, -1e-300, 0.0]).unwrap();
        near(large.coefficient.unwrap(), 1.0, 1e-15);
    }

    #[test]
    fn refused() {
        assert!(kendall(&[1.0], &[1.0]).is_err());
        assert!(kendall(&[1.0, 2.0], &[1.0]).is_err());
        assert!(pearson(&[1.0, f64::NAN], &[1.0, 2.0]).is_err());
        assert!(interval(Coefficient::Kendall, 0.5, 10, 1.5).is_err());
        assert_eq!(interval(Coefficient::Kendall, 0.5, 4, 0.95), Ok(None));
        assert_eq!(interval(Coefficient::Pearson, 1.0, 40, 0.95), Ok(None));
    }

    /// All pairs, one by one.
    fn count_pairs(x: &[f64], y: &[f64]) -> (u64, u64) {
        let (mut concordant, mut discordant) = (0, 0);
        for i in 0..x.len() {
            for j in 0..i {
                match (x[i] - x[j]) * (y[i] - y[j]) {
                    product if product > 0.0 => concordant += 1,
                    product if product < 0.0 => discordant += 1,
                    _ => {}
                }
            }
        }
        (concordant, discordant)
    }

    proptest! {
        #[test]
        fn pairs_are_counted(scores in prop::collection::vec((0..8_i32, 0..8_i32), 2..40)) {
            let x: Vec<f64> = scores.iter().map(|&(x, _)| f64::from(x)).collect();
            let y: Vec<f64> = scores.iter().map(|&(_, y)| f64::from(y)).collect();
            let tau = kendall(&x, &y).unwrap();
            prop_assert_eq!((tau.concordant, tau.discordant), count_pairs(&x, &y));
        }

        /// The mean over the orders of one tied pair is the mean of both orders.
        #[test]
        fn ties_of_y_are_averaged(order in Just((0..8_usize).collect::<Vec<_>>()).prop_shuffle(), at in 0..7_usize) {
            let x: Vec<f64> = order.iter().map(|&value| value as f64).collect();
            let y: Vec<f64> = (0..8).map(f64::from).collect();
            let with = |first: f64, second: f64| {
                let mut y = y.clone();
                (y[at], y[at + 1]) = (first, second);
                tau_ap(&x, &y).unwrap().tau_ap_a.unwrap()
            };
            let (low, high) = (y[at], y[at + 1]);
            let mean = f64::midpoint(with(low, high), with(high, low));
            prop_assert!((with(low, low) - mean).abs() < 1e-12);
        }
    }
}
