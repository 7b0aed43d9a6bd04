//! Columns of topics, documents and numbers in Arrow's memory format, evaluated where they are.

use std::collections::HashMap;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, LargeStringArray, PrimitiveArray, RecordBatch, StringArray, StringViewArray,
};
use arrow_schema::DataType;
use cranfield::core::run::{Run, RunBuilder};
use cranfield::engine::Rankings;
use cranfield::io::Header;

use crate::dicts::Role;
use crate::errors::Failure;

/// Rows of several batches, checked: every row has ids that are not empty, and a finite number.
#[derive(Debug)]
pub(crate) struct Table {
    tag: String,
    batches: Vec<Batch>,
    topics: Vec<Topic>,
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

/// A column of texts.
#[derive(Clone, Debug)]
enum Texts {
    Small(StringArray),
    Large(LargeStringArray),
    View(StringViewArray),
    /// Texts by number.
    Dictionary(Vec<usize>, Box<Self>),
}

impl Table {
    /// The rows of batches, whose columns are named as those of tables in files are.
    pub(crate) fn new(batches: &[RecordBatch], role: Role, tag: &str) -> Result<Self, Failure> {
        let mut table = Self {
            tag: tag.into(),
            batches: Vec::new(),
            topics: Vec::new(),
        };
        let mut places = HashMap::new();
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
            let topics = Texts::new(column(header.topic))?;
            let docs = Texts::new(column(header.doc))?;
            let ranks = header.rank.map(|at| numbers(column(at))).transpose()?;
            let values = match (header.value, &ranks) {
                (Some(at), _) => numbers(column(at))?,
                // The better rank has the higher score.
                (None, Some(ranks)) => ranks.iter().map(|rank| -rank).collect(),
                (None, None) => vec![0.0; batch.num_rows()],
            };
            table.push(
                role,
                &topics,
                Batch {
                    docs,
                    values,
                    ranks,
                },
                &mut places,
            )?;
        }
        Ok(table)
    }

    /// The rows of three columns, which must be of the same length.
    pub(crate) fn of_columns(
        (topics, docs): (LargeStringArray, LargeStringArray),
        values: Vec<f64>,
        role: Role,
        tag: &str,
    ) -> Result<Self, Failure> {
        let mut table = Self {
            tag: tag.into(),
            batches: Vec::new(),
            topics: Vec::new(),
        };
        let batch = Batch {
            docs: Texts::Large(docs),
            values,
            ranks: None,
        };
        table.push(role, &Texts::Large(topics), batch, &mut HashMap::new())?;
        Ok(table)
    }

    fn push(
        &mut self,
        role: Role,
        topics: &Texts,
        batch: Batch,
        places: &mut HashMap<Vec<u8>, usize>,
    ) -> Result<(), Failure> {
        let rows = batch.values.len();
        if let Some(row) = (0..rows).find(|row| batch.docs.get(*row).is_empty()) {
            return Err(Failure::Usage(format!(
                "empty id of a document in row {}",
                row + 1
            )));
        }
        if let Some(row) = batch.values.iter().position(|value| !value.is_finite()) {
            let (topic, doc) = (topics.get(row), batch.docs.get(row));
            return Err(role.not_finite(topic, doc, batch.values[row]));
        }
        let mut start = 0;
        while start < rows {
            let id = topics.get(start);
            if id.is_empty() {
                return Err(Failure::Usage(format!(
                    "empty id of a topic in row {}",
                    start + 1
                )));
            }
            let same = (start + 1..rows).find(|row| topics.get(*row) != id);
            let end = same.unwrap_or(rows);
            let piece = Piece {
                batch: self.batches.len(),
                start,
                end,
            };
            let next = self.topics.len();
            let place = *places.entry(id.to_vec()).or_insert(next);
            match self.topics.get_mut(place) {
                Some(topic) => topic.pieces.push(piece),
                None => self.topics.push(Topic {
                    id: id.to_vec(),
                    pieces: vec![piece],
                }),
            }
            start = end;
        }
        self.batches.push(batch);
        Ok(())
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.batches.iter().map(|batch| batch.values.len()).sum()
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
                docs => rows.for_each(|(row, score)| tell(docs.get(row), *score)),
            }
        }
    }
}

impl Texts {
    fn new((name, array): (&str, &dyn Array)) -> Result<Self, Failure> {
        if array.null_count() > 0 {
            return Err(missing(name, array));
        }
        Ok(match array.data_type() {
            DataType::Utf8 => Self::Small(array.as_string().clone()),
            DataType::LargeUtf8 => Self::Large(array.as_string().clone()),
            DataType::Utf8View => Self::View(array.as_string_view().clone()),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let values = Self::new((name, dictionary.values().as_ref()))?;
                let keys = match array.len() {
                    0 => Vec::new(),
                    _ => dictionary.normalized_keys(),
                };
                Self::Dictionary(keys, Box::new(values))
            }
            DataType::Int8 => whole::<Int8Type>(array),
            DataType::Int16 => whole::<Int16Type>(array),
            DataType::Int32 => whole::<Int32Type>(array),
            DataType::Int64 => whole::<Int64Type>(array),
            DataType::UInt8 => whole::<UInt8Type>(array),
            DataType::UInt16 => whole::<UInt16Type>(array),
            DataType::UInt32 => whole::<UInt32Type>(array),
            DataType::UInt64 => whole::<UInt64Type>(array),
            other => {
                let message =
                    format!("column `{name}` is of type {other}, expected texts or whole numbers");
                return Err(Failure::Type(message));
            }
        })
    }

    fn get(&self, row: usize) -> &[u8] {
        match self {
            Self::Small(texts) => texts.value(row).as_bytes(),
            Self::Large(texts) => texts.value(row).as_bytes(),
            Self::View(texts) => texts.value(row).as_bytes(),
            Self::Dictionary(keys, texts) => texts.get(keys[row]),
        }
    }
}

/// Whole numbers as texts.
fn whole<T: ArrowPrimitiveType<Native: std::fmt::Display>>(array: &dyn Array) -> Texts {
    let numbers: &PrimitiveArray<T> = array.as_primitive();
    let texts = numbers.values().iter().map(ToString::to_string);
    Texts::Large(LargeStringArray::from_iter_values(texts))
}

fn missing(name: &str, array: &dyn Array) -> Failure {
    let row = (0..array.len())
        .find(|row| array.is_null(*row))
        .unwrap_or(0);
    Failure::Usage(format!("column `{name}` has no value in row {}", row + 1))
}

/// A column of numbers.
fn numbers((name, array): (&str, &dyn Array)) -> Result<Vec<f64>, Failure> {
    fn of<T: ArrowPrimitiveType>(array: &dyn Array, convert: fn(T::Native) -> f64) -> Vec<f64> {
        let numbers: &PrimitiveArray<T> = array.as_primitive();
        numbers.values().iter().copied().map(convert).collect()
    }
    if array.null_count() > 0 {
        return Err(missing(name, array));
    }
    Ok(match array.data_type() {
        DataType::Float64 => array.as_primitive::<Float64Type>().values().to_vec(),
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
