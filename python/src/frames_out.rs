//! Columns of runs and judgements, and frames of other libraries.

use cranfield::core::run::Run as CoreRun;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrow_out::Column;

/// Columns by name.
pub(crate) type Columns = Vec<(String, Column)>;

/// A dict of lists.
pub(crate) fn dict(py: Python<'_>, columns: Columns) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for (name, column) in columns {
        match column {
            Column::Strings(strings) => dict.set_item(name, strings)?,
            Column::Numbers(numbers) => dict.set_item(name, numbers)?,
        }
    }
    Ok(dict)
}

/// A frame of a library. Columns of numbers are floats, even if they have no value.
pub(crate) fn frame<'py>(
    py: Python<'py>,
    library: &str,
    columns: Columns,
) -> PyResult<Bound<'py, PyAny>> {
    let numbers = columns.iter();
    let numbers = numbers.filter(|(_, column)| matches!(column, Column::Numbers(_)));
    let numbers: Vec<String> = numbers.map(|(name, _)| name.clone()).collect();
    let make = py.import("cranfield._frames")?.getattr("to_frame")?;
    make.call1((library, dict(py, columns)?, numbers))
}

/// Columns with the names of CSV files: `topic`, `doc`, the number, and `rank` if any document has one. Bytes of ids that are not
/// UTF-8 become U+FFFD.
pub(crate) fn rows(run: &CoreRun, number: &str) -> Columns {
    let id = |id: &[u8]| Some(String::from_utf8_lossy(id).into_owned());
    let all = || {
        let topics = run.topics();
        topics.flat_map(|topic| topic.entries().map(move |entry| (topic.id(), entry)))
    };
    let topics = all().map(|(topic, _)| id(topic)).collect();
    let docs = all().map(|(_, entry)| id(entry.doc)).collect();
    let numbers = all().map(|(_, entry)| Some(entry.score)).collect();
    let mut columns = vec![
        ("topic".to_owned(), Column::Strings(topics)),
        ("doc".to_owned(), Column::Strings(docs)),
        (number.to_owned(), Column::Numbers(numbers)),
    ];
    if all().any(|(_, entry)| entry.rank.is_some()) {
        let ranks = all().map(|(_, entry)| entry.rank).collect();
        columns.push(("rank".to_owned(), Column::Numbers(ranks)));
    }
    columns
}
