//! The error type of this crate.

use cranfield_core::setting::Message;

/// An index or a search that failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input is invalid, or a file cannot be read or written.
    #[error(transparent)]
    Input(#[from] cranfield_io::Error),
    /// A model, feedback method or analyser is unknown or has a wrong parameter.
    #[error(transparent)]
    Name(#[from] cranfield_core::error::Error),
    /// A folder is not an index, or a damaged one.
    #[error("{path}: {message}")]
    Index {
        /// The folder.
        path: String,
        /// What is wrong, and what to do.
        message: Message,
    },
    /// The index library failed.
    #[error("{path}: {source}")]
    Library {
        /// The folder of the index.
        path: String,
        /// The cause.
        source: Box<tantivy::TantivyError>,
    },
}

impl Error {
    pub(crate) fn index(path: &std::path::Path, message: impl Into<Message>) -> Self {
        let path = path.display().to_string();
        Self::Index {
            path,
            message: message.into(),
        }
    }

    pub(crate) fn library(
        path: &std::path::Path,
        source: impl Into<tantivy::TantivyError>,
    ) -> Self {
        let path = path.display().to_string();
        Self::Library {
            path,
            source: Box::new(source.into()),
        }
    }
}
