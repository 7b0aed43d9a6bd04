//! Queries from a file of topics.

use std::path::Path;

use cranfield_io::{Code, Error, Problem, Problems, Source};

use crate::engine::Query;

/// Reads queries from lines of an id, a tab and a text.
///
/// # Errors
/// If the file is not UTF-8, a line has no tab or no id, an id occurs twice, or there are no lines.
pub fn read_queries(path: &Path) -> Result<Vec<Query>, Error> {
    let source = Source::open(path)?;
    let text = source.text(usize::MAX, "a file of topics", Code::BadTopics)?;
    let mut problems = Problems::default();
    let (mut queries, mut seen) = (Vec::new(), std::collections::HashSet::new());
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_end_matches('\r');
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match query(line) {
            Ok(query) if seen.insert(query.topic.clone()) => queries.push(query),
            Ok(query) => {
                let message = format!("topic `{}` occurs twice", query.topic);
                problems.push(in_line(&source, at, line, message));
            }
            Err(message) => problems.push(in_line(&source, at, line, message)),
        }
    }
    problems.into_result()?;
    if queries.is_empty() {
        return Err(Problem::file(Code::BadTopics, source.name(), "no topics found").into());
    }
    Ok(queries)
}

fn query(line: &str) -> Result<Query, String> {
    let (topic, text) = line
        .split_once('\t')
        .ok_or("found no tab, expected an id, a tab and a text")?;
    if topic.trim().is_empty() {
        return Err("the id is empty".into());
    }
    Ok(Query {
        topic: topic.trim().into(),
        text: text.trim().into(),
    })
}

fn in_line(source: &Source, at: usize, line: &str, message: String) -> Problem {
    let number = at as u64 + 1;
    let bytes = line.as_bytes();
    Problem::in_line(
        Code::BadTopics,
        source.name(),
        number,
        bytes,
        0..bytes.len(),
        message,
    )
}
