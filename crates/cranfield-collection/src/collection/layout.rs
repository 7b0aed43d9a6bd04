//! Collections without a file that describes them: folders, files and names.

use std::path::Path;

use cranfield_io::{Code, Error, Problem};

use super::{Collection, folder};

/// The name of the file that describes a collection.
pub(super) const FILE: &str = "collection.toml";
/// The environment variable that names the folder with collections.
pub(super) const DATA_VARIABLE: &str = "CRANFIELD_DATA";

/// Opens a collection file, a folder, a file of documents, or a name below `data`.
pub(super) fn open(path: &Path, data: Option<&Path>) -> Result<Collection, Error> {
    if let Some(collection) = existing(path)? {
        return Ok(collection);
    }
    if let Some(collection) = split_of(path, path)? {
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
    collection.is_named = true;
    collection
}

/// A name whose last part is a split of the collection before it.
fn split_of(below: &Path, name: &Path) -> Result<Option<Collection>, Error> {
    let (Some(parent), Some(split)) = (below.parent(), below.file_name()) else {
        return Ok(None);
    };
    if !parent.is_dir() {
        return Ok(None);
    }
    let Some(collection) = existing(parent)? else {
        return Ok(None);
    };
    let split = split.to_string_lossy().into_owned();
    let qrels = folder::split_file(parent, &split);
    let mut collection = named(collection, name);
    if collection.splits.contains_key(&split) {
        collection.split = Some(split);
    } else if let Some(qrels) = qrels {
        collection.qrels_files.files = vec![qrels];
        collection.topic_files.judged_only = true;
        if let Some(folder) = collection.folder.clone() {
            collection.unused.clear();
            collection.notes = vec![folder::assumed(&collection, &folder)];
        }
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
        } else if folder::is_packed_collection(path) {
            Err(folder::packed(path))
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
    folder::read(path).map(Some)
}

fn stem(path: &Path) -> String {
    let name = path.file_stem().or(path.file_name()).unwrap_or_default();
    name.to_string_lossy().into_owned()
}
