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
    // Parts of lines go to a vector, which takes much less time than an output.
    let mut lines = Vec::new();
    for topic in run.topics() {
        lines.clear();
        for row in ranked(topic) {
            lines.extend_from_slice(topic.id());
            lines.extend_from_slice(b" Q0 ");
            lines.extend_from_slice(row.entry.doc);
            let (rank, score) = (Shortest(row.rank), Shortest(row.entry.score));
            writeln!(lines, " {rank} {score} {tag}")?;
        }
        out.write_all(&lines)?;
    }
    Ok(())
}

/// Appends the lines of one topic of a TREC run: documents with their scores, best first, ranked from 1.
///
/// ```
/// let mut lines = Vec::new();
/// let docs: [(&[u8], f64); 2] = [(b"d2", 0.5), (b"d1", 0.25)];
/// cranfield_io::trec::push_run_lines(&mut lines, b"301", &mut docs.into_iter(), "fused");
/// assert_eq!(lines, b"301 Q0 d2 1 0.5 fused\n301 Q0 d1 2 0.25 fused\n");
/// ```
pub fn push_run_lines(
    lines: &mut Vec<u8>,
    topic: &[u8],
    docs: &mut dyn ExactSizeIterator<Item = (&[u8], f64)>,
    tag: &str,
) {
    for ((doc, score), rank) in docs.zip(1u32..) {
        lines.extend_from_slice(topic);
        lines.extend_from_slice(b" Q0 ");
        lines.extend_from_slice(doc);
        // Writing to a vector cannot fail.
        let _ = writeln!(lines, " {rank} {} {tag}", Shortest(score));
    }
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
