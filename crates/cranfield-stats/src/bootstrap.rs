//! The bootstrap: topics drawn again and again, with replacement.

use rayon::prelude::*;

use crate::common::{Alternative, Degenerate, Interval, check_level};
use crate::distributions::{normal_cdf, normal_quantile};
use crate::error::{Result, StatsError};
use crate::matrix::ScoreMatrix;
use crate::paired_t::{Moments, p_of_constant};
use crate::random::{MOST_REPLICATES, Resampling, Stream};
use crate::sample::{Quantised, check_count, check_finite, differences, mean, scale_for};

/// Most replicates of a statistic, as all of their values are kept: 10 million.
pub const MOST_KEPT: usize = 10_000_000;

/// Replicates that draw from one stream.
const BLOCK: usize = 64;

/// How an interval is made from the replicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Quantiles of the replicates.
    Percentile,
    /// Quantiles mirrored at the estimate: 2 estimate - quantile.
    Basic,
    /// Quantiles corrected for bias and skewness (bias-corrected and accelerated).
    #[default]
    Bca,
}

impl Method {
    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Percentile => "percentile",
            Self::Basic => "basic",
            Self::Bca => "BCa",
        }
    }
}

/// Estimate of a statistic and its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    /// The statistic of the topics as they are.
    pub estimate: f64,
    /// Its interval; `None` when the replicates do not allow one, see [`interval`].
    pub interval: Option<Interval>,
    /// Standard deviation of the replicates.
    pub standard_error: f64,
    /// How the interval was made.
    pub method: Method,
    /// Replicates with a value.
    pub defined: usize,
    /// Number of replicates and seed.
    pub resampling: Resampling,
}

/// Interval of any statistic of topics, given as a function of the drawn topics, which may occur many times and are
/// counted from 0. Replicates without a value are left out and show in [`Bootstrap::defined`].
///
/// ```
/// use cranfield_stats::bootstrap::{Method, bootstrap};
/// use cranfield_stats::random::Resampling;
/// let scores = [0.2, 0.4, 0.4, 0.5, 0.9];
/// let mean = |topics: &[usize]| {
///     Some(topics.iter().map(|&topic| scores[topic]).sum::<f64>() / topics.len() as f64)
/// };
/// let result = bootstrap(5, mean, Method::Percentile, 0.95, Resampling::default())?;
/// assert!((result.estimate - 0.48).abs() < 1e-12);
/// // The standard error of a resampled mean is s / sqrt n with s over n: sqrt(0.0536 / 5) = 0.1035.
/// assert!((result.standard_error - 0.1035).abs() < 0.001);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
///
/// B. Efron and R. Tibshirani: An introduction to the bootstrap. Chapman and Hall 1993.
pub fn bootstrap(
    topics: usize,
    statistic: impl Fn(&[usize]) -> Option<f64> + Sync,
    method: Method,
    level: f64,
    resampling: Resampling,
) -> Result<Bootstrap> {
    check_level(level)?;
    let everything: Vec<usize> = (0..topics).collect();
    let estimate = match statistic(&everything) {
        Some(value) if value.is_finite() => value,
        other => {
            return Err(StatsError::Setting {
                name: "the statistic of all topics",
                value: other.unwrap_or(f64::NAN),
                expected: "a finite number",
            });
        }
    };
    let values = replicates(topics, &statistic, resampling)?;
    let without = |left_out: usize| {
        let rest: Vec<usize> = (0..topics).filter(|&topic| topic != left_out).collect();
        statistic(&rest)
    };
    let jackknife: Option<Vec<f64>> = match method {
        Method::Bca => (0..topics).into_par_iter().map(without).collect(),
        _ => None,
    };
    let jackknife = jackknife.unwrap_or_default();
    Ok(Bootstrap {
        estimate,
        interval: interval(estimate, &values, &jackknife, method, level)?,
        standard_error: crate::sample::standard_deviation(&values).unwrap_or(0.0),
        method,
        defined: values.len(),
        resampling,
    })
}

