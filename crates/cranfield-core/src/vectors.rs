//! Vectors: a measure at every rank or recall level, not only at one.
//!
//! A measure with a cutoff, taken at the ranks 1 to k, is a vector by rank; interpolated precision is one by recall. The
//! family of cumulated gain is summed along the ranking, everything else is evaluated position by position, so that a
//! component is the measure's own value to the last bit. A vector is named as a measure is.
//!
//! Vectors of topics become one by the mean of each component. A normalised vector can also be made of two means:
//!
//! - `nDCG@k` averages normalised vectors: mean over topics of DCG\[i\] / IDCG\[i\];
//! - `nDCG(average='means')@k` normalises averaged vectors: mean of DCG\[i\] / mean of IDCG\[i\].
//!
//! The second lets topics with many relevant documents count more. It is what Järvelin and Kekäläinen draw.
//!
//! Worked example: two topics with gains 1, 0 and 0, 0 and ideal gains 3, 3 and 3, 2. The means of CG are 0.5, 0.5, those of
//! the ideal 3, 5.5; `nCG(average='means')@2` is 0.5/3 = 0.166667, 0.5/5.5 = 0.090909, and `nCG@2` is (1/3 + 0)/2 =
//! 0.166667, (1/6 + 0)/2 = 0.083333.
//!
//! Reference: K. Järvelin and J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002.
//! doi:10.1145/582415.582418

mod curve;

use std::fmt;
use std::sync::Arc;

use crate::measure::{Aggregate, Direction, MeasureInfo};
use crate::topic::JudgedRanking;

pub use curve::{Curve, CurvePoint, Interpolation};

/// Several numbers of one topic's ranking, such as one per rank.
pub trait Vector: fmt::Debug + Send + Sync {
    /// Numbers in a topic's row: one per component, or two where a component is made of two.
    fn columns(&self) -> usize;

    /// The relevance level whose binary reading this vector asks for.
    fn level(&self) -> Option<f64> {
        None
    }

