//! Comparisons of all pairs of systems.

use crate::error::{Result, StatsError, at_most};
use crate::matrix::ScoreMatrix;

/// Maximum number of systems of which all pairs are compared: 2 million pairs.
pub const MOST_SYSTEMS: usize = 2000;

/// A comparison of two systems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairTest {
    /// Index of the first system.
    pub first: usize,
    /// Index of the second system.
    pub second: usize,
    /// First minus second: a difference of means, or of mean ranks.
    pub difference: f64,
    /// The statistic of the test, never negative; `None` where there is no variance to compare with.
    pub statistic: Option<f64>,
    /// Probability of a statistic at least as large when no two systems differ.
    pub p: f64,
}

/// Checks that there are at least two systems and `topics` topics, at most [`MOST_SYSTEMS`] systems, and no scores whose squares
/// overflow.
pub(crate) fn check_pairs(scores: &ScoreMatrix, topics: usize) -> Result<&ScoreMatrix> {
    check_squares(scores.at_least(2, topics)?)?;
    at_most(
        "systems",
        scores.systems(),
        MOST_SYSTEMS,
        "compare fewer systems",
    )?;
    Ok(scores)
}

/// Checks that sums of squares neither overflow nor vanish.
pub(crate) fn check_squares(scores: &ScoreMatrix) -> Result<&ScoreMatrix> {
    let largest = largest(scores);
    if largest == 0.0 || (1e-140..1e140).contains(&largest) {
        return Ok(scores);
    }
    Err(StatsError::Setting {
        name: "the largest score",
        value: largest,
        expected: "0 or a number from 1e-140 to 1e140; multiply all scores by the same number",
    })
}

/// The largest absolute score.
pub(crate) fn largest(scores: &ScoreMatrix) -> f64 {
    let values = scores.rows().flatten();
    values.fold(0.0, |largest, value| value.abs().max(largest))
}
