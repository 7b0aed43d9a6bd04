//! Standardised scores: scores of a topic relative to those of reference systems on it, so that hard and easy topics count alike.
//!
//! References: W. Webber, A. Moffat and J. Zobel, Score standardization for inter-collection comparison of retrieval systems, SIGIR 2008;
//! T. Sakai, A simple and effective approach to score standardisation, ICTIR 2016; J. Urbano, H. Lima and A. Hanjalic, A new perspective on
//! score standardization, SIGIR 2019.

use crate::distributions::normal_cdf;
use crate::error::{Result, StatsError};
use crate::matrix::ScoreMatrix;
use crate::pairs::{check_squares, largest};

/// The divisor of a standard deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Divisor {
    /// One less than the number of systems: systems are a sample.
    #[default]
    Sample,
    /// The number of systems.
    Population,
}

/// Mean and standard deviation of the reference systems on one topic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factors {
    /// Mean.
    pub mean: f64,
    /// Standard deviation; 0 where all reference systems have the same score.
    pub deviation: f64,
}

/// Transformation of a score to a standardised one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// `z = (x - mean) / deviation`.
    Z,
    /// `Phi(z)`, between 0 and 1 (Webber, Moffat and Zobel).
    NormalCdf,
    /// `a z + b`, cut off at 0 and 1 (Sakai's std-AB).
    Linear {
        /// Slope, 0.15 in Sakai's proposal.
        a: f64,
        /// Standardised score of the mean, 0.5 in Sakai's proposal.
        b: f64,
    },
}

impl Method {
    /// Sakai's std-AB with a = 0.15 and b = 0.5.
    pub const STD_AB: Self = Self::Linear { a: 0.15, b: 0.5 };

    /// The standardised score of a z.
    fn of(self, z: f64) -> f64 {
        match self {
            Self::Z => z,
            Self::NormalCdf => normal_cdf(z),
            Self::Linear { a, b } => (a * z + b).clamp(0.0, 1.0),
        }
    }
}

/// The factors of every topic, from the scores of reference systems.
///
/// ```
/// use cranfield_stats::ScoreMatrix;
/// use cranfield_stats::standardise::{Divisor, factors};
/// let reference = ScoreMatrix::new(&[[0.1, 0.5], [0.3, 0.5], [0.5, 0.5]])?;
/// let topics = factors(&reference, Divisor::Sample)?;
/// assert!((topics[0].mean - 0.3).abs() < 1e-15 && (topics[0].deviation - 0.2).abs() < 1e-15);
/// assert_eq!(topics[1].deviation, 0.0);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn factors(reference: &ScoreMatrix, divisor: Divisor) -> Result<Vec<Factors>> {
    check_squares(reference.at_least(2, 1)?)?;
    let systems = reference.systems() as f64;
    let degrees = match divisor {
        Divisor::Sample => systems - 1.0,
        Divisor::Population => systems,
    };
    let rounding = 1e-14 * largest(reference);
    let topic = |topic| {
        let mean = reference.column(topic).sum::<f64>() / systems;
        let squares = reference.column(topic).map(|score| (score - mean).powi(2));
        let deviation = (squares.sum::<f64>() / degrees).sqrt();
        Factors {
            mean,
            deviation: if deviation > rounding { deviation } else { 0.0 },
        }
    };
    Ok((0..reference.topics()).map(topic).collect())
}

/// The standardised scores of systems, by the factors of their topics. On a topic without deviation every score has a z of 0.
///
/// ```
/// use cranfield_stats::ScoreMatrix;
/// use cranfield_stats::standardise::{Divisor, Method, factors, standardise};
/// let scores = ScoreMatrix::new(&[[0.1, 0.5], [0.3, 0.5], [0.5, 0.5]])?;
/// let topics = factors(&scores, Divisor::Sample)?;
/// let standard = standardise(&scores, &topics, Method::STD_AB)?;
/// // z is -1, 0, 1 on the first topic: 0.35, 0.5, 0.65.
/// assert!((standard.row(0)[0] - 0.35).abs() < 1e-15 && standard.row(0)[1] == 0.5);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn standardise(
    scores: &ScoreMatrix,
    factors: &[Factors],
    method: Method,
) -> Result<ScoreMatrix> {
    check_topics(scores, factors.len())?;
    let score = |(&score, factors): (&f64, &Factors)| {
        let z = if factors.deviation > 0.0 {
            (score - factors.mean) / factors.deviation
        } else {
            0.0
        };
        method.of(z)
    };
    rebuilt(scores, |row| row.iter().zip(factors).map(score).collect())
}

