//! Discriminative power of measures, curves of achieved significance levels, and swap rates.
//!
//! References: T. Sakai, Evaluating evaluation metrics based on the bootstrap, SIGIR 2006; E. M. Voorhees and C. Buckley, The effect of topic
//! set size on retrieval experiment error, SIGIR 2002; C. Buckley and E. M. Voorhees, Evaluating evaluation measure stability, SIGIR 2000.

use rayon::prelude::*;

use crate::common::check_level;
use crate::error::{Result, StatsError};
use crate::matrix::ScoreMatrix;
use crate::pairs::{PairTest, check_pairs};
use crate::pool;
use crate::random::{MOST_REPLICATES, Resampling, Stream};
use crate::sample::scale_for;

/// Significant differences among all pairs of systems.
#[derive(Clone, Debug, PartialEq)]
pub struct DiscriminativePower {
    /// Number of pairs.
    pub pairs: usize,
    /// Pairs with a p below alpha.
    pub significant: usize,
    /// Their proportion.
    pub power: f64,
    /// All p in descending order: the curve of achieved significance levels.
    pub curve: Vec<f64>,
    /// The largest difference that is not significant. `None` if all are significant.
    pub largest_insignificant: Option<f64>,
    /// The smallest difference that is significant. `None` if none is.
    pub smallest_significant: Option<f64>,
}

/// Discriminative power of a measure at `alpha`, from a test of all pairs of systems.
///
/// ```
/// use cranfield_stats::discriminative::discriminative_power;
/// use cranfield_stats::{ScoreMatrix, tukey};
/// let scores = ScoreMatrix::new(&[[1.0, 2.0, 3.0], [3.0, 4.0, 8.0], [1.0, 2.0, 4.0]])?;
/// let found = discriminative_power(&tukey::paired(&scores, 0.95)?.pairs, 0.05)?;
/// // Of the means 2, 5 and 7/3 only 2 and 7/3 do not differ.
/// assert_eq!((found.pairs, found.significant), (3, 2));
/// assert!((found.largest_insignificant.unwrap() - 1.0 / 3.0).abs() < 1e-12);
/// assert!((found.smallest_significant.unwrap() - 8.0 / 3.0).abs() < 1e-12);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn discriminative_power(tests: &[PairTest], alpha: f64) -> Result<DiscriminativePower> {
    let alpha = 1.0 - check_level(1.0 - alpha)?;
    if tests.is_empty() {
        return Err(StatsError::Empty);
    }
    let mut curve: Vec<f64> = tests.iter().map(|test| test.p).collect();
    curve.sort_unstable_by(f64::total_cmp);
    curve.reverse();
    let size = |test: &PairTest| test.difference.abs();
    let (yes, no): (Vec<_>, Vec<_>) = tests.iter().partition(|test| test.p < alpha);
    Ok(DiscriminativePower {
        pairs: tests.len(),
        significant: yes.len(),
        power: yes.len() as f64 / tests.len() as f64,
        curve,
        largest_insignificant: no.into_iter().map(size).max_by(f64::total_cmp),
        smallest_significant: yes.into_iter().map(size).min_by(f64::total_cmp),
    })
}

/// Pairs of systems whose difference on one half of the topics fell into one bin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SwapBin {
    /// How often a pair fell into the bin.
    pub pairs: u64,
    /// How often the other half reversed their order.
    pub swapped: u64,
}

impl SwapBin {
    /// The swap rate; `None` for an empty bin.
    pub fn rate(&self) -> Option<f64> {
        (self.pairs > 0).then(|| self.swapped as f64 / self.pairs as f64)
    }
}

/// Swap rates by size of the difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Swaps {
    /// Bin b has differences from b times this width to less than b + 1 times.
    pub width: f64,
    /// Topics of each half.
    pub size: usize,
    /// The bins, up to the last with a pair.
    pub bins: Vec<SwapBin>,
}

impl Swaps {
    /// The smallest difference from which no bin has a swap rate above `rate`; `None` if the last bin has one.
    pub fn sure_difference(&self, rate: f64) -> Option<f64> {
        let above = |bin: &SwapBin| bin.rate().is_some_and(|found| found > rate);
        let first_sure = self.bins.iter().rposition(above).map_or(0, |last| last + 1);
        (first_sure < self.bins.len()).then_some(first_sure as f64 * self.width)
    }

