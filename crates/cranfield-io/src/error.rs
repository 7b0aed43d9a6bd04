//! The error type of this crate.
//!
//! Readers do not stop at the first problem: they collect up to [`LIMIT`] of them in [`Problems`] and count the rest.

use std::fmt;

use cranfield_core::setting::{Message, SettingStyle};

use crate::code::Code;
use crate::problem::Problem;

/// Maximum number of problems that an error keeps; others are counted.
pub const LIMIT: usize = 20;

/// Collects problems: keeps the first [`LIMIT`] and counts the others.
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

    /// Adds a problem; `problem` is only called if it will be kept.
    pub fn push_with(&mut self, problem: impl FnOnce() -> Problem) {
        if self.kept.len() < LIMIT {
            self.kept.push(problem());
        } else {
            self.omitted += 1;
        }
    }

    /// Counts further problems.
    pub fn omit(&mut self, count: u64) {
        self.omitted += count;
    }

    /// Number of all problems.
    pub fn count(&self) -> u64 {
        self.kept.len() as u64 + self.omitted
    }

    /// Whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns an error if there are any problems.
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

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file could not be found, opened or read.
    Read,
    /// The format is unknown.
    Format,
    /// A compressed stream is damaged or exceeds the limit.
    Compression,
    /// The content is invalid.
    Content,
    /// The output could not be written, or its format cannot represent the data.
    Write,
    /// The reader of the output closed the pipe, which for a program is success.
    BrokenPipe,
}

/// One or more problems of an input or output, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Never empty.
    kept: Vec<Problem>,
    omitted: u64,
    is_broken_pipe: bool,
}

impl Error {
    /// Creates the error of an output.
    pub(crate) fn from_write(problem: Problem, kind: std::io::ErrorKind) -> Self {
        Self {
            is_broken_pipe: kind == std::io::ErrorKind::BrokenPipe,
            ..Self::from(problem)
        }
    }

    /// Replaces the file name of all problems.
    #[must_use]
    pub fn with_path(mut self, path: &str) -> Self {
        self.kept
            .iter_mut()
            .for_each(|problem| path.clone_into(&mut problem.path));
        self
    }

    /// Replaces the advice of all problems.
    #[must_use]
    pub fn with_help(mut self, help: &Message) -> Self {
        self.kept
            .iter_mut()
            .for_each(|problem| problem.help = Some(help.clone()));
        self
    }

    /// The first problems: at least one and at most [`LIMIT`].
    pub fn problems(&self) -> &[Problem] {
        &self.kept
    }

    /// Number of further problems.
    pub fn omitted(&self) -> u64 {
        self.omitted
    }

    /// The kind of the first problem.
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

    /// Renders all problems with [`Problem::render`], separated by blank lines, and the number of those not shown.
    pub fn render(&self, style: SettingStyle) -> String {
        self.render_each(|problem| problem.render(style))
    }

    /// Renders all problems with ANSI colours.
    pub fn render_coloured(&self, style: SettingStyle) -> String {
        self.render_each(|problem| problem.render_coloured(style))
    }

    /// The first problem in one line, and the number of others.
    pub fn line(&self, style: SettingStyle) -> String {
        let first = self.kept.first().map(|problem| problem.line(style));
        let first = first.unwrap_or_default();
        match (self.kept.len() as u64 + self.omitted).saturating_sub(1) {
            0 => first,
            1 => first + " (and 1 more problem)",
            n => format!("{first} (and {n} more problems)"),
        }
    }

    fn render_each(&self, render: impl Fn(&Problem) -> String) -> String {
        let mut parts: Vec<String> = self.kept.iter().map(render).collect();
        match self.omitted {
            0 => {}
            1 => parts.push("error: 1 more problem not shown".into()),
            n => parts.push(format!("error: {n} more problems not shown")),
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line(SettingStyle::Neutral))
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
