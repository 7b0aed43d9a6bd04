//! Comparisons of all pairs of systems: what one of them says, and how many are possible.

use crate::error::{Result, StatsError};
use crate::matrix::ScoreMatrix;

/// The greatest number of systems of which all pairs are compared: 2 million pairs.
pub const MOST_SYSTEMS: usize = 2000;

/// A comparison of two systems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairTest {
    /// Index of the first system.
    pub first: usize,
    /// Index of the second system.
    pub second: usize,
    /// What the first has more than the second: a difference of means, or of mean ranks.
    pub difference: f64,
    /// The statistic of the test, never negative; `None` where there is no variance to compare with.
    pub statistic: Option<f64>,
    /// Probability of a statistic at least as large when no two systems differ.
    pub p: f64,
}

/// The scores, if there are at least two systems and so many topics, not too many systems to compare all of them, and no
/// number so large that its square is not a number.
pub(crate) fn check_pairs(scores: &ScoreMatrix, topics: usize) -> Result<&ScoreMatrix> {
    check_squares(scores.at_least(2, topics)?)?;
    if scores.systems() > MOST_SYSTEMS {
        return Err(StatsError::TooMany {
            what: "systems",
            found: scores.systems(),
            most: MOST_SYSTEMS,
            instead: "compare a part of them",
        });
    }
    Ok(scores)
}

/// The scores, if sums of their squares are finite, and not 0 unless the scores are.
pub(crate) fn check_squares(scores: &ScoreMatrix) -> Result<&ScoreMatrix> {
    let largest = largest(scores);
    if largest == 0.0 || (1e-140..1e140).contains(&largest) {
        return Ok(scores);
    }
    Err(StatsError::Setting {
        name: "the largest score",
        value: largest,
        expected: "0, or a number from 1e-140 to 1e140, whose squares are numbers; multiply all scores by the same number",
    })
}

/// The largest absolute score.
pub(crate) fn largest(scores: &ScoreMatrix) -> f64 {
    let values = scores.rows().flatten();
    values.fold(0.0, |largest, value| value.abs().max(largest))
}
