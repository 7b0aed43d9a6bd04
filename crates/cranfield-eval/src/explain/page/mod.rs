//! Explanations as pages: a worked table and the steps of the calculation.

mod difference;
mod mean;
mod session;
mod topic;

use cranfield_core::explain::{Explanation, Step, TopicShare};
use cranfield_core::measure::{Aggregate, BoundMeasure};
use cranfield_core::policy::Unjudged;
use cranfield_core::topic::Label;
use cranfield_render::{Column, Page, rounded, signed};

use super::{Explained, Explanations};
use crate::labels::DocumentLabel;

/// Maximum number of topics that a line names.
const NAMED: usize = 10;

/// Number of rows and decimals to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Number of decimals.
    pub digits: usize,
    /// Number of rows to show without a contribution: the first of a ranking, both ends of a list of topics.
    pub rows: usize,
}

impl Default for Shown {
    fn default() -> Self {
        Self {
            digits: 4,
            rows: 10,
        }
    }
}

impl Explanations {
    /// All explanations on one page.
    pub fn page(&self, shown: &Shown) -> Page {
        let mut page = Page::new("Cranfield: explain");
        for explained in &self.explained {
            let writer = Writer {
                all: self,
                shown: *shown,
                page: &mut page,
            };
            writer.write(explained);
        }
        page.paragraph(self.policies());
        page
    }

    /// The steps from sums to the value of a topic.
    pub fn topic_lines(&self, shown: Shown, explanation: &Explanation) -> Vec<String> {
        let writer = Writer {
            all: self,
            shown,
            page: &mut Page::new(""),
        };
        writer.topic_lines(&writer.name(&explanation.measure), explanation)
    }

    /// The policies in force, in one sentence.
    fn policies(&self) -> String {
        let named = self.plan.policies.named().into_iter();
        let usual = [("depth", "none"), ("identical", "keep")];
        let shown = named.filter(|(name, value)| !usual.contains(&(*name, value.as_str())));
        let shown: Vec<String> = shown
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        format!("Profile {}: {}.", self.profile, shown.join(", "))
    }
}

struct Writer<'a> {
    all: &'a Explanations,
    shown: Shown,
    page: &'a mut Page,
}

