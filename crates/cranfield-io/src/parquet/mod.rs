//! Reads runs and judgements from Parquet tables with column readers, without Arrow.
//!
//! Ids are strings, bytes or integers; scores and grades are floating-point numbers or integers. Other columns are ignored.

mod cells;
mod pages;
mod vectors;

pub use vectors::{VectorTable, read_parquet_vectors};

use ::parquet::errors::ParquetError;
use ::parquet::file::reader::{FileReader, RowGroupReader};
use ::parquet::file::serialized_reader::SerializedFileReader;
use ::parquet::schema::types::ColumnDescPtr;

use crate::code::Code;
use crate::columns::{Header, missing};
use crate::escape::quoted;
use crate::limits::Limits;
use crate::problem::Problem;
use crate::rows::{At, Row, Scan, Sink};
use crate::source::Source;

use cells::{Ids, Numbers};

/// Rows that are decoded at once.
const BATCH: usize = 8 * 1024;
/// Memory that a row takes in addition to its ids, to compare the number of rows with the limit.
const ROW_BYTES: u64 = 32;

/// Scans a Parquet table.
pub(crate) fn scan(scan: &mut Scan<'_>, sink: &mut dyn Sink) {
    let message = match guarded(|| scan_file(scan, sink)) {
        Some(Ok(()) | Err(Stop::Reported)) => return,
        Some(Err(Stop::Damaged(error))) => format!("cannot decode the Parquet table: {error}"),
        None => "cannot decode the Parquet table".into(),
    };
    scan.problems
        .push(Problem::file(Code::BadParquet, scan.source.name(), message));
}

/// Returns the names of a table's columns, or `None` if its schema cannot be read.
pub(crate) fn column_names(source: &Source) -> Option<Vec<String>> {
    let file = guarded(|| SerializedFileReader::new(source.shared()))?.ok()?;
    let schema = file.metadata().file_metadata().schema_descr();
    Some(names(schema.columns()).map(str::to_owned).collect())
}

/// Calls the decoder, a large library that gets untrusted bytes; `None` if it panics.
fn guarded<T>(decode: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(decode)).ok()
}

/// Why a scan stops early.
enum Stop {
    /// A problem has been recorded.
    Reported,
    Damaged(ParquetError),
}

impl From<ParquetError> for Stop {
    fn from(error: ParquetError) -> Self {
        Self::Damaged(error)
    }
}

fn scan_file(scan: &mut Scan<'_>, sink: &mut dyn Sink) -> Result<(), Stop> {
    let file = SerializedFileReader::new(scan.source.shared())?;
    let columns = file.metadata().file_metadata().schema_descr().columns();
    let header = find_header(scan, columns)?;
    check_types(scan, &header, columns)?;
    let rows = file
        .metadata()
        .row_groups()
        .iter()
        .map(|group| u64::try_from(group.num_rows()).unwrap_or(u64::MAX));
    let mut budget = Budget::new(scan)?;
    let rows = rows.fold(0, u64::saturating_add);
    budget.check(scan, rows.saturating_mul(ROW_BYTES))?;
    let mut first_row = 1;
    for group in 0..file.num_row_groups() {
        let group = file.get_row_group(group)?;
        first_row = scan_group(scan, sink, &header, group.as_ref(), first_row, &mut budget)?;
    }
    Ok(())
}

/// Number of bytes that may still be kept.
struct Budget {
    limits: Limits,
    left: u64,
}

impl Budget {
    fn new(scan: &mut Scan<'_>) -> Result<Self, Stop> {
        let limits = scan.source.limits().map_err(|error| {
            let problems = error.problems().iter().cloned();
            problems.for_each(|problem| scan.problems.push(problem));
            Stop::Reported
        })?;
        Ok(Self {
            limits,
            left: limits.max_expanded,
        })
    }

    fn check(&self, scan: &mut Scan<'_>, bytes: u64) -> Result<(), Stop> {
        if bytes <= self.left {
            return Ok(());
        }
        scan.problems.push(self.limits.exceeded(scan.source.name()));
        Err(Stop::Reported)
    }

    fn take(&mut self, scan: &mut Scan<'_>, bytes: u64) -> Result<(), Stop> {
        self.check(scan, bytes)?;
        self.left -= bytes;
        Ok(())
    }
}

/// The names of columns; empty for a nested column, which cannot be used.
fn names(columns: &[ColumnDescPtr]) -> impl Iterator<Item = &str> {
    columns.iter().map(|column| {
        if column.path().parts().len() == 1 {
            column.name()
        } else {
            ""
        }
    })
}

