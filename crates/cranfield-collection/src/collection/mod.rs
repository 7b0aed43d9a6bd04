//! Collections: documents, topics and judgements that belong together.

mod describe;
mod doctor;
mod file;
mod fix;
mod folder;
mod ids;
mod layout;
mod qrels;
mod role;
mod texts;

pub use ids::IdRule;
pub use qrels::{QrelsColumn, QrelsLayout};
pub use texts::DocumentText;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use cranfield_core::qrels::Qrels;
use cranfield_io::{Code, Error, Problem, Source};

use crate::documents::files::Files;
use crate::documents::{DocumentOptions, Documents};
use crate::topics::{TopicFormat, Topics};

/// Maximum size of a list of topic ids.
const MAX_LIST: usize = 1 << 26;

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
    /// Whether the name was given, and is not that of the folder or file.
    pub is_named: bool,
    /// The name in the catalogue of `ir_datasets`.
    pub ir_datasets: Option<String>,
    /// The file that describes the collection.
    pub path: Option<PathBuf>,
    /// The folder, if its files were recognised without a file that describes them.
    pub folder: Option<PathBuf>,
    /// Files of that folder that are not used.
    pub unused: Vec<PathBuf>,
    /// Documents.
    pub document_files: DocumentFiles,
    /// Topics.
    pub topic_files: TopicFiles,
    /// Judgements.
    pub qrels_files: QrelsFiles,
    /// Lists of topic ids by the name of the split.
    pub splits: BTreeMap<String, PathBuf>,
    /// The split whose topics are used; all topics if `None`.
    pub split: Option<String>,
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
    /// Whether topics without judgements are left out.
    pub judged_only: bool,
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
    /// Opens a collection: a collection file, a folder, or a file of documents.
    ///
    /// A folder has a file `collection.toml`, the layout of BEIR, or files whose names tell what they are. A path that does not
    /// exist is a name such as `beir/fiqa/test`: a path below the folder that the environment variable `CRANFIELD_DATA` names, whose
    /// last part may be a split.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let data = std::env::var_os(layout::DATA_VARIABLE).map(PathBuf::from);
        layout::open(path.as_ref(), data.as_deref())
    }

    /// Opens a collection; names are paths below `data`.
    pub fn open_in(path: impl AsRef<Path>, data: impl AsRef<Path>) -> Result<Self, Error> {
        layout::open(path.as_ref(), Some(data.as_ref()))
    }

    /// Creates a collection of files in formats that are detected; any list may be empty.
    pub fn of_files(
        name: &str,
        documents: Vec<PathBuf>,
        topics: Vec<PathBuf>,
        qrels: Vec<PathBuf>,
    ) -> Self {
        let mut collection = Self {
            name: name.into(),
            ..Self::default()
        };
        collection.document_files.files = documents;
        collection.topic_files.files = topics;
        collection.qrels_files.files = qrels;
        collection
    }

    /// Whether a path is a collection file, or a folder with one.
    pub fn is_described_at(path: &Path) -> bool {
        let is_toml = path
            .extension()
            .is_some_and(|extension| extension == "toml");
        (path.is_file() && is_toml) || path.join(layout::FILE).is_file()
    }

    /// Whether a path is a collection: a file that describes one, a folder or an archive with documents and topics or judgements,
    /// or a name.
    pub fn is_at(path: &Path) -> bool {
        let has_parts = |collection: &Self| {
            let is_judged = !collection.qrels_files.files.is_empty();
            (is_judged || !collection.topic_files.files.is_empty())
                && !collection.document_files.files.is_empty()
        };
        Self::is_described_at(path)
            // Several collections in a folder are an error that says so.
            || (path.is_dir() && folder::read(path).map_or(true, |found| has_parts(&found)))
            || (path.is_file() && folder::is_packed_collection(path))
            || (!path.exists() && path.as_os_str() != "-" && Self::open(path).is_ok())
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

    /// All files with documents, also those in folders.
    pub fn document_paths(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(Files::find(&self.document_files.files)?.paths)
    }

    /// The topics, under the ids that the judgements use; those of the split, if one is chosen.
    pub fn topics(&self) -> Result<Topics, Error> {
        let mut topics = self.raw_topics()?;
        let has_qrels = !self.qrels_files.files.is_empty();
        let needs_qrels = self.topic_files.judged_only
            || !matches!(self.topic_files.ids, Some(IdRule::Exact | IdRule::Ordinal));
        if has_qrels && needs_qrels {
            self.match_topics(&mut topics, &self.qrels()?);
        } else if let Some(rule) = self.topic_files.ids {
            ids::simplify(&mut topics, rule);
        }
        if let Some(split) = &self.split {
            let wanted = self.split(split)?;
            topics.list.retain(|topic| wanted.contains(&topic.id));
        }
        Ok(topics)
    }

    /// The topics, under the ids that judgements use: its own, or those that are given if the collection has none.
    pub fn topics_judged_as(&self, ids: &[String]) -> Result<Topics, Error> {
        if !self.qrels_files.files.is_empty() || self.topic_files.ids.is_some() {
            return self.topics();
        }
        let mut topics = self.topics()?;
        ids::match_known(&mut topics, ids, None, &self.label());
        Ok(topics)
    }

    fn match_topics(&self, topics: &mut Topics, qrels: &Qrels) {
        match self.topic_files.ids {
            Some(rule @ (IdRule::Exact | IdRule::Ordinal)) => ids::simplify(topics, rule),
            rule => ids::match_ids(topics, qrels, rule, &self.label()),
        }
        if self.topic_files.judged_only {
            topics
                .list
                .retain(|topic| qrels.get(topic.id.as_bytes()).is_some());
        }
    }

    /// The topics, under the ids of their files.
    pub fn raw_topics(&self) -> Result<Topics, Error> {
        let part = &self.topic_files;
        if part.files.is_empty() {
            return Err(self.lacks("topics"));
        }
        let mut topics = Topics::default();
        let mut seen: HashMap<String, PathBuf> = HashMap::new();
        for path in cranfield_io::expand_paths(&part.files)? {
            let more = Topics::read(&Source::open(&path)?, part.format)?;
            for topic in &more {
                if let Some(first) = seen.insert(topic.id.clone(), path.clone()) {
                    let what = format!("topic `{}` is in two files", topic.id);
                    return Err(self.twice(Code::BadTopics, &what, "topics", &first, &path));
                }
            }
            topics.extend(more);
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
        if self.path.is_none() && part.files.len() > 1 {
            self.check_alternatives()?;
        }
        let qrels = qrels::read(part)?;
        self.check_count("judgements", part.expect, qrels.judgements() as u64)?;
        Ok(qrels)
    }

    /// Files of judgements that were found next to each other may be parts of a whole, or different judgements of the same
    /// documents, of which one has to be chosen.
    fn check_alternatives(&self) -> Result<(), Error> {
        let mut seen: HashMap<(Vec<u8>, Vec<u8>), &Path> = HashMap::new();
        for path in &self.qrels_files.files {
            let mut part = self.qrels_files.clone();
            part.files = vec![path.clone()];
            for topic in qrels::read(&part)?.topics() {
                for (doc, _) in topic.judgements() {
                    let Some(first) = seen.insert((topic.id().into(), doc.into()), path) else {
                        continue;
                    };
                    let what = format!(
                        "document `{}` is judged for topic `{}` in two files",
                        String::from_utf8_lossy(doc),
                        String::from_utf8_lossy(topic.id())
                    );
                    let code = Code::BadCollection;
                    return Err(self.twice(code, &what, "qrels", first, path));
                }
            }
        }
        Ok(())
    }

    /// The error for two files of which one has to be chosen.
    fn twice(&self, code: Code, what: &str, table: &str, first: &Path, second: &Path) -> Error {
        let folder = self.folder.as_deref().unwrap_or(Path::new(""));
        let name = |path: &Path| folder::shown(path, folder);
        let message = format!("{what}, {} and {}", name(first), name(second));
        let problem = Problem::file(code, &self.label(), message);
        let help = match &self.folder {
            Some(folder) => format!(
                "choose one of them in `{}`:\n\n{}",
                folder.join(layout::FILE).display(),
                self.described(folder, None, &[])
            ),
            None => format!("name only one of them under [{table}]"),
        };
        problem.with_help(help).into()
    }

    /// The topic ids of a split.
    pub fn split(&self, name: &str) -> Result<Vec<String>, Error> {
        let path = self.splits.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.splits.keys().map(String::as_str).collect();
            let message = format!("no split `{name}`; known: {}", known.join(", "));
            Problem::file(Code::BadCollection, &self.label(), message)
        })?;
        let source = Source::open(path)?;
        let text = source.text(MAX_LIST, "a list of topics", Code::BadCollection)?;
        let ids = text
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        Ok(ids.map(str::to_owned).collect())
    }

    /// The name under which messages refer to the collection.
    pub fn label(&self) -> String {
        match self.path.as_ref().or(self.folder.as_ref()) {
            Some(path) => path.to_string_lossy().into_owned(),
            None => self.name.clone(),
        }
    }

    fn lacks(&self, what: &str) -> Error {
        let mut message = format!("the collection has no {what}");
        let is_empty = |path: &&PathBuf| path.metadata().is_ok_and(|file| file.len() == 0);
        if let Some(path) = self.unused.iter().find(is_empty) {
            message += &format!("; `{}` is empty", path.display());
        }
        let problem = Problem::file(Code::BadCollection, &self.label(), message);
        match &self.folder {
            None => problem.into(),
            Some(folder) => {
                let file = folder.join(layout::FILE);
                let found = self.described(folder, None, &[]);
                let format = if what == "documents" {
                    ", with format = \"files\" if each file is a document"
                } else {
                    ""
                };
                let help = format!(
                    "name their files in `{}`{format}:\n\n{found}",
                    file.display()
                );
                problem.with_help(help).into()
            }
        }
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
