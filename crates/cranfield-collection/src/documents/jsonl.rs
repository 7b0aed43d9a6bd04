//! Documents as JSON objects, one in each line: BEIR, Anserini, MS MARCO v2.

use cranfield_io::Error;
use serde_json::{Map, Value};

use super::window::Window;
use super::{Record, RecordReader, selected};
use crate::document::{Document, TextFields};

/// Names of fields with the id, the most specific first.
pub(crate) const ID: [&str; 9] = [
    "_id",
    "id",
    "docid",
    "docno",
    "doc_id",
    "pid",
    "cord_uid",
    "passage_id",
    "document_id",
];

/// A reader of JSON lines.
pub(super) struct JsonLines {
    pub(super) text: TextFields,
    /// Name of the field with the id, if given.
    pub(super) id: Option<String>,
}

impl RecordReader for JsonLines {
    fn next(&mut self, window: &mut Window) -> Result<Option<Record>, Error> {
        loop {
            let length = window.line_length()?;
            if length == 0 {
                return Ok(None);
            }
            let line = window.bytes()[..length].trim_ascii();
            if line.is_empty() {
                window.consume(length);
                continue;
            }
            let decoded = crate::encoding::decode(line, window.declared);
            let object: Option<Map<String, Value>> = serde_json::from_str(&decoded.text).ok();
            let replaced = decoded.replaced;
            let place = window.place().clone();
            window.consume(length);
            let Some(object) = object else {
                return Ok(Some(Record::Malformed(place)));
            };
            let mut document = document(object, self.id.as_deref());
            document.selected = selected(&self.text, &document.fields);
            document.place = place;
            return Ok(Some(Record::Document { document, replaced }));
        }
    }
}

/// The id and the fields of an object; the id is empty if it has none.
pub(crate) fn document(mut object: Map<String, Value>, id: Option<&str>) -> Document {
    let names = id.as_ref().map_or(&ID[..], std::slice::from_ref);
    let id = names.iter().find_map(|name| object.shift_remove(*name));
    let id = id.and_then(text_of).unwrap_or_default();
    let mut fields = Vec::with_capacity(object.len());
    for (name, value) in object {
        if let Some(text) = text_of(value) {
            fields.push((name.to_lowercase(), text));
        }
    }
    Document {
        id: id.trim().to_owned(),
        fields,
        ..Document::default()
    }
}

/// Strings and numbers as they are, lists joined by line breaks. Objects, such as metadata, are not text.
fn text_of(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(items) => {
            let texts: Vec<String> = items.into_iter().filter_map(text_of).collect();
            (!texts.is_empty()).then(|| texts.join("\n"))
        }
        Value::Null | Value::Bool(_) | Value::Object(_) => None,
    }
}
