//! Precision at the next relevant document.

use cranfield_core::topic::{JudgedRanking, Relevant};
use cranfield_core::vectors::Vector;

use crate::measures::interpolation::RecallRule;

/// Precision at the next relevant document, by recall level.
#[derive(Clone, Debug)]
pub(super) struct Step {
    level: f64,
    points: Vec<f64>,
    recall: RecallRule,
}

impl Step {
    pub(super) fn new(level: f64, points: Vec<f64>, recall: RecallRule) -> Self {
        Self {
            level,
            points,
            recall,
        }
    }

    fn precision(&self, relevant: &Relevant, point: f64) -> f64 {
        // Recall 0 is reached at the first document.
        let needed = self.recall.documents(point, relevant.total).max(1.0);
        let rank = relevant.ranks.get(needed as usize - 1);
        rank.map_or(0.0, |rank| needed / f64::from(*rank))
    }
}

impl Vector for Step {
    fn columns(&self) -> usize {
        self.points.len()
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn fill(&self, topic: &JudgedRanking<'_>, reference: bool, columns: &mut [f64]) {
        let relevant = topic.relevant(self.level);
        let undefined = if reference { 0.0 } else { f64::NAN };
        for (point, column) in self.points.iter().zip(columns) {
            *column = match relevant.total {
                0 => undefined,
                _ => self.precision(&relevant, *point),
            };
        }
    }
}
