//! Titles of topics and of documents, which tables show beside ids.

use std::collections::BTreeMap;

use cranfield_render::is_obeyed;

/// Most letters of a title.
const TITLE: usize = 120;
/// Most letters of the beginning of a text.
const SNIPPET: usize = 240;
/// Most letters of a text that stands for a title.
const STAND_IN: usize = 60;

/// What the topics and documents of a collection are about, by id.
///
/// Only what tables show is kept: titles and beginnings of texts, on one line, without control characters.
///
/// ```
/// use cranfield_eval::Labels;
///
/// let mut labels = Labels::default();
/// labels.add_topic("1", "supersonic\n wings");
/// labels.add_document("d1", None, "experimental investigation of a wing");
/// assert_eq!(labels.topic(b"1"), Some("supersonic wings"));
/// assert_eq!(labels.document(b"d1").unwrap().heading(), "experimental investigation of a wing");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    topics: BTreeMap<String, String>,
    documents: BTreeMap<String, DocumentLabel>,
}

/// What a document is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentLabel {
    /// The title.
    pub title: Option<String>,
    /// The beginning of the text below the title.
    pub snippet: String,
}

impl DocumentLabel {
    /// The title, or the beginning of the text of a document without one.
    pub fn heading(&self) -> String {
        match &self.title {
            Some(title) => title.clone(),
            None => cut(&self.snippet, STAND_IN),
        }
    }
}

impl Labels {
    /// Adds the title of a topic; empty ones are left out.
    pub fn add_topic(&mut self, id: &str, title: &str) {
        let title = cut(title, TITLE);
        if !title.is_empty() {
            self.topics.insert(id.to_owned(), title);
        }
    }

    /// Adds a document; one without any text is left out.
    pub fn add_document(&mut self, id: &str, title: Option<&str>, text: &str) {
        let title = title.map(str::trim).filter(|title| !title.is_empty());
        let own = title.and_then(|title| text.trim_start().strip_prefix(title));
        let label = DocumentLabel {
            title: title
                .map(|title| cut(title, TITLE))
                .filter(|title| !title.is_empty()),
            snippet: cut(own.unwrap_or(text), SNIPPET),
        };
        if label != DocumentLabel::default() {
            self.documents.insert(id.to_owned(), label);
        }
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty() && self.documents.is_empty()
    }

    /// Whether the title of any topic is known.
    pub fn has_topics(&self) -> bool {
        !self.topics.is_empty()
    }

    /// Whether any document is known.
    pub fn has_documents(&self) -> bool {
        !self.documents.is_empty()
    }

    /// The title of a topic.
    pub fn topic(&self, id: &[u8]) -> Option<&str> {
        self.topics
            .get(std::str::from_utf8(id).ok()?)
            .map(String::as_str)
    }

    /// What a document is about.
    pub fn document(&self, id: &[u8]) -> Option<&DocumentLabel> {
        self.documents.get(std::str::from_utf8(id).ok()?)
    }
}

/// The beginning of a text on one line, with a mark if there is more.
fn cut(text: &str, most: usize) -> String {
    let (mut out, mut letters) = (String::new(), 0);
    for word in text.split_whitespace() {
        let word = word.chars().filter(|letter| !is_obeyed(*letter));
        for (at, letter) in word.enumerate() {
            if at == 0 && !out.is_empty() {
                out.push(' ');
                letters += 1;
            }
            if letters >= most {
                out.truncate(out.trim_end().len());
                out.push('…');
                return out;
            }
            out.push(letter);
            letters += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_letters_and_have_no_controls() {
        assert_eq!(cut(" a\x1b[2J\tb\u{202e}\nc ", 60), "a[2J b c");
        assert_eq!(cut("äöüß", 3), "äöü…");
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("one two three", 7), "one two…");
        assert_eq!(cut("\u{200b} \x07", 7), "");
    }

    #[test]
    fn a_snippet_does_not_repeat_the_title() {
        let mut labels = Labels::default();
        labels.add_document("1", Some("On wings"), "On wings\nThey are thin.");
        labels.add_document("2", Some(" "), "No title here");
        labels.add_document("3", None, " \n");
        let label = labels.document(b"1").cloned().unwrap_or_default();
        assert_eq!(label.title.as_deref(), Some("On wings"));
        assert_eq!(label.snippet, "They are thin.");
        let untitled = labels.document(b"2").map(DocumentLabel::heading);
        assert_eq!(untitled.as_deref(), Some("No title here"));
        assert_eq!(labels.document(b"3"), None);
        assert!(!labels.has_topics() && labels.has_documents());
    }
}
