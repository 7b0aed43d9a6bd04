//! Checks that no output replaces a file that judging keeps.

use std::path::{Path, PathBuf};

use cranfield_io::{Code, Problem, check_outputs};

use crate::error::JudgeError;
use crate::log::Log;
use crate::materials::Sources;
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
    /// Whether documents for a person are drawn.
    pub is_audited: bool,
}

impl OutputFiles<'_> {
    /// Checks that no output replaces an input, or the files of `sources`, and that the exported judgements replace none of the files that judging keeps in its folder: audit files, which also hold
    /// the cache and the locks, the settings, and what is derived from them for each assessor. The derived judgements of the
    /// assessor may be written again.
    ///
    /// # Errors
    /// If they do, or if the files of a collection cannot be found.
    pub fn check(&self, inputs: &[&Path], sources: &Sources) -> Result<(), JudgeError> {
        let mut read: Vec<PathBuf> = inputs.iter().map(PathBuf::from).collect();
        read.extend(sources.files()?);
        for output in self.written()? {
            check_outputs(&[output], &read)?;
        }
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

    /// Files that are written, unless nothing is judged.
    fn written(&self) -> Result<Vec<PathBuf>, JudgeError> {
        let mut written: Vec<PathBuf> = self.export.iter().map(PathBuf::from).collect();
        if let Some(who) = self.who {
            let audit = Log::path(self.folder, who)?;
            written.push(audit.with_extension("qrels"));
            written.extend(self.is_audited.then(|| audit.with_extension("audit.run")));
            written.push(audit);
        }
        Ok(written)
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
    fn files_of_collections_and_indexes_are_no_outputs() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        for name in ["c/docs", "index"] {
            std::fs::create_dir_all(path(name)).unwrap();
        }
        let collection = "[documents]\nfiles = [\"docs\"]\n[topics]\nfiles = [\"t*.tsv\"]\n";
        for (name, text) in [
            ("c/collection.toml", collection),
            ("c/docs/a.jsonl", "{\"id\": \"d\", \"text\": \"t\"}\n"),
            ("c/topics.tsv", "1\tq\n"),
            ("index/terms.bin", ""),
            ("bot.qrels", ""),
        ] {
            std::fs::write(path(name), text).unwrap();
        }
        let collection = Sources {
            collection: Some(path("c/collection.toml")),
            ..Sources::default()
        };
        let index = Sources {
            index: Some(path("index")),
            topics: Some(path("c/*.tsv")),
            ..Sources::default()
        };
        let check = |export: &str, who, sources: &Sources| {
            let files = OutputFiles {
                folder: root.path(),
                who,
                export: Some(&path(export)),
                is_filled: false,
                is_audited: true,
            };
            files.check(&[&path("bot.qrels")], sources)
        };
        for (export, sources) in [
            ("c/collection.toml", &collection),
            ("c/docs/a.jsonl", &collection),
            ("c/topics.tsv", &collection),
            ("index/terms.bin", &index),
            ("c/topics.tsv", &index),
        ] {
            let error = check(export, None, sources).unwrap_err().to_string();
            assert!(error.contains("one of the inputs"), "{export}: {error}");
        }
        assert!(check("new", Some("ann"), &collection).is_ok());
        // The derived judgements of an assessor would replace an input.
        assert!(check("new", Some("bot"), &index).is_err());
    }

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
                is_audited: false,
            };
            files.check(&[], &Sources::default())
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
