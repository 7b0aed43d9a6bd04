//! Small files of judgements with a fixed number of columns, read line by line; problems are collected.

use super::lines::{is_blank_or_comment, is_space, offset_in};
use super::number::strict;
use crate::code::Code;
use crate::error::{Error, Problems};
use crate::escape::quoted;
use crate::kind::wrong_columns;
use crate::problem::Problem;
use crate::source::Source;

/// Advice for a number such as `0,5`.
pub(super) const DECIMAL_COMMA: &str = "write decimals with a point, not with a comma";

/// A problem with a part of the source. Its line is looked up only if it is shown.
pub(super) struct Fault<'a> {
    code: Code,
    part: &'a [u8],
    message: String,
    help: Option<&'static str>,
}

impl<'a> Fault<'a> {
    pub(super) fn new(code: Code, part: &'a [u8], message: String) -> Self {
        Self {
            code,
            part,
            message,
            help: None,
        }
    }

    pub(super) fn with_help(self, help: &'static str) -> Self {
        Self {
            help: Some(help),
            ..self
        }
    }

    pub(super) fn problem(self, source: &Source) -> Problem {
        let start = offset_in(source.bytes(), self.part);
        let range = start..start + self.part.len();
        let name = source.name();
        let problem = Problem::at(self.code, name, source.bytes(), range, self.message);
        match self.help {
            Some(help) => problem.with_help(help),
            None => problem,
        }
    }
}

/// Parses a grade.
pub(super) fn grade(field: &[u8]) -> Result<f64, Fault<'_>> {
    let expected = match strict(field) {
        Some(grade) if grade.is_finite() => return Ok(grade),
        Some(_) => "a finite number",
        None => "a number",
    };
    let message = format!("grade is {}, expected {expected}", quoted(field));
    let fault = Fault::new(Code::GradeNotNumber, field, message);
    if field.contains(&b',') {
        return Err(fault.with_help(DECIMAL_COMMA));
    }
    Err(fault)
}

/// Calls `take` with the columns of each line that is neither blank nor a comment. Lines with a wrong number of columns and
/// those for which `take` fails are collected as problems; a file without lines is an error.
pub(super) fn each_line<'a, const N: usize>(
    source: &'a Source,
    names: &str,
    mut take: impl FnMut([&'a [u8]; N]) -> Result<(), Fault<'a>>,
) -> Result<(), Error> {
    each_row(source, |line, fields| match fields.try_into() {
        Ok(columns) => take(columns),
        Err(_) => {
            let message = wrong_columns(fields.len(), N, names);
            let part = fields.get(N).copied().unwrap_or(line);
            Err(Fault::new(Code::ColumnCount, part, message))
        }
    })
}

/// Calls `take` with each line that is neither blank nor a comment, trimmed, and its fields.
pub(super) fn each_row<'a>(
    source: &'a Source,
    mut take: impl FnMut(&'a [u8], &[&'a [u8]]) -> Result<(), Fault<'a>>,
) -> Result<(), Error> {
    let mut problems = Problems::default();
    let mut fields = Vec::new();
    let mut is_empty = true;
    for line in source.bytes().split(|byte| *byte == b'\n') {
        if is_blank_or_comment(line) {
            continue;
        }
        is_empty = false;
        fields.clear();
        fields.extend(
            line.split(|byte| is_space(*byte))
                .filter(|field| !field.is_empty()),
        );
        let taken = check_text(line).and_then(|()| take(line.trim_ascii(), &fields));
        if let Err(fault) = taken {
            problems.push_with(|| fault.problem(source));
        }
    }
    problems.into_result()?;
    if is_empty {
        return Err(Problem::file(Code::EmptyFile, source.name(), "contains no data").into());
    }
    Ok(())
}

fn check_text(line: &[u8]) -> Result<(), Fault<'_>> {
    match memchr::memchr(0, line) {
        Some(at) => {
            let message = "found a NUL byte, expected text".into();
            Err(Fault::new(Code::BinaryData, &line[at..=at], message))
        }
        None => Ok(()),
    }
}
