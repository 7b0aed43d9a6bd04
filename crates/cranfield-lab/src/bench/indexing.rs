//! The cost of indexing: repetitions of the command `index`, each in a process of its own.
//!
//! A process of its own starts without memory and caches of earlier repetitions, so its peak memory and CPU time are those of
//! indexing alone.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cranfield_collection::DocumentOptions;
use cranfield_core::setting::{Message, Setting};
use cranfield_eval::{Progress, Step};
use cranfield_search::{Analyzer, Description};
use serde::Deserialize;

use super::BenchError;
use super::calibration::{Noise, Work};
use super::cost::Cost;
use super::indexing_result::{IndexBenchResult, IndexingResult, ratios};
use super::machine::{Machine, Ticks};
use crate::{Error, inputs, text_fields};

/// A way to index, of those that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indexing {
    /// Name of the analyser.
    pub analyzer: String,
    /// Number of threads.
    pub threads: usize,
}

impl fmt::Display for Indexing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { analyzer, threads } = self;
        let plural = if *threads == 1 { "" } else { "s" };
        write!(f, "{analyzer} on {threads} thread{plural}")
    }
}

/// What to index, how, and how often.
#[derive(Clone, Debug)]
pub struct IndexBenchSettings {
    /// The program `cranfield`, with arguments before its command if it needs any.
    pub program: Vec<OsString>,
    /// A collection file, or files and folders of documents.
    pub inputs: Vec<PathBuf>,
    /// The ways to index.
    pub ways: Vec<Indexing>,
    /// Names of the fields to index, or `all`; the usual ones if there are none.
    pub fields: Vec<String>,
    /// Whether to store the text.
    pub text: bool,
    /// Repetitions of each way.
    pub repetitions: usize,
    /// Seed of intervals.
    pub seed: u64,
    /// Receives the repetitions.
    pub progress: Progress,
}

impl IndexBenchSettings {
    fn check(&self) -> Result<(), Error> {
        let bad = |message: Message| Err(BenchError::Setting(message).into());
        if self.program.is_empty() || self.ways.is_empty() {
            return bad("no program, or no way to index".into());
        }
        if self.repetitions == 0 {
            return bad(Message::from(Setting::Repetitions).then(" is 0"));
        }
        for way in &self.ways {
            Analyzer::named(&way.analyzer)?;
            if way.threads == 0 {
                return bad("the number of threads is 0".into());
            }
        }
        // Errors of the collection are reported before anything is measured.
        let text = text_fields(&self.fields);
        let reading = DocumentOptions {
            text,
            ..DocumentOptions::default()
        };
        inputs::documents(&self.inputs, reading).map(|_| ())?;
        Ok(())
    }

    /// The command that builds an index in a folder and prints what it cost.
    fn command(&self, way: &Indexing, output: &Path) -> Command {
        let mut words = self.program.iter();
        let mut command = Command::new(words.next().cloned().unwrap_or_default());
        command.args(words).arg("index").arg("--output").arg(output);
        command.arg("--analyzer").arg(&way.analyzer);
        command.arg("--threads").arg(way.threads.to_string());
        if !self.fields.is_empty() {
            command.arg("--fields").arg(self.fields.join(","));
        }
        if !self.text {
            command.arg("--no-text");
        }
        command.args(["--format", "json", "--quiet", "--"]);
        command.args(&self.inputs).stdin(Stdio::null());
        command
    }
}

/// The parts that matter here of what the command `index` prints.
#[derive(Deserialize)]
struct Built {
    index: Description,
    input_bytes: u64,
    bytes: u64,
    cost: Cost,
    problems: BTreeMap<String, u64>,
}

/// Indexes a collection in each of the given ways, again and again, and measures what it costs.
///
/// Indexes are written to the system's folder of temporary files, and removed.
///
/// # Errors
/// If a setting is invalid, documents cannot be read, or the program fails.
pub fn bench_indexing(settings: &IndexBenchSettings) -> Result<IndexBenchResult, Error> {
    settings.check()?;
    let machine = Machine::detect();
    let work = Work::calibrated();
    let (before, ticks) = (work.repeat(), Ticks::now());
    let mut built: Vec<Vec<Built>> = settings.ways.iter().map(|_| Vec::new()).collect();
    let total = settings.repetitions * settings.ways.len();
    for repetition in 0..settings.repetitions {
        // As with engines: in their order, then in reverse order.
        let mut order: Vec<usize> = (0..settings.ways.len()).collect();
        if repetition % 2 == 1 {
            order.reverse();
        }
        for (done, at) in order.into_iter().enumerate() {
            let way = &settings.ways[at];
            settings.progress.report(Step {
                measure: &way.analyzer,
                what: "repetitions",
                done: repetition * settings.ways.len() + done,
                total,
            });
            let one = build(settings, way)
                .map_err(|message| BenchError::Setting(format!("{way}: {message}").into()))?;
            built[at].push(one);
        }
    }
    let noise = Noise::of(&machine, [before, work.repeat()], [ticks, Ticks::now()]);
    let results = settings.ways.iter().zip(built);
    let results = results
        .filter_map(|(way, all)| result(way, all))
        .collect::<Vec<_>>();
    Ok(IndexBenchResult {
        machine,
        noise,
        repetitions: settings.repetitions,
        seed: settings.seed,
        ratios: ratios(&results, settings.seed),
        indexes: results,
    })
}

