//! Titles and texts of single documents.

use std::collections::BTreeMap;
use std::collections::HashSet;

use cranfield_io::Error;

use super::Collection;

/// The title and the text of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentText {
    /// The title, if the document has one.
    pub title: Option<String>,
    /// The text that is indexed.
    pub text: String,
}

impl Collection {
    /// The texts of documents, by id. Reads the collection once, up to the last of them; those that do not exist are missing.
    pub fn texts<I: AsRef<str>>(
        &self,
        ids: impl IntoIterator<Item = I>,
    ) -> Result<BTreeMap<String, DocumentText>, Error> {
        let mut wanted: HashSet<String> =
            ids.into_iter().map(|id| id.as_ref().to_owned()).collect();
        let mut texts = BTreeMap::new();
        if wanted.is_empty() {
            return Ok(texts);
        }
        for document in self.documents()? {
            let document = document?;
            if !wanted.remove(&document.id) {
                continue;
            }
            let text = DocumentText {
                title: document.title().map(str::to_owned),
                text: document.text(),
            };
            texts.insert(document.id, text);
            if wanted.is_empty() {
                break;
            }
        }
        Ok(texts)
    }
}
