//! Calls that evaluate runs, and those that find their files.

use std::path::PathBuf;

use cranfield::io::{self, QrelsFormat, RunFormat};
use cranfield::{Request, run_names};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{optional_number, optional_text, paths, text as unicode};
use crate::ask::Asked;
use crate::data::named;
use crate::errors::OrRaise;
use crate::evaluation::PyEvaluation;
use crate::inputs::PyInputs;
use crate::work::watched;

/// Evaluates runs.
#[pyfunction]
#[pyo3(signature = (inputs, measures = None, *, profile = "cranfield", level = None, policies = None, threads = None, watch = None))]
pub(crate) fn evaluate(
    py: Python<'_>,
    inputs: &Bound<'_, PyInputs>,
    measures: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = unicode)] profile: &str,
    #[pyo3(from_py_with = optional_number)] level: Option<f64>,
    policies: Option<&Bound<'_, PyDict>>,
    threads: Option<usize>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyEvaluation> {
    let asked = Asked::read(measures, profile, level, policies, py)?;
    let source = inputs.get().source.clone();
    let request = Request {
        hashes: false,
        ..source.request(&asked)
    };
    let evaluation = watched(py, threads, watch, move |progress| {
        source.evaluate(Request {
            progress,
            ..request
        })
    })?;
    Ok(PyEvaluation::new(evaluation, asked.words))
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

/// Rejects names that no format has.
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
