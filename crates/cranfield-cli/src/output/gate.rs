//! Machine-readable verdicts of a gate.

use cranfield::Evaluation;
use cranfield::gate::{
    Fall, Gate, GatedMeasure, Lock, POWER, Power, Ratchet, Rates, SelfTest, SelfTestRow,
    TopicChange,
};
use cranfield::report::{Cell, Column, Table};
use serde_json::{Value, json};

/// Columns of the measures: name, and JSON pointer into the object of a measure.
const MEASURES: [(&str, &str); 12] = [
    ("measure", "/measure"),
    ("topics", "/topics"),
    ("baseline_mean", "/baseline_mean"),
    ("run_mean", "/run_mean"),
    ("better_by", "/better_by"),
    ("at_least", "/at_least"),
    ("tolerance", "/tolerance"),
    ("p_drop", "/p_drop"),
    ("p_drop_corrected", "/p_drop_corrected"),
    ("p_within", "/p_within"),
    ("detectable", "/power/detectable"),
    ("verdict", "/verdict"),
];

/// Columns of the self-test.
const PLANTED: [(&str, &str); 10] = [
    ("measure", "/measure"),
    ("times", "/times"),
    ("drop", "/drop"),
    ("pass", "/found/pass"),
    ("inconclusive", "/found/inconclusive"),
    ("fail", "/found/fail"),
    ("expected_pass", "/expected/pass"),
    ("expected_inconclusive", "/expected/inconclusive"),
    ("expected_fail", "/expected/fail"),
    ("holds", "/holds"),
];

/// Turns objects into rows, in full precision.
fn rows(columns: &[(&str, &str)], objects: impl Iterator<Item = Value>) -> Table {
    let mut table = Table::new(columns.iter().map(|(name, _)| Column::text(*name)));
    for object in objects {
        table.push(columns.iter().map(|(_, at)| cell(object.pointer(at))));
    }
    table
}

fn cell(value: Option<&Value>) -> Cell {
    match value {
        None | Some(Value::Null) => Cell::Missing,
        Some(Value::String(text)) => Cell::text(&**text),
        Some(Value::Number(number)) => match number.as_i64() {
            Some(whole) => Cell::Int(whole),
            None => Cell::real(number.as_f64()),
        },
        Some(other) => Cell::text(other.to_string()),
    }
}

/// One row per verdict, in full precision.
pub fn records(gate: &Gate) -> Table {
    rows(&MEASURES, verdicts(gate))
}

/// One object per verdict: those of the measures, that of the ratchet, and the one over all.
pub fn verdicts(gate: &Gate) -> impl Iterator<Item = Value> {
    let of_ratchet = gate.ratchet.as_ref().map(|found| {
        let mut object = ratchet(found);
        object["measure"] = json!("ratchet");
        object["tolerance"] = json!(found.limit);
        object
    });
    let overall = json!({"measure": "overall", "verdict": gate.verdict.name()});
    objects(gate).chain(of_ratchet).chain([overall])
}

/// One object per measure.
fn objects(gate: &Gate) -> impl Iterator<Item = Value> {
    gate.measures
        .iter()
        .map(|measure| self::measure(gate, measure))
}

/// One object with everything and its provenance.
pub fn document(evaluation: &Evaluation, gate: &Gate, lock: Option<&Lock>) -> Value {
    let runs = evaluation.runs.iter();
    let runs: Vec<Value> = runs
        .map(|run| super::provenance::run(evaluation, run).into())
        .collect();
    let mut document = super::provenance::document(evaluation, &runs);
    if let Some(object) = document.as_object_mut() {
        object.insert("settings".into(), settings(gate));
        object.insert("lock".into(), lock.map_or(Value::Null, locked));
        object.insert("run".into(), json!(gate.run));
        object.insert("baseline".into(), json!(gate.baseline));
        object.insert("verdict".into(), json!(gate.verdict.name()));
        object.insert("gate".into(), objects(gate).collect());
        object.insert(
            "ratchet".into(),
            gate.ratchet.as_ref().map_or(Value::Null, ratchet),
        );
        object.insert("rule".into(), json!(gate.rule()));
    }
    document
}

