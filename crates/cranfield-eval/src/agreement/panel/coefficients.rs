//! Coefficients of agreement of any number of assessors.

use std::fmt;

use cranfield_stats::StatsError;
use cranfield_stats::agreement::{
    Level, Ratings, Weights, brennan_prediger, conger, fleiss, gwet, krippendorff,
    percent_agreement,
};
use cranfield_stats::bootstrap::Estimate;

use crate::agreement::Intervals;

/// A coefficient of agreement of all assessors. Documents that an assessor did not judge are gaps; those with a single judgement count
/// only for the shares of grades.
///
/// Weights count the steps between classes, as for two sets of judgements. Krippendorff's alpha for intervals and ratios depends on the
/// grades themselves, or on the numbers 0, 1, 2 and so on of merged classes.
///
/// # Worked example
/// Three assessors with the grades 0 1 2 2 1 0 3 3 0 1, 0 1 1 2 2 0 3 2 0 0 and 0 2 2 2 1 1 3 3 0 1 agree in 18 of 30 pairs: agreement
/// 0.6. Of 30 grades 9 are 0, 8 are 1, 8 are 2 and 5 are 3, so Fleiss' kappa is (0.6 - 234/900) / (1 - 234/900) = 0.4595.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coefficient {
    /// Share of pairs of assessors that agree on a document, averaged over documents.
    Agreement,
    /// Fleiss' kappa; Scott's pi for two assessors.
    Fleiss(Weights),
    /// Conger's kappa; Cohen's kappa for two assessors without gaps.
    Conger(Weights),
    /// Gwet's AC1, or AC2 with weights.
    Gwet(Weights),
    /// The coefficient of Brennan and Prediger.
    BrennanPrediger(Weights),
    /// Krippendorff's alpha.
    Alpha(Level),
}

impl Coefficient {
    /// All coefficients.
    pub const ALL: &[Self] = &[
        Self::Agreement,
        Self::Fleiss(Weights::Identity),
        Self::Fleiss(Weights::Linear),
        Self::Fleiss(Weights::Quadratic),
        Self::Conger(Weights::Identity),
        Self::Conger(Weights::Linear),
        Self::Conger(Weights::Quadratic),
        Self::Gwet(Weights::Identity),
        Self::Gwet(Weights::Linear),
        Self::Gwet(Weights::Quadratic),
        Self::BrennanPrediger(Weights::Identity),
        Self::BrennanPrediger(Weights::Linear),
        Self::BrennanPrediger(Weights::Quadratic),
        Self::Alpha(Level::Nominal),
        Self::Alpha(Level::Ordinal),
        Self::Alpha(Level::Interval),
        Self::Alpha(Level::Ratio),
    ];

    /// The printed name.
    pub fn name(self) -> String {
        let weighted = |name: &str, weights| match weights {
            Weights::Identity => name.to_owned(),
            Weights::Linear => format!("{name}_lin"),
            Weights::Quadratic => format!("{name}_quad"),
            Weights::Ordinal => format!("{name}_ord"),
        };
        match self {
            Self::Agreement => "agreement".into(),
            Self::Fleiss(weights) => weighted("fleiss", weights),
            Self::Conger(weights) => weighted("conger", weights),
            Self::Gwet(Weights::Identity) => "gwet_ac1".into(),
            Self::Gwet(weights) => weighted("gwet_ac2", weights),
            Self::BrennanPrediger(weights) => weighted("brennan_prediger", weights),
            Self::Alpha(level) => match level {
                Level::Nominal => "alpha_nominal",
                Level::Ordinal => "alpha_ordinal",
                Level::Interval => "alpha_interval",
                Level::Ratio => "alpha_ratio",
            }
            .into(),
        }
    }

    /// Computes the coefficient from ratings whose categories are the places of classes, and their grades.
    pub(super) fn of(self, places: &Ratings, grades: &Ratings) -> Option<f64> {
        match self {
            Self::Agreement => percent_agreement(places, Weights::Identity),
            Self::Fleiss(weights) => fleiss(places, weights),
            Self::Conger(weights) => conger(places, weights),
            Self::Gwet(weights) => gwet(places, weights),
            Self::BrennanPrediger(weights) => brennan_prediger(places, weights),
            Self::Alpha(level) => krippendorff(grades, level),
        }
    }

    /// All coefficients with their intervals, from ratings by place and the grades of the places.
    pub(super) fn estimates(
        places: &Ratings,
        grades: &[f64],
        intervals: Intervals,
    ) -> Result<Vec<Estimate>, StatsError> {
        places.regraded(grades)?;
        let all = |places: &Ratings| {
            // The grades were checked above.
            let grades = places.regraded(grades);
            let of = |coefficient: &Self| coefficient.of(places, grades.as_ref().ok()?);
            Self::ALL.iter().map(of).collect()
        };
        places.intervals(all, intervals.level, intervals.resampling)
    }
}

impl fmt::Display for Coefficient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name())
    }
}
