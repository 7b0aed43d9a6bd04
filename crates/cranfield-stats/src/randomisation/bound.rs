//! Confidence bounds by inverting the randomisation test.

use std::cell::OnceCell;

use super::signs::signed_sums;
use super::{AUTO_EXACT, Flips, Method, random_p, randomisation_of_differences, towards};
use crate::common::{Alternative, check_level};
use crate::error::{Result, StatsError};
use crate::progress::Watcher;
use crate::random::Resampling;
use crate::sample::{Differences, Quantised};

/// Number of interpolation steps, and maximum number of steps.
const INTERPOLATED: usize = 20;
const MOST_STEPS: usize = 70;
/// Precision of the bound relative to the range of the differences, for all signs and for random signs. The error of random signs is
/// far larger than this.
const NEAR: f64 = 1e-10;
const NEAR_RANDOM: f64 = 1e-6;

/// Most replicates whose sums are kept: 64 MiB.
const MOST_KEPT: usize = 1 << 22;

/// Randomisation tests of the same differences, less one value after another, by the same signs.
pub struct ShiftedTests<'a> {
    d: &'a Differences,
    method: Method,
    watcher: Watcher<'a>,
    sums: OnceCell<SignedSums>,
}

impl<'a> ShiftedTests<'a> {
    /// Draws random signs, if the method needs any, for the first test; the others use the same ones.
    pub fn new(d: &'a Differences, method: Method, watcher: Watcher<'a>) -> Self {
        Self {
            d,
            method,
            watcher,
            sums: OnceCell::new(),
        }
    }

    /// The lower confidence bound of the differences: the largest value that can be subtracted from each such that the one-sided test
    /// (`Greater`) still has p of at most alpha. `None` if there is none, since the smallest p of n differences is 1 / 2^n.
    ///
    /// A set A of differences with the other sign reaches the observed sum if its mean is at most the value m that was
    /// subtracted. So p is (1 + number of sets with a mean of at most m) / 2^n, which grows with m, and the bound is one of the means of
    /// subsets (J. A. Hartigan: Using subsample values as typical values. Journal of the American Statistical Association 64,
    /// 1969). The search starts at `start`: the bound is at least `start` if and only if the test there has p of at most alpha, whatever
    /// the error of random signs elsewhere.
    ///
    /// ```
    /// use cranfield_stats::randomisation::{Method, ShiftedTests};
    /// use cranfield_stats::sample::Differences;
    /// // The least means of subsets are 1, then 1.5 of {1, 2}. With 32 signs, 2 are allowed by alpha = 0.07.
    /// let d = Differences::alone(&[5.0, 2.0, 1.0, 4.0, 3.0])?;
    /// let tests = ShiftedTests::new(&d, Method::Exact, &|_, _| ());
    /// let low = tests.lower_bound(0.07, 0.0)?;
    /// assert!((low.unwrap() - 1.5).abs() < 1e-9);
    /// assert_eq!(tests.lower_bound(0.03, 0.0)?, None);
    /// # Ok::<(), cranfield_stats::StatsError>(())
    /// ```
    pub fn lower_bound(&self, alpha: f64, start: f64) -> Result<Option<f64>> {
        check_level(alpha)?;
        let test = |value: f64| self.p(value, Alternative::Greater);
        let range = Range::of(self.d)?;
        let near = range.width
            * if self.d.values().len() > AUTO_EXACT {
                NEAR_RANDOM
            } else {
                NEAR
            };
        let (p_start, p_least) = (test(start)?, test(range.below)?);
        if p_start > alpha && p_least > alpha {
            return Ok(None);
        }
        // A start outside the range of the differences is an end of the bracket, too.
        let bracket = if p_start <= alpha {
            let above = range.most.max(start + near);
            Bracket::new((start, p_start), (above, 1.0), alpha)
        } else {
            let below = range.below.min(start - near);
            Bracket::new((below, p_least), (start, p_start), alpha)
        };
        bracket.narrowed(near, test, self.watcher)
    }

    /// The p-value of the differences less a value.
    pub fn p(&self, value: f64, alternative: Alternative) -> Result<f64> {
        let shifted = self.d.plus(-value)?;
        if let Some(resampling) = self.random(&shifted)? {
            let grid = Quantised::of_differences(&shifted)?;
            if let Some(reached) = self.sums(resampling)?.reached(value, &grid, alternative) {
                return Ok(random_p(reached, resampling).0);
            }
        }
        Ok(randomisation_of_differences(&shifted, self.method, alternative)?.p)
    }

    /// The random signs whose sums are kept; none for a test over all signs.
    fn random(&self, shifted: &Differences) -> Result<Option<Resampling>> {
        let random = match self.method {
            Method::Exact => None,
            Method::MonteCarlo(resampling) => Some(resampling),
            Method::Auto(resampling) => {
                let flips = Flips::of(&Quantised::of_differences(shifted)?, Alternative::Greater);
                (!flips.has_exact(AUTO_EXACT)).then_some(resampling)
            }
        };
        Ok(random.filter(|resampling| resampling.replicates <= MOST_KEPT))
    }