/// Interval of the mean of values.
pub fn bootstrap_mean(
    values: &[f64],
    method: Method,
    level: f64,
    resampling: Resampling,
) -> Result<Bootstrap> {
    check_finite(values)?;
    check_count(values, 2)?;
    let mean = |topics: &[usize]| {
        let sum: f64 = topics.iter().map(|&topic| values[topic]).sum();
        Some(sum / topics.len() as f64)
    };
    bootstrap(values.len(), mean, method, level, resampling)
}

/// Values of the statistic on resampled topics, by number of the replicate.
fn replicates(
    topics: usize,
    statistic: &(impl Fn(&[usize]) -> Option<f64> + Sync),
    resampling: Resampling,
) -> Result<Vec<f64>> {
    let Resampling { replicates, seed } = resampling.checked(MOST_KEPT)?;
    let count = topic_count(topics)?;
    let block = |number: usize| {
        let mut stream = Stream::new(seed, number as u64);
        let size = (replicates - number * BLOCK).min(BLOCK);
        let mut drawn = vec![0; topics];
        let mut values = Vec::with_capacity(size);
        for _ in 0..size {
            for topic in &mut drawn {
                *topic = stream.index(count);
            }
            values.extend(statistic(&drawn).filter(|value| value.is_finite()));
        }
        values
    };
    let blocks: Vec<Vec<f64>> = (0..replicates.div_ceil(BLOCK))
        .into_par_iter()
        .map(block)
        .collect();
    Ok(blocks.concat())
}

fn topic_count(topics: usize) -> Result<u32> {
    if topics == 0 {
        return Err(StatsError::Empty);
    }
    u32::try_from(topics).map_err(|_| StatsError::TooMany {
        what: "topics",
        found: topics,
        most: u32::MAX as usize,
        instead: "use fewer topics",
    })
}

/// Interval from the values of replicates, for those who resample themselves.
///
/// With the quantiles q of the replicates (between two of them, by interpolation) and α = 1 - level:
///
/// - percentile: q(α/2) to q(1 - α/2);
/// - basic: 2 estimate - q(1 - α/2) to 2 estimate - q(α/2);
/// - `BCa`: q(α1) to q(α2) with αi = Φ(z0 + (z0 + zi) / (1 - a (z0 + zi))), where zi are the normal quantiles of α/2 and
///   1 - α/2, z0 is the normal quantile of the share of replicates below the estimate (ties as halves), and
///   a = Σ u³ / (6 (Σ u²)^1.5) with the distances u of the jackknife values, one without each topic, from their mean.
///
/// `None` when there are no replicates, or when `BCa` is undefined: all replicates lie on one side of the estimate, or the
/// jackknife values are all the same while the replicates are not.
///
/// ```
/// use cranfield_stats::bootstrap::{Method, interval};
/// let replicates = [1.0, 2.0, 3.0, 4.0, 5.0];
/// let basic = interval(3.5, &replicates, &[], Method::Basic, 0.5)?.unwrap();
/// assert_eq!((basic.low, basic.high), (3.0, 5.0)); // 7 - 4 and 7 - 2
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn interval(
    estimate: f64,
    replicates: &[f64],
    jackknife: &[f64],
    method: Method,
    level: f64,
) -> Result<Option<Interval>> {
    check_level(level)?;
    check_finite(replicates)?;
    let mut sorted = replicates.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let (Some(least), Some(greatest)) = (sorted.first(), sorted.last()) else {
        return Ok(None);
    };
    if least == greatest && *least == estimate {
        let point = Interval {
            low: estimate,
            high: estimate,
            level,
        };
        return Ok(Some(point));
    }
    let tail = 0.5 * (1.0 - level);
    let of = |low: f64, high: f64| Interval { low, high, level };
    let at = |share: f64| quantile(&sorted, share);
    Ok(match method {
        Method::Percentile => Some(of(at(tail), at(1.0 - tail))),
        Method::Basic => Some(of(
            2.0 * estimate - at(1.0 - tail),
            2.0 * estimate - at(tail),
        )),
        Method::Bca => {
            let shares = corrected_shares(estimate, &sorted, jackknife, tail);
            shares.map(|(low, high)| of(at(low), at(high)))
        }
    })
}

