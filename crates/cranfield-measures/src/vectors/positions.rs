//! A measure at each position.

use std::sync::Arc;

use cranfield_core::measure::Measure;
use cranfield_core::topic::JudgedRanking;
use cranfield_core::vectors::Vector;

/// One measure for each position.
#[derive(Clone, Debug)]
pub(super) struct AtPositions {
    measures: Vec<Arc<dyn Measure>>,
    is_curve: bool,
}

impl AtPositions {
    pub(super) fn new(measures: Vec<Arc<dyn Measure>>) -> Self {
        Self {
            measures,
            is_curve: false,
        }
    }

    /// Precision at each rank, then recall at each rank: the points of a curve.
    pub(super) fn curve(measures: Vec<Arc<dyn Measure>>) -> Self {
        Self {
            measures,
            is_curve: true,
        }
    }
}

impl Vector for AtPositions {
    fn columns(&self) -> usize {
        self.measures.len()
    }

    fn level(&self) -> Option<f64> {
        self.measures.first()?.level()
    }

    fn fill(&self, topic: &JudgedRanking<'_>, reference: bool, columns: &mut [f64]) {
        for (measure, column) in self.measures.iter().zip(columns) {
            *column = match measure.evaluate(topic) {
                None if reference => measure.reference_undefined(topic),
                value => value.unwrap_or(f64::NAN),
            };
        }
    }

    fn is_curve(&self) -> bool {
        self.is_curve
    }
}
