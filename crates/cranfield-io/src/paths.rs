//! The files that command-line arguments stand for.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::code::Code;
use crate::error::{Error, Problems};
use crate::problem::Problem;

const PATTERN: glob::MatchOptions = glob::MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// The files that arguments stand for, in the order of the arguments.
///
/// A folder stands for all its files that are not hidden, a pattern (`*`, `?`, `[a-z]`, `**`) for the files that match, both in
/// ascending order; `-` and the paths of files stand for themselves. An argument without any file is an error.
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
    } else if argument.contains(['*', '?', '[']) {
        matches(argument)
    } else {
        let said = path.metadata().err();
        let problem = Problem::file(Code::CannotRead, argument, "no such file or folder")
            .of_system(said.as_ref());
        Err(Box::new(
            problem.with_help("check the path; `-` is standard input"),
        ))
    }
}

fn folder(path: &Path, argument: &str) -> Result<Vec<PathBuf>, Box<Problem>> {
    let entries = std::fs::read_dir(path).map_err(|error| {
        let message = format!("folder cannot be read: {error}");
        Box::new(Problem::file(Code::CannotRead, argument, message).of_system(&error))
    })?;
    let visible = entries
        .flatten()
        .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
    let files = visible
        .map(|entry| entry.path())
        .filter(|path| path.is_file());
    sorted(files, argument, "folder holds no file")
}

fn matches(argument: &str) -> Result<Vec<PathBuf>, Box<Problem>> {
    let found = glob::glob_with(argument, PATTERN).map_err(|error| {
        Box::new(Problem::file(
            Code::NoMatch,
            argument,
            format!("not a valid pattern: {error}"),
        ))
    })?;
    let files = found.flatten().filter(|path| path.is_file());
    sorted(files, argument, "no file matches the pattern")
}

fn sorted(
    files: impl Iterator<Item = PathBuf>,
    argument: &str,
    or_else: &str,
) -> Result<Vec<PathBuf>, Box<Problem>> {
    let mut files: Vec<PathBuf> = files.collect();
    files.sort_unstable();
    if files.is_empty() {
        Err(Box::new(Problem::file(Code::NoMatch, argument, or_else)))
    } else {
        Ok(files)
    }
}
