//! Topics and documents that assessors see.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use cranfield_collection::{Document, DocumentOptions, Topic, Topics};
use cranfield_io::{Code, Problem};
use cranfield_lab::inputs;
use cranfield_render::plural;
use cranfield_search::{Analyzer, Index};

use crate::error::JudgeError;
use crate::queue::Pair;

/// Where topics and documents come from.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// A collection, or files of documents.
    pub collection: Option<PathBuf>,
    /// An index that stores texts.
    pub index: Option<PathBuf>,
    /// Topics; those of the collection if `None`.
    pub topics: Option<PathBuf>,
}

impl Sources {
    /// All files that are read.
    ///
    /// # Errors
    /// If a collection cannot be opened.
    pub fn files(&self) -> Result<Vec<PathBuf>, JudgeError> {
        let mut files = Vec::new();
        for path in [&self.collection, &self.topics].into_iter().flatten() {
            files.extend(inputs::files(path)?);
        }
        if let Some(index) = &self.index {
            let entries = index.read_dir().into_iter().flatten().flatten();
            files.extend(entries.map(|entry| entry.path()));
        }
        Ok(files)
    }
}

/// The topics and documents of a pool.
#[derive(Debug)]
pub struct Materials {
    topics: HashMap<String, Topic>,
    texts: Texts,
    /// The analyser that finds terms of the topic in documents.
    pub analyzer: Analyzer,
}

#[derive(Debug)]
enum Texts {
    /// Documents of a collection, which is read once.
    Loaded(HashMap<String, Document>),
    /// Documents that are looked up when they are needed.
    Stored(Box<Index>, HashMap<String, u32>),
}

/// The topics of a pool.
#[derive(Debug)]
pub struct PoolTopics {
    known: HashMap<String, Topic>,
    /// What is left out, if the topics of the pool are not all known.
    pub note: Option<String>,
}

impl PoolTopics {
    /// Finds the topics of these pairs, and leaves the pairs of other topics out.
    ///
    /// # Errors
    /// If the topics cannot be read, or none is one of the pool.
    pub fn open(sources: &Sources, pairs: &mut Vec<Pair>) -> Result<Self, JudgeError> {
        let path = sources.topics.as_ref().or(sources.collection.as_ref());
        let Some(path) = path else {
            return Err(JudgeError::Setting(
                "name the topics: a file, or a collection".into(),
            ));
        };
        let ids: BTreeSet<&str> = pairs.iter().map(|pair| &*pair.topic).collect();
        let known = known_topics(path, &ids)?;
        let unknown = ids.iter().filter(|id| !known.contains_key(**id));
        let unknown: BTreeSet<&str> = unknown.copied().collect();
        let mut note = None;
        if !unknown.is_empty() {
            let message = not_found(&unknown, "topic");
            if known.is_empty() {
                return Err(problem(Code::BadTopics, path, message));
            }
            let left_out = pairs.iter().filter(|pair| unknown.contains(&*pair.topic));
            note = Some(format!(
                "{}: {message}; their {} left out",
                path.display(),
                are(left_out.count(), "document")
            ));
        }
        pairs.retain(|pair| known.contains_key(&pair.topic));
        Ok(Self { known, note })
    }
}

impl Materials {
    /// Finds the documents of these pairs.
    ///
    /// # Errors
    /// If a source cannot be read, or lacks a document of the pool.
    pub fn open(sources: &Sources, topics: PoolTopics, pairs: &[Pair]) -> Result<Self, JudgeError> {
        let wanted: HashSet<&str> = pairs.iter().map(|pair| &*pair.doc).collect();
        let (source, (texts, analyzer)) = match (&sources.index, &sources.collection) {
            (Some(path), _) => (path, stored(path, &wanted)?),
            (None, Some(path)) => (path, (loaded(path, &wanted)?, Analyzer::default())),
            (None, None) => {
                return Err(JudgeError::Setting(
                    "name the documents: a collection or an index".into(),
                ));
            }
        };
        let materials = Self {
            topics: topics.known,
            texts,
            analyzer,
        };
        let absent = wanted.into_iter().filter(|doc| !materials.has(doc));
        let absent: BTreeSet<&str> = absent.collect();
        if !absent.is_empty() {
            let message = not_found(&absent, "document");
            return Err(problem(Code::NoMatch, source, message));
        }
        Ok(materials)
    }

