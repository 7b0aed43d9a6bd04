//! `Run`: rankings in memory, which nothing changes once they are made.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use cranfield::core::policy::TieBreak;
use cranfield::core::run::{Run as CoreRun, RunTopic};
use cranfield::engine::{Rankings, evaluate_rankings};
use cranfield::io::{self, Code, Problem, RunFormat, Source, quoted};
use cranfield::{Plan, Qrels, RunContent, RunData, RunInput, RunScores, evaluate_run};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PyString};

use crate::arguments::{optional_text, path, text as unicode};
use crate::arrow_out::PyTable;
use crate::columns;
use crate::data::{self, Reduced, Summary, named, text};
use crate::dicts::{self, Numbers, Role, id_bytes};
use crate::errors::Failure;
use crate::frames_out::{self, Columns};
use crate::table::Table;
use crate::work::{self, is_long, work};

/// A run: the documents that a system returned for each topic, with scores.
#[pyclass(frozen, module = "cranfield", name = "Run")]
#[derive(Debug)]
pub(crate) struct PyRun {
    data: Data,
    pub(crate) name: String,
    pub(crate) documents: usize,
}

/// The rows of a run.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    /// A run.
    Run(Arc<CoreRun>),
    /// Columns of another library, and their copy as a run, once that was needed.
    Table(Arc<Table>, Arc<OnceLock<Arc<CoreRun>>>),
}

impl Data {
    /// The run; a copy is made at most once.
    pub(crate) fn run(&self) -> &Arc<CoreRun> {
        match self {
            Self::Run(run) => run,
            Self::Table(table, copy) => copy.get_or_init(|| Arc::new(table.to_run())),
        }
    }

    /// The run as an input of an evaluation, by name.
    pub(crate) fn input(&self, name: &str) -> RunInput {
        let content = match self {
            Self::Run(run) => RunContent::Parsed(Arc::clone(run)),
            Self::Table(..) => RunContent::Data(Arc::new(NamedData {
                data: self.clone(),
                name: name.into(),
            })),
        };
        RunInput::new(name, content)
    }
}

/// Rows that are evaluated where they are.
#[derive(Debug)]
struct NamedData {
    data: Data,
    name: String,
}

impl RunData for NamedData {
    fn evaluate(&self, qrels: &Qrels, plan: &Plan) -> RunScores {
        match &self.data {
            Data::Table(table, _)
                if plan.policies.ties != TieBreak::RankColumn || !table.has_ranks() =>
            {
                evaluate_rankings(&self.name, &**table, qrels, plan)
            }
            data => evaluate_run(data.run(), qrels, plan),
        }
    }

    fn to_run(&self) -> Arc<CoreRun> {
        Arc::clone(self.data.run())
    }
}

impl PyRun {
    pub(crate) fn new(run: CoreRun, name: String) -> Self {
        let documents = data::documents(&run);
        Self {
            data: Data::Run(Arc::new(run)),
            name,
            documents,
        }
    }

    fn of_table(table: Table, name: String) -> Self {
        let documents = table.rows();
        Self {
            data: Data::Table(Arc::new(table), Arc::default()),
            name,
            documents,
        }
    }

    pub(crate) fn data(&self) -> &Data {
        &self.data
    }

    /// The run. A copy of columns is made without the interpreter's lock, which another thread may need to make it first.
    fn run(&self, py: Python<'_>) -> PyResult<&Arc<CoreRun>> {
        if let Data::Table(_, copy) = &self.data
            && copy.get().is_none()
        {
            let data = self.data.clone();
            work(py, is_long(self.documents), None, move || {
                data.run();
                Ok(())
            })?;
        }
        Ok(self.data.run())
    }

    fn columns(&self, py: Python<'_>) -> PyResult<Columns> {
        let run = Arc::clone(self.run(py)?);
        work(py, is_long(self.documents), None, move || {
            Ok(frames_out::rows(&run, "score"))
        })
    }

