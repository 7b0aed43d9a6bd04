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

/// A slot of an open-addressing table: half of the hash, and the index of an item plus one (0: free).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slot {
    tag: u32,
    item: u32,
}

/// Number of slots for `items`: a power of two, at most half full, and not too few, since with one or two judged documents
/// most look-ups find nothing and should do so at once.
pub(crate) fn slots_for(items: usize) -> usize {
    (items * 2).next_power_of_two().max(16)
}

/// Finds the item with this hash for which `is_same` holds.
#[expect(
    clippy::inline_always,
    reason = "measured: called for every line of a run"
)]
#[inline(always)]
pub(crate) fn find(slots: &[Slot], hash: u64, is_same: impl Fn(usize) -> bool) -> Option<usize> {
    let mask = slots.len() - 1;
    let tag = (hash >> 32) as u32;
    let mut at = hash as usize & mask;
    loop {
        let slot = slots[at];
        if slot.item == 0 {
            return None;
        }
        if slot.tag == tag && is_same(slot.item as usize - 1) {
            return Some(slot.item as usize - 1);
        }
        at = (at + 1) & mask;
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
    let mask = slots.len() - 1;
    let tag = (hash >> 32) as u32;
    let mut at = hash as usize & mask;
    loop {
        let slot = &mut slots[at];
        if slot.item == 0 {
            *slot = Slot {
                tag,
                item: item as u32 + 1,
            };
            return None;
        }
        if slot.tag == tag && is_same(slot.item as usize - 1) {
            return Some(slot.item as usize - 1);
        }
        at = (at + 1) & mask;
    }
}
