//! Collections: documents, topics and judgements that belong together.

mod file;
mod ids;
mod qrels;

pub use ids::IdRule;
pub use qrels::{QrelsColumn, QrelsLayout};

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cranfield_core::qrels::Qrels;
use cranfield_io::{Code, Error, Problem, Source};

use crate::documents::{DocumentOptions, Documents};
use crate::topics::{TopicFormat, Topics};

/// A test collection: where its documents, topics and judgements are, and how they are read.
///
/// ```
/// use cranfield_collection::Collection;
///
/// let folder = tempfile::tempdir().unwrap();
/// let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// write("docs.jsonl", "{\"_id\": \"d1\", \"text\": \"supersonic wings\"}\n");
/// write("topics.tsv", "001\twings\n");
/// write("qrels.txt", "1 0 d1 1\n");
/// write("collection.toml", "[documents]\nfiles = ['docs.jsonl']\n[topics]\nfiles = ['topics.tsv']\n[qrels]\nfiles = ['qrels.txt']\n");
/// let collection = Collection::open(folder.path().join("collection.toml"))?;
/// assert_eq!(collection.topics()?[0].id, "1");
/// assert_eq!(collection.qrels()?.len(), 1);
/// # Ok::<(), cranfield_io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Collection {
    /// The name.
    pub name: String,
    /// The name in the catalogue of `ir_datasets`.
    pub ir_datasets: Option<String>,
    /// The file that describes the collection.
    pub path: Option<PathBuf>,
    /// Documents.
    pub document_files: DocumentFiles,
    /// Topics.
    pub topic_files: TopicFiles,
    /// Judgements.
    pub qrels_files: QrelsFiles,
    /// Lists of topic ids by the name of the split.
    pub splits: BTreeMap<String, PathBuf>,
    /// What was assumed while the collection was opened.
    pub notes: Vec<Problem>,
}

/// Files with documents.
#[derive(Clone, Debug, Default)]
pub struct DocumentFiles {
    /// Files, folders and patterns.
    pub files: Vec<PathBuf>,
    /// How they are read.
    pub options: DocumentOptions,
    /// The number of documents that are read.
    pub expect: Option<u64>,
    /// Ids of documents that are known to be empty.
    pub empty: Vec<String>,
}

/// Files with topics.
#[derive(Clone, Debug, Default)]
pub struct TopicFiles {
    /// Files.
    pub files: Vec<PathBuf>,
    /// The format; detected if `None`.
    pub format: Option<TopicFormat>,
    /// The rule that matches ids with those of the judgements; found if `None`.
    pub ids: Option<IdRule>,
    /// The number of topics.
    pub expect: Option<u64>,
}

/// Files with judgements.
#[derive(Clone, Debug, Default)]
pub struct QrelsFiles {
    /// Files.
    pub files: Vec<PathBuf>,
    /// The columns, or the format.
    pub layout: QrelsLayout,
    /// Grades by the text in the file; empty if they are numbers with their usual meaning.
    pub grades: Vec<(String, f64)>,
    /// The number of judgements.
    pub expect: Option<u64>,
    /// A remark.
    pub note: Option<String>,
}

impl Collection {
    /// Opens a collection file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        file::read(path.as_ref())
    }

    /// A reader of the documents.
    pub fn documents(&self) -> Result<Documents, Error> {
        let part = &self.document_files;
        if part.files.is_empty() {
            return Err(self.lacks("documents"));
        }
        let documents = Documents::open(&part.files, part.options.clone())?;
        Ok(documents.expecting(part.expect, self.label()))
    }

    /// The topics, under the ids that the judgements use.
    pub fn topics(&self) -> Result<Topics, Error> {
        let mut topics = self.raw_topics()?;
        match self.topic_files.ids {
            Some(IdRule::Exact) => {}
            Some(IdRule::Ordinal) => ids::number(&mut topics),
            rule if self.qrels_files.files.is_empty() => {
                if let Some(rule) = rule {
                    ids::simplify(&mut topics, rule);
                }
            }
            rule => ids::match_ids(&mut topics, &self.qrels()?, rule, &self.label()),
        }
        Ok(topics)
    }

    /// The topics, under the ids of their files.
    pub fn raw_topics(&self) -> Result<Topics, Error> {
        let part = &self.topic_files;
        if part.files.is_empty() {
            return Err(self.lacks("topics"));
        }
        let mut topics = Topics::default();
        for path in cranfield_io::expand_paths(&part.files)? {
            topics.extend(Topics::read(&Source::open(path)?, part.format)?);
        }
        self.check_count("topics", part.expect, topics.len() as u64)?;
        Ok(topics)
    }

    /// The judgements, with the grades that the collection defines.
    pub fn qrels(&self) -> Result<Qrels, Error> {
        let part = &self.qrels_files;
        if part.files.is_empty() {
            return Err(self.lacks("judgements"));
        }
        let qrels = qrels::read(part)?;
        self.check_count("judgements", part.expect, qrels.judgements() as u64)?;
        Ok(qrels)
    }

    /// The topic ids of a split.
    pub fn split(&self, name: &str) -> Result<Vec<String>, Error> {
        let path = self.splits.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.splits.keys().map(String::as_str).collect();
            let message = format!("no split `{name}`; known: {}", known.join(", "));
            Problem::file(Code::BadCollection, &self.label(), message)
        })?;
        /// Lists of ids are small.
        const MAX_BYTES: usize = 1 << 26;
        let source = Source::open(path)?;
        let text = source.text(MAX_BYTES, "a list of topics", Code::BadCollection)?;
        let ids = text
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        Ok(ids.map(str::to_owned).collect())
    }

    /// The name under which messages refer to the collection.
    pub fn label(&self) -> String {
        match &self.path {
            Some(path) => path.to_string_lossy().into_owned(),
            None => self.name.clone(),
        }
    }

    fn lacks(&self, what: &str) -> Error {
        let message = format!("the collection has no {what}");
        Problem::file(Code::BadCollection, &self.label(), message).into()
    }

    fn check_count(&self, what: &str, expected: Option<u64>, found: u64) -> Result<(), Error> {
        match expected {
            Some(expected) if expected != found => {
                Err(unexpected_count(&self.label(), what, expected, found).into())
            }
            _ => Ok(()),
        }
    }
}

/// The problem of a part that has another size than its file says.
pub(crate) fn unexpected_count(label: &str, what: &str, expected: u64, found: u64) -> Problem {
    let message = format!("expected {expected} {what}, found {found}");
    Problem::file(Code::UnexpectedCount, label, message)
}
