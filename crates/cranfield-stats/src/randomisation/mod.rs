//! Fisher's randomisation test, which flips the signs of the differences.

mod bound;
mod exact;
mod pairs;
mod signs;
mod statistic;
#[cfg(test)]
mod tests;

use crate::common::{Alternative, Degenerate};
use crate::error::{Result, StatsError};
use crate::random::Resampling;
use crate::sample::{Differences, Quantised};

use exact::{coarse_tail, is_coarse, met_tail};
use signs::count_reached;

pub use bound::ShiftedTests;
pub use pairs::{PairRandomisation, randomisation_of_pairs};
pub use statistic::{MOST_EXCHANGED, StatisticRandomisation, randomisation_of_statistic};

/// Maximum number of non-zero differences of an exact test, unless they lie on a coarse grid.
pub const MOST_EXACT: usize = 50;
/// Maximum number for which [`Method::Auto`] is exact.
pub const AUTO_EXACT: usize = 40;

/// How p is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Exact if that takes a fraction of a second: differences on a coarse grid, or at most 40 non-zero ones. Random signs otherwise.
    Auto(Resampling),
    /// All signs; at most 50 non-zero differences, or any number on a coarse grid.
    Exact,
    /// Random signs.
    MonteCarlo(Resampling),
}

impl Default for Method {
    fn default() -> Self {
        Self::Auto(Resampling::default())
    }
}

/// The signs behind the p-value of a randomisation test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Signs {
    /// All signs.
    All,
    /// Random signs.
    Random {
        /// Number of replicates and seed.
        resampling: Resampling,
        /// Number of replicates that reached the observed difference.
        reached: u64,
        /// Standard error of p, sqrt(p (1 - p) / B).
        standard_error: f64,
    },
}

impl Signs {
    /// count / B, the p-value of programs that do not count the observed signs; `None` for all signs.
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
    /// The alternative.
    pub alternative: Alternative,
    /// p-value.
    pub p: f64,
    /// All signs, or random ones.
    pub signs: Signs,
    /// Set if all differences are zero.
    pub degenerate: Option<Degenerate>,
}

/// Randomisation test of a against b with the mean difference as statistic.
///
/// If the systems do not differ, both signs of each difference d are equally likely. With the sum S of the
/// differences and the sum S' after random signs, p = P(|S'| >= |S|) for two sides, P(S' >= S) or P(S' <= S) for one.
/// The t statistic is an increasing function of the sum as long as the squares stay the same, so it would give the same p.
///
/// Sums are compared on the grid of [`Quantised`] with a slack of n units, so that sums that are equal in exact
/// arithmetic are equal here. Without it, close to half of the mass of ties is lost on coarse scores.
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
    randomisation_of_differences(&Differences::of(a, b)?, method, alternative)
}

/// The test of [`randomisation`] on differences.
pub fn randomisation_of_differences(
    d: &Differences,
    method: Method,
    alternative: Alternative,
) -> Result<Randomisation> {
    let grid = Quantised::of_differences(d)?;
    let d = d.values();
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
    /// Absolute values in units, without zeros.
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

    /// Whether [`exact`](Self::exact) has a result, which is cheap to find out.
    fn has_exact(&self, most: usize) -> bool {
        self.nonzero.len() <= most || is_coarse(&self.sizes())
    }

    fn sizes(&self) -> Vec<i64> {
        self.nonzero.iter().map(|unit| unit.abs()).collect()
    }

    /// p over all signs, if there are at most `most` differences or they lie on a coarse grid.
    fn exact(&self, most: usize) -> Result<f64> {
        let sizes = self.sizes();
        let upper = match coarse_tail(&sizes, self.least) {
            Some(upper) => upper,
            None if sizes.len() <= most => met_tail(&sizes, self.least),
            None => {
                return Err(StatsError::TooMany {
                    what: "non-zero differences",
                    found: sizes.len(),
                    most,
                    instead: "use random signs",
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
        let reached = count_reached(&scores, &limits, self.alternative, resampling, &|_, _| ())?[0];
        Ok(random_p(reached, resampling))
    }
}

/// The sum in the direction of the alternative: larger is more extreme.
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
