//! Folders as they are distributed: the layout of BEIR, or files that are recognised by their names and their content.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use cranfield_io::{Code, Counter, Error, Members, Problem, Problems};

use super::Collection;
use super::role::{self, Role};
use crate::documents::{DocumentFormat, files};

/// Splits of BEIR, the one that is used first.
const SPLITS: [&str; 3] = ["test", "dev", "train"];

/// The collection in a folder without a collection file.
pub(super) fn read(folder: &Path) -> Result<Collection, Error> {
    if let Some(collection) = beir(folder) {
        return Ok(collection);
    }
    let below: Vec<PathBuf> = entries(folder)
        .into_iter()
        .filter(|path| path.is_dir() && is_beir(path))
        .collect();
    match below.as_slice() {
        [] => unpacked(Files::find(folder)?.collection(folder), folder),
        [only] => Ok(beir(only).unwrap_or_default()),
        several => {
            let names: Vec<String> = several.iter().map(|path| shown(path, folder)).collect();
            let message = format!("has several collections: {}", names.join(", "));
            let help = format!("name one of them, such as `{}`", several[0].display());
            let problem = Problem::file(Code::BadCollection, &folder.to_string_lossy(), message);
            Err(problem.with_help(help).into())
        }
    }
}

/// The collection, unless its topics and judgements are still in an archive.
fn unpacked(collection: Collection, folder: &Path) -> Result<Collection, Error> {
    /// Files that are looked at.
    const FILES: usize = 20;
    if !collection.topic_files.files.is_empty() || !collection.qrels_files.files.is_empty() {
        return Ok(collection);
    }
    let files = entries(folder).into_iter().filter(|path| path.is_file());
    match files.take(FILES).find(|path| is_packed_collection(path)) {
        Some(archive) => Err(packed(&archive)),
        None => Ok(collection),
    }
}

/// The error for an archive of a whole collection.
pub(super) fn packed(path: &Path) -> Error {
    let message = "an archive of documents, topics and judgements, expected a folder";
    Problem::file(Code::BadCollection, &path.to_string_lossy(), message)
        .with_help("unpack it, for example with `unzip` or `tar xf`, and name the folder")
        .into()
}

fn is_beir(folder: &Path) -> bool {
    starting_with(folder, "corpus.jsonl").is_some()
        && starting_with(folder, "queries.jsonl").is_some()
}

/// The layout of BEIR: `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv`.
fn beir(folder: &Path) -> Option<Collection> {
    let corpus = starting_with(folder, "corpus.jsonl")?;
    let queries = starting_with(folder, "queries.jsonl")?;
    let splits = SPLITS.iter().filter_map(|split| split_file(folder, split));
    let mut splits: Vec<PathBuf> = splits.collect();
    if splits.is_empty() {
        splits = entries(&folder.join("qrels"));
        splits.retain(|path| path.is_file());
    }
    let used: Vec<PathBuf> = splits.iter().take(1).cloned().collect();
    let mut collection = Collection::of_files(&name(folder), vec![corpus], vec![queries], used);
    collection.document_files.options.format = Some(DocumentFormat::Jsonl);
    // The file of topics has those of all splits.
    collection.topic_files.judged_only = !collection.qrels_files.files.is_empty();
    collection.folder = Some(folder.into());
    collection.unused = splits.into_iter().skip(1).collect();
    collection.notes = vec![assumed(&collection, folder)];
    Some(collection)
}

/// The judgements of a split of BEIR.
pub(super) fn split_file(folder: &Path, split: &str) -> Option<PathBuf> {
    let is_of = |path: &PathBuf| {
        let name = files::lower_name(path);
        let rest = name.strip_prefix(&split.to_lowercase());
        rest.is_some_and(|rest| rest.starts_with(".tsv") || rest.starts_with(".jsonl"))
    };
    let inside = entries(&folder.join("qrels")).into_iter();
    inside.chain(entries(folder)).find(is_of)
}

fn starting_with(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut files = entries(folder).into_iter();
    files.find(|path| path.is_file() && files::lower_name(path).starts_with(name))
}

