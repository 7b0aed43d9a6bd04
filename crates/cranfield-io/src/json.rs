//! Reads runs and judgements from JSON: one object from topic to document to number, or a list of records.
//!
//! The text is read as a stream, and only the rows are kept. Numbers are read as raw text first, which gives their places for
//! messages. Repeated keys, which a JSON library accepts, are errors.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::code::Code;
use crate::columns::{Column, missing};
use crate::escape::quoted;
use crate::number::Unusable;
use crate::problem::{Place, Problem};
use crate::rows::{At, Row, Scan, Sink, value_code};
use crate::source::Source;

/// Scans JSON.
pub(crate) fn scan(scan: &mut Scan<'_>, sink: &mut dyn Sink) {
    let source = scan.source;
    let mut json = serde_json::Deserializer::from_slice(source.bytes());
    let read = Topics {
        scan: &mut *scan,
        sink,
    }
    .deserialize(&mut json);
    if let Err(error) = read.and_then(|()| json.end()) {
        scan.problems
            .push_with(|| json_problem(source, &error, 0..source.bytes().len()));
    }
}

/// Scans JSON Lines.
pub(crate) fn scan_lines(scan: &mut Scan<'_>, sink: &mut dyn Sink) {
    let source = scan.source;
    let mut start = 0;
    for line in source.bytes().split(|&byte| byte == b'\n') {
        let range = start..start + line.len();
        start = range.end + 1;
        if crate::detect::is_data(line) {
            scan_line(scan, sink, range);
        }
    }
}

fn scan_line(scan: &mut Scan<'_>, sink: &mut dyn Sink, range: Range<usize>) {
    let source = scan.source;
    let mut json = serde_json::Deserializer::from_slice(&source.bytes()[range.clone()]);
    let mut record = Record::new(range.clone());
    let read = RecordSeed {
        record: &mut record,
        scan: &mut *scan,
    }
    .deserialize(&mut json);
    match read.and_then(|()| json.end()) {
        Ok(()) => record.finish(scan, sink),
        Err(error) => scan
            .problems
            .push_with(|| json_problem(source, &error, range)),
    }
}

/// Converts an error of the JSON library in a part of the input.
fn json_problem(source: &Source, error: &serde_json::Error, part: Range<usize>) -> Problem {
    let bytes = &source.bytes()[part.clone()];
    let at = part.start + offset_of_line(bytes, error.line()) + error.column().saturating_sub(1);
    let found = &source.bytes()[at.min(part.end)..part.end];
    if let Some((text, start)) = not_finite(source.bytes(), at) {
        let message = format!("found {}, expected a finite number", quoted(text));
        let problem = Problem::at(
            Code::ScoreNotFinite,
            source.name(),
            source.bytes(),
            start..start + text.len(),
            message,
        );
        return problem.with_help("JSON has no NaN or infinity; drop these documents");
    }
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    let code = match error.classify() {
        serde_json::error::Category::Data => Code::JsonShape,
        _ if text.contains("unicode") => Code::InvalidUtf8,
        _ => Code::JsonSyntax,
    };
    let width = usize::from(!found.is_empty());
    let message = if code == Code::JsonShape {
        text.into()
    } else {
        format!("invalid JSON: {text}")
    };
    Problem::at(code, source.name(), source.bytes(), at..at + width, message)
}

/// Finds `NaN` or `Infinity`, as Python writes them, at an error: it is at or after the first letter.
fn not_finite(bytes: &[u8], at: usize) -> Option<(&[u8], usize)> {
    const WORDS: [&[u8]; 3] = [b"-Infinity", b"Infinity", b"NaN"];
    let near = at.saturating_sub(2)..=at;
    let found = |start: usize| {
        WORDS.iter().find(|word| {
            bytes
                .get(start..)
                .is_some_and(|rest| rest.starts_with(word))
        })
    };
    near.clone()
        .find_map(|start| found(start).map(|word| (&bytes[start..start + word.len()], start)))
}

fn offset_of_line(bytes: &[u8], line: usize) -> usize {
    let lines = bytes
        .split(|&byte| byte == b'\n')
        .take(line.saturating_sub(1));
    lines.map(|line| line.len() + 1).sum()
}

