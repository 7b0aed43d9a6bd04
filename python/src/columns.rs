//! Columns of ids and numbers that are no Arrow data: buffers such as numpy's arrays, lists, and what can be made one.

use arrow_array::builder::LargeStringBuilder;
use arrow_array::{Array, LargeStringArray};
use cranfield::engine::in_parallel;
use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyInt, PyList, PyString};

use crate::dicts::{Role, type_name};
use crate::errors::Failure;
use crate::table::Table;
use crate::work::{is_long, work};

/// Rows from three columns of the same length.
pub(crate) fn rows(
    topics: &Bound<'_, PyAny>,
    docs: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    role: Role,
    name: &str,
) -> PyResult<Table> {
    let py = topics.py();
    let (topics, docs) = (Ids::read(topics, "topics")?, Ids::read(docs, "documents")?);
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
        let mut columns = in_parallel(&[topics, docs], Ids::texts).into_iter();
        match (columns.next(), columns.next()) {
            (Some(topics), Some(docs)) => Table::of_columns((topics, docs), values, role, &name),
            _ => Err(Failure::Internal("a column is lost".into())),
        }
    })
}

/// A column of ids, which needs no interpreter any more.
enum Ids {
    Texts(LargeStringArray),
    /// Texts of a fixed number of characters with four bytes each, filled up with zeros: numpy's.
    Fixed(PyBackedBytes, usize),
}

impl Ids {
    fn read(column: &Bound<'_, PyAny>, what: &'static str) -> PyResult<Self> {
        let py = column.py();
        if let Ok(list) = column.cast::<PyList>() {
            return Ok(Self::Texts(listed(list, what)?));
        }
        if let Some(width) = fixed_width(column)? {
            // A copy in one piece, whatever the strides.
            let bytes = column.call_method0("tobytes")?.extract()?;
            return Ok(Self::Fixed(bytes, width));
        }
        let list = if column.hasattr("tolist")? {
            column.call_method0("tolist")?
        } else {
            py.get_type::<PyList>().call1((column,))?
        };
        if let Ok(list) = list.cast::<PyList>() {
            return Ok(Self::Texts(listed(list, what)?));
        }
        let message = format!(
            "{what}: expected a column of ids, found a {}",
            type_name(column)
        );
        Err(Failure::Type(message).raise(py))
    }

    fn len(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Fixed(bytes, width) => bytes.len() / (4 * width),
        }
    }

    fn texts(&self) -> LargeStringArray {
        match self {
            Self::Texts(texts) => texts.clone(),
            Self::Fixed(bytes, width) => decoded(bytes, *width),
        }
    }
}

/// The texts of a list.
fn listed(list: &Bound<'_, PyList>, what: &str) -> PyResult<LargeStringArray> {
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
    Ok(texts.finish())
}

/// Texts of so many characters with four bytes each.
fn decoded(bytes: &[u8], width: usize) -> LargeStringArray {
    let rows = bytes.chunks_exact(4 * width);
    let mut texts = LargeStringBuilder::with_capacity(rows.len(), bytes.len() / 4);
    let mut text = String::new();
    for row in rows {
        text.clear();
        let characters = row
            .as_chunks::<4>()
            .0
            .iter()
            .map(|four| u32::from_ne_bytes(*four));
        let letter = |code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        text.extend(characters.map(letter));
        texts.append_value(text.trim_end_matches('\0'));
    }
    texts.finish()
}

/// The number of characters of numpy's texts, in the machine's byte order.
fn fixed_width(column: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    let Ok(kind) = column.getattr("dtype") else {
        return Ok(None);
    };
    let is_text = kind
        .getattr("kind")
        .is_ok_and(|kind| kind.eq("U").unwrap_or(false));
    let native = kind
        .getattr("isnative")
        .is_ok_and(|native| native.is_truthy().unwrap_or(false));
    if !is_text || !native {
        return Ok(None);
    }
    let size: usize = kind.getattr("itemsize")?.extract()?;
    Ok((size >= 4).then_some(size / 4))
}

/// A column of numbers.
fn numbers(column: &Bound<'_, PyAny>, role: Role) -> PyResult<Vec<f64>> {
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
    fn of<T: Element + Copy>(column: &Bound<'_, PyAny>, convert: fn(T) -> f64) -> Option<Vec<f64>> {
        let buffer = PyBuffer::<T>::get(column).ok()?;
        let values = buffer.to_vec(column.py()).ok()?;
        Some(values.into_iter().map(convert).collect())
    }
    of::<f64>(column, |value| value)
        .or_else(|| of::<f32>(column, f64::from))
        .or_else(|| of::<i64>(column, |value| value as f64))
        .or_else(|| of::<i32>(column, f64::from))
        .or_else(|| of::<i16>(column, f64::from))
        .or_else(|| of::<i8>(column, f64::from))
        .or_else(|| of::<u64>(column, |value| value as f64))
        .or_else(|| of::<u32>(column, f64::from))
        .or_else(|| of::<u16>(column, f64::from))
        .or_else(|| of::<u8>(column, f64::from))
}