/// Whether an archive has topics or judgements next to documents, by the names of its files.
pub(super) fn is_packed_collection(path: &Path) -> bool {
    /// Files of the archive that are looked at.
    const FILES: usize = 200;
    let Ok(mut members) = Members::open(path, &Counter::default()) else {
        return false;
    };
    let names = std::iter::from_fn(|| members.next().ok().flatten()?.name);
    names
        .take(FILES)
        .any(|name| role::is_named_apart(Path::new(&name)))
}

/// The files of a folder by what they are.
#[derive(Default)]
struct Files {
    documents: Vec<(PathBuf, DocumentFormat)>,
    topics: Vec<PathBuf>,
    qrels: Vec<PathBuf>,
    columns: Vec<PathBuf>,
    texts: Vec<PathBuf>,
    /// Empty files with names of topics and of judgements.
    empty_topics: Vec<PathBuf>,
    empty_qrels: Vec<PathBuf>,
    others: Vec<PathBuf>,
    foreign: Vec<PathBuf>,
    /// Files and folders that readers of documents skip by themselves.
    skipped: Vec<PathBuf>,
    /// Files that cannot be read.
    problems: Problems,
}

impl Files {
    fn find(folder: &Path) -> Result<Self, Error> {
        let mut files = Self::default();
        files.walk(folder, folder);
        std::mem::take(&mut files.problems).into_result()?;
        files.keep_empty();
        let has_parts = !files.topics.is_empty() || !files.documents.is_empty();
        if files.qrels.is_empty() && has_parts {
            files.qrels = std::mem::take(&mut files.columns);
        }
        Ok(files)
    }

    /// Uses empty files where there are no others, so that reading them is an error that names them.
    fn keep_empty(&mut self) {
        for (files, empty) in [
            (&mut self.topics, &mut self.empty_topics),
            (&mut self.qrels, &mut self.empty_qrels),
        ] {
            let kept = if files.is_empty() {
                files
            } else {
                &mut self.others
            };
            kept.append(empty);
        }
    }

    fn walk(&mut self, folder: &Path, root: &Path) {
        let paths = list(folder).unwrap_or_else(|error| {
            let message = format!("cannot read the folder: {error}");
            let name = folder.to_string_lossy();
            self.problems
                .push(Problem::file(Code::CannotRead, &name, message));
            Vec::new()
        });
        for path in paths {
            if files::is_skipped(&path) {
                self.skipped.push(path);
                continue;
            }
            if path.is_dir() {
                self.walk(&path, root);
                continue;
            }
            let relative = path.strip_prefix(root).unwrap_or(&path);
            let role = role::of(&path, relative).unwrap_or_else(|error| {
                for problem in error.problems() {
                    self.problems.push(problem.clone());
                }
                Role::Other
            });
            match role {
                Role::Documents(format) => self.documents.push((path, format)),
                Role::Topics => self.topics.push(path),
                Role::Qrels => self.qrels.push(path),
                Role::Columns => self.columns.push(path),
                Role::EmptyTopics => self.empty_topics.push(path),
                Role::EmptyQrels => self.empty_qrels.push(path),
                Role::Text => self.texts.push(path),
                Role::Other => self.others.push(path),
                Role::Foreign => self.foreign.push(path),
            }
        }
    }

    fn collection(mut self, folder: &Path) -> Collection {
        let is_text_only =
            self.topics.is_empty() && self.qrels.is_empty() && self.documents.is_empty();
        if is_text_only {
            self.texts.append(&mut self.others);
        }
        if self.documents.is_empty() {
            // Short texts may look like columns.
            self.texts.append(&mut self.columns);
            self.texts.sort_unstable();
            let texts = self.take_texts(folder).into_iter();
            self.documents = texts.map(|path| (path, DocumentFormat::Files)).collect();
        }
        let format = self.format();
        let documents = self.compact(folder, is_text_only);
        let is_read = |path: &PathBuf| documents.iter().any(|part| path.starts_with(part));
        // Those that may have been meant come first.
        let unused = [self.columns, self.texts, self.foreign, self.others];
        let unused = unused.into_iter().flatten();
        let mut unused: Vec<PathBuf> = unused.filter(|path| !is_read(path)).collect();
        unused.extend(self.skipped);
        let mut collection =
            Collection::of_files(&name(folder), documents, self.topics, self.qrels);
        collection.document_files.options.format = format;
        collection.folder = Some(folder.into());
        collection.unused = unused;
        collection.notes = vec![assumed(&collection, folder)];
        collection
    }

