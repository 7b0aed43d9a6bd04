//! Why judging fails.

use std::path::Path;

use cranfield_io::{Code, Problem};

/// Why judging fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// A file is invalid, or cannot be read or written.
    #[error(transparent)]
    Input(#[from] cranfield_io::Error),
    /// An analyser is unknown.
    #[error(transparent)]
    Name(#[from] cranfield_core::error::Error),
    /// A setting is invalid, or contradicts the folder.
    #[error("{0}")]
    Setting(String),
    /// There is no terminal to judge in.
    #[error("judging by hand needs a terminal as standard input and output")]
    NoTerminal,
    /// The terminal fails.
    #[error("the terminal failed: {0}")]
    Terminal(std::io::Error),
    /// The program that grades cannot be used.
    #[error("the grader failed: {0}")]
    Program(String),
}

impl From<cranfield_search::Error> for JudgeError {
    fn from(error: cranfield_search::Error) -> Self {
        match error {
            cranfield_search::Error::Name(error) => Self::Name(error),
            cranfield_search::Error::Input(error) => Self::Input(error),
        }
    }
}

/// The error of a file that cannot be read.
pub(crate) fn cannot_read(path: &Path, error: &std::io::Error) -> JudgeError {
    let message = format!("cannot read the file: {error}");
    let problem = Problem::file(Code::CannotRead, &path.to_string_lossy(), message);
    JudgeError::Input(problem.into())
}

/// The error of a file that cannot be written.
pub(crate) fn cannot_write(path: &Path, error: &std::io::Error) -> JudgeError {
    cranfield_io::cannot_write(&path.to_string_lossy(), error).into()
}