/// Runs the program once.
fn build(settings: &IndexBenchSettings, way: &Indexing) -> Result<Built, String> {
    let folder = tempfile::tempdir()
        .map_err(|error| format!("cannot create a temporary folder: {error}"))?;
    let mut command = settings.command(way, &folder.path().join("index"));
    let program = command.get_program().to_string_lossy().into_owned();
    let ended = command
        .output()
        .map_err(|error| format!("cannot start `{program}`: {error}"))?;
    if !ended.status.success() {
        let errors = String::from_utf8_lossy(&ended.stderr);
        return Err(format!(
            "indexing ended with {}: {}",
            ended.status,
            errors.trim()
        ));
    }
    serde_json::from_slice(&ended.stdout)
        .map_err(|error| format!("expected the JSON of an index from `{program}`: {error}"))
}

fn result(way: &Indexing, all: Vec<Built>) -> Option<IndexingResult> {
    let costs = all.iter().map(|built| built.cost.clone()).collect();
    let last = all.into_iter().next_back()?;
    Some(IndexingResult {
        way: way.clone(),
        description: last.index,
        input_bytes: last.input_bytes,
        bytes: last.bytes,
        problems: last.problems,
        costs,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranfield_render::{Render, ResultFormat};

    const PRINTED: &str = r#"{"index": {"format": 1, "cranfield": "0", "analyzer": "english", "fields": ["text"], "text": true,
        "documents": 1000, "empty": 0, "tokens": 9, "terms": 5, "postings": 8000, "text_bytes": 2000000, "content": "",
        "segments": [1000]}, "input_bytes": 500000, "bytes": 1000000, "problems": {"documents without an id": 2},
        "cost": {"seconds": 0.5, "cpu": 0.75, "peak_memory": 30000000, "written": null, "energy": null}}"#;

    fn settings(script: &str, inputs: &Path) -> IndexBenchSettings {
        IndexBenchSettings {
            program: ["sh", "-c", script, "sh"].map(OsString::from).to_vec(),
            inputs: vec![inputs.to_owned()],
            ways: [1, 2]
                .map(|threads| Indexing {
                    analyzer: "english".into(),
                    threads,
                })
                .to_vec(),
            fields: Vec::new(),
            text: true,
            repetitions: 3,
            seed: 1,
            progress: Progress::default(),
        }
    }

    #[cfg(unix)]
    #[test]
    fn repetitions_are_run_and_summarised() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("documents.jsonl");
        std::fs::write(&file, "{\"id\": \"1\", \"text\": \"a\"}\n").expect("a file");
        let log = folder.path().join("log");
        let script = format!("echo \"$5 $7\" >> {}; echo '{PRINTED}'", log.display());
        let result = bench_indexing(&settings(&script, &file)).expect("the program works");
        // In turn, in an order that lets neither profit from drift.
        let log = std::fs::read_to_string(log).expect("a log");
        assert_eq!(log.replace("english ", "").replace('\n', ""), "122112");
        let one = &result.indexes[0];
        assert_eq!(
            (one.overhead(), one.bytes_per_posting()),
            (Some(0.5), Some(125.0))
        );
        let rate = one.documents_per_second(1).expect("repetitions");
        assert_eq!(
            (rate.value, rate.interval),
            (2000.0, Some([2000.0, 2000.0]))
        );
        assert_eq!(
            one.megabytes_per_second(1).map(|rate| rate.value),
            Some(4.0)
        );
        assert_eq!(result.ratios[0].ratio.value, 1.0);
        assert_eq!(result.warnings(), ["documents without an id: 2"]);
        let text = result.render(ResultFormat::Table, 100).expect("a table");
        assert!(
            text.contains("unavailable") && text.contains("30.0 MB"),
            "{text}"
        );
        let json = result.json();
        assert_eq!(json["indexes"][1]["repetitions"][2]["cpu"], 0.75);
    }

    #[cfg(unix)]
    #[test]
    fn failures_are_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("documents.jsonl");
        std::fs::write(&file, "{\"id\": \"1\", \"text\": \"a\"}\n").expect("a file");
        let message = |script: &str| {
            let result = bench_indexing(&settings(script, &file));
            result.expect_err("a failure").to_string()
        };
        let full = message("echo disk full >&2; exit 2");
        assert!(
            full.contains("english on 1 thread: ") && full.contains("disk full"),
            "{full}"
        );
        assert!(message("echo hello").contains("expected the JSON of an index"));
        let missing = bench_indexing(&settings("exit 0", &folder.path().join("missing")));
        assert!(missing.is_err());
    }
}
