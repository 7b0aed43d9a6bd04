//! The way from rows of any format to [`Run`] and [`Qrels`], with the checks that all formats share.
//!
//! A format gives a scanner: a function that tells a [`Sink`] each row and notes what it cannot read. The rows
//! themselves do not keep their places; when a document turns out to be there twice, the input is scanned once more to find where.

use std::ops::Range;

use cranfield_core::qrels::Qrels;
use cranfield_core::run::{Run, RunBuilder};

use crate::code::Code;
use crate::columns::Role;
use crate::error::{Error, Problems};
use crate::number::{self, Unusable};
use crate::problem::{Problem, quoted};
use crate::repeated::Repeated;
use crate::source::Source;

/// Where a row stands.
#[derive(Clone, Debug)]
pub(crate) enum At {
    /// These bytes of the input.
    Bytes(Range<usize>),
    /// A field of the record that starts at this byte of a table; found only when it is needed.
    Field {
        record: usize,
        separator: u8,
        column: usize,
    },
    /// This row, from 1, of a table without lines.
    Row(u64),
}

impl At {
    /// The bytes, or the row.
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

/// Takes what a scanner finds.
pub(crate) trait Sink {
    fn row(&mut self, row: Row<'_>);

    /// A topic, which may have no rows.
    fn topic(&mut self, _id: &[u8]) {}

    /// The name of the run.
    fn tag(&mut self, _tag: &[u8]) {}
}

/// What a scanner works on: the input, what it is read as, and what is wrong with it.
pub(crate) struct Scan<'a> {
    pub(crate) source: &'a Source,
    pub(crate) role: Role,
    pub(crate) problems: Problems,
}

impl Scan<'_> {
    pub(crate) fn bytes(&self) -> &[u8] {
        self.source.bytes()
    }

    /// Notes a problem at a place.
    pub(crate) fn problem(&mut self, code: Code, at: &At, message: impl FnOnce() -> String) {
        let source = self.source;
        self.problems
            .push_with(|| problem_at(source, code, at, message()));
    }

    /// A score or grade from its text.
    pub(crate) fn value(&mut self, text: &[u8], at: &At) -> Option<f64> {
        let parsed = number::parse(text);
        let role = self.role;
        match parsed {
            Ok(value) => Some(value),
            Err(why) => {
                self.problem(value_code(role, why), at, || {
                    unusable_value(role, why, text)
                });
                None
            }
        }
    }

    /// A score or grade that came as a number.
    pub(crate) fn finite(&mut self, value: f64, at: &At) -> Option<f64> {
        if value.is_finite() {
            return Some(value);
        }
        self.value(value.to_string().as_bytes(), at)
    }

    /// A rank from its text.
    pub(crate) fn rank(&mut self, text: &[u8], at: &At) -> Option<f64> {
        let rank = number::parse(text).ok();
        if rank.is_none() {
            let message = || format!("rank is {}, expected a number", quoted(text));
            self.problem(Code::RankNotNumber, at, message);
        }
        rank
    }

    /// An id, which may not be empty.
    pub(crate) fn check_id(&mut self, id: &[u8], what: &str, at: &At) -> bool {
        if id.is_empty() {
            self.problem(Code::EmptyId, at, || format!("empty id of a {what}"));
        }
        !id.is_empty()
    }
}

fn value_code(role: Role, why: Unusable) -> Code {
    match (role, why) {
        (Role::Run, Unusable::NotNumber) => Code::ScoreNotNumber,
        (Role::Run, Unusable::NotFinite) => Code::ScoreNotFinite,
        (Role::Qrels, _) => Code::GradeNotNumber,
    }
}

fn unusable_value(role: Role, why: Unusable, text: &[u8]) -> String {
    let what = if role == Role::Run { "score" } else { "grade" };
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

/// A function that scans an input.
pub(crate) type Scanner = fn(&mut Scan<'_>, &mut dyn Sink);

/// Reads a run.
pub(crate) fn read_run(source: &Source, scanner: Scanner) -> Result<Run, Error> {
    let run = collect(source, Role::Run, scanner)?;
    Repeated::find(&run).refuse(source, Role::Run, scanner)?;
    Ok(run)
}

/// Reads judgements.
pub(crate) fn read_qrels(source: &Source, scanner: Scanner) -> Result<Qrels, Error> {
    let rows = collect(source, Role::Qrels, scanner)?;
    Repeated::find(&rows)
        .conflicts()
        .refuse(source, Role::Qrels, scanner)?;
    Ok(qrels_of(&rows))
}

fn collect(source: &Source, role: Role, scanner: Scanner) -> Result<Run, Error> {
    let mut scan = Scan {
        source,
        role,
        problems: Problems::default(),
    };
    let mut collect = Collect::default();
    scanner(&mut scan, &mut collect);
    scan.problems.into_result()?;
    if collect.is_empty {
        return Err(Problem::file(Code::EmptyFile, source.name(), "holds no data").into());
    }
    Ok(collect.builder.finish())
}

/// Judgements from rows whose scores are grades.
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
