//! `Qrels` and `Run`: judgements and runs in memory, which nothing changes once they are made.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use arrow_array::RecordBatch;
use cranfield::core::policy::TieBreak;
use cranfield::core::run::{Run as CoreRun, RunBuilder};
use cranfield::engine::{Rankings, evaluate_rankings};
use cranfield::io::{self, QrelsFormat, RunFormat, Source};
use cranfield::{EvaluatedRun, Evaluator, Plan, Qrels as CoreQrels, run_names};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyIterator, PyList, PyString, PyTuple};

use crate::arrow_in;
use crate::columns;
use crate::dicts::{self, Numbers, Role};
use crate::errors::{Failure, OrRaise};
use crate::state;
use crate::table::Table;
use crate::work::{is_long, work};

/// A run: for each topic the documents that a system returned, with scores.
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

    /// Evaluates the rows where they are.
    pub(crate) fn evaluate(
        &self,
        evaluator: &Evaluator,
        name: &str,
    ) -> Result<EvaluatedRun, io::Error> {
        let ties = evaluator.plan().policies.ties;
        match self {
            Self::Table(table, _) if ties != TieBreak::RankColumn || !table.has_ranks() => {
                let scores =
                    |plan: &Plan| evaluate_rankings(name, &**table, evaluator.qrels(), plan);
                evaluator.evaluate_with(name, scores)
            }
            data => evaluator.evaluate(name, data.run()),
        }
    }
}

/// Relevance judgements: for each topic the grades of documents.
#[pyclass(frozen, module = "cranfield", name = "Qrels")]
#[derive(Debug)]
pub(crate) struct PyQrels {
    pub(crate) qrels: Arc<CoreQrels>,
    pub(crate) name: String,
}

/// An id as Python has it. Bytes that are no UTF-8 become what Python makes of them in names of files.
pub(crate) fn text<'py>(py: Python<'py>, id: &[u8]) -> PyResult<Bound<'py, PyString>> {
    match std::str::from_utf8(id) {
        Ok(id) => Ok(PyString::new(py, id)),
        Err(_) => PyString::from_encoded_object(
            PyBytes::new(py, id).as_any(),
            Some(c"utf-8"),
            Some(c"surrogateescape"),
        ),
    }
}

/// A format by its name.
pub(crate) fn named<T: std::str::FromStr<Err: std::fmt::Display>>(
    py: Python<'_>,
    name: Option<&str>,
) -> PyResult<Option<T>> {
    let parsed = name.map(str::parse).transpose();
    parsed
        .map_err(|why: T::Err| Failure::Unknown(why.to_string()))
        .or_raise(py)
}

fn short_name(path: &std::path::Path) -> String {
    let path = path.to_string_lossy();
    run_names(&[path.as_ref()]).pop().unwrap_or_default()
}

