//! Writes JSON: one object of topics, or one record per line.

use std::io::{self, Write};

use cranfield_core::qrels::Qrels;
use cranfield_core::run::{Run, RunTopic};

use super::ranked;
use crate::number::Shortest;

/// Writes a JSON string; ids are UTF-8, as checked before writing.
fn string(id: &[u8], out: &mut dyn Write) -> io::Result<()> {
    Ok(serde_json::to_writer(out, &String::from_utf8_lossy(id))?)
}

/// A topic with its documents and numbers.
type Topic<'a> = (&'a [u8], Vec<(&'a [u8], f64)>);

/// Writes one object from topic to document to number, with one topic per line.
fn write_topics<'a>(
    topics: impl Iterator<Item = Topic<'a>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(b"{")?;
    for (at, (topic, docs)) in topics.enumerate() {
        out.write_all(if at == 0 { b"\n" } else { b",\n" })?;
        string(topic, out)?;
        out.write_all(b": {")?;
        for (at, (doc, value)) in docs.into_iter().enumerate() {
            out.write_all(if at == 0 { b"" } else { b", " })?;
            string(doc, out)?;
            write!(out, ": {}", Shortest(value))?;
        }
        out.write_all(b"}")?;
    }
    out.write_all(b"\n}\n")
}

pub(super) fn write_run(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    write_topics(run.topics().map(|topic| (topic.id(), scores(topic))), out)
}

fn scores(topic: RunTopic<'_>) -> Vec<(&[u8], f64)> {
    topic
        .entries()
        .map(|entry| (entry.doc, entry.score))
        .collect()
}

pub(super) fn write_qrels(qrels: &Qrels, out: &mut dyn Write) -> io::Result<()> {
    write_topics(
        qrels
            .topics()
            .map(|topic| (topic.id(), topic.judgements().collect())),
        out,
    )
}

pub(super) fn write_run_lines(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    for topic in run.topics() {
        for row in ranked(topic) {
            start_record(topic.id(), row.entry.doc, out)?;
            write!(
                out,
                ",\"rank\":{},\"score\":{}",
                Shortest(row.rank),
                Shortest(row.entry.score)
            )?;
            if !run.tag().is_empty() {
                out.write_all(b",\"tag\":")?;
                string(run.tag().as_bytes(), out)?;
            }
            out.write_all(b"}\n")?;
        }
    }
    Ok(())
}

pub(super) fn write_qrels_lines(qrels: &Qrels, out: &mut dyn Write) -> io::Result<()> {
    for topic in qrels.topics() {
        for (doc, grade) in topic.judgements() {
            start_record(topic.id(), doc, out)?;
            writeln!(out, ",\"rel\":{}}}", Shortest(grade))?;
        }
    }
    Ok(())
}

fn start_record(topic: &[u8], doc: &[u8], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"{\"topic\":")?;
    string(topic, out)?;
    out.write_all(b",\"doc\":")?;
    string(doc, out)
}
