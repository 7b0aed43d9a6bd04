//! Writes tables with a header: CSV, TSV, BEIR.

use std::io::{self, Write};

use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;

use super::ranked;
use crate::number::Shortest;

pub(super) fn write_run(run: &Run, separator: u8, out: &mut dyn Write) -> io::Result<()> {
    let mut table = csv::WriterBuilder::new()
        .delimiter(separator)
        .from_writer(out);
    table.write_record(["topic", "doc", "rank", "score", "tag"])?;
    for topic in run.topics() {
        for row in ranked(topic) {
            let (rank, score) = (
                Shortest(row.rank).to_string(),
                Shortest(row.entry.score).to_string(),
            );
            table.write_record([
                topic.id(),
                row.entry.doc,
                rank.as_bytes(),
                score.as_bytes(),
                run.tag().as_bytes(),
            ])?;
        }
    }
    table.flush()
}

pub(super) fn write_qrels(
    qrels: &Qrels,
    separator: u8,
    header: [&str; 3],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut table = csv::WriterBuilder::new()
        .delimiter(separator)
        .from_writer(out);
    table.write_record(header)?;
    for topic in qrels.topics() {
        for (doc, grade) in topic.judgements() {
            table.write_record([topic.id(), doc, Shortest(grade).to_string().as_bytes()])?;
        }
    }
    table.flush()
}
