//! `Output`: the result of a command, which renders formats on demand.

use std::sync::Arc;

use cranfield::core::setting::Message;
use cranfield::render::{Cell, Render, ResultFormat};
use cranfield_cli::results::terminal_width;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arguments::text as unicode;
use crate::errors::{Failure, OrRaise, STYLE};
use crate::given::by_name;
use crate::work::work;

/// A result that can be written in some formats.
pub(crate) trait Rendered: Send + Sync + 'static {
    /// The result in a format.
    fn render(&self, format: ResultFormat) -> anyhow::Result<String>;

    /// The table of csv by columns, if the result has one.
    fn columns(&self) -> Option<Vec<NamedColumn>> {
        None
    }
}

/// A result that an output of the command line prints.
pub(crate) trait Printed: Send + Sync + 'static {
    /// The output.
    fn output(&self) -> Box<dyn Render + '_>;
}

impl<T: Printed> Rendered for T {
    fn render(&self, format: ResultFormat) -> anyhow::Result<String> {
        rendered(self.output().as_ref(), format)
    }

    fn columns(&self) -> Option<Vec<NamedColumn>> {
        Some(record_columns(self.output().as_ref()))
    }
}

/// A column: its name, whether it is one of numbers, and its cells.
pub(crate) struct NamedColumn {
    name: String,
    is_numeric: bool,
    cells: Vec<Cell>,
}

impl NamedColumn {
    fn new(name: String, cells: Vec<Cell>) -> Self {
        let is_numeric = !cells.iter().any(|cell| matches!(cell, Cell::Text(_)));
        Self {
            name,
            is_numeric,
            cells,
        }
    }

    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        if self.is_numeric {
            return PyList::new(py, self.cells.iter().map(number));
        }
        PyList::new(py, self.cells.iter().map(string))
    }
}

fn number(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Int(value) => Some(*value as f64),
        Cell::Real(value) | Cell::Marked(value, _) => Some(*value),
        Cell::Text(_) | Cell::Missing => None,
    }
}

fn string(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Text(text) => (!text.is_empty()).then(|| text.clone()),
        Cell::Int(value) => Some(value.to_string()),
        Cell::Real(value) | Cell::Marked(value, _) => Some(value.to_string()),
        Cell::Missing => None,
    }
}

/// The columns of an output's records.
pub(crate) fn record_columns(output: &dyn Render) -> Vec<NamedColumn> {
    let columns = output.records().into_columns().into_iter();
    columns
        .map(|(name, cells)| NamedColumn::new(name, cells))
        .collect()
}

/// An output of the command line in a format.
pub(crate) fn rendered(output: &dyn Render, format: ResultFormat) -> anyhow::Result<String> {
    Ok(output.render(format, terminal_width())?)
}

/// The result of a command.
#[pyclass(frozen, module = "cranfield._core", name = "Output")]
pub(crate) struct PyOutput {
    command: &'static str,
    exit_code: u8,
    notes: Vec<String>,
    result: Arc<dyn Rendered>,
}

impl PyOutput {
    pub(crate) fn new(command: &'static str, notes: Vec<Message>, result: impl Rendered) -> Self {
        let notes = notes.iter();
        Self {
            command,
            exit_code: 0,
            notes: notes.map(|note| note.render(STYLE)).collect(),
            result: Arc::new(result),
        }
    }

    pub(crate) fn with_code(self, exit_code: u8) -> Self {
        Self { exit_code, ..self }
    }
}

#[pymethods]
impl PyOutput {
    /// The command's name.
    #[getter]
    fn command(&self) -> &'static str {
        self.command
    }

    /// The exit code of the command line.
    #[getter]
    fn exit_code(&self) -> u8 {
        self.exit_code
    }

    /// The notes that the command line prints on standard error.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// The result in a format of the command line.
    fn render(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = unicode)] format: &str,
    ) -> PyResult<String> {
        let unknown = |why| Failure::Usage(format!("format '{format}': {why}"));
        let format = by_name(format).map_err(unknown).or_raise(py)?;
        let result = Arc::clone(&self.result);
        work(py, true, None, move || Ok(result.render(format)?))
    }

    /// The table of csv by columns: floats or strings, with `None` for empty cells. `None` without such a table.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(columns) = py.detach(|| self.result.columns()) else {
            return Ok(None);
        };
        let dict = PyDict::new(py);
        for column in columns {
            dict.set_item(&column.name, column.list(py)?)?;
        }
        Ok(Some(dict))
    }
}
