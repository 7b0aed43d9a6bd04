//! Hashes of document ids, for quick comparisons that are confirmed on the bytes.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::{FixedState, FoldHasher};

/// Hashes ids with a seed that differs from process to process, so that no file can be made to collide.
/// Results do not depend on it.
#[derive(Clone, Debug)]
pub struct DocHasher(FixedState);

impl DocHasher {
    /// The hash of an id.
    #[inline]
    pub fn hash(&self, id: &[u8]) -> u64 {
        let mut hasher: FoldHasher<'_> = self.0.build_hasher();
        hasher.write(id);
        hasher.finish()
    }
}

impl Default for DocHasher {
    fn default() -> Self {
        let seed = std::collections::hash_map::RandomState::new()
            .build_hasher()
            .finish();
        Self(FixedState::with_seed(seed))
    }
}

/// A slot of an open-addressing table: the index of an item plus one in its low bits (0: free), and as much of the hash as
/// the bits above have room for. A table of `2^b` slots holds at most `2^(b-1)` items, so that `b` bits are enough for the index.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slot(u32);

/// Number of slots for `items`: a power of two, at most half full, and not too few, since with one or two judged documents
/// most look-ups find nothing and should do so at once.
pub(crate) fn slots_for(items: usize) -> usize {
    (items * 2).next_power_of_two().max(16)
}

/// The start of a search for a hash, and the bits that its slots hold.
struct Probe {
    mask: usize,
    at: usize,
    /// The part of the hash that slots hold, in place.
    tag: u32,
}

impl Probe {
    #[inline]
    fn new(slots: usize, hash: u64) -> Self {
        let mask = slots - 1;
        Self {
            mask,
            at: hash as usize & mask,
            tag: (hash >> 32) as u32 & !(mask as u32),
        }
    }

    /// The item of a slot, if it is not free.
    #[inline]
    fn item(&self, slot: Slot) -> Option<usize> {
        (slot.0 as usize & self.mask).checked_sub(1)
    }

    /// Whether a slot that is not free may hold the item searched for.
    #[inline]
    fn fits(&self, slot: Slot) -> bool {
        slot.0 & !(self.mask as u32) == self.tag
    }

    #[inline]
    fn step(&mut self) {
        self.at = (self.at + 1) & self.mask;
    }
}

/// Finds the item with this hash for which `is_same` holds.
#[expect(
    clippy::inline_always,
    reason = "measured: called for every line of a run"
)]
#[inline(always)]
pub(crate) fn find(slots: &[Slot], hash: u64, is_same: impl Fn(usize) -> bool) -> Option<usize> {
    let mut probe = Probe::new(slots.len(), hash);
    loop {
        let slot = slots[probe.at];
        let item = probe.item(slot)?;
        if probe.fits(slot) && is_same(item) {
            return Some(item);
        }
        probe.step();
    }
}

/// Inserts an item unless one for which `is_same` holds is there already; then that one is returned.
#[inline]
pub(crate) fn insert(
    slots: &mut [Slot],
    hash: u64,
    item: usize,
    is_same: impl Fn(usize) -> bool,
) -> Option<usize> {
    let mut probe = Probe::new(slots.len(), hash);
    loop {
        let slot = &mut slots[probe.at];
        let Some(known) = probe.item(*slot) else {
            *slot = Slot(probe.tag | (item as u32 + 1));
            return None;
        };
        if probe.fits(*slot) && is_same(known) {
            return Some(known);
        }
        probe.step();
    }
}

/// Documents numbered from 0 in the order in which they are first met.
#[derive(Debug, Default)]
pub struct DocNumbers<'a> {
    docs: Vec<(&'a [u8], u64)>,
    slots: Vec<Slot>,
}

impl<'a> DocNumbers<'a> {
    /// Forgets all documents, and makes room for at most `capacity`.
    pub fn reset(&mut self, capacity: usize) {
        self.docs.clear();
        self.slots.clear();
        self.slots.resize(slots_for(capacity), Slot::default());
    }

    /// The number of a document, which is new if it was not met before. The hash must always be by the same hasher.
    #[inline]
    pub fn number(&mut self, doc: &'a [u8], hash: u64) -> u32 {
        let docs = &self.docs;
        let is_same = |at: usize| docs[at].1 == hash && docs[at].0 == doc;
        let next = docs.len();
        if let Some(known) = insert(&mut self.slots, hash, next, is_same) {
            return known as u32;
        }
        self.docs.push((doc, hash));
        next as u32
    }