fn locked(lock: &Lock) -> Value {
    json!({
        "cranfield": lock.cranfield,
        "run": {"name": lock.run, "path": lock.run_file.path, "blake3": lock.run_file.blake3},
    })
}

fn settings(gate: &Gate) -> Value {
    let settings = &gate.settings;
    json!({
        "tolerance": settings.tolerance.to_string(),
        "test": settings.test.name(),
        "correction": "holm",
        "alpha": settings.alpha,
        "power": POWER,
        "ratchet": settings.ratchet,
        "excused": settings.excused,
        "replicates": settings.resampling.replicates,
        "seed": settings.resampling.seed,
    })
}

fn measure(gate: &Gate, measure: &GatedMeasure) -> Value {
    json!({
        "measure": measure.measure,
        "verdict": measure.verdict.name(),
        "topics": measure.topics,
        "topics_left_out": measure.left_out,
        "undefined_as_zero": measure.zeros,
        "baseline_mean": measure.baseline_mean,
        "run_mean": measure.run_mean,
        "better_by": measure.change,
        "at_least": measure.low,
        "tolerance": measure.tolerance,
        "p_drop": measure.p_drop,
        "p_drop_corrected": measure.p_drop_corrected,
        "p_within": measure.p_within,
        "wins": measure.wins.wins,
        "ties": measure.wins.ties,
        "losses": measure.wins.losses,
        "power": measure.power.as_ref().map(power),
        "says": gate.says(measure),
        "changes": measure.changes.iter().map(change).collect::<Vec<_>>(),
    })
}

fn power(power: &Power) -> Value {
    json!({
        "power": power.power,
        "standard_deviation": power.design.deviation,
        "detectable": power.detectable,
        "unchanged_passes": power.unchanged_passes,
        "topics_to_pass": power.topics_to_pass,
        "see": power.see,
        "topics_to_see": power.topics_to_see,
        "of": "t",
        "least_p": power.least_p,
    })
}

fn change(topic: &TopicChange) -> Value {
    json!({"topic": topic.topic, "baseline": topic.baseline, "run": topic.run, "better_by": topic.change})
}

fn ratchet(ratchet: &Ratchet) -> Value {
    let falls = |falls: &[Fall]| {
        let falls = falls.iter().map(|fall| {
            let mut object = change(&fall.topic);
            object["measure"] = json!(fall.measure);
            object
        });
        falls.collect::<Vec<_>>()
    };
    json!({
        "limit": ratchet.limit,
        "verdict": ratchet.verdict().name(),
        "fallen": falls(&ratchet.fallen),
        "excused": falls(&ratchet.excused),
        "excused_without_need": ratchet.unneeded,
    })
}

/// One object with all rows.
pub fn self_test(tested: &SelfTest) -> Value {
    json!({
        "holds": tested.holds(),
        "samples": tested.samples,
        "seed": tested.seed,
        "rows": self_test_rows(tested).collect::<Vec<_>>(),
    })
}

/// One object per measure and planted drop.
pub fn self_test_rows(tested: &SelfTest) -> impl Iterator<Item = Value> {
    let rates = |rates: &Rates| json!({"pass": rates.pass, "inconclusive": rates.inconclusive, "fail": rates.fail});
    let object = move |row: &SelfTestRow| {
        json!({
            "measure": row.measure,
            "times": row.times,
            "drop": row.drop,
            "found": rates(&row.found),
            "expected": rates(&row.expected),
            "holds": row.holds,
        })
    };
    tested.rows.iter().map(object)
}

/// One row per measure and planted drop.
pub fn self_test_records(tested: &SelfTest) -> Table {
    rows(&PLANTED, self_test_rows(tested))
}
