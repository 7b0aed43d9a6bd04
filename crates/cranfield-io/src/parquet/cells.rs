//! Reads the cells of columns in batches.

use std::io::Write;

use ::parquet::basic::{ConvertedType, LogicalType, Type};
use ::parquet::column::reader::ColumnReaderImpl;
use ::parquet::data_type::{
    AsBytes, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type,
    Int64Type,
};
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::reader::RowGroupReader;
use ::parquet::schema::types::ColumnDescPtr;

use super::pages::Checked;

/// Whether a column can contain ids.
pub(super) fn holds_ids(column: &ColumnDescPtr) -> bool {
    let is_text = matches!(
        column.physical_type(),
        Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY
    );
    is_flat(column) && ((is_text && !is_scaled(column)) || is_integer(column))
}

/// Whether a column contains numbers.
pub(super) fn holds_numbers(column: &ColumnDescPtr) -> bool {
    let is_real = matches!(column.physical_type(), Type::FLOAT | Type::DOUBLE);
    is_flat(column) && (is_real || is_integer(column))
}

fn is_flat(column: &ColumnDescPtr) -> bool {
    column.max_rep_level() == 0 && column.max_def_level() <= 1 && column.path().parts().len() == 1
}

fn is_integer(column: &ColumnDescPtr) -> bool {
    let is_plain = match column.logical_type_ref() {
        None => {
            column.converted_type() != ConvertedType::DECIMAL && !is_time(column.converted_type())
        }
        Some(logical) => matches!(logical, LogicalType::Integer { .. }),
    };
    matches!(column.physical_type(), Type::INT32 | Type::INT64) && is_plain
}

fn is_time(converted: ConvertedType) -> bool {
    use ConvertedType::{DATE, TIME_MICROS, TIME_MILLIS, TIMESTAMP_MICROS, TIMESTAMP_MILLIS};
    matches!(
        converted,
        DATE | TIME_MICROS | TIME_MILLIS | TIMESTAMP_MICROS | TIMESTAMP_MILLIS
    )
}

fn is_scaled(column: &ColumnDescPtr) -> bool {
    column.converted_type() == ConvertedType::DECIMAL
        || matches!(
            column.logical_type_ref(),
            Some(LogicalType::Decimal { .. } | LogicalType::Float16)
        )
}

fn is_unsigned(column: &ColumnDescPtr) -> bool {
    match column.logical_type_ref() {
        Some(LogicalType::Integer(integer)) => !integer.is_signed,
        _ => matches!(
            column.converted_type(),
            ConvertedType::UINT_32 | ConvertedType::UINT_64
        ),
    }
}

/// Describes the type of a column for messages.
pub(super) fn type_name(column: &ColumnDescPtr) -> String {
    if column.max_rep_level() > 0 {
        return "lists".into();
    }
    format!("{} values", column.physical_type())
}

/// A typed column and its last batch.
struct Column<T: DataType> {
    reader: ColumnReaderImpl<T>,
    max_level: i16,
    levels: Vec<i16>,
    values: Vec<T::T>,
}

impl<T: DataType> Column<T> {
    fn open(group: &dyn RowGroupReader, at: usize) -> Result<Self> {
        let column = group.metadata().column(at).column_descr_ptr();
        let rows = group.metadata().num_rows();
        let max_level = column.max_def_level();
        let pages = Checked::new(group.get_column_page_reader(at)?, column.clone(), rows);
        let reader = ColumnReaderImpl::new(column, Box::new(pages));
        Ok(Self {
            reader,
            max_level,
            levels: Vec::new(),
            values: Vec::new(),
        })
    }

    /// Reads up to `max_cells` cells, calls `take` with each, and returns their number.
    fn read(&mut self, max_cells: usize, mut take: impl FnMut(Option<&T::T>)) -> Result<usize> {
        self.levels.clear();
        self.values.clear();
        let levels = (self.max_level > 0).then_some(&mut self.levels);
        let (records, ..) = self
            .reader
            .read_records(max_cells, levels, None, &mut self.values)?;
        let mut values = self.values.iter();
        for record in 0..records {
            let is_null = self.max_level > 0
                && self
                    .levels
                    .get(record)
                    .is_none_or(|level| *level < self.max_level);
            take(if is_null { None } else { values.next() });
        }
        Ok(records)
    }
}

fn widen(number: i32, unsigned: bool) -> i64 {
    if unsigned {
        i64::from(number.cast_unsigned())
    } else {
        i64::from(number)
    }
}

fn real(number: i64, unsigned: bool) -> f64 {
    if unsigned {
        number.cast_unsigned() as f64
    } else {
        number as f64
    }
}

enum IdColumn {
    Bytes(Column<ByteArrayType>),
    Fixed(Column<FixedLenByteArrayType>),
    Small(Column<Int32Type>),
    Large(Column<Int64Type>),
}

/// A batch of ids in one buffer.
pub(super) struct Ids {
    column: IdColumn,
    is_unsigned: bool,
    cells: IdCells,
}

