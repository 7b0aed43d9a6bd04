//! Grades by rater and item.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Confusion;
use crate::bootstrap::{Estimate, resample_counts};
use crate::error::{Result, StatsError, at_most};
use crate::random::Resampling;

/// Maximum number of distinct grades.
pub const MOST_CATEGORIES: usize = 1000;

/// The grades of an item, by rater: positions among the categories.
pub(super) type Item = Vec<Option<usize>>;

/// Grades that several raters gave to the same items.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    pub(super) categories: Arc<[f64]>,
    raters: usize,
    /// Distinct items.
    items: Arc<[Item]>,
    /// How often each of them occurs.
    times: Vec<u64>,
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
        let position = |grade: f64| categories.partition_point(|&other| other < grade);
        let item = |at: usize| {
            let grades = raters.iter().map(|rater| rater.as_ref()[at]);
            grades.map(|grade| grade.map(position)).collect()
        };
        let items: Vec<Item> = (0..items).map(item).collect();
        Self::of_items(
            &categories,
            raters.len(),
            items.into_iter().map(|item| (item, 1)),
        )
    }

    /// Creates ratings from items, each with the positions of its grades by rater and the number of times that it occurs.
    ///
    /// ```
    /// use cranfield_stats::agreement::{Ratings, Weights, percent_agreement};
    /// // Three items with the grade 1 of both raters, one with the grades 0 and 1.
    /// let items = [(vec![Some(1), Some(1)], 3), (vec![Some(0), Some(1)], 1)];
    /// let ratings = Ratings::of_items(&[0.0, 1.0], 2, items)?;
    /// assert_eq!(percent_agreement(&ratings, Weights::Identity), Some(0.75));
    /// # Ok::<(), cranfield_stats::StatsError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no category, an item does not have a grade or a gap for each rater, or a position is not that of a category.
    pub fn of_items(
        categories: &[f64],
        raters: usize,
        items: impl IntoIterator<Item = (Vec<Option<usize>>, u64)>,
    ) -> Result<Self> {
        let categories = sorted_categories(categories.to_vec())?;
        if categories.is_empty() {
            return Err(StatsError::Empty);
        }
        let mut distinct: BTreeMap<Item, u64> = BTreeMap::new();
        for (item, times) in items {
            if item.len() != raters {
                return Err(StatsError::LengthsDiffer {
                    left: raters,
                    right: item.len(),
                });
            }
            if let Some(&unknown) = item.iter().flatten().find(|&&at| at >= categories.len()) {
                return Err(StatsError::Setting {
                    name: "the position of a grade",
                    value: unknown as f64,
                    expected: "a position among the categories",
                });
            }
            *distinct.entry(item).or_default() += times;
        }
        let (items, times): (Vec<Item>, Vec<u64>) = distinct.into_iter().unzip();
        Ok(Self {
            categories: categories.into(),
            raters,
            items: items.into(),
            times,
        })
    }

    /// The grades, in ascending order.
    pub fn categories(&self) -> &[f64] {
        &self.categories
    }

    /// Number of raters.
    pub fn raters(&self) -> usize {
        self.raters
    }

    /// The ratings with the same items, but other grades in the places of the categories.
    ///
    /// # Errors
    /// If the grades are not as many, or not in ascending order.
    pub fn regraded(&self, categories: &[f64]) -> Result<Self> {
        let sorted = sorted_categories(categories.to_vec())?;
        if sorted.len() != self.categories.len() || sorted != categories {
            return Err(StatsError::LengthsDiffer {
                left: self.categories.len(),
                right: sorted.len(),
            });
        }
        Ok(Self {
            categories: sorted.into(),
            ..self.clone()
        })
    }

    /// For each distinct item with a rating, the number of raters by category, and how often the item occurs.
    pub(super) fn counts(&self) -> impl Iterator<Item = (Vec<u64>, f64)> {
        let items = self.items.iter().zip(&self.times);
        let items = items.filter(|(item, times)| **times > 0 && item.iter().any(Option::is_some));
        items.map(|(item, times)| {
            let mut counts = vec![0; self.categories.len()];
            item.iter().flatten().for_each(|&grade| counts[grade] += 1);
            (counts, *times as f64)
        })
    }

    /// Numbers of items by category that a rater gave.
    pub fn grades_of(&self, rater: usize) -> Vec<u64> {
        let mut counts = vec![0; self.categories.len()];
        for (item, times) in self.items.iter().zip(&self.times) {
            if let Some(grade) = item.get(rater).copied().flatten() {
                counts[grade] += times;
            }
        }
        counts
    }

    /// The cross table of two raters, over the items that both graded.
    pub fn confusion(&self, first: usize, second: usize) -> Result<Confusion> {
        let most = first.max(second);
        if most >= self.raters {
            return Err(StatsError::TooFew {
                what: "raters",
                found: self.raters,
                least: most.saturating_add(1),
            });
        }
        let mut counts = vec![vec![0; self.categories.len()]; self.categories.len()];
        for (item, times) in self.items.iter().zip(&self.times) {
            if let (Some(a), Some(b)) = (item[first], item[second]) {
                counts[a][b] += times;
            }
        }
        Confusion::new(&self.categories, counts)
    }

    /// Statistics of the ratings, each with the interval of its values on resampled items. See [`resample_counts`].
    ///
    /// ```
    /// use cranfield_stats::agreement::{Ratings, Weights, gwet};
    /// use cranfield_stats::random::Resampling;
    /// let items = [(vec![Some(1), Some(1)], 60), (vec![Some(0), Some(1)], 20), (vec![Some(0), Some(0)], 20)];
    /// let ratings = Ratings::of_items(&[0.0, 1.0], 2, items)?;
    /// let resampling = Resampling { replicates: 2000, seed: 1 };
    /// let found = ratings.intervals(|ratings| vec![gwet(ratings, Weights::Identity)], 0.95, resampling)?;
    /// let interval = found[0].interval.unwrap();
    /// assert!(interval.low < found[0].value.unwrap() && found[0].value.unwrap() < interval.high);
    /// # Ok::<(), cranfield_stats::StatsError>(())
    /// ```
    pub fn intervals(
        &self,
        statistics: impl Fn(&Self) -> Vec<Option<f64>> + Sync,
        level: f64,
        resampling: Resampling,
    ) -> Result<Vec<Estimate>> {
        let of_times = |times: &[u64]| {
            statistics(&Self {
                times: times.to_vec(),
                ..self.clone()
            })
        };
        resample_counts(&self.times, of_times, level, resampling)
    }
}

/// Sorts and deduplicates finite grades, and checks their number.
pub(super) fn sorted_categories(mut grades: Vec<f64>) -> Result<Vec<f64>> {
    crate::sample::check_finite(&grades)?;
    // -0 is 0.
    for grade in &mut grades {
        *grade += 0.0;
    }
    grades.sort_unstable_by(f64::total_cmp);
    grades.dedup();
    at_most(
        "distinct grades",
        grades.len(),
        MOST_CATEGORIES,
        "round them",
    )?;
    Ok(grades)
}
