//! Relevance judgements: for each topic a table from document ids to grades.
//!
//! Qrels are made of [`Shard`]s, so that several threads can each read a part of a file. Documents are found by hash, and
//! the bytes of the id are compared: a collision of hashes is never a match.

use std::collections::HashMap;

use crate::doc_hash::{self, DocHasher, Slot, slots_for};
use crate::policy::NegativeGrades;
use crate::topic::{GradeCount, Label, RecallBase};

/// Most judgements that one topic may have.
const MAX_TOPIC: usize = u32::MAX as usize / 4;

/// Judgements of all topics, which are in ascending order of their ids' bytes.
#[derive(Debug, Default)]
pub struct Qrels {
    hasher: DocHasher,
    shards: Vec<Shard>,
    /// Shard and place in it, in ascending order of topic id.
    topics: Vec<(u32, u32)>,
    by_id: HashMap<Box<[u8]>, u32, foldhash::fast::RandomState>,
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
    /// Whether the two grades differ.
    pub fn is_conflict(&self) -> bool {
        self.kept != self.dropped
    }
}

impl Qrels {
    /// Joins shards made with `hasher`. A topic must be in one shard only.
    pub fn from_shards(hasher: DocHasher, shards: Vec<Shard>) -> Self {
        let mut topics: Vec<(u32, u32)> = Vec::new();
        for (shard_at, shard) in shards.iter().enumerate() {
            topics.extend((0..shard.topics.len()).map(|at| (shard_at as u32, at as u32)));
        }
        let id_of = |(shard, at): (u32, u32)| shards[shard as usize].id(at as usize);
        topics.sort_unstable_by(|a, b| id_of(*a).cmp(id_of(*b)));
        let by_id = topics
            .iter()
            .zip(0u32..)
            .map(|(at, n)| (id_of(*at).into(), n))
            .collect();
        Self {
            hasher,
            shards,
            topics,
            by_id,
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
        judgements.sort_by(|a, b| a.0.as_ref().cmp(b.0.as_ref()));
        let hasher = DocHasher::default();
        let mut shard = Shard::default();
        for topic in judgements.chunk_by(|a, b| a.0.as_ref() == b.0.as_ref()) {
            for (_, doc, grade) in topic {
                shard.push(&hasher, doc.as_ref(), *grade);
            }
            shard.end_topic(topic[0].0.as_ref());
        }
        Self::from_shards(hasher, vec![shard])
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
        self.by_id.get(topic).map(|at| *at as usize)
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
            bytes: &shard.bytes,
            id: &shard.bytes[topic.id.clone()],
            docs: &shard.docs[topic.docs.clone()],
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
        self.shards.iter().map(|shard| shard.docs.len()).sum()
    }
}

/// A judged document: where its id stands, half of its hash, its grade.
#[derive(Clone, Copy, Debug)]
struct JudgedDoc {
    offset: u64,
    len: u32,
    grade: f64,
}

#[derive(Debug)]
struct ShardTopic {
    id: std::ops::Range<usize>,
    docs: std::ops::Range<usize>,
    slots: std::ops::Range<usize>,
    grades: std::ops::Range<usize>,
}

/// Judgements of some topics, made by one thread.
#[derive(Debug, Default)]
pub struct Shard {
    bytes: Vec<u8>,
    docs: Vec<JudgedDoc>,
    slots: Vec<Slot>,
    grades: Vec<GradeCount>,
    topics: Vec<ShardTopic>,
    duplicates: Vec<DuplicateJudgement>,
    /// Hashes of the documents of the topic that is being read.
    hashes: Vec<u64>,
}

impl Shard {
    /// Adds a judgement to the topic that is being read.
    #[inline]
    pub fn push(&mut self, hasher: &DocHasher, doc: &[u8], grade: f64) {
        self.hashes.push(hasher.hash(doc));
        self.docs.push(JudgedDoc {
            offset: self.bytes.len() as u64,
            len: doc.len() as u32,
            grade,
        });
        self.bytes.extend_from_slice(doc);
    }

