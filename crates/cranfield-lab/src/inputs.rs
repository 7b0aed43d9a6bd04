//! Documents and topics as users name them: a collection file, or files of documents or topics.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cranfield_collection::{Collection, DocumentOptions, Documents, QueryFields, Topics};
use cranfield_eval::Labels;
use cranfield_io::{Code, Error, Problem};

use crate::engine::Query;

/// The collection that a path names: a collection file, a folder, a name such as `beir/fiqa/test`; `None` if it is a file of
/// documents or topics, or a pattern.
pub fn collection(path: &Path) -> Result<Option<Collection>, Error> {
    let is_toml = path
        .extension()
        .is_some_and(|extension| extension == "toml");
    if is_toml || path.is_dir() {
        return Collection::open(path).map(Some);
    }
    let is_pattern = path.to_string_lossy().contains(['*', '?', '[']);
    if path.exists() || is_pattern || path.as_os_str() == "-" {
        return Ok(None);
    }
    // A name, or an error that says where names are looked for.
    Collection::open(path).map(Some)
}

/// The documents of a collection, or of files and folders, which are read with the given options; and what was assumed of them.
pub fn documents(
    paths: &[PathBuf],
    options: DocumentOptions,
) -> Result<(Documents, Vec<Problem>), Error> {
    let [path] = paths else {
        return Ok((Documents::open(paths, options)?, Vec::new()));
    };
    let mut collection = match collection(path)? {
        Some(collection) => collection,
        None if path.is_file() => Collection::open(path)?,
        None => return Ok((Documents::open(paths, options)?, Vec::new())),
    };
    let defaults = &mut collection.document_files.options;
    if options.format.is_some() {
        defaults.format = options.format;
    }
    if options.text != cranfield_collection::TextFields::default() {
        defaults.text = options.text;
    }
    Ok((collection.documents()?, collection.notes))
}

/// The topics of a collection or of a file. Their notes begin with what was assumed of the collection.
pub fn topics(path: &Path) -> Result<Topics, Error> {
    let Some(collection) = collection(path)? else {
        if path.is_file() {
            // An archive of a whole collection is an error that says so.
            Collection::open(path)?;
        }
        return Topics::open(path);
    };
    let mut topics = collection.topics()?;
    topics.notes.splice(0..0, collection.notes);
    Ok(topics)
}

/// The files that documents and topics are read from: those of a collection, with the file that describes it, or those that the path
/// names.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    // A file that is missing matters where it is read.
    let expanded =
        |path: PathBuf| cranfield_io::expand_paths(&[&path]).unwrap_or_else(|_| vec![path]);
    let Some(collection) = collection(path)? else {
        return Ok(expanded(path.into()));
    };
    let mut files = collection.document_paths().unwrap_or_default();
    files.extend(collection.path);
    files.extend(collection.splits.into_values());
    let others = [collection.topic_files.files, collection.qrels_files.files].concat();
    files.extend(others.into_iter().flat_map(expanded));
    Ok(files)
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

/// Checks that some topic has the fields of a query. `name` is that of the topics in the error.
///
/// # Errors
/// If none has; the error names the fields that topics have.
pub fn check_fields(topics: &Topics, fields: &QueryFields, name: &str) -> Result<(), Error> {
    if topics.is_empty() || topics.iter().any(|topic| fields.query(topic).is_some()) {
        return Ok(());
    }
    let names = topics.iter().flat_map(|topic| &topic.fields);
    let names: BTreeSet<&str> = names.map(|(name, _)| name.as_str()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let message = format!("no topic has the field {fields}");
    let problem = Problem::file(Code::BadTopics, name, message);
    let help = format!("the fields are {}", names.join(", "));
    Err(problem.with_help(help).into())
}

/// A note if no topic has some of the fields of a query, so that it is made of the others.
pub fn lacking_fields(topics: &Topics, fields: &QueryFields) -> Option<String> {
    let lacking = fields.lacking(topics);
    (!lacking.is_empty()).then(|| {
        let names = lacking.join(" or ");
        format!("no topic has the field {names}; queries are made of the other fields")
    })
}

/// The collection whose titles are shown: a collection file, a folder, a name, or a file of topics.
pub fn titled(path: &Path) -> Result<Collection, Error> {
    let is_toml = path
        .extension()
        .is_some_and(|extension| extension == "toml");
    if path.is_file() && !is_toml {
        let (name, topics) = (path.to_string_lossy(), vec![path.to_owned()]);
        return Ok(Collection::of_files(&name, Vec::new(), topics, Vec::new()));
    }
    Collection::open(path)
}

/// The titles of these topics, and titles and first words of these documents. The documents are read once, and only what is shown
/// of them is kept.
pub fn labels(
    collection: &Collection,
    topics: &BTreeSet<&[u8]>,
    documents: &BTreeSet<&[u8]>,
) -> Result<Labels, Error> {
    let mut labels = Labels::default();
    if !collection.topic_files.files.is_empty() {
        add_topics(&mut labels, collection, topics)?;
    }
    if !collection.document_files.files.is_empty() {
        add_documents(&mut labels, collection, documents)?;
    }
    Ok(labels)
}

fn add_topics(
    labels: &mut Labels,
    collection: &Collection,
    wanted: &BTreeSet<&[u8]>,
) -> Result<(), Error> {
    let ids = wanted.iter().map(|id| String::from_utf8_lossy(id).into());
    let ids: Vec<String> = ids.collect();
    for topic in &collection.topics_judged_as(&ids)? {
        if wanted.contains(topic.id.as_bytes()) {
            labels.add_topic(&topic.id, topic.title());
        }
    }
    Ok(())
}

fn add_documents(
    labels: &mut Labels,
    collection: &Collection,
    wanted: &BTreeSet<&[u8]>,
) -> Result<(), Error> {
    let mut left = wanted.len();
    if left == 0 {
        return Ok(());
    }
    for document in collection.documents()? {
        let document = document?;
        if wanted.contains(document.id.as_bytes()) {
            labels.add_document(&document.id, document.title(), &document.text());
            left -= 1;
            if left == 0 {
                break;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
