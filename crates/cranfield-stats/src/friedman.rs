//! Friedman's test and its post-hoc comparisons: systems compared by their ranks within topics.
//!
//! Scores are ranked within each topic, the best highest, and ties share the mean of their ranks; scores are taken on a decimal grid
//! first, so that rounding errors neither make nor break ties.
//!
//! References: M. Friedman, The use of ranks to avoid the assumption of normality implicit in the analysis of variance, Journal of the
//! American Statistical Association 32 (1937); R. L. Iman and J. M. Davenport, Approximations of the critical region of the Friedman
//! statistic, Communications in Statistics A 9 (1980); W. J. Conover, Practical Nonparametric Statistics, third edition (1999);
//! P. B. Nemenyi, Distribution-free Multiple Comparisons, thesis, Princeton (1963); S. Siegel and N. J. Castellan, Nonparametric
//! Statistics for the Behavioral Sciences (1988); O. J. Dunn, Multiple comparisons using rank sums, Technometrics 6 (1964);
//! J. Demšar, Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning Research 7 (2006).

use std::collections::HashMap;

use crate::anova::FTest;
use crate::common::{Degenerate, check_level};
use crate::distributions::{chi_squared_sf, f_sf, normal_sf, t_sf};
use crate::error::{Result, StatsError};
use crate::matrix::ScoreMatrix;
use crate::pairs::{PairTest, check_pairs};
use crate::random::{MOST_REPLICATES, Resampling};
use crate::ranks::Ranks;
use crate::sample::scale_for;
use crate::studentised_range::StudentisedRange;
use crate::within_topics::counts_at_least;