/// Returns the range of a part of the input.
fn range_of(source: &Source, part: &[u8]) -> Option<Range<usize>> {
    let start = part
        .as_ptr()
        .addr()
        .checked_sub(source.bytes().as_ptr().addr())?;
    let range = start..start + part.len();
    source
        .bytes()
        .get(range.clone())
        .is_some_and(|same| std::ptr::eq(same, part))
        .then_some(range)
}

/// A string that borrows from the input unless it contains escapes.
struct Text<'de>(Cow<'de, str>);

impl<'de> serde::Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.into())))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

/// The whole document: an object of topics, or a list of records.
struct Topics<'s, 'a, 'k> {
    scan: &'s mut Scan<'a>,
    sink: &'k mut dyn Sink,
}

impl<'de> DeserializeSeed<'de> for Topics<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Topics<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of topics or a list of records")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen: HashSet<Cow<'de, str>> = HashSet::new();
        while let Some(Text(topic)) = map.next_key()? {
            let at = range_of(self.scan.source, topic.as_bytes());
            self.scan
                .check_id(topic.as_bytes(), "topic", &place(at.clone()));
            self.sink.topic(topic.as_bytes());
            map.next_value_seed(Docs {
                scan: self.scan,
                sink: self.sink,
                topic: &topic,
            })?;
            if seen.contains(&topic) {
                self.scan.problem(Code::DuplicateKey, &place(at), || {
                    format!("topic {} occurs twice", quoted(topic.as_bytes()))
                });
            }
            seen.insert(topic);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(raw) = list.next_element::<&RawValue>()? {
            let range = range_of(self.scan.source, raw.get().as_bytes()).unwrap_or(0..0);
            scan_line(self.scan, self.sink, range);
        }
        Ok(())
    }
}

/// A place, or the start of the input for a string with escapes, which is a copy.
fn place(range: Option<Range<usize>>) -> At {
    At::Bytes(range.unwrap_or(0..0))
}

/// The documents of a topic.
struct Docs<'s, 'a, 'k> {
    scan: &'s mut Scan<'a>,
    sink: &'k mut dyn Sink,
    topic: &'s str,
}

impl<'de> DeserializeSeed<'de> for Docs<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Docs<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.scan.kind.value_name();
        write!(
            f,
            "an object from document to {what} for topic {}",
            quoted(self.topic.as_bytes())
        )
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Text(doc)) = map.next_key()? {
            let raw: &RawValue = map.next_value()?;
            let value_at = range_of(self.scan.source, raw.get().as_bytes());
            let doc_at = range_of(self.scan.source, doc.as_bytes()).or_else(|| value_at.clone());
            let at = place(doc_at);
            let is_named = self.scan.check_id(doc.as_bytes(), "document", &at);
            let value = self.scan.json_number(raw.get(), &place(value_at));
            if let (true, Some(value)) = (is_named, value) {
                self.sink.row(Row {
                    topic: self.topic.as_bytes(),
                    doc: doc.as_bytes(),
                    value,
                    rank: None,
                    at,
                });
            }
        }
        Ok(())
    }
}

impl Scan<'_> {
    /// Parses a score or grade, which must be a JSON number.
    fn json_number(&mut self, raw: &str, at: &At) -> Option<f64> {
        let is_number = raw.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        if is_number {
            return self.value(raw.as_bytes(), at);
        }
        let code = value_code(self.kind, Unusable::NotNumber);
        let what = self.kind.value_name();
        self.problem(code, at, || {
            format!(
                "{what} is {}, expected a JSON number",
                quoted(raw.as_bytes())
            )
        });
        None
    }

    /// Parses an id: a string, or an integer.
    fn json_id<'r>(&mut self, raw: &'r str, what: &str, at: &At) -> Option<Cow<'r, str>> {
        let digits = raw.strip_prefix('-').unwrap_or(raw);
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(Cow::Borrowed(raw));
        }
        if let Ok(Text(id)) = serde_json::from_str::<Text<'r>>(raw) {
            return self.check_id(id.as_bytes(), what, at).then_some(id);
        }
        self.problem(Code::JsonShape, at, || {
            let found = quoted(raw.as_bytes());
            format!("{what} id is {found}, expected a string or an integer")
        });
        None
    }
}

/// A record: raw JSON by column.
struct Record<'de> {
    whole: Range<usize>,
    fields: [Option<Field<'de>>; Column::ALL.len()],
    names: Vec<Cow<'de, str>>,
}

