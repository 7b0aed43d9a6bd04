//! Verdicts and self-tests in every format.

use cranfield_eval::{Evaluation, provenance};
use cranfield_render::{Cell, Content, Format, Records, Render};
use serde_json::{Value, json};

use super::{
    Fall, Gate, GatedMeasure, Lock, POWER, Power, Ratchet, Rates, SelfTest, SelfTestRow,
    TopicChange,
};

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

/// Turns objects into records.
fn records<'a>(
    columns: &'static [(&str, &str)],
    objects: impl Iterator<Item = Value> + 'a,
) -> Records<'a> {
    let row = |object: Value| {
        let cells = columns.iter().map(|(_, at)| cell(object.pointer(at)));
        cells.collect()
    };
    Records::named(columns.iter().map(|(name, _)| *name), objects.map(row))
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

/// A verdict with its evaluation, which can be rendered.
#[derive(Clone, Copy, Debug)]
pub struct GateOutput<'a> {
    /// The verdict.
    pub gate: &'a Gate,
    /// The evaluation of the run.
    pub evaluation: &'a Evaluation,
    /// The baseline, if it is a lock file.
    pub lock: Option<&'a Lock>,
    /// Decimals of tables.
    pub digits: usize,
}

impl Render for GateOutput<'_> {
    fn content(&self) -> Content {
        Content::Page(self.gate.page(self.digits))
    }

    fn latex(&self) -> Option<String> {
        Some(self.gate.verdicts(self.digits).render(Format::Latex))
    }

    fn records(&self) -> Records<'_> {
        records(&MEASURES, self.objects())
    }

    /// One object per verdict: those of the measures, that of the ratchet, and the one over all.
    fn objects(&self) -> Box<dyn Iterator<Item = Value> + '_> {
        let gate = self.gate;
        let of_ratchet = gate.ratchet.as_ref().map(|found| {
            let mut object = ratchet(found);
            object["measure"] = json!("ratchet");
            object["tolerance"] = json!(found.limit);
            object
        });
        let overall = json!({"measure": "overall", "verdict": gate.verdict.name()});
        Box::new(objects(gate).chain(of_ratchet).chain([overall]))
    }

    fn json(&self) -> Value {
        let gate = self.gate;
        let mut document = provenance::with_runs(self.evaluation);
        document["settings"] = settings(gate);
        document["lock"] = self.lock.map(locked).into();
        document["run"] = json!(gate.run);
        document["baseline"] = json!(gate.baseline);
        document["verdict"] = json!(gate.verdict.name());
        document["gate"] = objects(gate).collect();
        document["ratchet"] = gate.ratchet.as_ref().map(ratchet).into();
        document["rule"] = json!(gate.rule());
        document
    }
}

/// One object per measure.
fn objects(gate: &Gate) -> impl Iterator<Item = Value> {
    gate.measures
        .iter()
        .map(|measure| self::measure(gate, measure))
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

impl Render for SelfTest {
    fn content(&self) -> Content {
        Content::Page(self.page())
    }

    fn latex(&self) -> Option<String> {
        Some(self.table().render(Format::Latex))
    }

    fn records(&self) -> Records<'_> {
        records(&PLANTED, self.objects())
    }

    /// One object per measure and planted drop.
    fn objects(&self) -> Box<dyn Iterator<Item = Value> + '_> {
        Box::new(self.rows.iter().map(self_test_row))
    }

    fn json(&self) -> Value {
        json!({
            "holds": self.holds(),
            "samples": self.samples,
            "seed": self.seed,
            "rows": self.objects().collect::<Vec<_>>(),
        })
    }
}

fn self_test_row(row: &SelfTestRow) -> Value {
    let rates = |rates: &Rates| json!({"pass": rates.pass, "inconclusive": rates.inconclusive, "fail": rates.fail});
    json!({
        "measure": row.measure,
        "times": row.times,
        "drop": row.drop,
        "found": rates(&row.found),
        "expected": rates(&row.expected),
        "holds": row.holds,
    })
}
