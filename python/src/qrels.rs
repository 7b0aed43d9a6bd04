//! `Qrels`: judgements in memory, which nothing changes once they are made.

use std::path::PathBuf;
use std::sync::Arc;

use cranfield::Qrels as CoreQrels;
use cranfield::core::run::{Run as CoreRun, RunBuilder};
use cranfield::io::{self, QrelsFormat, Source};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyIterator, PyList, PyString};

use crate::arguments::{optional_text, path, text as unicode};
use crate::arrow_out::PyTable;
use crate::columns;
use crate::data::{self, Reduced, Summary, named, text};
use crate::dicts::{self, Numbers, Role, id_bytes};
use crate::frames_out::{self, Columns};
use crate::work::{self, is_long, work};

/// Relevance judgements: the grades of documents for each topic.
#[pyclass(frozen, module = "cranfield", name = "Qrels")]
#[derive(Debug)]
pub(crate) struct PyQrels {
    pub(crate) qrels: Arc<CoreQrels>,
    pub(crate) name: String,
}

#[pymethods]
impl PyQrels {
    /// Judgements from a dict of dicts: topic, document, grade.
    ///
    /// >>> Qrels.from_dict({"q1": {"d1": 1, "d2": 0}})
    /// Qrels('qrels', topics=1, judgements=2)
    #[staticmethod]
    #[pyo3(signature = (grades, name = "qrels"))]
    fn from_dict(
        py: Python<'_>,
        grades: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = unicode)] name: &str,
    ) -> PyResult<Self> {
        let rows = dicts::read(grades, Role::Qrels, Numbers::Finite, name)?;
        Self::of_rows(py, rows, name.into())
    }

    /// Reads a file in any format of the command line with one grade per document, compressed or not.
    #[staticmethod]
    #[pyo3(signature = (path, format = None, name = None))]
    fn from_file(
        py: Python<'_>,
        #[pyo3(from_py_with = path)] path: PathBuf,
        #[pyo3(from_py_with = optional_text)] format: Option<&str>,
        #[pyo3(from_py_with = optional_text)] name: Option<&str>,
    ) -> PyResult<Self> {
        let format: Option<QrelsFormat> = named(py, format)?;
        let name = data::name_of(&path, name);
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
        #[pyo3(from_py_with = unicode)] name: &str,
    ) -> PyResult<Self> {
        let rows = columns::rows((topics, docs), grades, None, Role::Qrels, name)?;
        Self::of_rows(py, rows.to_run(), name.into())
    }

    /// Judgements from a table of any library with the Arrow PyCapsule interface. Column names are those of CSV files, such as
    /// `topic`, `doc` and `grade`, or `qid`, `docno` and `label`.
    #[staticmethod]
    #[pyo3(signature = (table, name = "qrels"))]
    fn from_arrow(
        py: Python<'_>,
        table: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = unicode)] name: &str,
    ) -> PyResult<Self> {
        let table = data::table(table, Role::Qrels, name)?;
        let rows = work(py, is_long(table.rows()), None, move || Ok(table.to_run()))?;
        Self::of_rows(py, rows, name.into())
    }

    /// Judgements from a pandas frame.
    #[staticmethod]
    #[pyo3(signature = (frame, name = "qrels"))]
    fn from_pandas<'py>(
        frame: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = unicode)] name: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        data::from_frame::<Self>(frame, name)
    }

    /// Judgements from a polars frame.
    #[staticmethod]
    #[pyo3(signature = (frame, name = "qrels"))]
    fn from_polars<'py>(
        frame: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = unicode)] name: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        data::from_frame::<Self>(frame, name)
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The ids of the topics, in ascending order of their bytes.
    #[getter]
    fn topics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        data::ids(py, self.qrels.topics().map(|topic| topic.id()))
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
        let topics = self.qrels.topics().map(|topic| topic.id());
        data::dict(py, topics, |topic| self.grades(py, topic))
    }

    /// A dict of columns: `topic`, `doc` and `rel`.
    ///
    /// >>> Qrels.from_dict({"q1": {"d1": 2}}).to_columns()
    /// {'topic': ['q1'], 'doc': ['d1'], 'rel': [2.0]}
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

    /// Writes a file: trec, json, jsonl, csv, tsv, beir or parquet. The file appears only when it is complete.
    #[pyo3(signature = (path, format = "trec"))]
    fn save(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = path)] path: PathBuf,
        #[pyo3(from_py_with = unicode)] format: &str,
    ) -> PyResult<()> {
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

    fn __contains__(&self, topic: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(topic) = topic.cast::<PyString>() else {
            return Ok(false);
        };
        Ok(self.qrels.position(&id_bytes(topic)?).is_some())
    }

    fn __getitem__<'py>(&self, topic: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let Ok(id) = topic.cast::<PyString>() else {
            return data::found(topic, None);
        };
        data::found(topic, self.grades(topic.py(), &id_bytes(id)?)?)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.name == other.name
            && self.qrels.len() == other.qrels.len()
            && self
                .qrels
                .topics()
                .zip(other.qrels.topics())
                .all(|(a, b)| a.id() == b.id() && a.judgements().eq(b.judgements()))
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
        data::reduced::<Self>(py, Arc::new(rows(&self.qrels)), &self.name)
    }

    #[staticmethod]
    fn _from_state(py: Python<'_>, state: &[u8], name: String) -> PyResult<Self> {
        Self::of_rows(py, data::rows_of(py, state)?, name)
    }
}

