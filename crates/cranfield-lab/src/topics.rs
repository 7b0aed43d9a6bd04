//! Queries from a file of topics.

use std::path::Path;

use cranfield_io::{Code, Error, Problem, Problems, Source};

use crate::engine::Query;

/// First lines that name the columns.
const HEADERS: [&str; 4] = ["topic\ttext", "qid\tquery", "query_id\ttext", "id\ttext"];

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
        let is_header = at == 0 && HEADERS.contains(&line);
        if is_header || line.trim().is_empty() || line.starts_with('#') {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Query>, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.tsv");
        std::fs::write(&path, text).expect("a file");
        read_queries(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn topics_are_lines_with_a_tab() {
        let queries = read("topic\ttext\n1\twing flow\r\n\n2\ta\tb\n").expect("topics");
        let pairs: Vec<_> = queries
            .iter()
            .map(|query| (&*query.topic, &*query.text))
            .collect();
        assert_eq!(pairs, [("1", "wing flow"), ("2", "a\tb")]);
    }

    #[test]
    fn mistakes_have_their_line() {
        for (text, expected) in [
            ("1 wing\n", "t.tsv:1:1: found no tab"),
            ("1\ta\n1\tb\n", "t.tsv:2:1: topic `1` occurs twice"),
            (" \ta\n", "t.tsv:1:1: the id is empty"),
            ("# nothing\n", "t.tsv: no topics found"),
        ] {
            let error = read(text).expect_err("a mistake");
            assert!(error.contains(expected), "{error}");
        }
    }
}
