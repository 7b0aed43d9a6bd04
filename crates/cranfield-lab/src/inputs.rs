//! Documents and topics as users name them: a collection file, or files of documents or topics.

use std::path::{Path, PathBuf};

use cranfield_collection::{Collection, DocumentOptions, Documents, QueryFields, Topics};
use cranfield_io::Error;

use crate::engine::Query;

/// The collection that a path names; `None` if it is a file of documents or topics, or a folder of them.
pub fn collection(path: &Path) -> Result<Option<Collection>, Error> {
    let inside = path.join("collection.toml");
    if path
        .extension()
        .is_some_and(|extension| extension == "toml")
    {
        Collection::open(path).map(Some)
    } else if inside.is_file() {
        Collection::open(inside).map(Some)
    } else {
        Ok(None)
    }
}

/// The documents of a collection, or of files and folders, which are read with the given options.
pub fn documents(paths: &[PathBuf], options: DocumentOptions) -> Result<Documents, Error> {
    if let [path] = paths
        && let Some(mut collection) = collection(path)?
    {
        let defaults = &mut collection.document_files.options;
        if options.format.is_some() {
            defaults.format = options.format;
        }
        if options.text != cranfield_collection::TextFields::default() {
            defaults.text = options.text;
        }
        return collection.documents();
    }
    Documents::open(paths, options)
}

/// The topics of a collection or of a file.
pub fn topics(path: &Path) -> Result<Topics, Error> {
    match collection(path)? {
        Some(collection) => collection.topics(),
        None => Topics::open(path),
    }
}

/// The queries of topics, and the ids of topics that have none of the fields.
pub fn queries(topics: &Topics, fields: &QueryFields) -> (Vec<Query>, Vec<String>) {
    let (mut queries, mut without) = (Vec::new(), Vec::new());
    for topic in topics {
        match fields.query(topic) {
            Some(text) => queries.push(Query {
                topic: topic.id.clone(),
                text,
            }),
            None => without.push(topic.id.clone()),
        }
    }
    (queries, without)
}
