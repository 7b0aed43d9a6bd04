//! From tokens to numbered terms, with one look-up per token.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::Analyzer;

/// The number of a term in a [`Words`].
pub(crate) type TermId = u32;

/// A token of at most [`MAX_SHORT`] bytes, zeros, and its length.
type Key = [u8; MAX_SHORT + 1];

/// A token without a term: a stop word.
const NO_TERM: TermId = TermId::MAX;

/// Tokens up to this length are compared as one number.
const MAX_SHORT: usize = 15;

/// Tokens of a text that are looked up together.
const LOOKED_UP_AT_ONCE: usize = 1024;

/// Maximum number of tokens that are remembered; others are analysed each time.
const MAX_TOKENS: usize = 4_000_000;

/// The terms of a set of documents, numbered in the order of their first occurrence.
///
/// It remembers the term of each token, because stop words, stems and term numbers cost more than looking up a token. A short token,
/// which most are, is part of its table entry, so a look-up touches one place in memory.
#[derive(Debug)]
pub(crate) struct Words {
    analyzer: Analyzer,
    short: HashTable<(Key, TermId)>,
    long: HashMap<Box<str>, TermId, RandomState>,
    ids: HashTable<TermId>,
    terms: Terms,
    hasher: RandomState,
    tokens: Vec<Token>,
    buffer: String,
}

/// A token of a text.
#[derive(Debug)]
enum Token {
    /// The key and hash of a short token.
    Short(Key, u64),
    /// The term of a long token.
    Known(TermId),
}

/// Terms by number, one after the other in one piece of memory.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    bytes: String,
    ends: Vec<usize>,
}

impl Terms {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The term with a number below [`len`](Self::len).
    pub(crate) fn get(&self, id: TermId) -> &str {
        let id = id as usize;
        let start = id.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.bytes[start..self.ends[id]]
    }

    fn push(&mut self, term: &str) -> TermId {
        let id = self.len() as TermId;
        self.bytes.push_str(term);
        self.ends.push(self.bytes.len());
        id
    }
}

impl Words {
    /// An empty vocabulary.
    pub(crate) fn new(analyzer: Analyzer) -> Self {
        Self {
            analyzer,
            short: HashTable::new(),
            long: HashMap::default(),
            ids: HashTable::new(),
            terms: Terms::default(),
            hasher: RandomState::default(),
            tokens: Vec::new(),
            buffer: String::new(),
        }
    }

    /// The terms, by number.
    pub(crate) fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Only the terms, without what finds them.
    pub(crate) fn into_terms(self) -> Terms {
        self.terms
    }

    /// Appends the numbers of a text's terms.
    ///
    /// Many tokens are found before they are looked up: then a processor waits for many entries of the table at once.
    pub(crate) fn analyze(&mut self, text: &str, found: &mut Vec<TermId>) {
        let analyzer = self.analyzer.clone();
        let mut tokens = std::mem::take(&mut self.tokens);
        analyzer.each_token(text, |token| {
            tokens.push(if token.len() > MAX_SHORT {
                Token::Known(self.long_id(token))
            } else {
                let key = short_key(token.as_bytes());
                Token::Short(key, hash_of(&self.hasher, &key))
            });
            if tokens.len() == LOOKED_UP_AT_ONCE {
                self.look_up(&mut tokens, found);
            }
        });
        self.look_up(&mut tokens, found);
        self.tokens = tokens;
    }

    fn look_up(&mut self, tokens: &mut Vec<Token>, found: &mut Vec<TermId>) {
        let ids = tokens.drain(..).map(|token| match token {
            Token::Short(key, hash) => self.short_id(key, hash),
            Token::Known(id) => id,
        });
        found.extend(ids.filter(|id| *id != NO_TERM));
    }

    fn short_id(&mut self, key: Key, hash: u64) -> TermId {
        if let Some((_, id)) = self.short.find(hash, |(other, _)| *other == key) {
            return *id;
        }
        let token = &key[..usize::from(key[MAX_SHORT])];
        let id = self.new_id(&String::from_utf8_lossy(token));
        if self.short.len() < MAX_TOKENS {
            self.short
                .insert_unique(hash, (key, id), |(key, _)| hash_of(&self.hasher, key));
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
            self.term_id(&term)
        } else {
            NO_TERM
        };
        self.buffer = term;
        id
    }

    fn term_id(&mut self, term: &str) -> TermId {
        let (hasher, terms) = (&self.hasher, &mut self.terms);
        let hash = hasher.hash_one(term);
        if let Some(id) = self.ids.find(hash, |id| terms.get(*id) == term) {
            return *id;
        }
        let id = terms.push(term);
        let hash_of_term = |id: &TermId| hasher.hash_one(terms.get(*id));
        self.ids.insert_unique(hash, id, hash_of_term);
        id
    }
}

fn short_key(token: &[u8]) -> Key {
    let mut key = [0; MAX_SHORT + 1];
    key[..token.len()].copy_from_slice(token);
    key[MAX_SHORT] = token.len() as u8;
    key
}

/// The hash of a key as one number, which takes less time than that of its bytes.
fn hash_of(hasher: &RandomState, key: &Key) -> u64 {
    hasher.hash_one(u128::from_le_bytes(*key))
}
