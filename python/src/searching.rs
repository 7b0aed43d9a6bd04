//! Runs from engines.

use std::path::PathBuf;

use cranfield::collection::QueryFields;
use cranfield::io::{Code, Problem, check_outputs};
use cranfield::lab::RunSettings;
use cranfield::lab::bench::cores;
use cranfield::lab::engine::{Engine, EngineSettings, IndexEngine, open_engine};
use cranfield::lab::searching::{
    EmptyTopics, SearchRequest, Searched, TestCollection, check_results, save, save_with_header,
    search as search_topics,
};
use cranfield_cli::results::search_notes;
use pyo3::prelude::*;

use crate::arguments::path;
use crate::errors::{Failure, OrRaise, STYLE};
use crate::given::Given;
use crate::indexes::{PyIndex, model};
use crate::objects::TopicSource;
use crate::run::PyRun;
use crate::work::watched;

/// An engine: an index that is open, or what a path names.
pub(crate) enum EngineSource {
    Index(std::sync::Arc<cranfield::search::Index>),
    Path(PathBuf),
}

impl<'py> FromPyObject<'_, 'py> for EngineSource {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyIndex>() {
            Ok(index) => Ok(Self::Index(index.get().index.clone())),
            Err(_) => Ok(Self::Path(path(&object)?)),
        }
    }
}

impl EngineSource {
    /// Opens the engine.
    pub(crate) fn open(&self, settings: &EngineSettings) -> Result<Box<dyn Engine>, Failure> {
        Ok(match self {
            Self::Index(index) => {
                let feedback = settings.feedback.clone();
                Box::new(IndexEngine::new(index.clone(), &settings.model, feedback)?)
            }
            Self::Path(path) => open_engine(path, settings)?,
        })
    }

    /// The path.
    pub(crate) fn path(&self) -> &std::path::Path {
        match self {
            Self::Index(index) => index.path(),
            Self::Path(path) => path,
        }
    }
}

/// The fields of topics that are searched for.
pub(crate) fn query_fields(given: &Given<'_>) -> PyResult<QueryFields> {
    Ok(given.parsed("query")?.unwrap_or_default())
}

/// Searches for all topics; the run, and notes on topics without an answer.
#[pyfunction]
pub(crate) fn search(
    engine: EngineSource,
    topics: TopicSource,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<(PyRun, Vec<String>)> {
    let (model, feedback) = model(&given)?;
    let engine_settings = EngineSettings {
        model,
        feedback,
        similarity: given.parsed("similarity")?.unwrap_or_default(),
    };
    let fields = query_fields(&given)?;
    let tag = given.text("tag")?;
    let output = given.path("output")?;
    let has_header = given.flag("header")?;
    let fails_if_empty = given.parsed("empty")? == Some(EmptyTopics::Fail);
    let settings = RunSettings {
        depth: given.whole("depth")?.unwrap_or(1000),
        threads: given.within("threads", 1, 1024)?.unwrap_or_else(cores),
        keep_going: given.flag("keep_going")?,
        ..RunSettings::default()
    };
    given.done()?;
    let files: Vec<_> = [engine.path()].into_iter().chain(topics.path()).collect();
    check_outputs(&Vec::from_iter(&output), &files).or_raise(given.py())?;
    watched(given.py(), None, watch, move |progress| {
        let (topics_source, topics) = (&topics, topics.open()?);
        let opened = engine.open(&engine_settings)?;
        let settings = RunSettings {
            progress,
            ..settings
        };
        let path = topics_source.path();
        let request = SearchRequest {
            topics: &topics,
            fields: &fields,
            tag: tag.as_deref(),
            command: None,
            data: path
                .map(TestCollection::at)
                .transpose()?
                .unwrap_or_default(),
        };
        let searched = search_topics(&*opened, &request, &settings);
        let failed = |message: String| {
            let name = engine.path().to_string_lossy();
            Failure::from(Problem::file(Code::FailedTopics, &name, message))
        };
        let searched = searched.map_err(|error| failed(error.to_string()))?;
        let notes = topics.notes.iter().map(|note| note.line(STYLE));
        // The first note of a search is the time it took.
        let of_search = search_notes(&searched, topics.len()).into_iter().skip(1);
        let notes = notes.chain(of_search).collect();
        if !searched.answers.is_complete() && !settings.keep_going {
            return Err(failed(why_incomplete(&searched)));
        }
        if fails_if_empty {
            check_results(&searched, engine.path())?;
        }
        match &output {
            Some(output) if has_header => save_with_header(&searched, output)?,
            Some(output) => save(&searched, output)?,
            None => {}
        }
        let run = searched.answers.run;
        let name = run.tag().to_owned();
        Ok((PyRun::new(run, name), notes))
    })
}

/// The first failures of an incomplete search.
fn why_incomplete(searched: &Searched) -> String {
    let failed = &searched.answers.failed;
    let first = failed
        .iter()
        .take(3)
        .map(|(topic, why)| format!("topic {topic}: {why}"));
    let first = first.collect::<Vec<_>>().join("; ");
    format!("{first}; keep_going=True returns a run without failed topics")
}
