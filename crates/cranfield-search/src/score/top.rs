//! The best documents so far.

use std::cmp::Ordering;

use super::Hit;
use crate::index::Index;

/// Keeps the best documents, by descending score and then by descending id.
pub(super) struct Top<'i> {
    index: &'i Index,
    depth: usize,
    capacity: usize,
    kept: Vec<Hit>,
    threshold: f64,
}

impl<'i> Top<'i> {
    pub(super) fn new(index: &'i Index, depth: usize) -> Self {
        let depth = depth.min(index.lengths().len().max(1));
        let capacity = depth + (depth / 2).max(8);
        Self {
            index,
            depth,
            capacity,
            kept: Vec::with_capacity(capacity),
            threshold: f64::NEG_INFINITY,
        }
    }

    /// A document with a lower score cannot be among the best.
    #[inline]
    pub(super) fn threshold(&self) -> f64 {
        self.threshold
    }

    #[inline]
    pub(super) fn push(&mut self, doc: u32, score: f64) {
        if score < self.threshold {
            return;
        }
        self.kept.push(Hit { doc, score });
        if self.kept.len() == self.capacity {
            self.shrink();
        }
    }

    fn shrink(&mut self) {
        let index = self.index;
        let (_, last, _) = self
            .kept
            .select_nth_unstable_by(self.depth - 1, |a, b| order(index, a, b));
        self.threshold = last.score;
        self.kept.truncate(self.depth);
    }

    pub(super) fn finish(mut self) -> Vec<Hit> {
        let index = self.index;
        self.kept.sort_unstable_by(|a, b| order(index, a, b));
        self.kept.truncate(self.depth);
        self.kept
    }
}

fn order(index: &Index, a: &Hit, b: &Hit) -> Ordering {
    let by_score = b.score.total_cmp(&a.score);
    by_score.then_with(|| index.id(b.doc).cmp(index.id(a.doc)))
}
