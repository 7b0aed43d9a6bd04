//! Repairs of collection files.

use cranfield_io::doctor::Report;
use cranfield_io::doctor::fix::{Change, Left, Outcome};
use cranfield_io::{Code, Error, Severity, Source};

use super::file::MAX_BYTES;
use super::{Collection, IdRule};

impl Collection {
    /// The collection file with the rule for topic ids that was found, and what changed. The text is `None` if nothing changes.
    ///
    /// The rule is added as a line below `[topics]`; everything else stays as it is.
    pub fn fix(&self, report: &Report) -> Result<(Option<String>, Outcome), Error> {
        let text = match self.rule_found()? {
            Some(rule) if report.finding(Code::TopicIdRule).is_some() => self.with_rule(rule)?,
            _ => None,
        };
        let left = |severity: Severity| {
            let findings = report.findings.iter();
            findings
                .filter(move |finding| finding.severity() == severity)
                .map(Left::of)
                .collect()
        };
        let finding = report.finding(Code::TopicIdRule).filter(|_| text.is_some());
        let outcome = Outcome {
            unfixable: left(Severity::Error),
            remaining: left(Severity::Warning),
            changes: finding
                .map(|one| Change::new(one.code, one.count, one.unit))
                .into_iter()
                .collect(),
            written: None,
        };
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

    fn with_rule(&self, rule: IdRule) -> Result<Option<String>, Error> {
        let Some(path) = &self.path else {
            return Ok(None);
        };
        let source = Source::open(path)?;
        let text = source.text(MAX_BYTES, "a collection file", Code::BadCollection)?;
        let mut fixed = String::with_capacity(text.len() + 20);
        let mut is_added = false;
        for line in text.split_inclusive('\n') {
            fixed.push_str(line);
            let head = line.split('#').next().unwrap_or_default().trim();
            if head == "[topics]" && !is_added {
                let end = if line.ends_with('\n') { "" } else { "\n" };
                fixed.push_str(&format!("{end}ids = \"{rule}\"\n"));
                is_added = true;
            }
        }
        Ok(is_added.then_some(fixed))
    }
}
