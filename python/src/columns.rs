//! Columns of ids and numbers that are no Arrow data: buffers such as numpy's arrays, lists, and what can be made one.

use arrow_array::LargeStringArray;
use arrow_array::builder::LargeStringBuilder;
use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PySlice, PyString};

use crate::dicts::{Role, type_name};
use crate::errors::Failure;
use crate::table::Table;
use crate::texts::{Ids, Texts};
use crate::work::{is_long, work};

/// Characters that are copied at a time: few enough to stay near the processor.
const BLOCK: usize = 1 << 14;

/// Rows from three columns of the same length.
pub(crate) fn rows(
    topics: &Bound<'_, PyAny>,
    docs: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    role: Role,
    name: &str,
) -> PyResult<Table> {
    let py = topics.py();
    let (topics, docs) = (ids(topics, "topics")?, ids(docs, "documents")?);
    let values = numbers(values, role)?;
    let lengths = [topics.len(), docs.len(), values.len()];
    if lengths[0] != lengths[1] || lengths[1] != lengths[2] {
        let message = format!(
            "columns have different lengths: {} topics, {} documents, {} {}s",
            lengths[0],
            lengths[1],
            lengths[2],
            role.value()
        );
        return Err(Failure::Usage(message).raise(py));
    }
    let name = name.to_owned();
    work(py, is_long(values.len()), None, move || {
        Table::of_columns((&topics, docs), values, role, &name)
    })
}

/// A column of ids, which needs no interpreter any more.
fn ids(column: &Bound<'_, PyAny>, what: &'static str) -> PyResult<Ids> {
    let py = column.py();
    let column = &of_series(column);
    if let Ok(list) = column.cast::<PyList>() {
        return listed(list, what);
    }
    if let Some(ids) = of_array(column)? {
        return Ok(ids);
    }
    let list = if column.hasattr("tolist")? {
        column.call_method0("tolist")?
    } else {
        py.get_type::<PyList>().call1((column,))?
    };
    if let Ok(list) = list.cast::<PyList>() {
        return listed(list, what);
    }
    let message = format!(
        "{what}: expected a column of ids, found a {}",
        type_name(column)
    );
    Err(Failure::Type(message).raise(py))
}

/// The array of a column of pandas, polars or pyarrow, if it has one; any other column as it is.
fn of_series<'py>(column: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    let array = column.call_method0("to_numpy");
    array.unwrap_or_else(|_| column.clone())
}

/// The texts of a list.
fn listed(list: &Bound<'_, PyList>, what: &str) -> PyResult<Ids> {
    let mut texts = LargeStringBuilder::with_capacity(list.len(), list.len() * 8);
    for (row, id) in list.iter().enumerate() {
        if let Ok(id) = id.cast::<PyString>() {
            texts.append_value(id.to_str()?);
        } else if id.is_instance_of::<PyInt>() {
            texts.append_value(id.str()?.to_str()?);
        } else {
            let message = format!(
                "{what}: the id in row {} is a {}; expected a str or an int",
                row + 1,
                type_name(&id)
            );
            return Err(Failure::Type(message).raise(list.py()));
        }
    }
    Ok(Ids::Texts(Texts::Large(texts.finish())))
}

/// The ids of an array of numpy with one dimension, whose texts or whole numbers need no Python objects.
fn of_array(column: &Bound<'_, PyAny>) -> PyResult<Option<Ids>> {
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
    if !is("U") || !is_native(column) {
        return Ok(None);
    }
    let width = kind.getattr("itemsize")?.extract::<usize>()? / 4;
    if width == 0 || column.getattr("ndim")?.extract::<usize>()? != 1 {
        return Ok(None);
    }
    characters(column, width).map(Some)
}

/// Whole numbers of a buffer, unless some are too large.
fn whole(column: &Bound<'_, PyAny>) -> Option<Vec<i64>> {
    let natural = || -> Option<Vec<i64>> {
        let numbers = copied::<u64>(column)?.into_iter();
        numbers.map(|number| number.try_into().ok()).collect()
    };
    copied::<i64>(column)
        .or_else(|| of::<i32, i64>(column))
        .or_else(|| of::<i16, i64>(column))
        .or_else(|| of::<i8, i64>(column))
        .or_else(|| of::<u32, i64>(column))
        .or_else(|| of::<u16, i64>(column))
        .or_else(|| of::<u8, i64>(column))
        .or_else(natural)
}

