//! Measures for a user who knew some documents before the search.
//!
//! [`KnownDocuments`] holds the documents that the user of each topic knew; [`KnownTopic`] is what a measure sees of a
//! ranking; [`KnownItems`] counts the relevant ones among them. With R the relevant, A the
//! retrieved and K the known documents:
//!
//! - coverage: |R ∩ A ∩ K| / |R ∩ K|;
//! - novelty: |(R ∩ A) − K| / |R ∩ A|;
//! - relative recall: |R ∩ A| / |R ∩ K|, or over the number of relevant documents that the user expected;
//! - recall effort: |R ∩ K| / |A|, or the number expected over the number of documents read until they were found.
//!
//! Known documents that are not relevant play no part.
//!
//! R. R. Korfhage: Information Storage and Retrieval. Wiley, 1997.
//!
//! R. Baeza-Yates and B. Ribeiro-Neto: Modern Information Retrieval. Addison-Wesley, 1999.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::topic::Label;

/// A measure for a user who knew some documents.
pub trait KnownMeasure: fmt::Debug + Send + Sync {
    /// The value for a topic, or `None` where the measure's documentation calls it undefined.
    fn evaluate(&self, topic: &KnownTopic<'_>) -> Option<f64>;
}

/// The documents that users knew before they searched, by topic.
///
/// ```
/// use cranfield_core::known::KnownDocuments;
///
/// let mut known = KnownDocuments::default();
/// known.insert(b"q1", b"d3");
/// known.insert(b"q1", b"d3");
/// assert_eq!(known.len(), 1);
/// assert!(known.of(b"q1").any(|doc| doc == b"d3"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownDocuments {
    topics: BTreeMap<Box<[u8]>, BTreeSet<Box<[u8]>>>,
}

impl KnownDocuments {
    /// Adds a document; a repetition changes nothing.
    pub fn insert(&mut self, topic: &[u8], doc: &[u8]) {
        match self.topics.get_mut(topic) {
            Some(docs) => {
                docs.insert(doc.into());
            }
            None => {
                self.topics
                    .insert(topic.into(), BTreeSet::from([doc.into()]));
            }
        }
    }

    /// Topics in ascending byte order.
    pub fn topics(&self) -> impl Iterator<Item = &[u8]> {
        self.topics.keys().map(AsRef::as_ref)
    }

    /// Number of documents over all topics.
    pub fn len(&self) -> usize {
        self.topics.values().map(BTreeSet::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }

    /// The documents of a topic, in ascending byte order.
    pub fn of(&self, topic: &[u8]) -> impl Iterator<Item = &[u8]> {
        let docs = self.topics.get(topic).into_iter().flatten();
        docs.map(AsRef::as_ref)
    }

    /// Whether the user of a topic knew a document.
    pub fn contains(&self, topic: &[u8], doc: &[u8]) -> bool {
        self.topics
            .get(topic)
            .is_some_and(|docs| docs.contains(doc))
    }
}

/// A ranking as a user sees it who knew some documents: what a measure of known documents sees.
#[derive(Clone, Copy, Debug)]
pub struct KnownTopic<'a> {
    /// The judgement of each retrieved document, in rank order, and whether the user knew it.
    pub ranking: &'a [(Label, bool)],
    /// The judgement of each document that the user knew, retrieved or not.
    pub known: &'a [Label],
}

impl KnownTopic<'_> {
    /// Counts the relevant documents among the first `cutoff`.
    pub fn items(&self, level: f64, cutoff: usize) -> KnownItems {
        let shown = &self.ranking[..self.ranking.len().min(cutoff)];
        let found = shown.iter().zip(1..);
        let found = found.filter(|((label, _), _)| label.is_relevant(level));
        let mut items = KnownItems {
            retrieved: shown.len(),
            ranks: Vec::new(),
            known_retrieved: 0,
            known: self.known.iter().filter(|l| l.is_relevant(level)).count(),
        };
        for ((_, is_known), rank) in found {
            items.ranks.push(rank);
            items.known_retrieved += usize::from(*is_known);
        }
        items
    }
}

/// Counts of relevant documents in a ranking, known to its user or not.
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
/// assert_eq!(topic.relative_recall(topic.known()), Some(1.5));
/// assert_eq!(topic.recall_effort(topic.known()), Some(0.4));
/// assert_eq!(topic.search_effort(2), Some(2.0 / 3.0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownItems {
    /// Number of documents retrieved.
    retrieved: usize,
    /// Ranks of the relevant documents retrieved, ascending, from 1.
    ranks: Vec<usize>,
    /// Number of known ones among them.
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

    /// The number of relevant documents that the user expected over the number of documents retrieved. `None` if the
    /// user expected none, or nothing was retrieved.
    pub fn recall_effort(&self, expected: usize) -> Option<f64> {
        ratio(expected, self.retrieved).filter(|_| expected > 0)
    }

    /// The number of relevant documents that the user expected over the number of documents read until they were
    /// found, at best 1. `None` if the user expected none, or the ranking ends before they are found.
    pub fn search_effort(&self, expected: usize) -> Option<f64> {
        let read = *self.ranks.get(expected.checked_sub(1)?)?;
        ratio(expected, read)
    }

    /// Number of relevant documents that the user knew, retrieved or not.
    pub fn known(&self) -> usize {
        self.known
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
        assert_eq!(topic.known(), 3);
        assert_eq!(topic.relative_recall(5), Some(0.8));
        assert_eq!(topic.relative_recall(2), Some(2.0));
        assert_eq!(topic.recall_effort(3), Some(0.5));
        assert_eq!(topic.search_effort(3), Some(0.6));
        assert_eq!(topic.search_effort(5), None);
        assert_eq!(topic.retrieved(), 6);
    }

    #[test]
    fn edges() {
        let empty = topic(&[], &[1], &[1]);
        assert_eq!(empty.coverage(), Some(0.0));
        assert_eq!((empty.novelty(), empty.search_effort(1)), (None, None));
        assert_eq!(empty.recall_effort(1), None);
        assert_eq!(empty.relative_recall(0), None);
        assert_eq!(empty.search_effort(0), None);
        assert_eq!(topic(&[1], &[1], &[]).recall_effort(0), None);
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

        #[test]
        fn labels_and_sets_are_counted_alike(
            ranking in prop::collection::btree_set(0u32..30, 0..20),
            relevant in prop::collection::btree_set(0u32..30, 0..20),
            known in prop::collection::btree_set(0u32..30, 0..20),
        ) {
            let ranking: Vec<_> = ranking.into_iter().collect();
            let label = |id: &u32| if relevant.contains(id) {
                Label::Judged(1.0)
            } else {
                Label::Unjudged
            };
            let seen: Vec<_> = ranking.iter().map(|id| (label(id), known.contains(id))).collect();
            let labels: Vec<_> = known.iter().map(label).collect();
            let topic = KnownTopic { ranking: &seen, known: &labels };
            let expected = KnownItems::new(&ranking, &relevant, &known);
            prop_assert_eq!(topic.items(1.0, usize::MAX), expected);
        }
    }
}
