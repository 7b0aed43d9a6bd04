//! The second pass over judgements, topic by topic.

use crate::code::Code;
use crate::escape::quoted;
use crate::number::Shortest;

use super::findings::{Findings, counted};
use super::grades::{Distribution, Scale};
use super::line::Row;
use super::repeats::Repeats;

/// Examines judgements topic by topic.
pub(super) struct QrelsCheck<'f> {
    findings: &'f mut Findings,
    scale: Option<Scale>,
    repeats: Repeats,
    grades: Distribution,
}

impl<'f> QrelsCheck<'f> {
    pub(super) fn new(scale: Option<Scale>, findings: &'f mut Findings) -> Self {
        Self {
            findings,
            scale,
            repeats: Repeats::default(),
            grades: Distribution::default(),
        }
    }

    /// Examines the next topic; `rows` are in the order of the file.
    pub(super) fn topic(&mut self, id: &[u8], rows: &[Row<'_>]) {
        self.repeated(id, rows);
        for row in rows {
            self.grade(row);
        }
        if let Some(first) = rows
            .first()
            .filter(|_| rows.iter().all(|row| row.value <= 0.0))
        {
            self.findings.add_at(
                Code::TopicWithoutRelevant,
                first,
                first.topic_text(),
                || format!("no document of topic {} has a grade above 0", quoted(id)),
            );
        }
    }

    fn repeated(&mut self, id: &[u8], rows: &[Row<'_>]) {
        for &(first, later) in self.repeats.find(rows.iter().map(|row| row.doc)) {
            let (first, later) = (&rows[first as usize], &rows[later as usize]);
            let (doc, id) = (quoted(later.doc), quoted(id));
            if first.value == later.value {
                self.findings
                    .add_at(Code::DuplicateJudgement, later, later.doc, || {
                        format!(
                            "document {doc} of topic {id} is judged twice{}",
                            first.place()
                        )
                    });
            } else {
                let code = Code::ConflictingJudgement;
                self.findings.add_at(code, later, later.value_text, || {
                    let (now, before) = (Shortest(later.value), Shortest(first.value));
                    let place = first.place();
                    format!("document {doc} of topic {id} has grades {before} and {now}{place}")
                });
            }
        }
    }

    fn grade(&mut self, row: &Row<'_>) {
        let grade = row.value;
        self.grades.add(grade);
        if let Some(scale) = self.scale.as_ref().filter(|scale| !scale.contains(grade)) {
            self.findings
                .add_at(Code::GradeOutOfScale, row, row.value_text, || {
                    format!("grade is {}, expected {scale}", Shortest(grade))
                });
        }
        if grade < 0.0 {
            self.findings
                .add_at(Code::NegativeGrade, row, row.value_text, || {
                    format!("grade is {}, below 0", Shortest(grade))
                });
        }
        if grade.fract() != 0.0 {
            self.findings
                .add_at(Code::FractionalGrade, row, row.value_text, || {
                    format!("grade is {}, not an integer", Shortest(grade))
                });
        }
    }

    /// Reports what is known only after the last topic.
    pub(super) fn finish(self) {
        if !self.grades.is_empty() && !self.grades.has_relevant() {
            // One finding for the whole file is enough.
            self.findings.forget(Code::TopicWithoutRelevant);
            let judgements = counted(self.grades.total(), "judgement");
            let message = format!("no grade is above 0 in {judgements}: {}", self.grades);
            self.findings.add_file(Code::NoRelevant, 1, message);
        }
        if self.grades.looks_reversed() {
            let message = format!("grades look as if 1 were the best: {}", self.grades);
            self.findings
                .add_file(Code::GradeScaleReversed, 1, message)
                .detail = Some(
                "this is a suspicion: no grade is 0, and the lowest grade above 0 is the rarest"
                    .into(),
            );
        }
    }
}
