//! Scores of systems over the same topics.

use crate::error::{Result, StatsError};
use crate::sample::check_finite;

/// A matrix of finite scores: one row per system, one column per topic.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreMatrix {
    topics: usize,
    values: Vec<f64>,
}

impl ScoreMatrix {
    /// Creates a matrix from the scores of each system, with the topics in the same order.
    ///
    /// ```
    /// use cranfield_stats::ScoreMatrix;
    /// let scores = ScoreMatrix::new(&[vec![0.5, 0.25], vec![1.0, 0.0]])?;
    /// assert_eq!((scores.systems(), scores.topics()), (2, 2));
    /// assert_eq!(scores.row(1), [1.0, 0.0]);
    /// # Ok::<(), cranfield_stats::StatsError>(())
    /// ```
    pub fn new<R: AsRef<[f64]>>(systems: &[R]) -> Result<Self> {
        let topics = systems.first().map_or(0, |row| row.as_ref().len());
        if topics == 0 {
            return Err(StatsError::Empty);
        }
        let mut values = Vec::with_capacity(systems.len().saturating_mul(topics));
        for row in systems.iter().map(AsRef::as_ref) {
            if row.len() != topics {
                return Err(StatsError::LengthsDiffer {
                    left: topics,
                    right: row.len(),
                });
            }
            values.extend_from_slice(check_finite(row)?);
        }
        Ok(Self { topics, values })
    }

    /// Number of systems.
    pub fn systems(&self) -> usize {
        self.values.len() / self.topics
    }

    /// Number of topics.
    pub fn topics(&self) -> usize {
        self.topics
    }

    /// Scores of a system, by topic.
    ///
    /// # Panics
    /// If `system` is out of range.
    pub fn row(&self, system: usize) -> &[f64] {
        &self.values[system * self.topics..(system + 1) * self.topics]
    }

    /// Scores of all systems, in their order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.topics)
    }

    /// Scores of all systems on one topic.
    pub fn column(&self, topic: usize) -> impl Iterator<Item = f64> {
        self.rows().map(move |row| row[topic])
    }

    /// All pairs of different systems, the first before the second.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let systems = self.systems();
        (0..systems).flat_map(move |first| (first + 1..systems).map(move |second| (first, second)))
    }

    /// Checks that there are at least this many systems and topics.
    pub fn at_least(&self, systems: usize, topics: usize) -> Result<&Self> {
        let enough = |what, found, least| {
            let error = StatsError::TooFew { what, found, least };
            (found >= least).then_some(()).ok_or(error)
        };
        enough("systems", self.systems(), systems)?;
        enough("topics", self.topics(), topics)?;
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_columns_and_pairs() {
        let scores = ScoreMatrix::new(&[vec![1.0, 2.0], vec![3.0, 4.0], vec![5.0, 6.0]]).unwrap();
        assert_eq!(scores.systems(), 3);
        assert_eq!(scores.row(2), [5.0, 6.0]);
        assert_eq!(scores.column(1).collect::<Vec<_>>(), [2.0, 4.0, 6.0]);
        assert_eq!(scores.pairs().collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
        assert!(scores.at_least(3, 2).is_ok());
        assert_eq!(
            scores.at_least(2, 3),
            Err(StatsError::TooFew {
                what: "topics",
                found: 2,
                least: 3
            })
        );
    }

    #[test]
    fn invalid_matrices_are_errors() {
        assert_eq!(ScoreMatrix::new::<Vec<f64>>(&[]), Err(StatsError::Empty));
        assert_eq!(ScoreMatrix::new(&[vec![]]), Err(StatsError::Empty));
        let ragged = ScoreMatrix::new(&[vec![1.0, 2.0], vec![1.0]]);
        assert!(matches!(ragged, Err(StatsError::LengthsDiffer { .. })));
        let infinite = ScoreMatrix::new(&[vec![f64::INFINITY]]);
        assert!(matches!(infinite, Err(StatsError::NotFinite { .. })));
    }
}
