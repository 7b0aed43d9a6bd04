//! Ranks of systems over resampled topics.

use rayon::prelude::*;

use super::{BLOCK, topic_count};
use crate::common::check_level;
use crate::error::{Result, at_most};
use crate::matrix::ScoreMatrix;
use crate::pool;
use crate::progress::{Progress, Watched};
use crate::random::{MOST_REPLICATES, Resampling, Stream};
use crate::sample::{mean, scale_for};

/// Rank of a system, with its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct RankInterval {
    /// Mean score.
    pub mean: f64,
    /// 1 + number of systems with a greater mean.
    pub rank: usize,
    /// The best rank of the interval: the quantile over resampled topics, rounded outwards to a rank that occurred.
    pub lowest: usize,
    /// The worst rank of the interval.
    pub highest: usize,
    /// Confidence of the interval.
    pub level: f64,
    /// Probability of being best: the proportion of resamples in which the system ranks first, divided among ties.
    pub best: f64,
}

/// Maximum number of systems of [`rank_intervals`], which counts every rank of every system.
pub const MOST_SYSTEMS: usize = 2000;

/// Ranks of systems by mean score, with intervals over resampled topics.
///
/// ```
/// use cranfield_stats::{ScoreMatrix, bootstrap::rank_intervals, random::Resampling};
/// let scores = ScoreMatrix::new(&[[0.9, 0.8, 0.9], [0.1, 0.2, 0.1], [0.9, 0.8, 0.9]])?;
/// let ranks = rank_intervals(&scores, 0.95, Resampling::default())?;
/// assert_eq!((ranks[1].rank, ranks[1].lowest, ranks[1].highest), (3, 3, 3));
/// assert_eq!((ranks[0].rank, ranks[0].best), (1, 0.5));
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn rank_intervals<'w>(
    scores: &ScoreMatrix,
    level: f64,
    resampling: impl Into<Watched<'w>>,
) -> Result<Vec<RankInterval>> {
    let Watched {
        resampling,
        watcher,
    } = resampling.into();
    check_level(level)?;
    let Resampling { replicates, seed } = resampling.checked(MOST_REPLICATES)?;
    let systems = scores.systems();
    at_most("systems", systems, MOST_SYSTEMS, "compare fewer systems")?;
    let count = topic_count(scores.topics())?;
    let sums = Sums::of(scores);
    let everything = vec![1.0; scores.topics()];
    let observed = sums.ranks(&everything);
    let progress = Progress::new(watcher, replicates);
    let block = |number: usize| {
        let mut stream = Stream::new(seed, number as u64);
        let size = (replicates - number * BLOCK).min(BLOCK);
        let mut tally = RankTally::new(systems);
        let mut times = vec![0.0; scores.topics()];
        for _ in 0..size {
            times.fill(0.0);
            for _ in 0..count {
                times[stream.index(count)] += 1.0;
            }
            tally.add(&sums.ranks(&times));
        }
        progress.add(size);
        tally
    };
    let blocks = (0..replicates.div_ceil(BLOCK)).into_par_iter();
    let tally = pool::run(|| {
        blocks
            .map(block)
            .reduce(|| RankTally::new(systems), RankTally::join)
    });
    let rank_of = |system: usize| {
        let (lowest, highest) = tally.ends(system, replicates as u64, level);
        RankInterval {
            mean: mean(scores.row(system)).unwrap_or(0.0),
            rank: observed[system],
            lowest,
            highest,
            level,
            best: tally.best(system, replicates as u64),
        }
    };
    Ok((0..systems).map(rank_of).collect())
}

/// Scores as whole numbers in `f64`, whose sums are exact.
struct Sums {
    units: Vec<Vec<f64>>,
    slack: f64,
}

