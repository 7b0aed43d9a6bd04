//! Checks that outputs do not overwrite inputs.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use crate::code::Code;
use crate::error::{Error, Problems};
use crate::problem::Problem;

/// Checks that no output is an input or another output. Files are compared by path and, on Unix, by device and inode, so that
/// links are found. `-` and special files such as terminals are not checked.
///
/// ```
/// use cranfield_io::check_outputs;
/// assert!(check_outputs(&["scores.csv"], &["qrels.txt", "bm25.run"]).is_ok());
/// assert!(check_outputs(&["a.csv", "./a.csv"], &["qrels.txt"]).is_err());
/// ```
///
/// # Errors
/// If an output is one of the inputs or another output.
pub fn check_outputs<O: AsRef<Path>, I: AsRef<Path>>(
    outputs: &[O],
    inputs: &[I],
) -> Result<(), Error> {
    let inputs: Vec<Identity> = inputs
        .iter()
        .filter_map(|path| Identity::of(path.as_ref()))
        .collect();
    let mut earlier: Vec<Identity> = Vec::new();
    let mut problems = Problems::default();
    for path in outputs.iter().map(AsRef::as_ref) {
        let Some(output) = Identity::of(path) else {
            continue;
        };
        let conflict = if inputs.iter().any(|input| input.is(&output)) {
            Some((
                "cannot write the output: it is one of the inputs",
                "choose another name for the output",
            ))
        } else if earlier.iter().any(|other| other.is(&output)) {
            Some((
                "cannot write the output: two outputs have this name",
                "choose a different name for each output",
            ))
        } else {
            None
        };
        if let Some((message, help)) = conflict {
            let problem = Problem::file(Code::CannotWrite, &path.to_string_lossy(), message);
            problems.push(problem.with_help(help));
        }
        earlier.push(output);
    }
    problems.into_result()
}

/// The identity of a file.
struct Identity {
    /// Absolute and without links, as far as the path exists.
    path: PathBuf,
    metadata: Option<Metadata>,
}

impl Identity {
    /// `None` for files that may be read and written at once.
    fn of(path: &Path) -> Option<Self> {
        if path.as_os_str() == "-" {
            return None;
        }
        let metadata = path.metadata().ok();
        if metadata.as_ref().is_some_and(|found| !found.is_file()) {
            return None;
        }
        Some(Self {
            path: resolved(path),
            metadata,
        })
    }

    fn is(&self, other: &Self) -> bool {
        let both = self.metadata.as_ref().zip(other.metadata.as_ref());
        self.path == other.path || both.is_some_and(|(one, other)| is_same(one, other))
    }
}

/// An absolute path with the links of its longest part that exists resolved.
fn resolved(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.into());
    for known in path.ancestors() {
        if let Ok(found) = known.canonicalize() {
            let rest = path.strip_prefix(known).unwrap_or(Path::new(""));
            // Joining an empty path would add a separator.
            let is_whole = rest.as_os_str().is_empty();
            return if is_whole { found } else { found.join(rest) };
        }
    }
    path
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_paths_of_one_file_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("run"), "x").unwrap();
        std::fs::create_dir(path("below")).unwrap();
        let same = [path("run"), path("below/../run"), path("./run")];
        for name in &same {
            let error = check_outputs(&[name], &[path("run")]).unwrap_err();
            assert!(error.to_string().contains("one of the inputs"), "{error}");
        }
        assert!(check_outputs(&[path("new")], &[path("run")]).is_ok());
        let twice = [path("new"), path("below/../new")];
        let error = check_outputs(&twice, &[path("run")]).unwrap_err();
        assert!(error.to_string().contains("two outputs"), "{error}");
        // Also in folders that do not exist yet.
        let twice = [path("no/new"), path("below/../no/./new")];
        assert!(check_outputs(&twice, &[path("run")]).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_found_and_devices_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("run"), "x").unwrap();
        std::fs::hard_link(path("run"), path("hard")).unwrap();
        std::os::unix::fs::symlink(path("run"), path("soft")).unwrap();
        for link in ["hard", "soft"] {
            assert!(check_outputs(&[path(link)], &[path("run")]).is_err());
            assert!(check_outputs(&[path("run")], &[path(link)]).is_err());
        }
        let null = [Path::new("/dev/null")];
        assert!(check_outputs(&null, &null).is_ok());
        assert!(check_outputs(&["-", "-"], &["-"]).is_ok());
    }
}
