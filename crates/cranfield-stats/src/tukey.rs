//! Tukey's honestly significant difference: all pairs of systems at once, with one error rate for the whole family.
//!
//! ```text
//! q_ij = |mean_i - mean_j| / sqrt(V_E / n),   p_ij = P(Q_{m, df} >= q_ij)
//! interval: mean_i - mean_j +- q_crit sqrt(V_E / n)
//! ```
//!
//! Scores on the same topics are paired, and `V_E` is the residual variance of the two-way table. [`unpaired`] takes that of the
//! one-way table, as if every system had its own topics. That is what `scipy.stats.tukey_hsd` computes, and it ignores the
//! pairing.

use crate::anova::{Source, one_way, two_way, vanishes};
use crate::common::{Degenerate, Interval, check_level};
use crate::error::Result;
use crate::matrix::ScoreMatrix;
use crate::pairs::{PairTest, check_pairs};
use crate::studentised_range::StudentisedRange;

/// The comparison of all pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Tukey {
    /// Mean of each system.
    pub means: Vec<f64>,
    /// Residual variance.
    pub residual_variance: f64,
    /// Its degrees of freedom.
    pub df: f64,
    /// The critical value of the studentised range.
    pub critical: f64,
    /// The least difference of means that is significant: half the width of every interval.
    pub least_significant_difference: f64,
    /// Confidence of all intervals together.
    pub level: f64,
    /// Set if there is no residual variance. p is then 1 for equal means and 0 for others.
    pub degenerate: Option<Degenerate>,
    /// All pairs, the first system before the second.
    pub pairs: Vec<PairTest>,
}

/// Compares all pairs of systems that were measured on the same topics.
///
/// ```
/// use cranfield_stats::{ScoreMatrix, tukey};
/// let scores = ScoreMatrix::new(&[[1.0, 2.0, 3.0], [3.0, 4.0, 8.0], [1.0, 2.0, 4.0]])?;
/// let all = tukey::paired(&scores, 0.95)?;
/// // Means 2, 5, 7/3; V_E = 7/9 (residual sum of squares 28/9, 4 degrees of freedom).
/// assert!((all.residual_variance - 7.0 / 9.0).abs() < 1e-12);
/// let q = all.pairs[0].statistic.unwrap();
/// assert!((q - 3.0 / (7f64 / 27.0).sqrt()).abs() < 1e-12);
/// assert!(all.pairs[0].p < 0.05 && all.pairs[1].p > 0.05);
/// assert!(all.interval(&all.pairs[0]).high < 0.0);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn paired(scores: &ScoreMatrix, level: f64) -> Result<Tukey> {
    check_pairs(scores, 2)?;
    let table = two_way(scores)?;
    compare(scores, table.means, table.residual, level)
}

/// Compares all pairs of systems whose scores are, or are treated as, those of different topics.
///
/// ```
/// use cranfield_stats::{ScoreMatrix, tukey};
/// let scores = ScoreMatrix::new(&[[1.0, 2.0, 3.0], [3.0, 4.0, 8.0], [1.0, 2.0, 4.0]])?;
/// // The topics differ more than the systems, and unpaired this is all noise.
/// assert!(tukey::unpaired(&scores, 0.95)?.pairs[0].p > 0.1);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn unpaired(scores: &ScoreMatrix, level: f64) -> Result<Tukey> {
    check_pairs(scores, 2)?;
    let table = one_way(scores)?;
    compare(scores, table.means, table.residual, level)
}

