//! Topics in the formats of documents: SMART and JSON.

use serde_json::{Map, Value};

use super::lines::ID;
use super::{Found, normalised, plain};
use crate::documents::{jsonl, smart};
use crate::topic::Topic;

/// Reads SMART topics.
pub(super) fn read_smart(text: &str) -> Vec<Found> {
    let marks = text.match_indices(".I").map(|(at, _)| at);
    let is_mark = |at: &usize| {
        let is_line = *at == 0 || text.as_bytes()[at - 1] == b'\n';
        let after = text.as_bytes().get(at + 2);
        is_line && after.is_some_and(|byte| matches!(byte, b' ' | b'\t'))
    };
    let starts: Vec<usize> = marks.filter(is_mark).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let topic = |(at, end): (usize, usize)| {
        let (id, fields) = smart::parse(&text[at..end]);
        let fields = normalised(with_whole_query(fields));
        Found {
            topic: Topic { id, fields },
            at,
        }
    };
    starts.iter().copied().zip(ends).map(topic).collect()
}

/// The fields with title and text as one: in CISI, some topics are abstracts of papers, and the others have only the text.
fn with_whole_query(mut fields: Vec<(String, String)>) -> Vec<(String, String)> {
    let text = fields.iter().position(|(name, _)| name == "text");
    if let Some(at) = text
        && fields.iter().any(|(name, _)| name == "title")
    {
        let (_, text) = fields.remove(at);
        for (_, title) in fields
            .iter_mut()
            .filter(|(name, _)| name == "title")
            .take(1)
        {
            title.push('\n');
            title.push_str(&text);
        }
    }
    fields
}

/// Reads JSON: lines of objects, a list of objects, or an object of ids and queries. The error is a place and a message.
pub(super) fn read_json(text: &str) -> Result<Vec<Found>, (usize, String)> {
    let values = serde_json::Deserializer::from_str(text);
    let mut values = values.into_iter::<Value>();
    let mut found = Vec::new();
    let mut has_records = false;
    loop {
        let at = values.byte_offset();
        let at = at + text[at..].len() - text[at..].trim_start().len();
        match values.next() {
            None => return Ok(found),
            Some(Ok(Value::Array(items))) => {
                found.extend(items.into_iter().filter_map(|item| from_value(item, at)));
            }
            Some(Ok(Value::Object(object))) if !has_records && is_map(&object) => {
                found.extend(
                    object
                        .into_iter()
                        .filter_map(|(id, value)| from_entry(id, value, at)),
                );
            }
            Some(Ok(value)) => {
                // An object that follows a topic with an id is a topic too, and lacks an id if it has none.
                has_records = true;
                found.extend(from_value(value, at));
            }
            Some(Err(error)) => return Err((at, format!("invalid JSON: {error}"))),
        }
    }
}

/// Whether an object has topics by id: it has none of the names of ids.
fn is_map(object: &Map<String, Value>) -> bool {
    !object
        .keys()
        .any(|name| ID.contains(&name.to_lowercase().as_str()))
}

fn from_value(value: Value, at: usize) -> Option<Found> {
    let Value::Object(object) = value else {
        return None;
    };
    let name = ID.iter().find(|name| object.contains_key(**name)).copied();
    let document = jsonl::document(object, Some(name.unwrap_or("id")));
    let topic = Topic {
        id: plain(&document.id),
        fields: normalised(document.fields),
    };
    Some(Found { topic, at })
}

fn from_entry(id: String, value: Value, at: usize) -> Option<Found> {
    let fields = match value {
        Value::String(text) => vec![("title".into(), text)],
        Value::Object(object) => jsonl::document(object, Some("id")).fields,
        _ => return None,
    };
    let fields = normalised(fields);
    Some(Found {
        topic: Topic { id, fields },
        at,
    })
}
