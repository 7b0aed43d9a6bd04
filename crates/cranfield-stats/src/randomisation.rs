//! Fisher's randomisation test: the differences with every sign they might have had.

use rayon::prelude::*;

use crate::common::{Alternative, Degenerate};
use crate::error::{Result, StatsError};
use crate::matrix::ScoreMatrix;
use crate::random::{MOST_REPLICATES, Resampling, Stream};
use crate::sample::{Quantised, differences, scale_for};

/// Most differences other than zero whose signs are all tried out, unless they lie on a coarse grid.
pub const MOST_EXACT: usize = 50;
/// Most of them for which [`Method::Auto`] is exact.
pub const AUTO_EXACT: usize = 40;

/// How p is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Exact where that takes a fraction of a second: differences on a coarse grid, or at most 40 that are not zero. Otherwise by
    /// random signs.
    Auto(Resampling),
    /// Over all signs; at most 50 differences that are not zero, or any number on a coarse grid.
    Exact,
    /// Over random signs.
    MonteCarlo(Resampling),
}

impl Default for Method {
    fn default() -> Self {
        Self::Auto(Resampling::default())
    }
}

/// How a p-value of a randomisation test came about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Signs {
    /// All signs were tried out.
    All,
    /// Random signs.
    Random {
        /// Number of replicates and seed.
        resampling: Resampling,
        /// How many replicates reached the observed difference.
        reached: u64,
        /// Standard error of p, sqrt(p (1 - p) / B).
        standard_error: f64,
    },
}

impl Signs {
    /// count / B, the p-value of programs that do not count the observed signs; `None` over all signs.
    pub fn share(&self) -> Option<f64> {
        match self {
            Self::All => None,
            Self::Random {
                resampling,
                reached,
                ..
            } => Some(*reached as f64 / resampling.replicates as f64),
        }
    }
}

/// Result of [`randomisation`].
#[derive(Clone, Debug, PartialEq)]
pub struct Randomisation {
    /// Number of topics.
    pub n: usize,
    /// Topics without a difference.
    pub zeros: usize,
    /// Mean of the differences a - b.
    pub mean_difference: f64,
    /// What was held against no difference.
    pub alternative: Alternative,
    /// p-value.
    pub p: f64,
    /// All signs, or random ones.
    pub signs: Signs,
    /// Set when all differences are zero.
    pub degenerate: Option<Degenerate>,
}

/// Randomisation test of a against b with the mean difference as statistic.
///
/// If the systems do not differ, each difference d had the other sign with the same probability. With the sum S of the
/// differences and the sum S' after random signs, p = P(|S'| >= |S|) for two sides, P(S' >= S) or P(S' <= S) for one.
/// The t statistic is an increasing function of the sum as long as the squares stay the same, so it would give the same p.
///
/// Sums are compared on the grid of [`Quantised`] with a slack of n units, so that sums that are equal on paper are
/// equal here. Without that, close to half of the mass of ties is lost on coarse scores.
///
/// - Exact, on a coarse grid: the distribution of the sum, point by point.
/// - Exact otherwise: all sums of each half of the differences, in ascending order, met in the middle.
/// - By B random signs: p = (count + 1) / (B + 1).
///
/// ```
/// use cranfield_stats::randomisation::{Method, randomisation};
/// use cranfield_stats::Alternative;
/// // Differences 1, 2, 3: of 8 signs, +++ and --- reach a sum of 6.
/// let (a, b) = ([1.0, 2.0, 3.0], [0.0; 3]);
/// let test = randomisation(&a, &b, Method::Exact, Alternative::TwoSided)?;
/// assert_eq!(test.p, 0.25);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
///
/// R. A. Fisher: The design of experiments. Oliver and Boyd 1935. Meeting in the middle is due to E. Horowitz and S. Sahni:
/// Computing partitions with applications to the knapsack problem. Journal of the ACM 21, 1974.
pub fn randomisation(
    a: &[f64],
    b: &[f64],
    method: Method,
    alternative: Alternative,
) -> Result<Randomisation> {
    randomisation_of_differences(&differences(a, b)?, method, alternative)
}

