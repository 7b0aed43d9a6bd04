//! Figures of agreement with their intervals, as two assessors and more of them have.

use cranfield::InputFile;
use cranfield::agreement::{Coefficient, Intervals};
use cranfield::report::{Cell, Column, Table};
use cranfield::stats::bootstrap::Estimate;
use serde_json::{Map, Value, json};

use super::file_hash;

/// The ends of the interval of an estimate.
pub(super) fn ends(estimate: Estimate) -> Option<[f64; 2]> {
    let interval = estimate.interval?;
    Some([interval.low, interval.high])
}

/// Cells for the value of an estimate and the ends of its interval.
pub(super) fn with_ends(estimate: Estimate) -> [Cell; 3] {
    let ends = ends(estimate);
    let end = |at: usize| Cell::real(ends.map(|ends| ends[at]));
    [Cell::real(estimate.value), end(0), end(1)]
}

/// A row per coefficient with its interval.
pub(super) fn coefficients_table(
    value: &str,
    coefficients: &[Coefficient],
    estimates: &[Estimate],
) -> Table {
    let numbers = [value, "low", "high"].map(Column::number);
    let mut table = Table::new([Column::text("figure")].into_iter().chain(numbers));
    for (coefficient, estimate) in coefficients.iter().zip(estimates) {
        let name = Cell::text(coefficient.name());
        table.push([name].into_iter().chain(with_ends(*estimate)));
    }
    table
}

/// The files of judgements, with their names.
pub(super) fn files_object<'a>(files: impl Iterator<Item = (&'a String, &'a InputFile)>) -> Value {
    let object = |(name, file): (&String, &InputFile)| {
        let notes: Vec<String> = file.notes.iter().map(ToString::to_string).collect();
        json!({"qrels": name, "path": file.path, "blake3": file_hash(&file.path), "notes": notes})
    };
    files.map(object).collect()
}

/// The settings of intervals, and the intervals of figures.
pub(super) fn intervals_object(
    intervals: Intervals,
    figures: impl Iterator<Item = (String, Estimate)>,
) -> Value {
    let ends = |estimate: Estimate| {
        estimate
            .interval
            .map(|interval| [interval.low, interval.high])
    };
    let figures = figures.map(|(name, estimate)| (name, json!(ends(estimate))));
    json!({
        "level": intervals.level,
        "replicates": intervals.resampling.replicates,
        "seed": intervals.resampling.seed,
        "figures": figures.collect::<Map<_, _>>(),
    })
}
