//! Random documents and queries whose words follow Zipf's law.

use cranfield_collection::Document;

use super::document;

/// The generator `SplitMix64`.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A word: the one of rank r with a probability of about 1/r.
    fn word(&mut self, vocabulary: usize) -> String {
        let uniform = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        let rank = (vocabulary as f64).powf(uniform) as usize;
        format!("w{rank}")
    }

    /// A text of so many words.
    pub(super) fn text(&mut self, words: usize, vocabulary: usize) -> String {
        let words: Vec<String> = (0..words).map(|_| self.word(vocabulary)).collect();
        words.join(" ")
    }
}

/// Documents of 1 to 80 words. Some are copies, so that there are ties; ids are in no order.
pub(super) fn documents(count: usize, vocabulary: usize) -> Vec<Document> {
    let mut random = Random(7);
    let mut documents: Vec<Document> = Vec::with_capacity(count);
    for at in 0..count {
        let id = format!("d{}", (at * 7919) % 100_003);
        let words = 1 + random.below(9) * random.below(10);
        let text = if at > 0 && random.below(10) == 0 {
            documents[random.below(at)].text()
        } else {
            random.text(words, vocabulary)
        };
        documents.push(document(&id, &text));
    }
    documents
}

/// Queries of 1 to 6 words, some of which occur twice or in no document.
pub(super) fn queries(count: usize, vocabulary: usize) -> Vec<String> {
    let mut random = Random(11);
    (0..count)
        .map(|_| {
            let words = 1 + random.below(6);
            random.text(words, vocabulary + vocabulary / 50)
        })
        .collect()
}
