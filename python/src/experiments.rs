//! `Experiment` and `demo`.

use std::path::PathBuf;

use cranfield::lab::demo::demo as write_demo;
use cranfield::lab::experiment::{Difference, Experiment, Outcome};
use cranfield::render::{Cell, Column, Content, Records, Render, Section, Table};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::arguments::{optional_text, path};
use crate::errors::{Failure, OrRaise};
use crate::output::{Printed, PyOutput};
use crate::work::watched;

/// The exit code if files differ.
const FAILED: u8 = 1;

/// The exit code if a run could not be made.
const INVALID: u8 = 3;

/// Steps that were done or planned.
struct Steps(Outcome);

impl Printed for Steps {
    fn output(&self) -> Box<dyn Render + '_> {
        Box::new(self.0.clone())
    }
}

/// Files that differ when everything is done again.
#[derive(Clone)]
struct Differences(Vec<Difference>);

impl Printed for Differences {
    fn output(&self) -> Box<dyn Render + '_> {
        Box::new(self.clone())
    }
}

impl Render for Differences {
    fn content(&self) -> Content {
        let mut table = Table::new(["file", "difference"].map(Column::text));
        for difference in &self.0 {
            table.push([&difference.path, difference.what].map(Cell::text));
        }
        Content::Sections(vec![Section {
            title: String::new(),
            table,
        }])
    }

    fn records(&self) -> Records<'_> {
        let rows = self.0.iter();
        let rows = rows.map(|one| [one.path.as_str(), one.what].map(Cell::text).to_vec());
        Records::named(["file", "difference"], rows)
    }

    fn json(&self) -> Value {
        let rows = self.0.iter();
        let rows = rows.map(|one| json!({ "file": one.path, "difference": one.what }));
        json!({ "differences": rows.collect::<Vec<_>>() })
    }
}

/// The folder of the outputs and the report of an experiment.
#[pyfunction]
pub(crate) fn experiment_paths(
    py: Python<'_>,
    #[pyo3(from_py_with = path)] file: PathBuf,
) -> PyResult<(PathBuf, Option<PathBuf>)> {
    let experiment = Experiment::open(file).or_raise(py)?;
    Ok((experiment.output().into(), experiment.report()))
}

/// Does the steps of an experiment, or one of them and those that it needs.
#[pyfunction]
pub(crate) fn experiment_run(
    py: Python<'_>,
    #[pyo3(from_py_with = path)] file: PathBuf,
    #[pyo3(from_py_with = optional_text)] only: Option<&str>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    let only = only.map(ToOwned::to_owned);
    watched(py, None, watch, move |progress| {
        let mut experiment = Experiment::open(file)?;
        experiment.progress = progress;
        Ok(done(
            "experiment",
            &experiment,
            experiment.run(only.as_deref())?,
        ))
    })
}

/// The steps of an experiment and what is to be done.
#[pyfunction]
pub(crate) fn experiment_plan(
    py: Python<'_>,
    #[pyo3(from_py_with = path)] file: PathBuf,
) -> PyResult<PyOutput> {
    watched(py, None, None, move |_| {
        let plan = Experiment::open(file)?.plan()?;
        let notes = plan.notes.iter().cloned().map(Into::into).collect();
        Ok(PyOutput::new("experiment", notes, Steps(plan)))
    })
}

/// Does everything again in a temporary folder, and compares the files.
#[pyfunction]
pub(crate) fn experiment_check(
    py: Python<'_>,
    #[pyo3(from_py_with = path)] file: PathBuf,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    watched(py, None, watch, move |progress| {
        let mut experiment = Experiment::open(file)?;
        experiment.progress = progress;
        let differences = experiment.check()?;
        let code = if differences.is_empty() { 0 } else { FAILED };
        let output = PyOutput::new("experiment", Vec::new(), Differences(differences));
        Ok(output.with_code(code))
    })
}

/// Writes the bundled collection and runs its experiment.
#[pyfunction]
pub(crate) fn demo(
    py: Python<'_>,
    #[pyo3(from_py_with = path)] folder: PathBuf,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    watched(py, None, watch, move |progress| {
        let mut experiment = write_demo(&folder)?;
        experiment.progress = progress;
        let outcome = experiment.run(None)?;
        Ok::<_, Failure>(done("demo", &experiment, outcome))
    })
}

fn done(command: &'static str, experiment: &Experiment, outcome: Outcome) -> PyOutput {
    let is_made = outcome.steps.iter().any(|step| step.name == "evaluate");
    let report = experiment.report().filter(|_| is_made);
    let report = report.map(|report| format!("report: {}", report.display()));
    let notes = outcome.notes.iter().cloned().chain(report);
    let code = if outcome.has_failed() { INVALID } else { 0 };
    let output = PyOutput::new(command, notes.map(Into::into).collect(), Steps(outcome));
    output.with_code(code)
}
