//! Agreement of any number of raters.

use super::{Level, Ratings, Weights, beyond_chance, weight_matrix};

/// Observed agreement of many raters, over items with at least two ratings.
struct ManyRaters {
    weights: Vec<Vec<f64>>,
    observed: f64,
    /// Mean share of each category over all items with a rating.
    shares: Vec<f64>,
}

impl ManyRaters {
    /// `None` where no item has two ratings.
    fn new(ratings: &Ratings, weights: Weights) -> Option<Self> {
        let weights = weight_matrix(weights, &ratings.categories);
        let mut shares = vec![0.0; ratings.categories.len()];
        let (mut rated, mut multiple, mut observed) = (0.0, 0.0, 0.0);
        for (counts, times) in ratings.counts() {
            let total = counts.iter().sum::<u64>() as f64;
            for (share, &count) in shares.iter_mut().zip(&counts) {
                *share += times * count as f64 / total;
            }
            rated += times;
            if total > 1.0 {
                observed += times * agreement_on(&counts, &weights) / (total * (total - 1.0));
                multiple += times;
            }
        }
        let shares = shares.iter().map(|share| share / rated).collect();
        (multiple > 0.0).then_some(Self {
            weights,
            observed: observed / multiple,
            shares,
        })
    }

    fn chance(&self, one: &[f64], other: &[f64]) -> f64 {
        let row = |(weights, a): (&Vec<f64>, &f64)| {
            let sum = weights.iter().zip(other).map(|(weight, b)| weight * b);
            a * sum.sum::<f64>()
        };
        self.weights.iter().zip(one).map(row).sum()
    }
}

/// The weights of all ordered pairs of ratings of one item, added up.
fn agreement_on(counts: &[u64], weights: &[Vec<f64>]) -> f64 {
    let given = || counts.iter().enumerate().filter(|&(_, &count)| count > 0);
    let with_fellows = |(a, &count): (usize, &u64)| {
        let weighted = given().map(|(b, &other)| weights[a][b] * other as f64);
        count as f64 * (weighted.sum::<f64>() - 1.0)
    };
    given().map(with_fellows).sum()
}

/// Mean share of pairs of raters that agree on an item, over items with at least two ratings; `None` where there are none.
///
/// ```
/// use cranfield_stats::agreement::{Ratings, Weights, percent_agreement};
/// let raters = [[Some(1.0), Some(0.0)], [Some(1.0), Some(1.0)], [Some(1.0), None]];
/// let ratings = Ratings::new(&raters)?;
/// // All three agree on the first item, the two raters of the second do not.
/// assert_eq!(percent_agreement(&ratings, Weights::Identity), Some(0.5));
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn percent_agreement(ratings: &Ratings, weights: Weights) -> Option<f64> {
    ManyRaters::new(ratings, weights).map(|raters| raters.observed)
}

/// Fleiss' kappa, weighted as by Gwet: chance agreement follows from the mean distribution of grades.
///
/// ```text
/// po = mean over items of sum_k r_k (sum_l w_kl r_l - 1) / (r (r - 1)),  pe = sum_kl w_kl s_k s_l
/// ```
///
/// with `r_k` of an item's r ratings in category k, and `s_k` the mean of `r_k / r`. For two raters it is Scott's pi. `None` if no item has two
/// ratings, or chance alone gives full agreement, as for the coefficients below.
///
/// ```
/// use cranfield_stats::agreement::{Ratings, Weights, fleiss};
/// let ratings = Ratings::new(&[[0.0, 0.0, 1.0, 1.0].map(Some), [0.0, 1.0, 1.0, 1.0].map(Some)])?;
/// // po = 3/4, shares 3/8 and 5/8: pe = 34/64.
/// assert!((fleiss(&ratings, Weights::Identity).unwrap() - 14.0 / 30.0).abs() < 1e-12);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn fleiss(ratings: &Ratings, weights: Weights) -> Option<f64> {
    let raters = ManyRaters::new(ratings, weights)?;
    beyond_chance(
        raters.observed,
        raters.chance(&raters.shares, &raters.shares),
    )
}

/// The coefficient of Brennan and Prediger, and of Randolph: chance agreement follows from equally likely grades.
///
/// ```
/// use cranfield_stats::agreement::{Ratings, Weights, brennan_prediger};
/// let ratings = Ratings::new(&[[0.0, 0.0, 1.0, 1.0].map(Some), [0.0, 1.0, 1.0, 1.0].map(Some)])?;
/// assert!((brennan_prediger(&ratings, Weights::Identity).unwrap() - 0.5).abs() < 1e-12);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn brennan_prediger(ratings: &Ratings, weights: Weights) -> Option<f64> {
    let raters = ManyRaters::new(ratings, weights)?;
    let even = vec![1.0 / raters.shares.len() as f64; raters.shares.len()];
    beyond_chance(raters.observed, raters.chance(&even, &even))
}

