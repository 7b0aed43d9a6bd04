//! What bounds the score of a term: the best pairs of frequency and document length in its postings.
//!
//! A document with a higher frequency and a smaller length cannot score less, for every ranking function that is monotone in both.
//! The pairs that no other one beats in both respects therefore contain the maximum, whatever the parameters.

/// Terms with fewer documents are scored without bounds.
pub(super) const MIN_DOCUMENTS: usize = 128;

/// Frequencies from here on share one pair.
const MAX_FREQUENCY: usize = 255;

/// A frequency and a document length.
pub(crate) type Pair = (u32, u32);

/// The pairs of the terms that have any, in the order of the dictionary.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Bounds {
    /// Ordinals of terms, ascending, and the ends of their pairs.
    terms: Vec<(u32, u32)>,
    pairs: Vec<Pair>,
}

impl Bounds {
    /// The pairs of a term.
    pub(crate) fn of(&self, ordinal: u64) -> Option<&[Pair]> {
        let at = self
            .terms
            .binary_search_by_key(&ordinal, |(term, _)| u64::from(*term))
            .ok()?;
        let start = at.checked_sub(1).map_or(0, |before| self.terms[before].1);
        self.pairs.get(start as usize..self.terms[at].1 as usize)
    }

    /// Adds the pairs of terms that follow.
    pub(super) fn append(&mut self, others: Self) {
        let before = self.pairs.len() as u32;
        let terms = others.terms.into_iter();
        self.terms
            .extend(terms.map(|(term, end)| (term, before + end)));
        self.pairs.extend(others.pairs);
    }

    /// Numbers in the form in which they are stored.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let counts = [self.terms.len() as u32, self.pairs.len() as u32];
        let pairs = self.terms.iter().chain(&self.pairs);
        let numbers = counts.into_iter().chain(pairs.flat_map(|(a, b)| [*a, *b]));
        numbers.flat_map(u32::to_le_bytes).collect()
    }

    /// The inverse of [`to_bytes`](Self::to_bytes); `None` if the bytes are damaged.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut numbers = bytes.chunks_exact(4).map(|four| match four {
            [a, b, c, d] => u32::from_le_bytes([*a, *b, *c, *d]),
            _ => 0,
        });
        let (terms, pairs) = (numbers.next()?, numbers.next()?);
        let expected = 8 + 8 * (u64::from(terms) + u64::from(pairs));
        if bytes.len() as u64 != expected {
            return None;
        }
        let mut pair = || Some((numbers.next()?, numbers.next()?));
        Some(Self {
            terms: (0..terms).map_while(|_| pair()).collect(),
            pairs: (0..pairs).map_while(|_| pair()).collect(),
        })
    }
}

/// Collects the pairs of one term after another.
#[derive(Debug)]
pub(super) struct BoundsWriter {
    bounds: Bounds,
    /// The least length at each frequency.
    least: Vec<u32>,
    greatest_frequency: u32,
}

impl BoundsWriter {
    pub(super) fn new() -> Self {
        Self {
            bounds: Bounds::default(),
            least: vec![u32::MAX; MAX_FREQUENCY + 1],
            greatest_frequency: 0,
        }
    }

    /// Adds a posting of the current term.
    pub(super) fn add(&mut self, frequency: u32, length: u32) {
        let least = &mut self.least[(frequency as usize).min(MAX_FREQUENCY)];
        *least = length.min(*least);
        self.greatest_frequency = frequency.max(self.greatest_frequency);
    }

    /// Ends the current term.
    pub(super) fn finish_term(&mut self, ordinal: u32) {
        let mut least = u32::MAX;
        for frequency in (1..=MAX_FREQUENCY).rev() {
            if self.least[frequency] < least {
                least = self.least[frequency];
                let shown = if frequency == MAX_FREQUENCY {
                    self.greatest_frequency
                } else {
                    frequency as u32
                };
                self.bounds.pairs.push((shown, least));
            }
        }
        let end = self.bounds.pairs.len() as u32;
        self.bounds.terms.push((ordinal, end));
        self.least.fill(u32::MAX);
        self.greatest_frequency = 0;
    }

    pub(super) fn finish(self) -> Bounds {
        self.bounds
    }
}
