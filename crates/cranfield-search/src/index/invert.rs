//! Inversion: from the terms of a block of documents to postings in the order of terms.

use crate::analysis::{TermId, Words};

/// Postings of consecutive documents, grouped by term.
#[derive(Debug)]
pub(super) struct Block {
    /// Number of the first document.
    pub(super) first: u32,
    /// Terms that occur, ascending, each with the end of its postings in `bytes`.
    pub(super) ends: Vec<(TermId, u32)>,
    /// For each term: differences of document numbers, and frequencies.
    pub(super) bytes: Vec<u8>,
    /// Terms in each document.
    pub(super) lengths: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Posting {
    term: TermId,
    doc: u32,
    frequency: u32,
}

/// Collects the postings of a block of documents.
#[derive(Default)]
pub(super) struct Inverter {
    postings: Vec<Posting>,
    lengths: Vec<u32>,
    found: Vec<TermId>,
}

impl Inverter {
    /// Adds the text of the next document.
    pub(super) fn add(&mut self, words: &mut Words, text: &str) {
        let doc = self.lengths.len() as u32;
        self.found.clear();
        words.analyze(text, &mut self.found);
        self.lengths.push(self.found.len() as u32);
        self.found.sort_unstable();
        for same in self.found.chunk_by(|a, b| a == b) {
            self.postings.push(Posting {
                term: same[0],
                doc,
                frequency: same.len() as u32,
            });
        }
    }

    /// The postings of all documents since the last call; `first` is the number of the first of them.
    pub(super) fn finish(&mut self, words: &Words, first: u32) -> Block {
        let sorted = by_term(&self.postings, words.terms().len());
        let mut ends = Vec::new();
        let mut bytes = Vec::with_capacity(self.postings.len() * 2);
        for same in sorted.chunk_by(|a, b| a.term == b.term) {
            let mut last = 0;
            for posting in same {
                push_posting(&mut bytes, posting.doc - last, posting.frequency);
                last = posting.doc;
            }
            ends.push((same[0].term, bytes.len() as u32));
        }
        self.postings.clear();
        Block {
            first,
            ends,
            bytes,
            lengths: std::mem::take(&mut self.lengths),
        }
    }
}

/// A stable counting sort.
fn by_term(postings: &[Posting], terms: usize) -> Vec<Posting> {
    let mut places = vec![0u32; terms + 1];
    for posting in postings {
        places[posting.term as usize + 1] += 1;
    }
    for term in 0..terms {
        places[term + 1] += places[term];
    }
    let mut sorted = postings.to_vec();
    for posting in postings {
        let place = &mut places[posting.term as usize];
        sorted[*place as usize] = *posting;
        *place += 1;
    }
    sorted
}

/// Writes a difference with one bit that marks a frequency of 1, the most common one.
fn push_posting(bytes: &mut Vec<u8>, difference: u32, frequency: u32) {
    push_number(
        bytes,
        u64::from(difference) << 1 | u64::from(frequency == 1),
    );
    if frequency != 1 {
        push_number(bytes, frequency.into());
    }
}

/// Seven bits a byte, least significant first.
pub(super) fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number of [`push_number`]; 0 at the end of the bytes.
pub(super) fn read_number(bytes: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let Some((byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 || shift > 63 {
            break;
        }
    }
    number
}

/// Calls `each` with the documents and frequencies of a term.
pub(super) fn each_posting(mut bytes: &[u8], first: u32, mut each: impl FnMut(u32, u32)) {
    let mut doc = first;
    while !bytes.is_empty() {
        let number = read_number(&mut bytes);
        doc += (number >> 1) as u32;
        let frequency = if number & 1 == 1 {
            1
        } else {
            read_number(&mut bytes) as u32
        };
        each(doc, frequency);
    }
}
