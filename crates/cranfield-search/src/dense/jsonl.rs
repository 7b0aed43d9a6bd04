//! Vectors as JSON Lines: one object per line, with an id and a list of numbers.

use cranfield_io::{Code, Error, Problem, Source};
use serde::Deserialize;

/// A line.
#[derive(Deserialize)]
struct Record {
    #[serde(
        alias = "_id",
        alias = "doc_id",
        alias = "docid",
        alias = "docno",
        alias = "query_id",
        alias = "qid"
    )]
    id: Id,
    #[serde(alias = "embedding")]
    vector: Vec<f32>,
}

/// An id, which some programs write as a number.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a string or an integer as id")]
enum Id {
    Text(String),
    Number(u64),
}

/// Reads ids and values; all vectors have the same length.
pub(super) fn read(source: &Source) -> Result<(Vec<String>, Vec<f32>), Error> {
    let (mut ids, mut values) = (Vec::new(), Vec::new());
    let mut dims = None;
    let lines = source.bytes().split(|&byte| byte == b'\n').enumerate();
    for (at, line) in lines.filter(|(_, line)| !line.trim_ascii().is_empty()) {
        let record = parse(source, at as u64 + 1, line)?;
        let (found, expected) = (
            record.vector.len(),
            *dims.get_or_insert(record.vector.len()),
        );
        if found != expected {
            let message = format!("the vector has {found} dimensions, the first {expected}");
            return Err(
                whole_line(Code::VectorLength, source, at as u64 + 1, line, message).into(),
            );
        }
        ids.push(match record.id {
            Id::Text(text) => text,
            Id::Number(number) => number.to_string(),
        });
        values.extend(record.vector);
    }
    if ids.is_empty() {
        return Err(Problem::file(Code::EmptyFile, source.name(), "found no vectors").into());
    }
    Ok((ids, values))
}

fn parse(source: &Source, number: u64, line: &[u8]) -> Result<Record, Error> {
    let record: Record = serde_json::from_slice(line).map_err(|error| {
        let code = if error.is_data() {
            Code::JsonShape
        } else {
            Code::JsonSyntax
        };
        let text = error.to_string();
        let text = text.split(" at line ").next().unwrap_or_default();
        let at = error.column().saturating_sub(1).min(line.len());
        let problem = Problem::in_line(code, source.name(), number, line, at..at + 1, text);
        problem.with_help("expected a line such as {\"id\": \"d1\", \"vector\": [0.5, 1.25]}")
    })?;
    if matches!(&record.id, Id::Text(text) if text.is_empty()) {
        let message = "empty id".into();
        return Err(whole_line(Code::EmptyId, source, number, line, message).into());
    }
    Ok(record)
}

fn whole_line(code: Code, source: &Source, number: u64, line: &[u8], message: String) -> Problem {
    Problem::in_line(code, source.name(), number, line, 0..line.len(), message)
}