#[derive(Default)]
struct IdCells {
    bytes: Vec<u8>,
    /// End of each id, and whether it is null.
    ends: Vec<(usize, bool)>,
}

impl IdCells {
    fn push(&mut self, id: Option<&[u8]>) {
        self.bytes.extend_from_slice(id.unwrap_or_default());
        self.ends.push((self.bytes.len(), id.is_none()));
    }

    fn push_number<N: std::fmt::Display>(&mut self, number: Option<N>) {
        let is_null = number.is_none();
        if let Some(number) = number {
            // Writing to a vector cannot fail.
            let _ = write!(self.bytes, "{number}");
        }
        self.ends.push((self.bytes.len(), is_null));
    }
}

impl Ids {
    pub(super) fn open(group: &dyn RowGroupReader, at: usize) -> Result<Self> {
        let descriptor = group.metadata().column(at).column_descr_ptr();
        let column = match descriptor.physical_type() {
            Type::BYTE_ARRAY => IdColumn::Bytes(Column::open(group, at)?),
            Type::FIXED_LEN_BYTE_ARRAY => IdColumn::Fixed(Column::open(group, at)?),
            Type::INT32 => IdColumn::Small(Column::open(group, at)?),
            Type::INT64 => IdColumn::Large(Column::open(group, at)?),
            other => return Err(ParquetError::General(format!("unexpected id type {other}"))),
        };
        Ok(Self {
            column,
            is_unsigned: is_unsigned(&descriptor),
            cells: IdCells::default(),
        })
    }

    /// Reads the next cells and returns their number, 0 at the end.
    pub(super) fn read(&mut self, max_cells: usize) -> Result<usize> {
        let (cells, unsigned) = (&mut self.cells, self.is_unsigned);
        cells.bytes.clear();
        cells.ends.clear();
        match &mut self.column {
            IdColumn::Bytes(column) => {
                column.read(max_cells, |id| cells.push(id.map(AsBytes::as_bytes)))
            }
            IdColumn::Fixed(column) => {
                column.read(max_cells, |id| cells.push(id.map(AsBytes::as_bytes)))
            }
            IdColumn::Small(column) => column.read(max_cells, |id| {
                cells.push_number(id.map(|id| widen(*id, unsigned)));
            }),
            IdColumn::Large(column) if unsigned => column.read(max_cells, |id| {
                cells.push_number(id.map(|id| id.cast_unsigned()));
            }),
            IdColumn::Large(column) => column.read(max_cells, |id| cells.push_number(id)),
        }
    }

    /// Returns an id of the batch; `None` is null.
    pub(super) fn get(&self, at: usize) -> Option<&[u8]> {
        let start = at
            .checked_sub(1)
            .map_or(0, |before| self.cells.ends[before].0);
        let (end, is_null) = self.cells.ends[at];
        (!is_null).then(|| &self.cells.bytes[start..end])
    }

    /// Total length of the ids of the batch.
    pub(super) fn bytes(&self) -> usize {
        self.cells.bytes.len()
    }
}

enum NumberColumn {
    Float(Column<FloatType>),
    Double(Column<DoubleType>),
    Small(Column<Int32Type>),
    Large(Column<Int64Type>),
}

/// A batch of numbers.
pub(super) struct Numbers {
    column: NumberColumn,
    is_unsigned: bool,
    cells: Vec<Option<f64>>,
}

impl Numbers {
    pub(super) fn open(group: &dyn RowGroupReader, at: usize) -> Result<Self> {
        let descriptor = group.metadata().column(at).column_descr_ptr();
        let column = match descriptor.physical_type() {
            Type::FLOAT => NumberColumn::Float(Column::open(group, at)?),
            Type::DOUBLE => NumberColumn::Double(Column::open(group, at)?),
            Type::INT32 => NumberColumn::Small(Column::open(group, at)?),
            Type::INT64 => NumberColumn::Large(Column::open(group, at)?),
            other => {
                return Err(ParquetError::General(format!(
                    "unexpected number type {other}"
                )));
            }
        };
        Ok(Self {
            column,
            is_unsigned: is_unsigned(&descriptor),
            cells: Vec::new(),
        })
    }

    /// Reads the next cells and returns their number, 0 at the end.
    pub(super) fn read(&mut self, max_cells: usize) -> Result<usize> {
        let (cells, unsigned) = (&mut self.cells, self.is_unsigned);
        cells.clear();
        match &mut self.column {
            NumberColumn::Float(column) => {
                column.read(max_cells, |x| cells.push(x.map(|x| f64::from(*x))))
            }
            NumberColumn::Double(column) => column.read(max_cells, |x| cells.push(x.copied())),
            NumberColumn::Small(column) => column.read(max_cells, |n| {
                cells.push(n.map(|n| widen(*n, unsigned) as f64))
            }),
            NumberColumn::Large(column) => {
                column.read(max_cells, |n| cells.push(n.map(|n| real(*n, unsigned))))
            }
        }
    }

    /// Returns a number of the batch; `None` is null.
    pub(super) fn get(&self, at: usize) -> Option<f64> {
        self.cells[at]
    }
}