fn compare(scores: &ScoreMatrix, means: Vec<f64>, residual: Source, level: f64) -> Result<Tukey> {
    let level = check_level(level)?;
    let range = StudentisedRange::new(scores.systems(), residual.df)?;
    let error = (residual.mean_square / scores.topics() as f64).sqrt();
    let degenerate = vanishes(residual, scores);
    let test = |(first, second): (usize, usize)| {
        let difference: f64 = means[first] - means[second];
        let statistic = (!degenerate).then(|| difference.abs() / error);
        let equal = difference.abs() <= 1e-13 * means[first].abs().max(means[second].abs());
        let p = match statistic {
            Some(q) => range.sf(q),
            None => f64::from(u8::from(equal)),
        };
        PairTest {
            first,
            second,
            difference,
            statistic,
            p,
        }
    };
    let pairs: Vec<PairTest> = scores.pairs().map(test).collect();
    let critical = range.critical(1.0 - level);
    let kind = if pairs.iter().all(|pair| pair.p == 1.0) {
        Degenerate::Identical
    } else {
        Degenerate::Constant
    };
    Ok(Tukey {
        residual_variance: residual.mean_square,
        df: residual.df,
        critical,
        least_significant_difference: if degenerate { 0.0 } else { critical * error },
        level,
        degenerate: degenerate.then_some(kind),
        means,
        pairs,
    })
}

impl Tukey {
    /// The simultaneous interval of a pair's difference.
    pub fn interval(&self, pair: &PairTest) -> Interval {
        Interval {
            low: pair.difference - self.least_significant_difference,
            high: pair.difference + self.least_significant_difference,
            level: self.level,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anova::tests::{near, sakai};

    /// scipy 1.17: `studentized_range.sf` of the two-way table, and `tukey_hsd`.
    #[test]
    fn sakais_systems() {
        let all = paired(&sakai(), 0.95).unwrap();
        let expected = [
            (2.267_219, 0.256_697_746_4),
            (3.022_958, 0.095_686_847_1),
            (0.755_740, 0.854_963_181_1),
        ];
        for (pair, (q, p)) in all.pairs.iter().zip(expected) {
            near(pair.statistic.unwrap(), q, 5e-7);
            near(pair.p, p, 1e-10);
        }
        let expected = [0.394_119_61, 0.195_769_13, 0.900_052_82];
        for (pair, p) in unpaired(&sakai(), 0.95).unwrap().pairs.iter().zip(expected) {
            near(pair.p, p, 5e-9);
        }
    }

    /// An interval leaves out 0 where p is below the level, and only there.
    #[test]
    fn intervals_agree_with_p() {
        for level in [0.05, 0.5, 0.9, 0.91, 0.95] {
            let all = paired(&sakai(), level).unwrap();
            for pair in &all.pairs {
                let interval = all.interval(pair);
                let without_zero = interval.low > 0.0 || interval.high < 0.0;
                assert_eq!(without_zero, pair.p < 1.0 - level, "{pair:?}");
            }
        }
    }

    /// Two systems: the paired t of A and B.
    #[test]
    fn two_systems_are_a_paired_t() {
        let scores = sakai();
        let pair = ScoreMatrix::new(&[scores.row(0), scores.row(1)]).unwrap();
        let all = paired(&pair, 0.95).unwrap();
        near(all.pairs[0].p, 0.047_796_761_8, 1e-10);
        let interval = all.interval(&all.pairs[0]);
        near(interval.low, 0.000_805_944_7, 1e-10);
        near(interval.high, 0.149_194_055_3, 1e-10);
    }

    #[test]
    fn no_residual_variance() {
        let scores = ScoreMatrix::new(&[[0.1, 0.7], [0.3, 0.9], [0.1, 0.7]]).unwrap();
        let all = paired(&scores, 0.95).unwrap();
        assert_eq!(all.degenerate, Some(Degenerate::Constant));
        let p: Vec<f64> = all.pairs.iter().map(|pair| pair.p).collect();
        assert_eq!(p, [0.0, 1.0, 0.0]);
        assert!(all.pairs.iter().all(|pair| pair.statistic.is_none()));
        let same = ScoreMatrix::new(&[[0.1, 0.7], [0.1, 0.7]]).unwrap();
        let all = paired(&same, 0.95).unwrap();
        assert_eq!(all.degenerate, Some(Degenerate::Identical));
    }

    #[test]
    fn invalid_input_is_an_error() {
        assert!(paired(&sakai(), 1.0).is_err());
        let many = vec![vec![0.0, 1.0]; 2001];
        assert!(paired(&ScoreMatrix::new(&many).unwrap(), 0.95).is_err());
    }
}
