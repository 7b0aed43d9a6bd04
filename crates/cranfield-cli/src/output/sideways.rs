//! Vectors read sideways, in every format.

use anyhow::bail;
use cranfield::report::{Cell, Column, Format, Table};
use cranfield::{Evaluation, Reading};
use serde_json::{Value, json};

use super::vectors::{titled, whole};
use crate::args::{EvalArgs, ResultFormat};

/// Only the first vectors were asked for; behind them stand the ideals that they need.
pub(crate) fn render(
    evaluation: &Evaluation,
    asked: usize,
    args: &EvalArgs,
) -> anyhow::Result<String> {
    let readings = readings(evaluation, asked, args);
    let tables = |format| {
        let titled = readings.iter().map(|(vector, rank, readings)| {
            let title = format!("{vector}: documents for what rank {rank} gives");
            titled(&title, table(evaluation, readings), args, format)
        });
        titled.collect::<Vec<_>>().join("\n")
    };
    Ok(match args.output.format {
        ResultFormat::Table => tables(Format::Text),
        ResultFormat::Md => tables(Format::Markdown),
        ResultFormat::Latex => tables(Format::Latex),
        ResultFormat::Html => tables(Format::Html),
        ResultFormat::Csv => records(&readings).render(Format::Csv),
        ResultFormat::Tsv => records(&readings).render(Format::Tsv),
        ResultFormat::Jsonl => objects(&readings)
            .map(|object| format!("{object}\n"))
            .collect(),
        ResultFormat::Json => {
            let mut document = super::provenance::document(evaluation, &[]);
            let runs = evaluation.runs.iter();
            let runs = runs.map(|run| Value::Object(super::provenance::run(evaluation, run)));
            document["runs"] = runs.collect();
            document["sideways"] = objects(&readings).collect();
            serde_json::to_string_pretty(&document)? + "\n"
        }
        ResultFormat::Trec => {
            bail!("trec_eval's format has no vectors; use csv, tsv, json or jsonl")
        }
    })
}

/// The readings of each vector that was asked for, at each rank.
fn readings(
    evaluation: &Evaluation,
    asked: usize,
    args: &EvalArgs,
) -> Vec<(String, u32, Vec<Reading>)> {
    let mut readings = Vec::new();
    for (place, vector) in evaluation.plan.vectors.iter().take(asked).enumerate() {
        for rank in &args.sideways {
            let found = evaluation.sideways(place, *rank as usize);
            readings.push((vector.to_string(), *rank, found));
        }
    }
    readings
}

/// A row per run that is read, a column per run whose level is wanted.
fn table(evaluation: &Evaluation, readings: &[Reading]) -> Table {
    let targets = readings.len() / evaluation.runs.len().max(1);
    let names = readings
        .iter()
        .take(targets)
        .map(|reading| Column::number(&reading.target));
    let mut table = Table::new([Column::text("reading \\ for")].into_iter().chain(names));
    for row in readings.chunks(targets.max(1)) {
        let label = row.first().map_or("", |reading| reading.run.as_str());
        let cells = row.iter().map(|reading| match reading.needed {
            Some(rank) => whole(rank),
            None => Cell::Missing,
        });
        table.push([Cell::text(label)].into_iter().chain(cells));
    }
    table
}

fn records(readings: &[(String, u32, Vec<Reading>)]) -> Table {
    let text = ["vector", "run", "target"].map(Column::text);
    let numbers = ["rank", "level", "needed"].map(Column::number);
    let mut table = Table::new(text.into_iter().chain(numbers));
    for (vector, rank, readings) in readings {
        for reading in readings {
            table.push([
                Cell::text(vector),
                Cell::text(&reading.run),
                Cell::text(&reading.target),
                Cell::Int(i64::from(*rank)),
                Cell::real(reading.level),
                reading.needed.map_or(Cell::Missing, whole),
            ]);
        }
    }
    table
}

fn objects(readings: &[(String, u32, Vec<Reading>)]) -> impl Iterator<Item = Value> + '_ {
    readings.iter().flat_map(|(vector, rank, readings)| {
        readings.iter().map(move |reading| {
            json!({
                "vector": vector,
                "run": reading.run,
                "target": reading.target,
                "rank": rank,
                "level": reading.level,
                "needed": reading.needed,
            })
        })
    })
}
