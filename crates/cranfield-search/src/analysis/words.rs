//! From tokens to numbered terms, with one look-up per token.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::{FixedState, RandomState};
use hashbrown::HashTable;

use super::Analyzer;

/// The number of a term in a [`Words`].
pub(crate) type TermId = u32;

/// A token without a term: a stop word.
const NO_TERM: TermId = TermId::MAX;

/// Tokens up to this length are compared as one number.
const MAX_SHORT: usize = 15;

/// Maximum number of tokens that are remembered; others are analysed each time.
const MAX_TOKENS: usize = 4_000_000;

/// The terms of a set of documents, numbered in the order of their first occurrence.
///
/// It remembers the term of each token, because stop words, stems and term numbers cost more than looking up a token. A short token,
/// which most are, is part of its table entry, so a look-up touches one place in memory.
#[derive(Debug)]
pub(crate) struct Words {
    analyzer: Analyzer,
    short: HashTable<(u128, TermId)>,
    long: HashMap<Box<str>, TermId, RandomState>,
    ids: HashMap<Box<str>, TermId, RandomState>,
    terms: Vec<Box<str>>,
    hasher: FixedState,
    buffer: String,
}

impl Words {
    /// An empty vocabulary.
    pub(crate) fn new(analyzer: Analyzer) -> Self {
        Self {
            analyzer,
            short: HashTable::new(),
            long: HashMap::default(),
            ids: HashMap::default(),
            terms: Vec::new(),
            hasher: FixedState::default(),
            buffer: String::new(),
        }
    }

    /// The terms, by number.
    pub(crate) fn terms(&self) -> &[Box<str>] {
        &self.terms
    }

    /// Only the terms, without what finds them.
    pub(crate) fn into_terms(self) -> Vec<Box<str>> {
        self.terms
    }

    /// Appends the numbers of a text's terms.
    pub(crate) fn analyze(&mut self, text: &str, found: &mut Vec<TermId>) {
        let analyzer = self.analyzer.clone();
        analyzer.each_token(text, |token| {
            let id = self.id_of(token);
            if id != NO_TERM {
                found.push(id);
            }
        });
    }

    fn id_of(&mut self, token: &str) -> TermId {
        if token.len() > MAX_SHORT {
            return self.long_id(token);
        }
        let key = short_key(token.as_bytes());
        let hash = self.hasher.hash_one(key);
        if let Some((_, id)) = self.short.find(hash, |(other, _)| *other == key) {
            return *id;
        }
        let id = self.new_id(token);
        if self.short.len() < MAX_TOKENS {
            let hasher = self.hasher.clone();
            self.short
                .insert_unique(hash, (key, id), |(key, _)| hasher.hash_one(key));
        }
        id
    }

    fn long_id(&mut self, token: &str) -> TermId {
        if let Some(id) = self.long.get(token) {
            return *id;
        }
        let id = self.new_id(token);
        if self.long.len() < MAX_TOKENS {
            self.long.insert(token.into(), id);
        }
        id
    }

    /// The number of the term of a token that is seen for the first time.
    fn new_id(&mut self, token: &str) -> TermId {
        let mut term = std::mem::take(&mut self.buffer);
        let id = if self.analyzer.term(token, &mut term) {
            self.ids.get(term.as_str()).copied().unwrap_or_else(|| {
                let id = self.terms.len() as TermId;
                self.terms.push(term.as_str().into());
                self.ids.insert(term.as_str().into(), id);
                id
            })
        } else {
            NO_TERM
        };
        self.buffer = term;
        id
    }
}

/// A token of at most 15 bytes and its length, as one number.
fn short_key(token: &[u8]) -> u128 {
    let mut key = [0; 16];
    key[..token.len()].copy_from_slice(token);
    key[MAX_SHORT] = token.len() as u8;
    u128::from_le_bytes(key)
}
