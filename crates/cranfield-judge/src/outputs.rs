//! Checks that no output replaces a file that judging keeps.

use std::path::{Path, PathBuf};

use cranfield_io::{Code, Problem, check_outputs};

use crate::error::JudgeError;
use crate::log::Log;
use crate::settings::Settings;

/// The files that judging writes.
#[derive(Clone, Copy, Debug)]
pub struct OutputFiles<'a> {
    /// The folder of the judgements.
    pub folder: &'a Path,
    /// The assessor who judges, or whose judgements are exported; `None` for all.
    pub who: Option<&'a str>,
    /// The file of exported judgements.
    pub export: Option<&'a Path>,
    /// Whether that file also holds other judgements, whose gaps are filled.
    pub is_filled: bool,
}

impl OutputFiles<'_> {
    /// Checks that the exported judgements replace none of the files that judging keeps in its folder: audit files, which also hold
    /// the cache and the locks, the settings, and what is derived from them for each assessor. The derived judgements of the
    /// assessor may be written again.
    ///
    /// # Errors
    /// If they do.
    pub fn check(&self) -> Result<(), JudgeError> {
        let Some(export) = self.export else {
            return Ok(());
        };
        // Each alone: a link may make two of them the same file.
        let is_kept = |path: &PathBuf| check_outputs(&[export], &[path]).is_err();
        if !self.kept(export).iter().any(is_kept) {
            return Ok(());
        }
        let message = "cannot write the output: judging keeps its own data in this file";
        let problem = Problem::file(Code::CannotWrite, &export.to_string_lossy(), message);
        let help = "choose another name, such as judgements.qrels";
        Err(JudgeError::Input(problem.with_help(help).into()))
    }

    fn kept(&self, export: &Path) -> Vec<PathBuf> {
        let is_audit = |path: &Path| path.extension().is_some_and(|name| name == "jsonl");
        let mut audits: Vec<PathBuf> = Vec::new();
        // Any file with this extension is the audit file of an assessor, now or later.
        if is_audit(export) {
            audits.extend(export.file_name().map(|name| self.folder.join(name)));
        }
        let own = self.who.and_then(|who| Log::path(self.folder, who).ok());
        audits.extend(own.clone());
        let entries = self.folder.read_dir().into_iter().flatten().flatten();
        let entries = entries.map(|entry| entry.path());
        audits.extend(entries.filter(|path| is_audit(path)));
        let mut kept = vec![Settings::path(self.folder)];
        for audit in audits {
            if self.is_filled || Some(&audit) != own.as_ref() {
                kept.push(audit.with_extension("qrels"));
            }
            kept.push(audit.with_extension("audit.run"));
            kept.push(audit);
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_judging_keeps_are_no_outputs() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("o");
        let check = |name: &str, who, is_filled| {
            let files = OutputFiles {
                folder: &folder,
                who,
                export: Some(&root.path().join(name)),
                is_filled,
            };
            files.check()
        };
        // Before there is a folder, too.
        assert!(check("o/ann.jsonl", None, false).is_err());
        assert!(check("./o/judging.toml", None, false).is_err());
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("ann.jsonl"), "").unwrap();
        for name in [
            "o/ann.jsonl",
            "o/../o/ann.jsonl",
            "o/bob.jsonl",
            "o/judging.toml",
            "o/ann.qrels",
            "o/ann.audit.run",
        ] {
            let error = check(name, None, false).unwrap_err().to_string();
            assert!(error.contains("judging keeps its own data"), "{error}");
        }
        for name in ["o/all.qrels", "ann.jsonl", "ann.qrels", "judging.toml"] {
            assert!(check(name, None, false).is_ok(), "{name}");
        }
        assert!(check("o/ann.qrels", Some("ann"), false).is_ok());
        assert!(check("o/ann.qrels", Some("ann"), true).is_err());
        assert!(check("o/ann.qrels", Some("bob"), false).is_err());
        assert!(check("o/bob.qrels", Some("bob"), true).is_err());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.join("ann.jsonl"), root.path().join("link")).unwrap();
            assert!(check("link", None, false).is_err());
        }
    }
}
