//! Analysers: from text to index terms.
//!
//! An analyser has a name, which an index stores, so that queries are analysed as the documents were. A query is text: there is no
//! query language, and punctuation cannot fail.

mod porter;
mod tokens;
mod words;

pub(crate) use words::{TermId, Terms, Words};

use std::fmt;

use cranfield_core::error::Error;
use frostem::{Algorithm, Stemmer};
use tantivy::tokenizer::{Language, RawTokenizer, StopWordFilter, TextAnalyzer};

use tokens::Tokens;

/// Lucene's English stop words.
const LUCENE_STOP_WORDS: [&str; 33] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it",
    "no", "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these",
    "they", "this", "to", "was", "will", "with",
];

/// Terrier's English stop words.
const TERRIER_STOP_WORDS: &str = include_str!("terrier.txt");

/// Analysers with a name of their own, and what they do. Names of languages come on top.
const NAMED: [(&str, &str); 8] = [
    (
        ENGLISH,
        "letters and digits, lower case, 33 stop words, Porter stemmer",
    ),
    (
        "lucene",
        "as Lucene and Anserini: words of UAX 29, possessive 's removed, lower case, 33 stop words, Porter stemmer",
    ),
    (
        "terrier",
        "as Terrier: ASCII letters and digits, lower case, its stop words, Porter stemmer",
    ),
    (
        "en_stem",
        "as tantivy: letters and digits up to 40 bytes, lower case, Snowball English stemmer, no stop words",
    ),
    ("whitespace", "words between white space, as they are"),
    (
        "simple",
        "letters and digits, lower case, no stop words, no stemmer",
    ),
    (
        "cjk",
        "words in lower case; runs of Chinese, Japanese and Korean characters as overlapping pairs",
    ),
    (
        "ngram",
        "overlapping sequences of characters, such as ngram(2,3)",
    ),
];

/// Languages with a Snowball stemmer: name, algorithm, and the list of stop words if there is one.
const LANGUAGES: [(&str, Algorithm, Option<Language>); 21] = [
    ("arabic", Algorithm::Arabic, None),
    ("catalan", Algorithm::Catalan, None),
    ("danish", Algorithm::Danish, Some(Language::Danish)),
    ("dutch", Algorithm::Dutch, Some(Language::Dutch)),
    ("finnish", Algorithm::Finnish, Some(Language::Finnish)),
    ("french", Algorithm::French, Some(Language::French)),
    ("german", Algorithm::German, Some(Language::German)),
    ("greek", Algorithm::Greek, None),
    ("hindi", Algorithm::Hindi, None),
    ("hungarian", Algorithm::Hungarian, Some(Language::Hungarian)),
    ("indonesian", Algorithm::Indonesian, None),
    ("italian", Algorithm::Italian, Some(Language::Italian)),
    ("norwegian", Algorithm::Norwegian, Some(Language::Norwegian)),
    ("persian", Algorithm::Persian, None),
    ("polish", Algorithm::Polish, None),
    (
        "portuguese",
        Algorithm::Portuguese,
        Some(Language::Portuguese),
    ),
    ("romanian", Algorithm::Romanian, None),
    ("russian", Algorithm::Russian, Some(Language::Russian)),
    ("spanish", Algorithm::Spanish, Some(Language::Spanish)),
    ("swedish", Algorithm::Swedish, Some(Language::Swedish)),
    ("turkish", Algorithm::Turkish, None),
];

/// An analyser.
#[derive(Clone)]
pub struct Analyzer {
    name: String,
    tokens: Tokens,
    rules: Rules,
}

/// What becomes of one token.
#[derive(Clone, Default)]
struct Rules {
    keep_case: bool,
    /// Lucene's filters: possessives, and the rules of Porter's program that are not in his paper.
    lucene: bool,
    terrier: bool,
    /// Longer tokens are dropped.
    max_bytes: Option<usize>,
    stop_words: StopWords,
    stemmer: Option<Stemmer>,
}

