//! Agreement of assessors: raters who gave grades to the same items, with gaps where a rater did not.
//!
//! All coefficients but raw agreement are `(po - pe) / (1 - pe)`: observed agreement po beyond what chance would give, pe. They differ in
//! what they take for chance. Weights make near grades agree in part.
//!
//! References: J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20 (1960), and Weighted
//! kappa, Psychological Bulletin 70 (1968); J. L. Fleiss, J. Cohen and B. S. Everitt, Large sample standard errors of kappa and weighted
//! kappa, Psychological Bulletin 72 (1969); W. A. Scott, Reliability of content analysis, Public Opinion Quarterly 19 (1955);
//! J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76 (1971); A. J. Conger, Integration and
//! generalization of kappas for multiple raters, Psychological Bulletin 88 (1980); R. L. Brennan and D. J. Prediger, Coefficient kappa,
//! Educational and Psychological Measurement 41 (1981); K. Krippendorff, Content Analysis, third edition (2013); K. L. Gwet, Handbook
//! of Inter-Rater Reliability, fourth edition (2014).

use crate::common::{Interval, check_level};
use crate::distributions::normal_quantile;
use crate::error::{Result, StatsError};

/// The greatest number of different grades.
pub const MOST_CATEGORIES: usize = 1000;

/// How much two grades agree, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weights {
    /// Equal grades agree, others do not.
    #[default]
    Identity,
    /// `1 - |a - b| / (largest - smallest)`.
    Linear,
    /// `1 - (a - b)^2 / (largest - smallest)^2`.
    Quadratic,
    /// `1 - C(k + 1, 2) / C(q, 2)` for grades k places apart among q, by order alone (Gwet). It is not the ordinal metric of
    /// [`Level::Ordinal`].
    Ordinal,
}

/// The level of measurement of Krippendorff's alpha: how far apart two grades are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// Equal or not.
    #[default]
    Nominal,
    /// The square of the number of ratings from one grade to the other, those of the two grades counted half.
    Ordinal,
    /// `(a - b)^2`.
    Interval,
    /// `((a - b) / (a + b))^2`.
    Ratio,
}

/// Grades that several raters gave to items.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    categories: Vec<f64>,
    /// By rater, then item: the position of the grade among the categories.
    grades: Vec<Vec<Option<usize>>>,
    items: usize,
}

impl Ratings {
    /// Ratings from one list per rater, in one order of items; `None` where a rater did not grade the item. The categories are the grades
    /// that occur.
    ///
    /// ```
    /// use cranfield_stats::agreement::Ratings;
    /// let ratings = Ratings::new(&[vec![Some(0.0), Some(2.0)], vec![None, Some(1.0)]])?;
    /// assert_eq!(ratings.categories(), [0.0, 1.0, 2.0]);
    /// # Ok::<(), cranfield_stats::StatsError>(())
    /// ```
    pub fn new<R: AsRef<[Option<f64>]>>(raters: &[R]) -> Result<Self> {
        Self::with_categories(raters, &[])
    }

    /// The same, with grades that could have been given but may not occur: they count in coefficients that assume all grades equally
    /// likely, and in weights.
    pub fn with_categories<R: AsRef<[Option<f64>]>>(raters: &[R], grades: &[f64]) -> Result<Self> {
        let items = raters.first().map_or(0, |rater| rater.as_ref().len());
        let mut categories = grades.to_vec();
        for rater in raters.iter().map(AsRef::as_ref) {
            if rater.len() != items {
                return Err(StatsError::LengthsDiffer {
                    left: items,
                    right: rater.len(),
                });
            }
            categories.extend(rater.iter().flatten());
            categories = sorted_categories(categories)?;
        }
        if categories.is_empty() {
            return Err(StatsError::Empty);
        }
        let position = |grade: f64| categories.partition_point(|&other| other < grade);
        let row = |rater: &[Option<f64>]| rater.iter().map(|&grade| grade.map(position)).collect();
        Ok(Self {
            grades: raters.iter().map(|rater| row(rater.as_ref())).collect(),
            categories,
            items,
        })
    }

    /// The grades, in ascending order.
    pub fn categories(&self) -> &[f64] {
        &self.categories
    }

