//! What was done: keys of steps, and hashes of their files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cranfield_report::{COST_END, COST_START};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::outcome::Difference;
use super::steps::Made;
use crate::error::Error;

const STATE: &str = "state.json";
const MANIFEST: &str = "manifest.json";

/// Steps that were done.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    steps: BTreeMap<String, Done>,
    /// Steps that failed while others went on, and why.
    #[serde(default)]
    failed: BTreeMap<String, String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Done {
    key: String,
    /// Hashes of files, by their path in the output folder.
    files: BTreeMap<String, String>,
    /// Notes, which hold as long as the step is not repeated.
    #[serde(default)]
    notes: Vec<String>,
}

impl State {
    /// The state of a folder; empty if there is none, or a damaged one.
    pub(super) fn read(folder: &Path) -> Self {
        let text = fs::read_to_string(folder.join(STATE)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub(super) fn key(&self, step: &str) -> Option<&str> {
        self.steps.get(step).map(|done| done.key.as_str())
    }

    /// The notes of a step that was done.
    pub(super) fn notes(&self, step: &str) -> &[String] {
        self.steps.get(step).map_or(&[], |done| &done.notes)
    }

    /// Whether a step was done with this key, and its files are still as it left them.
    pub(super) fn is_done(&self, step: &str, key: &str, folder: &Path) -> bool {
        let Some(done) = self.steps.get(step) else {
            return false;
        };
        let is_same =
            |(path, hash): (&String, &String)| hash_of(&folder.join(path)).as_ref() == Some(hash);
        done.key == key && done.files.iter().all(is_same)
    }

    pub(super) fn finish(
        &mut self,
        step: &str,
        key: String,
        made: &Made,
        folder: &Path,
    ) -> Result<(), Error> {
        let files = made.files.iter().filter_map(|path| {
            let name = path
                .strip_prefix(folder)
                .unwrap_or(path)
                .to_string_lossy()
                .into_owned();
            Some((name, hash_of(path)?))
        });
        self.steps.insert(
            step.into(),
            Done {
                key,
                files: files.collect(),
                notes: made.notes.clone(),
            },
        );
        self.failed.remove(step);
        self.save(folder)
    }

    /// Whether the step that makes a run failed.
    pub(super) fn has_failed(&self, run: &str) -> bool {
        let mut failed = self.failed.keys();
        failed.any(|step| step.split_once('.').is_some_and(|(_, name)| name == run))
    }

    /// Notes that a step failed, and removes what it made before.
    pub(super) fn fail(&mut self, step: &str, why: String, folder: &Path) -> Result<(), Error> {
        let done = self.steps.remove(step);
        for path in done.iter().flat_map(|done| done.files.keys()) {
            // A file that is left is in no list.
            fs::remove_file(folder.join(path)).ok();
        }
        self.failed.insert(step.into(), why);
        self.save(folder)
    }

    fn save(&self, folder: &Path) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        Ok(cranfield_io::save_text(&text, folder.join(STATE))?)
    }

    /// Writes the list of all files with their hashes.
    pub(super) fn write_manifest(&self, folder: &Path, experiment: &Path) -> Result<(), Error> {
        let mut files = BTreeMap::new();
        for (step, done) in &self.steps {
            for (path, hash) in &done.files {
                files.insert(path, json!({ "blake3": hash, "step": step }));
            }
        }
        let file = experiment.file_name().unwrap_or_default();
        let mut manifest = json!({
            "cranfield": env!("CARGO_PKG_VERSION"),
            "experiment": { "file": file.to_string_lossy(), "blake3": hash_of(experiment) },
            "files": files,
        });
        if let (Some(manifest), false) = (manifest.as_object_mut(), self.failed.is_empty()) {
            manifest.insert("failed".into(), json!(self.failed));
        }
        let text = serde_json::to_string_pretty(&manifest).unwrap_or_default() + "\n";
        Ok(cranfield_io::save_text(&text, folder.join(MANIFEST))?)
    }
}

/// The hash of a file, or of the description of an index. Lines with times are left out, and the cost of engines in a report.
fn hash_of(path: &Path) -> Option<String> {
    let bytes = if path.is_dir() {
        fs::read(path.join("index.toml"))
    } else {
        fs::read(path)
    }
    .ok()?;
    let is_of = |name: &str| path.extension().is_some_and(|extension| extension == name);
    if is_of("html") {
        let text = without_cost(&String::from_utf8_lossy(&bytes));
        return Some(blake3::hash(text.as_bytes()).to_hex().to_string());
    }
    if is_of("yaml") {
        let text = String::from_utf8_lossy(&bytes);
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("seconds:"));
        let text: Vec<&str> = lines.collect();
        return Some(
            blake3::hash(text.join("\n").as_bytes())
                .to_hex()
                .to_string(),
        );
    }
    Some(blake3::hash(&bytes).to_hex().to_string())
}

/// A page without the parts on cost.
fn without_cost(page: &str) -> String {
    let mut parts = page.split(COST_START);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text += part.split_once(COST_END).map_or(part, |(_, after)| after);
    }
    text
}

/// The files of two folders that are not equal. The cost of engines is never equal, and is left out.
pub(super) fn differences(expected: &Path, found: &Path) -> Vec<Difference> {
    let [files, files_again] = [expected, found].map(|folder| {
        let steps = State::read(folder).steps.into_iter();
        let steps = steps.filter(|(step, _)| step != "bench");
        // The files as they are now: one may have been changed since.
        let files = steps.flat_map(|(_, done)| done.files.into_keys());
        let hashed = |name: String| hash_of(&folder.join(&name)).map(|hash| (name, hash));
        files.filter_map(hashed).collect::<BTreeMap<_, _>>()
    });
    let mut names: Vec<&String> = files.keys().chain(files_again.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let mut differences = Vec::new();
    for name in names {
        let what = match (files.get(name), files_again.get(name)) {
            (Some(hash), Some(again)) if hash == again => continue,
            (Some(_), Some(_)) => "differs",
            (None, _) => "is missing; run the experiment first",
            (_, None) => "was not made again",
        };
        differences.push(Difference {
            path: name.clone(),
            what,
        });
    }
    differences
}
