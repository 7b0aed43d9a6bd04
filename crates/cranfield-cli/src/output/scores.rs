//! Scores in every format.

use cranfield::core::measure::{Aggregate, Computation};
use cranfield::report::{Cell, Column, Format, Table};
use cranfield::{EvaluatedRun, Evaluation, RunScores};
use serde_json::{Map, Value, json};

use super::terminal_width;
use crate::args::{EvalArgs, ResultFormat};

/// The topic name of aggregates.
pub(super) const ALL: &str = "all";

pub(crate) fn render(evaluation: &Evaluation, args: &EvalArgs) -> anyhow::Result<String> {
    let results = Results::new(evaluation, args);
    let table = |format: Format| {
        let mut table = if args.per_topic {
            results.by_topic()
        } else {
            results.leaderboard()
        };
        table.digits = usize::from(args.digits);
        table.width = terminal_width();
        table.render(format)
    };
    Ok(match args.format {
        ResultFormat::Table => table(Format::Text),
        ResultFormat::Md => table(Format::Markdown),
        ResultFormat::Latex => table(Format::Latex),
        ResultFormat::Html => table(Format::Html),
        ResultFormat::Csv => results.records_table().render(Format::Csv),
        ResultFormat::Tsv => results.records_table().render(Format::Tsv),
        ResultFormat::Jsonl => results.jsonl(),
        ResultFormat::Json => {
            serde_json::to_string_pretty(&super::provenance::document(evaluation, &results.runs()))?
                + "\n"
        }
        ResultFormat::Trec => results.trec(),
    })
}

/// A value of one run, topic and measure.
struct Record<'a> {
    run: &'a str,
    topic: String,
    measure: &'a str,
    value: Scored,
}

/// A whole number, a real number, an interval, or a text; `None` is undefined.
#[derive(Clone, Debug)]
pub(super) enum Scored {
    Count(Option<f64>),
    Number(Option<f64>),
    Interval(Option<f64>, Option<f64>),
    Text(String),
}

impl Scored {
    /// The interval between two values, the smaller one first.
    pub(super) fn between(one: Option<f64>, other: Option<f64>) -> Self {
        if one > other && other.is_some() {
            Self::Interval(other, one)
        } else {
            Self::Interval(one, other)
        }
    }

    pub(super) fn cell(&self, digits: usize) -> Cell {
        match self {
            Self::Count(Some(value)) if value.fract() == 0.0 => Cell::Int(*value as i64),
            Self::Count(value) | Self::Number(value) => Cell::real(*value),
            Self::Interval(low, high) if low == high => Cell::real(*low),
            Self::Interval(Some(low), Some(high)) => {
                Cell::text(format!("{low:.digits$}..{high:.digits$}"))
            }
            Self::Interval(..) => Cell::Missing,
            Self::Text(text) => Cell::text(text.clone()),
        }
    }

    pub(super) fn json(&self) -> Value {
        match self {
            Self::Count(Some(value)) if value.fract() == 0.0 => json!(*value as i64),
            Self::Count(value) | Self::Number(value) => json!(value),
            Self::Interval(low, high) => json!([low, high]),
            Self::Text(text) => json!(text),
        }
    }
}

struct Results<'a> {
    evaluation: &'a Evaluation,
    names: Vec<String>,
    per_topic: bool,
    digits: usize,
}

impl<'a> Results<'a> {
    fn new(evaluation: &'a Evaluation, args: &EvalArgs) -> Self {
        let measures = &evaluation.plan.measures;
        let names = measures
            .iter()
            .map(|measure| measure.name_in(evaluation.profile))
            .collect();
        Self {
            evaluation,
            names,
            per_topic: args.per_topic,
            digits: usize::from(args.digits),
        }
    }

    fn aggregate(&self, run: &EvaluatedRun, measure: usize) -> Scored {
        let plan = &self.evaluation.plan;
        if matches!(plan.measures[measure].computation, Computation::RunId) {
            return Scored::Text(run.scores.tag.clone());
        }
        let value = run.scores.aggregate(measure);
        match &run.upper {
            Some(upper) => Scored::between(value, upper.aggregate(measure)),
            None => self.scored(measure, value),
        }
    }

