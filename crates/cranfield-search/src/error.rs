//! The error type of this crate.

use std::path::Path;

use cranfield_core::setting::Message;
use cranfield_io::{Code, Problem};

/// An index or a search that failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input is invalid, an index is incomplete or damaged, or a file cannot be read or written.
    #[error(transparent)]
    Input(#[from] cranfield_io::Error),
    /// A model, feedback method or analyser is unknown or has a wrong parameter.
    #[error(transparent)]
    Name(#[from] cranfield_core::error::Error),
}

impl Error {
    /// What is wrong with an index.
    pub(crate) fn index(path: &Path, message: impl Into<Message>) -> Self {
        let problem = Problem::file(Code::BadIndex, &path.to_string_lossy(), message);
        Self::Input(problem.into())
    }

    /// A failure of the index library.
    pub(crate) fn library(path: &Path, source: impl Into<tantivy::TantivyError>) -> Self {
        Self::index(path, format!("{}; build the index again", source.into()))
    }
}
