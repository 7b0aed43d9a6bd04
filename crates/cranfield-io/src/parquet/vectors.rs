//! Reads vectors from Parquet: a column of ids, and a column of lists of numbers.

use ::parquet::basic::Type;
use ::parquet::column::reader::ColumnReaderImpl;
use ::parquet::data_type::{DataType, DoubleType, FloatType};
use ::parquet::errors::{ParquetError, Result as Decoded};
use ::parquet::file::reader::{FileReader, RowGroupReader};
use ::parquet::file::serialized_reader::SerializedFileReader;
use ::parquet::schema::types::ColumnDescPtr;

use super::cells::{self, Ids};
use super::guarded;
use super::pages::Checked;
use crate::code::Code;
use crate::error::Error;
use crate::escape::quoted;
use crate::problem::Problem;
use crate::source::Source;

/// Rows that are decoded at once.
const BATCH: usize = 1024;
const ID_NAMES: [&str; 12] = [
    "id", "_id", "doc", "doc_id", "docno", "docid", "topic", "topic_id", "query_id", "qid", "pid",
    "key",
];
const VECTOR_NAMES: [&str; 4] = ["vector", "embedding", "embeddings", "values"];

/// A column of lists of numbers with the ids of its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VectorTable {
    /// The id of each row.
    pub ids: Vec<Vec<u8>>,
    /// All lists, one after the other.
    pub values: Vec<f32>,
    /// The end of each row's list in `values`.
    pub ends: Vec<usize>,
}

/// Reads the ids and the lists of numbers of a Parquet table.
///
/// Columns are found by name (such as `id` and `vector`), or by type if only one is suitable.
///
/// # Errors
/// If the table is damaged, lacks such columns, has nulls, or exceeds the memory limit. Numbers and lengths are not checked.
pub fn read_parquet_vectors(source: &Source) -> Result<VectorTable, Error> {
    let damaged = |message: String| Problem::file(Code::BadParquet, source.name(), message);
    match guarded(|| read(source)) {
        Some(Ok(table)) => Ok(table),
        Some(Err(Stop::Problem(error))) => Err(error),
        Some(Err(Stop::Damaged(error))) => {
            Err(damaged(format!("cannot decode the Parquet table: {error}")).into())
        }
        None => Err(damaged("cannot decode the Parquet table".into()).into()),
    }
}

enum Stop {
    Problem(Error),
    Damaged(ParquetError),
}

impl From<ParquetError> for Stop {
    fn from(error: ParquetError) -> Self {
        Self::Damaged(error)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Problem(error)
    }
}

fn read(source: &Source) -> Result<VectorTable, Stop> {
    let file = SerializedFileReader::new(source.shared())?;
    let columns = file.metadata().file_metadata().schema_descr().columns();
    let id_at = find(source, columns, &ID_NAMES, "ids", cells::holds_ids)?;
    let vector_at = find(source, columns, &VECTOR_NAMES, "lists of numbers", is_list)?;
    check_size(source, &file, vector_at)?;
    let mut table = VectorTable::default();
    for group in 0..file.num_row_groups() {
        let group = file.get_row_group(group)?;
        read_ids(source, group.as_ref(), id_at, &mut table)?;
        match columns[vector_at].physical_type() {
            Type::FLOAT => {
                read_lists::<FloatType>(source, group.as_ref(), vector_at, &mut table, |x| *x)?;
            }
            _ => read_lists::<DoubleType>(source, group.as_ref(), vector_at, &mut table, |x| {
                *x as f32
            })?,
        }
        if table.ids.len() != table.ends.len() {
            return Err(ParquetError::General("the columns have different lengths".into()).into());
        }
    }
    Ok(table)
}

/// Returns the column with one of the names, or the only one of a suitable type.
fn find(
    source: &Source,
    columns: &[ColumnDescPtr],
    names: &[&str],
    what: &str,
    suits: impl Fn(&ColumnDescPtr) -> bool,
) -> Result<usize, Stop> {
    let of_type: Vec<usize> = (0..columns.len())
        .filter(|&at| suits(&columns[at]))
        .collect();
    let named = names.iter().find_map(|name| {
        let mut places = of_type.iter().copied();
        places.find(|&at| root(&columns[at]).eq_ignore_ascii_case(name))
    });
    match (named, of_type.as_slice()) {
        (Some(at), _) | (None, &[at]) => Ok(at),
        _ => Err(missing(source, columns, names, what).into()),
    }
}