    fn scored(&self, measure: usize, value: Option<f64>) -> Scored {
        if self.is_count(measure) {
            Scored::Count(value)
        } else {
            Scored::Number(value)
        }
    }

    fn is_count(&self, measure: usize) -> bool {
        self.evaluation.plan.measures[measure].info.aggregate == Aggregate::Sum
    }

    /// A topic's value; `None` for a measure that has none per topic.
    fn topic_value(&self, run: &EvaluatedRun, topic: usize, measure: usize) -> Option<Scored> {
        let measures = &self.evaluation.plan.measures;
        let value =
            |scores: &RunScores| Some(scores.row(topic)[measure]).filter(|value| !value.is_nan());
        match &measures[measure].computation {
            Computation::RunId | Computation::TopicCount => None,
            Computation::Text(_) => {
                let is_text =
                    |at: &usize| matches!(measures[*at].computation, Computation::Text(_));
                let width = (0..measures.len()).filter(is_text).count();
                let place = (0..measure).filter(is_text).count();
                run.scores
                    .texts
                    .get(topic * width + place)
                    .map(|text| Scored::Text(text.clone()))
            }
            _ => Some(match &run.upper {
                Some(upper) => Scored::between(value(&run.scores), value(upper)),
                None => self.scored(measure, value(&run.scores)),
            }),
        }
    }

    fn has_aggregate(&self, measure: usize) -> bool {
        let measure = &self.evaluation.plan.measures[measure];
        measure.info.aggregate != Aggregate::None
            || matches!(measure.computation, Computation::RunId)
    }

    /// One row per run; with more measures than runs can be shown beside each other, one row per measure.
    fn leaderboard(&self) -> Table {
        let shown: Vec<usize> = (0..self.names.len())
            .filter(|measure| self.has_aggregate(*measure))
            .collect();
        let runs = &self.evaluation.runs;
        if shown.len() > 8 && runs.len() <= 8 {
            let names = runs
                .iter()
                .map(|run| Column::number(run.scores.name.clone()));
            let mut table = Table::new([Column::text("measure")].into_iter().chain(names));
            for measure in shown {
                let values = runs
                    .iter()
                    .map(|run| self.aggregate(run, measure).cell(self.digits));
                table.push(
                    [Cell::text(self.names[measure].clone())]
                        .into_iter()
                        .chain(values),
                );
            }
            return table;
        }
        let names = shown
            .iter()
            .map(|measure| Column::number(self.names[*measure].clone()));
        let mut table = Table::new([Column::text("run")].into_iter().chain(names));
        for run in runs {
            let values = shown
                .iter()
                .map(|measure| self.aggregate(run, *measure).cell(self.digits));
            table.push(
                [Cell::text(run.scores.name.clone())]
                    .into_iter()
                    .chain(values),
            );
        }
        table
    }

    /// One row per topic and run, and the aggregates.
    fn by_topic(&self) -> Table {
        let many = self.evaluation.runs.len() > 1;
        let columns = self.names.iter().map(|name| Column::number(name.clone()));
        let mut table = Table::new([Column::text("topic")].into_iter().chain(columns));
        for run in &self.evaluation.runs {
            let label = |topic: &str| {
                if many {
                    format!("{} {topic}", run.scores.name)
                } else {
                    topic.into()
                }
            };
            for (at, topic) in run.scores.topics.iter().enumerate() {
                let value = |measure| {
                    self.topic_value(run, at, measure)
                        .map_or(Cell::Missing, |v| v.cell(self.digits))
                };
                let values = (0..self.names.len()).map(value);
                table.push(
                    [Cell::text(label(&name(&topic.id)))]
                        .into_iter()
                        .chain(values),
                );
            }
            let all = (0..self.names.len()).map(|measure| {
                if self.has_aggregate(measure) {
                    self.aggregate(run, measure).cell(self.digits)
                } else {
                    Cell::Missing
                }
            });
            table.push([Cell::text(label(ALL))].into_iter().chain(all));
        }
        table
    }

    fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.evaluation
            .runs
            .iter()
            .flat_map(|run| self.records_of(run))
    }

    fn records_of<'s>(&'s self, run: &'s EvaluatedRun) -> impl Iterator<Item = Record<'s>> {
        let topics = if self.per_topic {
            run.scores.topics.as_slice()
        } else {
            &[]
        };
        let by_topic = topics.iter().enumerate().flat_map(move |(at, topic)| {
            (0..self.names.len()).filter_map(move |measure| {
                let value = self.topic_value(run, at, measure)?;
                Some(Record {
                    run: &run.scores.name,
                    topic: name(&topic.id),
                    measure: &self.names[measure],
                    value,
                })
            })
        });
        let all = (0..self.names.len())
            .filter(|measure| self.has_aggregate(*measure))
            .map(move |measure| Record {
                run: &run.scores.name,
                topic: ALL.into(),
                measure: &self.names[measure],
                value: self.aggregate(run, measure),
            });
        by_topic.chain(all)
    }

    fn records_table(&self) -> Table {
        let bounds = self.evaluation.runs.iter().any(|run| run.upper.is_some());
        let mut columns = vec![
            Column::text("run"),
            Column::text("topic"),
            Column::text("measure"),
            Column::number("value"),
        ];
        if bounds {
            columns.push(Column::number("upper"));
        }
        let mut table = Table::new(columns);
        for record in self.records() {
            let (value, upper) = match record.value {
                Scored::Interval(low, high) => (Cell::real(low), Cell::real(high)),
                other => (other.cell(self.digits), Cell::Missing),
            };
            table.push([
                Cell::text(record.run),
                Cell::text(record.topic),
                Cell::text(record.measure),
                value,
                upper,
            ]);
        }
        table
    }

    fn jsonl(&self) -> String {
        let mut text = String::new();
        for record in self.records() {
            let mut object = Map::new();
            object.insert("run".into(), json!(record.run));
            object.insert("topic".into(), json!(record.topic));
            object.insert("measure".into(), json!(record.measure));
            match record.value {
                Scored::Interval(low, high) => {
                    object.insert("value".into(), json!(low));
                    object.insert("upper".into(), json!(high));
                }
                other => {
                    object.insert("value".into(), other.json());
                }
            }
            text.push_str(&Value::Object(object).to_string());
            text.push('\n');
        }
        text
    }

    /// The runs' part of the JSON document.
    fn runs(&self) -> Vec<Value> {
        let runs = self.evaluation.runs.iter().map(|run| {
            let aggregate: Map<String, Value> = (0..self.names.len())
                .filter(|measure| self.has_aggregate(*measure))
                .map(|measure| {
                    (
                        self.names[measure].clone(),
                        self.aggregate(run, measure).json(),
                    )
                })
                .collect();
            let mut object = super::provenance::run(self.evaluation, run);
            object.insert("aggregate".into(), Value::Object(aggregate));
            if self.per_topic {
                object.insert("topics".into(), Value::Object(self.topics(run)));
            }
            Value::Object(object)
        });
        runs.collect()
    }

    fn topics(&self, run: &EvaluatedRun) -> Map<String, Value> {
        let topics = run.scores.topics.iter().enumerate().map(|(at, topic)| {
            let values = (0..self.names.len()).filter_map(|measure| {
                Some((
                    self.names[measure].clone(),
                    self.topic_value(run, at, measure)?.json(),
                ))
            });
            (name(&topic.id), Value::Object(values.collect()))
        });
        topics.collect()
    }

    /// As `trec_eval` prints: name, topic, four decimals.
    fn trec(&self) -> String {
        let mut text = String::new();
        for record in self.records() {
            let value = match record.value {
                Scored::Count(value) => format!("{}", value.unwrap_or(0.0)),
                Scored::Number(Some(value)) if value.is_nan() => "  -nan".into(),
                Scored::Number(value) => format!("{:6.4}", value.unwrap_or(0.0)),
                Scored::Interval(low, high) => {
                    format!("{:6.4}..{:6.4}", low.unwrap_or(0.0), high.unwrap_or(0.0))
                }
                Scored::Text(text) if record.topic == ALL => text,
                Scored::Text(text) => format!("'{text}'"),
            };
            text.push_str(&format!(
                "{:<22}\t{}\t{value}\n",
                record.measure, record.topic
            ));
        }
        text
    }
}

pub(super) fn name(id: &[u8]) -> String {
    String::from_utf8_lossy(id).into_owned()
}
