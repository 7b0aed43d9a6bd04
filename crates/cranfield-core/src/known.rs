//! Measures for a user who knows some documents, or how many there should be.
//!
//! Of the relevant documents, the user knew some before the search. [`KnownItems`] holds what the ranking did with
//! them and gives four ratios:
//!
//! - coverage: known relevant documents retrieved / known relevant documents;
//! - novelty: relevant documents retrieved that the user did not know / relevant documents retrieved;
//! - relative recall: relevant documents retrieved / relevant documents that the user expected to find;
//! - recall effort: relevant documents that the user expected to find / documents read in the attempt to find them.
//!
//! Relative recall is read in other texts as the share of what several systems found together; that is another
//! measure. Known documents that are not relevant play no part.
//!
//! R. R. Korfhage: Information Storage and Retrieval. Wiley, 1997.
//!
//! R. Baeza-Yates and B. Ribeiro-Neto: Modern Information Retrieval. Addison-Wesley, 1999.

use std::collections::BTreeSet;

/// A topic's ranking, seen by a user who knows some documents.
///
/// ```
/// use std::collections::BTreeSet;
/// use cranfield_core::known::KnownItems;
///
/// let relevant = BTreeSet::from(["a", "b", "c", "d"]);
/// let known = BTreeSet::from(["a", "d"]);
/// let topic = KnownItems::new(&["x", "a", "b", "y", "c"], &relevant, &known);
/// assert_eq!(topic.coverage(), Some(0.5));
/// assert_eq!(topic.novelty(), Some(2.0 / 3.0));
/// assert_eq!(topic.relative_recall(4), Some(0.75));
/// assert_eq!(topic.recall_effort(2), Some(2.0 / 3.0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownItems {
    /// Number of documents retrieved.
    retrieved: usize,
    /// Ranks of the relevant documents retrieved, ascending, from 1.
    ranks: Vec<usize>,
    /// How many of them were known.
    known_retrieved: usize,
    /// Known relevant documents, retrieved or not.
    known: usize,
}

impl KnownItems {
    /// Reads a ranking of distinct documents against the relevant and the known documents.
    pub fn new<D: Ord>(ranking: &[D], relevant: &BTreeSet<D>, known: &BTreeSet<D>) -> Self {
        let found = ranking.iter().zip(1..);
        let found: Vec<_> = found.filter(|(id, _)| relevant.contains(*id)).collect();
        Self {
            retrieved: ranking.len(),
            known_retrieved: found.iter().filter(|(id, _)| known.contains(*id)).count(),
            ranks: found.into_iter().map(|(_, rank)| rank).collect(),
            known: known.intersection(relevant).count(),
        }
    }

    /// The share of the known relevant documents that was retrieved; `None` if there are none.
    pub fn coverage(&self) -> Option<f64> {
        ratio(self.known_retrieved, self.known)
    }

    /// The share of the relevant documents retrieved that the user did not know; `None` if none was retrieved.
    pub fn novelty(&self) -> Option<f64> {
        ratio(self.ranks.len() - self.known_retrieved, self.ranks.len())
    }

    /// Relevant documents retrieved over the number that the user expected; above 1 if there were more. `None` if
    /// the user expected none.
    pub fn relative_recall(&self, expected: usize) -> Option<f64> {
        ratio(self.ranks.len(), expected)
    }

    /// The number of relevant documents that the user expected over the number of documents read until they were
    /// found, at best 1. `None` if the user expected none, or the ranking ends before they are found.
    pub fn recall_effort(&self, expected: usize) -> Option<f64> {
        let read = *self.ranks.get(expected.checked_sub(1)?)?;
        ratio(expected, read)
    }

    /// Number of documents retrieved.
    pub fn retrieved(&self) -> usize {
        self.retrieved
    }
}

fn ratio(numerator: usize, denominator: usize) -> Option<f64> {
    (denominator > 0).then(|| numerator as f64 / denominator as f64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn topic(ranking: &[u32], relevant: &[u32], known: &[u32]) -> KnownItems {
        let set = |ids: &[u32]| ids.iter().copied().collect();
        KnownItems::new(ranking, &set(relevant), &set(known))
    }

    #[test]
    fn ratios_by_hand() {
        // Relevant 1 to 6, known 1, 2, 3 and 9 (not relevant); the ranking finds 2, 5, 6 and 1.
        let topic = topic(&[9, 2, 5, 8, 6, 1], &[1, 2, 3, 4, 5, 6], &[1, 2, 3, 9]);
        assert_eq!(topic.coverage(), Some(2.0 / 3.0));
        assert_eq!(topic.novelty(), Some(0.5));
        assert_eq!(topic.relative_recall(5), Some(0.8));
        assert_eq!(topic.relative_recall(2), Some(2.0));
        assert_eq!(topic.recall_effort(3), Some(0.6));
        assert_eq!(topic.recall_effort(5), None);
        assert_eq!(topic.retrieved(), 6);
    }

    #[test]
    fn edges() {
        let empty = topic(&[], &[1], &[1]);
        assert_eq!(empty.coverage(), Some(0.0));
        assert_eq!((empty.novelty(), empty.recall_effort(1)), (None, None));
        assert_eq!(empty.relative_recall(0), None);
        assert_eq!(empty.recall_effort(0), None);
        assert_eq!(topic(&[1], &[], &[1]).coverage(), None);
        assert_eq!(topic(&[1], &[1], &[]).novelty(), Some(1.0));
    }

    proptest! {
        #[test]
        fn coverage_and_novelty_share_the_relevant_documents_found(
            ranking in prop::collection::btree_set(0u32..30, 0..20),
            relevant in prop::collection::vec(0u32..30, 0..20),
            known in prop::collection::vec(0u32..30, 0..20),
        ) {
            let ranking: Vec<_> = ranking.into_iter().collect();
            let topic = topic(&ranking, &relevant, &known);
            let found = topic.relative_recall(1).unwrap_or(0.0);
            let known_found = topic.coverage().unwrap_or(0.0) * topic.known as f64;
            let new_found = topic.novelty().unwrap_or(0.0) * found;
            prop_assert!((known_found + new_found - found).abs() < 1e-9);
        }
    }
}