    fn sums(&self, resampling: Resampling) -> Result<&SignedSums> {
        if let Some(sums) = self.sums.get() {
            return Ok(sums);
        }
        let sums = SignedSums::of(self.d, resampling, self.watcher)?;
        Ok(self.sums.get_or_init(|| sums))
    }
}

/// Signed sums of the differences in each replicate, and sums of the signs.
struct SignedSums {
    sums: Vec<(f64, f64)>,
    scale: f64,
}

impl SignedSums {
    fn of(d: &Differences, resampling: Resampling, watcher: Watcher<'_>) -> Result<Self> {
        let Quantised { units, scale } = Quantised::of_differences(d)?;
        let units = units.into_iter().map(|unit| unit as f64).collect();
        let sums = signed_sums(units, resampling, watcher)?;
        Ok(Self { sums, scale })
    }

    /// The number of replicates that reach the observed sum of the differences less a value, which have this grid. `None` where
    /// rounding to the grid might decide.
    fn reached(&self, value: f64, grid: &Quantised, alternative: Alternative) -> Option<u64> {
        let least = (towards(grid.units.iter().sum(), alternative) - grid.slack()) as f64;
        let (factor, shift) = (grid.scale / self.scale, value * grid.scale);
        // Half a unit of either grid for each difference, and as much again for the arithmetic.
        let doubt = grid.units.len() as f64 * (1.0 + factor) + 16.0;
        let mut reached = 0;
        for (sum, signs) in &self.sums {
            let signed = sum * factor - shift * signs;
            let beyond = match alternative {
                Alternative::Greater => signed,
                Alternative::Less => -signed,
                Alternative::TwoSided => signed.abs(),
            } - least;
            if beyond.abs() <= doubt {
                return None;
            }
            reached += u64::from(beyond > 0.0);
        }
        Some(reached)
    }
}

/// Where the bound can be.
struct Range {
    /// Less than all differences.
    below: f64,
    /// The greatest of them.
    most: f64,
    width: f64,
}

impl Range {
    fn of(differences: &Differences) -> Result<Self> {
        let d = differences.values();
        let least = d.iter().copied().reduce(f64::min);
        let most = d.iter().copied().reduce(f64::max);
        let (Some(least), Some(most)) = (least, most) else {
            return Err(StatsError::Empty);
        };
        // Sums this close count as equal, so the margin must be larger.
        let size = differences.size().min(1.0);
        let margin = 1e-6
            * (most - least)
                .max(most.abs())
                .max(least.abs())
                .max(1e-3 * size);
        let below = least - margin;
        let width = most - below;
        crate::sample::check_finite(&[below, width])?;
        Ok(Self { below, most, width })
    }
}

/// An interval that contains the bound.
struct Bracket {
    low: (f64, f64),
    high: (f64, f64),
    alpha: f64,
}

/// Log odds, in which p is nearly a straight line; 0 at alpha, for interpolation.
fn odds(p: f64, alpha: f64) -> f64 {
    let of = |p: f64| {
        let p = p.clamp(1e-15, 1.0 - 1e-15);
        (p / (1.0 - p)).ln()
    };
    of(p) - of(alpha)
}

impl Bracket {
    fn new(low: (f64, f64), high: (f64, f64), alpha: f64) -> Self {
        Self {
            low: (low.0, odds(low.1, alpha)),
            high: (high.0, odds(high.1, alpha)),
            alpha,
        }
    }