    /// Documents and their hashes by number.
    pub fn docs(&self) -> &[(&'a [u8], u64)] {
        &self.docs
    }
}

/// Scratch space for finding many hashes at once, and the items found.
///
/// All searches advance one step at a time without branches on the slots: these are unpredictable, and a misprediction costs as much as
/// several steps.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// By place of the hash: the item found plus one, or 0. Longer than what was asked for last, if more was before.
    items: Vec<u32>,
    /// Places of hashes: of those whose search goes on, and in the end of those that have an item.
    places: Vec<u32>,
    /// Number of hashes that have an item.
    count: usize,
}

impl Found {
    /// Finds for each of `count` hashes the first item whose slot looks like it.
    pub(crate) fn find(&mut self, slots: &[Slot], count: usize, hash_of: impl Fn(usize) -> u64) {
        if self.items.len() < count {
            self.items.resize(count, 0);
            self.places.resize(count, 0);
        }
        let (items, places) = (&mut self.items[..count], &mut self.places[..count]);
        let mut open = 0;
        for (place, item) in items.iter_mut().enumerate() {
            let met = Met::new(slots, hash_of(place), 0);
            *item = met.item;
            places[open] = place as u32;
            open += usize::from(met.another);
        }
        let mut step = 0;
        while open > 0 {
            step += 1;
            let mut left = 0;
            for search in 0..open {
                let place = places[search];
                let met = Met::new(slots, hash_of(place as usize), step);
                items[place as usize] = met.item;
                places[left] = place;
                left += usize::from(met.another);
            }
            open = left;
        }
        let mut found = 0;
        for (place, item) in items.iter().enumerate() {
            places[found] = place as u32;
            found += usize::from(*item > 0);
        }
        self.count = found;
    }

    /// Places of hashes and the items that were found for them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let places = self.places[..self.count].iter();
        places.map(|place| (*place as usize, self.items[*place as usize] as usize - 1))
    }
}

/// The outcome of one step of a search.
struct Met {
    /// The item plus one, if its slot looks like the hash, else 0.
    item: u32,
    /// Whether the slot is another item's, so that the search goes on.
    another: bool,
}

impl Met {
    #[inline]
    fn new(slots: &[Slot], hash: u64, step: usize) -> Self {
        let probe = Probe::new(slots.len(), hash);
        let slot = slots[(probe.at + step) & probe.mask];
        let item = slot.0 & probe.mask as u32;
        let fits = probe.fits(slot);
        Self {
            item: item * u32::from(fits),
            another: u32::from(item > 0) > u32::from(fits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A hash that often begins its search where another does, and often looks like it.
    fn hash() -> impl Strategy<Value = u64> {
        (0..20u64, 0..3u64).prop_map(|(at, tag)| at | tag << 62)
    }

    #[test]
    fn documents_are_numbered_as_they_are_met() {
        let hasher = DocHasher::default();
        let mut numbers = DocNumbers::default();
        numbers.reset(4);
        let found = [b"b", b"a", b"b", b"c"].map(|doc| numbers.number(doc, hasher.hash(doc)));
        assert_eq!(found, [0, 1, 0, 2]);
        numbers.reset(1);
        assert_eq!(numbers.number(b"c", hasher.hash(b"c")), 0);
    }

    proptest! {
        #[test]
        fn all_at_once_finds_what_one_by_one_does(
            known in prop::collection::vec(hash(), 0..40),
            sought in prop::collection::vec(hash(), 0..60),
        ) {
            let mut slots = vec![Slot::default(); slots_for(known.len())];
            for (item, hash) in known.iter().enumerate() {
                insert(&mut slots, *hash, item, |_| false);
            }
            let one_by_one = sought.iter().map(|hash| find(&slots, *hash, |_| true));
            let one_by_one = one_by_one.enumerate().filter_map(|(place, item)| Some((place, item?)));
            let mut found = Found::default();
            // What was found before must leave no trace.
            found.find(&slots, 70, |place| place as u64);
            found.find(&slots, sought.len(), |place| sought[place]);
            prop_assert_eq!(found.iter().collect::<Vec<_>>(), one_by_one.collect::<Vec<_>>());
        }
    }
}
