//! Topics and documents that assessors see.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use cranfield_collection::{Document, DocumentOptions, Topic, Topics};
use cranfield_io::{Code, Problem};
use cranfield_lab::inputs;
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

impl Materials {
    /// Finds the topics and documents of these pairs.
    ///
    /// # Errors
    /// If a source cannot be read, or lacks a topic or document of the pool.
    pub fn open(sources: &Sources, pairs: &[Pair]) -> Result<Self, JudgeError> {
        let ids: BTreeSet<&str> = pairs.iter().map(|pair| &*pair.topic).collect();
        let topics = topics(sources, &ids)?;
        let wanted: HashSet<&str> = pairs.iter().map(|pair| &*pair.doc).collect();
        let (texts, analyzer) = match (&sources.index, &sources.collection) {
            (Some(path), _) => stored(path, &wanted)?,
            (None, Some(path)) => (loaded(path, &wanted)?, Analyzer::default()),
            (None, None) => {
                return Err(JudgeError::Setting(
                    "name the documents: a collection or an index".into(),
                ));
            }
        };
        let materials = Self {
            topics,
            texts,
            analyzer,
        };
        let source = sources.index.as_ref().or(sources.collection.as_ref());
        let missing: BTreeSet<&str> = pairs
            .iter()
            .filter(|pair| !materials.has(&pair.doc))
            .map(|pair| &*pair.doc)
            .collect();
        check(
            &missing,
            "document",
            source.map_or(Path::new(""), PathBuf::as_path),
        )?;
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

fn topics(sources: &Sources, ids: &BTreeSet<&str>) -> Result<HashMap<String, Topic>, JudgeError> {
    let path = sources.topics.as_ref().or(sources.collection.as_ref());
    let Some(path) = path else {
        return Err(JudgeError::Setting(
            "name the topics: a file, or a collection".into(),
        ));
    };
    let topics = match inputs::collection(path)? {
        Some(collection) => {
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            collection.topics_judged_as(&ids)?
        }
        None => Topics::open(path)?,
    };
    let found: HashMap<String, Topic> = topics
        .into_iter()
        .filter(|topic| ids.contains(topic.id.as_str()))
        .map(|topic| (topic.id.clone(), topic.clone()))
        .collect();
    let missing = ids.iter().filter(|id| !found.contains_key(**id)).copied();
    check(&missing.collect(), "topic", path)?;
    Ok(found)
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

/// An error that names the first missing ids.
fn check(missing: &BTreeSet<&str>, what: &str, source: &Path) -> Result<(), JudgeError> {
    if missing.is_empty() {
        return Ok(());
    }
    let first: Vec<&str> = missing.iter().take(3).copied().collect();
    let more = if missing.len() > 3 { ", …" } else { "" };
    let message = format!(
        "{} of the pool not found: {}{more}",
        cranfield_render::plural(missing.len(), what),
        first.join(", ")
    );
    let code = if what == "topic" {
        Code::MissingTopic
    } else {
        Code::NoMatch
    };
    let problem = Problem::file(code, &source.to_string_lossy(), message);
    Err(JudgeError::Input(problem.into()))
}