    /// For each item with a rating, how many raters gave each category.
    fn counts(&self) -> impl Iterator<Item = Vec<u64>> {
        let count = |item: usize| {
            let mut counts = vec![0; self.categories.len()];
            for grade in self.grades.iter().filter_map(|rater| rater[item]) {
                counts[grade] += 1;
            }
            counts
        };
        let items = (0..self.items).map(count);
        items.filter(|counts| counts.iter().any(|&count| count > 0))
    }

    /// The table of two raters, over the items that both graded.
    pub fn confusion(&self, first: usize, second: usize) -> Result<Confusion> {
        let rater = |at: usize| {
            self.grades.get(at).ok_or(StatsError::TooFew {
                what: "raters",
                found: self.grades.len(),
                least: at.saturating_add(1),
            })
        };
        let mut counts = vec![vec![0; self.categories.len()]; self.categories.len()];
        for (a, b) in rater(first)?.iter().zip(rater(second)?) {
            if let (Some(a), Some(b)) = (*a, *b) {
                counts[a][b] += 1;
            }
        }
        Confusion::new(&self.categories, counts)
    }
}

/// Finite grades in ascending order, each once, if there are not too many.
fn sorted_categories(mut grades: Vec<f64>) -> Result<Vec<f64>> {
    crate::sample::check_finite(&grades)?;
    // -0 is 0.
    for grade in &mut grades {
        *grade += 0.0;
    }
    grades.sort_by(f64::total_cmp);
    grades.dedup();
    if grades.len() > MOST_CATEGORIES {
        return Err(StatsError::TooMany {
            what: "different grades",
            found: grades.len(),
            most: MOST_CATEGORIES,
            instead: "round them",
        });
    }
    Ok(grades)
}

/// Weights of all pairs of categories.
fn weight_matrix(weights: Weights, categories: &[f64]) -> Vec<Vec<f64>> {
    let count = categories.len();
    let span = categories
        .last()
        .zip(categories.first())
        .map_or(0.0, |(last, first)| last - first);
    let weight = |a: usize, b: usize| {
        if a == b {
            return 1.0;
        }
        let distance = (categories[a] - categories[b]).abs() / span;
        match weights {
            Weights::Identity => 0.0,
            Weights::Linear => 1.0 - distance,
            Weights::Quadratic => 1.0 - distance * distance,
            Weights::Ordinal => {
                let pairs = |n: usize| (n * (n - 1)) as f64 / 2.0;
                1.0 - pairs(a.abs_diff(b) + 1) / pairs(count)
            }
        }
    };
    let row = |a| (0..count).map(|b| weight(a, b)).collect();
    (0..count).map(row).collect()
}

/// `(po - pe) / (1 - pe)`; `None` where chance alone gives full agreement.
fn beyond_chance(observed: f64, chance: f64) -> Option<f64> {
    (1.0 - chance > 1e-12).then(|| (observed - chance) / (1.0 - chance))
}

/// Grades of two raters: how often the first gave the grade of a row, and the second that of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Confusion {
    categories: Vec<f64>,
    counts: Vec<Vec<u64>>,
    total: u64,
}

/// A kappa with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kappa {
    /// The coefficient, at most 1; `None` where chance alone gives full agreement, as when both raters used one grade only.
    pub value: Option<f64>,
    /// Observed agreement.
    pub observed: f64,
    /// Agreement by chance.
    pub chance: f64,
    /// Standard error in large samples (Fleiss, Cohen and Everitt); `None` as for the value.
    pub standard_error: Option<f64>,
}

impl Kappa {
    /// The interval by the normal distribution.
    pub fn interval(&self, level: f64) -> Result<Option<Interval>> {
        let level = check_level(level)?;
        let z = normal_quantile(0.5 + level / 2.0);
        let both = self.value.zip(self.standard_error);
        Ok(both.map(|(value, error)| Interval {
            low: value - z * error,
            high: value + z * error,
            level,
        }))
    }
}