#[derive(Clone, Default)]
enum StopWords {
    #[default]
    None,
    /// Sorted.
    Listed(Vec<&'static str>),
    Language(TextAnalyzer),
}

/// The name of the default analyser.
const ENGLISH: &str = "english";

impl Default for Analyzer {
    /// `english`: letters and digits, lower case, 33 stop words, Porter's stemmer.
    fn default() -> Self {
        Self {
            name: ENGLISH.into(),
            tokens: Tokens::Alphanumeric,
            rules: Rules {
                stop_words: StopWords::Listed(LUCENE_STOP_WORDS.to_vec()),
                stemmer: Some(Stemmer::new(Algorithm::Porter)),
                ..Rules::default()
            },
        }
    }
}

impl Analyzer {
    /// The analyser with this name.
    ///
    /// ```
    /// use cranfield_search::Analyzer;
    ///
    /// let english = Analyzer::named("english")?;
    /// assert_eq!(english.terms("The flows of heat, and heat's transfer"), ["flow", "heat", "heat", "s", "transfer"]);
    /// assert_eq!(Analyzer::named("ngram(2,3)")?.terms("abcd"), ["ab", "abc", "bc", "bcd", "cd"]);
    /// # Ok::<(), cranfield_core::error::Error>(())
    /// ```
    pub fn named(name: &str) -> Result<Self, Error> {
        let porter = Some(Stemmer::new(Algorithm::Porter));
        let lucene = StopWords::Listed(LUCENE_STOP_WORDS.to_vec());
        let plain = Rules::default;
        let (tokens, rules) = match name {
            ENGLISH => return Ok(Self::default()),
            "lucene" => {
                let rules = Rules {
                    lucene: true,
                    stop_words: lucene,
                    stemmer: porter,
                    ..plain()
                };
                (Tokens::Uax29, rules)
            }
            "terrier" => {
                let stop_words = StopWords::Listed(TERRIER_STOP_WORDS.split_whitespace().collect());
                (
                    Tokens::Ascii,
                    Rules {
                        terrier: true,
                        stop_words,
                        stemmer: porter,
                        ..plain()
                    },
                )
            }
            "en_stem" => {
                let stemmer = Some(Stemmer::new(Algorithm::English));
                (
                    Tokens::Alphanumeric,
                    Rules {
                        max_bytes: Some(39),
                        stemmer,
                        ..plain()
                    },
                )
            }
            "simple" => (Tokens::Alphanumeric, plain()),
            "whitespace" => (
                Tokens::Whitespace,
                Rules {
                    keep_case: true,
                    ..plain()
                },
            ),
            "cjk" => (Tokens::Cjk, plain()),
            "ngram" => (Tokens::Ngram(2, 3), plain()),
            _ => match (ngram(name), language(name)) {
                (Some(tokens), _) => (tokens, plain()),
                (None, Some(rules)) => (Tokens::Alphanumeric, rules),
                (None, None) => {
                    let known: Vec<&str> = Self::list().map(|(name, _)| name).collect();
                    return Err(Error::unknown_among("analyser", name, &known));
                }
            },
        };
        Ok(Self {
            name: name.into(),
            tokens,
            rules,
        })
    }

    /// Names of all analysers, and what each does.
    pub fn list() -> impl Iterator<Item = (&'static str, String)> {
        let named = NAMED.iter().map(|(name, what)| (*name, (*what).to_owned()));
        let languages = LANGUAGES.iter().map(|(name, _, stop_words)| {
            let stop_words = if stop_words.is_some() {
                "stop words"
            } else {
                "no stop words"
            };
            (
                *name,
                format!("letters and digits, lower case, {stop_words}, Snowball stemmer"),
            )
        });
        named.chain(languages)
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of the stemmer; `None` if terms are not stemmed.
    pub fn stemmer(&self) -> Option<String> {
        let algorithm = self.rules.stemmer.as_ref()?.algorithm();
        Some(match algorithm {
            Algorithm::Porter => "Porter".into(),
            other => format!("Snowball {other:?}"),
        })
    }

    /// The name of the list of stop words; `None` if there is none.
    pub fn stop_words(&self) -> Option<&str> {
        match (&self.rules.stop_words, self.name.as_str()) {
            (StopWords::None, _) => None,
            (StopWords::Listed(_), "terrier") => Some("Terrier"),
            (StopWords::Listed(_), _) => Some("Lucene"),
            (StopWords::Language(_), language) => Some(language),
        }
    }

    /// The terms of a text, in order.
    pub fn terms(&self, text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        let mut buffer = String::new();
        self.tokens.each(text, |token| {
            if self.rules.term(token, &mut buffer) {
                terms.push(buffer.clone());
            }
        });
        terms
    }

    /// Calls `each` with every token of a text, before stop words and stemming.
    pub(crate) fn each_token(&self, text: &str, each: impl FnMut(&str)) {
        self.tokens.each(text, each);
    }

    /// Makes the term of a token, or returns false if it has none.
    pub(crate) fn term(&self, token: &str, term: &mut String) -> bool {
        self.rules.term(token, term)
    }
}

impl fmt::Debug for Analyzer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Analyzer({})", self.name)
    }
}

