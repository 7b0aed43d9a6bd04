//! Reads TREC text into memory, and turns faulty lines into problems.

use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;

use super::columns::DECIMAL_COMMA;
use super::lines::{Dialect, FaultyLine, LineFault, offset_in};
use super::number::strict;
use super::qrels_line::QrelsLines;
use super::run_line::RunLines;
use crate::code::Code;
use crate::error::Error;
use crate::escape::quoted;
use crate::kind::Kind;
use crate::problem::Problem;
use crate::rows::{self, At, Row, Scan, Sink};
use crate::source::Source;

/// Reads a TREC run.
pub(crate) fn read_run(source: &Source) -> Result<Run, Error> {
    rows::read_run(source, scan_run)
}

/// Reads TREC qrels.
pub(crate) fn read_qrels(source: &Source) -> Result<Qrels, Error> {
    rows::read_qrels(source, scan_qrels)
}

fn scan_run(scan: &mut Scan<'_>, sink: &mut dyn Sink) {
    let source = scan.source;
    for line in RunLines::new(source.bytes(), Dialect::Strict) {
        match line {
            Err(fault) => scan.problems.push_with(|| run_problem(source, &fault)),
            Ok(line) => {
                sink.tag(line.tag);
                let rank = strict(line.rank).filter(|rank| rank.is_finite());
                let at = at(source, line.doc);
                sink.row(Row {
                    topic: line.topic,
                    doc: line.doc,
                    value: line.score,
                    rank,
                    at,
                });
            }
        }
    }
}

fn scan_qrels(scan: &mut Scan<'_>, sink: &mut dyn Sink) {
    let source = scan.source;
    for line in QrelsLines::new(source.bytes(), Dialect::Strict) {
        match line {
            Err(fault) => scan.problems.push_with(|| qrels_problem(source, &fault)),
            Ok(line) => {
                let at = at(source, line.doc);
                sink.row(Row {
                    topic: line.topic,
                    doc: line.doc,
                    value: line.grade,
                    rank: None,
                    at,
                });
            }
        }
    }
}

fn at(source: &Source, part: &[u8]) -> At {
    let start = offset_in(source.bytes(), part);
    At::Bytes(start..start + part.len())
}

/// Returns the problem of a faulty line of a run.
pub fn run_problem(source: &Source, fault: &FaultyLine) -> Problem {
    problem(source, fault, Kind::Run)
}

/// Returns the problem of a faulty line of qrels.
pub fn qrels_problem(source: &Source, fault: &FaultyLine) -> Problem {
    problem(source, fault, Kind::Qrels)
}

fn problem(source: &Source, fault: &FaultyLine, kind: Kind) -> Problem {
    let range = fault.at..fault.at + fault.width;
    let token = quoted(source.bytes().get(range.clone()).unwrap_or_default());
    let (code, message) = match fault.fault {
        LineFault::Columns(found) => (Code::ColumnCount, kind.wrong_columns(found)),
        LineFault::Score => (
            Code::ScoreNotNumber,
            format!("score is {token}, expected a number"),
        ),
        LineFault::ScoreNotFinite => (
            Code::ScoreNotFinite,
            format!("score is {token}, expected a finite number"),
        ),
        LineFault::Grade => (
            Code::GradeNotNumber,
            format!("grade is {token}, expected a number"),
        ),
        LineFault::GradeNotFinite => (
            Code::GradeNotNumber,
            format!("grade is {token}, expected a finite number"),
        ),
        LineFault::Rank => (
            Code::RankNotNumber,
            format!("rank is {token}, expected a number"),
        ),
        LineFault::Nul => (Code::BinaryData, "found a NUL byte, expected text".into()),
    };
    let problem = Problem::at(code, source.name(), source.bytes(), range.clone(), message);
    let has_comma = source
        .bytes()
        .get(range)
        .is_some_and(|token| token.contains(&b','));
    match fault.fault {
        LineFault::Score | LineFault::Grade if has_comma => problem.with_help(DECIMAL_COMMA),
        _ => problem,
    }
}
