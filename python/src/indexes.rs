//! `Index` and `DenseIndex`, and their answers to one query.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use cranfield::collection::{DocumentOptions, Documents};
use cranfield::lab::engine::EngineSettings;
use cranfield::lab::{
    DocumentScore, IndexRequest, Indexed, bench::cores, index, index_documents, text_fields,
};
use cranfield::render::Render;
use cranfield::search::{Analyzer, Error, Feedback, Index, IndexOptions, Model, Searcher};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator};

use crate::arguments::{path, paths, text as unicode};
use crate::data::text;
use crate::errors::{Failure, OrRaise};
use crate::given::Given;
use crate::objects::{DOCUMENTS, line};
use crate::output::{Printed, PyOutput};
use crate::work::{fed, watched, work};

/// An inverted index.
#[pyclass(frozen, module = "cranfield._core", name = "Index")]
pub(crate) struct PyIndex {
    pub(crate) index: Arc<Index>,
    /// The model and feedback of the last query, which the next one usually has too.
    last: Mutex<Option<Arc<Bound>>>,
}

struct Bound {
    model: Model,
    feedback: Option<Feedback>,
    searcher: Searcher,
}

/// A document in an answer: id, score, title and text.
type Found<'py> = (
    pyo3::Bound<'py, pyo3::types::PyString>,
    f64,
    Option<String>,
    Option<String>,
);

impl PyIndex {
    fn new(index: Index) -> Self {
        Self {
            index: Arc::new(index),
            last: Mutex::default(),
        }
    }

    fn bound(&self, model: Model, feedback: Option<Feedback>) -> Result<Arc<Bound>, Error> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = &*last
            && last.model == model
            && last.feedback == feedback
        {
            return Ok(Arc::clone(last));
        }
        let index = Arc::clone(&self.index);
        let searcher = Searcher::new(index, &model, feedback.clone())?;
        let bound = Arc::new(Bound {
            model,
            feedback,
            searcher,
        });
        *last = Some(Arc::clone(&bound));
        Ok(bound)
    }
}

#[pymethods]
impl PyIndex {
    /// Opens the index in a folder.
    #[new]
    fn open(py: Python<'_>, #[pyo3(from_py_with = path)] path: PathBuf) -> PyResult<Self> {
        work(py, true, None, move || Ok(Self::new(Index::open(path)?)))
    }

    /// The folder.
    #[getter]
    fn path(&self) -> PathBuf {
        self.index.path().into()
    }

    /// The description: analyser, fields and counts.
    fn description<'py>(&self, py: Python<'py>) -> PyResult<pyo3::Bound<'py, PyDict>> {
        let description = self.index.description();
        let dict = PyDict::new(py);
        dict.set_item("analyzer", &description.analyzer)?;
        dict.set_item("fields", &description.fields)?;
        dict.set_item("text", description.text)?;
        dict.set_item("documents", description.documents)?;
        dict.set_item("empty", description.empty)?;
        dict.set_item("tokens", description.tokens)?;
        dict.set_item("terms", description.terms)?;
        dict.set_item("postings", description.postings)?;
        dict.set_item("text_bytes", description.text_bytes)?;
        dict.set_item("bytes", self.index.bytes())?;
        dict.set_item("hash", description.hash())?;
        Ok(dict)
    }

    /// The best documents for a text.
    fn hits<'py>(
        slf: &pyo3::Bound<'py, Self>,
        #[pyo3(from_py_with = unicode)] query: &str,
        given: Given<'py>,
    ) -> PyResult<Vec<Found<'py>>> {
        let py = slf.py();
        let (model, feedback) = model(&given)?;
        let depth = given.whole("depth")?.unwrap_or(10);
        given.done()?;
        let index = slf.get();
        let found = py.detach(|| -> Result<_, Error> {
            let hits = index
                .bound(model, feedback)?
                .searcher
                .search(query, depth)?;
            let document = |hit: &cranfield::search::Hit| index.index.document(hit.doc);
            let documents = hits.iter().map(document).collect::<Result<Vec<_>, _>>()?;
            Ok(hits.into_iter().zip(documents).collect::<Vec<_>>())
        });
        let found = found.or_raise(py)?.into_iter();
        let is_stored = slf.get().index.description().text;
        let found = found.map(|(hit, document)| {
            let id = text(py, slf.get().index.id(hit.doc))?;
            let title = document.title().map(ToOwned::to_owned);
            let shown = is_stored.then(|| document.text());
            Ok((id, hit.score, title, shown))
        });
        found.collect()
    }

    /// The score of a document for a text, term by term.
    fn explain(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = unicode)] query: &str,
        #[pyo3(from_py_with = unicode)] document: &str,
        given: Given<'_>,
    ) -> PyResult<PyOutput> {
        let (model, feedback) = model(&given)?;
        given.done()?;
        let settings = EngineSettings {
            model,
            feedback,
            ..EngineSettings::default()
        };
        let index = Arc::clone(&self.index);
        let score = py.detach(|| DocumentScore::of(index, &settings, query, document));
        let score = Score(score.or_raise(py)?);
        Ok(PyOutput::new("search", Vec::new(), score))
    }
}

