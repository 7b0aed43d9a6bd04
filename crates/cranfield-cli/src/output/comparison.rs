//! Machine-readable comparisons.

use cranfield::Evaluation;
use cranfield::compare::{Comparison, IntervalMethod, MeasureTable, Pair};
use cranfield::report::{Cell, Column, Table};
use serde_json::{Value, json};

use crate::commands::compare::Compared;

/// One row per measure and pair, in full precision; with a margin the p-values of equivalence, and with a plan the role.
pub fn records(compared: &Compared) -> Table {
    let names = ["measure", "run", "against"].map(Column::text);
    let numbers = [
        "topics",
        "run_mean",
        "against_mean",
        "difference",
        "low",
        "high",
        "d_z",
        "p",
        "p_corrected",
        "wins",
        "ties",
        "losses",
    ];
    let columns = names.into_iter().chain(numbers.map(Column::number));
    let parts = compared.parts();
    let has_margin = parts.iter().any(|part| part.settings.margin.is_some());
    let equal = ["p_equal", "p_equal_corrected"].map(Column::number);
    let columns = columns.chain(equal.into_iter().filter(|_| has_margin));
    let has_rope = parts.iter().any(|part| part.settings.rope.is_some());
    let chances = ["p_better", "p_equivalent", "p_worse"].map(Column::number);
    let columns = columns.chain(chances.into_iter().filter(|_| has_rope));
    let columns = columns.chain(["verdict", "importance"].map(Column::text));
    let has_method = parts.iter().any(|part| names_interval(part));
    let columns = columns.chain(has_method.then(|| Column::text("interval")));
    let role = parts.iter().find_map(|part| part.role);
    let mut table = Table::new(columns.chain(role.map(|_| Column::text("role"))));
    for (comparison, measure, pair) in pairs(compared) {
        table.push(record(comparison, measure, pair));
    }
    table
}

fn record(comparison: &Comparison, measure: &MeasureTable, pair: &Pair) -> Vec<Cell> {
    let mean = |run: usize| Cell::Real(measure.systems[run].mean);
    let count = |count: usize| Cell::Int(i64::try_from(count).unwrap_or(i64::MAX));
    let mut cells = vec![
        Cell::text(&*measure.measure),
        Cell::text(&*comparison.runs[pair.first]),
        Cell::text(&*comparison.runs[pair.second]),
        count(measure.topics.count),
        mean(pair.first),
        mean(pair.second),
        Cell::Real(pair.difference),
        Cell::Real(pair.interval.low),
        Cell::Real(pair.interval.high),
        Cell::real(pair.effect.value),
        Cell::Real(pair.p),
        Cell::Real(pair.adjusted),
        count(pair.wins.wins),
        count(pair.wins.ties),
        count(pair.wins.losses),
    ];
    if comparison.settings.margin.is_some() {
        let alone = pair.equivalence.as_ref().map(|tost| tost.p);
        cells.extend([alone, pair.equivalence_adjusted].map(Cell::real));
    }
    if comparison.settings.rope.is_some() {
        let chances = pair.chances(measure).map(|chances| chances.map(Some));
        cells.extend(chances.unwrap_or_default().map(Cell::real));
    }
    cells.push(Cell::text(pair.claim.verdict.name()));
    let importance = pair.importance.map(|size| Cell::text(size.name()));
    cells.push(importance.unwrap_or(Cell::Missing));
    if names_interval(comparison) {
        let method = pair.interval_method;
        cells.push(Cell::text(
            method.map_or("simultaneous", IntervalMethod::name),
        ));
    }
    let role = comparison.role.map(|role| Cell::text(role.name()));
    cells.push(role.unwrap_or(Cell::Missing));
    cells
}

/// Whether rows name the method of the interval, which is when it is not Student's t.
fn names_interval(comparison: &Comparison) -> bool {
    let settings = &comparison.settings;
    settings.test.has_own_intervals() || settings.requested_interval().is_resampled()
}

/// One object per measure and pair.
pub fn jsonl(compared: &Compared) -> String {
    let lines = pairs(compared).map(|(comparison, measure, found)| {
        let mut object = comparison.pair_object(measure, found);
        if let Some(object) = object.as_object_mut() {
            object.insert("measure".into(), json!(measure.measure));
            if let Some(role) = comparison.role {
                object.insert("role".into(), json!(role.name()));
            }
        }
        format!("{object}\n")
    });
    lines.collect()
}

/// One object with everything and its provenance.
pub fn document(evaluation: &Evaluation, compared: &Compared, methods: &str) -> Value {
    let runs = evaluation
        .runs
        .iter()
        .map(|run| super::provenance::run(evaluation, run).into());
    let runs: Vec<Value> = runs.collect();
    let mut document = super::provenance::document(evaluation, &runs);
    if let Some(object) = document.as_object_mut() {
        if let Compared::Planned(planned) = compared {
            object.insert("plan".into(), planned.plan.object());
        }
        let parts = compared.parts();
        let first = parts.first().map(|part| part.settings_object());
        object.insert("settings".into(), first.unwrap_or(Value::Null));
        let measures = parts.iter().flat_map(|part| {
            let measures = part.measures.iter();
            measures.map(move |table| part.measure_object(table))
        });
        object.insert("comparison".into(), measures.collect());
        object.insert("methods".into(), json!(methods));
    }
    document
}

fn pairs(compared: &Compared) -> impl Iterator<Item = (&Comparison, &MeasureTable, &Pair)> {
    compared.parts().into_iter().flat_map(|part| {
        let tables = part.measures.iter();
        tables.flat_map(move |table| table.pairs.iter().map(move |pair| (part, table, pair)))
    })
}
