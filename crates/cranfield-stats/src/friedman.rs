//! Friedman's test and its post-hoc comparisons: systems compared by their ranks within topics.
//!
//! Scores are ranked within each topic, the best highest, and ties share the mean of their ranks. Scores are rounded to a decimal grid
//! first, so that rounding errors neither make nor break ties.
//!
//! References: M. Friedman, The use of ranks to avoid the assumption of normality implicit in the analysis of variance, Journal of the
//! American Statistical Association 32 (1937); R. L. Iman and J. M. Davenport, Approximations of the critical region of the Friedman
//! statistic, Communications in Statistics A 9 (1980); W. J. Conover, Practical Nonparametric Statistics, third edition (1999);
//! P. B. Nemenyi, Distribution-free Multiple Comparisons, thesis, Princeton (1963); S. Siegel and N. J. Castellan, Nonparametric
//! Statistics for the Behavioral Sciences (1988); O. J. Dunn, Multiple comparisons using rank sums, Technometrics 6 (1964);
//! J. Demšar, Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning Research 7 (2006).

mod post_hoc;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use crate::anova::FTest;
use crate::common::Degenerate;
use crate::distributions::{chi_squared_sf, f_sf};
use crate::error::Result;
use crate::matrix::ScoreMatrix;
use crate::pairs::{PairTest, check_pairs};
use crate::random::{MOST_REPLICATES, Resampling};
use crate::ranks::Ranks;
use crate::sample::scale_for;
use crate::within_topics::counts_at_least;

pub use post_hoc::{conover, critical_difference, dunn, nemenyi, pooled_ranks, siegel};

/// Friedman's test.
#[derive(Clone, Debug, PartialEq)]
pub struct Friedman {
    /// Mean rank of each system; the best has the highest.
    pub mean_ranks: Vec<f64>,
    /// Number of topics.
    pub topics: usize,
    /// Chi-square, corrected for ties; `None` if all scores of every topic are tied.
    pub chi_square: Option<f64>,
    /// Its degrees of freedom, one less than systems.
    pub df: f64,
    /// Probability of a chi-square at least as large if no systems differ; 1 if there is none.
    pub p: f64,
    /// Kendall's coefficient of concordance of the topics, from 0 to 1; `None` as for chi-square.
    pub kendall_w: Option<f64>,
    /// The F-test of Iman and Davenport; it has no statistic if all topics agree (p is 0) or everything is tied (p is 1).
    pub iman_davenport: FTest,
}

/// The ranks behind all tests of this module.
struct RankTable {
    /// Doubled ranks by topic and system.
    topics: Vec<Vec<i64>>,
    /// Doubled rank sum of each system.
    sums: Vec<i64>,
    /// The sum of `t^3 - t` over all ties of all topics.
    tie_sum: f64,
}

impl RankTable {
    fn new(scores: &ScoreMatrix) -> Result<Self> {
        check_pairs(scores, 2)?;
        let scale = scale_for(scores.rows().flatten().copied(), 1);
        let unit = |score: f64| (score * scale).round() as i64;
        let ranks = |topic| Ranks::of(&scores.column(topic).map(unit).collect::<Vec<i64>>());
        let ranks: Vec<Ranks> = (0..scores.topics()).map(ranks).collect();
        let sum = |system| {
            ranks
                .iter()
                .map(|topic: &Ranks| topic.doubled[system])
                .sum()
        };
        Ok(Self {
            sums: (0..scores.systems()).map(sum).collect(),
            tie_sum: ranks.iter().map(Ranks::tie_sum).sum(),
            topics: ranks.into_iter().map(|topic| topic.doubled).collect(),
        })
    }

    /// Numbers of systems and topics.
    fn size(&self) -> (f64, f64) {
        (self.sums.len() as f64, self.topics.len() as f64)
    }

    fn mean_ranks(&self) -> Vec<f64> {
        let topics = self.topics.len() as f64;
        self.sums
            .iter()
            .map(|&sum| sum as f64 / 2.0 / topics)
            .collect()
    }

    /// `12 sum_j (R_j - n (m+1) / 2)^2 / (n m (m+1) - sum (t^3 - t) / (m - 1))`; `None` where the denominator is 0.
    fn chi_square(&self) -> Option<f64> {
        let (m, n) = self.size();
        let expected = n * (m + 1.0) / 2.0;
        let squares = self
            .sums
            .iter()
            .map(|&sum| (sum as f64 / 2.0 - expected).powi(2));
        let scale = n * m * (m + 1.0) - self.tie_sum / (m - 1.0);
        (scale > 0.5).then(|| 12.0 * squares.sum::<f64>() / scale)
    }

