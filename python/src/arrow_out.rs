//! Tables for other libraries, by the Arrow PyCapsule interface.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::Float64Type;
use arrow_array::{
    Array, ArrayRef, Float64Array, RecordBatch, RecordBatchIterator, StringArray, StructArray,
};
use arrow_schema::{DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::errors::{Failure, OrRaise};

/// A column of a table.
#[derive(Clone, Debug)]
pub(crate) enum Column {
    Strings(Vec<Option<String>>),
    Numbers(Vec<Option<f64>>),
}

impl Column {
    fn array(self) -> ArrayRef {
        match self {
            Self::Strings(strings) => Arc::new(StringArray::from(strings)),
            Self::Numbers(numbers) => Arc::new(Float64Array::from(numbers)),
        }
    }
}

/// A table in Arrow's memory format, for `pyarrow.table`, `polars.DataFrame`, `pandas.DataFrame.from_arrow` and others.
#[pyclass(frozen, module = "cranfield._core", name = "ArrowTable")]
#[derive(Debug)]
pub(crate) struct PyTable {
    batch: RecordBatch,
}

impl PyTable {
    pub(crate) fn new(py: Python<'_>, columns: Vec<(String, Column)>) -> PyResult<Self> {
        let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns
            .into_iter()
            .map(|(name, column)| {
                let kind = match column {
                    Column::Strings(_) => DataType::Utf8,
                    Column::Numbers(_) => DataType::Float64,
                };
                (Field::new(name, kind, true), column.array())
            })
            .unzip();
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays);
        let batch = batch.map_err(|why| Failure::Internal(why.to_string()));
        Ok(Self {
            batch: batch.or_raise(py)?,
        })
    }
}

#[pymethods]
impl PyTable {
    /// A table from columns by name: floats, or else strings; `None` is absent.
    #[staticmethod]
    fn from_columns(columns: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut read = Vec::new();
        for (name, column) in columns {
            let column = match column.extract::<Vec<Option<f64>>>() {
                Ok(numbers) => Column::Numbers(numbers),
                Err(_) => Column::Strings(column.extract()?),
            };
            read.push((name.extract()?, column));
        }
        Self::new(columns.py(), read)
    }

    /// A stream of one batch. Another schema than the table's own is not made.
    #[pyo3(signature = (requested_schema = None))]
    pub(crate) fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = [Ok(self.batch.clone())];
        let reader = RecordBatchIterator::new(batches, self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// Schema and array of the one batch.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        let data = StructArray::from(self.batch.clone()).to_data();
        let schema = FFI_ArrowSchema::try_from(self.batch.schema().as_ref());
        let schema = schema.map_err(|why| Failure::Internal(why.to_string()));
        Ok((
            PyCapsule::new_with_value(py, schema.or_raise(py)?, c"arrow_schema")?,
            PyCapsule::new_with_value(py, FFI_ArrowArray::new(&data), c"arrow_array")?,
        ))
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyDict>,))> {
        let columns = PyDict::new(py);
        for (name, column) in self.column_names().into_iter().zip(self.batch.columns()) {
            if let Some(strings) = column.as_string_opt::<i32>() {
                columns.set_item(name, strings.iter().collect::<Vec<_>>())?;
            } else if let Some(numbers) = column.as_primitive_opt::<Float64Type>() {
                columns.set_item(name, numbers.iter().collect::<Vec<_>>())?;
            }
        }
        Ok((py.get_type::<Self>().getattr("from_columns")?, (columns,)))
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// Names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        let schema = self.batch.schema();
        schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect()
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = (self.batch.num_rows(), self.batch.num_columns());
        format!("ArrowTable(rows={rows}, columns={columns})")
    }
}
