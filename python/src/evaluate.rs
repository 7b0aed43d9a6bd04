//! Calls that evaluate files, and runs in memory.

use std::path::PathBuf;
use std::sync::Arc;

use cranfield::compare::Step;
use cranfield::io::{self, QrelsFormat, RunFormat};
use cranfield::{Evaluation, Inputs, Request, run_names};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{
    optional_number, optional_path, optional_text, path, paths, text as unicode,
};
use crate::ask::Asked;
use crate::data::named;
use crate::errors::OrRaise;
use crate::evaluation::PyEvaluation;
use crate::qrels::PyQrels;
use crate::run::PyRun;
use crate::work::watched;

/// Evaluates files, as `cranfield eval` does.
#[pyfunction]
#[pyo3(signature = (qrels, runs, measures = None, *, profile = "cranfield", level = None, policies = None, qrels_format = None, run_format = None, intents = None, known = None, sessions = None, threads = None, watch = None))]
#[allow(
    clippy::too_many_arguments,
    reason = "they are the keywords of a Python call"
)]
pub(crate) fn evaluate_files(
    py: Python<'_>,
    #[pyo3(from_py_with = path)] qrels: PathBuf,
    #[pyo3(from_py_with = paths)] runs: Vec<PathBuf>,
    measures: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = unicode)] profile: &str,
    #[pyo3(from_py_with = optional_number)] level: Option<f64>,
    policies: Option<&Bound<'_, PyDict>>,
    #[pyo3(from_py_with = optional_text)] qrels_format: Option<&str>,
    #[pyo3(from_py_with = optional_text)] run_format: Option<&str>,
    #[pyo3(from_py_with = optional_path)] intents: Option<PathBuf>,
    #[pyo3(from_py_with = optional_path)] known: Option<PathBuf>,
    #[pyo3(from_py_with = optional_path)] sessions: Option<PathBuf>,
    threads: Option<usize>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyEvaluation> {
    let asked = Asked::read(measures, profile, level, policies, py)?;
    let qrels_format: Option<QrelsFormat> = named(py, qrels_format)?;
    let run_format: Option<RunFormat> = named(py, run_format)?;
    let words = asked.words;
    let evaluation = watched(py, threads, watch, move |watcher| {
        let request = Request {
            qrels_format,
            intents,
            run_format,
            known,
            sessions,
            policies: asked.policies,
            profile: asked.profile,
            ..Request::new(qrels, io::expand_paths(&runs)?, asked.measures)
        };
        let tell = |step: Step<'_>| watcher.tell(step);
        Ok(Evaluation::of_files_watched(request, &tell)?)
    })?;
    Ok(PyEvaluation::new(evaluation, words))
}

/// The files of paths, globs and folders, with the names that results have for their runs.
#[pyfunction]
pub(crate) fn expand_paths(
    py: Python<'_>,
    #[pyo3(from_py_with = paths)] paths: Vec<PathBuf>,
) -> PyResult<Vec<(String, PathBuf)>> {
    let paths = io::expand_paths(&paths).or_raise(py)?;
    let names: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    Ok(run_names(&names).into_iter().zip(paths.clone()).collect())
}

/// Refuses names that no format has.
#[pyfunction]
#[pyo3(signature = (*, qrels = None, run = None))]
pub(crate) fn check_formats(
    py: Python<'_>,
    #[pyo3(from_py_with = optional_text)] qrels: Option<&str>,
    #[pyo3(from_py_with = optional_text)] run: Option<&str>,
) -> PyResult<()> {
    named::<QrelsFormat>(py, qrels)?;
    named::<RunFormat>(py, run)?;
    Ok(())
}

/// Evaluates runs in memory.
#[pyfunction]
#[pyo3(signature = (qrels, runs, measures = None, *, profile = "cranfield", level = None, policies = None, threads = None, watch = None))]
#[allow(
    clippy::too_many_arguments,
    reason = "they are the keywords of a Python call"
)]
pub(crate) fn evaluate_runs(
    py: Python<'_>,
    qrels: &Bound<'_, PyQrels>,
    runs: Vec<Bound<'_, PyRun>>,
    measures: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = unicode)] profile: &str,
    #[pyo3(from_py_with = optional_number)] level: Option<f64>,
    policies: Option<&Bound<'_, PyDict>>,
    threads: Option<usize>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyEvaluation> {
    let asked = Asked::read(measures, profile, level, policies, py)?;
    let qrels = Arc::clone(&qrels.get().qrels);
    let runs = runs
        .iter()
        .map(|run| run.get().data().input(&run.get().name));
    let inputs = Inputs::in_memory(qrels, runs);
    let (request, words) = (asked.request(), asked.words);
    let evaluation = watched(py, threads, watch, move |watcher| {
        let tell = |step: Step<'_>| watcher.tell(step);
        Ok(inputs.evaluate_watched(&request, &tell)?)
    })?;
    Ok(PyEvaluation::new(evaluation, words))
}
