//! Dictionaries of dictionaries: topic, document, score or grade.

use std::borrow::Cow;

use cranfield::Qrels;
use cranfield::core::run::{Run, RunBuilder};
use cranfield::io::{Code, Problem, quoted};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyMapping, PyString};

use crate::arguments::HALF_PAIR;
use crate::errors::Failure;
use crate::work;

/// The content of a dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Run,
    Qrels,
}

impl Role {
    /// The name of the numbers.
    pub(crate) fn value(self) -> &'static str {
        match self {
            Self::Run => "score",
            Self::Qrels => "grade",
        }
    }

    /// The name if it has none of its own.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Run => "<run>",
            Self::Qrels => "<qrels>",
        }
    }

    /// The problem of a number that is none, or infinite; in a row, if it is in one.
    pub(crate) fn not_finite(
        self,
        (topic, doc): (&[u8], &[u8]),
        value: f64,
        row: Option<usize>,
    ) -> Failure {
        let row = row.map_or_else(String::new, |row| format!(" in row {}", row + 1));
        let message = format!(
            "{} of document {} in topic {} is {value}{row}, expected a finite number; leave the document out, or give it one",
            self.value(),
            quoted(doc),
            quoted(topic)
        );
        Problem::file(self.code(), self.name(), message).into()
    }

    /// The code of a number that is none.
    pub(crate) fn code(self) -> Code {
        match self {
            Self::Run => Code::ScoreNotFinite,
            Self::Qrels => Code::GradeNotNumber,
        }
    }

    /// The problem of a row in which a value is absent.
    pub(crate) fn missing(self, code: Code, what: &str, row: usize) -> Failure {
        let row = row + 1;
        let message = format!("{what} has no value in row {row}; leave the row out, or fill it in");
        Problem::file(code, self.name(), message).into()
    }
}

/// Which numbers are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// All that Python can make a float of, if they are finite.
    Finite,
    /// Those of type `float` and `int`, whatever they are, as `pytrec_eval` reads scores.
    Exact,
    /// Those of type `int`, as `pytrec_eval` reads grades.
    Whole,
}

/// Reads a mapping of mappings; topics and documents are in its order.
pub(crate) fn read(
    object: &Bound<'_, PyAny>,
    role: Role,
    numbers: Numbers,
    tag: &str,
) -> PyResult<Run> {
    let (topics, rankings) = keys_and_values(object, role, numbers, "topics")?;
    let mut builder = RunBuilder::default();
    builder.set_tag(tag);
    for (topic, ranking) in topics.iter().zip(rankings.iter()) {
        object.py().check_signals()?;
        let topic = bytes_of(id(&topic, role, "topic")?, numbers)?;
        builder.add_topic(&topic);
        read_topic(&mut builder, &topic, &ranking, role, numbers)?;
    }
    Ok(builder.finish())
}

/// Reads the documents of a topic.
fn read_topic(
    builder: &mut RunBuilder,
    topic: &[u8],
    ranking: &Bound<'_, PyAny>,
    role: Role,
    numbers: Numbers,
) -> PyResult<()> {
    let (docs, values) = keys_and_values(ranking, role, numbers, "documents")?;
    for (place, (doc, value)) in docs.iter().zip(values.iter()).enumerate() {
        work::at(doc.py(), place)?;
        let doc = bytes_of(id(&doc, role, "document")?, numbers)?;
        let number = number(&value, role, numbers, (topic, &doc))?;
        if number.is_nan() || (number.is_infinite() && numbers == Numbers::Finite) {
            let failure = role.not_finite((topic, &doc), number, None);
            return Err(failure.raise(value.py()));
        }
        builder.push(topic, &doc, number, None);
    }
    Ok(())
}

/// Keys and values as they are now: what happens to the mapping while they are read changes nothing.
fn keys_and_values<'py>(
    object: &Bound<'py, PyAny>,
    role: Role,
    numbers: Numbers,
    of: &str,
) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyList>)> {
    if let Ok(dict) = object.cast::<PyDict>() {
        return Ok((dict.keys(), dict.values()));
    }
    if let (Ok(mapping), Numbers::Finite) = (object.cast::<PyMapping>(), numbers) {
        return Ok((mapping.keys()?, mapping.values()?));
    }
    let reader = match role {
        Role::Run => "read_run",
        Role::Qrels => "read_qrels",
    };
    let cure = match of {
        "topics" => format!("; `cranfield.{reader}` reads files, frames and tables"),
        _ => String::new(),
    };
    let message = format!(
        "{}: expected a dict of {of}, found {}{cure}",
        role.name(),
        type_name(object)
    );
    Err(Failure::Type(message).raise(object.py()))
}

