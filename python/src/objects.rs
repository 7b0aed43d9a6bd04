//! Documents and topics in memory: mappings of names to strings, which are read as JSON objects are.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use cranfield::Qrels;
use cranfield::collection::{TopicFormat, Topics};
use cranfield::io::{self, Code, Problem, Source};
use cranfield::lab::inputs;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyIterator, PyList, PyString, PyTuple};
use serde_json::{Map, Value};

use crate::arguments::{self, path};
use crate::dicts::{is_missing, shown, type_name};
use crate::errors::Failure;
use crate::qrels::PyQrels;
use crate::work::Fed;

/// The name of documents in memory in messages.
pub(crate) const DOCUMENTS: &str = "<documents>";

/// The name of topics in memory in messages.
const TOPICS: &str = "<topics>";

/// A mapping as a JSON object. `what` and `number` are for messages.
fn object(row: &Bound<'_, PyAny>, what: &str, number: usize) -> PyResult<Map<String, Value>> {
    let Ok(row) = row.cast::<PyDict>() else {
        let message = format!(
            "{what} {number} is a {}; expected a dict such as {{'id': '1', 'text': 'wings'}}",
            type_name(row)
        );
        return Err(Failure::Type(message).raise(row.py()));
    };
    let mut object = Map::new();
    for (name, item) in row {
        let Ok(name) = name.cast::<PyString>() else {
            let message = format!(
                "{what} {number}: a field is named {}, a {}; expected a str",
                shown(&name),
                type_name(&name)
            );
            return Err(Failure::Type(message).raise(row.py()));
        };
        object.insert(arguments::text(name)?.to_owned(), value(&item)?);
    }
    Ok(object)
}

/// A value; null if it is missing, or of a type that is neither text nor numbers.
fn value(item: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(text) = item.cast::<PyString>() {
        return Ok(Value::String(arguments::text(text)?.to_owned()));
    }
    if is_missing(item) {
        return Ok(Value::Null);
    }
    if item.is_instance_of::<PyBool>() {
        return Ok(Value::Bool(item.is_truthy()?));
    }
    if item.is_instance_of::<PyInt>() {
        // Of any length.
        return Ok(Value::String(item.str()?.to_string()));
    }
    if let Ok(number) = item.cast::<PyFloat>() {
        return Ok(number.value().into());
    }
    if item.is_instance_of::<PyList>() || item.is_instance_of::<PyTuple>() {
        let items = item.try_iter()?.map(|item| value(&item?));
        return Ok(Value::Array(items.collect::<PyResult<_>>()?));
    }
    // Numbers of numpy, and dates.
    for method in ["item", "isoformat"] {
        if let Ok(plain) = item.call_method0(method)
            && !plain.is(item)
        {
            return value(&plain);
        }
    }
    Ok(Value::Null)
}

/// Objects that are sent together.
type Batch = Vec<Map<String, Value>>;

/// Number of objects in a batch.
const BATCH: usize = 512;

/// Batches that wait for the work.
const WAITING: usize = 4;

/// Sends the items of an iterator, which only the thread with the interpreter's lock can read.
pub(crate) struct Feeder<'py> {
    items: Bound<'py, PyIterator>,
    sender: Option<SyncSender<Option<Batch>>>,
    /// A batch that is not sent yet.
    batch: Option<Batch>,
    count: usize,
    is_at_end: bool,
}

/// The objects, on the side of the work.
pub(crate) struct Objects {
    receiver: Receiver<Option<Batch>>,
    batch: std::vec::IntoIter<Map<String, Value>>,
    left: usize,
    is_over: bool,
}

/// The two ends of a line of objects. `total` is their number, or 0 if it is not known.
pub(crate) fn line(items: Bound<'_, PyIterator>, total: usize) -> (Feeder<'_>, Objects) {
    let (sender, receiver) = sync_channel(WAITING);
    let feeder = Feeder {
        items,
        sender: Some(sender),
        batch: None,
        count: 0,
        is_at_end: false,
    };
    let objects = Objects {
        receiver,
        batch: Vec::new().into_iter(),
        left: total,
        is_over: false,
    };
    (feeder, objects)
}

impl Feeder<'_> {
    /// Reads and sends a batch.
    pub(crate) fn feed(&mut self) -> PyResult<Fed> {
        let batch = match self.batch.take() {
            Some(batch) => batch,
            None => self.read()?,
        };
        let Some(sender) = &self.sender else {
            return Ok(Fed::All);
        };
        // The end is sent too, so that the work can tell it from an interruption.
        let message = (!batch.is_empty()).then_some(batch);
        match sender.try_send(message) {
            Ok(()) if self.is_at_end && self.batch.is_none() => {}
            Ok(()) => return Ok(Fed::Some),
            Err(TrySendError::Full(message)) => {
                self.batch = Some(message.unwrap_or_default());
                return Ok(Fed::Enough);
            }
            Err(TrySendError::Disconnected(_)) => {}
        }
        Ok(Fed::All)
    }

    fn read(&mut self) -> PyResult<Batch> {
        let mut batch = Vec::new();
        while batch.len() < BATCH {
            let Some(item) = self.items.next() else {
                break;
            };
            self.count += 1;
            batch.push(object(&item?, "document", self.count)?);
        }
        self.is_at_end = batch.is_empty();
        Ok(batch)
    }
}

impl Iterator for Objects {
    type Item = Result<Map<String, Value>, io::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(object) = self.batch.next() {
                self.left = self.left.saturating_sub(1);
                return Some(Ok(object));
            }
            if self.is_over {
                return None;
            }
            match self.receiver.recv() {
                Ok(Some(batch)) => self.batch = batch.into_iter(),
                Ok(None) => self.is_over = true,
                Err(_) => {
                    self.is_over = true;
                    let message = "interrupted before the last document";
                    let problem = Problem::file(Code::CannotRead, DOCUMENTS, message);
                    return Some(Err(problem.into()));
                }
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, None)
    }
}

/// Topics: a path, or mappings in memory.
pub(crate) enum TopicSource {
    Path(PathBuf),
    Objects(Vec<Value>),
}

impl<'py> FromPyObject<'_, 'py> for TopicSource {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let Ok(rows) = object.cast::<PyList>() else {
            return Ok(Self::Path(path(&object)?));
        };
        let rows = rows.iter().enumerate();
        let objects = rows.map(|(at, row)| self::object(&row, "topic", at + 1).map(Value::Object));
        Ok(Self::Objects(objects.collect::<PyResult<_>>()?))
    }
}

impl TopicSource {
    /// The topics.
    pub(crate) fn open(&self) -> Result<Topics, Failure> {
        match self {
            Self::Path(path) => Ok(inputs::topics(path)?),
            Self::Objects(objects) => {
                let text = Value::Array(objects.clone()).to_string();
                let source = Source::from_bytes(TOPICS, text.into_bytes())?;
                Ok(Topics::read(&source, Some(TopicFormat::Jsonl))?)
            }
        }
    }

    /// The path, if there is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Objects(_) => None,
        }
    }
}

/// Judgements: a path, or `Qrels`.
pub(crate) enum QrelsSource {
    Path(PathBuf),
    Memory(Arc<Qrels>),
}

impl<'py> FromPyObject<'_, 'py> for QrelsSource {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyQrels>() {
            Ok(qrels) => Ok(Self::Memory(Arc::clone(&qrels.get().qrels))),
            Err(_) => Ok(Self::Path(path(&object)?)),
        }
    }
}

impl QrelsSource {
    /// The path, if there is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Memory(_) => None,
        }
    }
}
