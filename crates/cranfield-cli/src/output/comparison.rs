//! Comparisons for programs.

use cranfield::Evaluation;
use cranfield::compare::{Comparison, Family, MeasureTable, Pair, System};
use cranfield::report::{Cell, Column, Table};
use cranfield::stats::Interval;
use serde_json::{Value, json};

/// One row per measure and pair, in full precision.
pub(crate) fn records(comparison: &Comparison) -> Table {
    let mut table = Table::new([
        Column::text("measure"),
        Column::text("run"),
        Column::text("against"),
        Column::number("topics"),
        Column::number("run_mean"),
        Column::number("against_mean"),
        Column::number("difference"),
        Column::number("low"),
        Column::number("high"),
        Column::number("d_z"),
        Column::number("p"),
        Column::number("p_corrected"),
        Column::number("wins"),
        Column::number("ties"),
        Column::number("losses"),
        Column::text("verdict"),
    ]);
    for (measure, pair) in pairs(comparison) {
        let mean = |run: usize| Cell::Real(measure.systems[run].mean);
        let count = |count: usize| Cell::text(count.to_string());
        table.push([
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
            Cell::text(pair.claim.verdict.name()),
        ]);
    }
    table
}

/// One object per measure and pair.
pub(crate) fn jsonl(comparison: &Comparison) -> String {
    let lines = pairs(comparison).map(|(measure, found)| {
        let mut object = pair(comparison, found);
        if let Some(object) = object.as_object_mut() {
            object.insert("measure".into(), json!(measure.measure));
        }
        format!("{object}\n")
    });
    lines.collect()
}

/// One object with everything, and where it comes from.
pub(crate) fn document(evaluation: &Evaluation, comparison: &Comparison) -> Value {
    let runs = evaluation
        .runs
        .iter()
        .map(|run| super::provenance::run(evaluation, run).into());
    let runs: Vec<Value> = runs.collect();
    let mut document = super::provenance::document(evaluation, &runs);
    if let Some(object) = document.as_object_mut() {
        object.insert("settings".into(), settings(comparison));
        let measures = comparison
            .measures
            .iter()
            .map(|table| measure(comparison, table));
        object.insert("comparison".into(), measures.collect());
        object.insert("methods".into(), json!(comparison.methods()));
    }
    document
}

fn pairs(comparison: &Comparison) -> impl Iterator<Item = (&MeasureTable, &Pair)> {
    let tables = comparison.measures.iter();
    tables.flat_map(|table| table.pairs.iter().map(move |pair| (table, pair)))
}

fn settings(comparison: &Comparison) -> Value {
    let settings = &comparison.settings;
    let name = |run: &usize| comparison.runs[*run].as_str();
    json!({
        "test": settings.test.name(),
        "correction": settings.correction().name(),
        "family": match settings.family { Family::Measure => "measure", Family::All => "all" },
        "alpha": settings.alpha,
        "margin": settings.margin,
        "replicates": settings.resampling.replicates,
        "seed": settings.resampling.seed,
        "baselines": comparison.baselines.iter().map(name).collect::<Vec<_>>(),
    })
}

fn measure(comparison: &Comparison, table: &MeasureTable) -> Value {
    let name = |run: &usize| comparison.runs[*run].as_str();
    let systems = table
        .order
        .iter()
        .map(|run| system(comparison, *run, &table.systems[*run]));
    let groups = table
        .groups
        .iter()
        .map(|group| group.iter().map(name).collect::<Vec<_>>());
    json!({
        "measure": table.measure,
        "topics": table.topics.count,
        "topics_left_out": table.topics.left_out,
        "undefined_as_zero": table.topics.zeros,
        "tests_in_family": table.family,
        "runs": systems.collect::<Vec<_>>(),
        "groups": groups.collect::<Vec<_>>(),
        "pairs": table.pairs.iter().map(|found| pair(comparison, found)).collect::<Vec<_>>(),
    })
}

fn system(comparison: &Comparison, run: usize, system: &System) -> Value {
    json!({
        "run": comparison.runs[run],
        "mean": system.mean,
        "interval": system.interval.as_ref().map(interval),
        "rank": system.rank.rank,
        "rank_interval": [system.rank.lowest, system.rank.highest],
        "probability_best": system.rank.best,
        "groups": system.letters,
    })
}

fn pair(comparison: &Comparison, pair: &Pair) -> Value {
    json!({
        "run": comparison.runs[pair.first],
        "against": comparison.runs[pair.second],
        "difference": pair.difference,
        "relative": pair.relative,
        "interval": interval(&pair.interval),
        "p": pair.p,
        "p_corrected": pair.adjusted,
        "significant": pair.significant,
        "d_z": pair.effect.value,
        "d_z_interval": pair.effect.interval.as_ref().map(interval),
        "wins": pair.wins.wins,
        "ties": pair.wins.ties,
        "losses": pair.wins.losses,
        "importance": pair.importance.name(),
        "detectable": pair.detectable,
        "equivalence_p": pair.equivalence.as_ref().map(|tost| tost.p),
        "verdict": pair.claim.verdict.name(),
        "claim": pair.claim.says,
        "not_claimed": pair.claim.does_not_say,
    })
}

fn interval(interval: &Interval) -> Value {
    json!({"low": interval.low, "high": interval.high, "level": interval.level})
}