fn id<'a, 'py>(
    key: &'a Bound<'py, PyAny>,
    role: Role,
    what: &str,
) -> PyResult<&'a Bound<'py, PyString>> {
    key.cast::<PyString>().map_err(|_| {
        let message = format!(
            "{}: the id of a {what} is {}, a {}; expected a str",
            role.name(),
            shown(key),
            type_name(key)
        );
        Failure::Type(message).raise(key.py())
    })
}

fn number(
    value: &Bound<'_, PyAny>,
    role: Role,
    numbers: Numbers,
    (topic, doc): (&[u8], &[u8]),
) -> PyResult<f64> {
    if let (Ok(float), false) = (value.cast::<PyFloat>(), numbers == Numbers::Whole) {
        return Ok(float.value());
    }
    let refused = || {
        let message = format!(
            "{}: {} of document {} in topic {} is {}, a {}; expected a number",
            role.name(),
            role.value(),
            quoted(doc),
            quoted(topic),
            shown(value),
            type_name(value)
        );
        Failure::Type(message).raise(value.py())
    };
    let exact = numbers == Numbers::Finite || value.is_instance_of::<PyInt>();
    if value.is_instance_of::<PyString>() || !exact {
        return Err(refused());
    }
    match value.extract::<f64>() {
        Ok(number) => Ok(number),
        Err(_) if numbers == Numbers::Finite && value.is_instance_of::<PyInt>() => {
            Ok(too_large(value))
        }
        Err(_) => Err(refused()),
    }
}

/// Infinity, for a whole number that no float can hold.
pub(crate) fn too_large(number: &Bound<'_, PyAny>) -> f64 {
    let is_negative = number.lt(0).unwrap_or(false);
    if is_negative {
        f64::NEG_INFINITY
    } else {
        f64::INFINITY
    }
}

/// Whether an object means that a value is absent.
pub(crate) fn is_missing(value: &Bound<'_, PyAny>) -> bool {
    let is_nan = || {
        value
            .cast::<PyFloat>()
            .is_ok_and(|float| float.value().is_nan())
    };
    // Those of pandas.
    let is_marker = || matches!(type_name(value).as_str(), "NAType" | "NaTType");
    value.is_none() || is_nan() || is_marker()
}

/// The bytes of an id, without copying them where that can be. Bytes of files that are no UTF-8, which Python has in a form of
/// its own, are what they were; other strings that are no Unicode are refused.
pub(crate) fn id_bytes<'t>(id: &'t Bound<'_, PyString>) -> PyResult<Cow<'t, [u8]>> {
    if let Ok(text) = id.to_str() {
        return Ok(Cow::Borrowed(text.as_bytes()));
    }
    let encoded = id.call_method1("encode", ("utf-8", "surrogateescape"));
    let encoded = encoded.map_err(|_| {
        let message = format!("the id {} is no Unicode text: {HALF_PAIR}", shown(id));
        Failure::Usage(message).raise(id.py())
    })?;
    Ok(Cow::Owned(encoded.extract()?))
}

/// Reads an id for `pytrec_eval`, which takes only Unicode.
fn bytes_of<'t>(id: &'t Bound<'_, PyString>, numbers: Numbers) -> PyResult<Cow<'t, [u8]>> {
    match numbers {
        Numbers::Finite => id_bytes(id),
        Numbers::Exact | Numbers::Whole => Ok(Cow::Borrowed(id.to_str()?.as_bytes())),
    }
}

pub(crate) fn shown(object: &Bound<'_, PyAny>) -> String {
    let repr = object
        .repr()
        .map(|text| text.to_string_lossy().into_owned());
    let text = repr.unwrap_or_else(|_| "an object".into());
    text.chars().take(60).collect()
}

/// The name of an object's type.
pub(crate) fn type_name(object: &Bound<'_, PyAny>) -> String {
    let name = object.get_type().name();
    name.map_or_else(
        |_| "object".into(),
        |name| name.to_string_lossy().into_owned(),
    )
}

/// Judgements from rows whose scores are grades; topics without any are left out, as readers of files do.
pub(crate) fn qrels_of(rows: &Run) -> Result<Qrels, Failure> {
    let judged = rows.topics().filter(|topic| topic.entries().len() > 0);
    let qrels = Qrels::from_topics(judged.map(|topic| {
        let entries = topic.entries().map(|entry| (entry.doc, entry.score));
        (topic.id(), entries)
    }));
    let conflict = qrels.duplicates().find(|twice| twice.is_conflict());
    if let Some(twice) = conflict {
        let message = format!(
            "document {} of topic {} is judged {} and {}",
            quoted(&twice.doc),
            quoted(&twice.topic),
            twice.kept,
            twice.dropped
        );
        return Err(Problem::file(Code::ConflictingJudgement, Role::Qrels.name(), message).into());
    }
    Ok(qrels)
}
