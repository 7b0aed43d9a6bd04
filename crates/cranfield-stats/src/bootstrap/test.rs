//! The bootstrap test of a difference.

use rayon::prelude::*;

use super::{BLOCK, topic_count};
use crate::common::{Alternative, Degenerate};
use crate::error::Result;
use crate::paired_t::{Moments, p_of_constant};
use crate::pool;
use crate::progress::{Progress, Watched};
use crate::random::{MOST_REPLICATES, Resampling, Stream};
use crate::sample::{Differences, Quantised};

/// The statistic of the bootstrap test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Statistic {
    /// t of the resampled differences. The t of a resample without variance is infinite, or 0 if its mean is 0.
    #[default]
    Studentised,
    /// Mean of the resampled differences, as some publications have it. Liberal: at a level of 0.05 it rejects, where there is
    /// no difference, about one in six comparisons on 5 topics, one in ten on 10 and one in fourteen on 25.
    PlainMean,
}

/// Result of [`bootstrap_test`].
#[derive(Clone, Debug, PartialEq)]
pub struct BootstrapTest {
    /// Number of topics.
    pub n: usize,
    /// Mean of the differences a - b.
    pub mean_difference: f64,
    /// The statistic.
    pub statistic: Statistic,
    /// The alternative.
    pub alternative: Alternative,
    /// Replicates that reached the observed difference.
    pub reached: u64,
    /// p-value, (count + 1) / (B + 1).
    pub p: f64,
    /// Number of replicates and seed.
    pub resampling: Resampling,
    /// Set if all differences are equal.
    pub degenerate: Option<Degenerate>,
}

/// Bootstrap test of a against b by the shift method.
///
/// The differences, shifted to a mean of zero, are resampled B times. p = (count + 1) / (B + 1), where count is the number of resamples
/// whose t or mean is at least as extreme as the observed one. Sums are compared as whole numbers, with the slack of [`Quantised`].
///
/// The t of a resample that repeats a single value is infinite. Setting it to 0, or drawing another resample, would reject on any two
/// topics, and too often on up to five or with many ties.
///
/// ```
/// use cranfield_stats::bootstrap::{Statistic, bootstrap_test};
/// use cranfield_stats::{Alternative, random::Resampling};
/// // Differences 1 and 3, shifted: -1 and 1. Of the resamples -1 -1, -1 1, 1 -1 and 1 1, two have an infinite t, and two have 0.
/// let resampling = Resampling { replicates: 9999, seed: 1 };
/// let (a, b) = ([1.0, 3.0], [0.0, 0.0]);
/// let test = bootstrap_test(&a, &b, Statistic::Studentised, Alternative::TwoSided, resampling)?;
/// assert!((test.p - 0.5).abs() < 0.025);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
///
/// B. Efron and R. Tibshirani: An introduction to the bootstrap. Chapman and Hall 1993, chapter 16; T. Sakai: Evaluating
/// evaluation metrics based on the bootstrap. SIGIR 2006.
pub fn bootstrap_test<'w>(
    a: &[f64],
    b: &[f64],
    statistic: Statistic,
    alternative: Alternative,
    resampling: impl Into<Watched<'w>>,
) -> Result<BootstrapTest> {
    let Watched {
        resampling,
        watcher,
    } = resampling.into();
    let Resampling { replicates, seed } = resampling.checked(MOST_REPLICATES)?;
    let d = Differences::of(a, b)?;
    let moments = Moments::of(&d)?;
    let count = topic_count(d.values().len())?;
    let shifted = Shifted::of(&Quantised::of_differences(&d)?, statistic, alternative);
    let progress = Progress::new(watcher, replicates);
    let block = |number: usize| {
        let mut stream = Stream::new(seed, number as u64);
        let size = (replicates - number * BLOCK).min(BLOCK);
        let reached = (0..size).filter(|_| shifted.reaches(&mut stream, count));
        let reached = reached.count() as u64;
        progress.add(size);
        reached
    };
    let blocks = (0..replicates.div_ceil(BLOCK)).into_par_iter();
    let (reached, p) = if moments.degenerate.is_some() {
        (0, p_of_constant(moments.mean, alternative))
    } else {
        let reached: u64 = pool::run(|| blocks.map(block).sum());
        (reached, (reached as f64 + 1.0) / (replicates as f64 + 1.0))
    };
    Ok(BootstrapTest {
        n: d.values().len(),
        mean_difference: moments.mean,
        statistic,
        alternative,
        reached,
        p,
        resampling,
        degenerate: moments.degenerate,
    })
}

