//! Tests of whole collections.

mod doctor;
mod folders;
mod formats;
mod layout;
mod real;
mod robustness;
mod sample;

use std::path::{Path, PathBuf};

use proptest::prelude::*;

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

/// Bytes made of pieces that readers look for, and of anything else.
pub(crate) fn markup_bytes() -> impl Strategy<Value = Vec<u8>> {
    const PIECES: [&str; 40] = [
        "<DOC>",
        "</DOC>",
        "<doc id=\"",
        "<DOCNO>",
        "</DOCNO>",
        "<TEXT>",
        "</TEXT>",
        "<top>",
        "</top>",
        "<num>",
        "<title>",
        "<html>",
        "<script>",
        "<!--",
        "-->",
        "<!DOCTYPE [",
        "]>",
        "&amp;",
        "&#x",
        "&unknown;",
        ";",
        "<",
        ">",
        "\"",
        "'",
        "=",
        "\n",
        "\r\n",
        "\n.I 1\n",
        "\n.W\n",
        ".T\n",
        "\t",
        ",",
        ":",
        "{\"_id\": \"1\"}",
        "{",
        "}",
        "1 0 d 1\n",
        "[topics]\n",
        "files = ['docs']\n",
    ];
    let piece = prop_oneof![
        4 => (0..PIECES.len()).prop_map(|at| PIECES[at].as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..6),
        1 => "\\PC{0,6}".prop_map(String::into_bytes),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}
