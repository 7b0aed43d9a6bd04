//! The best documents so far.

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

    /// The number of documents wanted.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Leaves out documents below a score that as many documents as wanted are known to reach.
    pub(super) fn raise(&mut self, threshold: f64) {
        self.threshold = self.threshold.max(threshold);
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

    #[cold]
    fn shrink(&mut self) {
        let (_, last, _) = self
            .kept
            .select_nth_unstable_by(self.depth - 1, |a, b| b.score.total_cmp(&a.score));
        let last = last.score;
        self.threshold = last;
        self.cut(last);
    }

    /// Keeps as many documents as wanted, of which the last has this score.
    fn cut(&mut self, last: f64) {
        // Ids decide only between documents with that score.
        let mut tied: Vec<Hit> = Vec::new();
        self.kept.retain(|hit| {
            let order = hit.score.total_cmp(&last);
            if order.is_eq() {
                tied.push(*hit);
            }
            order.is_gt()
        });
        let wanted = self.depth - self.kept.len();
        if wanted < tied.len() {
            let index = self.index;
            let mut by_id: Vec<(&[u8], Hit)> =
                tied.iter().map(|hit| (index.id(hit.doc), *hit)).collect();
            by_id.select_nth_unstable_by(wanted - 1, |a, b| b.0.cmp(a.0));
            tied.clear();
            tied.extend(by_id[..wanted].iter().map(|(_, hit)| *hit));
        }
        self.kept.append(&mut tied);
    }

    pub(super) fn finish(mut self) -> Vec<Hit> {
        if self.kept.len() > self.depth {
            self.shrink();
        }
        let index = self.index;
        self.kept
            .sort_unstable_by(|a, b| b.score.total_cmp(&a.score));
        let is_tied = |a: &Hit, b: &Hit| a.score.total_cmp(&b.score).is_eq();
        for tied in self.kept.chunk_by_mut(is_tied) {
            if tied.len() > 1 {
                tied.sort_by_cached_key(|hit| std::cmp::Reverse(index.id(hit.doc)));
            }
        }
        self.kept
    }
}
