//! Judgements that are not one grade per document: judgement groups and preferences.

use cranfield_core::groups::{DuplicateJudgement, GroupedQrels, GroupedQrelsBuilder};
use cranfield_core::prefs::{Preferences, PreferencesBuilder};

use super::columns::{each_line, grade};
use super::lines::{Dialect, offset_in};
use super::qrels_line::QrelsLines;
use crate::code::Code;
use crate::error::Error;
use crate::escape::quoted;
use crate::problem::{Place, Problem};
use crate::source::Source;

/// The columns of judgement groups.
const GROUP_COLUMNS: &str = "topic group document grade";

/// Reads judgement groups: `topic group document grade`.
pub fn read_groups(source: &Source) -> Result<GroupedQrels, Error> {
    let mut builder = GroupedQrelsBuilder::default();
    each_line(source, GROUP_COLUMNS, |[topic, group, doc, field]| {
        builder.push(topic, group, doc, grade(field)?);
        Ok(())
    })?;
    builder
        .finish()
        .map_err(|duplicate| judged_twice(source, &duplicate).into())
}

/// The problem of a document that a group judges twice, at the second line.
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
        "keep the line with the right grade"
    };
    let (name, part) = (source.name(), second..second + duplicate.doc.len());
    let message = format!("{message}; first on line {line}");
    Problem::at(Code::ConflictingJudgement, name, bytes, part, message).with_help(help)
}

/// Reads preferences: `topic group subgroup document level`.
pub fn read_preferences(source: &Source) -> Result<Preferences, Error> {
    let mut builder = PreferencesBuilder::default();
    let names = "topic group subgroup document level";
    each_line(source, names, |[topic, group, subgroup, doc, level]| {
        builder.push(topic, group, subgroup, doc, grade(level)?);
        Ok(())
    })?;
    Ok(builder.finish())
}

/// Reads qrels as preferences: of two documents of a group, the one with the higher grade is preferred.
pub fn read_qrels_as_preferences(source: &Source) -> Result<Preferences, Error> {
    let mut builder = PreferencesBuilder::default();
    each_line(source, GROUP_COLUMNS, |[topic, group, doc, field]| {
        builder.push(topic, group, b"0", doc, grade(field)?);
        Ok(())
    })?;
    Ok(builder.finish())
}