/// The shares of which `BCa` takes the quantiles.
fn corrected_shares(
    estimate: f64,
    sorted: &[f64],
    jackknife: &[f64],
    tail: f64,
) -> Option<(f64, f64)> {
    let below = sorted.partition_point(|&value| value < estimate);
    let up_to = sorted.partition_point(|&value| value <= estimate);
    let bias = normal_quantile((below + up_to) as f64 / (2.0 * sorted.len() as f64));
    let center = mean(jackknife)?;
    let distances = || jackknife.iter().map(|value| center - value);
    let squares: f64 = distances().map(|u| u * u).sum();
    let cubes: f64 = distances().map(|u| u * u * u).sum();
    let acceleration = cubes / (6.0 * squares.powf(1.5));
    let share = |tail: f64| {
        let moved = bias + normal_quantile(tail);
        normal_cdf(bias + moved / (1.0 - acceleration * moved))
    };
    let (low, high) = (share(tail), share(1.0 - tail));
    (low.is_finite() && high.is_finite() && bias.is_finite()).then_some((low, high))
}

/// Quantile of ascending values, of which there are some, with interpolation between neighbours.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    let fraction = place - place.floor();
    sorted[below] + fraction * (sorted[above] - sorted[below])
}

/// What the bootstrap test compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Statistic {
    /// t of the resampled differences. A resample without variance has t = 0.
    #[default]
    Studentised,
    /// Mean of the resampled differences.
    Mean,
}

/// Result of [`bootstrap_test`].
#[derive(Clone, Debug, PartialEq)]
pub struct BootstrapTest {
    /// Number of topics.
    pub n: usize,
    /// Mean of the differences a - b.
    pub mean_difference: f64,
    /// What was compared.
    pub statistic: Statistic,
    /// What was held against no difference.
    pub alternative: Alternative,
    /// Replicates that reached the observed difference.
    pub reached: u64,
    /// p-value, (count + 1) / (B + 1).
    pub p: f64,
    /// Number of replicates and seed.
    pub resampling: Resampling,
    /// Set when all differences are the same.
    pub degenerate: Option<Degenerate>,
}

/// Bootstrap test of a against b by the shift method.
///
/// The differences, moved so that their mean is zero, are resampled B times. p = (count + 1) / (B + 1), where the count is
/// of resamples whose mean or t is at least as far out as the observed one. Sums are compared as whole numbers, with the
/// slack of [`Quantised`].
///
/// ```
/// use cranfield_stats::bootstrap::{Statistic, bootstrap_test};
/// use cranfield_stats::{Alternative, random::Resampling};
/// // Differences 1 and 3, moved: -1 and 1. Resampled means are -1, 0, 0, 1, and never reach 2.
/// let resampling = Resampling { replicates: 999, seed: 1 };
/// let (a, b) = ([1.0, 3.0], [0.0, 0.0]);
/// let test = bootstrap_test(&a, &b, Statistic::Mean, Alternative::TwoSided, resampling)?;
/// assert_eq!(test.p, 0.001);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
///
/// T. Sakai: Evaluating evaluation metrics based on the bootstrap. SIGIR 2006.
pub fn bootstrap_test(
    a: &[f64],
    b: &[f64],
    statistic: Statistic,
    alternative: Alternative,
    resampling: Resampling,
) -> Result<BootstrapTest> {
    let Resampling { replicates, seed } = resampling.checked(MOST_REPLICATES)?;
    let d = differences(a, b)?;
    let moments = Moments::of(&d)?;
    let count = topic_count(d.len())?;
    let shifted = Shifted::of(&Quantised::of(&d)?, statistic, alternative);
    let block = |number: usize| {
        let mut stream = Stream::new(seed, number as u64);
        let size = (replicates - number * BLOCK).min(BLOCK);
        (0..size)
            .filter(|_| shifted.reaches(&mut stream, count))
            .count() as u64
    };
    let blocks = (0..replicates.div_ceil(BLOCK)).into_par_iter();
    let (reached, p) = if moments.degenerate.is_some() {
        (0, p_of_constant(moments.mean, alternative))
    } else {
        let reached: u64 = blocks.map(block).sum();
        (reached, (reached as f64 + 1.0) / (replicates as f64 + 1.0))
    };
    Ok(BootstrapTest {
        n: d.len(),
        mean_difference: moments.mean,
        statistic,
        alternative,
        reached,
        p,
        resampling,
        degenerate: moments.degenerate,
    })
}