    fn summary(&self) -> Summary<'_> {
        Summary {
            name: &self.name,
            counts: [("topics", self.__len__()), ("documents", self.documents)],
        }
    }

    fn ranking<'py>(&self, py: Python<'py>, topic: &[u8]) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(topic) = self.run(py)?.get(topic) else {
            return Ok(None);
        };
        let ranking = PyDict::new(py);
        for (place, entry) in topic.entries().enumerate() {
            work::at(py, place)?;
            ranking.set_item(text(py, entry.doc)?, entry.score)?;
        }
        if ranking.len() < topic.entries().len() {
            return Err(twice(&topic, &self.name).raise(py));
        }
        Ok(Some(ranking))
    }
}

#[pymethods]
impl PyRun {
    /// A run from a dict of dicts: topic, document, score.
    ///
    /// >>> run = Run.from_dict({"q1": {"d1": 2.5, "d2": 1.0}}, name="bm25")
    /// >>> run
    /// Run('bm25', topics=1, documents=2)
    #[staticmethod]
    #[pyo3(signature = (scores, name = "run"))]
    fn from_dict(
        scores: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = unicode)] name: &str,
    ) -> PyResult<Self> {
        let run = dicts::read(scores, Role::Run, Numbers::Finite, name)?;
        Ok(Self::new(run, name.into()))
    }

    /// Reads a file in any format of the command line, compressed or not.
    #[staticmethod]
    #[pyo3(signature = (path, format = None, name = None))]
    fn from_file(
        py: Python<'_>,
        #[pyo3(from_py_with = path)] path: PathBuf,
        #[pyo3(from_py_with = optional_text)] format: Option<&str>,
        #[pyo3(from_py_with = optional_text)] name: Option<&str>,
    ) -> PyResult<Self> {
        let format: Option<RunFormat> = named(py, format)?;
        let name = data::name_of(&path, name);
        work(py, true, None, move || {
            let run = io::read_run(&Source::open(&path)?, format)?;
            Ok(Self::new(run, name))
        })
    }

    /// A run from columns of the same length: numpy arrays, lists or other iterables. `ranks` are for
    /// `ties="rank-column"`.
    ///
    /// >>> Run.from_columns(["q1", "q1"], ["d1", "d2"], [2.5, 1.0])
    /// Run('run', topics=1, documents=2)
    #[staticmethod]
    #[pyo3(signature = (topics, docs, scores, name = "run", *, ranks = None))]
    fn from_columns(
        topics: &Bound<'_, PyAny>,
        docs: &Bound<'_, PyAny>,
        scores: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = unicode)] name: &str,
        ranks: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let table = columns::rows((topics, docs), scores, ranks, Role::Run, name)?;
        Ok(Self::of_table(table, name.into()))
    }

    /// A run from a table of any library with the Arrow PyCapsule interface: pandas from 2.2, polars, pyarrow, duckdb.
    /// Column names are those of CSV files, such as `topic`, `doc` and `score`, or `qid`, `docno` and `score`.
    #[staticmethod]
    #[pyo3(signature = (table, name = "run"))]
    fn from_arrow(
        table: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = unicode)] name: &str,
    ) -> PyResult<Self> {
        Ok(Self::of_table(
            data::table(table, Role::Run, name)?,
            name.into(),
        ))
    }

    /// A run from a pandas frame.
    #[staticmethod]
    #[pyo3(signature = (frame, name = "run"))]
    fn from_pandas<'py>(
        frame: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = unicode)] name: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        data::from_frame::<Self>(frame, name)
    }

    /// A run from a polars frame.
    #[staticmethod]
    #[pyo3(signature = (frame, name = "run"))]
    fn from_polars<'py>(
        frame: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = unicode)] name: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        data::from_frame::<Self>(frame, name)
    }

    /// The name of the run.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// A copy of the run with another name.
    fn renamed(&self, #[pyo3(from_py_with = unicode)] name: &str) -> Self {
        Self {
            data: self.data.clone(),
            name: name.into(),
            documents: self.documents,
        }
    }

    /// The ids of the topics, in the order of the file or dict.
    #[getter]
    fn topics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        data::ids(py, self.run(py)?.topics().map(|topic| topic.id()))
    }

    /// Number of documents of all topics.
    #[getter]
    fn documents(&self) -> usize {
        self.documents
    }

    /// A dict of dicts: topic, document, score.
    ///
    /// >>> Run.from_dict({"q1": {"d1": 2, "d2": 1}}).to_dict()
    /// {'q1': {'d1': 2.0, 'd2': 1.0}}
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let topics = self.run(py)?.topics().map(|topic| topic.id());
        data::dict(py, topics, |topic| self.ranking(py, topic))
    }

    /// A dict of columns: `topic`, `doc` and `score`, and `rank` if the run has ranks.
    ///
    /// >>> Run.from_dict({"q1": {"d1": 2}}).to_columns()
    /// {'topic': ['q1'], 'doc': ['d1'], 'score': [2.0]}
    fn to_columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        frames_out::dict(py, self.columns(py)?)
    }

    /// A pandas frame with these columns.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        frames_out::frame(py, "pandas", self.columns(py)?)
    }

    /// A polars frame with these columns.
    fn to_polars<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        frames_out::frame(py, "polars", self.columns(py)?)
    }

    /// An Arrow table with these columns, for `pyarrow.table` and others.
    fn to_arrow(&self, py: Python<'_>) -> PyResult<PyTable> {
        PyTable::new(py, self.columns(py)?)
    }

    /// Writes a file: trec, json, jsonl, csv, tsv, msmarco or parquet. The file appears only when it is complete.
    #[pyo3(signature = (path, format = "trec"))]
    fn save(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = path)] path: PathBuf,
        #[pyo3(from_py_with = unicode)] format: &str,
    ) -> PyResult<()> {
        let format: Option<RunFormat> = named(py, Some(format))?;
        let run = Arc::clone(self.run(py)?);
        work(py, is_long(self.documents), None, move || {
            Ok(io::save_run(&run, format.unwrap_or(RunFormat::Trec), path)?)
        })
    }

    fn __len__(&self) -> usize {
        match &self.data {
            Data::Run(run) => run.topics().len(),
            Data::Table(table, _) => table.topics(),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.topics(py)?.try_iter()
    }

    fn __contains__(&self, py: Python<'_>, topic: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(topic) = topic.cast::<PyString>() else {
            return Ok(false);
        };
        Ok(self.run(py)?.get(&id_bytes(topic)?).is_some())
    }

    fn __getitem__<'py>(&self, topic: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let Ok(id) = topic.cast::<PyString>() else {
            return data::found(topic, None);
        };
        data::found(topic, self.ranking(topic.py(), &id_bytes(id)?)?)
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.name == other.name && same_rows(self.run(py)?, other.run(py)?))
    }

    fn __repr__(&self) -> String {
        self.summary().repr::<Self>()
    }

    fn _repr_html_(&self) -> String {
        self.summary().html()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        data::reduced::<Self>(py, Arc::clone(self.run(py)?), &self.name)
    }

    #[staticmethod]
    fn _from_state(py: Python<'_>, state: &[u8], name: String) -> PyResult<Self> {
        Ok(Self::new(data::rows_of(py, state)?, name))
    }
}

/// The problem with a ranking that a dict cannot hold.
fn twice(topic: &RunTopic<'_>, name: &str) -> Failure {
    let mut seen = HashSet::new();
    let mut docs = topic.entries().map(|entry| entry.doc);
    let doc = docs.find(|doc| !seen.insert(*doc));
    let message = format!(
        "document {} is in topic {} twice, and a dict holds it once; keep it once, usually with its best score",
        quoted(doc.unwrap_or_default()),
        quoted(topic.id())
    );
    Problem::file(Code::DuplicateDocument, name, message).into()
}

/// Whether two runs have the same documents and scores, in the same order.
fn same_rows(one: &CoreRun, other: &CoreRun) -> bool {
    let rows = |run: &CoreRun| run.topics().len();
    rows(one) == rows(other)
        && one.topics().zip(other.topics()).all(|(a, b)| {
            let (a_rows, b_rows) = (a.entries(), b.entries());
            a.id() == b.id()
                && a_rows.len() == b_rows.len()
                && a_rows.zip(b_rows).all(|(a, b)| a == b)
        })
}