impl Confusion {
    /// A square table of counts over grades in strictly ascending order.
    ///
    /// ```
    /// use cranfield_stats::agreement::{Confusion, Weights};
    /// let table = Confusion::new(&[0.0, 1.0], vec![vec![20, 5], vec![10, 15]])?;
    /// // po = 35/50, pe = (25/50)(30/50) + (25/50)(20/50) = 0.5.
    /// assert!((table.cohen(Weights::Identity).value.unwrap() - 0.4).abs() < 1e-12);
    /// # Ok::<(), cranfield_stats::StatsError>(())
    /// ```
    pub fn new(categories: &[f64], counts: Vec<Vec<u64>>) -> Result<Self> {
        let size = categories.len();
        for length in std::iter::once(counts.len()).chain(counts.iter().map(Vec::len)) {
            if length != size {
                return Err(StatsError::LengthsDiffer {
                    left: size,
                    right: length,
                });
            }
        }
        let sorted = sorted_categories(categories.to_vec())?;
        if sorted != categories {
            return Err(StatsError::Setting {
                name: "a grade",
                value: categories.first().copied().unwrap_or(0.0),
                expected: "grades in ascending order, each once",
            });
        }
        let total = counts
            .iter()
            .flatten()
            .fold(0, |sum: u64, &count| sum.saturating_add(count));
        if total == 0 {
            return Err(StatsError::Empty);
        }
        Ok(Self {
            categories: sorted,
            counts,
            total,
        })
    }

    /// The grades of rows and columns.
    pub fn categories(&self) -> &[f64] {
        &self.categories
    }

    /// The counts, by row and column.
    pub fn counts(&self) -> &[Vec<u64>] {
        &self.counts
    }

    /// Number of items.
    pub fn items(&self) -> u64 {
        self.total
    }

    fn share(&self, row: usize, column: usize) -> f64 {
        self.counts[row][column] as f64 / self.total as f64
    }

    /// Shares of the grades of both raters.
    fn margins(&self) -> (Vec<f64>, Vec<f64>) {
        let all = || 0..self.categories.len();
        let row = |a| all().map(|b| self.share(a, b)).sum();
        let column = |b| all().map(|a| self.share(a, b)).sum();
        (all().map(row).collect(), all().map(column).collect())
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let size = self.categories.len();
        (0..size).flat_map(move |a| (0..size).map(move |b| (a, b)))
    }

    fn observed(&self, weights: &[Vec<f64>]) -> f64 {
        self.pairs()
            .map(|(a, b)| weights[a][b] * self.share(a, b))
            .sum()
    }

    /// Share of items with the same grade.
    pub fn percent_agreement(&self) -> f64 {
        self.observed(&weight_matrix(Weights::Identity, &self.categories))
    }

    /// Cohen's kappa: by chance each rater keeps to his own shares of grades.
    ///
    /// ```text
    /// po = sum_ij w_ij p_ij,  pe = sum_ij w_ij p_i. p_.j
    /// ```
    pub fn cohen(&self, weights: Weights) -> Kappa {
        let weights = weight_matrix(weights, &self.categories);
        let (rows, columns) = self.margins();
        let observed = self.observed(&weights);
        let chance = self
            .pairs()
            .map(|(a, b)| weights[a][b] * rows[a] * columns[b])
            .sum();
        let value = beyond_chance(observed, chance);
        let all = || 0..self.categories.len();
        // Mean weight of a grade of one rater with the other's grades.
        let of_row: Vec<f64> = all()
            .map(|a| all().map(|b| columns[b] * weights[a][b]).sum())
            .collect();
        let of_column: Vec<f64> = all()
            .map(|b| all().map(|a| rows[a] * weights[a][b]).sum())
            .collect();
        let error = |kappa: f64| {
            let rest = 1.0 - kappa;
            let term = |(a, b): (usize, usize)| {
                self.share(a, b) * (weights[a][b] - (of_row[a] + of_column[b]) * rest).powi(2)
            };
            let spread = self.pairs().map(term).sum::<f64>() - (kappa - chance * rest).powi(2);
            // Of full agreement nothing but rounding errors is left.
            let spread = if spread > 1e-14 { spread } else { 0.0 };
            spread.sqrt() / ((1.0 - chance) * (self.total as f64).sqrt())
        };
        Kappa {
            value,
            observed,
            chance,
            standard_error: value.map(error),
        }
    }

    /// Scott's pi: by chance both raters draw from the mean of their shares.
    pub fn scott(&self, weights: Weights) -> Option<f64> {
        let weights = weight_matrix(weights, &self.categories);
        let (rows, columns) = self.margins();
        let mean = |at: usize| f64::midpoint(rows[at], columns[at]);
        let chance = self
            .pairs()
            .map(|(a, b)| weights[a][b] * mean(a) * mean(b))
            .sum();
        beyond_chance(self.observed(&weights), chance)
    }

