//! Lines of a fixed number of columns, for small files of judgements: told one by one, with their problems collected.

use super::lines::{is_blank_or_comment, is_space, offset_in};
use super::number::strict;
use crate::code::Code;
use crate::error::{Error, Problems};
use crate::problem::{Problem, quoted};
use crate::source::Source;

/// What is wrong with a part of the source. Its line is looked for only if it is shown.
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

    /// The same with advice.
    pub(super) fn with_help(self, help: &'static str) -> Self {
        Self {
            help: Some(help),
            ..self
        }
    }

    /// The problem that is shown.
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

/// The grade that a column gives.
pub(super) fn grade(field: &[u8]) -> Result<f64, Fault<'_>> {
    let wanted = match strict(field) {
        Some(grade) if grade.is_finite() => return Ok(grade),
        Some(_) => "a finite number",
        None => "a number",
    };
    let message = format!("grade is {}, expected {wanted}", quoted(field));
    Err(Fault::new(Code::GradeNotNumber, field, message))
}

/// Tells `take` the columns of each line that is neither blank nor a comment. Lines with another number of columns than
/// `names` has are problems, and so are those that `take` refuses; a file without lines is an error.
pub(super) fn each_line<'a, const N: usize>(
    source: &'a Source,
    names: &str,
    mut take: impl FnMut([&'a [u8]; N]) -> Result<(), Fault<'a>>,
) -> Result<(), Error> {
    let (mut problems, mut is_empty) = (Problems::default(), true);
    let lines = source.bytes().split(|byte| *byte == b'\n');
    for line in lines.filter(|line| !is_blank_or_comment(line)) {
        is_empty = false;
        if let Err(fault) = columns(line, names).and_then(&mut take) {
            problems.push_with(|| fault.problem(source));
        }
    }
    problems.into_result()?;
    if is_empty {
        return Err(Problem::file(Code::EmptyFile, source.name(), "holds no data").into());
    }
    Ok(())
}

/// The columns of a line.
fn columns<'a, const N: usize>(line: &'a [u8], names: &str) -> Result<[&'a [u8]; N], Fault<'a>> {
    if let Some(at) = memchr::memchr(0, line) {
        let message = "found a NUL byte, expected text".into();
        return Err(Fault::new(Code::BinaryData, &line[at..=at], message));
    }
    let fields = line
        .split(|byte| is_space(*byte))
        .filter(|field| !field.is_empty());
    let (mut found, mut count) = ([&[][..]; N], 0);
    for field in fields {
        if let Some(place) = found.get_mut(count) {
            *place = field;
        }
        count += 1;
    }
    if count == N {
        return Ok(found);
    }
    let plural = if count == 1 { "" } else { "s" };
    let message = format!("found {count} column{plural}, expected {N}: {names}");
    Err(Fault::new(Code::ColumnCount, line.trim_ascii(), message))
}
