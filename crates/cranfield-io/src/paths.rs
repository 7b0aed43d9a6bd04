//! Files named by command-line arguments: paths, folders and patterns.

use std::ffi::OsStr;
use std::fs::DirEntry;
use std::path::{Component, Path, PathBuf};

use glob::{MatchOptions, Pattern, PatternError};

use crate::code::Code;
use crate::error::{Error, Problems};
use crate::problem::Problem;

const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// Returns the files that the arguments name, in the order of the arguments.
///
/// A folder expands to its files that are not hidden, and a pattern (`*`, `?`, `[a-z]`, `**`) to the files that match, both in
/// ascending order, without the provenance of runs, such as `a.run.yaml` next to `a.run`. `-` and paths of files are returned unchanged. An argument that names no file is an error.
///
/// ```
/// assert_eq!(cranfield_io::expand_paths(&["-"])?, [std::path::Path::new("-")]);
/// assert!(cranfield_io::expand_paths(&["no/such/*.run"]).is_err());
/// # Ok::<(), cranfield_io::Error>(())
/// ```
pub fn expand_paths<S: AsRef<OsStr>>(arguments: &[S]) -> Result<Vec<PathBuf>, Error> {
    let mut paths = Vec::new();
    let mut problems = Problems::default();
    for argument in arguments {
        match expand(Path::new(argument)) {
            Ok(found) => paths.extend(found),
            Err(problem) => problems.push(*problem),
        }
    }
    problems.into_result()?;
    Ok(paths)
}

fn expand(path: &Path) -> Result<Vec<PathBuf>, Box<Problem>> {
    let argument = &*path.to_string_lossy();
    if path.is_dir() {
        folder(path, argument)
    } else if argument == "-" || path.exists() {
        Ok(vec![path.into()])
    } else if is_pattern(argument) {
        matches(path, argument)
    } else {
        let cause = path.metadata().err();
        let problem = Problem::file(Code::CannotRead, argument, "no such file or folder")
            .with_cause(cause.as_ref());
        Err(Box::new(
            problem.with_help("check the path; `-` is standard input"),
        ))
    }
}

fn folder(path: &Path, argument: &str) -> Result<Vec<PathBuf>, Box<Problem>> {
    let entries = std::fs::read_dir(path).map_err(|error| {
        let message = format!("cannot read the folder: {error}");
        Box::new(Problem::file(Code::CannotRead, argument, message).with_cause(&error))
    })?;
    let visible = entries
        .flatten()
        .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
    let files = visible
        .map(|entry| entry.path())
        .filter(|path| path.is_file());
    sorted(files, argument, "the folder contains no files")
}

fn matches(path: &Path, argument: &str) -> Result<Vec<PathBuf>, Box<Problem>> {
    let found = walk(path).map_err(|error| {
        let message = format!("invalid pattern: {error}");
        Box::new(Problem::file(Code::NoMatch, argument, message))
    })?;
    let files = found.into_iter().filter(|path| path.is_file());
    sorted(files, argument, "no file matches the pattern")
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Expands a pattern one path component at a time. Names are compared as lossy UTF-8 and returned as they are, because
/// `glob`'s own walk panics on names that are not UTF-8.
fn walk(pattern: &Path) -> Result<Vec<PathBuf>, PatternError> {
    let mut found = vec![PathBuf::new()];
    let mut is_recursive = false;
    for component in pattern.components() {
        let name = component.as_os_str().to_string_lossy();
        is_recursive = name == "**";
        found = match component {
            Component::Normal(_) if is_recursive => {
                found.iter().flat_map(|folder| below(folder)).collect()
            }
            Component::Normal(_) if is_pattern(&name) => {
                let pattern = Pattern::new(&name)?;
                let matching = |folder: &PathBuf| matching_entries(folder, &pattern);
                found.iter().flat_map(matching).collect()
            }
            _ => found.iter().map(|folder| folder.join(component)).collect(),
        };
    }
    if is_recursive {
        let any = Pattern::new("*")?;
        let files = |folder: &PathBuf| matching_entries(folder, &any);
        found = found.iter().flat_map(files).collect();
    }
    Ok(found)
}

fn matching_entries(folder: &Path, pattern: &Pattern) -> Vec<PathBuf> {
    let matching = entries(folder)
        .filter(|entry| pattern.matches_with(&entry.file_name().to_string_lossy(), OPTIONS));
    matching
        .map(|entry| folder.join(entry.file_name()))
        .collect()
}

/// A folder and all folders below it, without hidden ones and without following links.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_path_buf()];
    let mut at = 0;
    while let Some(folder) = folders.get(at).cloned() {
        let inner = entries(&folder).filter(|entry| {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            is_folder && !entry.file_name().as_encoded_bytes().starts_with(b".")
        });
        folders.extend(inner.map(|entry| folder.join(entry.file_name())));
        at += 1;
    }
    folders
}

/// The entries of a folder; none if it cannot be read.
fn entries(folder: &Path) -> impl Iterator<Item = DirEntry> {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    std::fs::read_dir(folder).into_iter().flatten().flatten()
}

/// Whether a file describes how another one was made: `bm25.run.yaml` next to `bm25.run`.
fn is_provenance(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "yaml")
        && path.with_extension("").is_file()
}

fn sorted(
    files: impl Iterator<Item = PathBuf>,
    argument: &str,
    if_none: &str,
) -> Result<Vec<PathBuf>, Box<Problem>> {
    let mut files: Vec<PathBuf> = files.filter(|path| !is_provenance(path)).collect();
    files.sort_unstable();
    if files.is_empty() {
        Err(Box::new(Problem::file(Code::NoMatch, argument, if_none)))
    } else {
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_in_folders_of_any_depth() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        for folder in ["a/b", "a/.hidden", "c"] {
            std::fs::create_dir_all(path(folder)).unwrap();
        }
        let files = [
            "1.run",
            "a/2.run",
            "a/b/3.run",
            "a/.hidden/4.run",
            "c/.5.run",
        ];
        for file in files {
            std::fs::write(path(file), "").unwrap();
        }
        for (pattern, expected) in [
            ("*.run", &["1.run"][..]),
            ("*/*.run", &["a/2.run"]),
            ("**/*.run", &["1.run", "a/2.run", "a/b/3.run"]),
            ("a/**", &["a/2.run", "a/b/3.run"]),
            ("[ac]/.[0-9]*", &["c/.5.run"]),
        ] {
            let expected: Vec<PathBuf> = expected.iter().map(|name| path(name)).collect();
            assert_eq!(
                expand_paths(&[path(pattern)]).unwrap(),
                expected,
                "{pattern}"
            );
        }
        let error = expand_paths(&[path("a**/x")]).unwrap_err().to_string();
        assert!(error.contains("invalid pattern"), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn names_that_are_not_utf8_are_matched() {
        use std::os::unix::ffi::OsStrExt;
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join(OsStr::from_bytes(b"\xff.run"));
        std::fs::write(&path, "").unwrap();
        assert_eq!(expand_paths(&[root.path().join("*.run")]).unwrap(), [path]);
    }
}
