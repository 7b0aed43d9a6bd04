//! Columns of topics, documents and numbers, evaluated where they are.

use std::collections::HashMap;
use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use cranfield::core::run::{Run, RunBuilder};
use cranfield::engine::{Rankings, fill_in_parallel, in_parallel};
use cranfield::io::Header;

use crate::dicts::Role;
use crate::errors::Failure;
use crate::texts::{Ids, Texts, missing, trimmed};

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
    docs: Texts,
    values: Vec<f64>,
    ranks: Option<Vec<f64>>,
}

/// A topic, and where its rows stand; in several pieces where a batch ends or another topic comes between.
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
            let column = |at: usize| (names[at], batch.column(at).as_ref());
            let topics = Ids::new(column(header.topic))?;
            let docs = Ids::new(column(header.doc))?.texts();
            let ranks = header.rank.map(|at| numbers(column(at))).transpose()?;
            let values = match (header.value, &ranks) {
                (Some(at), _) => numbers(column(at))?,
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

    /// The rows of three columns, which must be of the same length.
    pub(crate) fn of_columns(
        (topics, docs): (&Ids, Ids),
        values: Vec<f64>,
        role: Role,
        tag: &str,
    ) -> Result<Self, Failure> {
        let mut table = Self {
            tag: tag.into(),
            ..Self::default()
        };
        let batch = Batch {
            docs: docs.texts(),
            values,
            ranks: None,
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
            stretches(topics, piece.clone(), self.rows)
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

    /// Whether rows have ranks beside their numbers.
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
    /// Refuses documents without an id, and numbers that are not finite.
    fn check(
        &self,
        role: Role,
        topics: &Ids,
        rows: Range<usize>,
        before: usize,
    ) -> Result<(), Failure> {
        if let Some(row) = rows.clone().find(|row| self.docs.is_empty(*row)) {
            return Err(empty("document", before + row));
        }
        let mut values = self.values[rows.clone()].iter();
        if let Some(at) = values.position(|value| !value.is_finite()) {
            let row = rows.start + at;
            let mut topic = Vec::new();
            topics.append(row, &mut topic);
            return Err(role.not_finite(&topic, self.docs.get(row), self.values[row]));
        }
        Ok(())
    }
}

/// Where the topics of some rows change.
fn stretches(topics: &Ids, rows: Range<usize>, before: usize) -> Result<Stretches, Failure> {
    let mut found = Stretches {
        ids: Vec::new(),
        ends: Vec::new(),
    };
    let mut start = rows.start;
    while start < rows.end {
        let first = found.ids.len();
        topics.append(start, &mut found.ids);
        if found.ids.len() == first {
            return Err(empty("topic", before + start));
        }
        start = topics.same_until(start, rows.end);
        found.ends.push((start, found.ids.len()));
    }
    Ok(found)
}

fn empty(what: &str, row: usize) -> Failure {
    Failure::Usage(format!("empty id of a {what} in row {}", row + 1))
}

impl Rankings for Table {
    fn topics(&self) -> usize {
        self.topics.len()
    }

    fn id(&self, topic: usize) -> &[u8] {
        &self.topics[topic].id
    }

    fn each<'a>(&'a self, topic: usize, mut tell: impl FnMut(&'a [u8], f64)) {
        for piece in &self.topics[topic].pieces {
            let batch = &self.batches[piece.batch];
            let rows = (piece.start..piece.end).zip(&batch.values[piece.start..piece.end]);
            match &batch.docs {
                Texts::Small(docs) => {
                    rows.for_each(|(row, score)| tell(docs.value(row).as_bytes(), *score));
                }
                Texts::Large(docs) => {
                    rows.for_each(|(row, score)| tell(docs.value(row).as_bytes(), *score));
                }
                Texts::Fixed(bytes, width) => {
                    let docs = bytes[piece.start * width..].chunks_exact(*width);
                    rows.zip(docs)
                        .for_each(|((_, score), doc)| tell(trimmed(doc), *score));
                }
                docs => rows.for_each(|(row, score)| tell(docs.get(row), *score)),
            }
        }
    }
}

/// A column of numbers, copied: whoever made it may change its own.
fn numbers((name, array): (&str, &dyn Array)) -> Result<Vec<f64>, Failure> {
    fn of<T: ArrowPrimitiveType>(
        array: &dyn Array,
        convert: impl Fn(T::Native) -> f64 + Sync + Send,
    ) -> Vec<f64> {
        let numbers: &[T::Native] = array.as_primitive::<T>().values();
        let mut copy = vec![0.0; numbers.len()];
        fill_in_parallel(&mut copy, ROWS_PER_PIECE, |piece, copy| {
            let numbers = &numbers[piece * ROWS_PER_PIECE..];
            for (to, from) in copy.iter_mut().zip(numbers) {
                *to = convert(*from);
            }
        });
        copy
    }
    if array.null_count() > 0 {
        return Err(missing(name, array));
    }
    Ok(match array.data_type() {
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
        other => {
            let message = format!("column `{name}` is of type {other}, expected numbers");
            return Err(Failure::Type(message));
        }
    })
}