/// The share of reference systems with a score of at most each score, by topic: the empirical distribution function.
///
/// ```
/// use cranfield_stats::ScoreMatrix;
/// use cranfield_stats::standardise::empirical;
/// let reference = ScoreMatrix::new(&[[0.1], [0.3], [0.3], [0.5]])?;
/// let new = ScoreMatrix::new(&[[0.3], [0.2], [0.9]])?;
/// let standard = empirical(&new, &reference)?;
/// assert_eq!([standard.row(0)[0], standard.row(1)[0], standard.row(2)[0]], [0.75, 0.25, 1.0]);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn empirical(scores: &ScoreMatrix, reference: &ScoreMatrix) -> Result<ScoreMatrix> {
    check_topics(scores, reference.topics())?;
    let sorted = |topic| {
        let mut column: Vec<f64> = reference.column(topic).collect();
        column.sort_unstable_by(f64::total_cmp);
        column
    };
    let columns: Vec<Vec<f64>> = (0..reference.topics()).map(sorted).collect();
    let share = |(score, column): (&f64, &Vec<f64>)| {
        column.partition_point(|other| other <= score) as f64 / column.len() as f64
    };
    rebuilt(scores, |row| row.iter().zip(&columns).map(share).collect())
}

fn check_topics(scores: &ScoreMatrix, topics: usize) -> Result<()> {
    if scores.topics() == topics {
        return Ok(());
    }
    Err(StatsError::LengthsDiffer {
        left: scores.topics(),
        right: topics,
    })
}

fn rebuilt(scores: &ScoreMatrix, row: impl Fn(&[f64]) -> Vec<f64>) -> Result<ScoreMatrix> {
    let rows: Vec<Vec<f64>> = scores.rows().map(row).collect();
    ScoreMatrix::new(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anova::tests::{near, sakai};

    #[test]
    fn z_of_the_reference_itself() {
        for divisor in [Divisor::Sample, Divisor::Population] {
            let topics = factors(&sakai(), divisor).unwrap();
            let z = standardise(&sakai(), &topics, Method::Z).unwrap();
            for topic in 0..20 {
                near(z.column(topic).sum::<f64>(), 0.0, 1e-12);
                let squares: f64 = z.column(topic).map(|z| z * z).sum();
                let expected = if divisor == Divisor::Sample { 2.0 } else { 3.0 };
                // The topic with equal scores 0.1 has none.
                near(squares, if topic == 16 { 0.0 } else { expected }, 1e-12);
            }
        }
    }

    #[test]
    fn ranges() {
        let topics = [Factors {
            mean: 0.5,
            deviation: 0.1,
        }];
        let scores = ScoreMatrix::new(&[[0.5], [1.0], [0.0], [0.6]]).unwrap();
        let with = |method| standardise(&scores, &topics, method).unwrap();
        let linear = with(Method::STD_AB);
        assert_eq!(linear.column(0).collect::<Vec<_>>()[..3], [0.5, 1.0, 0.0]);
        near(linear.row(3)[0], 0.65, 1e-15);
        // Phi(1).
        near(
            with(Method::NormalCdf).row(3)[0],
            0.841_344_746_068_543,
            1e-12,
        );
    }

    #[test]
    fn invalid_factors_are_errors() {
        assert!(standardise(&sakai(), &[], Method::Z).is_err());
        let other = ScoreMatrix::new(&[[0.5]]).unwrap();
        assert!(empirical(&sakai(), &other).is_err());
        assert!(factors(&other, Divisor::Sample).is_err());
        // Out of the range of numbers.
        let topics = [Factors {
            mean: 0.0,
            deviation: 1e-300,
        }];
        let far = ScoreMatrix::new(&[[1e100]]).unwrap();
        assert!(standardise(&far, &topics, Method::Z).is_err());
    }
}
