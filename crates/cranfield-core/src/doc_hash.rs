//! Hashes of document ids: a first, quick comparison. The bytes decide.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::{FixedState, FoldHasher};

/// Hashes ids with a seed that differs from process to process, so that no file can be made to collide.
/// Nothing that is printed depends on it.
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

/// Where a search for a hash begins, and what its slots look like.
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
