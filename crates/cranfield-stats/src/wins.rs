//! Wins, ties and losses.

use crate::error::{Result, StatsError};
use crate::sample::{Differences, Quantised};

/// Which differences count as ties.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Differences that are not greater than this. Zero asks for equal values (on the grid of [`Quantised`]).
    Absolute(f64),
    /// Differences that are not greater than this share of the greater of the two absolute values.
    Relative(f64),
}

impl Default for Tolerance {
    fn default() -> Self {
        Self::Absolute(0.0)
    }
}

impl Tolerance {
    fn checked(self) -> Result<Self> {
        let (Self::Absolute(value) | Self::Relative(value)) = self;
        if value >= 0.0 && value.is_finite() {
            return Ok(self);
        }
        Err(StatsError::Setting {
            name: "tolerance",
            value,
            expected: "a finite number of at least 0",
        })
    }

    fn limit(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Absolute(limit) => limit,
            Self::Relative(share) => share * a.abs().max(b.abs()),
        }
    }
}

/// On how many topics a is better than b.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wins {
    /// Topics on which a is greater.
    pub wins: usize,
    /// Topics on which the difference is within the tolerance.
    pub ties: usize,
    /// Topics on which a is less.
    pub losses: usize,
}

impl Wins {
    /// Number of topics.
    pub fn topics(&self) -> usize {
        self.wins + self.ties + self.losses
    }

    /// Swaps wins and losses if smaller values are better (a negative sign).
    #[must_use]
    pub fn of_better(self, sign: f64) -> Self {
        let Self { wins, ties, losses } = self;
        if sign < 0.0 {
            return Self {
                wins: losses,
                ties,
                losses: wins,
            };
        }
        self
    }

    /// Robustness index (W - L) / n, which is Cliff's delta of paired values.
    pub fn robustness(&self) -> f64 {
        (self.wins as f64 - self.losses as f64) / self.topics() as f64
    }

    /// Probability of superiority (W + T/2) / n: how likely a is better than b on a topic, with ties as halves.
    pub fn superiority(&self) -> f64 {
        (self.wins as f64 + 0.5 * self.ties as f64) / self.topics() as f64
    }
}

/// Counts wins, ties and losses of a against b.
///
/// ```
/// use cranfield_stats::wins::{Tolerance, wins};
/// let (a, b) = ([0.5, 0.3, 0.4, 0.2], [0.4, 0.3, 0.45, 0.1]);
/// let count = wins(&a, &b, Tolerance::default())?;
/// assert_eq!((count.wins, count.ties, count.losses), (2, 1, 1));
/// assert_eq!(count.robustness(), 0.25);
/// assert_eq!(count.superiority(), 0.625);
/// // A difference of 0.05 no longer counts.
/// let count = wins(&a, &b, Tolerance::Absolute(0.05))?;
/// assert_eq!((count.wins, count.ties, count.losses), (2, 2, 0));
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn wins(a: &[f64], b: &[f64], tolerance: Tolerance) -> Result<Wins> {
    let tolerance = tolerance.checked()?;
    let grid = Quantised::of_differences(&Differences::of(a, b)?)?;
    let mut count = Wins {
        wins: 0,
        ties: 0,
        losses: 0,
    };
    for (&unit, (&a, &b)) in grid.units.iter().zip(a.iter().zip(b)) {
        let limit = (tolerance.limit(a, b) * grid.scale).round();
        if unit as f64 > limit {
            count.wins += 1;
        } else if (unit as f64) < -limit {
            count.losses += 1;
        } else {
            count.ties += 1;
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{A, B};

    #[test]
    fn sakai_20_topics() {
        let count = wins(&A, &B, Tolerance::default()).unwrap();
        assert_eq!((count.wins, count.ties, count.losses), (10, 5, 5));
        assert_eq!(count.robustness(), 0.25);
    }

    #[test]
    fn tolerances() {
        let relative = wins(&[1.0, 0.1], &[0.95, 0.05], Tolerance::Relative(0.05)).unwrap();
        assert_eq!((relative.wins, relative.ties), (1, 1));
        // 0.3 - 0.2 is a little less than 0.1, and 0.4 - 0.3 a little more.
        let edge = wins(&[0.3, 0.4], &[0.2, 0.3], Tolerance::Absolute(0.1)).unwrap();
        assert_eq!(edge.ties, 2);
        for value in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(wins(&A, &B, Tolerance::Absolute(value)).is_err());
        }
    }
}