impl PyRun {
    pub(crate) fn new(run: CoreRun, name: String) -> Self {
        let documents = run.topics().map(|topic| topic.entries().len()).sum();
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
    fn run(&self, py: Python<'_>) -> &Arc<CoreRun> {
        match &self.data {
            Data::Run(run) => run,
            data @ Data::Table(..) => py.detach(|| data.run()),
        }
    }

    fn ranking<'py>(&self, py: Python<'py>, topic: &[u8]) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(topic) = self.run(py).get(topic) else {
            return Ok(None);
        };
        let ranking = PyDict::new(py);
        for entry in topic.entries() {
            ranking.set_item(text(py, entry.doc)?, entry.score)?;
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
    fn from_dict(scores: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let run = dicts::read(scores, Role::Run, Numbers::Finite, name)?;
        Ok(Self::new(run, name.into()))
    }

    /// Reads a file, of any format that the command line reads, compressed or not.
    #[staticmethod]
    #[pyo3(signature = (path, format = None, name = None))]
    fn from_file(
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        name: Option<String>,
    ) -> PyResult<Self> {
        let format: Option<RunFormat> = named(py, format)?;
        let name = name.unwrap_or_else(|| short_name(&path));
        work(py, true, None, move || {
            let run = io::read_run(&Source::open(&path)?, format)?;
            Ok(Self::new(run, name))
        })
    }

    /// A run from columns of the same length: numpy arrays, lists, or any other that Python can iterate.
    ///
    /// >>> Run.from_columns(["q1", "q1"], ["d1", "d2"], [2.5, 1.0])
    /// Run('run', topics=1, documents=2)
    #[staticmethod]
    #[pyo3(signature = (topics, docs, scores, name = "run"))]
    fn from_columns(
        topics: &Bound<'_, PyAny>,
        docs: &Bound<'_, PyAny>,
        scores: &Bound<'_, PyAny>,
        name: &str,
    ) -> PyResult<Self> {
        let table = columns::rows(topics, docs, scores, Role::Run, name)?;
        Ok(Self::of_table(table, name.into()))
    }

    /// A run from a table of any library with the Arrow PyCapsule interface: pandas from 2.2, polars, pyarrow, duckdb.
    /// Columns are named as in CSV files, such as `topic`, `doc` and `score`, or `qid`, `docno` and `score`.
    #[staticmethod]
    #[pyo3(signature = (table, name = "run"))]
    fn from_arrow(table: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let (batches, tag) = (arrow_in::batches(table)?, name.to_owned());
        let documents = batches.iter().map(RecordBatch::num_rows).sum();
        work(table.py(), is_long(documents), None, move || {
            Ok(Self::of_table(Table::new(&batches, Role::Run, &tag)?, tag))
        })
    }

    /// A run from a pandas frame.
    #[staticmethod]
    #[pyo3(signature = (frame, name = "run"))]
    fn from_pandas(frame: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        Self::from_arrow(frame, name)
    }

    /// A run from a polars frame.
    #[staticmethod]
    #[pyo3(signature = (frame, name = "run"))]
    fn from_polars(frame: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        Self::from_arrow(frame, name)
    }

    /// The run's name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The same run under another name.
    fn renamed(&self, name: String) -> Self {
        Self {
            data: self.data.clone(),
            name,
            documents: self.documents,
        }
    }

    /// The topics' ids, in the order of the file or dict.
    #[getter]
    fn topics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let topics = PyList::empty(py);
        for topic in self.run(py).topics() {
            topics.append(text(py, topic.id())?)?;
        }
        Ok(topics)
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
        let dict = PyDict::new(py);
        for topic in self.run(py).topics() {
            dict.set_item(text(py, topic.id())?, self.ranking(py, topic.id())?)?;
        }
        Ok(dict)
    }

    /// Writes a file: trec, json, jsonl, csv, tsv, msmarco or parquet. It is whole or absent.
    #[pyo3(signature = (path, format = "trec"))]
    fn save(&self, py: Python<'_>, path: PathBuf, format: &str) -> PyResult<()> {
        let format: Option<RunFormat> = named(py, Some(format))?;
        let run = Arc::clone(self.run(py));
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

    fn __contains__(&self, py: Python<'_>, topic: &str) -> bool {
        self.run(py).get(topic.as_bytes()).is_some()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, topic: &str) -> PyResult<Bound<'py, PyDict>> {
        let ranking = self.ranking(py, topic.as_bytes())?;
        ranking.ok_or_else(|| PyKeyError::new_err(topic.to_owned()))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> bool {
        self.name == other.name && same_rows(self.run(py), other.run(py))
    }

    fn __repr__(&self) -> String {
        let (topics, documents) = (self.__len__(), self.documents);
        format!(
            "Run({:?}, topics={topics}, documents={documents})",
            self.name
        )
        .replace('"', "'")
    }

    fn _repr_html_(&self) -> String {
        let (topics, documents) = (self.__len__(), self.documents);
        html(&self.name, &[("topics", topics), ("documents", documents)])
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let rebuild = py.get_type::<Self>().getattr("_from_state")?;
        let state = PyBytes::new(py, &state::write(self.run(py)));
        Ok((rebuild, (state, &self.name).into_pyobject(py)?))
    }

    #[staticmethod]
    fn _from_state(py: Python<'_>, state: &[u8], name: String) -> PyResult<Self> {
        let run =
            state::read(state).ok_or_else(|| Failure::Usage("damaged pickle of a run".into()));
        Ok(Self::new(run.or_raise(py)?, name))
    }
}

#[pymethods]
impl PyQrels {
    /// Judgements from a dict of dicts: topic, document, grade.
    ///
    /// >>> Qrels.from_dict({"q1": {"d1": 1, "d2": 0}})
    /// Qrels('qrels', topics=1, judgements=2)
    #[staticmethod]
    #[pyo3(signature = (grades, name = "qrels"))]
    fn from_dict(py: Python<'_>, grades: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let rows = dicts::read(grades, Role::Qrels, Numbers::Finite, name)?;
        Self::of_rows(py, rows, name.into())
    }