    /// Kappa where by chance all grades are equally likely; `2 po - 1` for two grades (PABAK).
    pub fn pabak(&self) -> Option<f64> {
        let chance = 1.0 / self.categories.len() as f64;
        beyond_chance(self.percent_agreement(), chance)
    }

    /// Counts with grades from `threshold` on as positive: both, the first only, the second only, neither.
    fn fourfold(&self, threshold: f64) -> [f64; 4] {
        let mut counts = [0.0; 4];
        for (a, b) in self.pairs() {
            let [first, second] = [a, b].map(|at| self.categories[at] >= threshold);
            let cell = usize::from(!first) * 2 + usize::from(!second);
            counts[cell] += self.counts[a][b] as f64;
        }
        counts
    }

    /// Overlap of the items that the raters graded at least `threshold`: those of both over those of either. `None` where there are none.
    ///
    /// ```
    /// use cranfield_stats::agreement::Confusion;
    /// let table = Confusion::new(&[0.0, 1.0], vec![vec![20, 5], vec![10, 15]])?;
    /// assert_eq!(table.overlap(1.0), Some(0.5));
    /// assert_eq!(table.positive_agreement(1.0), Some(30.0 / 45.0));
    /// assert_eq!(table.negative_agreement(1.0), Some(40.0 / 55.0));
    /// # Ok::<(), cranfield_stats::StatsError>(())
    /// ```
    pub fn overlap(&self, threshold: f64) -> Option<f64> {
        let [both, first, second, _] = self.fourfold(threshold);
        share_of(both, first + second)
    }

    /// `2 a / (2 a + b + c)`: a items graded at least `threshold` by both, b and c by one.
    pub fn positive_agreement(&self, threshold: f64) -> Option<f64> {
        let [both, first, second, _] = self.fourfold(threshold);
        share_of(2.0 * both, first + second)
    }

    /// `2 d / (2 d + b + c)`: d items graded less than `threshold` by both, b and c by one.
    pub fn negative_agreement(&self, threshold: f64) -> Option<f64> {
        let [_, first, second, neither] = self.fourfold(threshold);
        share_of(2.0 * neither, first + second)
    }

    /// The mean of what the second rater gave more than the first.
    pub fn bias(&self) -> f64 {
        let gap =
            |(a, b): (usize, usize)| self.share(a, b) * (self.categories[b] - self.categories[a]);
        self.pairs().map(gap).sum()
    }

    /// The mean absolute difference of grades.
    pub fn mean_absolute_error(&self) -> f64 {
        let gap = |(a, b): (usize, usize)| {
            self.share(a, b) * (self.categories[b] - self.categories[a]).abs()
        };
        self.pairs().map(gap).sum()
    }
}

fn share_of(part: f64, rest: f64) -> Option<f64> {
    (part + rest > 0.0).then(|| part / (part + rest))
}

