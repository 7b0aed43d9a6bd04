//! Warnings next to the results: those of the caller, topics that runs lack, and ties between documents that are judged differently.

use cranfield_core::policy::{TieBreak, TopicPolicy};
use cranfield_eval::Evaluation;
use cranfield_eval::engine::RunNotes;
use cranfield_render::{html_text as escape, plural};

use super::Report;
use super::sections::sentence;

/// Numbers of topics to warn about, by run.
pub(super) struct Warnings<'a> {
    evaluation: &'a Evaluation,
    given: &'a [String],
    lacking: Vec<usize>,
    tied: Vec<usize>,
}

impl<'a> Warnings<'a> {
    pub(super) fn of(report: &'a Report) -> Self {
        let evaluation = &report.evaluation;
        let runs = evaluation.runs.iter();
        let notes: Vec<RunNotes> = runs.map(|run| run.scores.notes(&evaluation.plan)).collect();
        Self {
            evaluation,
            given: &report.warnings,
            lacking: notes.iter().map(|note| lacking(evaluation, note)).collect(),
            tied: notes.iter().map(|note| tied(evaluation, note)).collect(),
        }
    }

    /// A paragraph with a link to the details; empty without a warning.
    pub(super) fn sentence(&self) -> String {
        let own = [self.lacking_sentence(), self.tied_sentence()];
        let given = self.given.iter().map(|text| escape(&sentence(text)));
        let sentences: Vec<String> = given.chain(own.into_iter().flatten()).collect();
        if sentences.is_empty() {
            return String::new();
        }
        format!(
            "<p class=\"warning\">{} <a href=\"#diagnostics\">Details</a></p>\n",
            sentences.join(" ")
        )
    }

    /// Marks of a run in a table.
    pub(super) fn tags(&self, run: usize) -> String {
        let tag = |count: usize, text: String, title: &str| match count {
            0 => String::new(),
            _ => {
                format!(" <a class=\"tag warn\" href=\"#diagnostics\" title=\"{title}\">{text}</a>")
            }
        };
        let (lacking, tied) = (self.lacking[run], self.tied[run]);
        let lacks = format!("lacks {}", self.topics(lacking));
        let ties = format!(
            "tied documents are judged differently in {}",
            self.topics(tied)
        );
        tag(lacking, lacks, "missing from the run") + &tag(tied, "ties".into(), &ties)
    }

    fn lacking_sentence(&self) -> Option<String> {
        let is_empty = self.evaluation.plan.policies.topics == TopicPolicy::Judged;
        let (runs, name, count) = self.most(&self.lacking)?;
        let unit = self.unit();
        Some(match (runs, count) {
            (1, 1) if is_empty => {
                format!("{name} lacks 1 {unit}, which counts as an empty ranking.")
            }
            (1, _) if is_empty => {
                format!("{name} lacks {count} {unit}s, which count as empty rankings.")
            }
            (1, 1) => format!("{name} lacks 1 {unit}, which is left out."),
            (1, _) => format!("{name} lacks {count} {unit}s, which are left out."),
            _ if is_empty => format!(
                "{runs} runs lack {unit}s, which count as empty rankings, most in {name} ({count})."
            ),
            _ => format!("{runs} runs lack {unit}s, which are left out, most in {name} ({count})."),
        })
    }

    fn tied_sentence(&self) -> Option<String> {
        let (runs, name, count) = self.most(&self.tied)?;
        let topics = self.topics(count);
        Some(match runs {
            1 => format!("Tied documents of {name} are judged differently in {topics}."),
            _ => format!(
                "Tied documents of {runs} runs are judged differently, most in {name} ({topics})."
            ),
        })
    }

    /// The number of runs that a count is positive of, and the first run with the greatest one.
    fn most(&self, counts: &[usize]) -> Option<(usize, String, usize)> {
        let runs = counts.iter().filter(|count| **count > 0).count();
        let most = counts.iter().copied().max().filter(|most| *most > 0)?;
        let at = counts.iter().position(|count| *count == most)?;
        let name = escape(&self.evaluation.runs[at].scores.name);
        Some((runs, format!("<b>{name}</b>"), most))
    }

    fn topics(&self, count: usize) -> String {
        plural(count, self.unit())
    }

    fn unit(&self) -> &'static str {
        match self.evaluation.sessions {
            Some(_) => "session",
            None => "topic",
        }
    }
}

/// Topics that a run lacks, whether they count or not.
fn lacking(evaluation: &Evaluation, note: &RunNotes) -> usize {
    let counted = match evaluation.sessions {
        _ if evaluation.plan.policies.topics == TopicPolicy::Judged => return note.missing,
        Some(_) => note.topics,
        None => note.judged,
    };
    evaluation.topics.saturating_sub(counted + note.left_out)
}

/// Topics whose values depend on how ties are broken.
fn tied(evaluation: &Evaluation, note: &RunNotes) -> usize {
    match evaluation.plan.policies.ties {
        TieBreak::RankColumn | TieBreak::FileOrder | TieBreak::Expected | TieBreak::Bounds => 0,
        _ => note.mixed_topics,
    }
}
