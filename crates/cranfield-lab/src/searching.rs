//! Searching for the topics of a collection, and writing what a run depends on next to it.

use std::path::{Path, PathBuf};

use cranfield_collection::{QueryFields, Topics};
use cranfield_io::RunFormat;
use serde_json::{Map, Value, json};

use crate::bench::Machine;
use crate::engine::{Engine, EngineError};
use crate::inputs;
use crate::run_topics::{RunSettings, TopicsRun, run_topics};

/// A run that an engine made.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The run, and topics without an answer.
    pub answers: TopicsRun,
    /// Topics that have none of the fields of the query.
    pub without_query: Vec<String>,
    /// What the run depends on, in the form of `ir_metadata`.
    pub provenance: Value,
}

/// Searches for all topics.
pub fn search(
    engine: &dyn Engine,
    topics: &Topics,
    fields: &QueryFields,
    tag: Option<&str>,
    settings: &RunSettings,
) -> Result<Searched, EngineError> {
    let (queries, without_query) = inputs::queries(topics, fields);
    let mut answers = run_topics(engine, &queries, settings)?;
    if let Some(tag) = tag {
        answers.run = std::mem::take(&mut answers.run).with_tag(tag.into());
    }
    let provenance = provenance(engine.settings(), &answers, fields, settings.depth);
    Ok(Searched {
        answers,
        without_query,
        provenance,
    })
}

/// What a run depends on: the settings of its engine, the fields of topics and the depth.
pub(crate) fn provenance(
    engine: Vec<(String, String)>,
    answers: &TopicsRun,
    fields: &QueryFields,
    depth: usize,
) -> Value {
    let failed = answers
        .failed
        .iter()
        .map(|(topic, why)| (topic.clone(), json!(why.to_string())));
    let engine: Map<String, Value> = engine
        .into_iter()
        .map(|(name, value)| (name, json!(value)))
        .collect();
    let own = json!({
        "query": fields.to_string(),
        "depth": depth,
        "topics without results": answers.empty,
        "topics without an answer": Value::Object(failed.collect()),
        "seconds": answers.elapsed.as_secs_f64(),
    });
    ir_metadata(answers.run.tag(), &json!(engine), &own)
}

/// What a run depends on, in the form of `ir_metadata`: how documents were retrieved, and under `cranfield` what its specification lacks.
pub(crate) fn ir_metadata(tag: &str, retrieval: &Value, own: &Value) -> Value {
    let machine = Machine::detect();
    json!({
        "schema-version": 0.1,
        "tag": tag,
        "platform": {
            "hardware": { "cpu": { "model": machine.cpu, "number of cores": machine.cores }, "ram": machine.memory.map(|bytes| format!("{} GB", bytes >> 30)) },
            "operating system": { "kernel": machine.kernel, "distribution": machine.distribution },
            "software": { "retrieval toolkit": [format!("cranfield=={}", env!("CARGO_PKG_VERSION"))] },
        },
        "implementation": { "source": { "lang": ["Rust"] } },
        "method": { "automatic": true, "score ties": "reverse alphabetical order", "retrieval": [retrieval] },
        "cranfield": own,
    })
}

/// Writes a run, and its provenance next to it; to standard output for `-`, without provenance.
pub fn save(searched: &Searched, path: &Path) -> Result<(), cranfield_io::Error> {
    let format = RunFormat::of_name(&path.to_string_lossy()).unwrap_or(RunFormat::Trec);
    cranfield_io::save_run(&searched.answers.run, format, path)?;
    save_provenance(&searched.provenance, path)
}

/// Writes the provenance of a run next to it; nothing for standard output.
pub(crate) fn save_provenance(provenance: &Value, run: &Path) -> Result<(), cranfield_io::Error> {
    if run.as_os_str() == "-" {
        return Ok(());
    }
    cranfield_io::save_text(&yaml(provenance), provenance_path(run))
}

/// The file with the provenance of a run.
pub fn provenance_path(run: &Path) -> PathBuf {
    let mut name = run.as_os_str().to_owned();
    name.push(".yaml");
    name.into()
}

/// An object as YAML. Strings, numbers and lists are written as in JSON, which is valid YAML.
fn yaml(value: &Value) -> String {
    let mut text = String::new();
    write_members(value, 0, &mut text);
    text
}

fn write_members(value: &Value, depth: usize, text: &mut String) {
    for (key, member) in value.as_object().into_iter().flatten() {
        let indent = "  ".repeat(depth);
        match member {
            Value::Object(members) if !members.is_empty() => {
                text.push_str(&format!("{indent}{key}:\n"));
                write_members(member, depth + 1, text);
            }
            member => text.push_str(&format!("{indent}{key}: {member}\n")),
        }
    }
}
