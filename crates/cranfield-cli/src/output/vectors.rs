//! Vectors of runs: a measure at every rank or recall level.

use cranfield::core::vectors::{Positions, avg_pos};
use cranfield::render::{Content, Records, Render, Section};
use cranfield::report::{Cell, Column, Table};
use cranfield::{EvaluatedRun, Evaluation};
use serde_json::{Map, Value, json};

use super::topic_rows::TopicRows;

/// Ranks that a table shows, and the last one; the other formats have all.
const SHOWN: [usize; 16] = [
    1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000,
];

/// A cell with a rank.
pub(super) fn whole(rank: usize) -> Cell {
    i64::try_from(rank).map_or(Cell::Missing, Cell::Int)
}

/// Position of a value in a vector.
#[derive(Clone, Copy, Debug, PartialEq)]
enum At {
    Rank(usize),
    Recall(f64),
    /// The mean of the components.
    Mean,
}

/// Name of the mean of the components.
const MEAN: &str = "avg-pos";

impl At {
    fn text(self) -> String {
        match self {
            Self::Rank(rank) => rank.to_string(),
            Self::Recall(recall) => recall.to_string(),
            Self::Mean => MEAN.into(),
        }
    }

    fn cell(self) -> Cell {
        match self {
            Self::Rank(rank) => whole(rank),
            Self::Recall(recall) => Cell::Real(recall),
            Self::Mean => Cell::text(MEAN),
        }
    }
}

/// The ranks that tables show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranks {
    /// A few, and the last.
    Few,
    /// All.
    All,
}

/// The vectors of an evaluation, ready to be written.
#[derive(Debug)]
pub struct Vectors<'a> {
    /// The evaluation.
    pub evaluation: &'a Evaluation,
    /// The rows of each run.
    pub rows: TopicRows,
    /// The ranks that tables show.
    pub ranks: Ranks,
    /// Decimals of tables.
    pub digits: usize,
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

    fn table(&self, vector: usize) -> Table {
        let bound = &self.evaluation.plan.vectors[vector];
        if bound.is_curve() {
            return self.curve_table(vector);
        }
        let shown = self.shown(bound.positions());
        let headings = shown
            .iter()
            .map(|place| at(bound.positions(), *place).text());
        let headings = headings.chain([At::Mean.text()]).map(Column::number);
        let mut table = Table::new(
            [Column::text(self.rows.heading())]
                .into_iter()
                .chain(headings),
        );
        for run in &self.evaluation.runs {
            for (topic, id) in self.rows.of(run) {
                let values = self.values(run, topic, vector);
                let places = shown.iter().copied().chain([values.len() - 1]);
                let cells = places.map(|place| {
                    let value = values.get(place);
                    Cell::real(value.and_then(|(_, value)| *value))
                });
                let label = Cell::text(self.rows.label(self.evaluation, run, &id));
                table.push([label].into_iter().chain(cells));
            }
        }
        table
    }

    fn curve_table(&self, vector: usize) -> Table {
        let columns = ["rank", "recall", "precision"].map(Column::number);
        let mut table = Table::new(
            [Column::text(self.rows.heading())]
                .into_iter()
                .chain(columns),
        );
        for run in &self.evaluation.runs {
            for (topic, id) in self.rows.topics(run) {
                for (rank, recall, precision) in self.points(run, topic, vector) {
                    table.push([
                        Cell::text(self.rows.label(self.evaluation, run, &id)),
                        whole(rank),
                        Cell::Real(recall),
                        Cell::Real(precision),
                    ]);
                }
            }
        }
        table
    }

    /// Positions and values of a vector, or of the points of a curve.
    fn components(
        &self,
        run: &EvaluatedRun,
        topic: Option<usize>,
        vector: usize,
    ) -> Vec<(At, Option<f64>)> {
        if !self.evaluation.plan.vectors[vector].is_curve() {
            return self.values(run, topic, vector);
        }
        let points = topic.map_or_else(Vec::new, |topic| self.points(run, topic, vector));
        let points = points.into_iter();
        points
            .map(|(_, recall, precision)| (At::Recall(recall), Some(precision)))
            .collect()
    }

    fn run_object(&self, run: &EvaluatedRun) -> Value {
        let mut object = super::provenance::run(self.evaluation, run);
        if self.rows.has_topics() {
            let topics = self.rows.topics(run);
            let topics = topics.map(|(place, id)| (id, self.object(run, Some(place)).into()));
            object.insert("topics".into(), Value::Object(topics.collect()));
        }
        if self.rows.has_all() {
            object.insert("vectors".into(), Value::Object(self.object(run, None)));
        }
        Value::Object(object)
    }

    /// Places of the components that a table shows.
    fn shown(&self, positions: &Positions) -> Vec<usize> {
        match positions {
            Positions::Ranks(depth) if self.ranks == Ranks::Few => {
                let few = SHOWN.iter().filter(|rank| *rank < depth);
                few.chain([depth]).map(|rank| rank - 1).collect()
            }
            positions => (0..positions.len()).collect(),
        }
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

impl Render for Vectors<'_> {
    fn content(&self) -> Content {
        let vectors = self.evaluation.plan.vectors.iter().enumerate();
        let sections = vectors.map(|(place, vector)| {
            let mut table = self.table(place);
            table.digits = self.digits;
            Section {
                title: vector.to_string(),
                table,
            }
        });
        Content::Sections(sections.collect())
    }

    fn records(&self) -> Records<'_> {
        let rows = self.evaluation.runs.iter().flat_map(move |run| {
            self.rows.of(run).flat_map(move |(topic, id)| {
                let vectors = self.evaluation.plan.vectors.iter().enumerate();
                vectors.flat_map(move |(place, vector)| {
                    let names = [run.scores.name.clone(), id.clone(), vector.to_string()];
                    let components = self.components(run, topic, place).into_iter();
                    components.map(move |(at, value)| {
                        let names = names.each_ref().map(Cell::text);
                        let row = names.into_iter().chain([at.cell(), Cell::real(value)]);
                        row.collect()
                    })
                })
            })
        });
        Records::named(["run", "topic", "vector", "at", "value"], rows)
    }

    /// One document, with provenance; the positions of a vector are in it once.
    fn json(&self) -> Value {
        let runs = self.evaluation.runs.iter();
        let runs: Vec<Value> = runs.map(|run| self.run_object(run)).collect();
        let mut document = super::provenance::document(self.evaluation, &runs);
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
}

fn at(positions: &Positions, place: usize) -> At {
    match positions {
        Positions::Ranks(_) => At::Rank(place + 1),
        Positions::Recall(_) => At::Recall(positions.at(place)),
    }
}
