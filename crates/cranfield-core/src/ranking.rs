//! The order of a topic's documents, decided once.
//!
//! A [`Ranking`] takes documents as a file gives them and arranges them under a [`TieBreak`]. It is scratch space: one is
//! kept per thread and refilled for every topic, so that no line of a file costs an allocation.

use std::cmp::Ordering;
use std::ops::Range;

use crate::doc_hash::{self, DocHasher, Slot, slots_for};
use crate::merge_sort::merge_sort_by;
use crate::policy::TieBreak;
use crate::small_sort::SmallSort;

/// Documents of one topic, first in the order of the file, then arranged.
#[derive(Debug, Default)]
pub struct Ranking<'a> {
    items: Vec<Item<'a>>,
    /// The rank column, for [`TieBreak::RankColumn`] only.
    columns: Vec<f64>,
    /// Places of documents whose score is that of the document before, in the order of the file.
    tied: Vec<u32>,
    /// Places in rank order.
    order: Vec<u32>,
    /// Ranks (from 0) by place.
    ranks: Vec<u32>,
    /// Rank ranges (from 0) of equal scores, longer than one.
    groups: Vec<Range<u32>>,
    suspects: Suspects,
    slots: Vec<Slot>,
    shape: Shape,
}

/// A quick way to find the few documents whose hash may occur twice: three bits per hash, all in one word of a field with a word
/// per document. Of a thousand documents without a duplicate hardly ever one finds its bits set.
#[derive(Debug, Default)]
struct Suspects {
    bits: Vec<u64>,
    hit_twice: Vec<u64>,
    places: Vec<u32>,
}

impl Suspects {
    /// Collects the places of all hashes, of which there are at most `count`, whose bits others have set, too.
    fn find(&mut self, count: usize, hashes: impl Iterator<Item = (usize, u64)> + Clone) {
        self.places.clear();
        let words = count.next_power_of_two();
        self.bits.clear();
        self.bits.resize(words, 0);
        self.hit_twice.clear();
        for (_, hash) in hashes.clone() {
            let (word, bits) = bits_of(hash, words);
            if self.bits[word] & bits == bits {
                self.hit_twice.resize(words, 0);
                self.hit_twice[word] |= bits;
            }
            self.bits[word] |= bits;
        }
        if self.hit_twice.is_empty() {
            return;
        }
        for (at, hash) in hashes {
            let (word, bits) = bits_of(hash, words);
            if self.hit_twice[word] & bits == bits {
                self.places.push(at as u32);
            }
        }
    }
}

/// The word of a hash in a field of `words` words, and its bits there.
#[inline]
fn bits_of(hash: u64, words: usize) -> (usize, u64) {
    let bit = |place: u32| 1u64 << (hash >> place & 63);
    let word = (hash >> 18) as usize & (words - 1);
    (word, bit(0) | bit(6) | bit(12))
}

#[derive(Clone, Copy, Debug)]
struct Item<'a> {
    doc: &'a [u8],
    hash: u64,
    score: f64,
}

/// Properties of the scores in file order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Shape {
    /// None is larger than the one before.
    #[default]
    Descending,
    /// Anything else, without NaN.
    Unsorted,
    /// Some score is not a number.
    NotANumber,
}

impl<'a> Ranking<'a> {
    /// Clears all documents.
    pub fn clear(&mut self) {
        self.items.clear();
        self.columns.clear();
        self.tied.clear();
        self.shape = Shape::Descending;
    }

    /// Adds the next document of the file. The hash must be by the hasher of the qrels.
    #[inline]
    pub fn push(&mut self, doc: &'a [u8], hash: u64, score: f64) {
        let last = self.items.last().map_or(f64::INFINITY, |item| item.score);
        // Written so that NaN, which is never less, is noted too.
        let descends = score < last;
        if !descends {
            self.note(last, score);
        }
        self.items.push(Item { doc, hash, score });
    }

    /// Adds the next document together with its rank column.
    pub fn push_ranked(&mut self, doc: &'a [u8], hash: u64, score: f64, rank: f64) {
        self.push(doc, hash, score);
        self.columns.push(rank);
    }

