//! Agreement of two raters.

use super::ratings::sorted_categories;
use super::{Weights, beyond_chance, weight_matrix};
use crate::common::{Interval, check_level};
use crate::distributions::normal_quantile;
use crate::error::{Result, StatsError};

/// Cross table of two raters: the number of items that the first gave the grade of the row and the second that of the column.
#[derive(Clone, Debug, PartialEq)]
pub struct Confusion {
    categories: Vec<f64>,
    counts: Vec<Vec<u64>>,
    total: u64,
}

/// A kappa with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kappa {
    /// The coefficient, at most 1; `None` if chance alone gives full agreement, as when both raters use a single grade.
    pub value: Option<f64>,
    /// Observed agreement.
    pub observed: f64,
    /// Agreement by chance.
    pub chance: f64,
    /// Standard error in large samples (Fleiss, Cohen and Everitt); `None` as for the value.
    pub standard_error: Option<f64>,
}

impl Kappa {
    /// The interval from the normal approximation.
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

/// Cohen's kappa of a table with any number of rows and columns, from the sum of the weights of its items, where a weight is 0 for full
/// agreement: 1 - observed / expected. `None` if no disagreement is expected.
///
/// ```
/// use cranfield_stats::agreement::kappa_of_disagreement;
/// // 3 of 10 items differ, and by chance 6.1 would.
/// let weight = |row, column| if row == column { 0.0 } else { 1.0 };
/// let kappa = kappa_of_disagreement(3.0, &[5, 4, 1], &[5, 3, 2], weight);
/// assert!((kappa.unwrap() - (1.0 - 3.0 / 6.1)).abs() < 1e-12);
/// ```
pub fn kappa_of_disagreement(
    observed: f64,
    rows: &[u64],
    columns: &[u64],
    weight: impl Fn(usize, usize) -> f64,
) -> Option<f64> {
    let total = rows.iter().sum::<u64>() as f64;
    let mut expected = 0.0;
    for (row, in_row) in rows.iter().enumerate().filter(|(_, count)| **count > 0) {
        for (column, in_column) in columns.iter().enumerate() {
            expected += weight(row, column) * (*in_row as f64 * *in_column as f64 / total);
        }
    }
    (expected > 0.0).then(|| 1.0 - observed / expected)
}

impl Confusion {
    /// Creates a square table of counts, with the grades in strictly ascending order.
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
                expected: "distinct grades in ascending order",
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

    /// Proportions of the grades of both raters.
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

    /// Proportion of items with the same grade.
    pub fn percent_agreement(&self) -> f64 {
        self.observed(&weight_matrix(Weights::Identity, &self.categories))
    }

    /// Cohen's kappa: chance agreement follows from each rater's own distribution of grades.
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
            // With full agreement only rounding errors are left.
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

    /// Scott's pi: chance agreement follows from the mean of both distributions of grades.
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

    /// Kappa with chance agreement from equally likely grades; `2 po - 1` for two grades (PABAK).
    pub fn pabak(&self) -> Option<f64> {
        let chance = 1.0 / self.categories.len() as f64;
        beyond_chance(self.percent_agreement(), chance)
    }

    /// Counts of items graded at least `threshold` by both, by the first only, by the second only, and by neither.
    fn fourfold(&self, threshold: f64) -> [f64; 4] {
        let mut counts = [0.0; 4];
        for (a, b) in self.pairs() {
            let [first, second] = [a, b].map(|at| self.categories[at] >= threshold);
            let cell = usize::from(!first) * 2 + usize::from(!second);
            counts[cell] += self.counts[a][b] as f64;
        }
        counts
    }

    /// Overlap of the items graded at least `threshold`: those of both raters over those of either. `None` if there are none.
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

    /// The mean of the second grade minus the first.
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
