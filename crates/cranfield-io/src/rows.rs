//! From rows of any format to [`Run`] and [`Qrels`], with the checks that all formats share.
//!
//! Each format has a scanner: a function that passes each row to a [`Sink`] and records problems. Collected rows do not keep their
//! places; if a document is repeated, the input is scanned again to find where.

use std::ops::Range;

use cranfield_core::qrels::Qrels;
use cranfield_core::run::{Run, RunBuilder};

use crate::code::Code;
use crate::error::{Error, Problems};
use crate::escape::quoted;
use crate::kind::Kind;
use crate::number::{self, Unusable};
use crate::problem::Problem;
use crate::repeated::Repeated;
use crate::source::Source;

/// The place of a row.
#[derive(Clone, Debug)]
pub(crate) enum At {
    /// A range of bytes of the input.
    Bytes(Range<usize>),
    /// A field of the record that starts at this byte of a table; its range is found only when needed.
    Field {
        record: usize,
        separator: u8,
        column: usize,
    },
    /// A row, from 1, of a table without lines.
    Row(u64),
}

impl At {
    /// Returns the range of bytes, or the row as an error.
    pub(crate) fn resolve(&self, source: &Source) -> Result<Range<usize>, u64> {
        match self {
            Self::Bytes(range) => Ok(range.clone()),
            Self::Field {
                record,
                separator,
                column,
            } => Ok(crate::delimited::field_at(
                source.bytes(),
                *record,
                *separator,
                *column,
            )),
            Self::Row(row) => Err(*row),
        }
    }
}

/// A document of a topic with its score or grade.
#[derive(Clone, Debug)]
pub(crate) struct Row<'a> {
    pub(crate) topic: &'a [u8],
    pub(crate) doc: &'a [u8],
    pub(crate) value: f64,
    pub(crate) rank: Option<f64>,
    pub(crate) at: At,
}

/// Receives the rows of a scanner.
pub(crate) trait Sink {
    fn row(&mut self, row: Row<'_>);

    /// Receives a topic, which may have no rows.
    fn topic(&mut self, _id: &[u8]) {}

    /// Receives the tag of the run.
    fn tag(&mut self, _tag: &[u8]) {}
}

/// The state of a scanner: the input, its kind, and the problems so far.
pub(crate) struct Scan<'a> {
    pub(crate) source: &'a Source,
    pub(crate) kind: Kind,
    pub(crate) problems: Problems,
}

impl Scan<'_> {
    pub(crate) fn bytes(&self) -> &[u8] {
        self.source.bytes()
    }

    /// Records a problem.
    pub(crate) fn problem(&mut self, code: Code, at: &At, message: impl FnOnce() -> String) {
        let source = self.source;
        self.problems
            .push_with(|| problem_at(source, code, at, message()));
    }

    /// Parses a score or grade.
    pub(crate) fn value(&mut self, text: &[u8], at: &At) -> Option<f64> {
        let parsed = number::parse(text);
        let kind = self.kind;
        match parsed {
            Ok(value) => Some(value),
            Err(why) => {
                self.problem(value_code(kind, why), at, || {
                    unusable_value(kind, why, text)
                });
                None
            }
        }
    }

    /// Checks a score or grade that is a number already.
    pub(crate) fn finite(&mut self, value: f64, at: &At) -> Option<f64> {
        if value.is_finite() {
            return Some(value);
        }
        self.value(value.to_string().as_bytes(), at)
    }

    /// Parses a rank.
    pub(crate) fn rank(&mut self, text: &[u8], at: &At) -> Option<f64> {
        let rank = number::parse(text).ok();
        if rank.is_none() {
            let message = || format!("rank is {}, expected a number", quoted(text));
            self.problem(Code::RankNotNumber, at, message);
        }
        rank
    }

    /// Checks that an id is not empty.
    pub(crate) fn check_id(&mut self, id: &[u8], what: &str, at: &At) -> bool {
        if id.is_empty() {
            self.problem(Code::EmptyId, at, || format!("{what} id is empty"));
        }
        !id.is_empty()
    }
}

/// The code for an invalid score or grade.
pub(crate) fn value_code(kind: Kind, why: Unusable) -> Code {
    match (kind, why) {
        (Kind::Run, Unusable::NotNumber) => Code::ScoreNotNumber,
        (Kind::Run, Unusable::NotFinite) => Code::ScoreNotFinite,
        (Kind::Qrels, _) => Code::GradeNotNumber,
    }
}

/// The message for an invalid score or grade.
pub(crate) fn unusable_value(kind: Kind, why: Unusable, text: &[u8]) -> String {
    let what = kind.value_name();
    let wanted = if why == Unusable::NotFinite {
        "a finite number"
    } else {
        "a number"
    };
    let found = if text.is_empty() {
        "empty".into()
    } else {
        quoted(text)
    };
    format!("{what} is {found}, expected {wanted}")
}

pub(crate) fn problem_at(source: &Source, code: Code, at: &At, message: String) -> Problem {
    match at.resolve(source) {
        Ok(range) => Problem::at(code, source.name(), source.bytes(), range, message),
        Err(row) => Problem::file(code, source.name(), format!("row {row}: {message}")),
    }
}

/// A function that passes the rows of an input to a sink.
pub(crate) type Scanner = fn(&mut Scan<'_>, &mut dyn Sink);

/// Reads a run.
pub(crate) fn read_run(source: &Source, scanner: Scanner) -> Result<Run, Error> {
    let run = collect(source, Kind::Run, scanner)?;
    Repeated::find(&run).into_result(source, Kind::Run, scanner)?;
    Ok(run)
}

/// Reads judgements.
pub(crate) fn read_qrels(source: &Source, scanner: Scanner) -> Result<Qrels, Error> {
    let rows = collect(source, Kind::Qrels, scanner)?;
    Repeated::find(&rows)
        .conflicts()
        .into_result(source, Kind::Qrels, scanner)?;
    Ok(qrels_of(&rows))
}

fn collect(source: &Source, kind: Kind, scanner: Scanner) -> Result<Run, Error> {
    let mut scan = Scan {
        source,
        kind,
        problems: Problems::default(),
    };
    let mut collect = Collect::default();
    scanner(&mut scan, &mut collect);
    scan.problems.into_result()?;
    if collect.is_empty {
        return Err(Problem::file(Code::EmptyFile, source.name(), "contains no data").into());
    }
    Ok(collect.builder.finish())
}

/// Converts rows whose scores are grades.
fn qrels_of(rows: &Run) -> Qrels {
    let judged = rows.topics().filter(|topic| topic.entries().len() > 0);
    Qrels::from_topics(judged.map(|topic| {
        let entries = topic.entries().map(|entry| (entry.doc, entry.score));
        (topic.id(), entries)
    }))
}

struct Collect {
    builder: RunBuilder,
    is_empty: bool,
    has_tag: bool,
}

impl Default for Collect {
    fn default() -> Self {
        Self {
            builder: RunBuilder::default(),
            is_empty: true,
            has_tag: false,
        }
    }
}

impl Sink for Collect {
    fn row(&mut self, row: Row<'_>) {
        self.is_empty = false;
        self.builder.push(row.topic, row.doc, row.value, row.rank);
    }

    fn topic(&mut self, id: &[u8]) {
        self.is_empty = false;
        self.builder.add_topic(id);
    }

    fn tag(&mut self, tag: &[u8]) {
        if !self.has_tag {
            self.builder.set_tag(&String::from_utf8_lossy(tag));
            self.has_tag = true;
        }
    }
}
