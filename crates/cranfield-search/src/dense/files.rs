//! Folders of vectors.

use std::path::{Path, PathBuf};

use cranfield_io::{Code, Error, Problem};

const EXTENSIONS: [&str; 3] = ["npy", "parquet", "jsonl"];
const COMPRESSED: [&str; 3] = ["", ".gz", ".zst"];

/// The files of a folder with vectors of documents and topics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorFolder {
    /// The file `documents.*`.
    pub documents: PathBuf,
    /// The file `topics.*`.
    pub topics: PathBuf,
}

impl VectorFolder {
    /// Finds the files of a folder.
    ///
    /// # Errors
    /// If one of them does not exist.
    pub fn find(folder: impl AsRef<Path>) -> Result<Self, Error> {
        let folder = folder.as_ref();
        Ok(Self {
            documents: find_vectors(folder, "documents")?,
            topics: find_vectors(folder, "topics")?,
        })
    }
}

/// Finds the file of vectors in a folder, such as `documents.npy` for the stem `documents`.
///
/// # Errors
/// If there is none, or more than one.
pub fn find_vectors(folder: &Path, stem: &str) -> Result<PathBuf, Error> {
    let names = EXTENSIONS.iter().flat_map(|extension| {
        COMPRESSED
            .iter()
            .map(move |more| format!("{stem}.{extension}{more}"))
    });
    let found: Vec<PathBuf> = names
        .map(|name| folder.join(name))
        .filter(|path| path.is_file())
        .collect();
    match found.as_slice() {
        [path] => Ok(path.clone()),
        [] => {
            let message =
                format!("no vectors; expected `{stem}.npy`, `{stem}.parquet` or `{stem}.jsonl`");
            Err(Problem::file(Code::BadVectors, &folder.to_string_lossy(), message).into())
        }
        [first, second, ..] => {
            let message = format!(
                "found both `{}` and `{}`",
                first.display(),
                second.display()
            );
            Err(
                Problem::file(Code::BadVectors, &folder.to_string_lossy(), message)
                    .with_help("keep one of them")
                    .into(),
            )
        }
    }
}