/// The test of [`randomisation`] on differences.
pub fn randomisation_of_differences(
    d: &[f64],
    method: Method,
    alternative: Alternative,
) -> Result<Randomisation> {
    let grid = Quantised::of(d)?;
    let Some(mean_difference) = crate::sample::mean(d) else {
        return Err(StatsError::Empty);
    };
    let flips = Flips::of(&grid, alternative);
    let (p, signs) = match method {
        Method::Exact => (flips.exact(MOST_EXACT)?, Signs::All),
        Method::MonteCarlo(resampling) => flips.monte_carlo(resampling)?,
        Method::Auto(resampling) => match flips.exact(AUTO_EXACT) {
            Ok(p) => (p, Signs::All),
            Err(_) => flips.monte_carlo(resampling)?,
        },
    };
    Ok(Randomisation {
        n: d.len(),
        zeros: d.len() - flips.nonzero.len(),
        mean_difference,
        alternative,
        p,
        signs,
        degenerate: flips.nonzero.is_empty().then_some(Degenerate::Identical),
    })
}

/// Differences whose signs are flipped, and the sum to reach.
struct Flips {
    /// In units; those of zero do not matter, and the sign does not either.
    nonzero: Vec<i64>,
    /// All differences with their signs, for random signs that are shared with other pairs.
    units: Vec<i64>,
    /// A sum of this or more reaches the observed one.
    least: i64,
    alternative: Alternative,
}

impl Flips {
    fn of(grid: &Quantised, alternative: Alternative) -> Self {
        let sum: i64 = grid.units.iter().sum();
        Self {
            nonzero: grid
                .units
                .iter()
                .copied()
                .filter(|&unit| unit != 0)
                .collect(),
            units: grid.units.clone(),
            least: towards(sum, alternative) - grid.slack(),
            alternative,
        }
    }

    /// p over all signs, if there are at most so many differences or they lie on a coarse grid.
    fn exact(&self, most: usize) -> Result<f64> {
        let sizes: Vec<i64> = self.nonzero.iter().map(|unit| unit.abs()).collect();
        let upper = match coarse_tail(&sizes, self.least) {
            Some(upper) => upper,
            None if sizes.len() <= most => met_tail(&sizes, self.least),
            None => {
                return Err(StatsError::TooMany {
                    what: "differences that are not zero",
                    found: sizes.len(),
                    most,
                    instead: "use random signs for so many",
                });
            }
        };
        // The distribution of the sum is symmetric.
        Ok(match self.alternative {
            Alternative::TwoSided if self.least > 0 => 2.0 * upper,
            Alternative::TwoSided => 1.0,
            _ => upper,
        })
    }

    fn monte_carlo(&self, resampling: Resampling) -> Result<(f64, Signs)> {
        let scores = vec![
            self.units.iter().map(|&unit| unit as f64).collect(),
            vec![0.0; self.units.len()],
        ];
        let limits = [(0, 1, self.least as f64)];
        let reached = count_reached(&scores, &limits, self.alternative, resampling)?[0];
        Ok(random_p(reached, resampling))
    }
}

/// The observed sum as the alternative looks at it: the greater, the more is against the hypothesis.
fn towards(sum: i64, alternative: Alternative) -> i64 {
    match alternative {
        Alternative::TwoSided => sum.abs(),
        Alternative::Greater => sum,
        Alternative::Less => -sum,
    }
}

fn random_p(reached: u64, resampling: Resampling) -> (f64, Signs) {
    let replicates = resampling.replicates as f64;
    let p = (reached as f64 + 1.0) / (replicates + 1.0);
    let signs = Signs::Random {
        resampling,
        reached,
        standard_error: (p * (1.0 - p) / replicates).sqrt(),
    };
    (p, signs)
}