/// Texts of so many characters with four bytes each, filled up with zeros: numpy's.
fn characters(column: &Bound<'_, PyAny>, width: usize) -> PyResult<Ids> {
    let py = column.py();
    let codes = match column.call_method1("view", ("u4",)) {
        Ok(codes) => codes,
        // One that is not in one piece.
        Err(_) => column.call_method0("copy")?.call_method1("view", ("u4",))?,
    };
    let length = codes.len()?;
    let mut block = vec![0; BLOCK.min(length)];
    let mut bytes = Vec::with_capacity(length);
    for (at, start) in (0..length).step_by(BLOCK).enumerate() {
        if at % 1024 == 1023 {
            py.check_signals()?;
        }
        let end = length.min(start + BLOCK);
        let part = codes.get_item(PySlice::new(py, start as isize, end as isize, 1))?;
        let block = &mut block[..end - start];
        PyBuffer::<u32>::get(&part)?.copy_to_slice(py, block)?;
        if block.iter().fold(0, |all, code| all | code) >= 0x80 {
            let all = PyBuffer::<u32>::get(&codes)?.to_vec(py)?;
            return Ok(Ids::Texts(Texts::Large(decoded(&all, width))));
        }
        bytes.extend(block.iter().map(|code| *code as u8));
    }
    Ok(Ids::Texts(Texts::Fixed(bytes, width)))
}

/// Texts of so many characters each, some of them beyond ASCII.
fn decoded(codes: &[u32], width: usize) -> LargeStringArray {
    let rows = codes.chunks_exact(width);
    let mut texts = LargeStringBuilder::with_capacity(rows.len(), codes.len());
    let mut text = String::new();
    for row in rows {
        text.clear();
        let letter = |code: &u32| char::from_u32(*code).unwrap_or(char::REPLACEMENT_CHARACTER);
        text.extend(row.iter().map(letter));
        texts.append_value(text.trim_end_matches('\0'));
    }
    texts.finish()
}

/// A column of numbers.
fn numbers(column: &Bound<'_, PyAny>, role: Role) -> PyResult<Vec<f64>> {
    let column = &of_series(column);
    if let Some(numbers) = buffered(column) {
        return Ok(numbers);
    }
    let mut numbers = Vec::new();
    for value in column.try_iter()? {
        let value = value?;
        let number = value.extract::<f64>().map_err(|_| {
            let message = format!(
                "the {} in row {} is a {}; expected a number",
                role.value(),
                numbers.len() + 1,
                type_name(&value)
            );
            Failure::Type(message).raise(value.py())
        });
        numbers.push(number?);
    }
    Ok(numbers)
}

/// The numbers of a buffer, of any type that is one.
fn buffered(column: &Bound<'_, PyAny>) -> Option<Vec<f64>> {
    let wide = |numbers: Vec<i64>| numbers.into_iter().map(|value| value as f64).collect();
    let natural = |numbers: Vec<u64>| numbers.into_iter().map(|value| value as f64).collect();
    copied::<f64>(column)
        .or_else(|| of::<f32, f64>(column))
        .or_else(|| copied::<i64>(column).map(wide))
        .or_else(|| of::<i32, f64>(column))
        .or_else(|| of::<i16, f64>(column))
        .or_else(|| of::<i8, f64>(column))
        .or_else(|| copied::<u64>(column).map(natural))
        .or_else(|| of::<u32, f64>(column))
        .or_else(|| of::<u16, f64>(column))
        .or_else(|| of::<u8, f64>(column))
}

/// Whether numbers have the byte order of the machine; buffers do not tell.
fn is_native(column: &Bound<'_, PyAny>) -> bool {
    let native = column
        .getattr("dtype")
        .and_then(|kind| kind.getattr("isnative"));
    native.map_or(true, |native| native.is_truthy().unwrap_or(false))
}

/// The content of a buffer, if it holds this type.
fn copied<T: Element>(column: &Bound<'_, PyAny>) -> Option<Vec<T>> {
    if !is_native(column) {
        return None;
    }
    PyBuffer::<T>::get(column).ok()?.to_vec(column.py()).ok()
}

/// The same as another type.
fn of<T: Element + Copy + Into<U>, U>(column: &Bound<'_, PyAny>) -> Option<Vec<U>> {
    let values = copied::<T>(column)?.into_iter();
    Some(values.map(Into::into).collect())
}
