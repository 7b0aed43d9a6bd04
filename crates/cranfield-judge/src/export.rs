//! Judgements derived from audit files.

use std::collections::HashMap;
use std::path::Path;

use cranfield_core::qrels::{Qrels, QrelsTopic};
use cranfield_eval::merging::{MergeRule, merge_qrels};
use cranfield_io::QrelsFormat;
use cranfield_render::plural;

use crate::assessor::Assessor;
use crate::error::{JudgeError, cannot_read};
use crate::log::{Log, read_log};

/// Judgements of a folder, and what they were made of.
#[derive(Debug)]
pub struct Exported {
    /// The judgements.
    pub qrels: Qrels,
    /// The assessors.
    pub assessors: Vec<String>,
    /// Documents that several assessors graded.
    pub shared: usize,
    /// Documents with different grades among them.
    pub disputed: usize,
}

/// Reads all assessors of a folder, in order of their names.
///
/// # Errors
/// If a file was changed by another program.
pub fn read_assessors(folder: &Path) -> Result<Vec<Assessor>, JudgeError> {
    let entries = std::fs::read_dir(folder).map_err(|error| cannot_read(folder, &error))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| cannot_read(folder, &error))?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            paths.push(path);
        }
    }
    paths.sort_unstable();
    let assessor = |path: &std::path::PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Ok(Assessor::of(&name, &read_log(path)?))
    };
    paths.iter().map(assessor).collect()
}

/// The judgements of one assessor, or of all merged by a rule.
///
/// # Errors
/// If there is no such assessor.
pub fn export(folder: &Path, only: Option<&str>, rule: MergeRule) -> Result<Exported, JudgeError> {
    let mut assessors = read_assessors(folder)?;
    let known: Vec<String> = assessors.iter().map(|one| one.name.clone()).collect();
    assessors.retain(|assessor| only.is_none_or(|only| assessor.name == only));
    if assessors.len() > 1 {
        // Someone who has not judged anything yet is not an assessor.
        assessors.retain(|assessor| !assessor.samples().concat().is_empty());
    }
    if assessors.is_empty() {
        let folder = folder.display();
        return Err(JudgeError::Setting(match (only, known.as_slice()) {
            (Some(name), [_, ..]) => {
                let known = known.join(", ");
                format!("`{folder}` has no assessor `{name}`; its assessors are {known}")
            }
            _ => format!("`{folder}` has no audit files of assessors"),
        }));
    }
    let qrels: Vec<Qrels> = assessors.iter().map(|one| one.qrels(rule)).collect();
    let mut grades: HashMap<_, (usize, f64, bool)> = HashMap::new();
    for topic in qrels.iter().flat_map(Qrels::topics) {
        for (doc, grade) in topic.judgements() {
            let seen = grades.entry((topic.id(), doc)).or_insert((0, grade, false));
            seen.0 += 1;
            seen.2 |= seen.1 != grade;
        }
    }
    let shared = grades.values().filter(|(count, _, _)| *count > 1).count();
    let disputed = grades.values().filter(|(_, _, differ)| *differ).count();
    drop(grades);
    let assessors = assessors.into_iter().map(|one| one.name).collect();
    Ok(Exported {
        qrels: merge_qrels(&qrels.iter().collect::<Vec<_>>(), rule, None),
        assessors,
        shared,
        disputed,
    })
}

impl Exported {
    /// A sentence on what was merged.
    pub fn summary(&self, rule: MergeRule) -> String {
        let judgements = plural(self.qrels.judgements(), "judgement");
        let topics = plural(self.qrels.len(), "topic");
        let names = self.assessors.join(", ");
        let merged = match self.assessors.len() {
            1 => String::new(),
            _ => format!(
                "; {} by several assessors, {} with different grades, merged by {}",
                self.shared,
                self.disputed,
                rule.name()
            ),
        };
        format!("{judgements} of {topics} by {names}{merged}")
    }
}

/// Writes an assessor's judgements next to the audit file, as `NAME.qrels`.
pub fn save_judgements(
    folder: &Path,
    assessor: &Assessor,
    rule: MergeRule,
) -> Result<(), JudgeError> {
    let path = Log::path(folder, &assessor.name)?.with_extension("qrels");
    cranfield_io::save_qrels(&assessor.qrels(rule), QrelsFormat::Trec, path)?;
    Ok(())
}

/// TREC judgements: all of `judged`, and those of `assessor` for pairs that are not in it, with the assessor's name in the
/// second column.
///
/// # Errors
/// If an id has white space, which TREC's format cannot express.
pub fn fill_holes(
    judged: &Qrels,
    assessor: &Assessor,
    rule: MergeRule,
) -> Result<(String, usize), JudgeError> {
    let added = assessor.qrels(rule);
    let mut topics: Vec<&[u8]> = judged.topics().map(|topic| topic.id()).collect();
    topics.extend(added.topics().map(|topic| topic.id()));
    topics.sort_unstable();
    topics.dedup();
    let (mut text, mut count) = (String::new(), 0);
    for id in topics {
        let topic = String::from_utf8_lossy(id);
        let mut line = |iteration: &str, doc: &[u8], grade: f64| {
            let doc = String::from_utf8_lossy(doc);
            text.push_str(&format!("{topic} {iteration} {doc} {grade}\n"));
        };
        let known = judged.get(id);
        for (doc, grade) in known.iter().flat_map(QrelsTopic::judgements) {
            line("0", doc, grade);
        }
        for (doc, grade) in added.get(id).iter().flat_map(QrelsTopic::judgements) {
            if known.is_none_or(|known| known.grade(doc).is_none()) {
                line(&assessor.name, doc, grade);
                count += 1;
            }
        }
    }
    if let Some(line) = text
        .lines()
        .find(|line| line.split_whitespace().count() != 4)
    {
        let line = line.escape_debug();
        return Err(JudgeError::Setting(format!(
            "cannot write `{line}` as a line of TREC judgements: an id has white space"
        )));
    }
    Ok((text, count))
}
