//! Scores of runs under scenarios.

use cranfield::measures::scenario::BoundScenario;
use cranfield::render::{Content, Field, Records, Render};
use cranfield::report::{Cell, Column, Table};
use cranfield::{EvaluatedRun, Evaluation, RunScores, ScenarioColumn, scenario_columns};
use serde_json::{Value, json};

use super::scored::{Number, Scored};
use super::topic_rows::TopicRows;

/// Runs up to which a table has one column per run.
const MAX_COLUMNS: usize = 8;

/// The scores of an evaluation under scenarios, ready to be written.
#[derive(Debug)]
pub struct ScenarioScores<'a> {
    evaluation: &'a Evaluation,
    scenarios: &'a [BoundScenario],
    columns: Vec<ScenarioColumn>,
    rows: TopicRows,
    digits: usize,
}

impl<'a> ScenarioScores<'a> {
    /// The scores of an evaluation of these scenarios.
    pub fn new(
        evaluation: &'a Evaluation,
        scenarios: &'a [BoundScenario],
        rows: TopicRows,
        digits: usize,
    ) -> Self {
        Self {
            evaluation,
            scenarios,
            columns: scenario_columns(scenarios),
            rows,
            digits,
        }
    }

    /// The value of a topic, or over all topics.
    fn value(&self, run: &EvaluatedRun, topic: Option<usize>, column: &ScenarioColumn) -> Scored {
        let plan = &self.evaluation.plan;
        let text = match topic {
            Some(topic) => column.text_of_topic(plan, &run.scores, topic),
            None => column.text_of_run(plan, &run.scores),
        };
        if let Some(text) = text {
            return Scored::Text(text.into());
        }
        let read = |scores: &RunScores| {
            Number::real(match topic {
                Some(topic) => column.of_topic(plan, scores, topic),
                None => column.of_run(plan, scores),
            })
        };
        match &run.upper {
            Some(upper) => Scored::between(read(&run.scores), read(upper)),
            None => Scored::Number(read(&run.scores)),
        }
    }

    fn cell(&self, run: &EvaluatedRun, topic: Option<usize>, column: &ScenarioColumn) -> Cell {
        self.value(run, topic, column).cell(self.digits)
    }

    /// One row per scenario and measure.
    fn by_scenario(&self) -> Table {
        let runs = &self.evaluation.runs;
        let names = runs.iter().map(|run| Column::number(&run.scores.name));
        let mut table = Table::new([Column::text("scenario")].into_iter().chain(names));
        for column in &self.columns {
            let values = runs.iter().map(|run| self.cell(run, None, column));
            table.push([Cell::text(title(column))].into_iter().chain(values));
        }
        table
    }

    /// One row per run, or per topic of a run.
    fn by_run(&self) -> Table {
        let names = self.columns.iter();
        let names = names.map(|column| Column::number(title(column)));
        let first = Column::text(self.rows.heading());
        let mut table = Table::new([first].into_iter().chain(names));
        for run in &self.evaluation.runs {
            for (topic, id) in self.rows.of(run) {
                let label = self.rows.label(self.evaluation, run, &id);
                let values = self.columns.iter();
                let values = values.map(|column| self.cell(run, topic, column));
                table.push([Cell::text(label)].into_iter().chain(values));
            }
        }
        table
    }
}

/// A scenario and its measure.
fn title(column: &ScenarioColumn) -> String {
    format!("{} {}", column.scenario, column.name)
}

impl Render for ScenarioScores<'_> {
    fn content(&self) -> Content {
        let is_few_runs = self.evaluation.runs.len() <= MAX_COLUMNS;
        let mut table = if is_few_runs && !self.rows.has_topics() {
            self.by_scenario()
        } else {
            self.by_run()
        };
        table.digits = self.digits;
        table.into()
    }

    fn records(&self) -> Records<'_> {
        let fields = ["run", "topic", "scenario", "measure", "value"].map(Field::new);
        let has_bounds = self.evaluation.runs.iter().any(|run| run.upper.is_some());
        let upper = has_bounds.then(|| Field::optional("upper"));
        let width = fields.len() + usize::from(has_bounds);
        let rows = self.evaluation.runs.iter().flat_map(move |run| {
            self.rows.of(run).flat_map(move |(topic, id)| {
                self.columns.iter().map(move |column| {
                    let [value, upper] = self.value(run, topic, column).exact();
                    let names = [&run.scores.name, &id, &column.scenario, &column.canonical];
                    let names = names.map(Cell::text);
                    let row = names.into_iter().chain([value, upper]);
                    row.take(width).collect()
                })
            })
        });
        Records::new(fields.into_iter().chain(upper), rows)
    }

    fn json(&self) -> Value {
        let mut document = super::provenance::with_runs(self.evaluation);
        let described = self.scenarios.iter();
        document["scenarios"] = described
            .map(|scenario| json!({"name": scenario.name, "description": scenario.description}))
            .collect();
        document["results"] = self.objects().collect();
        document
    }
}