/// What many raters agree on, over items with at least two ratings.
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
        for counts in ratings.counts() {
            let total = counts.iter().sum::<u64>() as f64;
            for (share, &count) in shares.iter_mut().zip(&counts) {
                *share += count as f64 / total;
            }
            rated += 1.0;
            if total > 1.0 {
                observed += agreement_on(&counts, &weights) / (total * (total - 1.0));
                multiple += 1.0;
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

/// Fleiss' kappa, weighted as by Gwet: by chance ratings are drawn from the mean shares of the grades.
///
/// ```text
/// po = mean over items of sum_k r_k (sum_l w_kl r_l - 1) / (r (r - 1)),  pe = sum_kl w_kl s_k s_l
/// ```
///
/// with `r_k` of an item's r ratings in category k, and `s_k` the mean of `r_k / r`. Of two raters it is Scott's pi. `None` where no item has two
/// ratings, or chance alone gives full agreement; so for the coefficients below.
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

/// The coefficient of Brennan and Prediger, and of Randolph: by chance all grades are equally likely.
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

/// Gwet's AC1, and AC2 with weights: `pe = sum_kl w_kl / (q (q - 1)) sum_k s_k (1 - s_k)` for q categories. It does not collapse where nearly
/// all items have one grade.
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

/// Conger's kappa: by chance every rater keeps to his own shares of grades, as in Cohen's kappa, which it is for two raters and no gaps. pe is
/// the mean over pairs of raters.
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
    let shares_of = |grades: &Vec<Option<usize>>| {
        let mut shares = vec![0.0; raters.shares.len()];
        grades
            .iter()
            .flatten()
            .for_each(|&grade| shares[grade] += 1.0);
        let total: f64 = shares.iter().sum();
        (total > 0.0).then(|| {
            shares
                .iter()
                .map(|share| share / total)
                .collect::<Vec<f64>>()
        })
    };
    let margins: Vec<Vec<f64>> = ratings.grades.iter().filter_map(shares_of).collect();
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
/// `None` where no item has two ratings, or all ratings are the same.
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
    for counts in ratings.counts() {
        let fellows = counts.iter().sum::<u64>() as f64 - 1.0;
        if fellows == 0.0 {
            continue;
        }
        for a in (0..size).filter(|&a| counts[a] > 0) {
            for b in (0..size).filter(|&b| counts[b] > 0) {
                let own = u64::from(a == b);
                coincidences[a][b] += (counts[a] * (counts[b] - own)) as f64 / fellows;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anova::tests::near;
    use proptest::prelude::*;

    const R1: [f64; 10] = [0., 1., 2., 2., 1., 0., 3., 3., 0., 1.];
    const R2: [f64; 10] = [0., 1., 1., 2., 2., 0., 3., 2., 0., 0.];
    const R3: [f64; 10] = [0., 2., 2., 2., 1., 1., 3., 3., 0., 1.];

    fn three() -> Ratings {
        Ratings::new(&[R1, R2, R3].map(|rater| rater.map(Some))).unwrap()
    }

    /// scikit-learn 1.9 `cohen_kappa_score`, statsmodels 0.15 `fleiss_kappa`, krippendorff 0.9, irrCAC 0.4.
    #[test]
    fn values_of_peers() {
        let table = three().confusion(0, 1).unwrap();
        let kappa = |weights| table.cohen(weights).value.unwrap();
        near(kappa(Weights::Identity), 0.459_459_459_5, 1e-10);
        near(kappa(Weights::Linear), 0.666_666_666_7, 1e-10);
        near(kappa(Weights::Quadratic), 0.829_059_829_1, 1e-10);
        near(
            fleiss(&three(), Weights::Identity).unwrap(),
            0.459_459_459_5,
            1e-10,
        );
        near(
            brennan_prediger(&three(), Weights::Identity).unwrap(),
            0.466_666_666_7,
            1e-10,
        );
        let alpha = |level| krippendorff(&three(), level).unwrap();
        near(alpha(Level::Nominal), 0.477_477_477_5, 1e-10);
        near(alpha(Level::Ordinal), 0.825_113_446_4, 1e-10);
        near(alpha(Level::Interval), 0.830_903_790_1, 1e-10);
        near(alpha(Level::Ratio), 0.668_642_345_1, 1e-10);
        near(gwet(&three(), Weights::Identity).unwrap(), 0.469_03, 5.1e-6);
        near(gwet(&three(), Weights::Linear).unwrap(), 0.685_86, 5.1e-6);
        near(
            gwet(&three(), Weights::Quadratic).unwrap(),
            0.845_36,
            5.1e-6,
        );
        near(table.overlap(1.0).unwrap(), 0.857_142_857_1, 1e-10);
    }

    /// By hand: a table of two grades, po = 0.7, pe = 0.5, kappa 0.4.
    #[test]
    fn standard_error_by_hand() {
        let table = Confusion::new(&[0.0, 1.0], vec![vec![20, 5], vec![10, 15]]).unwrap();
        let kappa = table.cohen(Weights::Identity);
        // Mean weights: rows have the shares 0.6 and 0.4 of the second rater, columns 0.5 and 0.5 of the first.
        let spread = 0.4 * (1.0 - 1.1 * 0.6f64).powi(2)
            + 0.1 * (1.1 * 0.6f64).powi(2)
            + 0.2 * (0.9 * 0.6f64).powi(2)
            + 0.3 * (1.0 - 0.9 * 0.6f64).powi(2)
            - 0.1f64.powi(2);
        near(
            kappa.standard_error.unwrap(),
            (spread / 50.0).sqrt() / 0.5,
            1e-12,
        );
        let interval = kappa.interval(0.95).unwrap().unwrap();
        near(
            interval.high - interval.low,
            2.0 * 1.959_963_984_5 * kappa.standard_error.unwrap(),
            1e-9,
        );
        near(table.bias(), -0.1, 1e-12);
        near(table.mean_absolute_error(), 0.3, 1e-12);
        near(table.pabak().unwrap(), 0.4, 1e-12);
        let full = Confusion::new(&[0.0, 1.0], vec![vec![3, 0], vec![0, 4]]).unwrap();
        assert_eq!(full.cohen(Weights::Identity).standard_error, Some(0.0));
    }

    #[test]
    fn one_grade_only() {
        let ratings = Ratings::new(&[[Some(1.0); 3], [Some(1.0); 3]]).unwrap();
        let table = ratings.confusion(0, 1).unwrap();
        assert_eq!(table.cohen(Weights::Linear).value, None);
        assert_eq!(table.cohen(Weights::Quadratic).interval(0.95), Ok(None));
        assert_eq!(
            (table.scott(Weights::Identity), table.pabak()),
            (None, None)
        );
        assert_eq!(table.overlap(2.0), None);
        assert_eq!(fleiss(&ratings, Weights::Ordinal), None);
        assert_eq!(gwet(&ratings, Weights::Identity), None);
        assert_eq!(conger(&ratings, Weights::Identity), None);
        assert_eq!(krippendorff(&ratings, Level::Interval), None);
        // With a second grade that could have been given, agreement is full.
        let ratings = Ratings::with_categories(&[[Some(1.0); 3], [Some(1.0); 3]], &[0.0]).unwrap();
        assert_eq!(gwet(&ratings, Weights::Identity), Some(1.0));
        assert_eq!(brennan_prediger(&ratings, Weights::Identity), Some(1.0));
    }

    #[test]
    fn no_item_has_two_ratings() {
        let ratings = Ratings::new(&[[Some(1.0), None], [None, Some(0.0)]]).unwrap();
        assert_eq!(percent_agreement(&ratings, Weights::Identity), None);
        assert_eq!(krippendorff(&ratings, Level::Nominal), None);
        assert_eq!(ratings.confusion(0, 1), Err(StatsError::Empty));
    }

    #[test]
    fn refused() {
        assert_eq!(
            Ratings::new::<Vec<Option<f64>>>(&[]),
            Err(StatsError::Empty)
        );
        assert_eq!(Ratings::new(&[[None]]), Err(StatsError::Empty));
        assert!(Ratings::new(&[vec![Some(1.0)], vec![]]).is_err());
        assert!(Ratings::new(&[[Some(f64::NAN)]]).is_err());
        let many: Vec<Option<f64>> = (0..2000).map(|grade| Some(f64::from(grade))).collect();
        assert!(Ratings::new(&[many]).is_err());
        assert!(three().confusion(0, 3).is_err());
        assert!(Confusion::new(&[1.0, 0.0], vec![vec![1, 1], vec![1, 1]]).is_err());
        assert!(Confusion::new(&[0.0, 1.0], vec![vec![1, 1], vec![1]]).is_err());
        assert!(Confusion::new(&[0.0], vec![vec![0]]).is_err());
    }

    proptest! {
        /// Two raters without gaps: Fleiss' kappa is Scott's pi, Conger's is Cohen's; raters who are the same agree fully.
        #[test]
        fn two_raters(grades in prop::collection::vec((0..4_u8, 0..4_u8), 2..20), kind in 0..4_usize) {
            let weights = [Weights::Identity, Weights::Linear, Weights::Quadratic, Weights::Ordinal][kind];
            let first: Vec<Option<f64>> = grades.iter().map(|&(a, _)| Some(f64::from(a))).collect();
            let second: Vec<Option<f64>> = grades.iter().map(|&(_, b)| Some(f64::from(b))).collect();
            let ratings = Ratings::new(&[&first, &second]).unwrap();
            let table = ratings.confusion(0, 1).unwrap();
            let same = |a: Option<f64>, b: Option<f64>| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-9,
                (a, b) => a == b,
            };
            prop_assert!(same(fleiss(&ratings, weights), table.scott(weights)));
            prop_assert!(same(conger(&ratings, weights), table.cohen(weights).value));
            let twice = Ratings::new(&[&first, &first]).unwrap();
            for value in [fleiss(&twice, weights), gwet(&twice, weights)] {
                prop_assert!(value.is_none_or(|value| (value - 1.0).abs() < 1e-12));
            }
            for level in [Level::Nominal, Level::Ordinal, Level::Interval, Level::Ratio] {
                let value = krippendorff(&twice, level);
                prop_assert!(value.is_none_or(|value| value == 1.0));
            }
        }
    }
}
