//! Randomisation test with an arbitrary statistic.

use rayon::prelude::*;

use super::{Method, Signs, random_p};
use crate::common::Alternative;
use crate::error::{Result, StatsError};
use crate::pool;
use crate::random::{MOST_REPLICATES, Resampling, Stream};
use crate::sample::Differences;

/// Result of [`randomisation_of_statistic`].
#[derive(Clone, Debug, PartialEq)]
pub struct StatisticRandomisation {
    /// Number of topics.
    pub n: usize,
    /// The observed statistic.
    pub observed: f64,
    /// The alternative.
    pub alternative: Alternative,
    /// p-value.
    pub p: f64,
    /// All exchanges of scores, or random ones.
    pub signs: Signs,
}

/// Maximum number of topics for which [`randomisation_of_statistic`] tries all exchanges.
pub const MOST_EXCHANGED: usize = 16;

/// Randomisation test with any statistic of how much better the first of two systems is, for example the difference of medians.
///
/// The scores of each topic are exchanged between the systems or not: in all ways for at most 16 topics, otherwise in
/// random ways. p is the share of exchanges whose statistic reaches the observed one, (count + 1) / (B + 1) for random ones.
/// Values within 10^-9 of the observed one, relative to it or to 1 if that is more, reach it. An exchange for which the
/// statistic is undefined counts as reaching, which makes p larger.
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
    let d = Differences::of(a, b)?;
    let n = d.values().len();
    let finite = |a: &[f64], b: &[f64]| statistic(a, b).filter(|value| value.is_finite());
    let Some(observed) = finite(a, b) else {
        return Err(StatsError::Setting {
            name: "the statistic of the scores",
            value: f64::NAN,
            expected: "a finite number",
        });
    };
    // Rounding errors are a share of the scores, which may be larger than the statistic.
    let size = observed.abs().max(d.size().min(1.0));
    let least = towards_value(observed, alternative) - 1e-9 * size;
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

/// The resampling of the method; `None` if all exchanges are tried.
fn drawn_exchanges(n: usize, method: Method) -> Result<Option<Resampling>> {
    match method {
        Method::Exact if n > MOST_EXCHANGED => Err(StatsError::TooMany {
            what: "topics",
            found: n,
            most: MOST_EXCHANGED,
            instead: "use random exchanges",
        }),
        Method::Exact => Ok(None),
        Method::Auto(_) if n <= MOST_EXCHANGED => Ok(None),
        Method::Auto(resampling) | Method::MonteCarlo(resampling) => Ok(Some(resampling)),
    }
}

fn share_of_all(n: usize, reaches: impl Fn(&[u64]) -> bool + Sync) -> f64 {
    let ways = 1_u64 << n;
    let reaching = (0..ways).into_par_iter().filter(|&way| reaches(&[way]));
    pool::run(|| reaching.count()) as f64 / ways as f64
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
    Ok(pool::run(|| reaching.count()) as u64)
}

fn towards_value(value: f64, alternative: Alternative) -> f64 {
    match alternative {
        Alternative::TwoSided => value.abs(),
        Alternative::Greater => value,
        Alternative::Less => -value,
    }
}
