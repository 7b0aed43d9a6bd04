//! Post-hoc comparisons of all pairs of systems.

use super::RankTable;
use crate::common::check_level;
use crate::distributions::{normal_sf, t_sf};
use crate::error::{Result, StatsError};
use crate::matrix::ScoreMatrix;
use crate::pairs::{PairTest, check_pairs};
use crate::ranks::Ranks;
use crate::sample::scale_for;
use crate::studentised_range::StudentisedRange;

/// Nemenyi's comparison of all pairs: the difference of mean ranks over `sqrt(m (m+1) / (12 n))` as a studentised range with
/// infinite degrees of freedom. It controls the family-wise error rate.
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
/// If all topics agree there is no variance and no statistic. p is then 1 for equal rank sums, and otherwise `2^(1-n)`, the probability
/// that n topics agree on the order of two systems by chance.
///
/// As a post-hoc test it is meaningful only if Friedman's test is significant.
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

/// Dunn's comparison of all pairs, without a correction for their number. It is the post-hoc test of Kruskal and Wallis: all scores are
/// ranked together, as if every system had its own topics. For systems on the same topics it ignores the pairing.
///
/// ```text
/// z = |mean rank_i - mean rank_j| / sqrt((N (N+1) / 12 - sum (t^3 - t) / (12 (N - 1))) 2 / n),  N = n m
/// ```
///
/// If all scores are equal, there is no statistic and p is 1.
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

/// The mean ranks that [`dunn`] compares: ranks of each system's scores among all scores.
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