    /// Reads a file, of any format with one grade per document that the command line reads, compressed or not.
    #[staticmethod]
    #[pyo3(signature = (path, format = None, name = None))]
    fn from_file(
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        name: Option<String>,
    ) -> PyResult<Self> {
        let format: Option<QrelsFormat> = named(py, format)?;
        let name = name.unwrap_or_else(|| short_name(&path));
        work(py, true, None, move || {
            let qrels = Arc::new(io::read_qrels(&Source::open(&path)?, format)?);
            Ok(Self { qrels, name })
        })
    }

    /// Judgements from columns of the same length.
    ///
    /// >>> Qrels.from_columns(["q1", "q1"], ["d1", "d2"], [1, 0])
    /// Qrels('qrels', topics=1, judgements=2)
    #[staticmethod]
    #[pyo3(signature = (topics, docs, grades, name = "qrels"))]
    fn from_columns(
        py: Python<'_>,
        topics: &Bound<'_, PyAny>,
        docs: &Bound<'_, PyAny>,
        grades: &Bound<'_, PyAny>,
        name: &str,
    ) -> PyResult<Self> {
        let rows = columns::rows(topics, docs, grades, Role::Qrels, name)?;
        Self::of_rows(py, rows.to_run(), name.into())
    }

    /// Judgements from a table of any library with the Arrow PyCapsule interface. Columns are named as in CSV files, such as
    /// `topic`, `doc` and `grade`, or `qid`, `docno` and `label`.
    #[staticmethod]
    #[pyo3(signature = (table, name = "qrels"))]
    fn from_arrow(py: Python<'_>, table: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let (batches, tag) = (arrow_in::batches(table)?, name.to_owned());
        let judgements = batches.iter().map(RecordBatch::num_rows).sum();
        let rows = work(py, is_long(judgements), None, move || {
            Ok(Table::new(&batches, Role::Qrels, &tag)?.to_run())
        })?;
        Self::of_rows(py, rows, name.into())
    }

    /// Judgements from a pandas frame.
    #[staticmethod]
    #[pyo3(signature = (frame, name = "qrels"))]
    fn from_pandas(py: Python<'_>, frame: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        Self::from_arrow(py, frame, name)
    }

    /// Judgements from a polars frame.
    #[staticmethod]
    #[pyo3(signature = (frame, name = "qrels"))]
    fn from_polars(py: Python<'_>, frame: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        Self::from_arrow(py, frame, name)
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The topics' ids, in ascending order of their bytes.
    #[getter]
    fn topics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let topics = PyList::empty(py);
        for topic in self.qrels.topics() {
            topics.append(text(py, topic.id())?)?;
        }
        Ok(topics)
    }

    /// Number of judgements of all topics.
    #[getter]
    fn judgements(&self) -> usize {
        self.qrels.judgements()
    }

    /// A dict of dicts: topic, document, grade. Whole grades are ints.
    ///
    /// >>> Qrels.from_dict({"q1": {"d1": 1, "d2": 0.5}}).to_dict()
    /// {'q1': {'d1': 1, 'd2': 0.5}}
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for topic in self.qrels.topics() {
            dict.set_item(text(py, topic.id())?, self.grades(py, topic.id())?)?;
        }
        Ok(dict)
    }