    /// Ends the topic that is being read; `id` is its id. Judgements beyond a topic's limit of a billion are dropped.
    pub fn end_topic(&mut self, id: &[u8]) {
        let first_doc = self.topics.last().map_or(0, |topic| topic.docs.end);
        self.docs.truncate(first_doc + MAX_TOPIC);
        let first_slot = self.slots.len();
        self.slots.resize(
            first_slot + slots_for(self.docs.len() - first_doc),
            Slot::default(),
        );
        self.fill_slots(first_doc, first_slot, id);
        let first_grade = self.grades.len();
        count_grades(&mut self.grades, &self.docs[first_doc..]);
        let first_id = self.bytes.len();
        self.bytes.extend_from_slice(id);
        self.topics.push(ShardTopic {
            id: first_id..self.bytes.len(),
            docs: first_doc..self.docs.len(),
            slots: first_slot..self.slots.len(),
            grades: first_grade..self.grades.len(),
        });
        self.hashes.clear();
    }

    /// Forgets the judgements pushed since the last topic ended.
    pub fn abandon_topic(&mut self) {
        let first_doc = self.topics.last().map_or(0, |topic| topic.docs.end);
        self.docs.truncate(first_doc);
        self.hashes.clear();
    }

    /// Number of topics that have been ended.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Whether no topic has been ended.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }

    /// Drops ended topics for which `keep` is false, by place.
    pub fn retain_topics(&mut self, keep: impl Fn(usize) -> bool) {
        let (bytes, duplicates) = (&self.bytes, &mut self.duplicates);
        let mut at = 0;
        self.topics.retain(|topic| {
            at += 1;
            let kept = keep(at - 1);
            if !kept {
                duplicates.retain(|duplicate| duplicate.topic != bytes[topic.id.clone()]);
            }
            kept
        });
    }

    /// Places the documents from `first_doc` in the table; of two judgements of a document the first is kept.
    fn fill_slots(&mut self, first_doc: usize, first_slot: usize, id: &[u8]) {
        let (bytes, docs) = (&self.bytes, &mut self.docs);
        let slots = &mut self.slots[first_slot..];
        let mut kept = 0;
        for (read, &hash) in self.hashes.iter().take(docs.len() - first_doc).enumerate() {
            let doc = docs[first_doc + read];
            docs[first_doc + kept] = doc;
            let name = id_bytes(bytes, doc);
            let is_same = |item: usize| id_bytes(bytes, docs[first_doc + item]) == name;
            match doc_hash::insert(slots, hash, kept, is_same) {
                None => kept += 1,
                Some(earlier) => self.duplicates.push(DuplicateJudgement {
                    topic: id.to_vec(),
                    doc: name.to_vec(),
                    kept: docs[first_doc + earlier].grade,
                    dropped: doc.grade,
                }),
            }
        }
        docs.truncate(first_doc + kept);
    }

