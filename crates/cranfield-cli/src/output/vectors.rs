//! Vectors in every format.

use anyhow::bail;
use cranfield::core::vectors::{Positions, avg_pos};
use cranfield::report::{Cell, Column, Format, Table};
use cranfield::{EvaluatedRun, Evaluation};
use serde_json::{Map, Value, json};

use super::scores::{ALL, name};
use super::terminal_width;
use crate::args::{EvalArgs, ResultFormat};

/// Ranks that a table shows, beside the last one; the other formats have all.
const SHOWN: [usize; 16] = [
    1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000,
];

pub(crate) fn render(evaluation: &Evaluation, args: &EvalArgs) -> anyhow::Result<String> {
    let vectors = Vectors { evaluation, args };
    let places = 0..evaluation.plan.vectors.len();
    let tables = |format| {
        let titled = places.clone().map(|vector| {
            let title = evaluation.plan.vectors[vector].to_string();
            titled(&title, vectors.table(vector), args, format)
        });
        titled.collect::<Vec<_>>().join("\n")
    };
    Ok(match args.output.format {
        ResultFormat::Table => tables(Format::Text),
        ResultFormat::Md => tables(Format::Markdown),
        ResultFormat::Latex => tables(Format::Latex),
        ResultFormat::Html => tables(Format::Html),
        ResultFormat::Csv => vectors.records_table().render(Format::Csv),
        ResultFormat::Tsv => vectors.records_table().render(Format::Tsv),
        ResultFormat::Jsonl => vectors.jsonl(),
        ResultFormat::Json => serde_json::to_string_pretty(&vectors.document())? + "\n",
        ResultFormat::Trec => {
            bail!("trec_eval's format has no vectors; use csv, tsv, json or jsonl")
        }
    })
}

/// A table below its title.
pub(super) fn titled(title: &str, mut table: Table, args: &EvalArgs, format: Format) -> String {
    table.digits = usize::from(args.output.digits);
    table.width = terminal_width();
    super::titled(title, &table, format)
}

/// A cell with a rank.
pub(super) fn whole(rank: usize) -> Cell {
    i64::try_from(rank).map_or(Cell::Missing, Cell::Int)
}

/// Where a number of a vector stands.
#[derive(Clone, Copy, Debug, PartialEq)]
enum At {
    Rank(usize),
    Recall(f64),
    /// The mean of the components.
    Mean,
}

impl At {
    fn text(self) -> String {
        match self {
            Self::Rank(rank) => rank.to_string(),
            Self::Recall(recall) => recall.to_string(),
            Self::Mean => "avg-pos".into(),
        }
    }

    fn json(self) -> Value {
        match self {
            Self::Rank(rank) => json!(rank),
            Self::Recall(recall) => json!(recall),
            Self::Mean => json!(self.text()),
        }
    }
}

/// A number of one run, topic and vector.
struct Record {
    run: String,
    topic: String,
    vector: String,
    at: At,
    value: Option<f64>,
}

struct Vectors<'a> {
    evaluation: &'a Evaluation,
    args: &'a EvalArgs,
}