/// Differences moved to a mean of zero, as whole numbers of 1/n units, and what a resample must reach.
struct Shifted {
    values: Vec<i128>,
    statistic: Statistic,
    alternative: Alternative,
    /// n times the sum of the differences, in 1/n units, less the slack.
    least_sum: i128,
    /// The observed t as the alternative looks at it, less a rounding error.
    least_t: f64,
}

impl Shifted {
    fn of(grid: &Quantised, statistic: Statistic, alternative: Alternative) -> Self {
        let n = grid.units.len() as i128;
        let sum: i128 = grid.units.iter().map(|&unit| i128::from(unit)).sum();
        let values: Vec<i128> = grid
            .units
            .iter()
            .map(|&unit| n * i128::from(unit) - sum)
            .collect();
        let observed = towards(n * sum, alternative);
        let squares: f64 = values.iter().map(|&value| (value as f64).powi(2)).sum();
        let t = observed as f64 / squares.sqrt();
        Self {
            values,
            statistic,
            alternative,
            least_sum: observed - n * n,
            least_t: t - 1e-9 * t.abs(),
        }
    }

    /// Draws one resample and compares. Of t only the part that depends on the resample is computed: the sum over the
    /// square root of the squared distances from the mean.
    fn reaches(&self, stream: &mut Stream, count: u32) -> bool {
        let (mut sum, mut squares) = (0_i128, 0.0_f64);
        for _ in 0..count {
            let value = self.values[stream.index(count)];
            sum += value;
            squares += (value as f64).powi(2);
        }
        let towards = towards(sum, self.alternative);
        match self.statistic {
            Statistic::Mean => towards >= self.least_sum,
            Statistic::Studentised => {
                let spread = squares - (sum as f64).powi(2) / f64::from(count);
                let flat = spread <= 1e-12 * squares;
                let t = if flat {
                    0.0
                } else {
                    towards as f64 / spread.sqrt()
                };
                t >= self.least_t
            }
        }
    }
}

fn towards(sum: i128, alternative: Alternative) -> i128 {
    match alternative {
        Alternative::TwoSided => sum.abs(),
        Alternative::Greater => sum,
        Alternative::Less => -sum,
    }
}

/// Rank of a system and how sure it is.
#[derive(Clone, Debug, PartialEq)]
pub struct RankInterval {
    /// Mean score.
    pub mean: f64,
    /// 1 + number of systems with a greater mean.
    pub rank: usize,
    /// Quantiles of the rank over resampled topics, rounded outwards to ranks that occurred.
    pub lowest: usize,
    /// The other end: the worst rank.
    pub highest: usize,
    /// Confidence of the interval.
    pub level: f64,
    /// Share of resamples in which the system is best; systems that share the first place share it equally.
    pub best: f64,
}