    fn has(&self, doc: &str) -> bool {
        match &self.texts {
            Texts::Loaded(documents) => documents.contains_key(doc),
            Texts::Stored(_, numbers) => numbers.contains_key(doc),
        }
    }

    /// The topic with this id; empty if it is not of the pool.
    pub fn topic(&self, id: &str) -> Topic {
        self.topics.get(id).cloned().unwrap_or_default()
    }

    /// The document with this id; empty if it is not of the pool.
    pub fn document(&self, id: &str) -> Result<Document, JudgeError> {
        match &self.texts {
            Texts::Loaded(documents) => Ok(documents.get(id).cloned().unwrap_or_default()),
            Texts::Stored(index, numbers) => match numbers.get(id) {
                Some(number) => Ok(index.document(*number)?),
                None => Ok(Document::default()),
            },
        }
    }
}

fn known_topics(path: &Path, ids: &BTreeSet<&str>) -> Result<HashMap<String, Topic>, JudgeError> {
    let topics = match inputs::collection(path)? {
        Some(collection) => {
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            collection.topics_judged_as(&ids)?
        }
        None => Topics::open(path)?,
    };
    let known = topics
        .into_iter()
        .filter(|topic| ids.contains(topic.id.as_str()));
    Ok(known
        .map(|topic| (topic.id.clone(), topic.clone()))
        .collect())
}

fn loaded(path: &Path, wanted: &HashSet<&str>) -> Result<Texts, JudgeError> {
    let (documents, _) = inputs::documents(&[path.to_owned()], DocumentOptions::default())?;
    let mut found = HashMap::new();
    for document in documents {
        let document = document?;
        if wanted.contains(document.id.as_str()) {
            found.insert(document.id.clone(), document);
            if found.len() == wanted.len() {
                break;
            }
        }
    }
    Ok(Texts::Loaded(found))
}

fn stored(path: &Path, wanted: &HashSet<&str>) -> Result<(Texts, Analyzer), JudgeError> {
    let index = Index::open(path)?;
    if !index.description().text {
        let message = "the index has no texts";
        let problem = Problem::file(Code::BadEngine, &path.to_string_lossy(), message);
        let help = "index the collection with its texts, or name the collection";
        return Err(JudgeError::Input(problem.with_help(help).into()));
    }
    let mut numbers = HashMap::new();
    for number in 0..index.lengths().len() as u32 {
        if let Ok(id) = std::str::from_utf8(index.id(number))
            && wanted.contains(id)
        {
            numbers.insert(id.to_owned(), number);
        }
    }
    let analyzer = Analyzer::named(index.analyzer().name())?;
    Ok((Texts::Stored(Box::new(index), numbers), analyzer))
}

/// A count with its verb.
fn are(count: usize, what: &str) -> String {
    let verb = if count == 1 { "is" } else { "are" };
    format!("{} {verb}", plural(count, what))
}

/// Says how many ids were not found, and which ones.
fn not_found(ids: &BTreeSet<&str>, what: &str) -> String {
    let first: Vec<&str> = ids.iter().take(3).copied().collect();
    let more = if ids.len() > 3 { ", …" } else { "" };
    let ids = plural(ids.len(), what);
    format!("{ids} of the pool not found: {}{more}", first.join(", "))
}

fn problem(code: Code, source: &Path, message: String) -> JudgeError {
    let problem = Problem::file(code, &source.to_string_lossy(), message);
    JudgeError::Input(problem.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_topics_are_left_out_unless_all_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("topics.tsv");
        std::fs::write(&path, "1\tone\n2\ttwo\n").unwrap();
        let sources = Sources {
            topics: Some(path),
            ..Sources::default()
        };
        let pairs = |topics: &[&str]| -> Vec<Pair> {
            let pair = |topic: &&str| Pair {
                topic: (*topic).into(),
                doc: "d".into(),
            };
            topics.iter().map(pair).collect()
        };
        let mut some = pairs(&["1", "3", "4", "5", "5", "6"]);
        let note = PoolTopics::open(&sources, &mut some).unwrap().note.unwrap();
        assert_eq!(some, pairs(&["1"]));
        assert!(
            note.ends_with(
                "4 topics of the pool not found: 3, 4, 5, …; their 5 documents are left out"
            ),
            "{note}"
        );
        let error = PoolTopics::open(&sources, &mut pairs(&["3"])).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("1 topic of the pool not found: 3")
        );
        let all = PoolTopics::open(&sources, &mut pairs(&["1", "2"]));
        assert_eq!(all.unwrap().note, None);
    }
}
