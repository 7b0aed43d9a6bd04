//! Writes lines of columns: TREC and MS MARCO.

use std::io::{self, Write};

use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;

use super::{DEFAULT_TAG, ranked, ranked_by_score};
use crate::number::Shortest;

pub(super) fn write_run(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let tag = if run.tag().is_empty() {
        DEFAULT_TAG
    } else {
        run.tag()
    };
    for topic in run.topics() {
        for row in ranked(topic) {
            out.write_all(topic.id())?;
            out.write_all(b" Q0 ")?;
            out.write_all(row.entry.doc)?;
            writeln!(
                out,
                " {} {} {tag}",
                Shortest(row.rank),
                Shortest(row.entry.score)
            )?;
        }
    }
    Ok(())
}

pub(super) fn write_ranks(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    for topic in run.topics() {
        for row in ranked_by_score(topic) {
            out.write_all(topic.id())?;
            out.write_all(b"\t")?;
            out.write_all(row.entry.doc)?;
            writeln!(out, "\t{}", Shortest(row.rank))?;
        }
    }
    Ok(())
}

pub(super) fn write_qrels(qrels: &Qrels, separator: char, out: &mut dyn Write) -> io::Result<()> {
    for topic in qrels.topics() {
        for (doc, grade) in topic.judgements() {
            out.write_all(topic.id())?;
            write!(out, "{separator}0{separator}")?;
            out.write_all(doc)?;
            writeln!(out, "{separator}{}", Shortest(grade))?;
        }
    }
    Ok(())
}
