//! Evaluation of a TREC run while it is read: a topic is dropped after its last line.

use cranfield_core::evaluate::Plan;
use cranfield_core::policy::TieBreak;
use cranfield_core::qrels::Qrels;
use cranfield_core::small_sort::SmallSort;
use cranfield_io::trec::{Dialect, FaultyLine, LineFault, RunLine, RunLines, offset_in, strict};

use crate::engine::pieces::{Sink, walk};
use crate::engine::rows::{Duplicate, Rows, collect};
use crate::engine::scores::RunScores;

/// Scores of a run, and the faulty lines of its file.
#[derive(Debug)]
pub struct EvaluatedText {
    /// The scores.
    pub scores: RunScores,
    /// The first faulty lines.
    pub faults: Vec<FaultyLine>,
    /// Number of faulty lines.
    pub fault_count: u64,
    /// Documents that rankings repeat, by offset of the second line.
    pub duplicates: Vec<DuplicateLine>,
}

/// A document that a ranking repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateLine {
    /// Topic id.
    pub topic: Vec<u8>,
    /// Document id.
    pub doc: Vec<u8>,
    /// Offset of its first line.
    pub first: usize,
    /// Offset of its second line.
    pub second: usize,
}

/// Evaluates a TREC run from the bytes of its file.
pub fn evaluate_text(bytes: &[u8], dialect: Dialect, qrels: &Qrels, plan: &Plan) -> EvaluatedText {
    let walked = walk(
        bytes,
        || RunLines::new(bytes, dialect),
        |lines| TextSink {
            bytes,
            rows: Rows::new(qrels, plan).expecting(lines),
        },
    );
    let (faults, fault_count) = (walked.faults, walked.fault_count);
    let mut parts: Vec<Rows<'_, '_>> = Vec::with_capacity(walked.parts.len());
    for part in walked.parts {
        let mut rows = part.sink.rows;
        rows.void(&part.void);
        parts.push(rows);
    }
    let duplicates = parts
        .iter()
        .flat_map(Rows::duplicates)
        .map(|found| locate(bytes, found));
    let mut duplicates: Vec<DuplicateLine> = duplicates.collect();
    duplicates.small_sort_by_key(|duplicate| duplicate.second);
    let mut scores = collect(parts, qrels, plan);
    scores.tag = last_tag(bytes, dialect);
    EvaluatedText {
        scores,
        faults,
        fault_count,
        duplicates,
    }
}

fn locate(bytes: &[u8], duplicate: &Duplicate<'_>) -> DuplicateLine {
    let places = [
        offset_in(bytes, duplicate.first),
        offset_in(bytes, duplicate.second),
    ];
    DuplicateLine {
        topic: duplicate.topic.to_vec(),
        doc: duplicate.first.to_vec(),
        first: places[0].min(places[1]),
        second: places[0].max(places[1]),
    }
}

/// The tag of the last line, which is the run's.
pub(crate) fn last_tag(bytes: &[u8], dialect: Dialect) -> String {
    let mut end = bytes.len();
    while end > 0 {
        let start = memchr::memrchr(b'\n', &bytes[..end - 1]).map_or(0, |newline| newline + 1);
        if let Some(Ok(line)) = RunLines::new(&bytes[start..end], dialect).next() {
            return String::from_utf8_lossy(line.tag).into_owned();
        }
        end = start;
    }
    String::new()
}

/// The rank column of a line, which must be a number.
pub(crate) fn rank_column(bytes: &[u8], line: &RunLine<'_>) -> Result<f64, FaultyLine> {
    let rank = strict(line.rank).filter(|rank| rank.is_finite());
    rank.ok_or_else(|| FaultyLine {
        at: offset_in(bytes, line.rank),
        width: line.rank.len(),
        fault: LineFault::Rank,
    })
}

struct TextSink<'a, 'p> {
    bytes: &'a [u8],
    rows: Rows<'a, 'p>,
}

impl<'a> Sink<'a> for TextSink<'a, '_> {
    type Line = RunLine<'a>;

    fn check(&self, line: &RunLine<'a>) -> Result<(), FaultyLine> {
        match self.rows.ties() {
            TieBreak::RankColumn => rank_column(self.bytes, line).map(|_| ()),
            _ => Ok(()),
        }
    }

    #[expect(clippy::inline_always, reason = "measured: called for every line")]
    #[inline(always)]
    fn push(&mut self, line: &RunLine<'a>) -> Result<(), FaultyLine> {
        if self.rows.ties() != TieBreak::RankColumn {
            self.rows.push(line.doc, line.score);
            return Ok(());
        }
        self.rows
            .push_ranked(line.doc, line.score, rank_column(self.bytes, line)?);
        Ok(())
    }

    fn end_topic(&mut self, topic: &'a [u8]) {
        self.rows.end_topic(topic);
    }

    fn abandon_topic(&mut self) {
        self.rows.abandon_topic();
    }
}