/// Most systems of [`rank_intervals`], which counts every rank of every system.
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
pub fn rank_intervals(
    scores: &ScoreMatrix,
    level: f64,
    resampling: Resampling,
) -> Result<Vec<RankInterval>> {
    check_level(level)?;
    let Resampling { replicates, seed } = resampling.checked(MOST_REPLICATES)?;
    let systems = scores.systems();
    if systems > MOST_SYSTEMS {
        return Err(StatsError::TooMany {
            what: "systems",
            found: systems,
            most: MOST_SYSTEMS,
            instead: "leave out those that are far from the question",
        });
    }
    let count = topic_count(scores.topics())?;
    let sums = Sums::of(scores);
    let everything = vec![1.0; scores.topics()];
    let observed = sums.ranks(&everything);
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
        tally
    };
    let tally = (0..replicates.div_ceil(BLOCK))
        .into_par_iter()
        .map(block)
        .reduce(|| RankTally::new(systems), RankTally::join);
    let rank_of = |system: usize| {
        let (lowest, highest) = tally.ends(system, replicates as u64, level);
        RankInterval {
            mean: scores.row(system).iter().sum::<f64>() / f64::from(count),
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

    /// 1 + number of systems whose sum is greater, when each topic counts so many times.
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

/// How often each system had each rank, and shared the first with how many.
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
    use crate::testing::{A, B, C, within};

    const RESAMPLING: Resampling = Resampling {
        replicates: 20_000,
        seed: 42,
    };

    #[test]
    fn sakai_shift_test() {
        let p = |statistic| {
            bootstrap_test(&A, &B, statistic, Alternative::TwoSided, RESAMPLING)
                .unwrap()
                .p
        };
        within(p(Statistic::Studentised), 0.049, 0.005);
        within(p(Statistic::Mean), 0.035, 0.005);
    }

    #[test]
    fn bca_by_hand() {
        // Half of the replicates lie below the estimate and the jackknife is symmetric: no bias, no acceleration.
        let replicates: Vec<f64> = (0..=100).map(f64::from).collect();
        let bca = interval(50.0, &replicates, &[1.0, 2.0, 3.0], Method::Bca, 0.9);
        let bca = bca.unwrap().unwrap();
        within(bca.low, 5.0, 1e-9);
        within(bca.high, 95.0, 1e-9);
        // Everything below the estimate: z0 is infinite.
        let none = interval(500.0, &replicates, &[1.0, 2.0, 3.0], Method::Bca, 0.9);
        assert_eq!(none.unwrap(), None);
        let flat = interval(50.0, &replicates, &[1.0, 1.0], Method::Bca, 0.9);
        assert_eq!(flat.unwrap(), None);
    }

    #[test]
    fn constant_values() {
        for method in [Method::Percentile, Method::Basic, Method::Bca] {
            let result = bootstrap_mean(&[0.5; 4], method, 0.95, RESAMPLING).unwrap();
            let interval = result.interval.unwrap();
            assert_eq!((interval.low, interval.high), (0.5, 0.5));
        }
        let test = |a: &[f64], b: &[f64]| {
            bootstrap_test(a, b, Statistic::Mean, Alternative::TwoSided, RESAMPLING).unwrap()
        };
        assert_eq!(test(&A, &A).p, 1.0);
        assert_eq!(
            test(&[1.0, 2.0], &[0.5, 1.5]).degenerate,
            Some(Degenerate::Constant)
        );
    }

    #[test]
    fn statistics_without_a_value_are_counted() {
        let first_only = |topics: &[usize]| topics.contains(&0).then_some(1.0);
        let result = bootstrap(2, first_only, Method::Percentile, 0.9, RESAMPLING).unwrap();
        within(result.defined as f64 / 20_000.0, 0.75, 0.02);
        let never = |_: &[usize]| None;
        assert!(bootstrap(2, never, Method::Percentile, 0.9, RESAMPLING).is_err());
        assert!(bootstrap(0, |_: &[usize]| Some(1.0), Method::Basic, 0.9, RESAMPLING).is_err());
    }

    #[test]
    fn threads_change_nothing() {
        let scores = ScoreMatrix::new(&[A, B, C]).unwrap();
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| {
                (
                    rank_intervals(&scores, 0.95, RESAMPLING).unwrap(),
                    bootstrap_mean(&A, Method::Bca, 0.95, RESAMPLING).unwrap(),
                )
            })
        };
        assert_eq!(with(1), with(2));
    }

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

    #[test]
    fn quantiles_interpolate() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), 3.0);
        assert_eq!(quantile(&[7.0], 0.3), 7.0);
    }
}
