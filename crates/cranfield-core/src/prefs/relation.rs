//! A relation between documents as a matrix of bits.

use std::ops::Range;

/// A preference relation between documents.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    words: usize,
    bits: Vec<u64>,
}

impl Relation {
    /// The empty relation of `rows` documents (or other things) to `docs` documents.
    pub(super) fn new(rows: usize, docs: usize) -> Self {
        let words = docs.div_ceil(64);
        Self {
            words,
            bits: vec![0; rows * words],
        }
    }

    /// An empty set of documents.
    pub(super) fn empty_set(&self) -> Vec<u64> {
        vec![0; self.words]
    }

    /// The documents to which `a` is preferred.
    pub(super) fn row(&self, a: usize) -> &[u64] {
        &self.bits[a * self.words..][..self.words]
    }

    /// Replaces the documents to which `a` is preferred.
    pub(super) fn set_row(&mut self, a: usize, set: &[u64]) {
        self.bits[a * self.words..][..self.words].copy_from_slice(set);
    }

    /// Drops all rows except the first ones.
    pub(super) fn truncate(&mut self, rows: usize) {
        self.bits.truncate(rows * self.words);
        self.bits.shrink_to_fit();
    }

    /// Whether document `a` is preferred to document `b`.
    pub(super) fn contains(&self, a: usize, b: usize) -> bool {
        contains(self.row(a), b)
    }

    /// Number of documents in `range` and in `set` to which document `a` is preferred.
    pub(super) fn count(&self, a: usize, range: Range<usize>, set: &[u64]) -> u64 {
        let words = range.start / 64..range.end.div_ceil(64);
        let count = |at: usize| self.row(a)[at] & set[at] & word_mask(at, &range);
        words.map(|at| u64::from(count(at).count_ones())).sum()
    }
}

/// Bits of word `at` that are inside `range`.
fn word_mask(at: usize, range: &Range<usize>) -> u64 {
    let from = range.start.saturating_sub(at * 64);
    let to = range.end.saturating_sub(at * 64).min(64);
    if from >= to {
        0
    } else {
        (u64::MAX << from) & (u64::MAX >> (64 - to))
    }
}

/// Whether a document is in a set.
pub(super) fn contains(set: &[u64], doc: usize) -> bool {
    set[doc / 64] >> (doc % 64) & 1 == 1
}

/// Adds a document to a set.
pub(super) fn insert(set: &mut [u64], doc: usize) {
    set[doc / 64] |= 1 << (doc % 64);
}

/// Takes a document out of a set.
pub(super) fn remove(set: &mut [u64], doc: usize) {
    set[doc / 64] &= !(1 << (doc % 64));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_restricted_to_the_range_and_the_set() {
        let mut relation = Relation::new(2, 130);
        let mut set = relation.empty_set();
        (0..130).for_each(|doc| insert(&mut set, doc));
        relation.set_row(0, &set);
        (1..130).step_by(2).for_each(|doc| remove(&mut set, doc));
        assert_eq!(relation.count(0, 0..130, &set), 65);
        assert_eq!(relation.count(0, 63..65, &set), 1);
        assert_eq!(relation.count(0, 64..64, &set), 0);
        assert_eq!(relation.count(0, 128..130, &set), 1);
        assert_eq!(relation.count(1, 0..130, &set), 0);
    }
}
