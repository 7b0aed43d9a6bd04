//! The error of this crate: the problems of an input or output, up to a limit.
//!
//! Readers do not stop at the first problem: they collect up to [`LIMIT`] of them in [`Problems`] and count the rest.

use std::fmt;

use crate::code::Code;
use crate::problem::Problem;

/// Most problems that one error shows; the others are counted.
pub const LIMIT: usize = 20;

/// Problems as they are found: the first [`LIMIT`] are kept, the others counted.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    kept: Vec<Problem>,
    omitted: u64,
}

impl Problems {
    /// Adds a problem.
    pub fn push(&mut self, problem: Problem) {
        self.push_with(|| problem);
    }

    /// Adds a problem, which is only made if it will be kept.
    pub fn push_with(&mut self, problem: impl FnOnce() -> Problem) {
        if self.kept.len() < LIMIT {
            self.kept.push(problem());
        } else {
            self.omitted += 1;
        }
    }

    /// Counts further problems that were not made.
    pub fn omit(&mut self, count: u64) {
        self.omitted += count;
    }

    /// Number of problems, kept or not.
    pub fn count(&self) -> u64 {
        self.kept.len() as u64 + self.omitted
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// `Ok` if nothing was found.
    pub fn into_result(self) -> Result<(), Error> {
        if self.kept.is_empty() {
            Ok(())
        } else {
            Err(Error {
                kept: self.kept,
                omitted: self.omitted,
                is_broken_pipe: false,
            })
        }
    }
}

/// What kind of failure an [`Error`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file could not be found, opened or read.
    Read,
    /// The format was not recognised.
    Format,
    /// A compressed stream is damaged, or larger than the limit.
    Compression,
    /// The content is not what the format or the data's meaning requires.
    Content,
    /// The output could not be written, or its format cannot hold the data.
    Write,
    /// Nobody reads the output any more; for a program in a pipe this is success.
    BrokenPipe,
}

/// An error of `cranfield-io`: one or more problems, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Never empty.
    kept: Vec<Problem>,
    omitted: u64,
    is_broken_pipe: bool,
}

impl Error {
    /// The error of an output.
    pub(crate) fn from_write(problem: Problem, kind: std::io::ErrorKind) -> Self {
        Self {
            is_broken_pipe: kind == std::io::ErrorKind::BrokenPipe,
            ..Self::from(problem)
        }
    }

    /// The same error about the file of this name.
    #[must_use]
    pub fn with_path(mut self, path: &str) -> Self {
        self.kept
            .iter_mut()
            .for_each(|problem| path.clone_into(&mut problem.path));
        self
    }

    /// The problems, at most [`LIMIT`]; there is at least one.
    pub fn problems(&self) -> &[Problem] {
        &self.kept
    }

    /// Number of further problems.
    pub fn omitted(&self) -> u64 {
        self.omitted
    }

    /// What kind of failure this is, by its first problem.
    pub fn kind(&self) -> ErrorKind {
        match self.kept.first().map(|problem| problem.code) {
            Some(Code::CannotRead | Code::NoMatch) => ErrorKind::Read,
            Some(Code::UnknownFormat) => ErrorKind::Format,
            Some(Code::BadCompression | Code::ExpandsTooFar) => ErrorKind::Compression,
            _ if self.is_broken_pipe => ErrorKind::BrokenPipe,
            Some(Code::CannotWrite | Code::Unwritable) => ErrorKind::Write,
            _ => ErrorKind::Content,
        }
    }

    /// All problems as [`Problem::render`] gives them, a blank line between two, and how many are not shown.
    pub fn render(&self) -> String {
        self.render_each(Problem::render)
    }

    /// The same with ANSI colours.
    pub fn render_styled(&self) -> String {
        self.render_each(Problem::render_styled)
    }

    fn render_each(&self, render: impl Fn(&Problem) -> String) -> String {
        let mut parts: Vec<String> = self.kept.iter().map(render).collect();
        match self.omitted {
            0 => {}
            1 => parts.push("error: 1 more problem of this file is not shown".into()),
            n => parts.push(format!(
                "error: {n} more problems of this file are not shown"
            )),
        }
        parts.join("\n\n")
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self {
            kept: vec![problem],
            omitted: 0,
            is_broken_pipe: false,
        }
    }
}

impl fmt::Display for Error {
    /// The first problem in one line, and the number of others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, others)) = self.kept.split_first() else {
            return Ok(());
        };
        write!(f, "{first}")?;
        match others.len() as u64 + self.omitted {
            0 => Ok(()),
            1 => f.write_str(" (and 1 more problem)"),
            n => write!(f, " (and {n} more problems)"),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_beyond_the_limit_are_counted() {
        let mut problems = Problems::default();
        for line in 1..=25 {
            problems.push(Problem::in_line(
                Code::ColumnCount,
                "f",
                line,
                b"x",
                0..1,
                "m",
            ));
        }
        let error = problems.into_result().unwrap_err();
        assert_eq!((error.problems().len(), error.omitted()), (20, 5));
        assert_eq!(error.to_string(), "f:1:1: m [IR010] (and 24 more problems)");
    }
}
