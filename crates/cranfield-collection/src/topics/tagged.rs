//! Topics in tags, closed or not.
//!
//! A topic begins with its tag and ends where the next one begins. Every tag in it begins a field, every closing tag ends one.

use super::{Found, normalised};
use crate::markup::{self, Token, Tokens, is_tag};
use crate::topic::Topic;

/// Elements that are topics; a file has topics of the first kind that occurs in it.
const TOPIC: [&str; 4] = ["top", "topic", "doc", "query"];
/// Elements and attributes with the id.
const ID: [&str; 8] = [
    "num",
    "number",
    "docno",
    "qid",
    "id",
    "topicid",
    "identifier",
    "queryid",
];
/// Elements inside of text.
const INLINE: [&str; 10] = [
    "p", "b", "i", "u", "em", "br", "sub", "sup", "strong", "span",
];

/// Words at the beginning of a field that repeat its name.
const LABELS: [(&str, &[&str]); 11] = [
    ("num", &["number"]),
    ("title", &["topic", "title"]),
    ("desc", &["description"]),
    ("description", &["description"]),
    ("narr", &["narrative"]),
    ("narrative", &["narrative"]),
    ("dom", &["domain"]),
    ("smry", &["summary"]),
    ("con", &["concepts", "concept(s)", "concept"]),
    ("fac", &["factors", "factor(s)", "factor"]),
    ("def", &["definitions", "definition(s)", "definition"]),
];

/// Reads topics.
pub(super) fn read(text: &str) -> Vec<Found> {
    let Some(kind) = kind(text) else {
        return Vec::new();
    };
    let mut tokens = Tokens::new(text);
    let mut found: Vec<Reader> = Vec::new();
    loop {
        let at = tokens.offset();
        let Some(token) = tokens.next() else {
            break;
        };
        match token {
            Token::Open { name, attributes } if is_tag(name, kind) => {
                found.push(Reader::new(at, attributes));
            }
            Token::Close(name) if is_tag(name, kind) => {
                if let Some(reader) = found.last_mut() {
                    reader.is_open = false;
                }
            }
            token => {
                if let Some(reader) = found.last_mut().filter(|reader| reader.is_open) {
                    reader.token(token);
                }
            }
        }
    }
    found.into_iter().map(Reader::finish).collect()
}

/// The element that topics have in this file.
fn kind(text: &str) -> Option<&'static str> {
    let opened = |kind: &&&str| {
        Tokens::new(text)
            .any(|token| matches!(token, Token::Open { name, .. } if is_tag(name, kind)))
    };
    TOPIC.iter().find(opened).copied()
}

/// A topic while it is read.
struct Reader {
    at: usize,
    is_open: bool,
    id: String,
    /// Tags and texts; the text directly in the topic has an empty tag.
    fields: Vec<(String, String)>,
    attributes: Vec<(String, String)>,
    /// Whether the last field still takes text.
    in_field: bool,
}

impl Reader {
    fn new(at: usize, attributes: &str) -> Self {
        let id = ID
            .iter()
            .chain(&["q"])
            .find_map(|name| markup::attribute(attributes, name));
        let kind = markup::attribute(attributes, "type");
        Self {
            at,
            is_open: true,
            id: id.unwrap_or_default(),
            fields: vec![(String::new(), String::new())],
            attributes: kind.map(|kind| ("type".into(), kind)).into_iter().collect(),
            in_field: false,
        }
    }

    fn token(&mut self, token: Token<'_>) {
        match token {
            Token::Text(text) => markup::push_text(self.out(), text),
            Token::Open { name, .. } | Token::Close(name)
                if INLINE.iter().any(|known| is_tag(name, known)) =>
            {
                markup::push_space(self.out());
            }
            Token::Open { name, .. } => {
                self.fields.push((name.to_lowercase(), String::new()));
                self.in_field = true;
            }
            Token::Close(_) => self.in_field = false,
        }
    }

    fn out(&mut self) -> &mut String {
        let at = if self.in_field {
            self.fields.len() - 1
        } else {
            0
        };
        &mut self.fields[at].1
    }

    fn finish(mut self) -> Found {
        for (name, text) in &mut self.fields {
            *text = without_label(name, text).to_owned();
        }
        let id = ID
            .iter()
            .find_map(|id| self.fields.iter().position(|(name, _)| name == id));
        if let Some(at) = id.filter(|_| self.id.is_empty()) {
            let (_, text) = self.fields.remove(at);
            let word = text.split_whitespace().next();
            self.id = word.map(str::to_owned).unwrap_or_default();
        }
        self.name_direct_text();
        let fields = self.fields.into_iter().chain(self.attributes);
        let topic = Topic {
            id: self.id.trim().to_owned(),
            fields: normalised(fields),
        };
        Found { topic, at: self.at }
    }

    /// Text directly in the topic is its title if there is no field with text.
    fn name_direct_text(&mut self) {
        let has_fields = self
            .fields
            .iter()
            .skip(1)
            .any(|(_, text)| !text.trim().is_empty());
        let direct = self.fields.iter().position(|(name, _)| name.is_empty());
        if let Some(at) = direct {
            if has_fields {
                self.fields.remove(at);
            } else {
                self.fields[at].0 = "title".into();
            }
        }
    }
}

/// A field without the word that repeats its name. The word is followed by a colon, or alone on its line.
fn without_label<'a>(tag: &str, text: &'a str) -> &'a str {
    let trimmed = text.trim_start();
    let labels = LABELS.iter().filter(|(known, _)| is_tag(tag, known));
    for label in labels.flat_map(|(_, labels)| labels.iter()) {
        let Some(start) = trimmed.get(..label.len()) else {
            continue;
        };
        if !start.eq_ignore_ascii_case(label) {
            continue;
        }
        let rest = &trimmed[label.len()..];
        if let Some(rest) = rest.trim_start_matches([' ', '\t']).strip_prefix(':') {
            return rest;
        }
        let line = rest.split('\n').next().unwrap_or_default();
        if line.trim().is_empty() && !rest.trim().is_empty() {
            return rest;
        }
    }
    trimmed
}