    /// The texts that are documents: next to topics and judgements those in folders, because others are often notes; all if no folder
    /// has any.
    fn take_texts(&mut self, folder: &Path) -> Vec<PathBuf> {
        let texts = std::mem::take(&mut self.texts).into_iter();
        if self.topics.is_empty() && self.qrels.is_empty() {
            return texts.collect();
        }
        let (inside, next): (Vec<PathBuf>, _) =
            texts.partition(|path| path.parent() != Some(folder));
        if inside.is_empty() {
            return next;
        }
        self.texts = next;
        inside
    }

    /// The format that all documents have.
    fn format(&self) -> Option<DocumentFormat> {
        let (_, first) = self.documents.first()?;
        let is_same = self.documents.iter().all(|(_, format)| format == first);
        is_same.then_some(*first)
    }

    /// The documents, as few files and folders; the whole folder only if it may be, because later files would be read too.
    fn compact(&self, folder: &Path, may_be_whole: bool) -> Vec<PathBuf> {
        // Readers of these formats find nothing in other text.
        let is_robust = matches!(
            self.format(),
            Some(DocumentFormat::Trec | DocumentFormat::Smart)
        );
        let documents: HashSet<&Path> = self.documents.iter().map(|(file, _)| &**file).collect();
        let mut apart: Vec<&PathBuf> = self.topics.iter().chain(&self.qrels).collect();
        if !is_robust {
            let others = [&self.columns, &self.texts, &self.foreign, &self.others];
            apart.extend(others.into_iter().flatten());
        }
        let mut paths = Vec::new();
        let mut left = vec![folder.to_owned()];
        while let Some(path) = left.pop() {
            let is_inside = |file: &&Path| file.starts_with(&path);
            if path.is_file() {
                paths.extend(documents.contains(&*path).then_some(path));
            } else if (path == folder && !may_be_whole)
                || apart.iter().any(|file| file.starts_with(&path))
            {
                left.extend(entries(&path).into_iter().rev());
            } else if documents.iter().any(is_inside) {
                paths.push(path);
            }
        }
        paths
    }
}

/// The visible entries of a folder in ascending order; none if it cannot be read.
fn entries(folder: &Path) -> Vec<PathBuf> {
    list(folder).unwrap_or_default()
}

fn list(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?.flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| !files::lower_name(path).starts_with('.'));
    paths.sort_unstable();
    Ok(paths)
}

/// The name of a folder, also of `.`.
fn name(folder: &Path) -> String {
    let whole = folder.canonicalize();
    let whole = whole.as_deref().unwrap_or(folder);
    let name = whole.file_name().unwrap_or(folder.as_os_str());
    name.to_string_lossy().into_owned()
}

/// A path below a folder.
pub(super) fn shown(path: &Path, folder: &Path) -> String {
    let relative = path.strip_prefix(folder).ok();
    let relative = relative.filter(|path| !path.as_os_str().is_empty());
    let shown = relative.map_or(".".into(), Path::to_string_lossy);
    shown.replace('\\', "/")
}

/// A note on which files were taken for what.
pub(super) fn assumed(collection: &Collection, folder: &Path) -> Problem {
    /// Files of a kind that are named.
    const NAMED: usize = 6;
    let list = |paths: &[PathBuf]| {
        let names = paths.iter().take(NAMED).map(|path| shown(path, folder));
        let mut names: Vec<String> = names.collect();
        if paths.len() > NAMED {
            names.push(format!("and {} more", paths.len() - NAMED));
        }
        if names.is_empty() {
            names.push("none".into());
        }
        names.join(", ")
    };
    let mut message = format!(
        "documents: {}; topics: {}; judgements: {}",
        list(&collection.document_files.files),
        list(&collection.topic_files.files),
        list(&collection.qrels_files.files)
    );
    if !collection.unused.is_empty() {
        message += &format!("; not used: {}", list(&collection.unused));
    }
    Problem::file(Code::AssumedLayout, &folder.to_string_lossy(), message)
}
