//! The explanation of a mean by topic.

use crate::evaluate::Plan;
use crate::measure::{Aggregate, BoundMeasure, GEOMETRIC_FLOOR};

/// A topic's part of a run's value.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicShare {
    /// Topic id.
    pub id: Box<[u8]>,
    /// Whether the run has the topic.
    pub in_run: bool,
    /// The topic's value; `None` if undefined.
    pub value: Option<f64>,
    /// Whether it takes part in the mean.
    pub counted: bool,
    /// Its part: value / n of a mean, the value of a sum. Of a geometric mean it is ln(value) / n, and parts add up
    /// to the logarithm of the mean.
    pub share: f64,
}

/// The explanation of a run's value of one measure, by topic.
#[derive(Clone, Debug)]
pub struct MeanExplanation {
    /// The measure.
    pub measure: BoundMeasure,
    /// The run's value; `None` if no topic has one.
    pub value: Option<f64>,
    /// Number of topics that take part.
    pub counted: usize,
    /// The topics, in ascending order of their ids.
    pub topics: Vec<TopicShare>,
}

impl MeanExplanation {
    /// From a run's value and those of its topics (id, whether the run has it, value or NaN), under a plan's
    /// policy for undefined values.
    pub fn new<'a>(
        plan: &Plan,
        measure: &BoundMeasure,
        value: Option<f64>,
        topics: impl IntoIterator<Item = (&'a [u8], bool, f64)>,
    ) -> Self {
        let aggregate = measure.info.aggregate;
        let skips = plan.leaves_out_undefined(measure);
        let mut topics: Vec<TopicShare> = topics
            .into_iter()
            .map(|(id, in_run, value)| TopicShare {
                id: id.into(),
                in_run,
                value: Some(value).filter(|value| !value.is_nan()),
                counted: !(skips && value.is_nan()),
                share: 0.0,
            })
            .collect();
        let counted = topics.iter().filter(|topic| topic.counted).count();
        let absent = if plan.reference_values { f64::NAN } else { 0.0 };
        for topic in topics.iter_mut().filter(|topic| topic.counted) {
            let value = topic.value.unwrap_or(absent);
            topic.share = match aggregate {
                Aggregate::Sum => value,
                Aggregate::GeometricMean => value.max(GEOMETRIC_FLOOR).ln() / counted as f64,
                Aggregate::Mean | Aggregate::None => value / counted as f64,
            };
        }
        Self {
            measure: measure.clone(),
            value,
            counted,
            topics,
        }
    }

    /// The sum of all shares.
    pub fn total(&self) -> f64 {
        super::sum(self.topics.iter().map(|topic| topic.share))
    }
}