impl Sums {
    fn of(scores: &ScoreMatrix) -> Self {
        let scale = scale_for(scores.rows().flatten().copied(), scores.topics());
        let row = |row: &[f64]| row.iter().map(|score| (score * scale).round()).collect();
        Self {
            units: scores.rows().map(row).collect(),
            slack: scores.topics() as f64,
        }
    }

    /// 1 + number of systems with a greater sum, where `times` are the weights of the topics.
    fn ranks(&self, times: &[f64]) -> Vec<usize> {
        let sum = |row: &Vec<f64>| {
            row.iter()
                .zip(times)
                .map(|(unit, times)| unit * times)
                .sum()
        };
        let sums: Vec<f64> = self.units.iter().map(sum).collect();
        let mut sorted = sums.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let rank = |sum: &f64| {
            let not_greater = sorted.partition_point(|other| *other <= sum + self.slack);
            1 + sums.len() - not_greater
        };
        sums.iter().map(rank).collect()
    }
}

/// Counts of ranks by system, and of shared first places.
struct RankTally {
    systems: usize,
    /// By system and rank.
    ranks: Vec<u64>,
    /// By system and number of systems in the first place.
    firsts: Vec<u64>,
}

impl RankTally {
    fn new(systems: usize) -> Self {
        Self {
            systems,
            ranks: vec![0; systems * systems],
            firsts: vec![0; systems * systems],
        }
    }

    fn add(&mut self, ranks: &[usize]) {
        let sharing = ranks.iter().filter(|&&rank| rank == 1).count();
        for (system, &rank) in ranks.iter().enumerate() {
            self.ranks[system * self.systems + rank - 1] += 1;
            if rank == 1 {
                self.firsts[system * self.systems + sharing - 1] += 1;
            }
        }
    }

    fn join(mut self, other: Self) -> Self {
        let add = |sums: &mut Vec<u64>, more: Vec<u64>| {
            sums.iter_mut()
                .zip(more)
                .for_each(|(sum, more)| *sum += more);
        };
        add(&mut self.ranks, other.ranks);
        add(&mut self.firsts, other.firsts);
        self
    }

    fn row<'a>(&self, counts: &'a [u64], system: usize) -> &'a [u64] {
        &counts[system * self.systems..(system + 1) * self.systems]
    }

    /// The least rank that at most α/2 of the replicates fall below, and the greatest that at most α/2 exceed.
    fn ends(&self, system: usize, replicates: u64, level: f64) -> (usize, usize) {
        let tail = 0.5 * (1.0 - level) * replicates as f64;
        let row = self.row(&self.ranks, system);
        let reach = |counts: &mut dyn Iterator<Item = &u64>| {
            let mut sum = 0;
            counts
                .take_while(|&&count| {
                    sum += count;
                    sum as f64 <= tail
                })
                .count()
        };
        (
            reach(&mut row.iter()) + 1,
            self.systems - reach(&mut row.iter().rev()),
        )
    }

    fn best(&self, system: usize, replicates: u64) -> f64 {
        let row = self.row(&self.firsts, system);
        let shares = row.iter().enumerate();
        let sum: f64 = shares
            .map(|(others, &count)| count as f64 / (others + 1) as f64)
            .sum();
        sum / replicates as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{A, B, C, RESAMPLING, within};

    #[test]
    fn ranks() {
        let scores = ScoreMatrix::new(&[A, B, C]).unwrap();
        let ranks = rank_intervals(&scores, 0.95, RESAMPLING).unwrap();
        let places: Vec<usize> = ranks.iter().map(|system| system.rank).collect();
        assert_eq!(places, [1, 2, 3]);
        within(ranks.iter().map(|system| system.best).sum(), 1.0, 1e-12);
        assert!(
            ranks
                .iter()
                .all(|system| (system.lowest..=system.highest).contains(&system.rank))
        );
        assert!(ranks[0].best > 0.8, "{}", ranks[0].best);
        assert_eq!((ranks[2].lowest, ranks[2].highest), (1, 3));
    }
}
