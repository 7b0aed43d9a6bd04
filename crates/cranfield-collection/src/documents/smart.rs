//! Documents of the SMART system: `.I 1`, then fields that begin with a line such as `.T`.

use cranfield_io::Error;
use memchr::memmem;

use super::window::Window;
use super::{Record, RecordReader};
use crate::document::{Document, TextFields};
use crate::encoding;

/// A reader of SMART documents.
pub(super) struct Smart {
    pub(super) text: TextFields,
}

impl RecordReader for Smart {
    fn next(&mut self, window: &mut Window) -> Result<Option<Record>, Error> {
        let Some(start) = find_marker(window, 0)? else {
            return Ok(None);
        };
        window.consume(start);
        let end = find_marker(window, 2)?.unwrap_or(window.bytes().len());
        let decoded = encoding::decode(&window.bytes()[..end], window.declared);
        let (id, fields) = parse(&decoded.text);
        let id = catalogued(&fields).unwrap_or(id);
        let replaced = decoded.replaced;
        let document = Document {
            id,
            selected: select(&self.text, &fields),
            fields,
            place: window.place().clone(),
        };
        window.consume(end);
        Ok(Some(Record::Document { document, replaced }))
    }
}

/// The number in the catalogue of MEDLINE, under which judgements of OHSUMED know a document.
fn catalogued(fields: &[(String, String)]) -> Option<String> {
    let (_, number) = fields.iter().find(|(name, _)| name == "u")?;
    let is_number = !number.is_empty() && number.trim().bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| number.trim().to_owned())
}

/// The next line that begins with `.I` and a space.
fn find_marker(window: &mut Window, from: usize) -> Result<Option<usize>, Error> {
    if from == 0 && is_marker(window.bytes()) {
        return Ok(Some(0));
    }
    let found = window.search(from, |bytes| {
        let mut found = memmem::find_iter(bytes, b"\n.I");
        let at = found.find(|at| is_marker(&bytes[at + 1..]));
        at.ok_or(4)
    })?;
    Ok(found.map(|at| at + 1))
}

fn is_marker(bytes: &[u8]) -> bool {
    bytes.starts_with(b".I ") || bytes.starts_with(b".I\t")
}

/// The id and the fields of a record.
pub(crate) fn parse(record: &str) -> (String, Vec<(String, String)>) {
    let mut lines = record.lines();
    let id = lines
        .next()
        .and_then(|line| line.get(2..))
        .unwrap_or_default();
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut is_text = false;
    for line in lines {
        if let Some(name) = marker(line) {
            // Citations are triples of numbers.
            is_text = name != 'X';
            if is_text {
                fields.push((field_name(name), String::new()));
            }
        } else if let Some((_, text)) = fields.last_mut().filter(|_| is_text) {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(line);
        }
    }
    (id.trim().to_owned(), fields)
}

/// The letter of a marker: a line with a dot and a capital, and nothing else. Lines of text may begin with a dot.
fn marker(line: &str) -> Option<char> {
    let name = line.strip_prefix('.')?.trim_ascii_end();
    let letter = name.chars().next()?;
    (name.len() == 1 && letter.is_ascii_uppercase()).then_some(letter)
}

/// The name of a field.
fn field_name(letter: char) -> String {
    match letter {
        'T' => "title".into(),
        'W' => "text".into(),
        'A' => "author".into(),
        'K' => "keywords".into(),
        letter => letter.to_ascii_lowercase().to_string(),
    }
}

/// The name of a field that a user gives as letter or as name.
pub(crate) fn known_name(name: &str) -> String {
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => field_name(letter.to_ascii_uppercase()),
        _ => name.to_ascii_lowercase(),
    }
}

/// The fields that are indexed: title and text, but the text alone if it begins with the title, as in the Cranfield collection.
fn select(text: &TextFields, fields: &[(String, String)]) -> Option<Vec<usize>> {
    let places = |is_selected: &dyn Fn(&str) -> bool| {
        let selected = fields
            .iter()
            .enumerate()
            .filter(|(_, (name, _))| is_selected(name));
        selected.map(|(at, _)| at).collect()
    };
    match text {
        TextFields::Usual if repeats_title(fields) => Some(places(&|name| name == "text")),
        TextFields::Usual => None,
        TextFields::All => Some(places(&|_| true)),
        TextFields::Named(names) => Some(places(&|name| {
            names.iter().any(|known| known_name(known) == name)
        })),
    }
}

fn repeats_title(fields: &[(String, String)]) -> bool {
    let of_name = |wanted: &str| fields.iter().find(|(name, _)| name == wanted);
    let (Some((_, title)), Some((_, text))) = (of_name("title"), of_name("text")) else {
        return false;
    };
    let mut words = text.split_whitespace();
    title
        .split_whitespace()
        .all(|word| words.next() == Some(word))
}
