//! Vectors read sideways: how many documents reach a level.

use cranfield::render::{Content, Records, Render, Section};
use cranfield::report::{Cell, Column, Table};
use cranfield::{Evaluation, Reading};
use serde_json::Value;

use super::vectors::whole;

/// The readings of vectors at ranks, ready to be written.
#[derive(Debug)]
pub struct Sideways<'a> {
    evaluation: &'a Evaluation,
    readings: Vec<VectorReadings>,
    digits: usize,
}

/// The readings of one vector at one rank.
#[derive(Debug)]
struct VectorReadings {
    vector: String,
    rank: u32,
    readings: Vec<Reading>,
}

impl<'a> Sideways<'a> {
    /// Reads the first vectors of an evaluation; those behind them are the ideals that they need.
    pub fn new(evaluation: &'a Evaluation, vectors: usize, ranks: &[u32], digits: usize) -> Self {
        let mut readings = Vec::new();
        for (place, vector) in evaluation.plan.vectors.iter().take(vectors).enumerate() {
            readings.extend(ranks.iter().map(|rank| VectorReadings {
                vector: vector.to_string(),
                rank: *rank,
                readings: evaluation.sideways(place, *rank as usize),
            }));
        }
        Self {
            evaluation,
            readings,
            digits,
        }
    }

    /// A row per run that is read, a column per run whose level is to be reached.
    fn table(&self, readings: &[Reading]) -> Table {
        let targets = readings.len() / self.evaluation.runs.len().max(1);
        let names = readings.iter().take(targets);
        let names = names.map(|reading| Column::number(&reading.target));
        let mut table = Table::new([Column::text("reading \\ for")].into_iter().chain(names));
        table.digits = self.digits;
        for row in readings.chunks(targets.max(1)) {
            let label = row.first().map_or("", |reading| reading.run.as_str());
            let cells = row.iter();
            let cells = cells.map(|reading| reading.needed.map_or(Cell::Missing, whole));
            table.push([Cell::text(label)].into_iter().chain(cells));
        }
        table
    }
}

impl Render for Sideways<'_> {
    fn content(&self) -> Content {
        let sections = self.readings.iter().map(|read| Section {
            title: format!(
                "{}: documents for what rank {} gives",
                read.vector, read.rank
            ),
            table: self.table(&read.readings),
        });
        Content::Sections(sections.collect())
    }

    fn records(&self) -> Records<'_> {
        let names = ["vector", "run", "target", "rank", "level", "needed"];
        let rows = self.readings.iter().flat_map(|read| {
            read.readings.iter().map(|reading| {
                vec![
                    Cell::text(&read.vector),
                    Cell::text(&reading.run),
                    Cell::text(&reading.target),
                    Cell::Int(i64::from(read.rank)),
                    Cell::real(reading.level),
                    reading.needed.map_or(Cell::Missing, whole),
                ]
            })
        });
        Records::named(names, rows)
    }

    fn json(&self) -> Value {
        let mut document = super::provenance::with_runs(self.evaluation);
        document["sideways"] = self.objects().collect();
        document
    }
}