    /// A statistic and a p for each pair, from the absolute difference of their mean ranks.
    fn pairs(&self, test: impl Fn(f64) -> (Option<f64>, f64)) -> Vec<PairTest> {
        let ranks = self.mean_ranks();
        let mut pairs = Vec::new();
        for first in 0..ranks.len() {
            for second in first + 1..ranks.len() {
                let difference = ranks[first] - ranks[second];
                let (statistic, p) = test(difference.abs());
                pairs.push(PairTest {
                    first,
                    second,
                    difference,
                    statistic,
                    p,
                });
            }
        }
        pairs
    }
}

/// Friedman's test of m systems on n topics, with rank sums `R_j` and groups of t tied scores.
///
/// ```text
/// chi2 = [12 / (n m (m+1)) sum_j R_j^2 - 3 n (m+1)] / [1 - sum (t^3 - t) / (n m (m^2 - 1))],  df m - 1
/// W = chi2 / (n (m - 1))
/// F = (n - 1) chi2 / (n (m - 1) - chi2),  df m - 1 and (m - 1)(n - 1)
/// ```
///
/// ```
/// use cranfield_stats::{ScoreMatrix, friedman};
/// let scores = ScoreMatrix::new(&[[1.0, 2.0, 5.0], [2.0, 3.0, 4.0], [3.0, 4.0, 6.0]])?;
/// let test = friedman::test(&scores)?;
/// // Ranks 1 1 2, 2 2 1, 3 3 3: sums 4, 5, 9; 12/36 (16 + 25 + 81) - 36 = 14/3.
/// assert!((test.chi_square.unwrap() - 14.0 / 3.0).abs() < 1e-12);
/// assert!((test.p - (-7.0_f64 / 3.0).exp()).abs() < 1e-12);
/// assert!((test.kendall_w.unwrap() - 7.0 / 9.0).abs() < 1e-12);
/// assert!((test.iman_davenport.statistic.unwrap() - 7.0).abs() < 1e-12);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn test(scores: &ScoreMatrix) -> Result<Friedman> {
    let table = RankTable::new(scores)?;
    let (m, n) = table.size();
    let chi_square = table.chi_square();
    let df = m - 1.0;
    Ok(Friedman {
        mean_ranks: table.mean_ranks(),
        topics: scores.topics(),
        chi_square,
        df,
        p: chi_square.map_or(1.0, |chi_square| chi_squared_sf(chi_square, df)),
        kendall_w: chi_square.map(|chi_square| chi_square / (n * df)),
        iman_davenport: iman_davenport(chi_square, df, n),
    })
}

fn iman_davenport(chi_square: Option<f64>, df: f64, n: f64) -> FTest {
    let (df1, df2) = (df, df * (n - 1.0));
    let result = |statistic, p, degenerate| FTest {
        statistic,
        df1,
        df2,
        p,
        degenerate,
    };
    let Some(chi_square) = chi_square else {
        return result(None, 1.0, Some(Degenerate::Identical));
    };
    // All topics agree: chi-square has its greatest value n (m - 1).
    let rest = n * df - chi_square;
    if rest <= 1e-12 * n * df {
        return result(None, 0.0, Some(Degenerate::Constant));
    }
    let f = (n - 1.0) * chi_square / rest;
    result(Some(f), f_sf(f, df1, df2), None)
}

/// Limit on the work of [`exact_p`]: intermediate rank sums times permutations.
const MOST_WORK: usize = 4_000_000;

/// Maximum number of systems of [`exact_p`].
const MOST_EXACT: usize = 6;

/// Estimate of that work for ranks without ties: k topics have about `(k (m - 1) + 1)^(m - 1) / m!` rank sums.
fn expected_work(systems: usize, topics: usize) -> f64 {
    let (m, n) = (systems as f64, topics as f64);
    n * (n * (m - 1.0) + 1.0).powf(m - 1.0) / m
}

/// The exact p of Friedman's test: the proportion of all `(m!)^n` assignments of the ranks with a sum of squared rank sums at least as
/// large. Ties are kept. `None` if there are too many rank sums to enumerate, as for more than 6 systems.
///
/// ```
/// use cranfield_stats::{ScoreMatrix, friedman};
/// let scores = ScoreMatrix::new(&[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [3.0, 3.0, 3.0]])?;
/// // All three topics agree: 3! of the (3!)^3 assignments.
/// assert!((friedman::exact_p(&scores)?.unwrap() - 1.0 / 36.0).abs() < 1e-15);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn exact_p(scores: &ScoreMatrix) -> Result<Option<f64>> {
    let table = RankTable::new(scores)?;
    let (systems, topics) = (scores.systems(), scores.topics());
    if systems > MOST_EXACT || expected_work(systems, topics) > MOST_WORK as f64 {
        return Ok(None);
    }
    // Sorted rank sums, as systems are exchangeable, and the proportion of assignments that have them.
    let mut states = vec![(0, 1.0)];
    let mut work = 0;
    for (done, topic) in table.topics.iter().enumerate() {
        let orders = distinct_orders(topic);
        work += states.len() * orders.len();
        if work > MOST_WORK || is_hopeless(work, done + 1, (systems, topics)) {
            return Ok(None);
        }
        states = one_more(&states, &orders);
    }
    let observed = sum_of_squares(&table.sums);
    let reached = states
        .iter()
        .filter(|(sums, _)| sum_of_squares(&unpacked(*sums, systems)) >= observed);
    Ok(Some(reached.map(|(_, share)| share).sum::<f64>().min(1.0)))
}

