//! Agreement of raters who graded the same items. A rater may skip items.
//!
//! All coefficients but raw agreement are `(po - pe) / (1 - pe)`: observed agreement po corrected for agreement by chance pe. They differ in
//! their model of chance. With weights, close grades agree in part.
//!
//! References: J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20 (1960), and Weighted
//! kappa, Psychological Bulletin 70 (1968); J. L. Fleiss, J. Cohen and B. S. Everitt, Large sample standard errors of kappa and weighted
//! kappa, Psychological Bulletin 72 (1969); W. A. Scott, Reliability of content analysis, Public Opinion Quarterly 19 (1955);
//! J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76 (1971); A. J. Conger, Integration and
//! generalization of kappas for multiple raters, Psychological Bulletin 88 (1980); R. L. Brennan and D. J. Prediger, Coefficient kappa,
//! Educational and Psychological Measurement 41 (1981); K. Krippendorff, Content Analysis, third edition (2013); K. L. Gwet, Handbook
//! of Inter-Rater Reliability, fourth edition (2014).

mod confusion;
mod many;
mod ratings;
#[cfg(test)]
mod tests;

pub use confusion::{Confusion, Kappa, kappa_of_disagreement};
pub use many::{brennan_prediger, conger, fleiss, gwet, krippendorff, percent_agreement};
pub use ratings::{MOST_CATEGORIES, Ratings};

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
