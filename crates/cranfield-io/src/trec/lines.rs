//! Lines of TREC files, field by field, without allocation.
//!
//! Consecutive lines of a file mostly begin alike (topic, constant) and end alike (tag, newline). The readers remember how the
//! last line began and ended, and only look at what differs; any line that does not fit goes the careful way.

use std::marker::PhantomData;
use std::ops::Range;

use wide::u8x32;

/// Whose rules decide what a line may look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Cranfield's: numbers must be numbers, the number of columns must be right, comments and blank lines are skipped.
    Strict,
    /// `trec_eval`'s: numbers as C reads them, further columns of a run ignored, blank lines an error in qrels.
    TrecEval,
    /// The same for its version 9, which knows no comments: a line that begins with `#` is data.
    TrecEval9,
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// It has this number of columns.
    Columns(usize),
    /// The score is not a number.
    Score,
    /// The score is NaN or infinite.
    ScoreNotFinite,
    /// The grade is not a number.
    Grade,
    /// The grade is NaN or infinite.
    GradeNotFinite,
    /// The rank is not a number.
    Rank,
    /// It holds a NUL byte, so this is no text.
    Nul,
}

/// A faulty line: where in the file, and what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultyLine {
    /// Offset of what is wrong.
    pub at: usize,
    /// Its length.
    pub width: usize,
    /// What is wrong.
    pub fault: LineFault,
}

/// A kind of line that belongs to a topic, and how it is read.
pub trait TopicLine<'a>: Sized {
    /// Topic id.
    fn topic(&self) -> &'a [u8];

    /// Whether the topic is known to be that of the line before.
    fn same_topic(&self) -> bool;

    /// The next line, if it begins and ends as the last one did.
    #[doc(hidden)]
    fn quick(text: &mut Text<'a>) -> Option<Self>;

    /// The next line of any look.
    #[doc(hidden)]
    fn careful(text: &mut Text<'a>) -> Option<Result<Self, FaultyLine>>;
}

/// Reads the lines of a text, which can be done in pieces.
#[derive(Clone, Debug)]
pub struct Lines<'a, L> {
    text: Text<'a>,
    kind: PhantomData<L>,
}

impl<'a, L: TopicLine<'a>> Lines<'a, L> {
    /// Reads `bytes` in a dialect.
    pub fn new(bytes: &'a [u8], dialect: Dialect) -> Self {
        Self {
            text: Text::new(bytes, dialect),
            kind: PhantomData,
        }
    }

    /// Offset of the next line.
    pub fn offset(&self) -> usize {
        self.text.at.min(self.text.end)
    }

    /// Goes on with another piece of the text, which must begin at the start of a line and end with one's end.
    pub fn seek(&mut self, span: Range<usize>) {
        self.text.at = span.start;
        self.text.end = span.end.min(self.text.bytes.len());
    }
}

impl<'a, L: TopicLine<'a>> Iterator for Lines<'a, L> {
    type Item = Result<L, FaultyLine>;

    #[expect(
        clippy::inline_always,
        reason = "measured: the fields of a line that a caller does not use cost nothing when inlined"
    )]
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.text.at >= self.text.end {
            return None;
        }
        match L::quick(&mut self.text) {
            Some(line) => Some(Ok(line)),
            None => L::careful(&mut self.text),
        }
    }
}

/// Up to sixteen bytes that a line is expected to have at some place, compared as one word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Expected {
    word: u128,
    mask: u128,
    len: usize,
}

impl Expected {
    /// Nothing is expected of an empty or a longer text: then lines go the careful way.
    fn new(text: &[u8]) -> Self {
        if text.is_empty() || text.len() > 16 {
            return Self::default();
        }
        let mut bytes = [0; 16];
        bytes[..text.len()].copy_from_slice(text);
        let mask = u128::MAX >> (128 - 8 * text.len());
        Self {
            word: u128::from_le_bytes(bytes),
            mask,
            len: text.len(),
        }
    }

    /// Where the expected bytes end, if they stand at `at`.
    #[inline]
    pub(super) fn end(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let next = bytes.get(at..at + 16)?.try_into().ok()?;
        let matches = (u128::from_le_bytes(next) ^ self.word) & self.mask == 0;
        (matches && self.len > 0).then_some(at + self.len)
    }
}

/// How many bytes are searched at once for the end of a token.
const BLOCK: usize = 32;

/// First byte at or after `at` that is a space or a control character, if it is not among the file's last bytes.
#[inline]
pub(super) fn token_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = at;
    for block in bytes.get(at..)?.as_chunks().0 {
        let ends = token_ends(block);
        if ends != 0 {
            return Some(end + ends.trailing_zeros() as usize);
        }
        end += BLOCK;
    }
    None
}