impl Rules {
    fn term(&self, token: &str, term: &mut String) -> bool {
        term.clear();
        let token = if self.lucene {
            without_possessive(token)
        } else {
            token
        };
        if self.keep_case {
            term.push_str(token);
        } else {
            push_lower_case(token, term);
        }
        let is_too_long = self.max_bytes.is_some_and(|max| term.len() > max);
        if is_too_long || self.terrier && !is_terrier_term(term) || self.stop_words.contain(term) {
            return false;
        }
        if let Some(stemmer) = &self.stemmer
            && !(stemmer.algorithm() == Algorithm::Porter && term.len() <= 2)
        {
            if self.lucene {
                porter::apply_later_rules(term);
            }
            // Porter's program leaves words of one or two letters as they are; Snowball's makes nothing of an `s`.
            let stem = stemmer.stem(term);
            if *stem != **term {
                *term = stem.into_owned();
            }
        }
        !term.is_empty()
    }
}

impl StopWords {
    fn contain(&self, term: &str) -> bool {
        match self {
            Self::None => false,
            Self::Listed(words) => words.binary_search(&term).is_ok(),
            Self::Language(filter) => !filter.clone().token_stream(term).advance(),
        }
    }
}

fn push_lower_case(token: &str, term: &mut String) {
    if token.is_ascii() {
        term.push_str(token);
        term.make_ascii_lowercase();
    } else {
        term.extend(token.chars().flat_map(char::to_lowercase));
    }
}

/// Removes `'s`, with any of the apostrophes that Lucene knows.
fn without_possessive(token: &str) -> &str {
    let Some(rest) = token.strip_suffix(['s', 'S']) else {
        return token;
    };
    rest.strip_suffix(['\'', '\u{2019}', '\u{ff07}'])
        .unwrap_or(token)
}

/// Terrier drops terms of more than 20 characters, with more than 4 digits, or with more than 3 equal characters in a row.
fn is_terrier_term(term: &str) -> bool {
    let bytes = term.as_bytes();
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let repeats = bytes
        .windows(4)
        .any(|four| four.iter().all(|byte| *byte == four[0]));
    bytes.len() <= 20 && digits <= 4 && !repeats
}

fn ngram(name: &str) -> Option<Tokens> {
    let inner = name.strip_prefix("ngram(")?.strip_suffix(')')?;
    let (least, most) = inner.split_once(',').unwrap_or((inner, inner));
    let (least, most) = (least.trim().parse().ok()?, most.trim().parse().ok()?);
    (1 <= least && least <= most && most <= 10).then_some(Tokens::Ngram(least, most))
}

fn language(name: &str) -> Option<Rules> {
    let (_, algorithm, stop_words) = LANGUAGES.iter().find(|(language, ..)| *language == name)?;
    let filter = stop_words.and_then(StopWordFilter::new);
    let stop_words = filter.map_or(StopWords::None, |filter| {
        StopWords::Language(
            TextAnalyzer::builder(RawTokenizer::default())
                .filter(filter)
                .build(),
        )
    });
    Some(Rules {
        stop_words,
        stemmer: Some(Stemmer::new(*algorithm)),
        ..Rules::default()
    })
}
