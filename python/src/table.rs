//! Columns of topics, documents and numbers, evaluated where they are.

use std::collections::HashMap;
use std::fmt::Display;
use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, Float16Type,
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field};
use cranfield::core::run::{Run, RunBuilder};
use cranfield::engine::{Rankings, convert_in_parallel, in_parallel};
use cranfield::io::{Code, Header, Problem};

use crate::arrow_check::check_column;
use crate::dicts::Role;
use crate::errors::Failure;
use crate::strings::{Column, Ids, Strings};

/// Rows that one thread looks through at a time: fewer take less time than another thread needs to wake up.
const ROWS_PER_PIECE: usize = 1 << 16;

/// Rows of several batches, checked: every row has ids that are not empty, and a finite number.
#[derive(Debug, Default)]
pub(crate) struct Table {
    tag: String,
    batches: Vec<Batch>,
    topics: Vec<Topic>,
    /// Where the topic of an id is found.
    places: HashMap<Vec<u8>, usize>,
    rows: usize,
}

#[derive(Debug)]
struct Batch {
    docs: Strings,
    values: Vec<f64>,
    ranks: Option<Vec<f64>>,
}

/// A topic and the places of its rows, in several pieces where a batch ends or another topic comes between.
#[derive(Debug)]
struct Topic {
    id: Vec<u8>,
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    batch: usize,
    start: usize,
    end: usize,
}

/// Rows that follow each other, by their topics.
#[derive(Debug)]
struct Stretches {
    /// All ids, one after the other.
    ids: Vec<u8>,
    /// Where a topic's rows end, and where its id does.
    ends: Vec<(usize, usize)>,
}

impl Table {
    /// The rows of batches, whose columns are named as those of tables in files are.
    pub(crate) fn new(batches: &[RecordBatch], role: Role, tag: &str) -> Result<Self, Failure> {
        let mut table = Self {
            tag: tag.into(),
            ..Self::default()
        };
        for batch in batches {
            let schema = batch.schema();
            let names = schema.fields().iter().map(|field| field.name().as_str());
            let names: Vec<&str> = names.collect();
            let header = match role {
                Role::Run => Header::of_run(&names),
                Role::Qrels => Header::of_qrels(&names),
            };
            let header = header.map_err(Failure::Unknown)?;
            check_names(&header, &names)?;
            let column = |at: usize| Column {
                name: names[at],
                array: batch.column(at).as_ref(),
                role,
                before: table.rows,
            };
            for at in [header.topic, header.doc] {
                check_type(schema.field(at))?;
            }
            for at in columns_of(&header) {
                check_column(names[at], batch.column(at))?;
            }
            let topics = Ids::new(column(header.topic))?;
            let docs = Ids::new(column(header.doc))?.strings();
            let ranks = header
                .rank
                .map(|at| numbers(column(at), Code::RankNotNumber));
            let ranks = ranks.transpose()?;
            let values = match (header.value, &ranks) {
                (Some(at), _) => numbers(column(at), role.code())?,
                // The better rank has the higher score.
                (None, Some(ranks)) => ranks.iter().map(|rank| -rank).collect(),
                (None, None) => vec![0.0; batch.num_rows()],
            };
            let batch = Batch {
                docs,
                values,
                ranks,
            };
            table.push(role, &topics, batch)?;
        }
        Ok(table)
    }

    /// The rows of columns, which must be of the same length; ranks are those of a run that has them.
    pub(crate) fn of_columns(
        (topics, docs): (&Ids, Ids),
        (values, ranks): (Vec<f64>, Option<Vec<f64>>),
        role: Role,
        tag: &str,
    ) -> Result<Self, Failure> {
        let mut table = Self {
            tag: tag.into(),
            ..Self::default()
        };
        let batch = Batch {
            docs: docs.strings(),
            values,
            ranks,
        };
        table.push(role, topics, batch)?;
        Ok(table)
    }

    /// Adds rows, which several threads look through.
    fn push(&mut self, role: Role, topics: &Ids, batch: Batch) -> Result<(), Failure> {
        let rows = batch.values.len();
        let pieces: Vec<Range<usize>> = (0..rows)
            .step_by(ROWS_PER_PIECE)
            .map(|start| start..rows.min(start + ROWS_PER_PIECE))
            .collect();
        let found = in_parallel(&pieces, |piece| {
            batch.check(role, topics, piece.clone(), self.rows)?;
            stretches(role, topics, piece.clone(), self.rows)
        });
        for (piece, found) in pieces.iter().zip(found) {
            let (mut start, mut first) = (piece.start, 0);
            let found = found?;
            for (end, last) in found.ends {
                self.add(&found.ids[first..last], start..end);
                (start, first) = (end, last);
            }
        }
        self.batches.push(batch);
        self.rows += rows;
        Ok(())
    }

