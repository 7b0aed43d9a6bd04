//! The built-in engines: an inverted index, and vectors.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cranfield_core::run::{Run, RunBuilder, nine_digits};
use cranfield_search::dense::{DenseIndex, Similarity, VectorFolder, Vectors};
use cranfield_search::{Error, Feedback, Index, Model, Searcher};

use super::{Engine, EngineError, EngineErrorKind, Hit, Query, Session};

/// An index with a model and, if wanted, feedback.
#[derive(Debug)]
pub struct IndexEngine {
    name: String,
    searcher: Searcher,
    settings: Vec<(String, String)>,
}

impl IndexEngine {
    /// Binds a model to an index.
    pub fn new(
        index: Arc<Index>,
        model: &Model,
        feedback: Option<Feedback>,
    ) -> Result<Self, Error> {
        let mut settings = vec![
            ("index".to_owned(), index.description().hash()),
            ("analyzer".to_owned(), index.description().analyzer.clone()),
            ("model".to_owned(), model.to_string()),
        ];
        if let Some(feedback) = &feedback {
            settings.push(("feedback".to_owned(), feedback.to_string()));
        }
        Ok(Self {
            name: tag(model, feedback.as_ref()),
            searcher: Searcher::new(index, model, feedback)?,
            settings,
        })
    }
}

impl Engine for IndexEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn session(&self) -> Result<Box<dyn Session + '_>, EngineError> {
        Ok(Box::new(IndexSession(&self.searcher)))
    }

    fn settings(&self) -> Vec<(String, String)> {
        self.settings.clone()
    }

    fn answer_all(
        &self,
        queries: &[Query],
        depth: usize,
        threads: usize,
    ) -> Option<Result<Run, EngineError>> {
        let queries = queries
            .iter()
            .map(|query| (query.topic.as_str(), query.text.as_str()));
        Some(
            self.searcher
                .run(&self.name, queries, depth, threads)
                .map_err(|error| failed(&error)),
        )
    }
}

struct IndexSession<'a>(&'a Searcher);

impl Session for IndexSession<'_> {
    fn search(&mut self, query: &Query, depth: usize) -> Result<Vec<Hit>, EngineError> {
        let hits = self
            .0
            .search(&query.text, depth)
            .map_err(|error| failed(&error))?;
        let id = |doc| String::from_utf8_lossy(self.0.index().id(doc)).into_owned();
        Ok(hits
            .into_iter()
            .map(|hit| Hit {
                doc: id(hit.doc),
                score: hit.score,
            })
            .collect())
    }
}

fn failed(error: &Error) -> EngineError {
    EngineError::new(EngineErrorKind::Other, error.to_string())
}

/// Vectors of documents and topics.
#[derive(Debug)]
pub struct VectorEngine {
    name: String,
    documents: DenseIndex,
    topics: Vectors,
    /// The file of documents as provenance names it.
    file: PathBuf,
}

impl VectorEngine {
    /// Opens a folder with vectors of documents and topics.
    pub fn open(folder: &Path, similarity: Similarity) -> Result<Self, cranfield_io::Error> {
        let files = VectorFolder::find(folder)?;
        let name = folder.file_name().map_or_else(
            || "vectors".into(),
            |name| name.to_string_lossy().into_owned(),
        );
        Ok(Self {
            name,
            documents: DenseIndex::open(&files.documents, similarity)?,
            topics: Vectors::open(&files.topics)?,
            file: files.documents,
        })
    }

    /// Names files in a folder relative to it, so that what depends on them does not depend on where the folder is.
    #[must_use]
    pub fn relative_to(mut self, folder: &Path) -> Self {
        if let Ok(inside) = self.file.strip_prefix(folder) {
            self.file = inside.to_path_buf();
        }
        self
    }

    fn rows(
        &self,
        topics: &Vectors,
        depth: usize,
        threads: usize,
    ) -> Result<Vec<Vec<Hit>>, EngineError> {
        let found = self.documents.search(topics, depth, threads);
        let found =
            found.map_err(|error| EngineError::new(EngineErrorKind::Other, error.to_string()))?;
        let hits = found.into_iter().map(|hits| {
            let hits = hits.into_iter().map(|hit| Hit {
                doc: self.documents.id(hit.row).into(),
                score: hit.score,
            });
            hits.collect()
        });
        Ok(hits.collect())
    }
}

impl Engine for VectorEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn session(&self) -> Result<Box<dyn Session + '_>, EngineError> {
        Ok(Box::new(VectorSession(self)))
    }

    fn settings(&self) -> Vec<(String, String)> {
        let documents = self.documents.documents();
        vec![
            ("vectors".into(), self.file.to_string_lossy().into_owned()),
            ("dimensions".into(), documents.dims().to_string()),
            ("similarity".into(), self.documents.similarity().to_string()),
        ]
    }

    fn answer_all(
        &self,
        queries: &[Query],
        depth: usize,
        threads: usize,
    ) -> Option<Result<Run, EngineError>> {
        Some(self.rows(&self.topics, depth, threads).map(|all| {
            let mut run = RunBuilder::default();
            run.set_tag(&self.name);
            for query in queries {
                let row = self.topics.ids().iter().position(|id| *id == query.topic);
                for hit in row.map_or(&[][..], |row| &all[row]) {
                    run.push(
                        query.topic.as_bytes(),
                        hit.doc.as_bytes(),
                        nine_digits(hit.score),
                        None,
                    );
                }
            }
            run.finish()
        }))
    }
}

struct VectorSession<'a>(&'a VectorEngine);

impl Session for VectorSession<'_> {
    fn search(&mut self, query: &Query, depth: usize) -> Result<Vec<Hit>, EngineError> {
        let topic = self.0.topics.one(&query.topic).ok_or_else(|| {
            let name = self.0.topics.name();
            EngineError::new(
                EngineErrorKind::Refused,
                format!("`{name}` has no vector for the topic"),
            )
        })?;
        Ok(self.0.rows(&topic, depth, 1)?.pop().unwrap_or_default())
    }
}

/// A tag made from a model and its feedback: `bm25-k1-0.9-b-0.4-rm3`.
pub fn tag(model: &Model, feedback: Option<&Feedback>) -> String {
    let mut text = model.to_string();
    if let Some(feedback) = feedback {
        let name = feedback.to_string();
        text += &format!("-{}", name.split('(').next().unwrap_or_default());
    }
    let mut tag = String::new();
    for c in text.to_lowercase().chars() {
        match c {
            'a'..='z' | '0'..='9' | '.' | '+' | '_' => tag.push(c),
            _ if tag.ends_with('-') => {}
            _ => tag.push('-'),
        }
    }
    tag.trim_matches('-').replace("weights-", "")
}
