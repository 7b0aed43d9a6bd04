//! Finds documents that occur twice in a topic.

use cranfield_core::doc_hash::DocHasher;

/// Finds repetitions; reuses its memory from topic to topic.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    hasher: DocHasher,
    hashes: Vec<(u64, u32)>,
    pairs: Vec<(u32, u32)>,
}

impl Repeats {
    /// Returns the indices of the first and of each later occurrence of a document, sorted by the later one.
    pub(super) fn find<'d>(
        &mut self,
        docs: impl Iterator<Item = &'d [u8]> + Clone,
    ) -> &[(u32, u32)] {
        let hasher = &self.hasher;
        self.hashes.clear();
        self.hashes.extend(
            docs.clone()
                .zip(0u32..)
                .map(|(doc, at)| (hasher.hash(doc), at)),
        );
        self.hashes.sort_unstable();
        self.pairs.clear();
        if self.hashes.windows(2).any(|two| two[0].0 == two[1].0) {
            let docs: Vec<&[u8]> = docs.collect();
            for same in self.hashes.chunk_by(|a, b| a.0 == b.0) {
                pair_up(same, &docs, &mut self.pairs);
            }
            self.pairs.sort_unstable_by_key(|(_, later)| *later);
        }
        &self.pairs
    }
}

/// Pairs documents with equal hashes whose bytes are equal too.
fn pair_up(same: &[(u64, u32)], docs: &[&[u8]], pairs: &mut Vec<(u32, u32)>) {
    // One entry per distinct document; more than one only if hashes collide.
    let mut firsts: Vec<u32> = Vec::new();
    for &(_, at) in same {
        let doc = docs[at as usize];
        match firsts.iter().find(|first| docs[**first as usize] == doc) {
            Some(first) => pairs.push((*first, at)),
            None => firsts.push(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_are_paired_with_the_first() {
        let docs: [&[u8]; 6] = [b"a", b"b", b"a", b"c", b"b", b"a"];
        let mut repeats = Repeats::default();
        assert_eq!(repeats.find(docs.into_iter()), [(0, 2), (1, 4), (0, 5)]);
        assert_eq!(repeats.find(docs[..2].iter().copied()), []);
    }
}