/// The score of a document.
struct Score(DocumentScore);

impl Printed for Score {
    fn output(&self) -> Box<dyn Render + '_> {
        Box::new(self.0.clone())
    }
}

/// The model and the feedback of a search.
pub(crate) fn model(given: &Given<'_>) -> PyResult<(Model, Option<Feedback>)> {
    let model = given.named("model")?.unwrap_or_default();
    Ok((model, given.named("feedback")?))
}

/// An index that was built.
struct Built(Indexed);

impl Printed for Built {
    fn output(&self) -> Box<dyn Render + '_> {
        Box::new(self.0.clone())
    }
}

/// Builds an index of files and folders, or of one collection.
#[pyfunction]
pub(crate) fn index_files(
    #[pyo3(from_py_with = paths)] inputs: Vec<PathBuf>,
    #[pyo3(from_py_with = path)] output: PathBuf,
    given: Given<'_>,
    watch: Option<&pyo3::Bound<'_, PyAny>>,
) -> PyResult<(PyIndex, PyOutput)> {
    let (reading, options) = options(&given)?;
    watched(given.py(), None, watch, move |progress| {
        let request = IndexRequest {
            inputs,
            reading,
            options,
            output,
            progress,
        };
        built(index(&request)?)
    })
}

/// Builds an index of documents in memory. `total` is their number, or 0 if it is not known.
#[pyfunction]
pub(crate) fn index_objects(
    objects: pyo3::Bound<'_, PyIterator>,
    total: usize,
    #[pyo3(from_py_with = path)] output: PathBuf,
    given: Given<'_>,
    watch: Option<&pyo3::Bound<'_, PyAny>>,
) -> PyResult<(PyIndex, PyOutput)> {
    let (reading, options) = options(&given)?;
    let (mut feeder, objects) = line(objects, total);
    let feed = move || feeder.feed();
    fed(given.py(), None, watch, feed, move |progress| {
        let documents = Documents::of_objects(DOCUMENTS, objects, reading);
        built(index_documents(documents, &output, &options, &progress)?)
    })
}

fn built(indexed: Indexed) -> Result<(PyIndex, PyOutput), Failure> {
    let index = PyIndex::new(Index::open(&indexed.path)?);
    let notes = indexed.notes().into_iter().map(Into::into).collect();
    Ok((index, PyOutput::new("index", notes, Built(indexed))))
}

fn options(given: &Given<'_>) -> PyResult<(DocumentOptions, IndexOptions)> {
    let fields = given.strings("fields")?;
    let reading = DocumentOptions {
        format: given.parsed("document_format")?,
        text: text_fields(&fields),
        id: given.text("id")?,
        ..DocumentOptions::default()
    };
    let analyzer = given.text("analyzer")?;
    let analyzer = Analyzer::named(analyzer.as_deref().unwrap_or("english"));
    let threads = given.within("threads", 1, 1024)?;
    let options = IndexOptions {
        text: given
            .take("text")?
            .map_or(Ok(true), |text| crate::arguments::flag(&text))?,
        threads: threads.unwrap_or_else(cores),
        ..IndexOptions::new(analyzer.or_raise(given.py())?)
    };
    given.done()?;
    Ok((reading, options))
}

/// Names of analysers, and what each does.
#[pyfunction]
pub(crate) fn analyzers() -> Vec<(&'static str, String)> {
    Analyzer::list().collect()
}
