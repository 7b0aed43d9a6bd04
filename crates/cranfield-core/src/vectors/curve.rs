//! Precision and recall as a curve: the points of a ranking, and two ways to read between them.

use crate::topic::JudgedRanking;

/// A relevant document in a ranking: its rank, with precision and recall there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Rank, from 1.
    pub rank: usize,
    /// Relevant documents down to here / R.
    pub recall: f64,
    /// Relevant documents down to here / rank.
    pub precision: f64,
}

/// Interpolation between the points of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The precision of the next point: that of the first relevant document at or beyond the recall.
    Step,
    /// The highest precision of any later point, so that the curve never rises.
    Max,
}

/// The points of one ranking, by rank.
///
/// Worked example: relevant documents at ranks 1 and 3, R = 3. Points: recall 1/3 with precision 1, recall 2/3 with
/// precision 2/3. Either way the curve has precision 1 at recall 0.2, 2/3 at recall 0.5, and 0 at recall 1. With relevant
/// documents at ranks 2 and 3 the points are (1/3, 1/2) and (2/3, 2/3): at recall 0.2 [`Interpolation::Step`] has 1/2,
/// [`Interpolation::Max`] 2/3.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    points: Vec<CurvePoint>,
}

impl Curve {
    /// The curve of a topic's ranking for documents of at least this grade; `None` if the qrels have none.
    pub fn of(topic: &JudgedRanking<'_>, level: f64) -> Option<Self> {
        let relevant = topic.relevant(level);
        let counted = relevant.ranks.iter().zip(1u32..);
        let points = counted.map(|(&rank, count)| CurvePoint {
            rank: rank as usize,
            recall: f64::from(count) / relevant.total as f64,
            precision: f64::from(count) / f64::from(rank),
        });
        (relevant.total > 0).then(|| Self {
            points: points.collect(),
        })
    }

    /// The curve behind precision and recall at the ranks from 1 on: a point wherever recall rises.
    pub fn from_vectors(precision: &[f64], recall: &[f64]) -> Self {
        let mut points = Vec::new();
        let mut before = 0.0;
        for (rank, (&precision, &recall)) in (1..).zip(precision.iter().zip(recall)) {
            if recall > before {
                points.push(CurvePoint {
                    rank,
                    recall,
                    precision,
                });
            }
            before = recall;
        }
        Self { points }
    }

    /// The points, by rank.
    pub fn points(&self) -> &[CurvePoint] {
        &self.points
    }

    /// Precision at a recall; 0 beyond the last point.
    pub fn at(&self, recall: f64, interpolation: Interpolation) -> f64 {
        let first = self.points.partition_point(|point| point.recall < recall);
        let later = self.points[first..].iter().map(|point| point.precision);
        match interpolation {
            Interpolation::Step => later.take(1).fold(0.0, f64::max),
            Interpolation::Max => later.fold(0.0, f64::max),
        }
    }

    /// The area under the curve. With [`Interpolation::Step`] it is average precision.
    pub fn area(&self, interpolation: Interpolation) -> f64 {
        let (mut area, mut before) = (0.0, 0.0);
        for point in &self.points {
            area += (point.recall - before) * self.at(point.recall, interpolation);
            before = point.recall;
        }
        area
    }
}