    /// The swap rate over all bins.
    pub fn overall(&self) -> Option<f64> {
        let all = self
            .bins
            .iter()
            .fold(SwapBin::default(), |all, bin| SwapBin {
                pairs: all.pairs + bin.pairs,
                swapped: all.swapped + bin.swapped,
            });
        all.rate()
    }
}

/// Maximum number of bins.
const MOST_BINS: usize = 10_000;
/// Replicates per stream of random numbers.
const BLOCK: usize = 16;

/// Swap rates. Each replicate draws two disjoint sets of `size` topics, puts all pairs of systems into bins by their difference of means
/// on the first, and counts a swap where the second has the opposite sign. A difference of 0 is never swapped.
///
/// ```
/// use cranfield_stats::discriminative::swap_rates;
/// use cranfield_stats::random::Resampling;
/// use cranfield_stats::ScoreMatrix;
/// // The first system wins by 0.1 on every topic.
/// let scores = ScoreMatrix::new(&[[0.5, 0.3, 0.2, 0.9], [0.4, 0.2, 0.1, 0.8]])?;
/// let swaps = swap_rates(&scores, 2, 0.03, Resampling { replicates: 10, seed: 1 })?;
/// assert_eq!(swaps.bins.len(), 4);
/// assert_eq!((swaps.bins[3].pairs, swaps.bins[3].swapped), (10, 0));
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn swap_rates(
    scores: &ScoreMatrix,
    size: usize,
    width: f64,
    resampling: Resampling,
) -> Result<Swaps> {
    check_pairs(scores, 2)?;
    let resampling = resampling.checked(MOST_REPLICATES)?;
    if size == 0 || scores.topics() < size.saturating_mul(2) {
        return Err(StatsError::Setting {
            name: "size of a half",
            value: size as f64,
            expected: "a number from 1 to half the number of topics",
        });
    }
    let grid = Grid::new(scores, size, width)?;
    let blocks = 0..resampling.replicates.div_ceil(BLOCK);
    let zero = || vec![SwapBin::default(); grid.bins];
    let count = |block: usize| {
        let mut bins = zero();
        let mut stream = Stream::new(resampling.seed, block as u64);
        for _ in 0..BLOCK.min(resampling.replicates - block * BLOCK) {
            grid.count(&draw(scores.topics(), size, &mut stream), &mut bins);
        }
        bins
    };
    let add = |mut left: Vec<SwapBin>, right: Vec<SwapBin>| {
        for (sum, bin) in left.iter_mut().zip(right) {
            sum.pairs += bin.pairs;
            sum.swapped += bin.swapped;
        }
        left
    };
    let counted = blocks.into_par_iter().map(count);
    let mut bins = pool::run(|| counted.reduce(zero, add));
    let used = bins
        .iter()
        .rposition(|bin| bin.pairs > 0)
        .map_or(0, |last| last + 1);
    bins.truncate(used);
    Ok(Swaps { width, size, bins })
}

/// Two disjoint sets of topics, as the first and the second half of one list.
fn draw(topics: usize, size: usize, stream: &mut Stream) -> Vec<usize> {
    let mut order: Vec<usize> = (0..topics).collect();
    for at in 0..2 * size {
        let other = at + stream.index((topics - at) as u32);
        order.swap(at, other);
    }
    order.truncate(2 * size);
    order
}

/// Scores on a decimal grid, so that sums do not depend on their order.
struct Grid {
    rows: Vec<Vec<i64>>,
    /// Width of a bin, as a sum of units over the topics of a half.
    width: f64,
    bins: usize,
    /// Sums that differ by at most this are equal up to rounding.
    slack: i64,
}

