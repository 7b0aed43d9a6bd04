//! Tests of the crate's public interface.

mod arbitrary;
mod compressed;
mod doctor;
mod malformed;
mod outputs;
mod round_trip;
mod signals;
mod tables;

use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use cranfield_io::{Error, Source, read_qrels, read_run};

/// Reads a run and detects its format.
fn run_of(name: &str, bytes: &[u8]) -> Result<Run, Error> {
    read_run(&Source::from_bytes(name, bytes.to_vec())?, None)
}

/// Reads judgements and detects their format.
fn qrels_of(name: &str, bytes: &[u8]) -> Result<Qrels, Error> {
    read_qrels(&Source::from_bytes(name, bytes.to_vec())?, None)
}

/// Name of a case, name of a file, content of the file.
type Case<'a> = (&'a str, &'a str, &'a [u8]);

/// Lists the output for each case below the name of the case.
fn listing(cases: &[Case<'_>], output: impl Fn(&str, &[u8]) -> String) -> String {
    let sections = cases.iter().map(|(case, file, bytes)| {
        let output = output(file, bytes);
        format!("## {case}\n{}\n", output.trim_end())
    });
    sections.collect::<Vec<_>>().join("\n")
}

/// Topic, document, score, rank.
type RunRow = (Vec<u8>, Vec<u8>, f64, Option<f64>);

/// Rows of a run.
fn rows(run: &Run) -> Vec<RunRow> {
    let topics = run.topics();
    let rows = |topic: cranfield_core::run::RunTopic<'_>| -> Vec<_> {
        let rows = topic.entries().map(|entry| {
            (
                topic.id().to_vec(),
                entry.doc.to_vec(),
                entry.score,
                entry.rank,
            )
        });
        rows.collect()
    };
    topics.flat_map(rows).collect()
}

/// Judgements: topic, document, grade.
fn judgements(qrels: &Qrels) -> Vec<(Vec<u8>, Vec<u8>, f64)> {
    let mut all = Vec::new();
    for topic in qrels.topics() {
        all.extend(
            topic
                .judgements()
                .map(|(doc, grade)| (topic.id().to_vec(), doc.to_vec(), grade)),
        );
    }
    all
}
