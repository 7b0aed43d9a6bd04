//! Judgements that are not one grade per document: groups of judgements, and preferences.

use cranfield_core::groups::{DuplicateJudgement, GroupedQrels, GroupedQrelsBuilder};
use cranfield_core::prefs::{Preferences, PreferencesBuilder};

use super::lines::{Dialect, FaultyLine, LineFault, is_space, offset_in};
use super::number::strict;
use super::qrels_line::QrelsLines;
use super::read::{prefs_problem, qrels_problem};
use crate::code::Code;
use crate::error::{Error, Problems};
use crate::problem::{Place, Problem, quoted};
use crate::source::Source;

/// Reads judgement groups: `topic group document grade`.
pub fn read_groups(source: &Source) -> Result<GroupedQrels, Error> {
    let mut builder = GroupedQrelsBuilder::default();
    let mut reader = Reader::new(source);
    for line in QrelsLines::new(source.bytes(), Dialect::Strict) {
        match line {
            Ok(line) => builder.push(line.topic, line.group, line.doc, line.grade),
            Err(fault) => reader.problems.push_with(|| qrels_problem(source, &fault)),
        }
        reader.lines += 1;
    }
    reader.finish()?;
    builder
        .finish()
        .map_err(|duplicate| judged_twice(source, &duplicate).into())
}

/// The problem of a document that a group judges twice, at its second line.
fn judged_twice(source: &Source, duplicate: &DuplicateJudgement) -> Problem {
    let bytes = source.bytes();
    let lines = QrelsLines::new(bytes, Dialect::Strict).flatten();
    let same = lines.filter(|line| {
        line.topic == duplicate.topic && line.group == duplicate.group && line.doc == duplicate.doc
    });
    let places: Vec<(usize, f64)> = same
        .map(|line| (offset_in(bytes, line.doc), line.grade))
        .take(2)
        .collect();
    let (group, topic) = (quoted(&duplicate.group), quoted(&duplicate.topic));
    let doc = quoted(&duplicate.doc);
    let message = format!("group {group} of topic {topic} judges document {doc} twice");
    let [(first, grade), (second, other)] = places[..] else {
        return Problem::file(Code::ConflictingJudgement, source.name(), message);
    };
    let line = Place::of(bytes, first).line;
    let help = if grade == other {
        "the grades are equal: remove one of the lines"
    } else {
        "keep the line with the grade that is meant"
    };
    let (name, part) = (source.name(), second..second + duplicate.doc.len());
    let message = format!("{message}; first on line {line}");
    Problem::at(Code::ConflictingJudgement, name, bytes, part, message).with_help(help)
}

/// Reads preferences: `topic group subgroup document level`.
pub fn read_preferences(source: &Source) -> Result<Preferences, Error> {
    let mut builder = PreferencesBuilder::default();
    let mut reader = Reader::new(source);
    for line in source.bytes().split(|byte| *byte == b'\n') {
        let fields: Vec<&[u8]> = line
            .split(|byte| is_space(*byte))
            .filter(|field| !field.is_empty())
            .collect();
        if fields.first().is_none_or(|field| field.starts_with(b"#")) {
            continue;
        }
        reader.lines += 1;
        let fault = |part: &[u8], fault| FaultyLine {
            at: offset_in(source.bytes(), part),
            width: part.len(),
            fault,
        };
        if let Some(at) = line.iter().position(|byte| *byte == 0) {
            let fault = fault(&line[at..=at], LineFault::Nul);
            reader.problems.push_with(|| prefs_problem(source, &fault));
            continue;
        }
        let [topic, group, subgroup, doc, level] = fields[..] else {
            let fault = fault(line.trim_ascii(), LineFault::Columns(fields.len()));
            reader.problems.push_with(|| prefs_problem(source, &fault));
            continue;
        };
        match strict(level) {
            Some(value) if value.is_finite() => builder.push(topic, group, subgroup, doc, value),
            _ => reader
                .problems
                .push_with(|| prefs_problem(source, &fault(level, LineFault::Grade))),
        }
    }
    reader.finish()?;
    Ok(builder.finish())
}

/// Reads qrels as preferences: of two documents of a group, that with the higher grade is preferred.
pub fn read_qrels_as_preferences(source: &Source) -> Result<Preferences, Error> {
    let mut builder = PreferencesBuilder::default();
    let mut reader = Reader::new(source);
    for line in QrelsLines::new(source.bytes(), Dialect::Strict) {
        match line {
            Ok(line) => builder.push(line.topic, line.group, b"0", line.doc, line.grade),
            Err(fault) => reader.problems.push_with(|| qrels_problem(source, &fault)),
        }
        reader.lines += 1;
    }
    reader.finish()?;
    Ok(builder.finish())
}

/// What is wrong with a file, and whether it holds anything.
struct Reader<'a> {
    source: &'a Source,
    problems: Problems,
    lines: u64,
}

impl<'a> Reader<'a> {
    fn new(source: &'a Source) -> Self {
        Self {
            source,
            problems: Problems::default(),
            lines: 0,
        }
    }

    fn finish(self) -> Result<(), Error> {
        self.problems.into_result()?;
        if self.lines == 0 {
            return Err(Problem::file(Code::EmptyFile, self.source.name(), "holds no data").into());
        }
        Ok(())
    }
}
