//! Topics in lines: tables, and ids before a colon.

use super::{Found, normalised, plain};
use crate::documents::split_quoted;
use crate::topic::Topic;

/// Names of columns and fields with the id.
pub(super) const ID: [&str; 10] = [
    "_id", "qid", "query_id", "queryid", "topic_id", "id", "number", "num", "topic", "query-id",
];

/// Lines with their places in the text, without empty ones.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\r', '\n']))
    });
    lines.filter(|(_, line)| !line.trim().is_empty())
}

/// Reads a table; without a header, the first column is the id and the second the query.
pub(super) fn read_table(text: &str, separator: char) -> Vec<Found> {
    let mut rows = lines(text)
        .map(|(at, line)| (at, cells(line, separator)))
        .peekable();
    let header = rows.peek().map(|(_, cells)| header(cells));
    let header = match header {
        Some(names) if names.iter().any(|name| ID.contains(&name.as_str())) => {
            rows.next();
            names
        }
        _ => vec!["id".into(), "title".into()],
    };
    let is_id = |id: &&str| header.iter().position(|name| name == id);
    let id = ID.iter().find_map(is_id).unwrap_or(0);
    let topic = |(at, cells): (usize, Vec<String>)| {
        let named = header
            .iter()
            .zip(&cells)
            .enumerate()
            .filter(|(column, _)| *column != id);
        let fields = named.map(|(_, (name, text))| (name.clone(), text.clone()));
        let topic = Topic {
            id: cells.get(id).map(|id| plain(id)).unwrap_or_default(),
            fields: normalised(fields),
        };
        Found { topic, at }
    };
    rows.map(topic).collect()
}

fn header(cells: &[String]) -> Vec<String> {
    cells
        .iter()
        .map(|name| name.trim().to_lowercase())
        .collect()
}

fn cells(line: &str, separator: char) -> Vec<String> {
    if separator == ',' {
        split_quoted(line, separator)
    } else {
        line.split(separator).map(str::to_owned).collect()
    }
}

/// Reads `id:query` or `id:priority:query`; the second if all lines have a number after the first colon.
pub(super) fn read_colon(text: &str) -> Vec<Found> {
    let parts = |line: &str| {
        line.split_once(':')
            .map(|(id, rest)| (id.trim().to_owned(), rest.to_owned()))
    };
    let priority = |line: &str| {
        let (_, rest) = parts(line)?;
        let (priority, query) = rest.split_once(':')?;
        priority
            .trim()
            .parse::<u32>()
            .ok()
            .map(|_| (priority.trim().to_owned(), query.to_owned()))
    };
    let has_priorities = lines(text).all(|(_, line)| priority(line).is_some());
    let topic = |(at, line): (usize, &str)| {
        let (id, query) = parts(line).unwrap_or_default();
        let fields = match priority(line).filter(|_| has_priorities) {
            Some((priority, query)) => vec![("title".into(), query), ("priority".into(), priority)],
            None => vec![("title".into(), query)],
        };
        let fields = normalised(fields);
        Found {
            topic: Topic { id, fields },
            at,
        }
    };
    lines(text).map(topic).collect()
}
