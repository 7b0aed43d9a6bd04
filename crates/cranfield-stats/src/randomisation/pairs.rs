//! Randomisation tests of all pairs of systems at once.

use super::signs::count_reached;
use super::{Signs, random_p, towards};
use crate::common::Alternative;
use crate::error::Result;
use crate::matrix::ScoreMatrix;
use crate::progress::Watched;
use crate::sample::scale_for;

/// One pair of systems in a result of [`randomisation_of_pairs`].
#[derive(Clone, Debug, PartialEq)]
pub struct PairRandomisation {
    /// Place of the first system, a.
    pub first: usize,
    /// Place of the second system, b.
    pub second: usize,
    /// Mean of the differences a - b.
    pub mean_difference: f64,
    /// p-value, (count + 1) / (B + 1).
    pub p: f64,
    /// The replicates behind it.
    pub signs: Signs,
}

/// Randomisation tests of all pairs of systems by random signs.
///
/// One replicate draws a sign for each topic and uses it for all pairs: the sum of signed differences of two systems is
/// the difference of their signed sums, so that a replicate costs one sum per system and one comparison per pair. Each
/// pair has the p-value of its own test with the same seed. Scores are rounded to the grid one by one, so that the slack
/// is 2 n units.
///
/// ```
/// use cranfield_stats::randomisation::randomisation_of_pairs;
/// use cranfield_stats::{Alternative, ScoreMatrix, random::Resampling};
/// let scores = ScoreMatrix::new(&[[0.1, 0.2, 0.3], [0.0, 0.0, 0.0], [0.1, 0.2, 0.3]])?;
/// let pairs = randomisation_of_pairs(&scores, Resampling::default(), Alternative::TwoSided)?;
/// assert!((pairs[0].p - 0.25).abs() < 0.01);
/// assert_eq!((pairs[1].first, pairs[1].second, pairs[1].p), (0, 2, 1.0));
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn randomisation_of_pairs<'w>(
    scores: &ScoreMatrix,
    resampling: impl Into<Watched<'w>>,
    alternative: Alternative,
) -> Result<Vec<PairRandomisation>> {
    let Watched {
        resampling,
        watcher,
    } = resampling.into();
    scores.at_least(2, 1)?;
    let topics = scores.topics();
    // Twice the count, because a difference is as large as two scores.
    let scale = scale_for(scores.rows().flatten().copied(), 2 * topics);
    let units: Vec<Vec<f64>> = scores
        .rows()
        .map(|row| row.iter().map(|score| (score * scale).round()).collect())
        .collect();
    let totals: Vec<f64> = units.iter().map(|row| row.iter().sum()).collect();
    let slack = 2 * topics.cast_signed() as i64;
    let limit = |(first, second): (usize, usize)| {
        let sum = (totals[first] - totals[second]) as i64;
        let least = towards(sum, alternative) - slack;
        (first, second, least as f64)
    };
    let limits: Vec<(usize, usize, f64)> = scores.pairs().map(limit).collect();
    let reached = count_reached(&units, &limits, alternative, resampling, watcher)?;
    let pair = |(&(first, second, _), reached): (&(usize, usize, f64), u64)| {
        let (p, signs) = random_p(reached, resampling);
        let sum: f64 = scores
            .row(first)
            .iter()
            .zip(scores.row(second))
            .map(|(a, b)| a - b)
            .sum();
        PairRandomisation {
            first,
            second,
            mean_difference: sum / topics as f64,
            p,
            signs,
        }
    };
    Ok(limits.iter().zip(reached).map(pair).collect())
}