    /// Removes a document, if present.
    pub fn remove(&mut self, doc: &[u8]) {
        if self.items.iter().all(|item| item.doc != doc) {
            return;
        }
        let (items, columns) = (
            std::mem::take(&mut self.items),
            std::mem::take(&mut self.columns),
        );
        self.clear();
        for (at, item) in items
            .into_iter()
            .enumerate()
            .filter(|(_, item)| item.doc != doc)
        {
            self.push(item.doc, item.hash, item.score);
            self.columns.extend(columns.get(at));
        }
    }

    /// Notes that `score` is not below `last`, the score before it.
    fn note(&mut self, last: f64, score: f64) {
        let seen = match last.partial_cmp(&score) {
            Some(Ordering::Less) => Shape::Unsorted,
            Some(_) if self.items.is_empty() => Shape::Descending,
            Some(_) => {
                self.tied.push(self.items.len() as u32);
                Shape::Descending
            }
            None => Shape::NotANumber,
        };
        self.shape = self.shape.max(seen);
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// A document by its place in the file.
    pub fn doc(&self, at: usize) -> &'a [u8] {
        self.items[at].doc
    }

    /// The score of a document by its place in the file.
    pub fn score(&self, at: usize) -> f64 {
        self.items[at].score
    }

    /// A document and its hash by its place in the file.
    #[inline]
    pub fn doc_and_hash(&self, at: usize) -> (&'a [u8], u64) {
        (self.items[at].doc, self.items[at].hash)
    }

    /// The hash of a document by its place in the file.
    pub(crate) fn hash(&self, at: usize) -> u64 {
        self.items[at].hash
    }

