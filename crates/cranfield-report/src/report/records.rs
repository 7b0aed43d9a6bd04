//! A report for programs.

use std::collections::BTreeMap;

use cranfield_render::{Cell, Column, Table};
use serde_json::{Map, Value, json};

use super::Report;
use cranfield_eval::{EvaluatedRun, provenance};

/// One row per measure and run, best first.
pub(super) fn leaderboard(report: &Report) -> Table {
    let mut table = Table::new([
        Column::text("measure"),
        Column::text("run"),
        Column::number("topics"),
        Column::number("mean"),
        Column::number("low"),
        Column::number("high"),
        Column::number("rank"),
        Column::number("rank_low"),
        Column::number("rank_high"),
        Column::number("probability_best"),
        Column::text("groups"),
    ]);
    for (at, measure) in report.compared_names().into_iter().enumerate() {
        for run in report.order(at) {
            table.push(row(report, at, &measure, run));
        }
    }
    table
}

fn row(report: &Report, at: usize, measure: &str, run: usize) -> Vec<Cell> {
    let evaluated = &report.evaluation.runs[run].scores;
    let count = |count: usize| Cell::text(count.to_string());
    let compared = report.comparison.as_ref();
    let Some(table) = compared.and_then(|all| all.measures.get(at)) else {
        return vec![
            Cell::text(measure),
            Cell::text(&*evaluated.name),
            count(evaluated.topics.len()),
            Cell::real(evaluated.aggregate(at)),
        ];
    };
    let system = &table.systems[run];
    let (rank, interval) = (&system.rank, system.interval.as_ref());
    vec![
        Cell::text(measure),
        Cell::text(&*evaluated.name),
        count(table.topics.count),
        Cell::Real(system.mean),
        Cell::real(interval.map(|interval| interval.low)),
        Cell::real(interval.map(|interval| interval.high)),
        count(rank.rank),
        count(rank.lowest),
        count(rank.highest),
        Cell::Real(rank.best),
        Cell::text(&*system.letters),
    ]
}

/// Everything, with provenance.
pub(super) fn document(report: &Report) -> Value {
    let (evaluation, names) = (&report.evaluation, report.measure_names());
    let runs = evaluation.runs.iter().map(|run| {
        let mut object = provenance::run(evaluation, run);
        let values =
            (0..names.len()).map(|at| (names[at].clone(), json!(run.scores.aggregate(at))));
        object.insert("aggregate".into(), Value::Object(values.collect()));
        object.insert("topics".into(), Value::Object(topics(run, &names)));
        Value::Object(object)
    });
    let runs: Vec<Value> = runs.collect();
    let mut document = provenance::document(evaluation, &runs);
    if let Some(object) = document.as_object_mut() {
        if let Some(comparison) = &report.comparison {
            let tables = comparison.measures.iter();
            let tables = tables.map(|table| comparison.measure_object(table));
            object.insert("settings".into(), comparison.settings_object());
            object.insert("comparison".into(), tables.collect());
            object.insert("methods".into(), report.methods().into());
        }
        if let Some(planned) = &report.planned {
            object.insert("plan".into(), planned.plan.object());
        }
        if report.labels.has_topics() {
            object.insert("topic_titles".into(), titles(report));
        }
        object.insert("title".into(), report.title().into());
        object.insert("notes".into(), report.notes().into());
    }
    document
}

/// The titles of topics, by id.
fn titles(report: &Report) -> Value {
    let ids = topic_places(report).into_keys();
    let titles = ids.filter_map(|id| Some((text(id), report.labels.topic(id)?.into())));
    Value::Object(titles.collect())
}

/// The values of each topic, by measure.
fn topics(run: &EvaluatedRun, names: &[String]) -> Map<String, Value> {
    let topics = run.scores.topics.iter().enumerate();
    let topics = topics.map(|(at, topic)| {
        let values = run.scores.row(at).iter().zip(names);
        let values = values
            .map(|(value, name)| (name.clone(), json!(Some(*value).filter(|v| v.is_finite()))));
        (text(&topic.id), Value::Object(values.collect()))
    });
    topics.collect()
}

pub(super) fn text(id: &[u8]) -> String {
    String::from_utf8_lossy(id).into_owned()
}

/// The ids of all topics that a run was evaluated on, ascending, with their places by run.
pub(super) fn topic_places(report: &Report) -> BTreeMap<&[u8], Vec<Option<usize>>> {
    let runs = &report.evaluation.runs;
    let mut places: BTreeMap<&[u8], Vec<Option<usize>>> = BTreeMap::new();
    for (run, evaluated) in runs.iter().enumerate() {
        for (at, topic) in evaluated.scores.topics.iter().enumerate() {
            let places = places.entry(&topic.id);
            places.or_insert_with(|| vec![None; runs.len()])[run] = Some(at);
        }
    }
    places
}