/// Differences shifted to a mean of zero, as multiples of 1/n units, and the thresholds of a resample.
struct Shifted {
    values: Vec<i128>,
    statistic: Statistic,
    alternative: Alternative,
    /// Largest rounding error of a sum that is 0 in exact arithmetic.
    slack: i128,
    /// n times the sum of the differences, in 1/n units, less the slack.
    least_sum: i128,
    /// The observed t in the direction of the alternative, less a rounding error.
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
            slack: n * n,
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
            Statistic::PlainMean => towards >= self.least_sum,
            Statistic::Studentised => {
                let spread = squares - (sum as f64).powi(2) / f64::from(count);
                let t = match () {
                    () if spread > 1e-12 * squares => towards as f64 / spread.sqrt(),
                    () if towards.abs() <= self.slack => 0.0,
                    () if towards > 0 => f64::INFINITY,
                    () => f64::NEG_INFINITY,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{A, B, RESAMPLING, within};

    #[test]
    fn sakai_shift_test() {
        let p = |statistic| {
            bootstrap_test(&A, &B, statistic, Alternative::TwoSided, RESAMPLING)
                .unwrap()
                .p
        };
        within(p(Statistic::Studentised), 0.049, 0.005);
        within(p(Statistic::PlainMean), 0.035, 0.005);
    }

    /// Shares of all resamples, by hand; p has five standard errors.
    fn has_p(d: &[f64], statistic: Statistic, alternative: Alternative, expected: f64) {
        let zero = vec![0.0; d.len()];
        let test = bootstrap_test(d, &zero, statistic, alternative, RESAMPLING).unwrap();
        within(test.p, expected, 0.018);
    }

    /// Differences 1, 2 and 6, moved: -2, -1 and 3; the observed t is 3 / sqrt(7 / 3) = 1.96. Of the 27 resamples 3 draw one
    /// value alone. Those with one value twice, a, and another, b, have t = (2a + b) / |a - b|: -5, -4, -0.2, 0.8, 0.25 and 1.25,
    /// 3 of each. The other 6 have t = 0.
    #[test]
    fn resamples_of_three_topics() {
        let p = |alternative, expected| {
            has_p(
                &[1.0, 2.0, 6.0],
                Statistic::Studentised,
                alternative,
                expected,
            );
        };
        p(Alternative::TwoSided, 9.0 / 27.0);
        p(Alternative::Greater, 1.0 / 27.0);
        p(Alternative::Less, 26.0 / 27.0);
    }

    /// One topic of three differs: -1, -1 and 2 when moved, and t is 1. Resamples without it (8 of 27) have t = -infinity, those
    /// of it alone (1) infinity; with it once (12) t is 0, with it twice (6) t is 1. The mean is 1 with it twice, 2 with it alone,
    /// and -1 without it: it always is as far out, or 0.
    #[test]
    fn resamples_of_ties() {
        let p = |statistic, alternative, expected| {
            has_p(&[0.0, 0.0, 3.0], statistic, alternative, expected);
        };
        for statistic in [Statistic::Studentised, Statistic::PlainMean] {
            p(statistic, Alternative::TwoSided, 15.0 / 27.0);
            p(statistic, Alternative::Greater, 7.0 / 27.0);
            p(statistic, Alternative::Less, 26.0 / 27.0);
        }
    }

    /// The first difference is the mean on paper, but not in floating point: alone, it is in the middle and not far out. By hand
    /// as above, with -1, 0 and 1 when moved: 2 resamples of 27 have an infinite t, 6 each have 2, 1 and 1/2 on either side, and
    /// 7 have t = 0. The observed t is sqrt 3.
    #[test]
    fn a_difference_that_is_the_mean_on_paper() {
        let thirds = [1.0 / 3.0, 0.0, 2.0 / 3.0];
        let sides = Alternative::TwoSided;
        has_p(&thirds, Statistic::Studentised, sides, 8.0 / 27.0);
    }

    #[test]
    fn constant_differences() {
        for statistic in [Statistic::Studentised, Statistic::PlainMean] {
            let test = |a: &[f64], b: &[f64]| {
                bootstrap_test(a, b, statistic, Alternative::TwoSided, RESAMPLING).unwrap()
            };
            assert_eq!(test(&A, &A).p, 1.0);
            assert_eq!(
                test(&[1.0, 2.0], &[0.5, 1.5]).degenerate,
                Some(Degenerate::Constant)
            );
        }
    }
}
