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
        paths.sort();
        for path in paths {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .to_lowercase();
            if name.starts_with('.') {
                continue;
            }
            // A link to a folder above would never end.
            let is_link = path.is_symlink();
            if path.is_dir() {
                if is_skipped_folder(&name) || is_link {
                    self.skipped.push(path);
                } else {
                    self.walk(&path)?;
                }
            } else if is_skipped_file(&name) {
                self.skipped.push(path);
            } else {
                self.paths.push(path);
            }
        }
        Ok(())
    }
}

/// The Congressional Record, which tracks leave out, and descriptions of the format.
pub(crate) fn is_skipped_folder(name: &str) -> bool {
    name == "cr" || name.starts_with("dtd")
}

/// Notes on TREC's disks and descriptions of the format; the name is in lower case.
pub(crate) fn is_skipped_file(name: &str) -> bool {
    const STARTS: [&str; 6] = ["readme", "read.me", "read_me", "readchg", "readfrcg", "dtd"];
    let extension = name.rsplit_once('.').map_or("", |(_, end)| end);
    STARTS.iter().any(|start| name.starts_with(start)) || extension == "dtd"
}

/// Whether a file of an archive is skipped, by its path in it.
pub(crate) fn is_skipped_member(path: &str) -> bool {
    let path = path.to_lowercase();
    let mut parts = path.rsplit('/');
    parts.next().is_some_and(is_skipped_file) || parts.any(is_skipped_folder)
}