/// P(sum >= least) over all signs if the sizes lie on a coarse grid: the distribution of the sum of the sizes that are
/// positive, in multiples of their greatest common divisor. Probabilities are exact up to 53 sizes, and have rounding
/// errors of the last digits beyond.
fn coarse_tail(sizes: &[i64], least: i64) -> Option<f64> {
    const MOST_POINTS: i64 = 4_000_000;
    const MOST_WORK: i64 = 100_000_000;
    let divisor = sizes.iter().fold(0, |divisor, &size| gcd(divisor, size));
    if divisor == 0 {
        return Some(if least <= 0 { 1.0 } else { 0.0 });
    }
    let total: i64 = sizes.iter().sum();
    let points = total / divisor;
    if points > MOST_POINTS || points.saturating_mul(sizes.len().cast_signed() as i64) > MOST_WORK {
        return None;
    }
    let mut probability = vec![0.0_f64; points as usize + 1];
    probability[0] = 1.0;
    let mut reach = 0;
    for size in sizes.iter().map(|size| (size / divisor) as usize) {
        for at in (0..=reach).rev() {
            let half = 0.5 * probability[at];
            probability[at + size] += half;
            probability[at] = half;
        }
        reach += size;
    }
    // The sum over signs is 2 * positive - total: positive >= (total + least) / 2.
    let positive = (total + least).max(0) as u64;
    let first = positive.div_ceil(2 * divisor as u64) as usize;
    let tail = probability.get(first..).unwrap_or_default();
    Some(tail.iter().rev().sum::<f64>().min(1.0))
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// P(sum >= least) over all signs of at most 50 sizes, by meeting in the middle.
fn met_tail(sizes: &[i64], least: i64) -> f64 {
    /// Sizes whose signed sums are kept in a list: 2^23 sums, or 64 MiB.
    const LISTED: usize = 23;
    let (left, right) = sizes.split_at(sizes.len() / 2);
    let split = |half: &[i64]| {
        let (listed, fixed) = half.split_at(half.len().min(LISTED));
        (signed_sums(listed), signed_sums(fixed))
    };
    let ((left, left_fixed), (right, right_fixed)) = rayon::join(|| split(left), || split(right));
    let fixed: Vec<i64> = left_fixed
        .iter()
        .flat_map(|x| right_fixed.iter().map(move |y| x + y))
        .collect();
    let counts = fixed
        .par_iter()
        .map(|sum| pairs_reaching(&left, &right, least - sum));
    let count: u64 = counts.sum();
    count as f64 / (1_u64 << sizes.len()) as f64
}

/// The sums of the sizes with all signs, in ascending order: each size merges the list moved down with the list moved up.
fn signed_sums(sizes: &[i64]) -> Vec<i64> {
    let mut sums = vec![0];
    for &size in sizes {
        let mut merged = Vec::with_capacity(2 * sums.len());
        let (mut down, mut up) = (0, 0);
        // The upper list ends last, as sizes are positive.
        while down < sums.len() {
            let (low, high) = (sums[down] - size, sums[up] + size);
            let first = low <= high;
            merged.push(if first { low } else { high });
            down += usize::from(first);
            up += usize::from(!first);
        }
        merged.extend(sums[up..].iter().map(|sum| sum + size));
        sums = merged;
    }
    sums
}

/// Number of pairs of one sum of each ascending list that reach `least` together.
fn pairs_reaching(left: &[i64], right: &[i64], least: i64) -> u64 {
    let mut count = 0;
    // As the left sum grows, more of the right list reaches.
    let mut misses = right.len();
    for &sum in left {
        let wanted = least - sum;
        while misses > 0 && right[misses - 1] >= wanted {
            misses -= 1;
        }
        count += (right.len() - misses) as u64;
    }
    count
}

/// Result of [`randomisation_of_statistic`].
#[derive(Clone, Debug, PartialEq)]
pub struct StatisticRandomisation {
    /// Number of topics.
    pub n: usize,
    /// The statistic of the scores as they are.
    pub observed: f64,
    /// What was held against no difference.
    pub alternative: Alternative,
    /// p-value.
    pub p: f64,
    /// All exchanges of scores, or random ones.
    pub signs: Signs,
}

/// Most topics of which [`randomisation_of_statistic`] tries out all exchanges.
pub const MOST_EXCHANGED: usize = 16;

/// Randomisation test with any statistic of two systems that says how much better the first is, for example the
/// difference of medians.
///
/// The scores of each topic are exchanged between the systems or not: in all ways for at most 16 topics, otherwise in
/// random ways. p is the share of exchanges whose statistic reaches the observed one, (count + 1) / (B + 1) for random ones.
/// Values within 10^-9 of the observed one, relative to it or to 1 if that is more, reach it. An exchange for which the
/// statistic has no value counts as reaching, which makes p greater.
///
/// ```
/// use cranfield_stats::randomisation::{Method, randomisation_of_statistic};
/// use cranfield_stats::Alternative;
/// let greatest = |scores: &[f64]| scores.iter().copied().reduce(f64::max);
/// let statistic = |a: &[f64], b: &[f64]| Some(greatest(a)? - greatest(b)?);
/// // The greatest score is 9, and 3 without it: a has it in half of the exchanges.
/// let (a, b) = ([9.0, 2.0, 1.0], [3.0, 3.0, 3.0]);
/// let test = randomisation_of_statistic(&a, &b, statistic, Method::Exact, Alternative::Greater)?;
/// assert_eq!((test.observed, test.p), (6.0, 0.5));
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn randomisation_of_statistic(
    a: &[f64],
    b: &[f64],
    statistic: impl Fn(&[f64], &[f64]) -> Option<f64> + Sync,
    method: Method,
    alternative: Alternative,
) -> Result<StatisticRandomisation> {
    let n = differences(a, b)?.len();
    let finite = |a: &[f64], b: &[f64]| statistic(a, b).filter(|value| value.is_finite());
    let Some(observed) = finite(a, b) else {
        return Err(StatsError::Setting {
            name: "the statistic of the scores",
            value: f64::NAN,
            expected: "a finite number",
        });
    };
    let least = towards_value(observed, alternative) - 1e-9 * observed.abs().max(1.0);
    // One bit for each topic says whether its scores are exchanged.
    let reaches = |bits: &[u64]| {
        let exchanged = |topic: usize| bits[topic / 64] >> (topic % 64) & 1 == 1;
        let pick = |(topic, (&a, &b))| if exchanged(topic) { (b, a) } else { (a, b) };
        let (a, b): (Vec<f64>, Vec<f64>) = a.iter().zip(b).enumerate().map(pick).unzip();
        finite(&a, &b).is_none_or(|value| towards_value(value, alternative) >= least)
    };
    let (p, signs) = match drawn_exchanges(n, method)? {
        None => (share_of_all(n, reaches), Signs::All),
        Some(resampling) => random_p(count_drawn(n, resampling, reaches)?, resampling),
    };
    Ok(StatisticRandomisation {
        n,
        observed,
        alternative,
        p,
        signs,
    })
}

/// The replicates that the method asks for; `None` if all exchanges are tried out.
fn drawn_exchanges(n: usize, method: Method) -> Result<Option<Resampling>> {
    match method {
        Method::Exact if n > MOST_EXCHANGED => Err(StatsError::TooMany {
            what: "topics",
            found: n,
            most: MOST_EXCHANGED,
            instead: "use random exchanges for so many",
        }),
        Method::Exact => Ok(None),
        Method::Auto(_) if n <= MOST_EXCHANGED => Ok(None),
        Method::Auto(resampling) | Method::MonteCarlo(resampling) => Ok(Some(resampling)),
    }
}

fn share_of_all(n: usize, reaches: impl Fn(&[u64]) -> bool + Sync) -> f64 {
    let ways = 1_u64 << n;
    let reaching = (0..ways).into_par_iter().filter(|&way| reaches(&[way]));
    reaching.count() as f64 / ways as f64
}

fn count_drawn(
    n: usize,
    resampling: Resampling,
    reaches: impl Fn(&[u64]) -> bool + Sync,
) -> Result<u64> {
    let Resampling { replicates, seed } = resampling.checked(MOST_REPLICATES)?;
    let reaching = (0..replicates).into_par_iter().filter(|&number| {
        let mut stream = Stream::new(seed, number as u64);
        let bits: Vec<u64> = (0..n.div_ceil(64)).map(|_| stream.bits()).collect();
        reaches(&bits)
    });
    Ok(reaching.count() as u64)
}

fn towards_value(value: f64, alternative: Alternative) -> f64 {
    match alternative {
        Alternative::TwoSided => value.abs(),
        Alternative::Greater => value,
        Alternative::Less => -value,
    }
}

/// One pair of systems in a result of [`randomisation_of_pairs`].
#[derive(Clone, Debug, PartialEq)]
pub struct PairRandomisation {
    /// Place of the first system, a.
    pub first: usize,
    /// Place of the second system, b.
    pub second: usize,
    /// Mean of the differences a - b.
    pub mean_difference: f64,
    /// p-value, (count + 1) / (B + 1).
    pub p: f64,
    /// The replicates behind it.
    pub signs: Signs,
}

/// Randomisation tests of all pairs of systems by random signs.
///
/// One replicate draws a sign for each topic and uses it for all pairs: the sum of signed differences of two systems is
/// the difference of their signed sums, so that a replicate costs one sum per system and one comparison per pair. Each
/// pair has the p-value of its own test with the same seed. Scores are rounded to the grid one by one, so that the slack
/// is 2 n units.
///
/// ```
/// use cranfield_stats::randomisation::randomisation_of_pairs;
/// use cranfield_stats::{Alternative, ScoreMatrix, random::Resampling};
/// let scores = ScoreMatrix::new(&[[0.1, 0.2, 0.3], [0.0, 0.0, 0.0], [0.1, 0.2, 0.3]])?;
/// let pairs = randomisation_of_pairs(&scores, Resampling::default(), Alternative::TwoSided)?;
/// assert!((pairs[0].p - 0.25).abs() < 0.01);
/// assert_eq!((pairs[1].first, pairs[1].second, pairs[1].p), (0, 2, 1.0));
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn randomisation_of_pairs(
    scores: &ScoreMatrix,
    resampling: Resampling,
    alternative: Alternative,
) -> Result<Vec<PairRandomisation>> {
    scores.at_least(2, 1)?;
    let topics = scores.topics();
    // Twice the count, because a difference is as large as two scores.
    let scale = scale_for(scores.rows().flatten().copied(), 2 * topics);
    let units: Vec<Vec<f64>> = scores
        .rows()
        .map(|row| row.iter().map(|score| (score * scale).round()).collect())
        .collect();
    let totals: Vec<f64> = units.iter().map(|row| row.iter().sum()).collect();
    let slack = 2 * topics.cast_signed() as i64;
    let limit = |(first, second): (usize, usize)| {
        let sum = (totals[first] - totals[second]) as i64;
        let least = towards(sum, alternative) - slack;
        (first, second, least as f64)
    };
    let limits: Vec<(usize, usize, f64)> = scores.pairs().map(limit).collect();
    let reached = count_reached(&units, &limits, alternative, resampling)?;
    let pair = |(&(first, second, _), reached): (&(usize, usize, f64), u64)| {
        let (p, signs) = random_p(reached, resampling);
        let sum: f64 = scores
            .row(first)
            .iter()
            .zip(scores.row(second))
            .map(|(a, b)| a - b)
            .sum();
        PairRandomisation {
            first,
            second,
            mean_difference: sum / topics as f64,
            p,
            signs,
        }
    };
    Ok(limits.iter().zip(reached).map(pair).collect())
}

/// Replicates of one block, which are computed side by side: one sign bit each.
const LANES: usize = 64;

type Lanes = [f64; LANES];

/// For each pair, in how many replicates the difference of signed sums reaches its limit. Scores are whole numbers whose
/// sums are exact in `f64`, so no order of additions matters.
fn count_reached(
    scores: &[Vec<f64>],
    limits: &[(usize, usize, f64)],
    alternative: Alternative,
    resampling: Resampling,
) -> Result<Vec<u64>> {
    let Resampling { replicates, seed } = resampling.checked(MOST_REPLICATES)?;
    let topics = scores.first().map_or(0, Vec::len);
    let blocks = replicates.div_ceil(LANES);
    let nothing = || (Block::new(scores.len()), vec![0_u64; limits.len()]);
    let counted = (0..blocks)
        .into_par_iter()
        .with_min_len(16)
        .fold(nothing, |(mut block, mut counts), number| {
            block.add_up(scores, topics, &mut Stream::new(seed, number as u64));
            let lanes = (replicates - number * LANES).min(LANES);
            block.count(limits, alternative, lanes, &mut counts);
            (block, counts)
        })
        .map(|(_, counts)| counts);
    Ok(counted.reduce(|| vec![0; limits.len()], added))
}

fn added(mut left: Vec<u64>, right: Vec<u64>) -> Vec<u64> {
    for (sum, more) in left.iter_mut().zip(right) {
        *sum += more;
    }
    left
}

/// Topics whose signs are drawn at a time, so that they stay in the cache.
const TOPICS_AT_A_TIME: usize = 512;

/// Signs of some topics and signed sums of each system, in 64 replicates.
struct Block {
    signs: Vec<Lanes>,
    sums: Vec<Lanes>,
}

impl Block {
    fn new(systems: usize) -> Self {
        Self {
            signs: Vec::new(),
            sums: vec![[0.0; LANES]; systems],
        }
    }

    /// Draws a sign for each topic and replicate, and adds up the signed scores of each system.
    fn add_up(&mut self, scores: &[Vec<f64>], topics: usize, stream: &mut Stream) {
        self.sums.fill([0.0; LANES]);
        for start in (0..topics).step_by(TOPICS_AT_A_TIME) {
            let end = topics.min(start + TOPICS_AT_A_TIME);
            self.signs.clear();
            self.signs
                .extend((start..end).map(|_| signs_of(stream.bits())));
            for (sums, row) in self.sums.iter_mut().zip(scores) {
                add_signed(sums, &row[start..end], &self.signs);
            }
        }
    }

    fn count(
        &self,
        limits: &[(usize, usize, f64)],
        alternative: Alternative,
        lanes: usize,
        counts: &mut [u64],
    ) {
        for (count, &(first, second, least)) in counts.iter_mut().zip(limits) {
            let (a, b) = (&self.sums[first][..lanes], &self.sums[second][..lanes]);
            *count += match alternative {
                Alternative::TwoSided => reaching(a, b, |difference| difference.abs() >= least),
                Alternative::Greater => reaching(a, b, |difference| difference >= least),
                Alternative::Less => reaching(a, b, |difference| -difference >= least),
            };
        }
    }
}

/// The signs that 64 bits stand for.
fn signs_of(bits: u64) -> Lanes {
    std::array::from_fn(|lane| if bits >> lane & 1 == 1 { -1.0 } else { 1.0 })
}

fn add_signed(sums: &mut Lanes, scores: &[f64], signs: &[Lanes]) {
    let mut total = *sums;
    for (score, signs) in scores.iter().zip(signs) {
        for (total, sign) in total.iter_mut().zip(signs) {
            *total += score * sign;
        }
    }
    *sums = total;
}

#[inline]
fn reaching(a: &[f64], b: &[f64], reaches: impl Fn(f64) -> bool) -> u64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| u64::from(reaches(a - b)))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{A, B, C, within};
    use proptest::prelude::*;

    fn exact(d: &[f64], alternative: Alternative) -> f64 {
        randomisation_of_differences(d, Method::Exact, alternative)
            .unwrap()
            .p
    }

    #[test]
    fn sakai_20_topics() {
        let p = |count: usize| {
            let d = differences(&A[..count], &B[..count]).unwrap();
            exact(&d, Alternative::TwoSided)
        };
        assert_eq!(p(20), 0.065_917_968_75);
        assert_eq!(p(12), 0.070_312_5);
    }

    #[test]
    fn meeting_in_the_middle_is_the_distribution() {
        let d = differences(&A, &B).unwrap();
        let grid = Quantised::of(&d).unwrap();
        let flips = Flips::of(&grid, Alternative::TwoSided);
        let sizes: Vec<i64> = flips.nonzero.iter().map(|unit| unit.abs()).collect();
        let met = met_tail(&sizes, flips.least);
        assert_eq!(Some(met), coarse_tail(&sizes, flips.least));
        assert_eq!(2.0 * met, 0.065_917_968_75);
    }

    #[test]
    fn random_signs_come_near() {
        let resampling = Resampling::default();
        let test = randomisation(
            &A,
            &B,
            Method::MonteCarlo(resampling),
            Alternative::TwoSided,
        );
        let test = test.unwrap();
        let Signs::Random { standard_error, .. } = test.signs else {
            panic!("asked for random signs")
        };
        within(test.p, 0.065_917_968_75, 4.0 * standard_error);
    }

    #[test]
    fn pairs_are_single_tests() {
        let scores = ScoreMatrix::new(&[A, B, C]).unwrap();
        let resampling = Resampling {
            replicates: 10_001,
            seed: 5,
        };
        let rows = [A, B, C];
        for alternative in [
            Alternative::TwoSided,
            Alternative::Greater,
            Alternative::Less,
        ] {
            let pairs = randomisation_of_pairs(&scores, resampling, alternative).unwrap();
            for pair in pairs {
                let method = Method::MonteCarlo(resampling);
                let (a, b) = (&rows[pair.first], &rows[pair.second]);
                let single = randomisation(a, b, method, alternative).unwrap();
                assert_eq!(single.p, pair.p);
                assert_eq!(single.signs, pair.signs);
            }
        }
    }

    #[test]
    fn a_statistic_of_choice() {
        let mean = |a: &[f64], b: &[f64]| crate::sample::mean(&differences(a, b).ok()?);
        let run = |count: usize, method| {
            let (a, b) = (&A[..count], &B[..count]);
            randomisation_of_statistic(a, b, mean, method, Alternative::TwoSided)
        };
        let all = run(12, Method::default()).unwrap();
        assert_eq!((all.p, all.signs), (0.070_312_5, Signs::All));
        let some = run(20, Method::default()).unwrap();
        within(some.p, 0.065_917_968_75, 0.004);
        within(some.signs.share().unwrap(), some.p, 1e-4);
        assert!(run(20, Method::Exact).is_err());
        let nothing = |_: &[f64], _: &[f64]| None;
        let undefined =
            randomisation_of_statistic(&A, &B, nothing, Method::Exact, Alternative::Less);
        assert!(undefined.is_err());
    }

    #[test]
    fn threads_change_nothing() {
        let scores = ScoreMatrix::new(&[A, B, C]).unwrap();
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| {
                randomisation_of_pairs(&scores, Resampling::default(), Alternative::TwoSided)
            })
        };
        assert_eq!(with(1), with(2));
    }

    /// More topics than are drawn at a time, one of which decides: the others differ by less than a unit.
    #[test]
    fn many_topics() {
        let mut d = vec![1e-14; 2000];
        d[1500] = 1.0;
        let method = Method::MonteCarlo(Resampling::default());
        let p = |alternative| {
            randomisation_of_differences(&d, method, alternative)
                .unwrap()
                .p
        };
        assert_eq!(p(Alternative::TwoSided), 1.0);
        within(p(Alternative::Greater), 0.5, 0.01);
    }

    #[test]
    fn identical_and_refused() {
        let none = Resampling {
            replicates: 0,
            seed: 1,
        };
        for method in [Method::default(), Method::Exact] {
            let test = randomisation(&A, &A, method, Alternative::TwoSided).unwrap();
            assert_eq!((test.p, test.zeros), (1.0, 20));
            assert_eq!(test.degenerate, Some(Degenerate::Identical));
        }
        assert!(randomisation(&A, &B, Method::MonteCarlo(none), Alternative::Less).is_err());
        let irregular: Vec<f64> = (1..60).map(|i| f64::from(i).sqrt()).collect();
        let test = |method| randomisation_of_differences(&irregular, method, Alternative::Less);
        assert!(matches!(
            test(Method::Exact),
            Err(StatsError::TooMany { .. })
        ));
        assert!(matches!(
            test(Method::default()).unwrap().signs,
            Signs::Random { .. }
        ));
    }

    /// Half of all signs are positive: with an odd number of irrational differences no sum is zero.
    #[test]
    fn fifty_differences() {
        let d: Vec<f64> = (1..=49)
            .map(|i| f64::from(i).sqrt())
            .chain([1e-13])
            .collect();
        let p = exact(&d, Alternative::Greater);
        assert_eq!(p, 2.0_f64.powi(-49));
    }

    proptest! {
        #[test]
        fn exact_is_the_share_of_all_signs(
            d in prop::collection::vec(prop_oneof![(-5..=5).prop_map(|x| f64::from(x) / 7.0), -1.0..1.0], 1..=12),
        ) {
            let observed: f64 = d.iter().sum();
            let sum = |signs: u32| -> f64 {
                let sign = |at: usize| if signs >> at & 1 == 1 { -1.0 } else { 1.0 };
                d.iter().enumerate().map(|(at, d)| sign(at) * d).sum()
            };
            let all = 1_u32 << d.len();
            let share = |reaches: &dyn Fn(f64) -> bool| {
                (0..all).filter(|&signs| reaches(sum(signs))).count() as f64 / f64::from(all)
            };
            let slack = 1e-11;
            let two = share(&|sum| sum.abs() >= observed.abs() - slack);
            prop_assert_eq!(exact(&d, Alternative::TwoSided), two);
            prop_assert_eq!(exact(&d, Alternative::Greater), share(&|sum| sum >= observed - slack));
            prop_assert_eq!(exact(&d, Alternative::Less), share(&|sum| sum <= observed + slack));
        }
    }
}
