//! Documents in columns: MS MARCO, and CSV and TSV with a header.

use cranfield_io::Error;

use super::jsonl::ID;
use super::window::Window;
use super::{Record, RecordReader, selected};
use crate::document::{Document, TextFields};
use crate::encoding;

/// Whether the first line of a table names a column of ids and another column.
pub(super) fn is_header(line: &[u8], separator: u8) -> bool {
    let names = split_names(&String::from_utf8_lossy(line), separator);
    let is_id = |name: &String| ID.contains(&name.as_str());
    let is_text = |name: &String| TextFields::Usual.contains(name) || name == "url";
    names.iter().any(is_id) && names.iter().any(is_text)
}

fn split_names(line: &str, separator: u8) -> Vec<String> {
    let names = line
        .trim_end_matches(['\r', '\n'])
        .split(char::from(separator));
    names
        .map(|name| name.trim().trim_matches('"').to_lowercase())
        .collect()
}

/// A reader of tables.
pub(super) struct Table {
    pub(super) text: TextFields,
    pub(super) id: Option<String>,
    pub(super) separator: u8,
    /// Whether a quotation mark begins a field that may have separators and line breaks.
    pub(super) has_quotes: bool,
    pub(super) has_header: bool,
    pub(super) columns: Option<Vec<String>>,
}

impl RecordReader for Table {
    fn next(&mut self, window: &mut Window) -> Result<Option<Record>, Error> {
        loop {
            let length = self.record_length(window)?;
            if length == 0 {
                return Ok(None);
            }
            let place = window.place().clone();
            let decoded = encoding::decode(&window.bytes()[..length], window.declared);
            let row = decoded.text.trim_end_matches(['\r', '\n']);
            let record = if row.trim().is_empty() {
                Row::Skipped
            } else {
                self.row(row)
            };
            let replaced = decoded.replaced;
            window.consume(length);
            match record {
                Row::Skipped => {}
                Row::Malformed => return Ok(Some(Record::Malformed(place))),
                Row::Document(mut document) => {
                    document.selected = selected(&self.text, &document.fields);
                    document.place = place;
                    return Ok(Some(Record::Document { document, replaced }));
                }
            }
        }
    }
}

/// A row of a table.
enum Row {
    Document(Document),
    /// A row without the right columns.
    Malformed,
    /// The header, or an empty line.
    Skipped,
}

impl Table {
    /// The length of the next row: up to a line end that is not in quotes.
    fn record_length(&self, window: &mut Window) -> Result<usize, Error> {
        if !self.has_quotes {
            return window.line_length();
        }
        let (mut from, mut quotes) = (0, 0);
        loop {
            let end = window.search(from, |bytes| memchr::memchr(b'\n', bytes).ok_or(0))?;
            let Some(end) = end else {
                return Ok(window.bytes().len());
            };
            quotes += memchr::memchr_iter(b'"', &window.bytes()[from..end]).count();
            if quotes.is_multiple_of(2) {
                return Ok(end + 1);
            }
            from = end + 1;
        }
    }

    fn row(&mut self, row: &str) -> Row {
        let Some(columns) = &self.columns else {
            let names = if self.has_header {
                self.split(row)
                    .iter()
                    .map(|name| name.trim().to_lowercase())
                    .collect()
            } else {
                unnamed(row)
            };
            self.columns = Some(names);
            return if self.has_header {
                Row::Skipped
            } else {
                self.row(row)
            };
        };
        let values = if self.has_quotes {
            self.split(row)
        } else {
            // Texts may have tabs.
            row.splitn(columns.len(), '\t').map(str::to_owned).collect()
        };
        if values.len() != columns.len() {
            return Row::Malformed;
        }
        let id = self.id.as_deref();
        let id_column = match id {
            Some(id) => columns.iter().position(|name| name == id),
            None => ID
                .iter()
                .find_map(|id| columns.iter().position(|name| name == id)),
        };
        Row::Document(document(columns, values, id_column.unwrap_or(0)))
    }

    fn split(&self, row: &str) -> Vec<String> {
        let separator = char::from(self.separator);
        if self.has_quotes {
            split_quoted(row, separator)
        } else {
            row.split(separator).map(str::to_owned).collect()
        }
    }
}

fn document(columns: &[String], values: Vec<String>, id_column: usize) -> Document {
    let mut document = Document::default();
    for (at, (name, value)) in columns.iter().zip(values).enumerate() {
        if at == id_column {
            value.trim().clone_into(&mut document.id);
        } else {
            document.fields.push((name.clone(), value));
        }
    }
    document
}

/// The columns of MS MARCO.
fn unnamed(row: &str) -> Vec<String> {
    let names: &[&str] = if row.split('\t').count() == 4 {
        &["id", "url", "title", "text"]
    } else {
        &["id", "text"]
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Splits a row; a field in quotation marks may have separators, and two marks for one.
pub(crate) fn split_quoted(row: &str, separator: char) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut chars = row.chars().peekable();
    while let Some(c) = chars.next() {
        let Some(field) = fields.last_mut() else {
            break;
        };
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' if is_quoted || field.is_empty() => is_quoted = !is_quoted,
            c if c == separator && !is_quoted => fields.push(String::new()),
            c => field.push(c),
        }
    }
    fields
}
