//! Document ids by number.

use tantivy::directory::OwnedBytes;

use super::invert::{push_number, read_number};

/// An offset is stored for every so many documents.
const GROUP: usize = 16;

/// Collects ids.
#[derive(Debug, Default)]
pub(super) struct IdsWriter {
    count: usize,
    offsets: Vec<u64>,
    bytes: Vec<u8>,
}

impl IdsWriter {
    pub(super) fn push(&mut self, id: &str) {
        if self.count.is_multiple_of(GROUP) {
            self.offsets.push(self.bytes.len() as u64);
        }
        push_number(&mut self.bytes, id.len() as u64);
        self.bytes.extend_from_slice(id.as_bytes());
        self.count += 1;
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The number of ids, the offsets and the ids.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = (self.count as u64).to_le_bytes().to_vec();
        bytes.extend(self.offsets.iter().flat_map(|offset| offset.to_le_bytes()));
        bytes.extend_from_slice(&self.bytes);
        bytes
    }
}

/// Document ids, in a mapped file.
#[derive(Clone, Debug)]
pub(crate) struct Ids {
    count: usize,
    bytes: OwnedBytes,
}

impl Ids {
    pub(super) fn open(bytes: OwnedBytes) -> Option<Self> {
        let count = usize::try_from(number_at(&bytes, 0)?).ok()?;
        Some(Self { count, bytes })
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The id of a document; empty if there is no such document or the file is damaged.
    pub(crate) fn get(&self, doc: u32) -> &[u8] {
        self.find(doc as usize).unwrap_or_default()
    }

    fn find(&self, doc: usize) -> Option<&[u8]> {
        let start = 8 + 8 * self.count.div_ceil(GROUP);
        let offset = number_at(&self.bytes, 8 + 8 * (doc / GROUP))?;
        let from = start.checked_add(usize::try_from(offset).ok()?)?;
        let mut rest = self.bytes.get(from..)?;
        for _ in 0..doc % GROUP {
            let length = read_number(&mut rest) as usize;
            rest = rest.get(length..)?;
        }
        let length = read_number(&mut rest) as usize;
        rest.get(..length)
    }
}

fn number_at(bytes: &[u8], at: usize) -> Option<u64> {
    let eight = bytes.get(at..at + 8)?;
    Some(u64::from_le_bytes(eight.try_into().ok()?))
}