    /// Documents and their hashes, in the order of the file.
    pub fn docs(&self) -> impl ExactSizeIterator<Item = (&'a [u8], u64)> + '_ {
        self.items.iter().map(|item| (item.doc, item.hash))
    }

    /// Places in the file in rank order, after [`arrange`](Self::arrange).
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The rank, from 0, of the document at a place in the file, after [`arrange`](Self::arrange).
    #[inline]
    pub fn rank(&self, at: usize) -> u32 {
        self.ranks[at]
    }

    /// Rank ranges (from 0) of documents with equal scores, longer than one, after [`arrange`](Self::arrange).
    pub fn tie_groups(&self) -> &[Range<u32>] {
        &self.groups
    }

    /// The two places of a document that is repeated among the first `kept` ranks, if any: that with the smallest id.
    pub fn duplicate(&mut self, kept: usize) -> Option<(usize, usize)> {
        let all = kept >= self.items.len();
        let is_kept = |at: usize| all || (self.ranks[at] as usize) < kept;
        self.suspects.find(
            self.items.len(),
            self.items
                .iter()
                .enumerate()
                .filter(|(at, _)| is_kept(*at))
                .map(|(at, item)| (at, item.hash)),
        );
        let suspects = &self.suspects.places;
        if suspects.is_empty() {
            return None;
        }
        let items = &self.items;
        self.slots.clear();
        self.slots
            .resize(slots_for(suspects.len()), Slot::default());
        let mut found: Option<(usize, usize)> = None;
        let place = |nth: usize| suspects[nth] as usize;
        for nth in 0..suspects.len() {
            let item = &items[place(nth)];
            let is_same = |earlier: usize| items[place(earlier)].doc == item.doc;
            if let Some(earlier) = doc_hash::insert(&mut self.slots, item.hash, nth, is_same)
                && found.is_none_or(|(_, known)| item.doc < items[known].doc)
            {
                found = Some((place(earlier), place(nth)));
            }
        }
        found
    }

    /// Arranges the documents. Those without a rank column have their order for ranks. `gain_of` gives the gain of the document at a place, for the best and worst order of ties.
    pub fn arrange(&mut self, ties: TieBreak, gain_of: impl Fn(usize) -> f64) {
        let places = 0..self.items.len() as u32;
        self.order.clear();
        self.order.extend(places.clone());
        self.ranks.clear();
        self.ranks.extend(places);
        self.groups.clear();
        let ranked = self.columns.len() == self.items.len();
        if ties == TieBreak::FileOrder || ties == TieBreak::RankColumn && !ranked {
            return;
        }
        if ties == TieBreak::RankColumn {
            let columns = &self.columns;
            self.order
                .sort_by(|a, b| columns[*a as usize].total_cmp(&columns[*b as usize]));
            return self.invert();
        }
        match self.shape {
            Shape::Descending => self.group_noted_ties(),
            Shape::Unsorted => self.sort_by_score(),
            Shape::NotANumber => return self.sort_with_nan(ties),
        }
        if ties != TieBreak::InputOrder {
            self.sort_ties(ties, gain_of);
        }
    }

    /// Tie groups of a file in descending order of scores, from what was noted while reading.
    fn group_noted_ties(&mut self) {
        for &at in &self.tied {
            match self.groups.last_mut() {
                Some(group) if group.end == at => group.end = at + 1,
                _ => self.groups.push(at - 1..at + 1),
            }
        }
    }

    fn sort_by_score(&mut self) {
        let items = &self.items;
        // Stable: equal scores stay in file order.
        self.order.sort_by(|a, b| {
            let (a, b) = (items[*a as usize].score, items[*b as usize].score);
            b.partial_cmp(&a).unwrap_or(Ordering::Equal)
        });
        self.invert();
        self.group_equal_scores();
    }

    fn group_equal_scores(&mut self) {
        let mut start = 0;
        let items = &self.items;
        for group in self
            .order
            .chunk_by(|a, b| items[*a as usize].score == items[*b as usize].score)
        {
            let end = start + group.len() as u32;
            if group.len() > 1 {
                self.groups.push(start..end);
            }
            start = end;
        }
    }

    fn invert(&mut self) {
        for (rank, &at) in self.order.iter().enumerate() {
            self.ranks[at as usize] = rank as u32;
        }
    }

    fn sort_ties(&mut self, ties: TieBreak, gain_of: impl Fn(usize) -> f64) {
        let items = &self.items;
        for group in &self.groups {
            let tied = &mut self.order[group.start as usize..group.end as usize];
            let compare =
                |a: &u32, b: &u32| compare_tied(ties, (*a as usize, *b as usize), items, &gain_of);
            match tied {
                // Most groups are pairs, for which calling a sort takes longer than sorting.
                [a, b] if compare(a, b).is_gt() => std::mem::swap(a, b),
                [_, _] => {}
                _ => tied.sort_by(compare),
            }
            for (at, rank) in tied.iter().zip(group.clone()) {
                self.ranks[*at as usize] = rank;
            }
        }
    }

    /// With scores that are not numbers the comparison is no order, and the reference program's result is that of its sort:
    /// documents by ascending id first, then a merge sort by score and descending id.
    fn sort_with_nan(&mut self, ties: TieBreak) {
        let items = &self.items;
        self.order
            .small_sort_by(|a, b| items[*a as usize].doc.cmp(items[*b as usize].doc));
        merge_sort_by(&mut self.order, |a, b| {
            let (a, b) = (&items[*a as usize], &items[*b as usize]);
            if a.score > b.score {
                Ordering::Less
            } else if a.score < b.score {
                Ordering::Greater
            } else if ties == TieBreak::DocidAsc {
                a.doc.cmp(b.doc)
            } else {
                b.doc.cmp(a.doc)
            }
        });
        self.invert();
        self.group_equal_scores();
    }
}

fn compare_tied(
    ties: TieBreak,
    (a, b): (usize, usize),
    items: &[Item<'_>],
    gain_of: &impl Fn(usize) -> f64,
) -> Ordering {
    let descending = || items[b].doc.cmp(items[a].doc);
    match ties {
        TieBreak::DocidAsc => items[a].doc.cmp(items[b].doc),
        TieBreak::Best => gain_of(b).total_cmp(&gain_of(a)).then_with(descending),
        TieBreak::Worst => gain_of(a).total_cmp(&gain_of(b)).then_with(descending),
        _ => descending(),
    }
}

/// Hashes and adds `entries` (document, score) in file order.
pub fn fill<'a>(
    ranking: &mut Ranking<'a>,
    hasher: &DocHasher,
    entries: impl IntoIterator<Item = (&'a [u8], f64)>,
) {
    for (doc, score) in entries {
        ranking.push(doc, hasher.hash(doc), score);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ties: TieBreak, entries: &[(&str, f64)], expected: &[&str]) {
        let mut ranking = Ranking::default();
        let entries: Vec<_> = entries
            .iter()
            .map(|(doc, score)| (doc.as_bytes(), *score))
            .collect();
        fill(&mut ranking, &DocHasher::default(), entries.iter().copied());
        let gain = |at: usize| if entries[at].0 == b"b" { 1.0 } else { 0.0 };
        ranking.arrange(ties, gain);
        let docs: Vec<_> = ranking
            .order()
            .iter()
            .map(|at| ranking.doc(*at as usize))
            .collect();
        let expected: Vec<_> = expected.iter().map(|doc| doc.as_bytes()).collect();
        assert_eq!(docs, expected, "{ties}");
    }

    #[test]
    fn ties_follow_the_rule() {
        let tied = [("a", 1.0), ("c", 1.0), ("b", 1.0), ("z", 2.0), ("y", 0.5)];
        check(TieBreak::DocidDesc, &tied, &["z", "c", "b", "a", "y"]);
        check(TieBreak::DocidAsc, &tied, &["z", "a", "b", "c", "y"]);
        check(TieBreak::InputOrder, &tied, &["z", "a", "c", "b", "y"]);
        check(TieBreak::FileOrder, &tied, &["a", "c", "b", "z", "y"]);
        check(TieBreak::Best, &tied, &["z", "b", "c", "a", "y"]);
        check(TieBreak::Worst, &tied, &["z", "c", "a", "b", "y"]);
    }

    #[test]
    fn a_removed_document_leaves_no_trace() {
        let entries = [("a", 1.0), ("x", 1.0), ("b", 1.0), ("c", 0.5)];
        let hasher = DocHasher::default();
        for ties in [
            TieBreak::DocidDesc,
            TieBreak::InputOrder,
            TieBreak::RankColumn,
        ] {
            let mut arranged = [Ranking::default(), Ranking::default()];
            for (place, (doc, score)) in entries.iter().enumerate() {
                let (doc, rank) = (doc.as_bytes(), -(place as f64));
                arranged[0].push_ranked(doc, hasher.hash(doc), *score, rank);
                if doc != b"x" {
                    arranged[1].push_ranked(doc, hasher.hash(doc), *score, rank);
                }
            }
            arranged[0].remove(b"x");
            arranged[0].remove(b"never there");
            let read = arranged.map(|mut ranking| {
                ranking.arrange(ties, |_| 0.0);
                (
                    ranking.order().to_vec(),
                    ranking.tie_groups().to_vec(),
                    ranking.len(),
                )
            });
            assert_eq!(read[0], read[1], "{ties}");
        }
    }

    #[test]
    fn reference_tie_order() {
        let entries = ["a", "b", "c", "B", "10", "9"].map(|doc| (doc, 1.0));
        check(
            TieBreak::DocidDesc,
            &entries,
            &["c", "b", "a", "B", "9", "10"],
        );
    }

    #[test]
    fn minus_zero_ties_with_zero() {
        check(TieBreak::DocidDesc, &[("a", 0.0), ("b", -0.0)], &["b", "a"]);
    }

    #[test]
    fn tie_groups_and_duplicates() {
        let mut ranking = Ranking::default();
        let hasher = DocHasher::default();
        let entries: [(&[u8], f64); 6] = [
            (b"a", 3.0),
            (b"b", 2.0),
            (b"c", 2.0),
            (b"a", 1.0),
            (b"d", 0.5),
            (b"e", 0.5),
        ];
        fill(&mut ranking, &hasher, entries);
        ranking.arrange(TieBreak::DocidDesc, |_| 0.0);
        assert_eq!(ranking.tie_groups(), [1..3, 4..6]);
        assert_eq!(ranking.duplicate(6), Some((0, 3)));
        assert_eq!(ranking.duplicate(3), None);
    }
}
