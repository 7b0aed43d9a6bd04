//! Columns of ids and numbers that are no Arrow data: buffers such as numpy's arrays, lists, and what can be made one.

use arrow_array::LargeStringArray;
use arrow_array::builder::{ArrayBuilder, LargeStringBuilder};
use cranfield::io::Code;
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFrozenSet, PyInt, PyList, PySet, PyString};

use crate::arguments::HALF_PAIR;
use crate::buffers::{changes, converted, is_native, narrowed, rows_of};
use crate::dicts::{Role, is_missing, too_large, type_name};
use crate::errors::{Failure, OrRaise};
use crate::strings::{Ids, Strings};
use crate::table::Table;
use crate::work::{self, is_long, work};

/// Rows for each topic from which on the topics of a column are looked for first, and then read.
const MANY: usize = 8;

/// Rows from columns of the same length: topics, documents, scores or grades, and ranks where there are any.
pub(crate) fn rows(
    (topics, docs): (&Bound<'_, PyAny>, &Bound<'_, PyAny>),
    values: &Bound<'_, PyAny>,
    ranks: Option<&Bound<'_, PyAny>>,
    role: Role,
    name: &str,
) -> PyResult<Table> {
    let py = topics.py();
    let topics = match stretches(topics)? {
        Some(topics) => topics,
        None => ids(topics, "topics", role)?,
    };
    let values = numbers(values, role, role.value())?;
    let ranks = ranks
        .map(|ranks| numbers(ranks, role, "rank"))
        .transpose()?;
    // The last, as its threads are then still awake when an evaluation follows.
    let docs = ids(docs, "documents", role)?;
    let lengths = [topics.len(), docs.len(), values.len()];
    let ranked = ranks.as_ref().map_or(values.len(), Vec::len);
    if lengths.iter().any(|length| *length != ranked) {
        let of_ranks = ranks.map_or_else(String::new, |_| format!(", {ranked} ranks"));
        let message = format!(
            "columns have different lengths: {} topics, {} documents, {} {}s{of_ranks}",
            lengths[0],
            lengths[1],
            lengths[2],
            role.value()
        );
        return Err(Failure::Usage(message).raise(py));
    }
    let name = name.to_owned();
    work(py, is_long(values.len()), None, move || {
        Table::of_columns((&topics, docs), (values, ranks), role, &name)
    })
}

/// A column of ids, which needs no interpreter any more.
fn ids(column: &Bound<'_, PyAny>, what: &'static str, role: Role) -> PyResult<Ids> {
    let column = &of_series(column);
    check_column(column, what)?;
    if let Ok(list) = column.cast::<PyList>() {
        return listed(list, what, role);
    }
    if let Some(ids) = of_array(column, what)? {
        return Ok(ids);
    }
    let list = if column.hasattr("tolist")? {
        column.call_method0("tolist")?
    } else {
        let list = PyList::empty(column.py());
        for id in column.try_iter()? {
            list.append(id?)?;
        }
        list.into_any()
    };
    match list.cast::<PyList>() {
        Ok(list) => listed(list, what, role),
        Err(_) => Err(no_column(column, what)),
    }
}

/// Rejects what has no rows in an order: one text, sets and dicts, and objects that cannot be iterated.
fn check_column(column: &Bound<'_, PyAny>, what: &str) -> PyResult<()> {
    let is_text = column.is_instance_of::<PyString>() || column.is_instance_of::<PyBytes>();
    let is_unordered = column.is_instance_of::<PySet>()
        || column.is_instance_of::<PyFrozenSet>()
        || column.is_instance_of::<PyDict>();
    let is_iterable = column.hasattr("__iter__")? || column.hasattr("__getitem__")?;
    if is_text || is_unordered || !is_iterable {
        return Err(no_column(column, what));
    }
    check_array(column, what)
}

fn no_column(column: &Bound<'_, PyAny>, what: &str) -> PyErr {
    let message = format!(
        "{what}: expected a column such as a list or an array, found a {}",
        type_name(column)
    );
    Failure::Type(message).raise(column.py())
}

/// The array of a column of pandas, polars or pyarrow, if it has one; any other column as it is.
fn of_series<'py>(column: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    let array = column.call_method0("to_numpy");
    array.unwrap_or_else(|_| column.clone())
}

/// Rejects arrays of which a part would be lost: rows that are masked, further dimensions, imaginary parts.
fn check_array(column: &Bound<'_, PyAny>, what: &str) -> PyResult<()> {
    let Ok(kind) = column.getattr("dtype") else {
        return Ok(());
    };
    let refuse = |why: String| Err(Failure::Usage(format!("{what}: {why}")).raise(column.py()));
    if let Ok(dimensions) = column.getattr("ndim").and_then(|n| n.extract::<usize>())
        && dimensions != 1
    {
        return refuse(format!("the array has {dimensions} dimensions, not one"));
    }
    let kind: Option<String> = kind.getattr("kind").and_then(|kind| kind.extract()).ok();
    match kind.as_deref() {
        Some("c") => return refuse("numbers are complex; give their real parts".into()),
        Some("M" | "m") => {
            return refuse("these are times; convert them to strings or numbers first".into());
        }
        _ => {}
    }
    // Only arrays with masks have this method.
    if column.hasattr("filled")? {
        let masked = column.getattr("mask")?.call_method0("any")?;
        if masked.is_truthy()? {
            return refuse("some rows are masked; leave them out, or fill them".into());
        }
    }
    Ok(())
}

