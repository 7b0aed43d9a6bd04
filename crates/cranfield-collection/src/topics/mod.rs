//! Topics of every shape that tracks have used.

mod format;
mod lines;
mod records;
mod tagged;

pub use format::TopicFormat;

use std::collections::HashMap;
use std::ops::Deref;
use std::path::Path;

use cranfield_io::{Code, Error, Problem, Problems, Source};

use crate::encoding;
use crate::topic::Topic;

/// Topics in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topics {
    /// The topics.
    pub list: Vec<Topic>,
    /// What the reader assumed, such as the rule that matches ids with those of the judgements.
    pub notes: Vec<Problem>,
}

/// A topic with the byte of its beginning.
struct Found {
    topic: Topic,
    at: usize,
}

impl Topics {
    /// Opens a file of topics and detects its format.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::read(&Source::open(path)?, None)
    }

    /// Reads topics; without a format, detects it from the content.
    ///
    /// ```
    /// use cranfield_collection::Topics;
    /// use cranfield_io::Source;
    ///
    /// let text = "<top>\n<num> Number: 301\n<title> International Organized Crime\n<desc> Description:\nIdentify ...\n</top>\n";
    /// let topics = Topics::read(&Source::from_bytes("topics.301", text.into())?, None)?;
    /// assert_eq!(topics[0].id, "301");
    /// assert_eq!(topics[0].field("description"), Some("Identify ..."));
    /// # Ok::<(), cranfield_io::Error>(())
    /// ```
    pub fn read(source: &Source, format: Option<TopicFormat>) -> Result<Self, Error> {
        let declared = encoding::declared_xml(source.bytes());
        let text = match encoding::from_utf16(source.bytes()) {
            Some(text) => text.into(),
            None => encoding::decode(source.bytes(), declared).text,
        };
        let name = source.name();
        if text.trim().is_empty() {
            return Err(Problem::file(Code::EmptyFile, name, "is empty").into());
        }
        let format = format.or_else(|| TopicFormat::detect(&text, name));
        let format = format.ok_or_else(|| unknown(name))?;
        let found = match format {
            TopicFormat::Trec => tagged::read(&text),
            TopicFormat::Smart => records::read_smart(&text),
            TopicFormat::Jsonl => records::read_json(&text).map_err(|(at, message)| {
                Problem::at(Code::BadTopics, name, text.as_bytes(), at..at + 1, message)
            })?,
            TopicFormat::Tsv => lines::read_table(&text, '\t'),
            TopicFormat::Csv => lines::read_table(&text, ','),
            TopicFormat::Colon => lines::read_colon(&text),
        };
        checked(found, &text, name)
    }

    /// The topic with this id.
    pub fn get(&self, id: &str) -> Option<&Topic> {
        self.list.iter().find(|topic| topic.id == id)
    }

    /// Adds topics of another file.
    pub(crate) fn extend(&mut self, others: Self) {
        self.list.extend(others.list);
        self.notes.extend(others.notes);
    }
}

impl Deref for Topics {
    type Target = [Topic];

    fn deref(&self) -> &[Topic] {
        &self.list
    }
}

impl IntoIterator for Topics {
    type Item = Topic;
    type IntoIter = std::vec::IntoIter<Topic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a> IntoIterator for &'a Topics {
    type Item = &'a Topic;
    type IntoIter = std::slice::Iter<'a, Topic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

/// Checks that all topics have an id, and none has the same as another.
fn checked(found: Vec<Found>, text: &str, name: &str) -> Result<Topics, Error> {
    if found.is_empty() {
        return Err(Problem::file(Code::BadTopics, name, "contains no topics").into());
    }
    let mut problems = Problems::default();
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for Found { topic, at } in &found {
        let problem = |message: String| {
            let end = text[*at..]
                .find('\n')
                .map_or(text.len(), |length| at + length);
            Problem::at(Code::BadTopics, name, text.as_bytes(), *at..end, message)
        };
        if topic.id.is_empty() {
            problems.push(problem("topic without an id".into()));
        } else if let Some(first) = seen.insert(&topic.id, *at) {
            let line = cranfield_io::Place::of(text.as_bytes(), first).line;
            let message = format!("topic `{}` occurs twice; first on line {line}", topic.id);
            problems.push(problem(message));
        }
    }
    problems.into_result()?;
    Ok(Topics {
        list: found.into_iter().map(|found| found.topic).collect(),
        notes: Vec::new(),
    })
}

fn unknown(name: &str) -> Error {
    let message = "unknown format of topics: expected tags such as <top>, SMART, JSON lines, or lines with an id and a query";
    Problem::file(Code::UnknownFormat, name, message).into()
}

/// Text with single spaces.
fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Names of fields with the query, the most specific first.
const QUERIES: [&str; 4] = ["query", "content", "text", "query_text"];

/// Fields under their usual names, without empty ones. A topic without a title has its query under that name.
fn normalised(fields: impl IntoIterator<Item = (String, String)>) -> Vec<(String, String)> {
    let fields = fields
        .into_iter()
        .map(|(name, text)| (usual_name(&name), plain(&text)));
    let mut fields: Vec<(String, String)> = fields.filter(|(_, text)| !text.is_empty()).collect();
    if fields.iter().any(|(name, _)| name == "title") {
        return fields;
    }
    let of_name = |wanted: &&str| fields.iter().position(|(name, _)| name == wanted);
    if let Some(at) = QUERIES.iter().find_map(of_name) {
        fields[at].0 = "title".into();
    }
    fields
}

fn usual_name(name: &str) -> String {
    let name = name.to_lowercase();
    // CLEF: `EN-title`.
    let name = match name.split_once('-') {
        Some((language, name)) if language.len() == 2 => name,
        _ => name.as_str(),
    };
    match name {
        "desc" => "description".into(),
        "narr" => "narrative".into(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests;
