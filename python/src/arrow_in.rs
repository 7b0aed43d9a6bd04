//! Tables of other libraries, by the Arrow PyCapsule interface, without copying them.
#![allow(
    unsafe_code,
    reason = "data comes by a C interface, whose structures are moved out of capsules that have the right name"
)]

use std::ffi::{CStr, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, DataType};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::dicts::type_name;
use crate::errors::{Failure, OrRaise};

/// The method that hands over a table in batches, and the name of its capsule.
const STREAM: (&str, &CStr) = ("__arrow_c_stream__", c"arrow_array_stream");

/// The method that hands over one batch as a pair of capsules, and their names.
const ARRAY: (&str, [&CStr; 2]) = ("__arrow_c_array__", [c"arrow_schema", c"arrow_array"]);

/// The batches of any object with the interface. Their buffers are the other library's, which no one changes any more.
pub(crate) fn batches(object: &Bound<'_, PyAny>) -> PyResult<Vec<RecordBatch>> {
    let py = object.py();
    if object.hasattr(STREAM.0)? {
        let capsule = object.call_method0(STREAM.0)?;
        let reader = reader(object, &capsule)?;
        let is_reader = object.hasattr("__next__")?;
        let read = || guarded(|| read_all(reader, is_reader));
        return py.detach(read).or_raise(py);
    }
    if object.hasattr(ARRAY.0)? {
        let pair = object.call_method0(ARRAY.0)?;
        return Ok(vec![one_batch(object, &pair)?]);
    }
    let cure = if object.hasattr("collect")? {
        "it is not computed yet: call its `collect()`"
    } else {
        "give a frame of pandas from 2.2, polars, pyarrow or duckdb"
    };
    let kind = type_name(object);
    let message = format!("a {kind} has no Arrow data (`{}`); {cure}", STREAM.0);
    Err(Failure::Type(message).raise(py))
}

fn reader(
    object: &Bound<'_, PyAny>,
    capsule: &Bound<'_, PyAny>,
) -> PyResult<RecordBatchStreamReader> {
    let (method, name) = STREAM;
    let pointer = pointer(capsule, name).ok_or_else(|| junk(object, method, capsule))?;
    // SAFETY: a capsule of this name points to such a structure; its content is moved out, and an empty one left.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.cast().as_ptr()) };
    let no_table = |why| {
        let message = "expected a table with columns of topics, documents and numbers";
        Failure::Type(format!("{message}, which is not read here: {why}"))
    };
    let reader = guarded(|| RecordBatchStreamReader::try_new(stream).map_err(no_table));
    reader.or_raise(object.py())
}

/// All batches. A table without rows may have none; a reader that has none was most probably read before.
fn read_all(reader: RecordBatchStreamReader, is_reader: bool) -> Result<Vec<RecordBatch>, Failure> {
    let empty = RecordBatch::new_empty(reader.schema());
    let mut batches: Vec<RecordBatch> = reader
        .map(|batch| batch.map_err(unusable))
        .collect::<Result<_, _>>()?;
    if batches.is_empty() && is_reader {
        let message = "the reader has no rows left; read it once, as into a table with its `read_all()`, and give that";
        return Err(Failure::Input(message.into()));
    }
    if batches.is_empty() {
        // The names of its columns are looked at nevertheless.
        batches.push(empty);
    }
    Ok(batches)
}

fn one_batch(object: &Bound<'_, PyAny>, pair: &Bound<'_, PyAny>) -> PyResult<RecordBatch> {
    let (method, names) = ARRAY;
    let [schema, array] = capsules(pair, names).ok_or_else(|| junk(object, method, pair))?;
    // SAFETY: a capsule of this name points to such a structure; its content is moved out, and an empty one left.
    let array = unsafe { FFI_ArrowArray::from_raw(array.cast().as_ptr()) };
    // SAFETY: a capsule of this name points to such a structure, which is looked at while the capsule is held.
    let schema = unsafe { schema.cast::<FFI_ArrowSchema>().as_ref() };
    guarded(|| batch_of(array, schema)).or_raise(object.py())
}

fn batch_of(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> Result<RecordBatch, Failure> {
    if array.is_released() {
        let message = "the Arrow data was read before; hand it over again";
        return Err(Failure::Input(message.into()));
    }
    // SAFETY: the structures come from the library that made the capsules. What they say of buffers is believed, as the interface has no
    // other word for how long these are; the content of the buffers is checked before it is used (`arrow_check`).
    let data = unsafe { from_ffi(array, schema) }.map_err(unusable)?;
    if !matches!(data.data_type(), DataType::Struct(_)) {
        let message = "expected a table of columns, found one column";
        return Err(Failure::Type(message.into()));
    }
    let table = StructArray::from(data);
    let nulls = table.nulls().filter(|nulls| nulls.null_count() > 0);
    let missing = nulls.and_then(|nulls| nulls.iter().position(|is_valid| !is_valid));
    if let Some(row) = missing {
        let message = format!("row {} of the table has no value; leave it out", row + 1);
        return Err(Failure::Usage(message));
    }
    Ok(RecordBatch::from(table))
}

/// The target of a capsule of this name.
fn pointer(object: &Bound<'_, PyAny>, name: &CStr) -> Option<NonNull<c_void>> {
    let capsule = object.cast::<PyCapsule>().ok()?;
    capsule.pointer_checked(Some(name)).ok()
}

/// The targets of two capsules of these names.
fn capsules(pair: &Bound<'_, PyAny>, names: [&CStr; 2]) -> Option<[NonNull<c_void>; 2]> {
    let pair = pair.cast::<PyTuple>().ok()?;
    let item = |at: usize| pointer(&pair.get_item(at).ok()?, names[at]);
    (pair.len() == 2).then_some([item(0)?, item(1)?])
}

/// A method of the interface that gives something else than the interface says.
fn junk(object: &Bound<'_, PyAny>, method: &str, given: &Bound<'_, PyAny>) -> PyErr {
    let message = format!(
        "`{method}` of a {} gave a {} that is no Arrow data; give a frame of pandas from 2.2, polars, pyarrow or duckdb",
        type_name(object),
        type_name(given)
    );
    Failure::Type(message).raise(object.py())
}

/// Imports structures with Arrow's library, which panics where they contradict each other.
fn guarded<T>(import: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let contradiction = |_| {
        let message =
            "Arrow data is damaged: its lengths contradict each other; make the table again";
        Err(Failure::Input(message.into()))
    };
    catch_unwind(AssertUnwindSafe(import)).unwrap_or_else(contradiction)
}

fn unusable(why: ArrowError) -> Failure {
    Failure::Type(format!("Arrow data cannot be read: {why}"))
}
