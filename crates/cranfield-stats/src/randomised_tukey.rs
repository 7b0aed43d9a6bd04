//! Randomised Tukey: all pairs of systems at once, without assuming a normal distribution.
//!
//! If no systems differ, the scores of every topic could have gone to the systems in any order. A replicate shuffles them within
//! each topic and notes the range of the systems' means; a pair is compared with these ranges:
//!
//! ```text
//! p_ij = (1 + #{replicates with max - min of means >= |mean_i - mean_j|}) / (1 + B)
//! ```
//!
//! Scores are taken on a decimal grid, and sums that differ by rounding only count as equal: many are equal on paper, and a bare
//! comparison of floating-point numbers loses a large part of them. Of two systems this is Fisher's randomisation test.
//!
//! References: B. A. Carterette, Multiple testing in statistical analysis of systems-based information retrieval experiments, ACM
//! Transactions on Information Systems 30 (2012); T. Sakai, Laboratory Experiments in Information Retrieval (2018).

use crate::error::Result;
use crate::matrix::ScoreMatrix;
use crate::pairs::{PairTest, check_pairs};
use crate::progress::Watched;
use crate::random::{MOST_REPLICATES, Resampling};
use crate::sample::scale_for;
use crate::within_topics::counts_at_least;

/// The comparison of all pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomisedTukey {
    /// Mean of each system.
    pub means: Vec<f64>,
    /// Replicates and seed.
    pub resampling: Resampling,
    /// All pairs, the first system before the second; the statistic is the absolute difference of means.
    pub pairs: Vec<PairTest>,
}

/// Compares all pairs of systems that were measured on the same topics.
///
/// ```
/// use cranfield_stats::random::Resampling;
/// use cranfield_stats::{ScoreMatrix, randomised_tukey};
/// // One system wins on every one of six topics: of the 2^6 assignments 2 are as extreme, so p is near 2 / 64.
/// let scores = ScoreMatrix::new(&[[0.2; 6], [0.1; 6]])?;
/// let resampling = Resampling { replicates: 20_000, seed: 1 };
/// let all = randomised_tukey::compare(&scores, resampling)?;
/// assert!((all.pairs[0].p - 0.03125).abs() < 0.005);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn compare<'w>(
    scores: &ScoreMatrix,
    resampling: impl Into<Watched<'w>>,
) -> Result<RandomisedTukey> {
    let Watched {
        resampling,
        watcher,
    } = resampling.into();
    check_pairs(scores, 1)?;
    let resampling = resampling.checked(MOST_REPLICATES)?;
    let n = scores.topics();
    let scale = scale_for(scores.rows().flatten().copied(), n);
    let unit = |score: f64| (score * scale).round() as i64;
    // In ascending order, so that the order of the systems does not matter.
    let ascending = |topic| {
        let mut values: Vec<i64> = scores.column(topic).map(unit).collect();
        values.sort_unstable();
        values
    };
    let topics: Vec<Vec<i64>> = (0..n).map(ascending).collect();
    let sums: Vec<i64> = scores
        .rows()
        .map(|row| row.iter().map(|&x| unit(x)).sum())
        .collect();
    // Each of the 2n values in a difference is off by at most half a unit, on both sides of the comparison.
    let slack = (2 * n as u64).cast_signed();
    let threshold = |(i, j): (usize, usize)| (sums[i] - sums[j]).abs() - slack;
    let mut thresholds: Vec<i64> = scores.pairs().map(threshold).collect();
    thresholds.sort_unstable();
    thresholds.dedup();
    let settings = (resampling.replicates, resampling.seed);
    let counts = counts_at_least(&topics, settings, &thresholds, range, watcher);
    let means: Vec<f64> = sums
        .iter()
        .map(|&sum| sum as f64 / scale / n as f64)
        .collect();
    let test = |(first, second)| {
        let at = thresholds.partition_point(|&value| value < threshold((first, second)));
        let difference: f64 = means[first] - means[second];
        PairTest {
            first,
            second,
            difference,
            statistic: Some(difference.abs()),
            p: (1 + counts[at]) as f64 / (1 + resampling.replicates) as f64,
        }
    };
    let pairs = scores.pairs().map(test).collect();
    Ok(RandomisedTukey {
        means,
        resampling,
        pairs,
    })
}

