//! Code that judgements and runs in memory share: ids as strings, names, tables, and how they print and pickle.

use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use cranfield::core::run::Run as CoreRun;
use cranfield::run_names;
use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use crate::arrow_in;
use crate::dicts::{Role, shown};
use crate::errors::{Failure, OrRaise};
use crate::state;
use crate::table::Table;
use crate::work::{is_long, work};

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

/// The name of a file's data: its own, unless another is given.
pub(crate) fn name_of(path: &Path, name: Option<&str>) -> String {
    let own = || run_names(&[path.to_string_lossy().as_ref()]).pop();
    name.map(Into::into).or_else(own).unwrap_or_default()
}

/// A table of another library with the Arrow PyCapsule interface.
pub(crate) fn table(table: &Bound<'_, PyAny>, role: Role, name: &str) -> PyResult<Table> {
    let (batches, name) = (arrow_in::batches(table)?, name.to_owned());
    let rows = batches.iter().map(RecordBatch::num_rows).sum();
    work(table.py(), is_long(rows), None, move || {
        Table::new(&batches, role, &name)
    })
}

/// An object of this class from a frame, by Arrow's interface or else column by column.
pub(crate) fn from_frame<'py, T: PyClass>(
    frame: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = frame.py();
    let read = py.import("cranfield._frames")?.getattr("from_frame")?;
    read.call1((py.get_type::<T>(), frame, name))
}

/// Ids of topics.
pub(crate) fn ids<'py, 'a>(
    py: Python<'py>,
    ids: impl Iterator<Item = &'a [u8]>,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for id in ids {
        list.append(text(py, id)?)?;
    }
    Ok(list)
}

/// A dict of the topics with these ids, each with what `of_topic` has for it.
pub(crate) fn dict<'py, 'a>(
    py: Python<'py>,
    ids: impl Iterator<Item = &'a [u8]>,
    of_topic: impl Fn(&[u8]) -> PyResult<Option<Bound<'py, PyDict>>>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for id in ids {
        py.check_signals()?;
        dict.set_item(text(py, id)?, of_topic(id)?)?;
    }
    Ok(dict)
}

/// The entry of a topic, or a `KeyError`.
pub(crate) fn found<'py>(
    topic: &Bound<'py, PyAny>,
    found: Option<Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let unknown = || Failure::Unknown(format!("no topic {}; see `topics`", shown(topic)));
    found.ok_or_else(unknown).or_raise(topic.py())
}

/// A name and counts.
pub(crate) struct Summary<'a> {
    pub(crate) name: &'a str,
    pub(crate) counts: [(&'static str, usize); 2],
}

impl Summary<'_> {
    /// As Python's `repr` has it.
    pub(crate) fn repr<T: PyClass>(&self) -> String {
        let [(one, first), (other, second)] = self.counts;
        let name = format!("{:?}", self.name).replace('"', "'");
        format!("{}({name}, {one}={first}, {other}={second})", T::NAME)
    }

    /// For notebooks.
    pub(crate) fn html(&self) -> String {
        let name = self.name.replace('&', "&amp;");
        let name = name.replace('<', "&lt;").replace('>', "&gt;");
        let cells = self
            .counts
            .map(|(what, count)| format!("<td>{count} {what}</td>"));
        format!("<table><tr><th>{name}</th>{}</tr></table>", cells.concat())
    }
}

/// Number of documents of all topics.
pub(crate) fn documents(rows: &CoreRun) -> usize {
    rows.topics().map(|topic| topic.entries().len()).sum()
}

/// The parts of a pickle: the function that makes the object, rows as bytes, and a name.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// The parts of a pickle of rows of this class.
pub(crate) fn reduced<'py, T: PyClass>(
    py: Python<'py>,
    rows: Arc<CoreRun>,
    name: &str,
) -> PyResult<Reduced<'py>> {
    let rebuild = py.get_type::<T>().getattr("_from_state")?;
    let state = work(py, is_long(documents(&rows)), None, move || {
        Ok(state::write(&rows))
    })?;
    Ok((rebuild, (PyBytes::new(py, &state), name).into_pyobject(py)?))
}

/// The rows of a pickle.
pub(crate) fn rows_of(py: Python<'_>, state: &[u8]) -> PyResult<CoreRun> {
    let damaged = || Failure::Usage("damaged pickle of a run or of judgements".into());
    let state = state.to_vec();
    work(py, is_long(state.len()), None, move || {
        state::read(&state).ok_or_else(damaged)
    })
}
