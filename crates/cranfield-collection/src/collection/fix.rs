//! Repairs of collection files.

use std::path::Path;

use cranfield_core::qrels::Qrels;
use cranfield_io::doctor::Report;
use cranfield_io::doctor::fix::{Change, Left, Outcome};
use cranfield_io::{Code, Error, Severity, Source};

use super::file::MAX_BYTES;
use super::{Collection, IdRule};

impl Collection {
    /// The collection file with the rule for topic ids that was found and with the grades in the right order, if the report says
    /// that they are reversed; and what changed. The text is `None` if nothing changes.
    ///
    /// Lines are added below `[topics]` and `[qrels]`; everything else stays as it is. A collection without a file gets one that
    /// names its files, relative to `folder` if they are in it.
    pub fn fix(&self, report: &Report, folder: &Path) -> Result<(Option<String>, Outcome), Error> {
        let ids = match report.finding(Code::TopicIdRule) {
            Some(_) => self.rule_found()?.map(|rule| format!("ids = \"{rule}\"\n")),
            None => None,
        };
        let grades = match report.finding(Code::GradesReversed) {
            Some(_) if self.qrels_files.grades.is_empty() => Some(reversed(&self.qrels()?)),
            _ => None,
        };
        let lines = [("[topics]", ids), ("[qrels]", grades)];
        let text = match &self.path {
            Some(path) => with_lines(path, &lines)?,
            None => Some(self.described(folder, Some(report), &lines)),
        };
        let [ids, grades] = lines.map(|(_, line)| line.is_some());
        let fixes = [
            (Code::AssumedLayout, self.path.is_none()),
            (Code::TopicIdRule, ids),
            (Code::GradesReversed, grades),
        ];
        let is_fixed = |code| text.is_some() && fixes.contains(&(code, true));
        let outcome = outcome(report, is_fixed);
        Ok((text, outcome))
    }

    /// The rule that matches topics with judgements, if the file does not name one.
    fn rule_found(&self) -> Result<Option<IdRule>, Error> {
        if self.topic_files.ids.is_some()
            || self.qrels_files.files.is_empty()
            || self.topic_files.files.is_empty()
        {
            return Ok(None);
        }
        Ok(Some(super::ids::best_rule(
            &self.raw_topics()?,
            &self.qrels()?,
        )))
    }
}

/// The text of a file with lines below its tables; `None` if none is added.
fn with_lines(path: &Path, lines: &[(&str, Option<String>)]) -> Result<Option<String>, Error> {
    let source = Source::open(path)?;
    let text = source.text(MAX_BYTES, "a collection file", Code::BadCollection)?;
    let mut fixed = String::with_capacity(text.len() + 100);
    let mut added: Vec<&str> = Vec::new();
    for line in text.split_inclusive('\n') {
        fixed.push_str(line);
        let head = line.split('#').next().unwrap_or_default().trim();
        let wanted = lines.iter().find(|(table, _)| *table == head);
        if let Some((table, Some(new))) = wanted
            && !added.contains(table)
        {
            let end = if line.ends_with('\n') { "" } else { "\n" };
            fixed.push_str(&format!("{end}{new}"));
            added.push(table);
        }
    }
    Ok((!added.is_empty()).then_some(fixed))
}

/// A line that maps grades to the same ones in the opposite order. Grades below 0 become 0.
fn reversed(qrels: &Qrels) -> String {
    let mut grades: Vec<f64> = Vec::new();
    for topic in qrels.topics() {
        grades.extend(topic.judgements().map(|(_, grade)| grade));
    }
    grades.sort_unstable_by(f64::total_cmp);
    grades.dedup();
    let positive = || grades.iter().filter(|grade| **grade > 0.0);
    let opposite = positive().rev();
    let mapped = positive().zip(opposite).map(|(from, to)| (*from, *to));
    let others = grades.iter().filter(|grade| **grade <= 0.0);
    let items = mapped
        .chain(others.map(|grade| (*grade, 0.0)))
        .map(|(from, to)| format!("\"{from}\" = {to}"));
    let items: Vec<String> = items.collect();
    format!("grades = {{ {} }}\n", items.join(", "))
}

fn outcome(report: &Report, is_fixed: impl Fn(Code) -> bool) -> Outcome {
    let findings = || report.findings.iter();
    let left = |severity: Severity| {
        let left = findings().filter(|one| one.severity() == severity && !is_fixed(one.code));
        left.map(Left::of).collect()
    };
    Outcome {
        unfixable: left(Severity::Error),
        remaining: left(Severity::Warning),
        changes: findings()
            .filter(|one| is_fixed(one.code))
            .map(|one| Change::new(one.code, one.count, one.unit))
            .collect(),
        written: None,
    }
}