struct Field<'de> {
    preference: usize,
    raw: &'de str,
}

impl<'de> Record<'de> {
    fn new(whole: Range<usize>) -> Self {
        Self {
            whole,
            fields: Default::default(),
            names: Vec::new(),
        }
    }

    fn get(&self, column: Column) -> Option<&'de str> {
        self.fields[column as usize].as_ref().map(|field| field.raw)
    }

    /// Keeps a field if its name is the most specific one so far for its column.
    fn add(&mut self, scan: &mut Scan<'_>, name: &str, raw: &'de str) {
        for column in Column::ALL {
            let Some(preference) = column.preference(scan.kind, name.as_bytes()) else {
                continue;
            };
            match &self.fields[column as usize] {
                Some(known) if known.preference < preference => {}
                Some(known) if known.preference == preference => {
                    let at = place(range_of(scan.source, raw.as_bytes()));
                    scan.problem(Code::DuplicateKey, &at, || {
                        format!("field {} occurs twice", quoted(name.as_bytes()))
                    });
                }
                _ => self.fields[column as usize] = Some(Field { preference, raw }),
            }
        }
    }

    fn finish(self, scan: &mut Scan<'_>, sink: &mut dyn Sink) {
        let source = scan.source;
        let at = |raw: &str| place(range_of(source, raw.as_bytes()));
        let whole = self.whole.clone();
        let (Some(topic), Some(doc)) = (self.get(Column::Topic), self.get(Column::Doc)) else {
            let column = if self.get(Column::Topic).is_none() {
                Column::Topic
            } else {
                Column::Doc
            };
            return self.report_missing(scan, column);
        };
        let (topic_at, doc_at) = (at(topic), at(doc));
        let ranked = self
            .get(Column::Rank)
            .filter(|raw| *raw != "null")
            .map(|raw| (raw, at(raw)));
        let valued = self.get(Column::Value).map(|raw| (raw, at(raw)));
        let topic = scan.json_id(topic, "topic", &topic_at);
        let doc = scan.json_id(doc, "document", &doc_at);
        let rank = ranked
            .as_ref()
            .map(|(raw, at)| scan.rank(raw.as_bytes(), at));
        let value = match (&valued, rank) {
            (Some((raw, at)), _) => scan.json_number(raw, at),
            (None, Some(rank)) => rank.map(|rank| -rank),
            (None, None) => return self.report_missing(scan, Column::Value),
        };
        let (Some(topic), Some(doc), Some(value)) = (topic, doc, value) else {
            return;
        };
        if let Some(tag) = self
            .get(Column::Tag)
            .and_then(|raw| serde_json::from_str::<Text<'_>>(raw).ok())
        {
            sink.tag(tag.0.as_bytes());
        }
        let at = if let At::Bytes(range) = &doc_at
            && range.is_empty()
        {
            At::Bytes(whole)
        } else {
            doc_at
        };
        sink.row(Row {
            topic: topic.as_bytes(),
            doc: doc.as_bytes(),
            value,
            rank: rank.flatten(),
            at,
        });
    }

    fn report_missing(&self, scan: &mut Scan<'_>, column: Column) {
        let kind = scan.kind;
        let names: Vec<String> = self
            .names
            .iter()
            .take(8)
            .map(|name| quoted(name.as_bytes()))
            .collect();
        let found = if names.is_empty() {
            "no fields".into()
        } else {
            names.join(", ")
        };
        let line = Place::of(scan.bytes(), self.whole.start)
            .text(scan.bytes())
            .len();
        let whole = self.whole.start..self.whole.end.min(self.whole.start + line);
        scan.problem(Code::MissingColumn, &At::Bytes(whole), || {
            missing(column, kind, &found)
        });
    }
}

/// Fills a [`Record`].
struct RecordSeed<'r, 's, 'a, 'de> {
    record: &'r mut Record<'de>,
    scan: &'s mut Scan<'a>,
}

impl<'de> DeserializeSeed<'de> for RecordSeed<'_, '_, '_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RecordSeed<'_, '_, '_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a topic, a document and a number")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Text(name)) = map.next_key()? {
            let raw: &'de RawValue = map.next_value()?;
            self.record.add(self.scan, &name, raw.get());
            if self.record.names.len() < 8 {
                self.record.names.push(name);
            }
        }
        Ok(())
    }
}
