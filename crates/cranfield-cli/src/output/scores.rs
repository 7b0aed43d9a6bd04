//! Scores in every format.

use cranfield::core::measure::{Aggregate, Computation};
use cranfield::report::{Cell, Column, Format, Table, rounded};
use cranfield::{EvaluatedRun, Evaluation, RunScores};
use serde_json::{Map, Value, json};

use crate::args::ResultFormat;

/// The topic name of aggregates.
pub(super) const ALL: &str = "all";

/// How scores are shown.
#[derive(Clone, Copy, Debug)]
pub struct ScoresStyle {
    /// The format.
    pub format: ResultFormat,
    /// Every topic, too.
    pub per_topic: bool,
    /// Decimals.
    pub digits: u8,
    /// Columns of a terminal.
    pub width: usize,
}

/// Scores as `cranfield eval` prints them.
///
/// # Errors
/// If a value cannot be told in JSON.
pub fn render(evaluation: &Evaluation, style: ScoresStyle) -> anyhow::Result<String> {
    let results = Results::new(evaluation, style);
    let table = |format: Format| {
        let mut table = if style.per_topic {
            results.by_topic()
        } else {
            results.leaderboard()
        };
        table.digits = usize::from(style.digits);
        table.width = style.width;
        table.render(format)
    };
    Ok(match style.format {
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

/// A number, an interval, or a text.
#[derive(Clone, Debug)]
pub(super) enum Scored {
    Number(Number),
    Interval(Number, Number),
    Text(String),
}

/// A number; `None` is undefined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    value: Option<f64>,
    /// Whether it counts something, and is whole but for expected values.
    count: bool,
    /// Whether it is left out of an average if it is undefined, and does not count as 0.
    left_out: bool,
}

impl Number {
    /// A number that is no count, and counts as 0 if it is undefined.
    pub(super) fn real(value: Option<f64>) -> Self {
        Self {
            value,
            count: false,
            left_out: false,
        }
    }

    /// The value as a whole number, if it is a count and whole.
    fn whole(self) -> Option<i64> {
        let value = self
            .value
            .filter(|value| self.count && value.fract() == 0.0);
        value.map(|value| value as i64)
    }

    pub(super) fn cell(self) -> Cell {
        self.whole().map_or(Cell::real(self.value), Cell::Int)
    }

    pub(super) fn json(self) -> Value {
        match self.whole() {
            Some(whole) => json!(whole),
            None => json!(self.value),
        }
    }

    fn text(self, value: f64, digits: usize) -> String {
        match self.whole() {
            Some(whole) => whole.to_string(),
            None => rounded(value, digits),
        }
    }

    /// As `trec_eval` prints: an undefined value is what averages make of it, 0, or not a number if it is left out.
    fn trec(self) -> String {
        match self.value {
            Some(value) if value.is_nan() => "  -nan".into(),
            Some(value) if self.count => format!("{value}"),
            Some(value) => format!("{value:6.4}"),
            None if self.count => "0".into(),
            None if self.left_out => "   nan".into(),
            None => "0.0000".into(),
        }
    }
}

impl Scored {
    /// The interval between two values, the smaller one first.
    pub(super) fn between(one: Number, other: Number) -> Self {
        if one.value > other.value && other.value.is_some() {
            Self::Interval(other, one)
        } else {
            Self::Interval(one, other)
        }
    }

    pub(super) fn cell(&self, digits: usize) -> Cell {
        match self {
            Self::Number(number) => number.cell(),
            Self::Interval(low, high) if low == high => low.cell(),
            Self::Interval(low, high) => match (low.value, high.value) {
                (Some(one), Some(other)) => Cell::text(format!(
                    "{}..{}",
                    low.text(one, digits),
                    high.text(other, digits)
                )),
                _ => Cell::Missing,
            },
            Self::Text(text) => Cell::text(text.clone()),
        }
    }

    pub(super) fn json(&self) -> Value {
        match self {
            Self::Number(number) => number.json(),
            Self::Interval(low, high) => json!([low.json(), high.json()]),
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
    fn new(evaluation: &'a Evaluation, style: ScoresStyle) -> Self {
        let measures = &evaluation.plan.measures;
        let names = measures
            .iter()
            .map(|measure| measure.name_in(evaluation.profile))
            .collect();
        Self {
            evaluation,
            names,
            per_topic: style.per_topic,
            digits: usize::from(style.digits),
        }
    }

    fn aggregate(&self, run: &EvaluatedRun, measure: usize) -> Scored {
        let plan = &self.evaluation.plan;
        if matches!(plan.measures[measure].computation, Computation::RunId) {
            return Scored::Text(run.scores.tag.clone());
        }
        let value = run.scores.aggregate(measure);
        // An average is undefined only if no topic is left.
        let number = |value| Number {
            left_out: true,
            ..self.number(measure, value)
        };
        match &run.upper {
            Some(upper) => Scored::between(number(value), number(upper.aggregate(measure))),
            None => Scored::Number(number(value)),
        }
    }

    fn number(&self, measure: usize, value: Option<f64>) -> Number {
        let plan = &self.evaluation.plan;
        let measure = &plan.measures[measure];
        Number {
            value,
            count: measure.info.aggregate == Aggregate::Sum,
            left_out: plan.leaves_out_undefined(measure),
        }
    }

    /// A topic's value; `None` for a measure that has none per topic.
    fn topic_value(&self, run: &EvaluatedRun, topic: usize, measure: usize) -> Option<Scored> {
        let measures = &self.evaluation.plan.measures;
        let value = |scores: &RunScores| {
            let value = Some(scores.row(topic)[measure]).filter(|value| !value.is_nan());
            self.number(measure, value)
        };
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
                None => Scored::Number(value(&run.scores)),
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
                Scored::Interval(low, high) => (low.cell(), high.cell()),
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
                    object.insert("value".into(), low.json());
                    object.insert("upper".into(), high.json());
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
                Scored::Number(number) => number.trec(),
                Scored::Interval(low, high) => format!("{}..{}", low.trec(), high.trec()),
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