impl Grid {
    fn new(scores: &ScoreMatrix, size: usize, width: f64) -> Result<Self> {
        let scale = scale_for(scores.rows().flatten().copied(), scores.topics());
        let unit = |score: &f64| (score * scale).round() as i64;
        let rows: Vec<Vec<i64>> = scores
            .rows()
            .map(|row| row.iter().map(unit).collect())
            .collect();
        let all = || rows.iter().flatten().copied();
        let range = all().max().unwrap_or(0) - all().min().unwrap_or(0);
        let bins = (range as f64 / scale / width).floor() + 2.0;
        if !(width > 0.0 && bins <= MOST_BINS as f64) {
            return Err(StatsError::Setting {
                name: "width of a bin",
                value: width,
                expected: "a positive number that gives at most 10,000 bins",
            });
        }
        Ok(Self {
            width: width * scale * size as f64,
            bins: bins as usize,
            slack: (2 * size as u64).cast_signed(),
            rows,
        })
    }

    fn count(&self, drawn: &[usize], bins: &mut [SwapBin]) {
        let (first, second) = drawn.split_at(drawn.len() / 2);
        let sums = |topics: &[usize]| -> Vec<i64> {
            let sum = |row: &Vec<i64>| topics.iter().map(|&topic| row[topic]).sum();
            self.rows.iter().map(sum).collect()
        };
        let (first, second) = (sums(first), sums(second));
        for i in 0..first.len() {
            for j in i + 1..first.len() {
                let (one, other) = (first[i] - first[j], second[i] - second[j]);
                let real = one.abs() > self.slack && other.abs() > self.slack;
                // A difference on the edge of a bin, up to rounding, belongs to the upper bin.
                let bin = ((one.abs() + self.slack) as f64 / self.width) as usize;
                let bin = &mut bins[bin.min(self.bins - 1)];
                bin.pairs += 1;
                bin.swapped += u64::from(real && (one > 0) != (other > 0));
            }
        }
    }
}

/// Stability of comparisons over sets of topics (Buckley and Voorhees).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// Proportion of decisions that are in the minority of their pair.
    pub error_rate: f64,
    /// Proportion of ties: a relative difference of at most the fuzziness.
    pub tie_rate: f64,
    /// Total number of comparisons.
    pub decisions: u64,
}

