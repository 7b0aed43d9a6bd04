//! Searching for the topics of a collection, and writing what a run depends on next to it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use cranfield_collection::{Collection, QueryFields, Topics};
use cranfield_io::{Code, Output, Problem, RunFormat};
use cranfield_search::Analyzer;
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

/// What is searched for.
#[derive(Clone, Debug)]
pub struct SearchRequest<'a> {
    /// The topics.
    pub topics: &'a Topics,
    /// The fields of the topics that make up queries.
    pub fields: &'a QueryFields,
    /// The tag of the run; made by the engine if `None`.
    pub tag: Option<&'a str>,
    /// The command, for provenance.
    pub command: Option<String>,
    /// Where the topics come from, for provenance.
    pub data: TestCollection,
}

/// A test collection as provenance names it. Files in its folder are relative to it.
#[derive(Clone, Debug, Default)]
pub struct TestCollection {
    name: Option<String>,
    ir_datasets: Option<String>,
    topics: Vec<String>,
    qrels: Vec<String>,
}

impl TestCollection {
    /// Describes a collection.
    pub fn of(collection: &Collection) -> Self {
        let file = collection.path.as_deref().and_then(Path::parent);
        let folder = file.or(collection.folder.as_deref());
        let folder = folder.unwrap_or(Path::new(""));
        let names = |files: &[PathBuf]| {
            let names = files
                .iter()
                .map(|path| path.strip_prefix(folder).unwrap_or(path));
            names
                .map(|path| path.to_string_lossy().into_owned())
                .collect()
        };
        Self {
            // A name of a folder depends on where it is.
            name: Some(collection.name.clone()).filter(|_| collection.is_named),
            ir_datasets: collection.ir_datasets.clone(),
            topics: names(&collection.topic_files.files),
            qrels: names(&collection.qrels_files.files),
        }
    }

    /// Describes what a path names: a collection, or a file of topics.
    pub fn at(path: &Path) -> Result<Self, cranfield_io::Error> {
        Ok(match inputs::collection(path)? {
            Some(collection) => Self::of(&collection),
            None => Self {
                topics: vec![path.to_string_lossy().into_owned()],
                ..Self::default()
            },
        })
    }

    fn json(&self) -> Value {
        let mut object = Map::new();
        if let Some(name) = &self.name {
            object.insert("name".into(), json!(name));
        }
        if let Some(name) = &self.ir_datasets {
            let url = format!("https://ir-datasets.com/{name}");
            object.insert("ir_datasets".into(), json!(url));
        }
        for (key, files) in [("qrels", &self.qrels), ("topics", &self.topics)] {
            if !files.is_empty() {
                object.insert(key.into(), json!(files.join(", ")));
            }
        }
        Value::Object(object)
    }
}

/// Searches for all topics.
pub fn search(
    engine: &dyn Engine,
    request: &SearchRequest<'_>,
    settings: &RunSettings,
) -> Result<Searched, EngineError> {
    let (queries, without_query) = inputs::queries(request.topics, request.fields);
    let mut answers = run_topics(engine, &queries, settings)?;
    if let Some(tag) = request.tag {
        answers.run = std::mem::take(&mut answers.run).with_tag(tag.into());
    }
    let provenance = provenance(engine.settings(), &answers, request, settings.depth);
    Ok(Searched {
        answers,
        without_query,
        provenance,
    })
}

/// A hash of the ids and texts of topics.
fn topics_hash(topics: &Topics) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    for topic in topics {
        add(&topic.id);
        add(&topic.fields.len().to_string());
        for (name, text) in &topic.fields {
            add(name);
            add(text);
        }
    }
    hasher.finalize().to_hex().to_string()
}

/// How documents and queries were analysed, if the engine says so.
fn indexing(engine: &[(String, String)]) -> Option<Value> {
    let (_, name) = engine.iter().find(|(key, _)| key == "analyzer")?;
    let analyzer = Analyzer::named(name).ok()?;
    Some(json!({
        "tokenizer": name,
        "stemmer": analyzer.stemmer().unwrap_or_else(|| "none".into()),
        "stopwords": analyzer.stop_words().unwrap_or("none"),
    }))
}

/// What a run depends on: the settings of its engine, the fields of topics and the depth.
pub(crate) fn provenance(
    engine: Vec<(String, String)>,
    answers: &TopicsRun,
    request: &SearchRequest<'_>,
    depth: usize,
) -> Value {
    let indexing = indexing(&engine);
    let failed = answers
        .failed
        .iter()
        .map(|(topic, why)| (topic.clone(), json!(why.to_string())));
    let engine: Map<String, Value> = engine
        .into_iter()
        .map(|(name, value)| (name, json!(value)))
        .collect();
    let own = json!({
        "topics": format!("blake3:{}", topics_hash(request.topics)),
        "query": request.fields.to_string(),
        "depth": depth,
        "topics without results": answers.empty,
        "topics without an answer": Value::Object(failed.collect()),
        "seconds": answers.elapsed.as_secs_f64(),
    });
    let mut metadata = ir_metadata(answers.run.tag(), &json!(engine), &own);
    if let Some(command) = &request.command {
        metadata["implementation"]["executable"] = json!({ "cmd": command });
    }
    if let Some(indexing) = indexing {
        metadata["method"]["indexing"] = indexing;
    }
    metadata["data"] = json!({ "test collection": request.data.json() });
    metadata
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

/// Writes a run in TREC format that begins with its provenance, in lines that begin with `#`; and its provenance next to it.
pub fn save_with_header(searched: &Searched, path: &Path) -> Result<(), cranfield_io::Error> {
    let name = path.to_string_lossy();
    if !matches!(RunFormat::of_name(&name), None | Some(RunFormat::Trec)) {
        let message = "only runs in TREC format have a header";
        return Err(Problem::file(Code::Unwritable, &name, message).into());
    }
    let mut text = String::from("# ir_metadata.start\n");
    for line in yaml(&searched.provenance).lines() {
        text += &format!("# {line}\n");
    }
    text += "# ir_metadata.end\n";
    let mut bytes = text.into_bytes();
    cranfield_io::write_run(&searched.answers.run, RunFormat::Trec, &mut bytes)?;
    let mut out = Output::create(path)?;
    out.write_all(&bytes).map_err(|error| {
        let message = format!("cannot write: {error}");
        Problem::file(Code::CannotWrite, &name, message)
    })?;
    out.finish()?;
    save_provenance(&searched.provenance, path)
}

/// What becomes of topics without results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyTopics {
    /// A note lists them.
    #[default]
    Note,
    /// An error lists them.
    Fail,
}

impl std::str::FromStr for EmptyTopics {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "note" => Ok(Self::Note),
            "fail" => Ok(Self::Fail),
            _ => Err(format!("expected note or fail, found `{name}`")),
        }
    }
}

/// An error if topics have no results.
pub fn check_results(searched: &Searched, engine: &Path) -> Result<(), cranfield_io::Error> {
    let empty = &searched.answers.empty;
    if empty.is_empty() {
        return Ok(());
    }
    let message = format!("no results for {}", empty.join(", "));
    Err(Problem::file(Code::FailedTopics, &engine.to_string_lossy(), message).into())
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
