//! The parts of qrels that threads read.

use std::ops::Range;

use super::DuplicateJudgement;
use crate::doc_hash::{self, Slot, slots_for};
use crate::topic::GradeCount;

/// Maximum number of judgements of one topic.
const MAX_TOPIC: usize = u32::MAX as usize / 4;

/// A judged document: the place of its id in the text, and its grade.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Judgement {
    pub(super) start: usize,
    pub(super) len: usize,
    pub(super) grade: f64,
}

impl Judgement {
    #[inline]
    pub(super) fn id(self, text: &[u8]) -> &[u8] {
        &text[self.start..self.start + self.len]
    }
}

/// A judgement in eight bytes, 40 bits for the start, 12 for a whole grade and 12 for the length, if it fits in them. If it does
/// not, the length is all ones, and the rest its place among a shard's odd judgements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed(u64);

impl Packed {
    const ODD: u64 = 0xFFF;
    /// Offset of grades, so that none is negative.
    const ZERO: i32 = 2048;

    #[inline]
    pub(super) fn new(judgement: Judgement, odd: &mut Vec<Judgement>) -> Self {
        let Judgement { start, len, grade } = judgement;
        let whole = grade as i32;
        // By bits: minus zero is odd.
        let is_whole = f64::from(whole).to_bits() == grade.to_bits();
        let code = whole.wrapping_add(Self::ZERO) as u32;
        let fits = (start as u64) >> 40 == 0 && (len as u64) < Self::ODD && code < 0x1000;
        if fits && is_whole {
            return Self((start as u64) << 24 | u64::from(code) << 12 | len as u64);
        }
        odd.push(judgement);
        Self((odd.len() as u64 - 1) << 12 | Self::ODD)
    }

    #[inline]
    pub(super) fn unpack(self, odd: &[Judgement]) -> Judgement {
        let len = self.0 & 0xFFF;
        if len == Self::ODD {
            return odd[(self.0 >> 12) as usize];
        }
        Judgement {
            start: (self.0 >> 24) as usize,
            len: len as usize,
            grade: f64::from((self.0 >> 12 & 0xFFF) as i32 - Self::ZERO),
        }
    }
}

#[derive(Debug)]
pub(super) struct ShardTopic {
    pub(super) id: Range<usize>,
    pub(super) docs: Range<usize>,
    pub(super) slots: Range<usize>,
    pub(super) grades: Range<usize>,
}

/// Judgements of some topics, made by one thread. Ids are given by their places in a text, which must be the same for all.
#[derive(Debug, Default)]
pub struct Shard {
    pub(super) docs: Vec<Packed>,
    pub(super) odd: Vec<Judgement>,
    pub(super) slots: Vec<Slot>,
    pub(super) grades: Vec<GradeCount>,
    pub(super) topics: Vec<ShardTopic>,
    pub(super) duplicates: Vec<DuplicateJudgement>,
    /// Hashes of the documents of the topic that is being read.
    hashes: Vec<u64>,
}

impl Shard {
    /// Reserves space for about this many judgements, for topics with tens of judgements or more.
    pub fn with_capacity(judgements: usize) -> Self {
        Self {
            docs: Vec::with_capacity(judgements),
            slots: Vec::with_capacity(judgements.saturating_mul(9) / 4),
            ..Self::default()
        }
    }

    /// Adds a judgement to the topic that is being read: the document's hash, the place of its id, and its grade.
    #[inline]
    pub fn push(&mut self, hash: u64, doc: Range<usize>, grade: f64) {
        let judgement = Judgement {
            start: doc.start,
            len: doc.len(),
            grade,
        };
        self.hashes.push(hash);
        self.docs.push(Packed::new(judgement, &mut self.odd));
    }

    /// Ends the topic that is being read; `id` is the place of its id. Judgements beyond a topic's limit of a billion are dropped.
    pub fn end_topic(&mut self, text: &[u8], id: Range<usize>) {
        let first_doc = self.topics.last().map_or(0, |topic| topic.docs.end);
        self.docs.truncate(first_doc + MAX_TOPIC);
        let first_slot = self.slots.len();
        self.slots.resize(
            first_slot + slots_for(self.docs.len() - first_doc),
            Slot::default(),
        );
        self.fill_slots(text, first_doc, first_slot, &text[id.clone()]);
        let first_grade = self.grades.len();
        let odd = &self.odd;
        let grades = self.docs[first_doc..]
            .iter()
            .map(|doc| doc.unpack(odd).grade);
        count_grades(&mut self.grades, grades);
        self.topics.push(ShardTopic {
            id,
            docs: first_doc..self.docs.len(),
            slots: first_slot..self.slots.len(),
            grades: first_grade..self.grades.len(),
        });
        self.hashes.clear();
    }

    /// Drops the judgements pushed since the last topic ended.
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
    pub fn retain_topics(&mut self, text: &[u8], keep: impl Fn(usize) -> bool) {
        let duplicates = &mut self.duplicates;
        let mut at = 0;
        self.topics.retain(|topic| {
            at += 1;
            let kept = keep(at - 1);
            if !kept {
                duplicates.retain(|duplicate| duplicate.topic != text[topic.id.clone()]);
            }
            kept
        });
    }

    /// Places the documents from `first_doc` in the table; of two judgements of a document the first is kept.
    fn fill_slots(&mut self, text: &[u8], first_doc: usize, first_slot: usize, id: &[u8]) {
        let odd = &self.odd;
        let docs = &mut self.docs[first_doc..];
        let slots = &mut self.slots[first_slot..];
        let mut kept = 0;
        for (read, &hash) in (0..docs.len()).zip(&self.hashes) {
            let doc = docs[read];
            docs[kept] = doc;
            let is_same = |item: usize| docs[item].unpack(odd).id(text) == doc.unpack(odd).id(text);
            match doc_hash::insert(slots, hash, kept, is_same) {
                None => kept += 1,
                Some(earlier) => self.duplicates.push(DuplicateJudgement::new(
                    (text, id),
                    docs[earlier].unpack(odd),
                    doc.unpack(odd),
                )),
            }
        }
        self.docs.truncate(first_doc + kept);
    }

    /// The id of the topic at this place.
    pub(super) fn id<'t>(&self, text: &'t [u8], at: usize) -> &'t [u8] {
        &text[self.topics[at].id.clone()]
    }
}

/// Appends the counts by grade, highest grade first.
fn count_grades(counts: &mut Vec<GradeCount>, grades: impl Iterator<Item = f64> + Clone) {
    let first = counts.len();
    for grade in grades.clone() {
        if let Some(known) = counts[first..]
            .iter_mut()
            .find(|known| known.grade == grade)
        {
            known.count += 1;
        } else if counts.len() - first < 64 {
            counts.push(GradeCount { grade, count: 1 });
        } else {
            // By sorting, for topics with many distinct grades.
            counts.truncate(first);
            counts.extend(GradeCount::tally(grades.collect()));
            return;
        }
    }
    counts[first..].sort_unstable_by(|a, b| b.grade.total_cmp(&a.grade));
}