/// Error and tie rates over random sets of `size` topics. Two systems are tied on a set when their means differ by at most `fuzziness`
/// times the larger of them.
///
/// ```text
/// error = sum over pairs of min(A > B, A < B) / decisions,  ties = sum over pairs of (A = B) / decisions
/// ```
///
/// ```
/// use cranfield_stats::discriminative::stability;
/// use cranfield_stats::random::Resampling;
/// use cranfield_stats::ScoreMatrix;
/// let scores = ScoreMatrix::new(&[[0.5, 0.3, 0.2, 0.9], [0.4, 0.2, 0.1, 0.8]])?;
/// let found = stability(&scores, 2, 0.05, Resampling { replicates: 10, seed: 1 })?;
/// assert_eq!((found.error_rate, found.tie_rate, found.decisions), (0.0, 0.0, 10));
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn stability(
    scores: &ScoreMatrix,
    size: usize,
    fuzziness: f64,
    resampling: Resampling,
) -> Result<Stability> {
    check_pairs(scores, 1)?;
    let resampling = resampling.checked(MOST_REPLICATES)?;
    let setting = |name, value, expected| StatsError::Setting {
        name,
        value,
        expected,
    };
    if size == 0 || size > scores.topics() {
        let expected = "a number from 1 to the number of topics";
        return Err(setting("size of a set", size as f64, expected));
    }
    if !(0.0..1.0).contains(&fuzziness) {
        return Err(setting(
            "fuzziness",
            fuzziness,
            "a number from 0 to less than 1",
        ));
    }
    let scale = scale_for(scores.rows().flatten().copied(), scores.topics());
    let pairs: Vec<(usize, usize)> = scores.pairs().collect();
    // Wins of the first and of the second system of each pair.
    let mut wins = vec![(0_u64, 0_u64); pairs.len()];
    for replicate in 0..resampling.replicates {
        let mut stream = Stream::new(resampling.seed, replicate as u64);
        let mut topics: Vec<usize> = (0..scores.topics()).collect();
        for at in 0..size {
            topics.swap(at, at + stream.index((scores.topics() - at) as u32));
        }
        let sum = |row: &[f64]| {
            let units = topics[..size]
                .iter()
                .map(|&topic| (row[topic] * scale).round() as i64);
            units.sum::<i64>()
        };
        let sums: Vec<i64> = scores.rows().map(sum).collect();
        for (&(i, j), wins) in pairs.iter().zip(&mut wins) {
            let largest = sums[i].abs().max(sums[j].abs()) as f64;
            let difference = (sums[i] - sums[j]) as f64;
            if difference.abs() > fuzziness * largest + 2.0 * size as f64 {
                wins.0 += u64::from(difference > 0.0);
                wins.1 += u64::from(difference < 0.0);
            }
        }
    }
    let decisions = (pairs.len() * resampling.replicates) as u64;
    let wrong: u64 = wins.iter().map(|&(first, second)| first.min(second)).sum();
    let decided: u64 = wins.iter().map(|&(first, second)| first + second).sum();
    Ok(Stability {
        error_rate: wrong as f64 / decisions as f64,
        tie_rate: (decisions - decided) as f64 / decisions as f64,
        decisions,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anova::tests::{near, sakai};
    use crate::testing::on_threads;

    const SETTINGS: Resampling = Resampling {
        replicates: 2000,
        seed: 9,
    };

    #[test]
    fn curve_of_sakais_systems() {
        let tukey = crate::tukey::paired(&sakai(), 0.95).unwrap();
        let found = discriminative_power(&tukey.pairs, 0.1).unwrap();
        assert_eq!(found.significant, 1);
        near(found.power, 1.0 / 3.0, 1e-15);
        near(found.curve[0], 0.854_963_181_1, 1e-10);
        near(found.curve[2], 0.095_686_847_1, 1e-10);
        near(found.largest_insignificant.unwrap(), 0.075, 1e-12);
        near(found.smallest_significant.unwrap(), 0.1, 1e-12);
        assert!(discriminative_power(&[], 0.05).is_err());
        assert!(discriminative_power(&tukey.pairs, 1.0).is_err());
    }

    /// Two topics, sets of one: system 0 wins by 0.3 on one topic and loses by 0.1 on the other. Whichever comes first, the other half
    /// reverses their order, so both bins always swap.
    #[test]
    fn halves_that_always_swap() {
        let scores = ScoreMatrix::new(&[[0.4, 0.1], [0.1, 0.2]]).unwrap();
        let swaps = swap_rates(&scores, 1, 0.1, SETTINGS).unwrap();
        assert_eq!(swaps.bins.len(), 4);
        for bin in [1, 3] {
            assert_eq!(swaps.bins[bin].rate(), Some(1.0));
            assert!(swaps.bins[bin].pairs.abs_diff(1000) < 120);
        }
        assert_eq!(swaps.bins[2].rate(), None);
        assert_eq!(swaps.sure_difference(0.05), None);
        assert_eq!(swaps.overall(), Some(1.0));
    }

    #[test]
    fn results_do_not_depend_on_threads() {
        let run = |threads| {
            on_threads(threads, || {
                swap_rates(&sakai(), 10, 0.01, SETTINGS).unwrap()
            })
        };
        assert_eq!(run(1), run(2));
        let total: u64 = run(1).bins.iter().map(|bin| bin.pairs).sum();
        assert_eq!(total, 3 * 2000);
    }

    /// On all topics at once every decision is the same; ties come with the fuzziness.
    #[test]
    fn stable_on_all_topics() {
        let found = stability(&sakai(), 20, 0.0, SETTINGS).unwrap();
        assert_eq!((found.error_rate, found.tie_rate), (0.0, 0.0));
        let found = stability(&sakai(), 20, 0.99, SETTINGS).unwrap();
        assert_eq!(found.tie_rate, 1.0);
        let few = stability(&sakai(), 3, 0.0, SETTINGS).unwrap();
        assert!(few.error_rate > 0.1 && few.error_rate < 0.5);
    }

    #[test]
    fn invalid_settings_are_errors() {
        assert!(swap_rates(&sakai(), 11, 0.01, SETTINGS).is_err());
        assert!(swap_rates(&sakai(), 0, 0.01, SETTINGS).is_err());
        for width in [0.0, -1.0, f64::NAN, 1e-9] {
            assert!(swap_rates(&sakai(), 5, width, SETTINGS).is_err());
        }
        assert!(stability(&sakai(), 21, 0.0, SETTINGS).is_err());
        assert!(stability(&sakai(), 5, 1.0, SETTINGS).is_err());
    }
}