fn missing(source: &Source, columns: &[ColumnDescPtr], names: &[&str], what: &str) -> Error {
    let found: Vec<String> = columns
        .iter()
        .take(12)
        .map(|column| quoted(root(column).as_bytes()))
        .collect();
    let message = format!(
        "no column of {what} named `{}`; found {}",
        names[0],
        found.join(", ")
    );
    Problem::file(Code::MissingColumn, source.name(), message).into()
}

/// The name of the column in the table; inner parts of a list have names of their own.
fn root(column: &ColumnDescPtr) -> &str {
    column.path().parts().first().map_or("", String::as_str)
}

fn is_list(column: &ColumnDescPtr) -> bool {
    column.max_rep_level() == 1 && matches!(column.physical_type(), Type::FLOAT | Type::DOUBLE)
}

/// Compares the number of values that the table declares with the memory limit.
fn check_size(
    source: &Source,
    file: &SerializedFileReader<bytes::Bytes>,
    vector_at: usize,
) -> Result<(), Stop> {
    let limits = source.limits()?;
    let groups = file.metadata().row_groups().iter();
    let values = groups
        .map(|group| u64::try_from(group.column(vector_at).num_values()).unwrap_or(u64::MAX))
        .fold(0, u64::saturating_add);
    if values.saturating_mul(4) > limits.max_expanded {
        return Err(Error::from(limits.exceeded(source.name())).into());
    }
    Ok(())
}

fn read_ids(
    source: &Source,
    group: &dyn RowGroupReader,
    at: usize,
    table: &mut VectorTable,
) -> Result<(), Stop> {
    let mut ids = Ids::open(group, at)?;
    loop {
        let count = ids.read(BATCH)?;
        if count == 0 {
            return Ok(());
        }
        for cell in 0..count {
            let id = ids.get(cell).unwrap_or_default();
            if id.is_empty() {
                let message = format!("row {}: empty id", table.ids.len() + 1);
                let problem = Problem::file(Code::EmptyId, source.name(), message);
                return Err(Error::from(problem).into());
            }
            table.ids.push(id.to_vec());
        }
    }
}

fn read_lists<T: DataType>(
    source: &Source,
    group: &dyn RowGroupReader,
    at: usize,
    table: &mut VectorTable,
    narrow: impl Fn(&T::T) -> f32,
) -> Result<(), Stop> {
    let mut lists = Lists::<T>::open(group, at)?;
    loop {
        if lists.read()? == 0 {
            return Ok(());
        }
        let mut values = lists.values.iter();
        for (at, level) in lists.repetitions.iter().enumerate() {
            if *level == 0 {
                table.ends.push(table.values.len());
            }
            if lists
                .definitions
                .get(at)
                .is_some_and(|level| *level < lists.max_definition)
            {
                let message = format!(
                    "row {}: the list is null or empty, or has a null component",
                    table.ends.len()
                );
                let problem = Problem::file(Code::VectorLength, source.name(), message);
                return Err(Error::from(problem).into());
            }
            table.values.extend(values.next().map(&narrow));
            if let Some(end) = table.ends.last_mut() {
                *end = table.values.len();
            }
        }
    }
}

/// A typed column of lists and its last batch.
struct Lists<T: DataType> {
    reader: ColumnReaderImpl<T>,
    max_definition: i16,
    definitions: Vec<i16>,
    /// 0 where a row begins.
    repetitions: Vec<i16>,
    values: Vec<T::T>,
}

impl<T: DataType> Lists<T> {
    fn open(group: &dyn RowGroupReader, at: usize) -> Decoded<Self> {
        let column = group.metadata().column(at).column_descr_ptr();
        let values = group.metadata().column(at).num_values();
        let max_definition = column.max_def_level();
        let pages = Checked::new(group.get_column_page_reader(at)?, column.clone(), values);
        Ok(Self {
            reader: ColumnReaderImpl::new(column, Box::new(pages)),
            max_definition,
            definitions: Vec::new(),
            repetitions: Vec::new(),
            values: Vec::new(),
        })
    }