    /// Adds rows of the batch that is next to a topic.
    fn add(&mut self, id: &[u8], rows: Range<usize>) {
        let place = match self.topics.last() {
            Some(last) if last.id == id => Some(self.topics.len() - 1),
            _ => self.places.get(id).copied(),
        };
        let piece = Piece {
            batch: self.batches.len(),
            start: rows.start,
            end: rows.end,
        };
        let Some(topic) = place.and_then(|place| self.topics.get_mut(place)) else {
            self.places.insert(id.to_vec(), self.topics.len());
            self.topics.push(Topic {
                id: id.to_vec(),
                pieces: vec![piece],
            });
            return;
        };
        match topic.pieces.last_mut() {
            Some(last) if last.batch == piece.batch && last.end == piece.start => {
                last.end = piece.end;
            }
            _ => topic.pieces.push(piece),
        }
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Whether rows have ranks next to their numbers.
    pub(crate) fn has_ranks(&self) -> bool {
        self.batches.iter().any(|batch| batch.ranks.is_some())
    }

    /// A copy as a run.
    pub(crate) fn to_run(&self) -> Run {
        let mut builder = RunBuilder::default();
        builder.set_tag(&self.tag);
        for topic in &self.topics {
            for piece in &topic.pieces {
                let batch = &self.batches[piece.batch];
                for row in piece.start..piece.end {
                    let rank = batch.ranks.as_ref().map(|ranks| ranks[row]);
                    builder.push(&topic.id, batch.docs.get(row), batch.values[row], rank);
                }
            }
        }
        builder.finish()
    }
}

impl Batch {
    /// Rejects documents without an id, and scores, grades and ranks that are not finite.
    fn check(
        &self,
        role: Role,
        topics: &Ids,
        rows: Range<usize>,
        before: usize,
    ) -> Result<(), Failure> {
        if let Some(row) = self.docs.first_empty(rows.clone()) {
            return Err(empty(role, "document", before + row));
        }
        let odd = |numbers: &[f64]| first_odd(&numbers[rows.clone()]);
        if let Some(at) = odd(&self.values) {
            let row = rows.start + at;
            let mut topic = Vec::new();
            topics.append(row, &mut topic);
            let place = (&topic[..], self.docs.get(row));
            return Err(role.not_finite(place, self.values[row], Some(before + row)));
        }
        if let Some(at) = self.ranks.as_deref().and_then(odd) {
            let row = before + rows.start + at + 1;
            let message = format!("the rank in row {row} is no finite number");
            return Err(Problem::file(Code::RankNotNumber, role.name(), message).into());
        }
        Ok(())
    }
}

/// The first number that is not finite. They are counted first, which takes many at once.
fn first_odd(numbers: &[f64]) -> Option<usize> {
    let odd = |number: &&f64| !number.is_finite();
    let count = numbers.iter().filter(odd).count();
    let at = (count > 0).then(|| numbers.iter().position(|number| odd(&number)));
    at.flatten()
}

/// Rejects whole numbers that mean something else, such as pandas' periods.
fn check_type(field: &Field) -> Result<(), Failure> {
    let Some(kind) = field.extension_type_name() else {
        return Ok(());
    };
    if !field.data_type().is_integer() {
        return Ok(());
    }
    let name = field.name();
    Err(Failure::Type(format!(
        "column `{name}` is of type {kind}, expected strings or whole numbers; convert it first, as frame[\"{name}\"].astype(str) does"
    )))
}

/// The columns that are read.
fn columns_of(header: &Header) -> impl Iterator<Item = usize> {
    let (topic, doc) = (Some(header.topic), Some(header.doc));
    let columns = [topic, doc, header.value, header.rank];
    columns.into_iter().flatten()
}

/// Rejects a table of which two columns could be the one that is read.
fn check_names(header: &Header, names: &[&str]) -> Result<(), Failure> {
    let times = |name: &str| names.iter().filter(|known| **known == name).count();
    let mut read = columns_of(header).map(|at| names[at]);
    let twice = read.find(|name| times(name) > 1);
    twice.map_or(Ok(()), |name| {
        let message = format!("two columns are called `{name}`; drop one of them");
        Err(Failure::Usage(message))
    })
}

/// Where the topics of some rows change.
fn stretches(
    role: Role,
    topics: &Ids,
    rows: Range<usize>,
    before: usize,
) -> Result<Stretches, Failure> {
    let mut found = Stretches {
        ids: Vec::new(),
        ends: Vec::new(),
    };
    let mut start = rows.start;
    while start < rows.end {
        let first = found.ids.len();
        topics.append(start, &mut found.ids);
        if found.ids.len() == first {
            return Err(empty(role, "topic", before + start));
        }
        start = topics.same_until(start, rows.end);
        found.ends.push((start, found.ids.len()));
    }
    Ok(found)
}

fn empty(role: Role, what: &str, row: usize) -> Failure {
    let message = format!(
        "empty id of a {what} in row {}; every row needs one",
        row + 1
    );
    Problem::file(Code::EmptyId, role.name(), message).into()
}

impl Rankings for Table {
    fn topics(&self) -> usize {
        self.topics.len()
    }

