//! What an experiment did.

use cranfield_render::{Cell, Column, Content, Records, Render, Section, Table};
use serde_json::{Value, json};

use super::Means;

/// The status of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It was done now.
    Done,
    /// It was done before, and nothing that it depends on has changed.
    Unchanged,
    /// It is to be done.
    ToDo,
    /// Its engine failed, and the others go on without it.
    Failed,
}

impl Status {
    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Unchanged => "unchanged",
            Self::ToDo => "to do",
            Self::Failed => "failed",
        }
    }
}

/// A step and its status.
#[derive(Clone, Debug, PartialEq)]
pub struct StepOutcome {
    /// The name, such as `run.bm25`.
    pub name: String,
    /// What the step does.
    pub what: String,
    /// Its status.
    pub status: Status,
    /// Seconds it took, if it was done now.
    pub seconds: Option<f64>,
}

impl StepOutcome {
    pub(super) fn new(name: String, what: String, status: Status) -> Self {
        Self {
            name,
            what,
            status,
            seconds: None,
        }
    }
}

/// A file that is not the same when an experiment is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The file, in the output folder.
    pub path: String,
    /// How it differs.
    pub what: &'static str,
}

/// The steps of an experiment and what became of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The steps, in their order.
    pub steps: Vec<StepOutcome>,
    /// Notes of steps, also of those that have not changed.
    pub notes: Vec<String>,
    /// The means of the runs, if they were compared.
    pub means: Option<Means>,
}

impl Outcome {
    /// Whether a run could not be made.
    pub fn has_failed(&self) -> bool {
        self.steps.iter().any(|step| step.status == Status::Failed)
    }
}

impl Render for Outcome {
    fn content(&self) -> Content {
        let columns = ["step", "what", "status"].map(Column::text).into_iter();
        let mut table = Table::new(columns.chain([Column::number("seconds")]));
        for step in &self.steps {
            let names = [step.name.as_str(), &step.what, step.status.name()].map(Cell::text);
            let seconds = step.seconds.map_or(Cell::real(None), |seconds| {
                Cell::text(format!("{seconds:.2}"))
            });
            table.push(names.into_iter().chain([seconds]));
        }
        let tables = [Some(table), self.means.as_ref().map(Means::table)];
        let sections = tables.into_iter().flatten().map(|table| Section {
            title: String::new(),
            table,
        });
        Content::Sections(sections.collect())
    }

    fn records(&self) -> Records<'_> {
        let rows = self.steps.iter().map(|step| {
            let names = [step.name.as_str(), &step.what, step.status.name()].map(Cell::text);
            names
                .into_iter()
                .chain([Cell::real(step.seconds)])
                .collect()
        });
        Records::named(["step", "what", "status", "seconds"], rows)
    }

    fn json(&self) -> Value {
        let steps = self.steps.iter().map(|step| {
            json!({ "step": step.name, "what": step.what, "status": step.status.name(), "seconds": step.seconds })
        });
        json!({
            "steps": steps.collect::<Vec<_>>(),
            "means": self.means.as_ref().map(Means::json),
            "notes": self.notes,
        })
    }
}