    /// Writes a file: trec, json, jsonl, csv, tsv, beir or parquet. It is whole or absent.
    #[pyo3(signature = (path, format = "trec"))]
    fn save(&self, py: Python<'_>, path: PathBuf, format: &str) -> PyResult<()> {
        let format: Option<QrelsFormat> = named(py, Some(format))?;
        let qrels = Arc::clone(&self.qrels);
        work(py, is_long(qrels.judgements()), None, move || {
            let format = format.unwrap_or(QrelsFormat::Trec);
            Ok(io::save_qrels(&qrels, format, path)?)
        })
    }

    fn __len__(&self) -> usize {
        self.qrels.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.topics(py)?.try_iter()
    }

    fn __contains__(&self, topic: &str) -> bool {
        self.qrels.position(topic.as_bytes()).is_some()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, topic: &str) -> PyResult<Bound<'py, PyDict>> {
        let grades = self.grades(py, topic.as_bytes())?;
        grades.ok_or_else(|| PyKeyError::new_err(topic.to_owned()))
    }

    fn __eq__(&self, other: &Self) -> bool {
        let topics = |qrels: &CoreQrels| -> usize { qrels.len() };
        self.name == other.name
            && topics(&self.qrels) == topics(&other.qrels)
            && self
                .qrels
                .topics()
                .zip(other.qrels.topics())
                .all(|(a, b)| a.id() == b.id() && a.judgements().eq(b.judgements()))
    }

    fn __repr__(&self) -> String {
        let (topics, judgements) = (self.qrels.len(), self.qrels.judgements());
        format!(
            "Qrels({:?}, topics={topics}, judgements={judgements})",
            self.name
        )
        .replace('"', "'")
    }

    fn _repr_html_(&self) -> String {
        let (topics, judgements) = (self.qrels.len(), self.qrels.judgements());
        html(
            &self.name,
            &[("topics", topics), ("judgements", judgements)],
        )
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let rebuild = py.get_type::<Self>().getattr("_from_state")?;
        let mut rows = RunBuilder::default();
        for topic in self.qrels.topics() {
            for (doc, grade) in topic.judgements() {
                rows.push(topic.id(), doc, grade, None);
            }
        }
        let state = PyBytes::new(py, &state::write(&rows.finish()));
        Ok((rebuild, (state, &self.name).into_pyobject(py)?))
    }

    #[staticmethod]
    fn _from_state(py: Python<'_>, state: &[u8], name: String) -> PyResult<Self> {
        let rows =
            state::read(state).ok_or_else(|| Failure::Usage("damaged pickle of judgements".into()));
        Self::of_rows(py, rows.or_raise(py)?, name)
    }
}

impl PyQrels {
    /// Judgements from rows whose scores are grades.
    pub(crate) fn of_rows(py: Python<'_>, rows: CoreRun, name: String) -> PyResult<Self> {
        let qrels = py.detach(|| dicts::qrels_of(&rows)).or_raise(py)?;
        Ok(Self {
            qrels: Arc::new(qrels),
            name,
        })
    }

    fn grades<'py>(&self, py: Python<'py>, topic: &[u8]) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(topic) = self.qrels.get(topic) else {
            return Ok(None);
        };
        let grades = PyDict::new(py);
        for (doc, grade) in topic.judgements() {
            let doc = text(py, doc)?;
            let whole = grade as i64;
            if whole as f64 == grade {
                grades.set_item(doc, whole)?;
            } else {
                grades.set_item(doc, grade)?;
            }
        }
        Ok(Some(grades))
    }
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

/// A name and counts, for notebooks.
fn html(name: &str, counts: &[(&str, usize)]) -> String {
    let name = name
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let counts: String = counts
        .iter()
        .map(|(what, count)| format!("<td>{count} {what}</td>"))
        .collect();
    format!("<table><tr><th>{name}</th>{counts}</tr></table>")
}