/// A text; one that is no Unicode, because it holds half of a pair of surrogates, is refused.
fn text<'t>(id: &'t Bound<'_, PyString>, what: &str, row: usize) -> PyResult<&'t str> {
    id.to_str().map_err(|_| no_unicode(id.py(), what, row))
}

fn no_unicode(py: Python<'_>, what: &str, row: usize) -> PyErr {
    let row = row + 1;
    let message = format!("{what}: the id in row {row} is no Unicode text: {HALF_PAIR}");
    Failure::Usage(message).raise(py)
}

fn no_id(role: Role, what: &str, row: usize) -> Failure {
    role.missing(Code::EmptyId, &format!("the column of {what}"), row)
}

/// The strings of a list.
fn listed(list: &Bound<'_, PyList>, what: &str, role: Role) -> PyResult<Ids> {
    let mut strings = LargeStringBuilder::with_capacity(list.len(), list.len() * 8);
    // Topics are mostly the same object row after row, of which the text is looked at once.
    let (mut keys, mut last) = (Vec::new(), None);
    for (row, id) in list.iter().enumerate() {
        work::at(list.py(), row)?;
        if last.as_ref().is_some_and(|last| id.is(last)) {
            keys.push(strings.len() - 1);
            continue;
        }
        last = Some(id.clone());
        keys.push(strings.len());
        if let Ok(id) = id.cast::<PyString>() {
            strings.append_value(text(id, what, row)?);
        } else if let Some(number) = whole_id(&id) {
            strings.append_value(number.str()?.to_str()?);
        } else if is_missing(&id) {
            return Err(no_id(role, what, row).raise(list.py()));
        } else {
            // Whole numbers become floats where pandas has none for a row.
            if let Some(row) = list.iter().position(|id| is_missing(&id)) {
                return Err(no_id(role, what, row).raise(list.py()));
            }
            let message = format!(
                "{what}: the id in row {} is a {}; expected a str or an int",
                row + 1,
                type_name(&id)
            );
            return Err(Failure::Type(message).raise(list.py()));
        }
    }
    let strings = Strings::Large(strings.finish());
    Ok(Ids::Strings(if strings.len() == keys.len() {
        strings
    } else {
        Strings::Dictionary(keys, Box::new(strings))
    }))
}

/// An id that is a whole number, of Python or of numpy. `True` and `False` are none, although Python counts with them.
fn whole_id<'py>(id: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    if id.is_exact_instance_of::<PyInt>() {
        return Some(id.clone());
    }
    let number = id.call_method0("__index__");
    number.ok().filter(|_| !id.is_instance_of::<PyBool>())
}

/// The ids of an array of numpy with one dimension, whose strings or whole numbers need no Python objects.
fn of_array(column: &Bound<'_, PyAny>, what: &str) -> PyResult<Option<Ids>> {
    let Ok(kind) = column.getattr("dtype") else {
        return Ok(None);
    };
    let is = |wanted: &str| {
        kind.getattr("kind")
            .is_ok_and(|kind| kind.eq(wanted).unwrap_or(false))
    };
    if is("i") || is("u") {
        return Ok(whole(column).map(Ids::Whole));
    }
    let Some(width) = width_of(column)? else {
        return Ok(None);
    };
    strings(column, width, what).map(Some)
}

/// The number of characters of each text of numpy, if the column is an array of strings with one dimension.
fn width_of(column: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    let Ok(kind) = column.getattr("dtype") else {
        return Ok(None);
    };
    let is_text = kind
        .getattr("kind")
        .is_ok_and(|kind| kind.eq("U").unwrap_or(false));
    if !is_text || !is_native(column) || column.getattr("ndim")?.extract::<usize>()? != 1 {
        return Ok(None);
    }
    let width = kind.getattr("itemsize")?.extract::<usize>()? / 4;
    Ok(Some(width).filter(|width| *width > 0))
}