impl PyQrels {
    /// Judgements from rows whose scores are grades.
    pub(crate) fn of_rows(py: Python<'_>, rows: CoreRun, name: String) -> PyResult<Self> {
        Ok(Self {
            qrels: of_rows(py, rows)?,
            name,
        })
    }

    fn columns(&self, py: Python<'_>) -> PyResult<Columns> {
        let qrels = Arc::clone(&self.qrels);
        work(py, is_long(qrels.judgements()), None, move || {
            Ok(frames_out::rows(&rows(&qrels), "rel"))
        })
    }

    fn summary(&self) -> Summary<'_> {
        let judgements = self.qrels.judgements();
        Summary {
            name: &self.name,
            counts: [("topics", self.qrels.len()), ("judgements", judgements)],
        }
    }

    fn grades<'py>(&self, py: Python<'py>, topic: &[u8]) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(topic) = self.qrels.get(topic) else {
            return Ok(None);
        };
        let grades = PyDict::new(py);
        for (place, (doc, grade)) in topic.judgements().enumerate() {
            work::at(py, place)?;
            grades.set_item(text(py, doc)?, number(py, grade)?)?;
        }
        Ok(Some(grades))
    }
}

/// Rows whose scores are grades.
pub(crate) fn rows(qrels: &CoreQrels) -> CoreRun {
    let mut rows = RunBuilder::default();
    for topic in qrels.topics() {
        for (doc, grade) in topic.judgements() {
            rows.push(topic.id(), doc, grade, None);
        }
    }
    rows.finish()
}

/// Judgements from rows whose scores are grades.
pub(crate) fn of_rows(py: Python<'_>, rows: CoreRun) -> PyResult<Arc<CoreQrels>> {
    work(py, is_long(data::documents(&rows)), None, move || {
        Ok(Arc::new(dicts::qrels_of(&rows)?))
    })
}

/// A grade as Python has it: an int if it is whole.
fn number(py: Python<'_>, grade: f64) -> PyResult<Bound<'_, PyAny>> {
    let float = PyFloat::new(py, grade);
    if grade.fract() != 0.0 {
        return Ok(float.into_any());
    }
    let whole = grade as i64;
    // At its limits, the conversion stops at numbers that are not the grade.
    if whole.unsigned_abs() < 1 << 62 {
        return Ok(whole.into_pyobject(py)?.into_any());
    }
    float.call_method0("__int__")
}
