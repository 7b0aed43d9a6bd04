//! The bundled collection and its experiment.

use std::path::{Path, PathBuf};

use cranfield_io::{Code, Problem, Source};

use crate::error::Error;
use crate::experiment::Experiment;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".gz")).as_slice())),*]
    };
}

/// The files of the kitchen garden collection by name, as gzip.
const FILES: [(&str, &[u8]); 10] = files![
    "README.md",
    "collection.toml",
    "documents.jsonl",
    "experiment.toml",
    "qrels.txt",
    "topics.txt",
    "vectors/documents.ids",
    "vectors/documents.npy",
    "vectors/topics.ids",
    "vectors/topics.npy",
];

/// Writes the collection and its experiment to a folder, unless they are there already, and opens the experiment.
pub fn demo(folder: &Path) -> Result<Experiment, Error> {
    for (name, packed) in FILES {
        let path = folder.join(name);
        if !path.exists() {
            write(&path, Source::from_bytes(name, packed.to_vec())?.bytes())?;
        }
    }
    Experiment::open(folder.join("experiment.toml"))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let parent = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    let written = std::fs::create_dir_all(parent).and_then(|()| std::fs::write(path, bytes));
    written.map_err(|error| {
        let message = format!("cannot write the file: {error}");
        Error::Input(Problem::file(Code::CannotWrite, &path.to_string_lossy(), message).into())
    })
}