impl RandomisedTukey {
    /// Standard error of a p, from the number of replicates alone: `sqrt(p (1 - p) / B)`.
    pub fn standard_error(&self, pair: &PairTest) -> f64 {
        (pair.p * (1.0 - pair.p) / self.resampling.replicates as f64).sqrt()
    }
}

fn range(sums: &[i64]) -> i64 {
    let (mut low, mut high) = (i64::MAX, i64::MIN);
    for &sum in sums {
        low = low.min(sum);
        high = high.max(sum);
    }
    high - low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anova::tests::{near, sakai};

    const SETTINGS: Resampling = Resampling {
        replicates: 50_000,
        seed: 3,
    };

    /// About .302, .109, .890 with the tolerance (numpy loop of permutations); five standard errors.
    #[test]
    fn sakais_systems() {
        let all = compare(&sakai(), SETTINGS).unwrap();
        for (pair, p) in all.pairs.iter().zip([0.302, 0.109, 0.890]) {
            near(pair.p, p, 5.0 * all.standard_error(pair) + 0.001);
        }
        near(all.means[0] - all.means[1], all.pairs[0].difference, 0.0);
    }

    /// Fisher's exact p of A and B is 0.06591796875.
    #[test]
    fn two_systems_are_fishers_test() {
        let scores = sakai();
        let pair = ScoreMatrix::new(&[scores.row(0), scores.row(1)]).unwrap();
        let all = compare(&pair, SETTINGS).unwrap();
        near(
            all.pairs[0].p,
            0.065_917_968_75,
            5.0 * all.standard_error(&all.pairs[0]),
        );
    }

    /// Three systems with 0, 0.1 and 0.2 more than the level of each of two topics. Of the six orders of the second topic against the
    /// first, the sums range over 4, 3, 3, 2, 2 and 0 tenths: at least 4 once, 3 three times, 2 five times.
    #[test]
    fn ranges_that_are_equal_up_to_rounding_count() {
        let p = |rows: [[f64; 2]; 3]| {
            let all = compare(&ScoreMatrix::new(&rows).unwrap(), SETTINGS).unwrap();
            [0, 1, 2].map(|at| all.pairs[at].p)
        };
        let check = |found: [f64; 3], sixths: [f64; 3]| {
            // Five standard errors of a half.
            for (p, sixths) in found.into_iter().zip(sixths) {
                near(p, sixths / 6.0, 0.0112);
            }
        };
        let ordered = [[0.3 + 0.2, 0.7 + 0.2], [0.3 + 0.1, 0.7 + 0.1], [0.3, 0.7]];
        check(p(ordered), [5.0, 1.0, 5.0]);
        let crossed = [[0.3 + 0.2, 0.7 + 0.1], [0.3 + 0.1, 0.7 + 0.2], [0.3, 0.7]];
        check(p(crossed), [6.0, 3.0, 3.0]);
    }

    #[test]
    fn the_same_seed_gives_the_same_bits() {
        let with = |seed| {
            let resampling = Resampling {
                replicates: 1000,
                seed,
            };
            compare(&sakai(), resampling).unwrap().pairs
        };
        assert_eq!(with(1), with(1));
        assert_ne!(with(1), with(2));
    }

    #[test]
    fn the_order_of_systems_does_not_matter() {
        let scores = sakai();
        let [a, b, c] = [0, 1, 2].map(|at| scores.row(at));
        let p = |rows: [&[f64]; 3]| {
            let all = compare(&ScoreMatrix::new(&rows).unwrap(), SETTINGS).unwrap();
            [0, 1, 2].map(|at| all.pairs[at].p)
        };
        let [ab, ac, bc] = p([a, b, c]);
        assert_eq!(p([c, b, a]), [bc, ac, ab]);
        assert_eq!(p([b, a, c]), [ab, bc, ac]);
    }

    #[test]
    fn equal_systems_and_extreme_scores() {
        let equal = ScoreMatrix::new(&[[0.5, 0.1], [0.5, 0.1]]).unwrap();
        assert_eq!(compare(&equal, SETTINGS).unwrap().pairs[0].p, 1.0);
        let huge = ScoreMatrix::new(&[[1e130, 0.1], [-1e130, 0.1]]).unwrap();
        assert!(compare(&huge, SETTINGS).is_ok());
        let none = Resampling {
            replicates: 0,
            seed: 1,
        };
        assert!(compare(&equal, none).is_err());
    }
}
