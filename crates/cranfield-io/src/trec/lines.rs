//! Lines of TREC files, field by field, without allocation.
//!
//! Consecutive lines of a file mostly begin alike (topic, constant) and end alike (tag, newline). The readers remember how the
//! last line began and ended and only parse what differs. All other lines take the slow path.

use std::marker::PhantomData;
use std::ops::Range;

use wide::u8x32;

use super::number;

/// The rules for valid lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Cranfield's: numbers and the number of columns must be right; comments and blank lines are skipped.
    Strict,
    /// `trec_eval`'s: numbers as C reads them; extra columns of a run are ignored; blank lines in qrels are an error.
    TrecEval,
    /// Those of `trec_eval` 9, which has no comments: a line that begins with `#` is data.
    TrecEval9,
}

/// A fault of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// The line has this number of columns.
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
    /// The line contains a NUL byte, so the file is not text.
    Nul,
}

/// A fault with its place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultyLine {
    /// Offset of the wrong part.
    pub at: usize,
    /// Length of the wrong part.
    pub width: usize,
    /// The fault.
    pub fault: LineFault,
}

/// A kind of line that belongs to a topic.
pub trait TopicLine<'a>: Sized {
    /// Topic id.
    fn topic(&self) -> &'a [u8];

    /// Whether the topic is known to be that of the previous line.
    fn same_topic(&self) -> bool;

    /// Reads the next line if it begins and ends like the last one.
    #[doc(hidden)]
    fn quick(text: &mut Text<'a>) -> Option<Self>;

    /// Whether a line is skipped as blank or a comment.
    #[doc(hidden)]
    fn is_skipped(dialect: Dialect, line: &[u8]) -> bool;

    /// Parses any other line.
    #[doc(hidden)]
    fn parse(text: &mut Text<'a>, line: &'a [u8]) -> Result<Self, FaultyLine>;
}

/// An iterator over the lines of a text or of pieces of it.
#[derive(Clone, Debug)]
pub struct Lines<'a, L> {
    text: Text<'a>,
    kind: PhantomData<L>,
}

impl<'a, L: TopicLine<'a>> Lines<'a, L> {
    /// Reads `bytes` by the rules of a dialect.
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

    /// Continues with another piece of the text, which must consist of whole lines.
    pub fn seek(&mut self, span: Range<usize>) {
        self.text.at = span.start;
        self.text.end = span.end.min(self.text.bytes.len());
    }

    /// Kept out of line: inlined into [`Iterator::next`], it takes registers away from the quick path.
    #[cold]
    #[inline(never)]
    fn careful(&mut self) -> Option<Result<L, FaultyLine>> {
        let dialect = self.text.dialect;
        let line = self.text.next_line(|line| L::is_skipped(dialect, line))?;
        let checked = self.text.check_text(line);
        Some(checked.and_then(|()| L::parse(&mut self.text, line)))
    }
}

impl<'a, L: TopicLine<'a>> Iterator for Lines<'a, L> {
    type Item = Result<L, FaultyLine>;

    #[expect(
        clippy::inline_always,
        reason = "measured: when inlined, fields that a caller does not use cost nothing"
    )]
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.text.at >= self.text.end {
            return None;
        }
        match L::quick(&mut self.text) {
            Some(line) => Some(Ok(line)),
            None => self.careful(),
        }
    }
}

/// Up to sixteen bytes that a line is expected to have at some place, compared as one integer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Expected {
    word: u128,
    mask: u128,
    len: usize,
}

impl Expected {
    /// Expects nothing if `text` is empty or longer; lines then take the slow path.
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

    /// Returns the end of the expected bytes if they are at `at`.
    #[inline]
    pub(super) fn end(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let next = bytes.get(at..at + 16)?.try_into().ok()?;
        let matches = (u128::from_le_bytes(next) ^ self.word) & self.mask == 0;
        (matches && self.len > 0).then_some(at + self.len)
    }
}

/// Number of bytes that are searched at once for the end of a token.
const BLOCK: usize = 32;

/// Returns the first space or control character at or after `at`, unless it is among the last bytes of the file.
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

/// Returns the end of the token at `at` and the end of the token after the byte that follows. For the usual lengths there is no
/// branch on the lengths, so the processor has nothing to mispredict.
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

/// Returns a bit for each byte of a block: whether it is a space or a control character.
#[inline]
fn token_ends(block: &[u8; BLOCK]) -> u32 {
    u8x32::new(*block).simd_le(u8x32::splat(b' ')).to_bitmask()
}

/// Whether a byte is a space or a tab.
#[inline]
pub(super) fn is_separator(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// Whether a byte is white space in C.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The first seven fields of a line, and the number of all.
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

/// Returns the offset of `part` in `bytes`, which must contain it.
pub fn offset_in(bytes: &[u8], part: &[u8]) -> usize {
    part.as_ptr().addr().wrapping_sub(bytes.as_ptr().addr())
}

/// The text that is read, and how the last line looked.
#[derive(Clone, Debug)]
pub struct Text<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// Where reading stops: the end of a line or of the text.
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

    /// Returns the next line that is not skipped, without its newline.
    fn next_line(&mut self, is_skipped: impl Fn(&[u8]) -> bool) -> Option<&'a [u8]> {
        while self.at < self.end {
            let rest = &self.bytes[self.at..self.end];
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.at += length + 1;
            if !is_skipped(&rest[..length]) {
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

    /// Rejects binary data in the strict dialect.
    fn check_text(&self, line: &[u8]) -> Result<(), FaultyLine> {
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

    /// Parses a number by the strict rules, or as the reference program reads it.
    pub(super) fn number(
        &self,
        token: &[u8],
        reference: impl Fn(&[u8]) -> f64,
        [not_number, not_finite]: [LineFault; 2],
    ) -> Result<f64, FaultyLine> {
        if self.dialect != Dialect::Strict {
            return Ok(reference(token));
        }
        match number::strict(token) {
            Some(value) if value.is_finite() => Ok(value),
            Some(_) => Err(self.fault(token, not_finite)),
            None => Err(self.fault(token, not_number)),
        }
    }

    /// Whether `topic` is that of the last line. Remembers it.
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
    fn tokens_of_all_lengths_end_correctly() {
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
