//! Relevance judgements: for each topic a table from document ids to grades.
//!
//! Qrels are made of [`Shard`]s, so that several threads can each read a part of a file. Documents are found by hash, and
//! the bytes of the id are compared: a collision of hashes is never a match.

mod shard;

use std::ops::Range;

use bytes::Bytes;

use crate::doc_hash::{self, DocHasher, Found, Slot, slots_for};
use crate::policy::NegativeGrades;
use crate::ranking::Ranking;
use crate::small_sort::SmallSort;
use crate::topic::{GradeCount, Label, RecallBase};

pub use shard::Shard;
use shard::{Judgement, Packed};

/// Judgements of all topics, which are in ascending order of their ids' bytes.
#[derive(Debug, Default)]
pub struct Qrels {
    hasher: DocHasher,
    /// The bytes of all ids: mostly the file itself, which is not copied.
    text: Bytes,
    shards: Vec<Shard>,
    /// Shard and place in it, in ascending order of topic id.
    topics: Vec<(u32, u32)>,
    /// Finds topics by id.
    slots: Vec<Slot>,
}

/// Two judgements of one document for one topic.
#[derive(Clone, Debug, PartialEq)]
pub struct DuplicateJudgement {
    /// Topic id.
    pub topic: Vec<u8>,
    /// Document id.
    pub doc: Vec<u8>,
    /// The grade kept, which came first.
    pub kept: f64,
    /// The later grade.
    pub dropped: f64,
}

impl DuplicateJudgement {
    #[cold]
    fn new((text, topic): (&[u8], &[u8]), kept: Judgement, dropped: Judgement) -> Self {
        Self {
            topic: topic.to_vec(),
            doc: dropped.id(text).to_vec(),
            kept: kept.grade,
            dropped: dropped.grade,
        }
    }

    /// Whether the two grades differ.
    pub fn is_conflict(&self) -> bool {
        self.kept != self.dropped
    }
}

impl Qrels {
    /// Joins shards that were made with `hasher` from ids in `text`. A topic must be in one shard only.
    pub fn from_shards(hasher: DocHasher, text: Bytes, shards: Vec<Shard>) -> Self {
        let mut topics: Vec<(u32, u32)> = Vec::new();
        for (shard_at, shard) in shards.iter().enumerate() {
            topics.extend((0..shard.topics.len()).map(|at| (shard_at as u32, at as u32)));
        }
        let id_of = |(shard, at): (u32, u32)| shards[shard as usize].id(&text, at as usize);
        // Measured: most comparisons end at the first bytes, and then need not look at the text.
        topics.sort_by_cached_key(|at| (first_bytes(id_of(*at)), id_of(*at)));
        let mut slots = vec![Slot::default(); slots_for(topics.len())];
        for (n, at) in topics.iter().enumerate() {
            // No two are the same, so none is compared.
            doc_hash::insert(&mut slots, hasher.hash(id_of(*at)), n, |_| false);
        }
        Self {
            hasher,
            text,
            shards,
            topics,
            slots,
        }
    }

    /// Qrels from (topic, document, grade) in any order; the first of two judgements of a document counts.
    ///
    /// ```
    /// use cranfield_core::qrels::Qrels;
    ///
    /// let qrels = Qrels::from_judgements([("q1", "d1", 2.0), ("q1", "d2", 0.0), ("q0", "d1", 1.0)]);
    /// assert_eq!(qrels.len(), 2);
    /// assert_eq!(qrels.get(b"q1").unwrap().grade(b"d1"), Some(2.0));
    /// ```
    pub fn from_judgements<T: AsRef<[u8]>, D: AsRef<[u8]>>(
        judgements: impl IntoIterator<Item = (T, D, f64)>,
    ) -> Self {
        let mut judgements: Vec<(T, D, f64)> = judgements.into_iter().collect();
        // Stable: judgements of a topic keep their order.
        judgements.small_sort_by(|a, b| a.0.as_ref().cmp(b.0.as_ref()));
        let topics = judgements.chunk_by(|a, b| a.0.as_ref() == b.0.as_ref());
        Self::from_topics(topics.map(|topic| {
            let judged = topic.iter().map(|(_, doc, grade)| (doc.as_ref(), *grade));
            (topic[0].0.as_ref(), judged)
        }))
    }

