//! Lines of TREC text with everything that the readers skip.

use cranfield_core::setting::Message;

use crate::code::Code;
use crate::detect::lacks_tag;
use crate::number::Unusable;
use crate::problem::Problem;
use crate::rows::{unusable_value, value_code};
use crate::trec::{offset_in, strict};

use super::Kind;

/// The end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Newline,
    CrLf,
    /// The end of the text.
    Nothing,
}

impl End {
    pub(super) fn bytes(self) -> &'static [u8] {
        match self {
            Self::Newline => b"\n",
            Self::CrLf => b"\r\n",
            Self::Nothing => b"",
        }
    }
}

/// A line without its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// From 1.
    pub(super) number: u64,
    /// Offset in the text.
    pub(super) start: usize,
    pub(super) text: &'a [u8],
    pub(super) end: End,
}

impl<'a> Line<'a> {
    pub(super) fn is_blank(&self) -> bool {
        self.text.iter().all(|byte| is_space(*byte))
    }

    pub(super) fn is_blank_or_comment(&self) -> bool {
        let first = self.text.iter().find(|byte| !is_space(**byte));
        first.is_none_or(|byte| *byte == b'#')
    }

    /// Creates a problem of a part of the line.
    pub(super) fn problem(
        &self,
        code: Code,
        path: &str,
        part: &[u8],
        message: impl Into<Message>,
    ) -> Problem {
        let start = offset_in(self.text, part).min(self.text.len());
        let end = (start + part.len()).min(self.text.len());
        Problem::in_line(code, path, self.number, self.text, start..end, message)
    }

    /// The line without surrounding white space.
    pub(super) fn trimmed(&self) -> &'a [u8] {
        self.text.trim_ascii()
    }
}

/// An iterator over the lines of a piece of a text.
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
    number: u64,
}

impl<'a> Lines<'a> {
    /// All lines.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self::piece(bytes, 0, bytes.len(), 1)
    }

    /// The lines from `start` to `end`; the first one has the given number.
    pub(super) fn piece(bytes: &'a [u8], start: usize, end: usize, number: u64) -> Self {
        Self {
            bytes,
            at: start,
            end,
            number,
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.at >= self.end {
            return None;
        }
        let rest = &self.bytes[self.at..self.end];
        let newline = memchr::memchr(b'\n', rest);
        let whole = &rest[..newline.unwrap_or(rest.len())];
        let (text, end) = match (whole.strip_suffix(b"\r"), newline) {
            (Some(text), _) => (text, End::CrLf),
            (None, Some(_)) => (whole, End::Newline),
            (None, None) => (whole, End::Nothing),
        };
        let line = Line {
            number: self.number,
            start: self.at,
            text,
            end,
        };
        self.at += whole.len() + 1;
        self.number += 1;
        Some(line)
    }
}

/// Whether a byte is white space in C.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The fields of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a> {
    /// The first seven.
    pub(super) field: [&'a [u8]; 7],
    pub(super) count: usize,
    /// Whether fields are separated by exactly the expected byte, with nothing before or after them.
    pub(super) is_even: bool,
}

impl<'a> Fields<'a> {
    pub(super) fn of(line: &'a [u8], separator: u8) -> Self {
        let mut fields = Self {
            field: [&[]; 7],
            count: 0,
            is_even: true,
        };
        let mut start = 0;
        for (at, &byte) in line.iter().enumerate() {
            if is_space(byte) {
                fields.push(&line[start..at]);
                fields.is_even &= byte == separator && at > start;
                start = at + 1;
            }
        }
        fields.is_even &= start < line.len();
        fields.push(&line[start..]);
        fields
    }

    /// Whether only the tag of a run is missing.
    pub(super) fn lacks_tag(&self) -> bool {
        self.count == 5 && lacks_tag(&self.field[..5])
    }

    fn push(&mut self, token: &'a [u8]) {
        if token.is_empty() {
            return;
        }
        if let Some(field) = self.field.get_mut(self.count) {
            *field = token;
        }
        self.count += 1;
    }
}

/// Returns the separator of the first two fields of a line: a tab, or else a space.
pub(super) fn separator_of(line: &[u8]) -> u8 {
    let line = line.trim_ascii_start();
    match line.iter().find(|byte| is_space(**byte)) {
        Some(b'\t') => b'\t',
        _ => b' ',
    }
}

/// Returns the first white space of a line that is not the expected separator between two fields.
#[cold]
pub(super) fn uneven_part(line: &[u8], separator: u8) -> &[u8] {
    let mut at = 0;
    while at < line.len() {
        let token = line[at..].iter().take_while(|byte| !is_space(**byte));
        let start = at + token.count();
        let spaces = line[start..].iter().take_while(|byte| is_space(**byte));
        let end = start + spaces.count();
        let is_between = start > 0 && end < line.len();
        if end > start && !(is_between && line[start..end] == [separator]) {
            return &line[start..end];
        }
        at = end;
    }
    line
}

/// A problem of a line, and the part of it that is wrong.
#[derive(Clone, Debug)]
pub(super) struct Fault<'a> {
    pub(super) code: Code,
    pub(super) part: &'a [u8],
    pub(super) message: String,
}