/// Friedman's test.
#[derive(Clone, Debug, PartialEq)]
pub struct Friedman {
    /// Mean rank of each system; the best has the highest.
    pub mean_ranks: Vec<f64>,
    /// Number of topics.
    pub topics: usize,
    /// Chi-square, corrected for ties; `None` where all scores of every topic are tied.
    pub chi_square: Option<f64>,
    /// Its degrees of freedom, one less than systems.
    pub df: f64,
    /// Probability of a chi-square at least as large when no systems differ; 1 where there is none.
    pub p: f64,
    /// Kendall's coefficient of concordance of the topics, from 0 to 1; `None` as for chi-square.
    pub kendall_w: Option<f64>,
    /// The F of Iman and Davenport; it has no statistic where all topics agree (p is 0) or everything is tied (p is 1).
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

/// Rank sums on the way, times permutations, that [`exact_p`] looks at in all.
const MOST_WORK: usize = 4_000_000;

/// Most systems of [`exact_p`].
const MOST_EXACT: usize = 6;

/// About how many that are for ranks without ties: of k topics there are about `(k (m - 1) + 1)^(m - 1) / m!` rank sums.
fn expected_work(systems: usize, topics: usize) -> f64 {
    let (m, n) = (systems as f64, topics as f64);
    n * (n * (m - 1.0) + 1.0).powf(m - 1.0) / m
}

/// The exact p of Friedman's test: the share of all `(m!)^n` assignments of the ranks with a sum of squared rank sums at least as
/// large. Ties stay as they are. `None` where there are too many rank sums to go through, as for more than 6 systems.
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
    // Rank sums in ascending order, and the share of assignments that have them: systems are exchangeable.
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

/// Whether the work of a quarter of the topics and more says that all of them take more than twice as much as is looked at. Rank sums
/// become more like the number of topics to the power m - 1, and the work like that to the power m; ties make more of them than
/// [`expected_work`] knows.
fn is_hopeless(work: usize, done: usize, (systems, topics): (usize, usize)) -> bool {
    let left = topics as f64 / done as f64;
    left <= 4.0 && work as f64 * left.powf(systems as f64) > 2.0 * MOST_WORK as f64
}

/// Bits of one of up to six rank sums; of so few topics none is larger.
const SUM_BITS: usize = 21;

/// Ascending rank sums as one number, which is compared faster than a list.
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

/// The rank sums with one more topic, whose ranks have these orders, and their shares, as they come up.
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

/// All different orders of some values.
fn distinct_orders(values: &[i64]) -> Vec<Vec<i64>> {
    let mut orders = vec![vec![]];
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    for value in sorted {
        let insert = |order: Vec<i64>| {
            // Equal values are inserted before their likes only, so that no order comes twice.
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

/// Nemenyi's comparison of all pairs: the difference of mean ranks over `sqrt(m (m+1) / (12 n))` as a studentised range with
/// infinite degrees of freedom. One error rate for the whole family.
///
/// ```
/// use cranfield_stats::{ScoreMatrix, friedman};
/// let scores = ScoreMatrix::new(&[[1.0, 2.0, 5.0], [2.0, 3.0, 4.0], [3.0, 4.0, 6.0]])?;
/// let pairs = friedman::nemenyi(&scores)?;
/// // Mean ranks 4/3 and 3: 5/3 over sqrt(1/3).
/// assert!((pairs[1].statistic.unwrap() - 5.0 / 3f64.sqrt()).abs() < 1e-12);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn nemenyi(scores: &ScoreMatrix) -> Result<Vec<PairTest>> {
    let table = RankTable::new(scores)?;
    let (m, n) = table.size();
    let range = StudentisedRange::new(scores.systems(), f64::INFINITY)?;
    let error = (m * (m + 1.0) / (12.0 * n)).sqrt();
    Ok(table.pairs(|difference| {
        let q = difference / error;
        (Some(q), range.sf(q))
    }))
}

/// The critical difference of mean ranks of Nemenyi's comparison: `q_alpha / sqrt(2) sqrt(m (m+1) / (6 n))`, for the diagrams of
/// Demšar.
///
/// ```
/// // Ten systems on 50 topics: q = 4.474 / sqrt(2) = 3.164, times sqrt(110 / 300).
/// let difference = cranfield_stats::friedman::critical_difference(10, 50, 0.05)?;
/// assert!((difference - 1.916).abs() < 0.001);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn critical_difference(systems: usize, topics: usize, alpha: f64) -> Result<f64> {
    let alpha = 1.0 - check_level(1.0 - alpha)?;
    if topics == 0 {
        return Err(StatsError::Empty);
    }
    let range = StudentisedRange::new(systems, f64::INFINITY)?;
    let (m, n) = (systems as f64, topics as f64);
    Ok(range.critical(alpha) * (m * (m + 1.0) / (12.0 * n)).sqrt())
}

/// Conover's comparison of all pairs, without a correction for their number.
///
/// With A the sum of all squared ranks and rank sums `R_j`:
///
/// ```text
/// S2 = (A - n m (m+1)^2 / 4) / (m - 1)
/// t = |R_i - R_j| / sqrt(2 S2 n (1 - chi2 / (n (m-1))) / (n - 1)),  df (n - 1)(m - 1)
/// ```
///
/// Where all topics agree there is no variance and no statistic. p is 1 for equal rank sums then, and otherwise that of the pair
/// alone, `2^(1-n)`: chance has n topics agree on the order of two systems so often.
///
/// As a comparison behind Friedman's test it is to be believed where that test is significant.
///
/// ```
/// use cranfield_stats::{ScoreMatrix, friedman};
/// let scores = ScoreMatrix::new(&[[1.0, 2.0, 5.0], [2.0, 3.0, 4.0], [3.0, 4.0, 6.0]])?;
/// let pairs = friedman::conover(&scores)?;
/// // S2 = (42 - 36) / 2 = 3, chi2 / 6 = 7/9: t = 5 / sqrt(2 * 3 * 3 * (2/9) / 2) = 5 / sqrt(2), for rank sums 4 and 9.
/// assert!((pairs[1].statistic.unwrap() - 5.0 / 2f64.sqrt()).abs() < 1e-12);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn conover(scores: &ScoreMatrix) -> Result<Vec<PairTest>> {
    let table = RankTable::new(scores)?;
    let (m, n) = table.size();
    let squares: f64 = table
        .topics
        .iter()
        .flatten()
        .map(|&rank| (rank * rank) as f64)
        .sum();
    let s2 = (squares / 4.0 - n * m * (m + 1.0).powi(2) / 4.0) / (m - 1.0);
    let agreement = table
        .chi_square()
        .map_or(1.0, |chi_square| chi_square / (n * (m - 1.0)));
    let variance = 2.0 * s2 * n * (1.0 - agreement) / (n - 1.0);
    let no_variance = 1.0 - agreement <= 1e-12;
    let df = (n - 1.0) * (m - 1.0);
    Ok(table.pairs(|difference| {
        if no_variance {
            let agree = if difference == 0.0 {
                1.0
            } else {
                0.5_f64.powf(n - 1.0)
            };
            return (None, agree);
        }
        let t = n * difference / variance.sqrt();
        (Some(t), (2.0 * t_sf(t, df)).min(1.0))
    }))
}

/// The comparison of Siegel and Castellan of all pairs, without a correction for their number: the difference of mean ranks over
/// `sqrt(m (m+1) / (6 n))`, as a normal deviate.
///
/// ```
/// use cranfield_stats::{ScoreMatrix, friedman};
/// let scores = ScoreMatrix::new(&[[1.0, 2.0, 5.0], [2.0, 3.0, 4.0], [3.0, 4.0, 6.0]])?;
/// let pairs = friedman::siegel(&scores)?;
/// assert!((pairs[1].statistic.unwrap() - 5.0 / 6f64.sqrt()).abs() < 1e-12);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn siegel(scores: &ScoreMatrix) -> Result<Vec<PairTest>> {
    let table = RankTable::new(scores)?;
    let (m, n) = table.size();
    let error = (m * (m + 1.0) / (6.0 * n)).sqrt();
    Ok(table.pairs(|difference| {
        let z = difference / error;
        (Some(z), (2.0 * normal_sf(z)).min(1.0))
    }))
}