    /// Reads the next rows and returns their number, 0 at the end.
    fn read(&mut self) -> Decoded<usize> {
        self.definitions.clear();
        self.repetitions.clear();
        self.values.clear();
        let (records, ..) = self.reader.read_records(
            BATCH,
            Some(&mut self.definitions),
            Some(&mut self.repetitions),
            &mut self.values,
        )?;
        Ok(records)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ::parquet::data_type::{ByteArray, ByteArrayType};
    use ::parquet::file::properties::WriterProperties;
    use ::parquet::file::writer::SerializedFileWriter;
    use ::parquet::schema::parser::parse_message_type;

    use super::*;

    const SCHEMA: &str = "message vectors { REQUIRED BYTE_ARRAY id (STRING); \
        OPTIONAL GROUP embedding (LIST) { REPEATED GROUP list { OPTIONAL FLOAT element; } } }";

    /// A table with a group for each slice of lists; `None` is a null component, an empty list is null.
    fn table(schema: &str, groups: &[&[&[Option<f32>]]]) -> Vec<u8> {
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let properties = Arc::new(WriterProperties::builder().build());
        let mut bytes = Vec::new();
        let mut file = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
        let mut row = 0;
        for lists in groups {
            let mut group = file.next_row_group().unwrap();
            let names = lists.iter().map(|_| {
                row += 1;
                ByteArray::from(format!("d{row}").as_str())
            });
            let names: Vec<ByteArray> = names.collect();
            let mut column = group.next_column().unwrap().unwrap();
            column
                .typed::<ByteArrayType>()
                .write_batch(&names, None, None)
                .unwrap();
            column.close().unwrap();
            let (mut values, mut definitions, mut repetitions) = (vec![], vec![], vec![]);
            for list in *lists {
                if list.is_empty() {
                    definitions.push(0);
                    repetitions.push(0);
                }
                for (at, value) in list.iter().enumerate() {
                    values.extend(value);
                    definitions.push(if value.is_some() { 3 } else { 2 });
                    repetitions.push(i16::from(at > 0));
                }
            }
            let mut column = group.next_column().unwrap().unwrap();
            let typed = column.typed::<FloatType>();
            typed
                .write_batch(&values, Some(&definitions), Some(&repetitions))
                .unwrap();
            column.close().unwrap();
            group.close().unwrap();
        }
        file.close().unwrap();
        bytes
    }

    fn read_bytes(bytes: Vec<u8>) -> Result<VectorTable, Error> {
        read_parquet_vectors(&Source::from_bytes("v.parquet", bytes).unwrap())
    }

    const FIRST: [Option<f32>; 2] = [Some(1.0), Some(-0.5)];
    const SECOND: [Option<f32>; 3] = [Some(2.0), Some(3.0), Some(4.0)];

    #[test]
    fn lists_of_several_row_groups_are_read_in_order() {
        let bytes = table(SCHEMA, &[&[&FIRST, &SECOND], &[&FIRST]]);
        let expected = VectorTable {
            ids: vec![b"d1".to_vec(), b"d2".to_vec(), b"d3".to_vec()],
            values: vec![1.0, -0.5, 2.0, 3.0, 4.0, 1.0, -0.5],
            ends: vec![2, 5, 7],
        };
        assert_eq!(read_bytes(bytes), Ok(expected));
    }

    #[test]
    fn nulls_are_errors_with_their_row() {
        for list in [&[][..], &[Some(1.0), None]] {
            let error = read_bytes(table(SCHEMA, &[&[&FIRST], &[list]])).unwrap_err();
            assert_eq!(
                error.to_string(),
                "v.parquet: row 2: the list is null or empty, or has a null component [IR232]"
            );
        }
    }

    #[test]
    fn damaged_tables_and_missing_columns_are_errors() {
        let bytes = table(SCHEMA, &[&[&FIRST]]);
        let error = read_bytes(bytes[..bytes.len() - 3].to_vec()).unwrap_err();
        assert_eq!(error.problems()[0].code, Code::BadParquet);
        let flat = "message m { REQUIRED BYTE_ARRAY id (STRING); REQUIRED FLOAT score; }";
        let error = read_bytes(table(flat, &[])).unwrap_err();
        let expected =
            "v.parquet: no column of lists of numbers named `vector`; found `id`, `score` [IR018]";
        assert_eq!(error.to_string(), expected);
    }
}