/// A document of a topic with its score or grade.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) doc: &'a [u8],
    /// Score or grade.
    pub(super) value: f64,
    /// `None` if the format has no ranks, or the rank is not a number.
    pub(super) rank: Option<f64>,
    /// `None` in formats that are not made of lines.
    pub(super) line: Option<Line<'a>>,
    /// The value and rank as written in the line.
    pub(super) value_text: &'a [u8],
    pub(super) rank_text: &'a [u8],
}

impl<'a> Row<'a> {
    /// Creates a row of a format that is not made of lines.
    pub(super) fn without_line(doc: &'a [u8], value: f64, rank: Option<f64>) -> Self {
        Self {
            doc,
            value,
            rank,
            line: None,
            value_text: &[],
            rank_text: &[],
        }
    }

    /// Creates a problem of a part of the row.
    pub(super) fn problem(&self, code: Code, path: &str, part: &[u8], message: String) -> Problem {
        match self.line {
            Some(line) => line.problem(code, path, part, message),
            None => Problem::file(code, path, message),
        }
    }

    /// The topic as written in the line.
    pub(super) fn topic_text(&self) -> &'a [u8] {
        let text = self.line.map_or(&b""[..], |line| line.text);
        let mut fields = text.split(|byte| is_space(*byte));
        fields.find(|field| !field.is_empty()).unwrap_or_default()
    }

    /// The place of the row, as the end of a message.
    pub(super) fn place(&self) -> String {
        self.line.map_or_else(String::new, |line| {
            format!("; first on line {}", line.number)
        })
    }
}

/// The fields of a line by role.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parsed<'a> {
    pub(super) topic: &'a [u8],
    pub(super) second: &'a [u8],
    /// Empty in qrels.
    pub(super) tag: &'a [u8],
    pub(super) row: Row<'a>,
}

/// Parses a line of a run or of qrels.
pub(super) fn parse<'a>(
    kind: Kind,
    line: Line<'a>,
    fields: &Fields<'a>,
) -> Result<Parsed<'a>, Fault<'a>> {
    if let Some(at) = memchr::memchr(0, line.text) {
        return Err(Fault {
            code: Code::BinaryData,
            part: &line.text[at..=at],
            message: "found a NUL byte, expected text".into(),
        });
    }
    if fields.count != kind.columns() {
        return Err(wrong_count(kind, line, fields));
    }
    let [topic, second, doc, rank_text, score_text, tag, _] = fields.field;
    let (value_text, rank_text) = match kind {
        Kind::Run => (score_text, rank_text),
        Kind::Qrels => (rank_text, &b""[..]),
    };
    let parsed = match strict(value_text) {
        Some(value) if value.is_finite() => Ok(value),
        Some(_) => Err(Unusable::NotFinite),
        None => Err(Unusable::NotNumber),
    };
    let value = parsed.map_err(|why| Fault {
        code: value_code(kind, why),
        part: value_text,
        message: unusable_value(kind, why, value_text),
    })?;
    let row = Row {
        doc,
        value,
        rank: strict(rank_text).filter(|rank| rank.is_finite()),
        line: Some(line),
        value_text,
        rank_text,
    };
    Ok(Parsed {
        topic,
        second,
        tag,
        row,
    })
}

#[cold]
fn wrong_count<'a>(kind: Kind, line: Line<'a>, fields: &Fields<'a>) -> Fault<'a> {
    let extra = fields.field.get(kind.columns());
    let part = extra.copied().filter(|extra| !extra.is_empty());
    Fault {
        code: Code::ColumnCount,
        part: part.unwrap_or(line.trimmed()),
        message: kind.wrong_columns(fields.count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_ends_and_numbers() {
        let lines: Vec<_> = Lines::new(b"a\r\n\nb\nc").collect();
        let seen: Vec<_> = lines
            .iter()
            .map(|line| (line.number, line.text, line.end))
            .collect();
        let expected: Vec<(u64, &[u8], End)> = vec![
            (1, b"a", End::CrLf),
            (2, b"", End::Newline),
            (3, b"b", End::Newline),
            (4, b"c", End::Nothing),
        ];
        assert_eq!(seen, expected);
        assert_eq!(Lines::new(b"").count(), 0);
    }

    #[test]
    fn only_single_separators_are_even() {
        for (line, is_even, count) in [
            ("a b c", true, 3),
            ("a\tb c", false, 3),
            ("a  b", false, 2),
            (" a b", false, 2),
            ("a b ", false, 2),
            ("", false, 0),
            ("a", true, 1),
        ] {
            let fields = Fields::of(line.as_bytes(), b' ');
            assert_eq!((fields.is_even, fields.count), (is_even, count), "{line:?}");
        }
        assert_eq!(uneven_part(b"a b  c", b' '), b"  ");
        assert_eq!(uneven_part(b"a b\tc", b' '), b"\t");
        assert_eq!(uneven_part(b" a", b' '), b" ");
        assert_eq!(uneven_part(b"a ", b' '), b" ");
        assert_eq!(separator_of(b" a\tb c"), b'\t');
        assert_eq!(separator_of(b"a\x0bb"), b' ');
    }
}