fn find_header(scan: &mut Scan<'_>, columns: &[ColumnDescPtr]) -> Result<Header, Stop> {
    let kind = scan.kind;
    let names: Vec<&str> = names(columns).collect();
    Header::find(kind, &names).map_err(|column| {
        let found: Vec<String> = names
            .iter()
            .take(12)
            .map(|name| quoted(name.as_bytes()))
            .collect();
        let message = missing(column, kind, &found.join(", "));
        scan.problems.push(Problem::file(
            Code::MissingColumn,
            scan.source.name(),
            message,
        ));
        Stop::Reported
    })
}

fn check_types(
    scan: &mut Scan<'_>,
    header: &Header,
    columns: &[ColumnDescPtr],
) -> Result<(), Stop> {
    let ids = [Some(header.topic), Some(header.doc), header.tag]
        .into_iter()
        .flatten();
    let numbers = [header.value, header.rank].into_iter().flatten();
    let wrong_ids = ids
        .filter(|&at| !cells::holds_ids(&columns[at]))
        .map(|at| (at, "strings or integers"));
    let wrong_numbers = numbers
        .filter(|&at| !cells::holds_numbers(&columns[at]))
        .map(|at| (at, "numbers"));
    let before = scan.problems.count();
    for (at, wanted) in wrong_ids.chain(wrong_numbers) {
        let (name, found) = (
            quoted(columns[at].name().as_bytes()),
            cells::type_name(&columns[at]),
        );
        let message = format!("column {name} contains {found}, expected {wanted}");
        scan.problems
            .push(Problem::file(Code::ColumnType, scan.source.name(), message));
    }
    if scan.problems.count() == before {
        Ok(())
    } else {
        Err(Stop::Reported)
    }
}

/// Scans a row group and returns the number of the row after it.
fn scan_group(
    scan: &mut Scan<'_>,
    sink: &mut dyn Sink,
    header: &Header,
    group: &dyn RowGroupReader,
    first_row: u64,
    budget: &mut Budget,
) -> Result<u64, Stop> {
    let mut topics = Ids::open(group, header.topic)?;
    let mut docs = Ids::open(group, header.doc)?;
    let mut values = header
        .value
        .map(|at| Numbers::open(group, at))
        .transpose()?;
    let mut ranks = header.rank.map(|at| Numbers::open(group, at)).transpose()?;
    let mut tags = header.tag.map(|at| Ids::open(group, at)).transpose()?;
    let mut row = first_row;
    loop {
        let count = topics.read(BATCH)?;
        let others = [
            docs.read(BATCH)?,
            values
                .as_mut()
                .map_or(Ok(count), |values| values.read(BATCH))?,
            ranks
                .as_mut()
                .map_or(Ok(count), |ranks| ranks.read(BATCH))?,
            tags.as_mut().map_or(Ok(count), |tags| tags.read(BATCH))?,
        ];
        if others.iter().any(|&other| other != count) {
            return Err(ParquetError::General("the columns have different lengths".into()).into());
        }
        if count == 0 {
            return Ok(row);
        }
        budget.take(scan, count as u64 * ROW_BYTES + docs.bytes() as u64)?;
        for at in 0..count {
            let cells = Cells {
                topic: topics.get(at),
                doc: docs.get(at),
                value: values.as_ref().and_then(|values| values.get(at)),
                has_values: values.is_some(),
                rank: ranks.as_ref().and_then(|ranks| ranks.get(at)),
            };
            if let Some(tag) = tags.as_ref().and_then(|tags| tags.get(at)) {
                sink.tag(tag);
            }
            scan_row(scan, sink, &cells, row);
            row += 1;
        }
    }
}

/// The cells of a row; `None` is null.
struct Cells<'a> {
    topic: Option<&'a [u8]>,
    doc: Option<&'a [u8]>,
    value: Option<f64>,
    /// False in a table that has ranks instead of scores.
    has_values: bool,
    rank: Option<f64>,
}

fn scan_row(scan: &mut Scan<'_>, sink: &mut dyn Sink, cells: &Cells<'_>, row: u64) {
    let at = At::Row(row);
    let (topic, doc) = (
        cells.topic.unwrap_or_default(),
        cells.doc.unwrap_or_default(),
    );
    let is_named = scan.check_id(topic, "topic", &at) & scan.check_id(doc, "document", &at);
    let value = match (cells.value, cells.rank) {
        (Some(value), _) => scan.finite(value, &at),
        (None, _) if cells.has_values => scan.value(b"null", &at),
        (None, Some(rank)) => scan.finite(-rank, &at),
        (None, None) => scan.rank(b"null", &at),
    };
    if let (true, Some(value)) = (is_named, value) {
        let rank = cells.rank.filter(|rank| rank.is_finite());
        sink.row(Row {
            topic,
            doc,
            value,
            rank,
            at,
        });
    }
}