    /// Qrels from topics, each once, with their documents and grades; the first of two judgements of a document counts.
    pub fn from_topics<'a, J: IntoIterator<Item = (&'a [u8], f64)>>(
        topics: impl IntoIterator<Item = (&'a [u8], J)>,
    ) -> Self {
        fn append(text: &mut Vec<u8>, id: &[u8]) -> Range<usize> {
            text.extend_from_slice(id);
            text.len() - id.len()..text.len()
        }
        let hasher = DocHasher::default();
        let mut text = Vec::new();
        let mut shard = Shard::default();
        for (id, judged) in topics {
            for (doc, grade) in judged {
                let at = append(&mut text, doc);
                shard.push(hasher.hash(doc), at, grade);
            }
            let id = append(&mut text, id);
            shard.end_topic(&text, id);
        }
        Self::from_shards(hasher, text.into(), vec![shard])
    }

    /// Number of topics.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Whether there is no topic.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }

    /// The hasher that the documents of rankings must be hashed with.
    pub fn hasher(&self) -> &DocHasher {
        &self.hasher
    }

    /// Place of a topic in ascending order of ids.
    pub fn position(&self, topic: &[u8]) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let is_same = |at: usize| {
            let (shard, at) = self.topics[at];
            self.shards[shard as usize].id(&self.text, at as usize) == topic
        };
        doc_hash::find(&self.slots, self.hasher.hash(topic), is_same)
    }

    /// The topic with this id.
    pub fn get(&self, topic: &[u8]) -> Option<QrelsTopic<'_>> {
        self.position(topic).map(|at| self.topic(at))
    }

    /// The topic at this place.
    ///
    /// # Panics
    /// If `at` is not below [`len`](Self::len).
    pub fn topic(&self, at: usize) -> QrelsTopic<'_> {
        let (shard, at) = self.topics[at];
        let shard = &self.shards[shard as usize];
        let topic = &shard.topics[at as usize];
        QrelsTopic {
            text: &self.text,
            id: &self.text[topic.id.clone()],
            docs: &shard.docs[topic.docs.clone()],
            odd: &shard.odd,
            slots: &shard.slots[topic.slots.clone()],
            grades: &shard.grades[topic.grades.clone()],
            hasher: &self.hasher,
        }
    }

    /// All topics in ascending order of their ids.
    pub fn topics(&self) -> impl Iterator<Item = QrelsTopic<'_>> {
        (0..self.len()).map(|at| self.topic(at))
    }

    /// Documents that were judged twice for a topic.
    pub fn duplicates(&self) -> impl Iterator<Item = &DuplicateJudgement> {
        self.shards.iter().flat_map(|shard| &shard.duplicates)
    }

    /// Number of judgements.
    pub fn judgements(&self) -> usize {
        let topics = self.shards.iter().flat_map(|shard| &shard.topics);
        topics.map(|topic| topic.docs.len()).sum()
    }
}

/// The first eight bytes of an id as a number that orders as they do.
fn first_bytes(id: &[u8]) -> u64 {
    let mut first = [0; 8];
    let len = id.len().min(8);
    first[..len].copy_from_slice(&id[..len]);
    u64::from_be_bytes(first)
}

/// The judgements of one topic.
#[derive(Clone, Copy, Debug)]
pub struct QrelsTopic<'a> {
    text: &'a [u8],
    id: &'a [u8],
    docs: &'a [Packed],
    odd: &'a [Judgement],
    slots: &'a [Slot],
    grades: &'a [GradeCount],
    hasher: &'a DocHasher,
}

impl<'a> QrelsTopic<'a> {
    /// The topic's id.
    pub fn id(&self) -> &'a [u8] {
        self.id
    }

    /// Documents and grades, in the order of the file.
    pub fn judgements(&self) -> impl ExactSizeIterator<Item = (&'a [u8], f64)> + use<'a> {
        let (text, odd) = (self.text, self.odd);
        self.docs.iter().map(move |doc| {
            let judgement = doc.unpack(odd);
            (judgement.id(text), judgement.grade)
        })
    }

    /// The grade of a document, if it was judged.
    pub fn grade(&self, doc: &[u8]) -> Option<f64> {
        self.grade_hashed(doc, self.hasher.hash(doc))
    }

    /// The grade of a document, given its hash by [`Qrels::hasher`].
    #[inline]
    pub fn grade_hashed(&self, doc: &[u8], hash: u64) -> Option<f64> {
        let is_same = |item: usize| self.docs[item].unpack(self.odd).id(self.text) == doc;
        doc_hash::find(self.slots, hash, is_same).map(|item| self.docs[item].unpack(self.odd).grade)
    }

    /// The label of a document.
    pub fn label(&self, doc: &[u8], negative: NegativeGrades) -> Label {
        let grade = self.grade(doc);
        grade.map_or(Label::Unjudged, |grade| Label::of(grade, negative))
    }

    /// Appends the place and the label of each document (hashed by [`Qrels::hasher`]) that is in the qrels.
    ///
    /// First the table is searched for all, then the ids are compared: the ids are far apart in memory, and this way the
    /// processor fetches many of them at once. `found` is space for that.
    pub(crate) fn label_all(
        &self,
        ranking: &Ranking<'_>,
        negative: NegativeGrades,
        found: &mut Found,
        labels: &mut Vec<(u32, Label)>,
    ) {
        found.find(self.slots, ranking.len(), |at| ranking.hash(at));
        let mut all_same = true;
        let first = labels.len();
        labels.extend(found.iter().map(|(at, item)| {
            let judgement = self.docs[item].unpack(self.odd);
            all_same &= is_same(judgement.id(self.text), ranking.doc(at));
            (at as u32, Label::of(judgement.grade, negative))
        }));
        if all_same {
            return;
        }
        // A slot of another document with a similar hash precedes the right one, or was taken for it.
        labels.truncate(first);
        labels.extend(found.iter().filter_map(|(at, _)| {
            let grade = self.grade_hashed(ranking.doc(at), ranking.hash(at))?;
            Some((at as u32, Label::of(grade, negative)))
        }));
    }

    /// The recall base under a reading of negative grades.
    pub fn base(&self, negative: NegativeGrades) -> RecallBase<'a> {
        let judged = match negative {
            NegativeGrades::Judged => self.grades.len(),
            NegativeGrades::Pooled => self.grades.partition_point(|known| known.grade >= 0.0),
        };
        RecallBase::new(&self.grades[..judged])
    }
}

/// Whether two ids are equal. For the usual lengths two words are compared, without a call.
#[inline]
fn is_same(a: &[u8], b: &[u8]) -> bool {
    let ends = |id: &[u8]| Some((*id.first_chunk::<8>()?, *id.last_chunk::<8>()?));
    match (ends(a), ends(b)) {
        (Some(a_ends), Some(b_ends)) if a.len() <= 16 => a.len() == b.len() && a_ends == b_ends,
        _ => a == b,
    }
}

#[cfg(test)]
mod tests;