    /// Computes a topic's numbers; NaN is undefined, or what `trec_eval` has in its place if `reference` is set.
    ///
    /// `columns` has as many places as [`columns`](Self::columns) says; others are left alone.
    fn fill(&self, topic: &JudgedRanking<'_>, reference: bool, columns: &mut [f64]);

    /// The first `length` components, from a topic's numbers or from the means of all topics' numbers; `None` is undefined.
    fn read(&self, columns: &[f64], length: usize) -> Vec<Option<f64>> {
        let defined = |value: &f64| Some(*value).filter(|value| !value.is_nan());
        columns.iter().take(length).map(defined).collect()
    }

    /// Whether this is a curve of precision and recall, which has points of its own in every topic and no mean.
    fn is_curve(&self) -> bool {
        false
    }
}

/// Positions of the components of a vector.
#[derive(Clone, Debug, PartialEq)]
pub enum Positions {
    /// The ranks from 1 to this one.
    Ranks(usize),
    /// These recall levels.
    Recall(Vec<f64>),
}

impl Positions {
    /// Number of components.
    pub fn len(&self) -> usize {
        match self {
            Self::Ranks(depth) => *depth,
            Self::Recall(points) => points.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Rank or recall of the component at this place, from 0.
    pub fn at(&self, place: usize) -> f64 {
        match self {
            Self::Ranks(_) => place as f64 + 1.0,
            Self::Recall(points) => points.get(place).copied().unwrap_or(f64::NAN),
        }
    }
}

/// A vector with its parameters, ready to compute. It prints as its name, which parses back to it.
#[derive(Clone, Debug)]
pub struct BoundVector {
    name: String,
    positions: Positions,
    values: Arc<dyn Vector>,
    aggregate: Aggregate,
    direction: Direction,
    ideal: Ideal,
    best_orders: Option<Box<[Self; 2]>>,
}

impl BoundVector {
    /// Creates a vector of values of a measure, whose best is unknown.
    pub fn new(
        name: String,
        positions: Positions,
        values: impl Vector + 'static,
        info: &MeasureInfo,
    ) -> Self {
        Self {
            name,
            positions,
            values: Arc::new(values),
            aggregate: info.aggregate,
            direction: info.direction,
            ideal: Ideal::Unknown,
            best_orders: None,
        }
    }

    /// Sets the vectors of the ideal ranking and of the retrieved documents in the best order.
    #[must_use]
    pub fn with_best(self, ideal: Ideal, best_orders: [Self; 2]) -> Self {
        Self {
            ideal,
            best_orders: Some(Box::new(best_orders)),
            ..self
        }
    }

    /// Rank or recall of each component.
    pub fn positions(&self) -> &Positions {
        &self.positions
    }

    /// The deepest rank, of a vector by rank.
    pub fn depth(&self) -> Option<usize> {
        match self.positions {
            Positions::Ranks(depth) => Some(depth),
            Positions::Recall(_) => None,
        }
    }

    /// The aggregation over topics, which is the measure's.
    pub fn aggregate(&self) -> Aggregate {
        self.aggregate
    }

    /// Whether a larger component is a better one.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// The relevance level whose binary reading this vector asks for.
    pub fn level(&self) -> Option<f64> {
        self.values.level()
    }

    /// Numbers that a topic's row has for this vector.
    pub fn columns(&self) -> usize {
        self.values.columns()
    }

    /// Computes a topic's numbers, as [`Vector::fill`] does.
    pub fn fill(&self, topic: &JudgedRanking<'_>, reference: bool, columns: &mut [f64]) {
        self.values.fill(topic, reference, columns);
    }

    /// The components, from a topic's numbers or from the means of all topics' numbers; `None` is undefined.
    pub fn read(&self, columns: &[f64]) -> Vec<Option<f64>> {
        self.values.read(columns, self.positions.len())
    }

    /// Whether this is a curve of precision and recall, which has points of its own in every topic and no mean.
    pub fn is_curve(&self) -> bool {
        self.values.is_curve()
    }

    /// The points of a curve, from a topic's numbers; `None` for other vectors and where recall is undefined.
    pub fn curve(&self, columns: &[f64]) -> Option<Curve> {
        let (precision, recall) = columns.split_at_checked(self.positions.len())?;
        let defined = self.is_curve() && recall.iter().all(|recall| !recall.is_nan());
        defined.then(|| Curve::from_vectors(precision, recall))
    }

    /// The best possible vector.
    pub fn ideal(&self) -> &Ideal {
        &self.ideal
    }

    /// For a vector of cumulated gain, those of two other rankings with the same gains and the same discount: the ideal
    /// one, and the retrieved documents in the best order. `None` for other vectors.
    ///
    /// Normalised vectors have those of gain, by which they are divided.
    pub fn best_orders(&self) -> Option<&[Self; 2]> {
        self.best_orders.as_deref()
    }
}

/// The best that a vector can be.
#[derive(Clone, Debug)]
pub enum Ideal {
    /// Another vector: that of the ideal ranking.
    Vector(Box<BoundVector>),
    /// 1 everywhere: the vector is normalised.
    One,
    /// Not given by the judgements alone.
    Unknown,
}

impl fmt::Display for BoundVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name)
    }
}

/// The mean of the first k components: (1/k) · Σ over i ≤ k of V\[i\]. `None` if one of them is undefined, or if there are
/// fewer than k or k is 0.
///
/// ```
/// use cranfield_core::vectors::avg_pos;
///
/// let vector = [1.0, 0.5, 0.75].map(Some);
/// assert_eq!(avg_pos(&vector, 3), Some(0.75));
/// assert_eq!(avg_pos(&vector, 1), Some(1.0));
/// assert_eq!(avg_pos(&vector, 4), None);
/// ```
pub fn avg_pos(vector: &[Option<f64>], k: usize) -> Option<f64> {
    let mut sum = 0.0;
    for value in vector.get(..k)? {
        sum += (*value)?;
    }
    (k > 0).then(|| sum / k as f64)
}

/// The first rank at which a vector by rank has at least this level; `None` if it never has. Nothing is interpolated: a
/// user reads whole documents.
///
/// Read along the vector of system B with what system A has at rank k, this is how many documents a user of B must read
/// to get what A gives with k.
///
/// ```
/// use cranfield_core::vectors::reach;
///
/// let b = [0.0, 1.0, 1.0, 3.0].map(Some);
/// assert_eq!(reach(&b, 2.5), Some(4));
/// assert_eq!(reach(&b, 0.0), Some(1));
/// assert_eq!(reach(&b, 4.0), None);
/// ```
pub fn reach(vector: &[Option<f64>], level: f64) -> Option<usize> {
    let reached = |value: &Option<f64>| value.is_some_and(|value| value >= level);
    vector.iter().position(reached).map(|place| place + 1)
}