    fn id(&self, topic: usize) -> &[u8] {
        &self.topics[topic].id
    }

    fn each<'a>(&'a self, topic: usize, mut take: impl FnMut(&'a [u8], f64)) {
        for piece in &self.topics[topic].pieces {
            let batch = &self.batches[piece.batch];
            let rows = (piece.start..piece.end).zip(&batch.values[piece.start..piece.end]);
            match &batch.docs {
                Strings::Small(docs) => {
                    rows.for_each(|(row, score)| take(docs.value(row).as_bytes(), *score));
                }
                Strings::Large(docs) => {
                    rows.for_each(|(row, score)| take(docs.value(row).as_bytes(), *score));
                }
                Strings::Fixed(docs) => {
                    let docs = docs.from(piece.start);
                    rows.zip(docs)
                        .for_each(|((_, score), doc)| take(doc, *score));
                }
                docs => rows.for_each(|(row, score)| take(docs.get(row), *score)),
            }
        }
    }
}

/// A column of numbers, copied: its owner may change the original.
fn numbers(column: Column<'_>, code: Code) -> Result<Vec<f64>, Failure> {
    column.check_nulls(code)?;
    numbers_of(column)
}

/// The numbers of a column; places without a value do not matter.
fn numbers_of(column: Column<'_>) -> Result<Vec<f64>, Failure> {
    fn of<T: ArrowPrimitiveType>(
        array: &dyn Array,
        convert: impl Fn(T::Native) -> f64 + Sync + Send,
    ) -> Vec<f64> {
        convert_in_parallel(array.as_primitive::<T>().values(), convert)
    }
    let array = column.array;
    if array.is_empty() {
        return Ok(Vec::new());
    }
    Ok(match array.data_type() {
        DataType::Float16 => of::<Float16Type>(array, f64::from),
        DataType::Boolean => {
            let values = array.as_boolean().values().iter();
            values.map(|value| f64::from(u8::from(value))).collect()
        }
        DataType::Decimal32(_, scale) => decimals::<Decimal32Type>(array, *scale),
        DataType::Decimal64(_, scale) => decimals::<Decimal64Type>(array, *scale),
        DataType::Decimal128(_, scale) => decimals::<Decimal128Type>(array, *scale),
        DataType::Decimal256(_, scale) => decimals::<Decimal256Type>(array, *scale),
        DataType::Dictionary(..) => {
            let values = array.as_any_dictionary().values();
            let values = numbers_of(column.with(values.as_ref()))?;
            column.keys()?.into_iter().map(|key| values[key]).collect()
        }
        DataType::Float64 => of::<Float64Type>(array, |value| value),
        DataType::Float32 => of::<Float32Type>(array, f64::from),
        DataType::Int8 => of::<Int8Type>(array, f64::from),
        DataType::Int16 => of::<Int16Type>(array, f64::from),
        DataType::Int32 => of::<Int32Type>(array, f64::from),
        DataType::Int64 => of::<Int64Type>(array, |value| value as f64),
        DataType::UInt8 => of::<UInt8Type>(array, f64::from),
        DataType::UInt16 => of::<UInt16Type>(array, f64::from),
        DataType::UInt32 => of::<UInt32Type>(array, f64::from),
        DataType::UInt64 => of::<UInt64Type>(array, |value| value as f64),
        _ => return Err(column.refused("numbers")),
    })
}

/// Decimal numbers, each as the float that is nearest to it.
fn decimals<T: ArrowPrimitiveType<Native: Display>>(array: &dyn Array, scale: i8) -> Vec<f64> {
    let nearest = |digits: &T::Native| format!("{digits}e{}", -i32::from(scale)).parse();
    let numbers = array.as_primitive::<T>().values().iter();
    // Digits and an exponent are always a number; were they not, the row is refused as one that is none.
    numbers
        .map(|digits| nearest(digits).unwrap_or(f64::NAN))
        .collect()
}
