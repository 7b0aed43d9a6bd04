//! Collections without a file that describes them: folders, files and names.

use std::path::{Path, PathBuf};

use cranfield_io::{Code, Error, Problem};

use super::Collection;

/// The name of the file that describes a collection.
pub(super) const FILE: &str = "collection.toml";
/// The environment variable that names the folder with collections.
pub(super) const DATA_VARIABLE: &str = "CRANFIELD_DATA";

/// Opens a collection file, a folder, a file of documents, or a name below `data`.
pub(super) fn open(path: &Path, data: Option<&Path>) -> Result<Collection, Error> {
    if let Some(collection) = existing(path)? {
        return Ok(collection);
    }
    let Some(data) = data else {
        let help = format!(
            "a name such as beir/fiqa/test is looked for in the folder that {DATA_VARIABLE} names"
        );
        return Err(no_such(path).with_help(help).into());
    };
    let below = data.join(path);
    if let Some(collection) = existing(&below)? {
        return Ok(named(collection, path));
    }
    split_of(&below, path)?.ok_or_else(|| {
        let help = format!("names are looked for in `{}`", data.display());
        no_such(path).with_help(help).into()
    })
}

fn no_such(path: &Path) -> Problem {
    Problem::file(
        Code::CannotRead,
        &path.to_string_lossy(),
        "no such collection",
    )
}

fn named(mut collection: Collection, name: &Path) -> Collection {
    let name = name.to_string_lossy().into_owned();
    collection.ir_datasets.get_or_insert_with(|| name.clone());
    collection.name = name;
    collection
}

/// A name whose last part is a split of the collection before it.
fn split_of(below: &Path, name: &Path) -> Result<Option<Collection>, Error> {
    let (Some(parent), Some(split)) = (below.parent(), below.file_name()) else {
        return Ok(None);
    };
    let Some(collection) = existing(parent)? else {
        return Ok(None);
    };
    let split = split.to_string_lossy().into_owned();
    let qrels = parent.join("qrels").join(format!("{split}.tsv"));
    let mut collection = named(collection, name);
    if collection.splits.contains_key(&split) {
        collection.split = Some(split);
    } else if qrels.is_file() {
        collection.qrels_files.files = vec![qrels];
        collection.topic_files.judged_only = true;
    } else {
        return Ok(None);
    }
    Ok(Some(collection))
}

/// A collection at a path; `None` if there is no such file or folder.
fn existing(path: &Path) -> Result<Option<Collection>, Error> {
    if path.is_file() {
        let is_toml = path
            .extension()
            .is_some_and(|extension| extension == "toml");
        return if is_toml {
            super::file::read(path).map(Some)
        } else {
            let documents = vec![path.to_owned()];
            Ok(Some(Collection::of_files(
                &stem(path),
                documents,
                Vec::new(),
                Vec::new(),
            )))
        };
    }
    if !path.is_dir() {
        return Ok(None);
    }
    let file = path.join(FILE);
    if file.is_file() {
        return super::file::read(&file).map(Some);
    }
    Ok(Some(beir(path).unwrap_or_else(|| by_names(path))))
}

fn stem(path: &Path) -> String {
    let name = path.file_stem().or(path.file_name()).unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The layout of BEIR: `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv`.
fn beir(folder: &Path) -> Option<Collection> {
    let corpus = starting_with(folder, "corpus.jsonl")?;
    let queries = starting_with(folder, "queries.jsonl")?;
    let splits = ["test", "dev", "train"].map(|split| folder.join(format!("qrels/{split}.tsv")));
    let qrels: Vec<PathBuf> = splits
        .into_iter()
        .filter(|path| path.is_file())
        .take(1)
        .collect();
    let mut collection = Collection::of_files(&stem(folder), vec![corpus], vec![queries], qrels);
    // The file of topics has those of all splits.
    collection.topic_files.judged_only = true;
    collection.notes = vec![assumed(&collection, "BEIR")];
    Some(collection)
}

fn starting_with(folder: &Path, name: &str) -> Option<PathBuf> {
    entries(folder)
        .into_iter()
        .find(|path| file_name(path).starts_with(name))
}

/// Files by their names; what has no other name is a document.
fn by_names(folder: &Path) -> Collection {
    let (mut documents, mut topics, mut qrels) = (Vec::new(), Vec::new(), Vec::new());
    for path in entries(folder) {
        let name = file_name(&path);
        let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
        if has(&["readme", "license"]) {
            continue;
        }
        if has(&["qrel", "judgement", "judgment"]) || ends_with(&name, "rel") {
            qrels.push(path);
        } else if has(&["topic", "quer"]) || ends_with(&name, "qry") {
            topics.push(path);
        } else {
            documents.push(path);
        }
    }
    let is_documents = |path: &PathBuf| {
        let name = file_name(path);
        ["doc", "corpus", "collection", ".all"]
            .iter()
            .any(|word| name.contains(word))
    };
    if documents.iter().any(is_documents) {
        documents.retain(is_documents);
    }
    if topics.is_empty() && qrels.is_empty() {
        documents = vec![folder.to_owned()];
    }
    let mut collection = Collection::of_files(&stem(folder), documents, topics, qrels);
    collection.notes = vec![assumed(&collection, "names of files")];
    collection
}

fn ends_with(name: &str, extension: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, end)| end == extension)
}

/// The visible entries of a folder in ascending order.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| !file_name(path).starts_with('.'));
    paths.sort();
    paths
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase()
}

/// A note on which files were taken for what.
fn assumed(collection: &Collection, how: &str) -> Problem {
    let list = |paths: &[PathBuf]| {
        let names: Vec<String> = paths.iter().map(|path| stem_and_extension(path)).collect();
        if names.is_empty() {
            "none".into()
        } else {
            names.join(", ")
        }
    };
    let message = format!(
        "recognised by {how}: documents {}; topics {}; judgements {}",
        list(&collection.document_files.files),
        list(&collection.topic_files.files),
        list(&collection.qrels_files.files)
    );
    Problem::file(Code::AssumedLayout, &collection.name, message)
}

fn stem_and_extension(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
