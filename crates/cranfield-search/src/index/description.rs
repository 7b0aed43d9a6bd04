//! `index.toml`, which describes an index and is written last.

use serde::{Deserialize, Serialize};

/// The version of the layout of an index.
pub(super) const FORMAT: u32 = 1;

/// The description of an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The version of the layout.
    pub format: u32,
    /// The version of the program that wrote it.
    pub cranfield: String,
    /// The analyser.
    pub analyzer: String,
    /// The names of the fields that were indexed.
    pub fields: Vec<String>,
    /// Whether the text of documents is stored.
    pub text: bool,
    /// Number of documents.
    pub documents: u64,
    /// Documents without terms.
    pub empty: u64,
    /// Terms in all documents, each as often as it occurs.
    pub tokens: u64,
    /// Distinct terms of each segment, summed up.
    pub terms: u64,
    /// Pairs of a term and a document.
    pub postings: u64,
    /// Bytes of text that were analysed.
    pub text_bytes: u64,
    /// The BLAKE3 hash of the ids and texts that were indexed.
    pub content: String,
    /// Number of documents in each segment.
    pub segments: Vec<u32>,
}

impl Description {
    /// The number of documents that ranking functions use, `N`: Lucene's leaves out documents without terms.
    pub fn counted(&self) -> u64 {
        let left_out = if self.analyzer == "lucene" {
            self.empty
        } else {
            0
        };
        self.documents - left_out
    }

    /// A hash of all that determines the rankings of this index.
    pub fn hash(&self) -> String {
        let Self {
            format,
            analyzer,
            fields,
            content,
            ..
        } = self;
        let parts = format!("{format}\0{analyzer}\0{}\0{content}", fields.join("\0"));
        blake3::hash(parts.as_bytes()).to_hex().to_string()
    }
}