    /// The id of the topic at this place.
    pub fn id(&self, at: usize) -> &[u8] {
        &self.bytes[self.topics[at].id.clone()]
    }
}

fn id_bytes(bytes: &[u8], doc: JudgedDoc) -> &[u8] {
    &bytes[doc.offset as usize..doc.offset as usize + doc.len as usize]
}

/// Appends the counts by grade, highest grade first.
fn count_grades(counts: &mut Vec<GradeCount>, docs: &[JudgedDoc]) {
    let first = counts.len();
    for doc in docs {
        if let Some(known) = counts[first..]
            .iter_mut()
            .find(|known| known.grade == doc.grade)
        {
            known.count += 1;
        } else if counts.len() - first < 64 {
            counts.push(GradeCount {
                grade: doc.grade,
                count: 1,
            });
        } else {
            return count_many_grades(counts, first, docs);
        }
    }
    counts[first..].sort_unstable_by(|a, b| b.grade.total_cmp(&a.grade));
}

/// The same for topics with many distinct grades, by sorting.
fn count_many_grades(counts: &mut Vec<GradeCount>, first: usize, docs: &[JudgedDoc]) {
    counts.truncate(first);
    let mut grades: Vec<f64> = docs.iter().map(|doc| doc.grade).collect();
    grades.sort_unstable_by(|a, b| b.total_cmp(a));
    for same in grades.chunk_by(|a, b| a == b) {
        counts.push(GradeCount {
            grade: same[0],
            count: same.len() as u32,
        });
    }
}

/// The judgements of one topic.
#[derive(Clone, Copy, Debug)]
pub struct QrelsTopic<'a> {
    bytes: &'a [u8],
    id: &'a [u8],
    docs: &'a [JudgedDoc],
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
    pub fn judgements(&self) -> impl ExactSizeIterator<Item = (&'a [u8], f64)> + 'a {
        let bytes = self.bytes;
        self.docs
            .iter()
            .map(move |doc| (id_bytes(bytes, *doc), doc.grade))
    }

    /// The grade of a document, if it was judged.
    pub fn grade(&self, doc: &[u8]) -> Option<f64> {
        self.grade_hashed(doc, self.hasher.hash(doc))
    }

    /// The same, with the document's hash by [`Qrels::hasher`].
    #[inline]
    pub fn grade_hashed(&self, doc: &[u8], hash: u64) -> Option<f64> {
        let is_same = |item: usize| id_bytes(self.bytes, self.docs[item]) == doc;
        doc_hash::find(self.slots, hash, is_same).map(|item| self.docs[item].grade)
    }

    /// Appends the place and the label of each of `docs` (id and hash by [`Qrels::hasher`]) that is in the qrels.
    pub fn label_all<'d>(
        &self,
        docs: impl Iterator<Item = (&'d [u8], u64)>,
        negative: NegativeGrades,
        labels: &mut Vec<(u32, Label)>,
    ) {
        for (at, (doc, hash)) in docs.enumerate() {
            if let Some(grade) = self.grade_hashed(doc, hash) {
                let is_pooled = grade < 0.0 && negative == NegativeGrades::Pooled;
                let label = if is_pooled {
                    Label::Pooled
                } else {
                    Label::Judged(grade)
                };
                labels.push((at as u32, label));
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_in_byte_order_and_found() {
        let qrels = Qrels::from_judgements([
            ("9", "a", 1.0),
            ("10", "b", 0.0),
            ("B", "c", 2.0),
            ("9", "d", -1.0),
        ]);
        let ids: Vec<_> = qrels.topics().map(|topic| topic.id().to_vec()).collect();
        assert_eq!(ids, [b"10".to_vec(), b"9".to_vec(), b"B".to_vec()]);
        let nine = qrels.get(b"9").unwrap();
        assert_eq!(nine.grade(b"a"), Some(1.0));
        assert_eq!(nine.grade(b"b"), None);
        assert_eq!(nine.base(NegativeGrades::Judged).grades().len(), 2);
        assert_eq!(nine.base(NegativeGrades::Pooled).grades().len(), 1);
        assert!(qrels.get(b"8").is_none());
    }

    #[test]
    fn the_first_of_two_judgements_counts() {
        let qrels = Qrels::from_judgements([
            ("1", "a", 1.0),
            ("1", "b", 0.0),
            ("1", "a", 2.0),
            ("1", "c", 3.0),
        ]);
        let topic = qrels.get(b"1").unwrap();
        assert_eq!(topic.grade(b"a"), Some(1.0));
        assert_eq!(topic.grade(b"c"), Some(3.0));
        assert_eq!(topic.judgements().len(), 3);
        assert_eq!(topic.base(NegativeGrades::Judged).relevant(1.0), 2);
        let duplicates: Vec<_> = qrels.duplicates().collect();
        assert_eq!((duplicates.len(), duplicates[0].dropped), (1, 2.0));
    }

    #[test]
    fn many_distinct_grades_are_counted() {
        let judgements = (0..500).map(|n| ("t", format!("d{n}"), f64::from(n % 100) / 8.0));
        let qrels = Qrels::from_judgements(judgements);
        let base = qrels.topic(0).base(NegativeGrades::Judged);
        assert_eq!(base.grades().len(), 100);
        assert!(base.grades().iter().all(|known| known.count == 5));
        assert_eq!(base.highest(), Some(99.0 / 8.0));
    }
}