/// Where the token at `at` ends, and where the one behind the byte that follows it does. For the usual lengths nothing depends on how
/// long they are, so the processor has nothing to guess.
#[inline]
pub(super) fn two_token_ends(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let first = token_ends(bytes.get(at..)?.first_chunk()?);
    let second = first & first.wrapping_sub(1);
    if second != 0 {
        let place = |ends: u32| at + ends.trailing_zeros() as usize;
        return Some((place(first), place(second)));
    }
    let end = token_end(bytes, at)?;
    Some((end, token_end(bytes, end + 1)?))
}

/// A bit for each byte of a block that is a space or a control character.
#[inline]
fn token_ends(block: &[u8; BLOCK]) -> u32 {
    u8x32::new(*block).simd_le(u8x32::splat(b' ')).to_bitmask()
}

/// Whether a byte parts fields: a space or a tab.
#[inline]
pub(super) fn is_blank_byte(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// C's white space.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The fields of a line: up to seven of them, and how many there are.
pub(super) struct Fields<'a> {
    pub(super) field: [&'a [u8]; 7],
    pub(super) count: usize,
}

impl<'a> Fields<'a> {
    pub(super) fn of(line: &'a [u8]) -> Self {
        let mut fields = Fields {
            field: [&[]; 7],
            count: 0,
        };
        for token in line
            .split(|byte| is_space(*byte))
            .filter(|token| !token.is_empty())
        {
            if let Some(field) = fields.field.get_mut(fields.count) {
                *field = token;
            }
            fields.count += 1;
        }
        fields
    }
}

/// Offset of a slice of `bytes` in it; meaningless for another slice.
pub fn offset_in(bytes: &[u8], part: &[u8]) -> usize {
    part.as_ptr().addr().wrapping_sub(bytes.as_ptr().addr())
}

/// A text read line by line, and what the last line looked like.
#[derive(Clone, Debug)]
pub struct Text<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// Where reading stops; always the end of a line or of the text.
    end: usize,
    pub(super) head: Expected,
    pub(super) tail: Expected,
    pub(super) topic: &'a [u8],
    pub(super) second: &'a [u8],
    pub(super) last: &'a [u8],
    pub(super) dialect: Dialect,
}

impl<'a> Text<'a> {
    fn new(bytes: &'a [u8], dialect: Dialect) -> Self {
        let none = Expected::default();
        Self {
            bytes,
            at: 0,
            end: bytes.len(),
            head: none,
            tail: none,
            topic: &[],
            second: &[],
            last: &[],
            dialect,
        }
    }

    /// The next line that is not a comment; without its newline. `None` at the end.
    pub(super) fn next_line(&mut self, is_comment: impl Fn(&[u8]) -> bool) -> Option<&'a [u8]> {
        while self.at < self.end {
            let rest = &self.bytes[self.at..self.end];
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.at += length + 1;
            if !is_comment(&rest[..length]) {
                return Some(&rest[..length]);
            }
        }
        None
    }

    /// Remembers how `line` begins (up to its document) and ends (after its number).
    pub(super) fn remember(&mut self, line: &'a [u8], doc: &[u8], number: &[u8]) {
        let start = offset_in(self.bytes, line);
        let doc_start = offset_in(self.bytes, doc);
        let number_end = offset_in(self.bytes, number) + number.len();
        self.head = Expected::new(&self.bytes[start..doc_start]);
        self.tail = Expected::new(self.bytes.get(number_end..self.at).unwrap_or_default());
    }

    /// Refuses binary data, which `trec_eval` cannot read either.
    pub(super) fn check_text(&self, line: &[u8]) -> Result<(), FaultyLine> {
        match memchr::memchr(0, line) {
            Some(at) if self.dialect == Dialect::Strict => {
                Err(self.fault(&line[at..=at], LineFault::Nul))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn fault(&self, part: &[u8], fault: LineFault) -> FaultyLine {
        FaultyLine {
            at: offset_in(self.bytes, part),
            width: part.len(),
            fault,
        }
    }

    /// Whether `topic` is that of the last line; it is remembered.
    pub(super) fn is_same_topic(&mut self, topic: &'a [u8]) -> bool {
        let same = !self.topic.is_empty() && self.topic == topic;
        self.topic = topic;
        same
    }
}

pub(super) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| is_space(*byte))
}

pub(super) fn is_blank_or_comment(line: &[u8]) -> bool {
    line.iter()
        .find(|byte| !is_space(**byte))
        .is_none_or(|byte| *byte == b'#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_tokens_of_all_lengths() {
        for first in 0..80 {
            for second in 0..40 {
                let text = format!(
                    "{} {}\t{}",
                    "é".repeat(first),
                    "x".repeat(second),
                    " ".repeat(BLOCK)
                );
                let ends = (2 * first, 2 * first + 1 + second);
                assert_eq!(two_token_ends(text.as_bytes(), 0), Some(ends));
            }
        }
        assert_eq!(two_token_ends(&[b'x'; 64], 0), None);
        assert_eq!(token_end(b"x ", 0), None);
    }
}
