//! The bootstrap test of a difference.

use rayon::prelude::*;

use super::{BLOCK, topic_count};
use crate::common::{Alternative, Degenerate};
use crate::error::Result;
use crate::paired_t::{Moments, p_of_constant};
use crate::progress::{Progress, Watcher};
use crate::random::{MOST_REPLICATES, Resampling, Stream};
use crate::sample::{Quantised, differences};

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
    bootstrap_test_watched(a, b, statistic, alternative, resampling, &|_, _| ())
}

/// The same, telling how many of the replicates are done.
pub fn bootstrap_test_watched(
    a: &[f64],
    b: &[f64],
    statistic: Statistic,
    alternative: Alternative,
    resampling: Resampling,
    watcher: Watcher<'_>,
) -> Result<BootstrapTest> {
    let Resampling { replicates, seed } = resampling.checked(MOST_REPLICATES)?;
    let d = differences(a, b)?;
    let moments = Moments::of(&d)?;
    let count = topic_count(d.len())?;
    let shifted = Shifted::of(&Quantised::of(&d)?, statistic, alternative);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{A, B, within};

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
    fn constant_differences() {
        let test = |a: &[f64], b: &[f64]| {
            bootstrap_test(a, b, Statistic::Mean, Alternative::TwoSided, RESAMPLING).unwrap()
        };
        assert_eq!(test(&A, &A).p, 1.0);
        assert_eq!(
            test(&[1.0, 2.0], &[0.5, 1.5]).degenerate,
            Some(Degenerate::Constant)
        );
    }
}
