//! Grades by rater and item.

use super::Confusion;
use crate::error::{Result, StatsError, at_most};

/// Maximum number of distinct grades.
pub const MOST_CATEGORIES: usize = 1000;

/// Grades that several raters gave to the same items.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    pub(super) categories: Vec<f64>,
    /// By rater, then item: the position of the grade among the categories.
    pub(super) grades: Vec<Vec<Option<usize>>>,
    items: usize,
}

impl Ratings {
    /// Creates ratings from one list per rater, with the items in the same order; `None` where a rater skipped the item. The categories
    /// are the grades that occur.
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

    /// Creates ratings with further categories that raters could have used. They matter to weights, and to coefficients that assume
    /// equally likely grades.
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

    /// For each item with a rating, the number of raters by category.
    pub(super) fn counts(&self) -> impl Iterator<Item = Vec<u64>> {
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

    /// The cross table of two raters, over the items that both graded.
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

/// Sorts and deduplicates finite grades, and checks their number.
pub(super) fn sorted_categories(mut grades: Vec<f64>) -> Result<Vec<f64>> {
    crate::sample::check_finite(&grades)?;
    // -0 is 0.
    for grade in &mut grades {
        *grade += 0.0;
    }
    grades.sort_by(f64::total_cmp);
    grades.dedup();
    at_most(
        "distinct grades",
        grades.len(),
        MOST_CATEGORIES,
        "round them",
    )?;
    Ok(grades)
}
