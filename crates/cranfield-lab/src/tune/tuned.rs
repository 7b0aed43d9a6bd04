//! The result of tuning.

use cranfield_compare::compare::{Claim, MeasureTable};
use cranfield_stats::Interval;

use super::point::Point;
use super::sealed::mean;
use super::space::Space;
use super::tuner::Settings;

/// Points chosen by cross-validation, with their scores.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The measure.
    pub measure: String,
    /// The settings.
    pub settings: Settings,
    /// The space.
    pub space: Space,
    /// The default point.
    pub default: Point,
    /// Number of points that were scored so far, including the default.
    pub points: usize,
    /// The point chosen by all topics, and its mean on them, which is too good for other topics.
    pub overall: (Point, f64),
    /// The folds.
    pub folds: Vec<FoldResult>,
    /// The tested topics, by ascending id.
    pub topics: Vec<TopicResult>,
    /// The tuned system compared with the default on the tested topics.
    pub comparison: MeasureTable,
}

/// The choice of one fold.
#[derive(Clone, Debug, PartialEq)]
pub struct FoldResult {
    /// Its name, or its number.
    pub name: String,
    /// Number of test topics.
    pub topics: usize,
    /// The point chosen by the other topics.
    pub point: Point,
    /// Its mean on the training topics.
    pub train: f64,
    /// Its mean on the test topics.
    pub test: f64,
    /// The mean of the default point on the test topics.
    pub default: f64,
}

/// A tested topic.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicResult {
    /// The id.
    pub id: String,
    /// The fold that tested it.
    pub fold: String,
    /// The score of the point that was chosen without it.
    pub tuned: f64,
    /// The score of the default point.
    pub default: f64,
}

impl TopicResult {
    pub(super) fn tuned(&self) -> f64 {
        self.tuned
    }

    pub(super) fn default(&self) -> f64 {
        self.default
    }
}

impl Tuned {
    /// The training score: the mean over folds.
    pub fn train(&self) -> f64 {
        mean(&self.folds.iter().map(|fold| fold.train).collect::<Vec<_>>())
    }

    /// The test score: the mean over topics.
    pub fn test(&self) -> f64 {
        self.comparison.systems[0].mean
    }

    /// The interval of the test score; `None` with one topic.
    pub fn interval(&self) -> Option<Interval> {
        self.comparison.systems[0].interval
    }

    /// The score of the default point on the tested topics.
    pub fn default_test(&self) -> f64 {
        self.comparison.systems[1].mean
    }

    /// By how much the training score is too good.
    pub fn optimism(&self) -> f64 {
        self.train() - self.test()
    }

    /// The claim about the tuned system and the default.
    pub fn claim(&self) -> Option<&Claim> {
        self.comparison.pairs.first().map(|pair| &pair.claim)
    }
}
