//! Tests of whole collections.

mod real;
mod sample;

use std::path::{Path, PathBuf};

use crate::{Document, DocumentOptions, Documents, ReadReport};

/// A folder with one file for each name and content.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    folder
}

/// All documents of a path.
fn read(path: &Path, options: DocumentOptions) -> (Vec<Document>, ReadReport) {
    let mut documents = Documents::open(&[PathBuf::from(path)], options).unwrap();
    let all = documents.by_ref().collect::<Result<_, _>>().unwrap();
    (all, documents.report().clone())
}

/// All documents of one file with this content.
fn read_bytes(name: &str, bytes: &[u8]) -> (Vec<Document>, ReadReport) {
    let folder = folder(&[(name, bytes)]);
    read(&folder.path().join(name), DocumentOptions::default())
}
