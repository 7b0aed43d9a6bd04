//! `Evaluation`: scores of runs, and what they depend on.

use std::collections::HashMap;
use std::sync::Arc;

use cranfield::Evaluation;
use cranfield::core::measure::Computation;
use cranfield_cli::args::ResultFormat;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyIterator, PyList, PyTuple};

use crate::arguments::{flag, text as unicode};
use crate::arrow_out;
use crate::ask::{Asked, Words};
use crate::cells::Cells;
use crate::data::text;
use crate::errors::{Failure, OrRaise, STYLE};
use crate::frames_out;
use crate::saved;
use crate::scores_out::{DIGITS, decimals};

/// Scores of runs: values by run and measure, and by topic; the notes of the command line.
///
/// >>> evaluation = evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 1.0}}, "RR")
/// >>> evaluation
/// Evaluation(runs=['run'], measures=['RR'], topics=1)
/// >>> evaluation["run", "RR"]
/// 1.0
#[pyclass(frozen, module = "cranfield", name = "Evaluation")]
#[derive(Debug)]
pub(crate) struct PyEvaluation {
    pub(crate) evaluation: Arc<Evaluation>,
    pub(crate) names: Vec<String>,
    words: Words,
}

impl PyEvaluation {
    pub(crate) fn new(evaluation: Evaluation, words: Words) -> Self {
        let names = Asked::names(&evaluation.plan.measures, evaluation.profile);
        Self {
            evaluation: Arc::new(evaluation),
            names,
            words,
        }
    }

    /// The place of a run by its name.
    fn run(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        let mut runs = self.evaluation.runs.iter();
        let found = runs.position(|run| run.scores.name == name);
        let unknown = || Failure::Unknown(format!("no run `{name}`; see `runs`"));
        found.ok_or_else(unknown).or_raise(py)
    }

    /// The place of a measure by the name that results have, or by any other of its names.
    fn measure(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        let canonical = |at: &usize| self.evaluation.plan.measures[*at].to_string() == name;
        let found = self.names.iter().position(|known| known == name);
        let found = found.or_else(|| (0..self.names.len()).find(canonical));
        let unknown = || Failure::Unknown(format!("`{name}` was not asked for; see `measures`"));
        found.ok_or_else(unknown).or_raise(py)
    }

    /// The values of a run.
    pub(crate) fn cells(&self, run: usize) -> Cells<'_> {
        Cells::new(&self.evaluation.runs[run], &self.evaluation.plan.measures)
    }
}

/// The replacement for that many keys.
fn keys(count: usize) -> String {
    format!(
        "{count} keys in brackets; write evaluation[run], evaluation[run, measure], or evaluation.topics(run)[topic][measure]"
    )
}

#[pymethods]
impl PyEvaluation {
    /// A copy with the values of custom measures, by the name of the measure: for each run, in the order of the topics;
    /// `None` is undefined.
    fn _filled(
        &self,
        py: Python<'_>,
        values: HashMap<String, Vec<Vec<Option<f64>>>>,
    ) -> PyResult<Self> {
        let mut evaluation = Evaluation::clone(&self.evaluation);
        // In the order of the measures, whatever that of the dict.
        for (at, name) in self.names.iter().enumerate() {
            let Some(columns) = values.get(name) else {
                continue;
            };
            for (run, column) in evaluation.runs.iter_mut().zip(columns) {
                let column = column.iter().map(|value| value.unwrap_or(f64::NAN));
                let column: Vec<f64> = column.collect();
                if column.len() != run.scores.topics.len() {
                    let message = "a measure of Python has not one value per topic";
                    return Err(Failure::Internal(message.into()).raise(py));
                }
                run.scores.replace(at, &column, &evaluation.plan);
                if let Some(upper) = &mut run.upper {
                    upper.replace(at, &column, &evaluation.plan);
                }
            }
        }
        Ok(Self::new(evaluation, self.words.clone()))
    }

    /// Names of the runs.
    #[getter]
    fn runs(&self) -> Vec<&str> {
        let runs = self.evaluation.runs.iter();
        runs.map(|run| run.scores.name.as_str()).collect()
    }

