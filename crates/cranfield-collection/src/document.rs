//! Documents.

use std::fmt;
use std::sync::Arc;

/// A document: an id, and text in named fields.
///
/// ```
/// use cranfield_collection::Document;
///
/// let fields = vec![("title".to_owned(), "On wings".to_owned()), ("author".to_owned(), "a. smith".to_owned())];
/// let document = Document { id: "1".to_owned(), fields, ..Document::default() };
/// assert_eq!(document.text(), "On wings");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The id that runs and judgements use.
    pub id: String,
    /// Names and texts of the fields, in the order of the file; a name may occur more than once.
    ///
    /// Names are in lower case. `title` and `text` mean the same in all formats: the fields `.T` and `.W` of SMART have these names.
    pub fields: Vec<(String, String)>,
    /// Places in `fields` of those that are indexed; `None` for the fields with usual names, see [`TextFields`].
    pub selected: Option<Vec<usize>>,
    /// The place in the collection.
    pub place: DocumentPlace,
}

/// The place of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentPlace {
    /// The file, and the member if it is an archive.
    pub file: Arc<str>,
    /// The line of its beginning, from 1.
    pub line: u64,
    /// The byte of its beginning in the decompressed file, from 0.
    pub offset: u64,
}

impl Default for DocumentPlace {
    fn default() -> Self {
        Self {
            file: "".into(),
            line: 0,
            offset: 0,
        }
    }
}

impl fmt::Display for DocumentPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl Document {
    /// The text of a field; its parts joined by a line break if it occurs more than once.
    pub fn field(&self, name: &str) -> Option<String> {
        let mut parts = self.fields.iter().filter(|(field, _)| field == name);
        let mut text = parts.next()?.1.clone();
        for (_, part) in parts {
            text.push('\n');
            text.push_str(part);
        }
        Some(text)
    }

    /// The title, if there is a field with a usual name of titles.
    pub fn title(&self) -> Option<&str> {
        const NAMES: [&str; 6] = ["title", "headline", "hl", "ttl", "head", "ti"];
        let of_name = |name: &&str| self.fields.iter().find(|(field, _)| field == name);
        NAMES
            .iter()
            .find_map(of_name)
            .map(|(_, text)| text.as_str())
    }

    /// The text that is indexed: the selected fields in the order of the file, joined by line breaks.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for part in self.parts() {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(part);
        }
        text
    }

    /// Whether the text that is indexed has only white space.
    pub fn is_empty(&self) -> bool {
        self.parts().all(|part| part.trim().is_empty())
    }

    /// The texts of the selected fields.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        let fields = self.fields.iter().enumerate();
        fields.filter_map(|(at, (_, text))| self.is_selected(at).then_some(text.as_str()))
    }

    /// Whether the field at a place in `fields` is indexed.
    pub fn is_selected(&self, at: usize) -> bool {
        match &self.selected {
            Some(places) => places.contains(&at),
            None => self
                .fields
                .get(at)
                .is_some_and(|(name, _)| TextFields::Usual.contains(name)),
        }
    }
}

/// The fields of documents that are indexed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TextFields {
    /// Fields with usual names: titles, headlines, texts, lead paragraphs, dates, and `contents` of JSON.
    #[default]
    Usual,
    /// Everything but the id.
    All,
    /// Fields with these names.
    Named(Vec<String>),
}

/// Names of fields that are text in most collections; those of TREC's news collections are Anserini's.
const USUAL: [&str; 16] = [
    "text", "title", "headline", "hl", "head", "ttl", "dd", "date", "lp", "leadpara", "contents",
    "content", "body", "abstract", "passage", "segment",
];

impl TextFields {
    /// Whether a field is indexed.
    pub fn contains(&self, name: &str) -> bool {
        match self {
            Self::Usual => USUAL.contains(&name),
            Self::All => true,
            Self::Named(names) => names.iter().any(|known| known == name),
        }
    }
}