impl Vectors<'_> {
    /// A topic's vector, or the run's, and the mean of its components.
    fn values(
        &self,
        run: &EvaluatedRun,
        topic: Option<usize>,
        vector: usize,
    ) -> Vec<(At, Option<f64>)> {
        let (plan, scores) = (&self.evaluation.plan, &run.scores);
        let components = match topic {
            Some(topic) => scores.topic_vector(plan, topic, vector).unwrap_or_default(),
            None => scores.mean_vector(plan, vector),
        };
        let positions = plan.vectors[vector].positions();
        let mean = avg_pos(&components, components.len());
        let places = components.into_iter().enumerate();
        let places = places.map(|(place, value)| (at(positions, place), value));
        places.chain([(At::Mean, mean)]).collect()
    }

    /// Points of a topic's curve: recall and precision.
    fn points(&self, run: &EvaluatedRun, topic: usize, vector: usize) -> Vec<(usize, f64, f64)> {
        let curve = run.scores.topic_curve(&self.evaluation.plan, topic, vector);
        let curve = curve.unwrap_or_default();
        let points = curve.points().iter();
        points
            .map(|point| (point.rank, point.recall, point.precision))
            .collect()
    }

    /// The topics that are shown, and the run as a whole.
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

    fn label(&self, run: &EvaluatedRun, topic: &str) -> String {
        match (self.args.per_topic, self.evaluation.runs.len()) {
            (false, _) => run.scores.name.clone(),
            (true, 1) => topic.into(),
            (true, _) => format!("{} {topic}", run.scores.name),
        }
    }

    fn first_column(&self) -> Column {
        Column::text(if self.args.per_topic { "topic" } else { "run" })
    }

    fn table(&self, vector: usize) -> Table {
        let bound = &self.evaluation.plan.vectors[vector];
        if bound.is_curve() {
            return self.curve_table(vector);
        }
        let shown = shown(bound.positions());
        let headings = shown
            .iter()
            .map(|place| at(bound.positions(), *place).text());
        let headings = headings.chain([At::Mean.text()]).map(Column::number);
        let mut table = Table::new([self.first_column()].into_iter().chain(headings));
        for run in &self.evaluation.runs {
            for (topic, id) in self.topics(run) {
                let values = self.values(run, topic, vector);
                let places = shown.iter().copied().chain([values.len() - 1]);
                let cells = places.map(|place| {
                    let value = values.get(place);
                    Cell::real(value.and_then(|(_, value)| *value))
                });
                let label = Cell::text(self.label(run, &id));
                table.push([label].into_iter().chain(cells));
            }
        }
        table
    }

    fn curve_table(&self, vector: usize) -> Table {
        let columns = ["rank", "recall", "precision"].map(Column::number);
        let mut table = Table::new([self.first_column()].into_iter().chain(columns));
        for run in &self.evaluation.runs {
            for (topic, id) in self.topics(run) {
                let Some(topic) = topic else { continue };
                for (rank, recall, precision) in self.points(run, topic, vector) {
                    table.push([
                        Cell::text(self.label(run, &id)),
                        whole(rank),
                        Cell::Real(recall),
                        Cell::Real(precision),
                    ]);
                }
            }
        }
        table
    }

    fn records(&self) -> impl Iterator<Item = Record> + '_ {
        let runs = self.evaluation.runs.iter();
        runs.flat_map(move |run| {
            self.topics(run).flat_map(move |(topic, id)| {
                let vectors = 0..self.evaluation.plan.vectors.len();
                vectors.flat_map(move |vector| self.records_of(run, topic, &id, vector))
            })
        })
    }

    fn records_of(
        &self,
        run: &EvaluatedRun,
        topic: Option<usize>,
        id: &str,
        vector: usize,
    ) -> Vec<Record> {
        let bound = &self.evaluation.plan.vectors[vector];
        let record = |at: At, value: Option<f64>| Record {
            run: run.scores.name.clone(),
            topic: id.into(),
            vector: bound.to_string(),
            at,
            value,
        };
        if bound.is_curve() {
            let points = topic.map_or_else(Vec::new, |topic| self.points(run, topic, vector));
            let points = points.into_iter();
            return points
                .map(|(_, recall, precision)| record(At::Recall(recall), Some(precision)))
                .collect();
        }
        let values = self.values(run, topic, vector).into_iter();
        values.map(|(at, value)| record(at, value)).collect()
    }

    fn records_table(&self) -> Table {
        let mut columns = ["run", "topic", "vector"].map(Column::text).to_vec();
        columns.extend(["at", "value"].map(Column::number));
        let mut table = Table::new(columns);
        for record in self.records() {
            table.push([
                Cell::text(record.run),
                Cell::text(record.topic),
                Cell::text(record.vector),
                Cell::text(record.at.text()),
                Cell::real(record.value),
            ]);
        }
        table
    }

    fn jsonl(&self) -> String {
        let mut text = String::new();
        for record in self.records() {
            let object = json!({
                "run": record.run,
                "topic": record.topic,
                "vector": record.vector,
                "at": record.at.json(),
                "value": record.value,
            });
            text.push_str(&object.to_string());
            text.push('\n');
        }
        text
    }

    /// One document, with provenance; a vector's positions are told once.
    fn document(&self) -> Value {
        let runs = self.evaluation.runs.iter().map(|run| {
            let mut object = super::provenance::run(self.evaluation, run);
            for (topic, id) in self.topics(run) {
                let vectors = Value::Object(self.object(run, topic));
                if topic.is_none() {
                    object.insert("vectors".into(), vectors);
                } else if let Some(topics) = object
                    .entry("topics")
                    .or_insert_with(|| json!({}))
                    .as_object_mut()
                {
                    topics.insert(id, vectors);
                }
            }
            Value::Object(object)
        });
        let mut document = super::provenance::document(self.evaluation, &runs.collect::<Vec<_>>());
        let vectors = self.evaluation.plan.vectors.iter().map(|vector| {
            let (by, at): (_, Vec<Value>) = match vector.positions() {
                _ if vector.is_curve() => ("recall", Vec::new()),
                Positions::Ranks(depth) => ("rank", (1..=*depth).map(|rank| json!(rank)).collect()),
                Positions::Recall(points) => {
                    ("recall", points.iter().map(|at| json!(at)).collect())
                }
            };
            json!({"name": vector.to_string(), "by": by, "at": at})
        });
        document["vectors"] = vectors.collect();
        document
    }

    /// The vectors of a topic or of the run.
    fn object(&self, run: &EvaluatedRun, topic: Option<usize>) -> Map<String, Value> {
        let mut object = Map::new();
        for (place, vector) in self.evaluation.plan.vectors.iter().enumerate() {
            if let (true, Some(topic)) = (vector.is_curve(), topic) {
                let points = self.points(run, topic, place).into_iter().map(
                    |(rank, recall, precision)| {
                        json!({"rank": rank, "recall": recall, "precision": precision})
                    },
                );
                object.insert(
                    vector.to_string(),
                    json!({"points": points.collect::<Vec<_>>()}),
                );
            } else if !vector.is_curve() {
                let mut values: Vec<Value> = self
                    .values(run, topic, place)
                    .iter()
                    .map(|(_, value)| json!(value))
                    .collect();
                let mean = values.pop();
                object.insert(
                    vector.to_string(),
                    json!({"values": values, "avg_pos": mean}),
                );
            }
        }
        object
    }
}

fn at(positions: &Positions, place: usize) -> At {
    match positions {
        Positions::Ranks(_) => At::Rank(place + 1),
        Positions::Recall(_) => At::Recall(positions.at(place)),
    }
}

/// Places of the components that a table shows.
fn shown(positions: &Positions) -> Vec<usize> {
    match positions {
        Positions::Ranks(depth) => {
            let few = SHOWN.iter().filter(|rank| *rank < depth);
            few.chain([depth]).map(|rank| rank - 1).collect()
        }
        Positions::Recall(points) => (0..points.len()).collect(),
    }
}