    /// Names of the measures.
    #[getter]
    fn measures(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// The profile.
    #[getter]
    fn profile(&self) -> &'static str {
        self.evaluation.profile.name()
    }

    /// The policies by name.
    #[getter]
    fn policies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let policies = PyDict::new(py);
        for (name, value) in self.evaluation.plan.policies.named() {
            policies.set_item(name, value)?;
        }
        Ok(policies)
    }

    /// The notes that the command line prints to standard error: topics, policies, ties, unjudged documents.
    #[getter]
    fn notes(&self) -> Vec<String> {
        let notes = self.evaluation.notes();
        notes.iter().map(|note| note.render(STYLE)).collect()
    }

    /// Values by run and measure: means, or another aggregate that the measure defines.
    #[getter]
    fn mean<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.to_dict(py, false)
    }

    /// Values of one run by topic and measure; `None` is undefined.
    fn topics<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = unicode)] run: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let run = self.run(py, run)?;
        let cells = self.cells(run);
        let topics = PyDict::new(py);
        for (at, topic) in self.evaluation.runs[run].scores.topics.iter().enumerate() {
            let values = PyDict::new(py);
            for (measure, name) in self.names.iter().enumerate() {
                values.set_item(name, cells.topic(at, measure).object(py)?)?;
            }
            topics.set_item(text(py, &topic.id)?, values)?;
        }
        Ok(topics)
    }

    /// Values of one run and measure in the order of the topics.
    fn values<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = unicode)] run: &str,
        #[pyo3(from_py_with = unicode)] measure: &str,
    ) -> PyResult<Bound<'py, PyList>> {
        let (run, measure) = (self.run(py, run)?, self.measure(py, measure)?);
        let cells = self.cells(run);
        let values = PyList::empty(py);
        for at in 0..self.evaluation.runs[run].scores.topics.len() {
            values.append(cells.topic(at, measure).object(py)?)?;
        }
        Ok(values)
    }

    /// Values by run and measure; with `per_topic`, by run, topic and measure.
    #[pyo3(signature = (per_topic = false))]
    fn to_dict<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = flag)] per_topic: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let runs = PyDict::new(py);
        for (at, run) in self.evaluation.runs.iter().enumerate() {
            if per_topic {
                runs.set_item(&run.scores.name, self.topics(py, &run.scores.name)?)?;
                continue;
            }
            let (cells, values) = (self.cells(at), PyDict::new(py));
            for (measure, name) in self.names.iter().enumerate() {
                let computation = &self.evaluation.plan.measures[measure].computation;
                if !matches!(computation, Computation::Text(_)) {
                    values.set_item(name, cells.total(measure).object(py)?)?;
                }
            }
            runs.set_item(&run.scores.name, values)?;
        }
        Ok(runs)
    }

    /// A dict of columns: `run`, `topic` if there are topics, and the measures.
    #[pyo3(signature = (per_topic = false))]
    pub(crate) fn to_columns<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = flag)] per_topic: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        frames_out::dict(py, self.columns(per_topic))
    }

    /// A pandas frame: one row per run, or per run and topic.
    #[pyo3(signature = (per_topic = false))]
    fn to_pandas<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = flag)] per_topic: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        frames_out::frame(py, "pandas", self.columns(per_topic))
    }

    /// A polars frame: one row per run, or per run and topic.
    #[pyo3(signature = (per_topic = false))]
    fn to_polars<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = flag)] per_topic: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        frames_out::frame(py, "polars", self.columns(per_topic))
    }

    /// An Arrow table that every library with the PyCapsule interface reads, such as `pyarrow.table(...)`.
    #[pyo3(signature = (per_topic = false))]
    fn to_arrow(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = flag)] per_topic: bool,
    ) -> PyResult<arrow_out::PyTable> {
        arrow_out::PyTable::new(py, self.columns(per_topic))
    }

    /// The values of topics as an Arrow stream, by the PyCapsule interface.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        self.to_arrow(py, true)?
            .__arrow_c_stream__(py, requested_schema)
    }

    /// A table for a terminal.
    #[pyo3(signature = (per_topic = false, digits = 4))]
    fn to_text(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = flag)] per_topic: bool,
        #[pyo3(from_py_with = decimals)] digits: u8,
    ) -> PyResult<String> {
        self.rendered(py, ResultFormat::Table, per_topic, digits)
    }

    /// Markdown.
    #[pyo3(signature = (per_topic = false, digits = 4))]
    fn to_markdown(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = flag)] per_topic: bool,
        #[pyo3(from_py_with = decimals)] digits: u8,
    ) -> PyResult<String> {
        self.rendered(py, ResultFormat::Md, per_topic, digits)
    }

    /// LaTeX.
    #[pyo3(signature = (per_topic = false, digits = 4))]
    fn to_latex(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = flag)] per_topic: bool,
        #[pyo3(from_py_with = decimals)] digits: u8,
    ) -> PyResult<String> {
        self.rendered(py, ResultFormat::Latex, per_topic, digits)
    }

    /// HTML.
    #[pyo3(signature = (per_topic = false, digits = 4))]
    fn to_html(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = flag)] per_topic: bool,
        #[pyo3(from_py_with = decimals)] digits: u8,
    ) -> PyResult<String> {
        self.rendered(py, ResultFormat::Html, per_topic, digits)
    }

    /// CSV at full precision: one line per run, topic and measure.
    #[pyo3(signature = (per_topic = false))]
    fn to_csv(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = flag)] per_topic: bool,
    ) -> PyResult<String> {
        self.rendered(py, ResultFormat::Csv, per_topic, DIGITS)
    }

    /// JSON with provenance, as the command line writes it.
    #[pyo3(signature = (per_topic = false))]
    fn to_json(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = flag)] per_topic: bool,
    ) -> PyResult<String> {
        self.rendered(py, ResultFormat::Json, per_topic, DIGITS)
    }

    /// Lines as `trec_eval` prints them.
    #[pyo3(signature = (per_topic = false))]
    fn to_trec(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = flag)] per_topic: bool,
    ) -> PyResult<String> {
        self.rendered(py, ResultFormat::Trec, per_topic, DIGITS)
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.rendered(py, ResultFormat::Html, false, DIGITS)
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.rendered(py, ResultFormat::Table, false, DIGITS)
    }

    fn __repr__(&self) -> String {
        let list = |names: &[&str]| -> String {
            let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
            quoted.join(", ")
        };
        format!(
            "Evaluation(runs=[{}], measures=[{}], topics={})",
            list(&self.runs()),
            list(&self.measures()),
            self.evaluation.topics
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
    ) -> PyResult<(Bound<'py, PyAny>, (saved::SavedEvaluation,))> {
        let rebuild = py.get_type::<Self>().getattr("_from_state")?;
        let state = saved::SavedEvaluation::of(&self.evaluation, &self.words);
        Ok((rebuild, (state,)))
    }

    #[staticmethod]
    fn _from_state(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let saved = saved::SavedEvaluation::read(state).and_then(saved::SavedEvaluation::restored);
        let (evaluation, words) = saved.or_raise(state.py())?;
        Ok(Self::new(evaluation, words))
    }

    fn __len__(&self) -> usize {
        self.evaluation.runs.len()
    }

    /// The names of the runs.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.runs())?.try_iter()
    }

    /// Whether a run has this name.
    fn __contains__(&self, run: &Bound<'_, PyAny>) -> bool {
        let name = run.extract::<String>();
        name.is_ok_and(|name| self.runs().contains(&name.as_str()))
    }

    /// `evaluation[run, measure]`, a value; `evaluation[run]`, its values by measure.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(pair) = key.cast::<PyTuple>() {
            if pair.len() != 2 {
                return Err(Failure::Usage(keys(pair.len())).raise(py));
            }
            let (run, measure) = (pair.get_item(0)?, pair.get_item(1)?);
            let run = self.run(py, unicode(&run)?)?;
            let measure = self.measure(py, unicode(&measure)?)?;
            return self.cells(run).total(measure).object(py);
        }
        let run = self.run(py, unicode(key)?)?;
        let (cells, values) = (self.cells(run), PyDict::new(py));
        for (measure, name) in self.names.iter().enumerate() {
            values.set_item(name, cells.total(measure).object(py)?)?;
        }
        Ok(values.into_any())
    }
}