/// Dunn's comparison of all pairs, without a correction for their number. It belongs to the test of Kruskal and Wallis: all scores are
/// ranked together, as if every system had topics of its own. For systems on the same topics it wastes the pairing.
///
/// ```text
/// z = |mean rank_i - mean rank_j| / sqrt((N (N+1) / 12 - sum (t^3 - t) / (12 (N - 1))) 2 / n),  N = n m
/// ```
///
/// There is no statistic, and p is 1, where all scores are equal.
///
/// ```
/// use cranfield_stats::{ScoreMatrix, friedman};
/// let scores = ScoreMatrix::new(&[[1.0, 2.0], [3.0, 4.0]])?;
/// // Mean ranks 1.5 and 3.5: 2 / sqrt(20 / 12).
/// let pairs = friedman::dunn(&scores)?;
/// assert!((pairs[0].statistic.unwrap() - 2.0 / (5f64 / 3.0).sqrt()).abs() < 1e-12);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn dunn(scores: &ScoreMatrix) -> Result<Vec<PairTest>> {
    let (table, variance) = pooled(scores)?;
    let error = (variance * 2.0 / scores.topics() as f64).sqrt();
    Ok(table.pairs(|difference| {
        if variance < 1e-6 {
            return (None, 1.0);
        }
        let z = difference / error;
        (Some(z), (2.0 * normal_sf(z)).min(1.0))
    }))
}

/// The mean ranks that [`dunn`] compares: those of each system's scores among all scores of all systems.
///
/// ```
/// use cranfield_stats::{ScoreMatrix, friedman};
/// let scores = ScoreMatrix::new(&[[1.0, 2.0], [3.0, 4.0]])?;
/// assert_eq!(friedman::pooled_ranks(&scores)?, [1.5, 3.5]);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn pooled_ranks(scores: &ScoreMatrix) -> Result<Vec<f64>> {
    Ok(pooled(scores)?.0.mean_ranks())
}

/// Ranks of all scores together, and their variance.
fn pooled(scores: &ScoreMatrix) -> Result<(RankTable, f64)> {
    check_pairs(scores, 1)?;
    let scale = scale_for(scores.rows().flatten().copied(), 1);
    let units: Vec<i64> = scores
        .rows()
        .flatten()
        .map(|score| (score * scale).round() as i64)
        .collect();
    let ranks = Ranks::of(&units);
    let (count, topics) = (units.len() as f64, scores.topics());
    let table = RankTable {
        sums: ranks
            .doubled
            .chunks(topics)
            .map(|row| row.iter().sum())
            .collect(),
        topics: vec![vec![]; topics],
        tie_sum: ranks.tie_sum(),
    };
    let variance = count * (count + 1.0) / 12.0 - table.tie_sum / (12.0 * (count - 1.0));
    Ok((table, variance))
}

#[cfg(test)]
mod tests;