/// Gwet's AC1, and AC2 with weights: `pe = sum_kl w_kl / (q (q - 1)) sum_k s_k (1 - s_k)` for q categories. It does not collapse if nearly
/// all items have the same grade.
///
/// ```
/// use cranfield_stats::agreement::{Ratings, Weights, gwet};
/// let ratings = Ratings::new(&[[0.0, 0.0, 1.0, 1.0].map(Some), [0.0, 1.0, 1.0, 1.0].map(Some)])?;
/// // pe = 2/2 (3/8 5/8 + 5/8 3/8) = 30/64.
/// assert!((gwet(&ratings, Weights::Identity).unwrap() - 18.0 / 34.0).abs() < 1e-12);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn gwet(ratings: &Ratings, weights: Weights) -> Option<f64> {
    let raters = ManyRaters::new(ratings, weights)?;
    let count = raters.shares.len() as f64;
    if count < 2.0 {
        return None;
    }
    let weight: f64 = raters.weights.iter().flatten().sum();
    let doubt: f64 = raters
        .shares
        .iter()
        .map(|share| share * (1.0 - share))
        .sum();
    beyond_chance(raters.observed, weight / (count * (count - 1.0)) * doubt)
}

/// Conger's kappa: chance agreement follows from each rater's own distribution of grades, averaged over pairs of raters. For two raters
/// without gaps it is Cohen's kappa.
///
/// ```
/// use cranfield_stats::agreement::{Ratings, Weights, conger};
/// let ratings = Ratings::new(&[[0.0, 0.0, 1.0, 1.0].map(Some), [0.0, 1.0, 1.0, 1.0].map(Some)])?;
/// // pe = 1/2 1/4 + 1/2 3/4 = 1/2.
/// assert!((conger(&ratings, Weights::Identity).unwrap() - 0.5).abs() < 1e-12);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn conger(ratings: &Ratings, weights: Weights) -> Option<f64> {
    let raters = ManyRaters::new(ratings, weights)?;
    let shares_of = |rater: usize| {
        let counts = ratings.grades_of(rater);
        let total = counts.iter().sum::<u64>() as f64;
        let shares = counts.iter().map(|&count| count as f64 / total);
        (total > 0.0).then(|| shares.collect::<Vec<f64>>())
    };
    let margins: Vec<Vec<f64>> = (0..ratings.raters()).filter_map(shares_of).collect();
    // The sum over pairs of different raters is that over all pairs less that of each with itself.
    let mut sum = vec![0.0; raters.shares.len()];
    for margin in &margins {
        sum.iter_mut()
            .zip(margin)
            .for_each(|(sum, share)| *sum += share);
    }
    let own: f64 = margins
        .iter()
        .map(|margin| raters.chance(margin, margin))
        .sum();
    let count = margins.len() as f64;
    let chance = (raters.chance(&sum, &sum) - own) / (count * (count - 1.0));
    beyond_chance(raters.observed, chance)
}

/// Krippendorff's alpha: one minus observed over expected disagreement, over items with at least two ratings.
///
/// With `o_ck` the coincidences (each pair of ratings of an item counts `1 / (r - 1)`), `n_c` their sums, n all of them, and d the distance of two
/// grades:
///
/// ```text
/// alpha = 1 - (n - 1) sum_ck o_ck d_ck / sum_ck n_c n_k d_ck
/// ```
///
/// `None` if no item has two ratings, or all ratings are equal.
///
/// ```
/// use cranfield_stats::agreement::{Level, Ratings, krippendorff};
/// let ratings = Ratings::new(&[[0.0, 0.0, 1.0, 1.0].map(Some), [0.0, 1.0, 1.0, 1.0].map(Some)])?;
/// // o_01 = o_10 = 1, n_0 = 3, n_1 = 5: 1 - 7 * 2 / 30.
/// assert!((krippendorff(&ratings, Level::Nominal).unwrap() - 16.0 / 30.0).abs() < 1e-12);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn krippendorff(ratings: &Ratings, level: Level) -> Option<f64> {
    let size = ratings.categories.len();
    let mut coincidences = vec![vec![0.0; size]; size];
    for (counts, times) in ratings.counts() {
        let fellows = counts.iter().sum::<u64>() as f64 - 1.0;
        if fellows == 0.0 {
            continue;
        }
        for a in (0..size).filter(|&a| counts[a] > 0) {
            for b in (0..size).filter(|&b| counts[b] > 0) {
                let own = u64::from(a == b);
                let pairs = (counts[a] * (counts[b] - own)) as f64;
                coincidences[a][b] += times * pairs / fellows;
            }
        }
    }
    let sums: Vec<f64> = coincidences.iter().map(|row| row.iter().sum()).collect();
    let total: f64 = sums.iter().sum();
    let (mut observed, mut expected) = (0.0, 0.0);
    for a in 0..size {
        for b in 0..size {
            let distance = distance(level, &ratings.categories, &sums, (a.min(b), a.max(b)));
            observed += coincidences[a][b] * distance;
            expected += sums[a] * sums[b] * distance;
        }
    }
    (expected > 0.0).then(|| 1.0 - (total - 1.0) * observed / expected)
}

/// The distance of categories `low` and `high`.
fn distance(level: Level, categories: &[f64], sums: &[f64], (low, high): (usize, usize)) -> f64 {
    let (a, b) = (categories[low], categories[high]);
    match level {
        _ if low == high => 0.0,
        Level::Nominal => 1.0,
        Level::Ordinal => {
            let between: f64 = sums[low..=high].iter().sum();
            (between - f64::midpoint(sums[low], sums[high])).powi(2)
        }
        Level::Interval => (a - b).powi(2),
        // Two grades that cancel are as far apart as grades can be; only negative ones could.
        Level::Ratio if a + b == 0.0 => 1.0,
        Level::Ratio => ((a - b) / (a + b)).powi(2),
    }
}