/// The strings of an array of numpy with many rows for each, of which one is read.
fn stretches(column: &Bound<'_, PyAny>) -> PyResult<Option<Ids>> {
    let column = &of_series(column);
    let Some(width) = width_of(column)? else {
        return Ok(None);
    };
    check_column(column, "topics")?;
    let codes = characters(column)?;
    let rows = column.len()?;
    let Some(changes) = changes(&codes, width)? else {
        return Ok(None);
    };
    if rows == 0 || changes.len() > rows / MANY {
        return Ok(None);
    }
    let firsts = std::iter::once(0).chain(changes.iter().copied());
    let Some(firsts) = rows_of(&codes, width, firsts)? else {
        return Ok(None);
    };
    let row_of = |at: usize| at.checked_sub(1).map_or(0, |at| changes[at]);
    let strings =
        decoded(&firsts, width).map_err(|at| no_unicode(column.py(), "topics", row_of(at)))?;
    let ends = changes.iter().copied().chain([rows]).collect();
    Ok(Some(Ids::Stretches(ends, Strings::Large(strings))))
}

/// Whole numbers of a buffer, unless some are too large.
fn whole(column: &Bound<'_, PyAny>) -> Option<Vec<i64>> {
    let natural = || -> Option<Vec<i64>> {
        let numbers = converted(column, |value: u64| value)?.into_iter();
        numbers.map(|number| number.try_into().ok()).collect()
    };
    converted(column, |value: i64| value)
        .or_else(|| converted::<i32, i64>(column, Into::into))
        .or_else(|| converted::<i16, i64>(column, Into::into))
        .or_else(|| converted::<i8, i64>(column, Into::into))
        .or_else(|| converted::<u32, i64>(column, Into::into))
        .or_else(|| converted::<u16, i64>(column, Into::into))
        .or_else(|| converted::<u8, i64>(column, Into::into))
        .or_else(natural)
}

/// Strings of a fixed number of characters each, filled up with zeros.
fn strings(column: &Bound<'_, PyAny>, width: usize, what: &str) -> PyResult<Ids> {
    let py = column.py();
    let codes = characters(column)?;
    if let Some(strings) = narrowed(&codes, width)? {
        return Ok(Ids::Strings(Strings::Fixed(strings)));
    }
    let codes = PyBuffer::<u32>::get(&codes)?.to_vec(py)?;
    let strings = decoded(&codes, width).map_err(|row| no_unicode(py, what, row))?;
    Ok(Ids::Strings(Strings::Large(strings)))
}

/// The characters of numpy's strings, of four bytes each.
fn characters<'py>(column: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let view = column.call_method1("view", ("u4",));
    match view {
        Ok(view) if PyBuffer::<u32>::get(&view).is_ok() => Ok(view),
        // An array that is not in one piece has no view, and one between the borders of words no buffer.
        _ => column.call_method0("copy")?.call_method1("view", ("u4",)),
    }
}

/// Strings of a fixed number of characters each, of any kind. One that is no Unicode is an error: its row.
fn decoded(codes: &[u32], width: usize) -> Result<LargeStringArray, usize> {
    let rows = codes.chunks_exact(width);
    let mut strings = LargeStringBuilder::with_capacity(rows.len(), codes.len());
    for (at, row) in rows.enumerate() {
        let text: Option<String> = row.iter().map(|code| char::from_u32(*code)).collect();
        let text = text.ok_or(at)?;
        strings.append_value(text.trim_end_matches('\0'));
    }
    Ok(strings.finish())
}

/// A column of numbers, of which one is called `what`.
fn numbers(column: &Bound<'_, PyAny>, role: Role, what: &str) -> PyResult<Vec<f64>> {
    let column = &of_series(column);
    check_column(column, what)?;
    if let Some(numbers) = buffered(column) {
        return Ok(numbers);
    }
    let mut numbers = Vec::new();
    for value in column.try_iter()? {
        let value = value?;
        work::at(value.py(), numbers.len())?;
        let number = match value.extract::<f64>() {
            Ok(number) => Ok(number),
            Err(_) if value.is_instance_of::<PyInt>() => Ok(too_large(&value)),
            Err(_) if is_missing(&value) => {
                let what = format!("the column of {what}s");
                Err(role.missing(role.code(), &what, numbers.len()))
            }
            Err(_) => Err(Failure::Type(format!(
                "the {what} in row {} is a {}; expected a number",
                numbers.len() + 1,
                type_name(&value)
            ))),
        };
        numbers.push(number.or_raise(value.py())?);
    }
    Ok(numbers)
}

/// The numbers of a buffer, of any type that is one.
fn buffered(column: &Bound<'_, PyAny>) -> Option<Vec<f64>> {
    converted(column, |value: f64| value)
        .or_else(|| converted::<f32, f64>(column, Into::into))
        .or_else(|| converted(column, |value: i64| value as f64))
        .or_else(|| converted::<i32, f64>(column, Into::into))
        .or_else(|| converted::<i16, f64>(column, Into::into))
        .or_else(|| converted::<i8, f64>(column, Into::into))
        .or_else(|| converted(column, |value: u64| value as f64))
        .or_else(|| converted::<u32, f64>(column, Into::into))
        .or_else(|| converted::<u16, f64>(column, Into::into))
        .or_else(|| converted::<u8, f64>(column, Into::into))
}
