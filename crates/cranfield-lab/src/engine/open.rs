//! From a path to an engine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cranfield_io::{Code, Problem};
use cranfield_search::dense::Similarity;
use cranfield_search::{Error, Feedback, Index, Model};

use super::{Engine, IndexEngine, VectorEngine, read_engine};

/// An engine as users name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnginePath {
    /// The folder of an index.
    Index(PathBuf),
    /// A folder of vectors.
    Vectors(PathBuf),
    /// A file that describes a program or a server.
    File(PathBuf),
}

impl EnginePath {
    /// Reads `vectors:DIR`, the folder of an index or of vectors, or the name of a file.
    pub fn new(path: &Path) -> Self {
        if let Some(folder) = path.to_str().and_then(|path| path.strip_prefix("vectors:")) {
            Self::Vectors(folder.into())
        } else if path.is_dir() && cranfield_search::dense::VectorFolder::find(path).is_ok() {
            Self::Vectors(path.into())
        } else if path.is_dir() || !path.exists() {
            Self::Index(path.into())
        } else {
            Self::File(path.into())
        }
    }
}

/// Settings of the built-in engines.
#[derive(Clone, Debug, Default)]
pub struct EngineSettings {
    /// The ranking function of an index.
    pub model: Model,
    /// Feedback.
    pub feedback: Option<Feedback>,
    /// The similarity of vectors.
    pub similarity: Similarity,
}

/// Opens an engine: an index, vectors, or what a file describes.
///
/// # Errors
/// If it is none of them, or damaged.
pub fn open_engine(path: &Path, settings: &EngineSettings) -> Result<Box<dyn Engine>, Error> {
    match EnginePath::new(path) {
        EnginePath::Vectors(folder) => {
            Ok(Box::new(VectorEngine::open(&folder, settings.similarity)?))
        }
        EnginePath::Index(folder) => {
            let index = Arc::new(Index::open(&folder)?);
            let engine = IndexEngine::new(index, &settings.model, settings.feedback.clone())?;
            Ok(Box::new(engine))
        }
        EnginePath::File(file) if settings.feedback.is_some() => {
            let message = "feedback needs an index; an engine of its own has its own feedback";
            Err(Error::Input(
                Problem::file(Code::BadEngine, &file.to_string_lossy(), message).into(),
            ))
        }
        EnginePath::File(file) => Ok(read_engine(&file)?),
    }
}
