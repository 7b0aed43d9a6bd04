//! Tokenizers.

use unicode_segmentation::UnicodeSegmentation;

/// How text is cut into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tokens {
    /// Runs of letters and digits.
    Alphanumeric,
    /// Runs of ASCII letters and digits.
    Ascii,
    /// Words of Unicode's annex 29, at most 255 characters each.
    Uax29,
    /// Runs without white space.
    Whitespace,
    /// Runs of letters and digits, but pairs of neighbours in runs of ideographs, kana and hangul.
    Cjk,
    /// All sequences of so many characters inside runs of letters and digits.
    Ngram(usize, usize),
}

/// Lucene cuts longer words.
const MAX_UAX29: usize = 255;

impl Tokens {
    pub(super) fn each(self, text: &str, mut each: impl FnMut(&str)) {
        match self {
            Self::Alphanumeric => each_run(text, char::is_alphanumeric, each),
            Self::Ascii => each_run(text, |c| c.is_ascii_alphanumeric(), each),
            Self::Whitespace => text.split_whitespace().for_each(each),
            Self::Uax29 => text
                .unicode_words()
                .for_each(|word| each_piece(word, MAX_UAX29, &mut each)),
            Self::Cjk => each_run(text, char::is_alphanumeric, |run| each_pair(run, &mut each)),
            Self::Ngram(least, most) => {
                each_run(text, char::is_alphanumeric, |run| {
                    each_ngram(run, least, most, &mut each);
                });
            }
        }
    }
}

/// Calls `each` with every longest run of characters for which `is_part` holds.
#[inline]
fn each_run(text: &str, is_part: impl Fn(char) -> bool, mut each: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let mut start = None;
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        let (part, next) = if byte.is_ascii() {
            (byte.is_ascii_alphanumeric(), at + 1)
        } else {
            let c = text[at..].chars().next().unwrap_or_default();
            (is_part(c), at + c.len_utf8())
        };
        match (start, part) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                each(&text[from..at]);
                start = None;
            }
            _ => {}
        }
        at = next;
    }
    if let Some(from) = start {
        each(&text[from..]);
    }
}

/// Cuts a word after every `max` characters.
fn each_piece(word: &str, max: usize, each: &mut impl FnMut(&str)) {
    let mut rest = word;
    while let Some((at, _)) = rest.char_indices().nth(max) {
        each(&rest[..at]);
        rest = &rest[at..];
    }
    each(rest);
}

fn each_pair(run: &str, each: &mut impl FnMut(&str)) {
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let is_cjk_run = is_cjk(first);
        let end = rest.find(|c| is_cjk(c) != is_cjk_run).unwrap_or(rest.len());
        let part = &rest[..end];
        if is_cjk_run && part.chars().nth(1).is_some() {
            each_ngram(part, 2, 2, each);
        } else {
            each(part);
        }
        rest = &rest[end..];
    }
}

fn each_ngram(run: &str, least: usize, most: usize, each: &mut impl FnMut(&str)) {
    let starts: Vec<usize> = run
        .char_indices()
        .map(|(at, _)| at)
        .chain([run.len()])
        .collect();
    for first in 0..starts.len() {
        for size in least..=most {
            if let Some(end) = starts.get(first + size) {
                each(&run[starts[first]..*end]);
            }
        }
    }
}

/// Ideographs, kana and hangul.
fn is_cjk(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x11ff | 0x2e80..=0x2fdf | 0x3005..=0x3007 | 0x3040..=0x31ff | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff | 0xac00..=0xd7ff | 0xf900..=0xfaff | 0xff66..=0xffdc | 0x20000..=0x3ffff)
}