/// Whether the work so far, after at least a quarter of the topics, predicts more than twice the limit in total. The number of rank
/// sums grows like the number of topics to the power m - 1, and the work like that to the power m. Ties make more rank sums than
/// [`expected_work`] estimates.
fn is_hopeless(work: usize, done: usize, (systems, topics): (usize, usize)) -> bool {
    let left = topics as f64 / done as f64;
    left <= 4.0 && work as f64 * left.powf(systems as f64) > 2.0 * MOST_WORK as f64
}

/// Bits per rank sum, of which there are at most six.
const SUM_BITS: usize = 21;

/// Packs ascending rank sums into one number, which compares faster than a list.
fn packed(sums: &[i64]) -> u128 {
    let join = |all: u128, sum: &i64| (all << SUM_BITS) | *sum as u128;
    sums.iter().fold(0, join)
}

fn unpacked(packed: u128, systems: usize) -> [i64; MOST_EXACT] {
    let mut sums = [0; MOST_EXACT];
    for (at, sum) in sums[..systems].iter_mut().enumerate() {
        *sum = ((packed >> (SUM_BITS * (systems - 1 - at))) & ((1 << SUM_BITS) - 1)) as i64;
    }
    sums
}

/// The rank sums and proportions after one more topic, whose ranks have these orders.
fn one_more(states: &[(u128, f64)], orders: &[Vec<i64>]) -> Vec<(u128, f64)> {
    let systems = orders.first().map_or(0, Vec::len);
    let (mut next, mut places) = (Vec::new(), HashMap::new());
    for &(sums, share) in states {
        let (sums, share) = (unpacked(sums, systems), share / orders.len() as f64);
        for order in orders {
            let mut added = sums;
            let ranks = added.iter_mut().zip(order);
            ranks.for_each(|(sum, rank)| *sum += rank);
            added[..systems].sort_unstable();
            let sums = packed(&added[..systems]);
            let place = *places.entry(sums).or_insert(next.len());
            if place == next.len() {
                next.push((sums, 0.0));
            }
            next[place].1 += share;
        }
    }
    next
}

fn sum_of_squares(sums: &[i64]) -> i128 {
    sums.iter()
        .map(|&sum| i128::from(sum) * i128::from(sum))
        .sum()
}

/// All distinct permutations of the values.
fn distinct_orders(values: &[i64]) -> Vec<Vec<i64>> {
    let mut orders = vec![vec![]];
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    for value in sorted {
        let insert = |order: Vec<i64>| {
            // A value is inserted only before the values equal to it, so that no permutation repeats.
            let end = order
                .iter()
                .position(|&other| other == value)
                .unwrap_or(order.len());
            (0..=end).map(move |at| {
                let mut longer = order.clone();
                longer.insert(at, value);
                longer
            })
        };
        orders = orders.into_iter().flat_map(insert).collect();
    }
    orders
}

/// The p of Friedman's test from shuffled ranks: `(1 + #{sum of squared rank sums at least as large}) / (1 + B)`, for designs that are
/// too large for [`exact_p`].
///
/// ```
/// use cranfield_stats::random::Resampling;
/// use cranfield_stats::{ScoreMatrix, friedman};
/// let scores = ScoreMatrix::new(&[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [3.0, 3.0, 3.0]])?;
/// let p = friedman::permutation_p(&scores, Resampling { replicates: 20_000, seed: 1 })?;
/// assert!((p - 1.0 / 36.0).abs() < 0.006);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn permutation_p(scores: &ScoreMatrix, resampling: Resampling) -> Result<f64> {
    let table = RankTable::new(scores)?;
    let resampling = resampling.checked(MOST_REPLICATES)?;
    let settings = (resampling.replicates, resampling.seed);
    let observed = [sum_of_squares(&table.sums)];
    let counts = counts_at_least(
        &table.topics,
        settings,
        &observed,
        sum_of_squares,
        &|_, _| (),
    );
    let count = counts.iter().sum::<u64>();
    Ok((1 + count) as f64 / (1 + resampling.replicates) as f64)
}
