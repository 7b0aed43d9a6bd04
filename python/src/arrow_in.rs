//! Tables of other libraries, by the Arrow PyCapsule interface, without copying them.
#![allow(
    unsafe_code,
    reason = "data comes by a C interface, whose structures are moved out of capsules that have the right name"
)]

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::dicts::type_name;
use crate::errors::{Failure, OrRaise};

/// The batches of any object with the interface. Their buffers are the other library's, which nobody changes any more.
pub(crate) fn batches(object: &Bound<'_, PyAny>) -> PyResult<Vec<RecordBatch>> {
    let py = object.py();
    if object.hasattr("__arrow_c_stream__")? {
        let capsule = object.call_method0("__arrow_c_stream__")?;
        let reader = reader(capsule.cast::<PyCapsule>()?)?;
        return py.detach(|| read_all(reader)).or_raise(py);
    }
    if object.hasattr("__arrow_c_array__")? {
        let pair = object.call_method0("__arrow_c_array__")?;
        return Ok(vec![one_batch(pair.cast::<PyTuple>()?)?]);
    }
    let message = format!(
        "a {} has no Arrow data (`__arrow_c_stream__`); give a frame of pandas from 2.2, polars, pyarrow or duckdb",
        type_name(object)
    );
    Err(Failure::Type(message).raise(py))
}

fn reader(capsule: &Bound<'_, PyCapsule>) -> PyResult<RecordBatchStreamReader> {
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of this name points to such a structure; its content is moved out, and an empty one left.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.cast().as_ptr()) };
    let reader = RecordBatchStreamReader::try_new(stream);
    let no_table = |why| {
        let message = "expected a table with columns of topics, documents and numbers";
        Failure::Type(format!("{message}, which is not read here: {why}"))
    };
    reader.map_err(no_table).or_raise(capsule.py())
}

fn read_all(reader: RecordBatchStreamReader) -> Result<Vec<RecordBatch>, Failure> {
    let empty = RecordBatch::new_empty(reader.schema());
    let mut batches: Vec<RecordBatch> = reader
        .map(|batch| batch.map_err(unusable))
        .collect::<Result<_, _>>()?;
    if batches.is_empty() {
        // The names of its columns are looked at nevertheless.
        batches.push(empty);
    }
    Ok(batches)
}

fn one_batch(pair: &Bound<'_, PyTuple>) -> PyResult<RecordBatch> {
    let (schema, array) = (pair.get_item(0)?, pair.get_item(1)?);
    let schema = schema
        .cast::<PyCapsule>()?
        .pointer_checked(Some(c"arrow_schema"))?;
    let array = array
        .cast::<PyCapsule>()?
        .pointer_checked(Some(c"arrow_array"))?;
    // SAFETY: capsules of these names point to such structures; the array is moved out, and an empty one left.
    let data = unsafe {
        let array = FFI_ArrowArray::from_raw(array.cast().as_ptr());
        from_ffi(array, schema.cast::<FFI_ArrowSchema>().as_ref())
    };
    let data = data.map_err(unusable).or_raise(pair.py())?;
    if !matches!(data.data_type(), DataType::Struct(_)) {
        let message = "expected a table of columns, found one column";
        return Err(Failure::Type(message.into()).raise(pair.py()));
    }
    let table = StructArray::from(data);
    let nulls = table.nulls().filter(|nulls| nulls.null_count() > 0);
    let missing = nulls.and_then(|nulls| nulls.iter().position(|is_valid| !is_valid));
    if let Some(row) = missing {
        let message = format!("row {} of the table has no value; leave it out", row + 1);
        return Err(Failure::Usage(message).raise(pair.py()));
    }
    Ok(RecordBatch::from(table))
}

fn unusable(why: arrow_schema::ArrowError) -> Failure {
    Failure::Type(format!("Arrow data cannot be read: {why}"))
}