    /// Narrows the bracket and returns its lower end. Uses interpolation that halves the weight of an end that stays (the Illinois
    /// algorithm), then bisection.
    fn narrowed(
        mut self,
        near: f64,
        test: impl Fn(f64) -> Result<f64>,
        watcher: Watcher<'_>,
    ) -> Result<Option<f64>> {
        for step in 0..MOST_STEPS {
            let width = self.high.0 - self.low.0;
            if width <= near {
                break;
            }
            let share = match self.high.1 - self.low.1 {
                rise if step < INTERPOLATED && rise > 0.0 => -self.low.1 / rise,
                _ => 0.5,
            };
            let middle = self.low.0 + width * share.clamp(0.001, 0.999);
            let p = test(middle)?;
            let value = (middle, odds(p, self.alpha));
            if p <= self.alpha {
                self.low = value;
                self.high.1 /= 2.0;
            } else {
                self.high = value;
                self.low.1 /= 2.0;
            }
            watcher(step + 1, MOST_STEPS);
        }
        Ok(Some(self.low.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Resampling;
    use proptest::prelude::*;

    fn exact(d: &[f64], alpha: f64, start: f64) -> Option<f64> {
        let d = Differences::alone(d).unwrap();
        ShiftedTests::new(&d, Method::Exact, &|_, _| ())
            .lower_bound(alpha, start)
            .unwrap()
    }

    #[test]
    fn means_of_subsets_by_hand() {
        let d = [1.0, 2.0, 3.0, 4.0, 5.0];
        // In ascending order: 1; 1.5 of {1, 2}; 2 of {2}, {1, 3} and {1, 2, 3}.
        for (alpha, expected) in [(0.05, 1.0), (0.07, 1.5), (0.10, 2.0), (0.18, 2.0)] {
            for start in [-10.0, 0.0, 1.7, 40.0] {
                let found = exact(&d, alpha, start).unwrap();
                assert!((found - expected).abs() < 1e-8, "{alpha} {start}: {found}");
            }
        }
        assert_eq!(exact(&d[..4], 0.05, 0.0), None);
        assert_eq!(exact(&[0.0, 0.0], 0.05, 0.0), None);
    }

    #[test]
    fn constant_differences_are_their_own_bound() {
        let found = exact(&[-0.02; 8], 0.05, -0.01).unwrap();
        assert!((found + 0.02).abs() < 1e-9, "{found}");
        let bound = |d: &[f64]| {
            let d = Differences::alone(d);
            d.and_then(|d| ShiftedTests::new(&d, Method::Exact, &|_, _| ()).lower_bound(0.4, 0.0))
        };
        assert!(bound(&[1e308, -1e308]).is_err());
        assert!(bound(&[]).is_err());
    }

    /// For many normal differences the bound is near Student's: mean - 1.6766 s / sqrt(50), with s the deviation.
    #[test]
    fn many_differences_are_near_students_bound() {
        let mut stream = crate::random::Stream::new(5, 0);
        let d: Vec<f64> = (0..50).map(|_| 0.1 * stream.normal()).collect();
        let method = Method::Auto(Resampling::default());
        let sized = Differences::alone(&d).unwrap();
        let found = ShiftedTests::new(&sized, method, &|_, _| ())
            .lower_bound(0.05, -0.01)
            .unwrap();
        let deviation = crate::sample::standard_deviation(&d).unwrap();
        let mean = crate::sample::mean(&d).unwrap();
        let student = mean - 1.676_551 * deviation / 50.0_f64.sqrt();
        assert!(
            (found.unwrap() - student).abs() < 0.002,
            "{found:?} {student}"
        );
    }

    proptest! {
        /// Sums of signs that are kept give the p-value of a test that draws them again.
        #[test]
        fn kept_sums_give_the_same_p(
            d in prop::collection::vec(-100_i32..100, 41..90),
            value in -0.5_f64..0.5,
            step in prop::sample::select(vec![1.0, 0.1, 0.123_456_789]),
        ) {
            let d: Vec<f64> = d.into_iter().map(|unit| step * f64::from(unit)).collect();
            let d = Differences::alone(&d).unwrap();
            let method = Method::MonteCarlo(Resampling { replicates: 999, seed: 3 });
            let tests = ShiftedTests::new(&d, method, &|_, _| ());
            for value in [value, 0.0, 0.1, -0.25] {
                let shifted = d.plus(-value).unwrap();
                for side in [Alternative::Greater, Alternative::Less, Alternative::TwoSided] {
                    let drawn = randomisation_of_differences(&shifted, method, side);
                    prop_assert_eq!(tests.p(value, side).unwrap(), drawn.unwrap().p);
                }
            }
        }

        /// The bound is the mean of a subset, by its place among all of them.
        #[test]
        fn it_is_an_order_statistic_of_subset_means(
            d in prop::collection::vec(-100_i32..100, 5..11),
            alpha in 0.04_f64..0.4,
            start in -120_i32..120,
        ) {
            let d: Vec<f64> = d.into_iter().map(|unit| f64::from(unit) / 100.0).collect();
            let mut means: Vec<f64> = (1..1_usize << d.len())
                .map(|set| {
                    let members = d.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
                    let (sum, count) = members.fold((0.0, 0.0), |(sum, count), (_, value)| (sum + value, count + 1.0));
                    sum / count
                })
                .collect();
            means.sort_by(f64::total_cmp);
            let allowed = (alpha * (1_usize << d.len()) as f64).floor() as usize;
            let start = f64::from(start) / 100.0;
            let found = exact(&d, alpha, start);
            match allowed.checked_sub(1).and_then(|place| means.get(place)) {
                None => prop_assert_eq!(found, None),
                Some(expected) => {
                    let found = found.unwrap();
                    prop_assert!((found - expected).abs() < 1e-8, "{} {}", found, expected);
                    // The verdict at the start and the bound agree; a bound of just the start is no more than it.
                    prop_assert_eq!(found >= start, *expected > start + 1e-9);
                }
            }
        }
    }
}