impl Writer<'_> {
    fn write(mut self, explained: &Explained) {
        match explained {
            Explained::Topic { run, explanation } => self.topic(run, explanation),
            Explained::Mean { run, explanation } => self.mean(run, explanation),
            Explained::TopicDifference { runs, difference } => {
                self.topic_difference(runs, difference);
            }
            Explained::MeanDifference { runs, difference } => {
                self.mean_difference(runs, difference);
            }
            Explained::Session { run, explanation } => self.session(run, explanation),
            Explained::SessionDifference { runs, difference } => {
                self.session_difference(runs, difference);
            }
        }
    }

    fn name(&self, measure: &BoundMeasure) -> String {
        self.all.profile.name_of(measure)
    }

    /// Describes the measure and its user model.
    fn about(&mut self, measure: &BoundMeasure) {
        self.page
            .paragraph(measure.info.section("What it measures"));
        let user = measure.info.section("User model");
        self.page.paragraph(format!("User model: {user}"));
    }

    /// Notes above the table.
    fn note(&self, explanation: &Explanation) -> String {
        let mut notes = Vec::new();
        if !explanation.in_run {
            notes.push("The topic is missing from the run and counts as an empty ranking.");
        }
        notes.extend(self.unjudged_note());
        if explanation.open {
            notes.push(
                "The value combines several orders of tied documents or several grades of unjudged \
                 documents, so there is no single calculation to show.",
            );
        }
        notes.join(" ")
    }

    /// A note on unjudged documents, unless they are simply not relevant.
    fn unjudged_note(&self) -> Option<&'static str> {
        match self.all.plan.policies.unjudged {
            Unjudged::Condensed => Some("Unjudged documents are removed from the ranking."),
            Unjudged::Relevant => {
                Some("Unjudged documents count as if they had the highest grade of the topic.")
            }
            Unjudged::NonRelevant | Unjudged::Bounds => None,
        }
    }

    fn real(&self, value: f64) -> String {
        rounded(value, self.shown.digits)
    }

    /// A whole number without decimals, any other with them.
    fn number(&self, value: f64) -> String {
        if is_whole(value) {
            format!("{value}")
        } else {
            self.real(value)
        }
    }

    /// A contribution, empty if it is zero.
    fn share(&self, share: f64) -> String {
        if share == 0.0 {
            String::new()
        } else {
            self.real(share)
        }
    }

    fn value(&self, value: Option<f64>) -> String {
        value.map_or("undefined".into(), |value| self.real(value))
    }

    /// `AP = sum / R = 2.5 / 4 = 0.6250`, or `R = 4: relevant documents`.
    fn step(&self, measure: &str, step: &Step) -> String {
        let name = if step.name.is_empty() {
            measure
        } else {
            &step.name
        };
        let mut worked = String::new();
        for (at, piece) in step.worked.split("{}").enumerate() {
            if let Some(number) = at.checked_sub(1).and_then(|at| step.numbers.get(at)) {
                worked.push_str(&self.number(*number));
            }
            worked.push_str(piece);
        }
        let result = step.value.map(|value| {
            if step.name.is_empty() {
                self.real(value)
            } else {
                self.number(value)
            }
        });
        match result {
            None if worked.is_empty() => format!("{name}: {}", step.formula),
            None => format!("{name} = {} = {worked}", step.formula),
            Some(result) if step.formula.is_empty() => format!("{name}: {result}"),
            Some(result) if worked.is_empty() => format!("{name} = {result}: {}", step.formula),
            Some(result) if worked == result => format!("{name} = {} = {result}", step.formula),
            Some(result) => format!("{name} = {} = {worked} = {result}", step.formula),
        }
    }

    /// The range of rows of a long list to omit.
    fn ends(&self, rows: usize) -> (usize, usize) {
        let top = self.shown.rows;
        // Omitting a single row would save nothing.
        if rows <= top.saturating_mul(2).saturating_add(1) {
            (rows, rows)
        } else {
            (top, rows - top)
        }
    }

    /// A topic's id, with its title where it is known.
    fn topic_name(&self, id: &[u8]) -> String {
        match self.all.labels.topic(id) {
            Some(title) => format!("{} “{title}”", text(id)),
            None => text(id),
        }
    }

    /// The column of titles, if there are any.
    fn title_column(has_titles: bool) -> Option<Column> {
        has_titles.then(|| Column::prose("title"))
    }

    /// The title of a topic; empty if it is unknown.
    fn topic_title(&self, id: &[u8]) -> String {
        self.all.labels.topic(id).unwrap_or_default().to_owned()
    }

    /// The title of a document, or the beginning of its text; empty if it is unknown.
    fn document_title(&self, id: &[u8]) -> String {
        let label = self.all.labels.document(id);
        label.map_or(String::new(), DocumentLabel::heading)
    }

    fn signed(&self, value: Option<f64>) -> String {
        value.map_or("undefined".into(), |value| signed(value, self.shown.digits))
    }
}

fn grade(label: Label) -> String {
    match label {
        Label::Unjudged => "–".into(),
        Label::Pooled => "pooled".into(),
        Label::Judged(grade) => grade.to_string(),
    }
}

fn aggregate(measure: &BoundMeasure) -> &'static str {
    match measure.info.aggregate {
        Aggregate::Sum => "sum",
        Aggregate::GeometricMean => "geometric mean",
        Aggregate::Mean | Aggregate::None => "mean",
    }
}

/// `undefined: 104, 109`, with the first ids; `None` for no topic.
fn named<'a>(what: &str, topics: impl Iterator<Item = &'a TopicShare>) -> Option<String> {
    let ids: Vec<String> = topics.map(|topic| text(&topic.id)).collect();
    let more = ids.len().saturating_sub(NAMED);
    let shown = ids.get(..NAMED).unwrap_or(&ids).join(", ");
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    (!ids.is_empty()).then(|| format!("{what}: {shown}{more}"))
}

fn is_whole(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() < 1e15
}

fn text(id: &[u8]) -> String {
    String::from_utf8_lossy(id).into_owned()
}
