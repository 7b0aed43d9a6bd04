//! The files of a collection: files, folders with everything in them, and patterns.

use std::path::{Path, PathBuf};

use cranfield_io::{Code, Error, Problem, expand_paths};

/// Files, those that were skipped, and whether a folder was given.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) paths: Vec<PathBuf>,
    pub(super) skipped: Vec<PathBuf>,
    pub(super) has_folder: bool,
}

impl Files {
    /// Finds the files of paths, folders and patterns; those of a folder and of a pattern in ascending order.
    pub(crate) fn find(paths: &[PathBuf]) -> Result<Self, Error> {
        let mut files = Self::default();
        for path in paths {
            if path.is_dir() {
                files.has_folder = true;
                files.walk(path)?;
            } else {
                files.paths.extend(expand_paths(&[path])?);
            }
        }
        Ok(files)
    }

    fn walk(&mut self, folder: &Path) -> Result<(), Error> {
        let entries = std::fs::read_dir(folder).map_err(|error| {
            let message = format!("cannot read the folder: {error}");
            Problem::file(Code::CannotRead, &folder.to_string_lossy(), message)
        })?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort_unstable();
        for path in paths {
            if lower_name(&path).starts_with('.') {
                continue;
            }
            if is_skipped(&path) {
                self.skipped.push(path);
            } else if path.is_dir() {
                self.walk(&path)?;
            } else {
                self.paths.push(path);
            }
        }
        Ok(())
    }
}

/// The name of a file or folder in lower case.
pub(crate) fn lower_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().to_lowercase()
}

/// Whether readers of a folder skip a file or a folder in it.
pub(crate) fn is_skipped(path: &Path) -> bool {
    let name = lower_name(path);
    if path.is_dir() {
        // A link to a folder above would never end.
        path.is_symlink() || is_skipped_folder(&name) || is_output(path, &name)
    } else {
        is_skipped_file(&name)
    }
}

/// The Congressional Record, which tracks leave out, and descriptions of the format.
fn is_skipped_folder(name: &str) -> bool {
    name == "cr" || name.starts_with("dtd")
}

/// Whether a folder is an index, also an unfinished one, the output of an experiment, or has vectors. People write them next to the
/// files of the collection, whose documents they would become.
fn is_output(path: &Path, name: &str) -> bool {
    const FILES: [&str; 4] = ["index.toml", "state.json", "documents.npy", "topics.npy"];
    let is_of_experiment = || name == "out" && path.with_file_name("experiment.toml").is_file();
    name == "vectors"
        || name.ends_with(".building")
        || FILES.iter().any(|file| path.join(file).is_file())
        || is_of_experiment()
}

/// Notes on TREC's disks, descriptions of the format and of the collection, and runs; the name is in lower case.
pub(crate) fn is_skipped_file(name: &str) -> bool {
    const STARTS: [&str; 6] = ["readme", "read.me", "read_me", "readchg", "readfrcg", "dtd"];
    const ENDS: [&str; 3] = [".dtd", ".run", ".run.yaml"];
    const NAMES: [&str; 2] = ["collection.toml", "experiment.toml"];
    STARTS.iter().any(|start| name.starts_with(start))
        || ENDS.iter().any(|end| name.ends_with(end))
        || NAMES.contains(&name)
}

/// Whether a file of an archive is skipped, by its path in it.
pub(crate) fn is_skipped_member(path: &str) -> bool {
    let path = path.to_lowercase();
    let mut parts = path.rsplit('/');
    parts.next().is_some_and(is_skipped_file) || parts.any(is_skipped_folder)
}
