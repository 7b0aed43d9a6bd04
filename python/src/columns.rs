//! Columns of ids and numbers that are no Arrow data: buffers such as numpy's arrays, lists, and what can be made one.

use arrow_array::builder::LargeStringBuilder;
use arrow_array::{Array, LargeStringArray};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;
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
    let (topics, docs) = (texts(topics, "topics")?, texts(docs, "documents")?);
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
        Table::of_columns((topics, docs), values, role, &name)
    })
}

/// The texts of a column.
fn texts(column: &Bound<'_, PyAny>, what: &'static str) -> PyResult<LargeStringArray> {
    let ids = Ids::read(column, what)?;
    let mut builder = LargeStringBuilder::with_capacity(ids.len(), ids.len() * 8);
    let mut text = String::new();
    for row in 0..ids.len() {
        ids.get(row, &mut text)?;
        builder.append_value(&text);
    }
    Ok(builder.finish())
}

/// A column of ids.
enum Ids<'py> {
    List(Bound<'py, PyList>, &'static str),
    /// Texts of a fixed number of characters, filled up with zeros: numpy's.
    Fixed {
        characters: Vec<u32>,
        width: usize,
    },
}

impl<'py> Ids<'py> {
    fn read(column: &Bound<'py, PyAny>, what: &'static str) -> PyResult<Self> {
        let py = column.py();
        if let Ok(list) = column.cast::<PyList>() {
            return Ok(Self::List(list.clone(), what));
        }
        if let Some(width) = fixed_width(column)? {
            // A copy in one piece, whatever the strides.
            let bytes = column.call_method0("tobytes")?;
            let bytes = bytes.extract::<&[u8]>()?;
            let characters = bytes
                .chunks_exact(4)
                .map(|four| u32::from_ne_bytes(four.try_into().unwrap_or_default()));
            return Ok(Self::Fixed {
                characters: characters.collect(),
                width,
            });
        }
        let list = if column.hasattr("tolist")? {
            column.call_method0("tolist")?
        } else {
            py.get_type::<PyList>().call1((column,))?
        };
        match list.cast_into::<PyList>() {
            Ok(list) => Ok(Self::List(list, what)),
            Err(_) => {
                let message = format!(
                    "{what}: expected a column of ids, found a {}",
                    type_name(column)
                );
                Err(Failure::Type(message).raise(py))
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::List(list, _) => list.len(),
            Self::Fixed {
                characters, width, ..
            } => characters.len() / width,
        }
    }

    /// Writes the id of a row.
    fn get(&self, row: usize, text: &mut String) -> PyResult<()> {
        text.clear();
        match self {
            Self::List(list, what) => {
                let id = list.get_item(row)?;
                if let Ok(id) = id.cast::<PyString>() {
                    text.push_str(id.to_str()?);
                } else if id.is_instance_of::<PyInt>() {
                    text.push_str(id.str()?.to_str()?);
                } else {
                    let message = format!(
                        "{what}: the id in row {} is a {}; expected a str or an int",
                        row + 1,
                        type_name(&id)
                    );
                    return Err(Failure::Type(message).raise(list.py()));
                }
            }
            Self::Fixed {
                characters, width, ..
            } => {
                let row = &characters[row * width..(row + 1) * width];
                let end = row
                    .iter()
                    .rposition(|&character| character != 0)
                    .map_or(0, |at| at + 1);
                text.extend(row[..end].iter().map(|&character| {
                    char::from_u32(character).unwrap_or(char::REPLACEMENT_CHARACTER)
                }));
            }
        }
        Ok(())
    }
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
