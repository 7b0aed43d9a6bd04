//! Runs under scenarios, in every format.

use anyhow::bail;
use cranfield::core::scenario::BoundScenario;
use cranfield::report::{Cell, Column, Format, Table};
use cranfield::{EvaluatedRun, Evaluation, RunScores, ScenarioColumn, scenario_columns};
use serde_json::{Value, json};

use super::scores::{ALL, Number, Scored, name};
use super::terminal_width;
use crate::args::{EvalArgs, ResultFormat};

pub(crate) fn render(
    evaluation: &Evaluation,
    scenarios: &[BoundScenario],
    args: &EvalArgs,
) -> anyhow::Result<String> {
    let results = Results {
        evaluation,
        args,
        columns: scenario_columns(scenarios),
    };
    let table = |format| {
        let mut table = results.table();
        table.digits = usize::from(args.output.digits);
        table.width = terminal_width();
        table.render(format)
    };
    Ok(match args.output.format {
        ResultFormat::Table => table(Format::Text),
        ResultFormat::Md => table(Format::Markdown),
        ResultFormat::Latex => table(Format::Latex),
        ResultFormat::Html => table(Format::Html),
        ResultFormat::Csv => results.records_table().render(Format::Csv),
        ResultFormat::Tsv => results.records_table().render(Format::Tsv),
        ResultFormat::Jsonl => results
            .objects()
            .map(|object| format!("{object}\n"))
            .collect(),
        ResultFormat::Json => serde_json::to_string_pretty(&results.document(scenarios))? + "\n",
        ResultFormat::Trec => {
            bail!("trec_eval's format has no scenarios; use csv, tsv, json or jsonl")
        }
    })
}

/// A number of one run, topic and scenario.
struct Record<'a> {
    run: &'a str,
    topic: String,
    column: &'a ScenarioColumn,
    value: Scored,
}

struct Results<'a> {
    evaluation: &'a Evaluation,
    args: &'a EvalArgs,
    columns: Vec<ScenarioColumn>,
}

impl Results<'_> {
    /// A number of a topic, or of the run.
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

    fn topics<'r>(
        &self,
        run: &'r EvaluatedRun,
    ) -> impl Iterator<Item = (Option<usize>, String)> + 'r {
        let shown = if self.args.per_topic {
            run.scores.topics.len()
        } else {
            0
        };
        let topics = run.scores.topics.iter().take(shown).enumerate();
        let topics = topics.map(|(at, topic)| (Some(at), name(&topic.id)));
        topics.chain([(None, ALL.to_owned())])
    }

    /// A row per scenario and measure, a column per run; with many runs or topics the other way round.
    fn table(&self) -> Table {
        let runs = &self.evaluation.runs;
        let cell = |run, topic, column| {
            self.value(run, topic, column)
                .cell(usize::from(self.args.output.digits))
        };
        if !self.args.per_topic && runs.len() <= 8 {
            let names = runs.iter().map(|run| Column::number(&run.scores.name));
            let mut table = Table::new([Column::text("scenario")].into_iter().chain(names));
            for column in &self.columns {
                let label = Cell::text(format!("{} {}", column.scenario, column.name));
                let values = runs.iter().map(|run| cell(run, None, column));
                table.push([label].into_iter().chain(values));
            }
            return table;
        }
        let names = self.columns.iter();
        let names =
            names.map(|column| Column::number(format!("{} {}", column.scenario, column.name)));
        let first = Column::text(if self.args.per_topic { "topic" } else { "run" });
        let mut table = Table::new([first].into_iter().chain(names));
        for run in runs {
            for (topic, id) in self.topics(run) {
                let label = match (self.args.per_topic, runs.len()) {
                    (false, _) => run.scores.name.clone(),
                    (true, 1) => id,
                    (true, _) => format!("{} {id}", run.scores.name),
                };
                let values = self.columns.iter().map(|column| cell(run, topic, column));
                table.push([Cell::text(label)].into_iter().chain(values));
            }
        }
        table
    }

    fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.evaluation.runs.iter().flat_map(move |run| {
            self.topics(run).flat_map(move |(topic, id)| {
                self.columns.iter().map(move |column| Record {
                    run: &run.scores.name,
                    topic: id.clone(),
                    column,
                    value: self.value(run, topic, column),
                })
            })
        })
    }

    fn has_bounds(&self) -> bool {
        self.evaluation.runs.iter().any(|run| run.upper.is_some())
    }

    fn records_table(&self) -> Table {
        let mut columns = ["run", "topic", "scenario", "measure"]
            .map(Column::text)
            .to_vec();
        columns.push(Column::number("value"));
        if self.has_bounds() {
            columns.push(Column::number("upper"));
        }
        let mut table = Table::new(columns);
        for record in self.records() {
            let (value, upper) = match record.value {
                Scored::Interval(low, high) => (low.cell(), high.cell()),
                other => (other.cell(0), Cell::Missing),
            };
            table.push([
                Cell::text(record.run),
                Cell::text(record.topic),
                Cell::text(&record.column.scenario),
                Cell::text(&record.column.canonical),
                value,
                upper,
            ]);
        }
        table
    }

    fn objects(&self) -> impl Iterator<Item = Value> + '_ {
        self.records().map(|record| {
            let mut object = json!({
                "run": record.run,
                "topic": record.topic,
                "scenario": record.column.scenario,
                "measure": record.column.canonical,
            });
            match record.value {
                Scored::Interval(low, high) => {
                    object["value"] = low.json();
                    object["upper"] = high.json();
                }
                other => object["value"] = other.json(),
            }
            object
        })
    }

    fn document(&self, scenarios: &[BoundScenario]) -> Value {
        let runs = self.evaluation.runs.iter();
        let runs = runs.map(|run| Value::Object(super::provenance::run(self.evaluation, run)));
        let mut document = super::provenance::document(self.evaluation, &runs.collect::<Vec<_>>());
        let described = scenarios.iter();
        document["scenarios"] = described
            .map(|scenario| json!({"name": scenario.name, "description": scenario.description}))
            .collect();
        document["results"] = self.objects().collect();
        document
    }
}
