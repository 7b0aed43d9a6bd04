//! The two sides of a split. Test topics can be scored only after a point was chosen, and only the training side chooses.
//!
//! [`Sealed`] has no way to a score or a judgement. `Sealed::open` needs a [`Chosen`], which only `TrainSide::choose` makes, and
//! which ends the training side.

use super::error::TuneError;
use super::objective::Objective;
use super::point::Point;
use super::search::Search;
use super::space::Space;
use super::tuner::Choice;

/// Training means that differ by less are equal: the order of a sum must not decide.
const EQUAL: f64 = 1e-12;

/// The topics by whose scores a point is chosen.
pub struct TrainSide<'s, 'a> {
    objective: &'s mut Objective<'a>,
    topics: Vec<usize>,
}

/// The topics that test the choice, out of reach until there is one.
pub struct Sealed {
    topics: Vec<usize>,
}

/// A point that was chosen, which opens the test side.
#[derive(Clone, Debug)]
pub struct Chosen {
    point: Point,
    train: f64,
}

/// The topics that test the choice.
pub struct TestSide<'s, 'a> {
    objective: &'s mut Objective<'a>,
    topics: Vec<usize>,
}

/// Splits topics into the side that chooses and the side that tests.
pub(super) fn split<'s, 'a>(
    objective: &'s mut Objective<'a>,
    test: &[usize],
) -> (TrainSide<'s, 'a>, Sealed) {
    let all = 0..objective.topics().len();
    let train = TrainSide {
        topics: all.filter(|at| !test.contains(at)).collect(),
        objective,
    };
    let sealed = Sealed {
        topics: test.to_vec(),
    };
    (train, sealed)
}

impl<'s, 'a> TrainSide<'s, 'a> {
    /// The mean scores of points on the training topics.
    pub(super) fn means(&mut self, points: &[Point]) -> Result<Vec<f64>, TuneError> {
        self.objective.fill(points, &self.topics)?;
        points.iter().map(|point| self.mean(point)).collect()
    }

    fn mean(&mut self, point: &Point) -> Result<f64, TuneError> {
        Ok(mean(&self.objective.scores(point, &self.topics)?))
    }

    /// Chooses a point by a search of the space, and gives the scores back for the test.
    ///
    /// # Errors
    /// If the system fails at a point.
    pub(super) fn choose(
        mut self,
        space: &Space,
        search: Search,
        choice: Choice,
        (default, seed): (&Point, u64),
    ) -> Result<(Chosen, &'s mut Objective<'a>), TuneError> {
        let points = search.visit(space, default, seed, &mut self)?;
        let means = self.means(&points)?;
        let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let scored = points.iter().zip(&means);
        let is_best = |(_, mean): &(&Point, &f64)| **mean >= best - EQUAL;
        let mut point = nearest(space, default, scored.clone().filter(is_best));
        if choice == Choice::OneSe {
            point = self.within_one_error(space, default, &point, &points)?;
        }
        let train = self.mean(&point)?;
        Ok((Chosen { point, train }, self.objective))
    }

    /// The default point if it is within one standard error of the best, or else the point nearest to it that is. The error is that
    /// of the mean difference between the two points, topic by topic.
    fn within_one_error(
        &mut self,
        space: &Space,
        default: &Point,
        best: &Point,
        points: &[Point],
    ) -> Result<Point, TuneError> {
        let best_scores = self.objective.scores(best, &self.topics)?;
        let mut close = Vec::new();
        for point in std::iter::once(default).chain(points) {
            let scores = self.objective.scores(point, &self.topics)?;
            let differences: Vec<f64> = best_scores
                .iter()
                .zip(&scores)
                .map(|(a, b)| a - b)
                .collect();
            if mean(&differences) <= standard_error(&differences) + EQUAL {
                close.push(point);
            }
        }
        Ok(nearest(
            space,
            default,
            close.into_iter().map(|point| (point, &0.0)),
        ))
    }
}

impl Sealed {
    /// Opens the test side for a point that was chosen without it.
    pub(super) fn open<'s, 'a>(
        self,
        _chosen: &Chosen,
        objective: &'s mut Objective<'a>,
    ) -> TestSide<'s, 'a> {
        TestSide {
            objective,
            topics: self.topics,
        }
    }
}

impl Chosen {
    /// The point.
    pub fn point(&self) -> &Point {
        &self.point
    }

    /// Its mean score on the training topics.
    pub fn train(&self) -> f64 {
        self.train
    }
}

impl TestSide<'_, '_> {
    /// The scores of the test topics at a point.
    pub(super) fn scores(&mut self, point: &Point) -> Result<Vec<f64>, TuneError> {
        self.objective.scores(point, &self.topics)
    }
}

/// The point nearest to the default; the first of several.
fn nearest<'p>(
    space: &Space,
    default: &Point,
    points: impl Iterator<Item = (&'p Point, &'p f64)>,
) -> Point {
    let by_distance = |(a, _): &(&Point, &f64), (b, _): &(&Point, &f64)| {
        space
            .distance(a, default)
            .total_cmp(&space.distance(b, default))
    };
    points
        .min_by(by_distance)
        .map_or_else(|| default.clone(), |(point, _)| point.clone())
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The standard error of a mean.
fn standard_error(values: &[f64]) -> f64 {
    let (count, mean) = (values.len() as f64, mean(values));
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    if values.len() < 2 {
        0.0
    } else {
        (squares / (count - 1.0) / count).sqrt()
    }
}
