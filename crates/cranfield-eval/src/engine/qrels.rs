//! Reads TREC qrels in parallel.

use std::ops::Range;

use bytes::Bytes;
use cranfield_core::doc_hash::DocHasher;
use cranfield_core::qrels::{Qrels, Shard};
use cranfield_io::trec::{Dialect, FaultyLine, QrelsLine, QrelsLines, offset_in};

use crate::engine::pieces::{Sink, walk};

/// Qrels, and the faulty lines of their file.
#[derive(Debug)]
pub struct ReadQrels {
    /// The judgements of all valid lines.
    pub qrels: Qrels,
    /// The first faulty lines.
    pub faults: Vec<FaultyLine>,
    /// Number of faulty lines.
    pub fault_count: u64,
}

/// Reads TREC qrels; ids stay in `text`, which the result shares.
pub fn read_qrels(text: &Bytes, dialect: Dialect) -> ReadQrels {
    let hasher = DocHasher::default();
    let walked = walk(
        text,
        || QrelsLines::new(text, dialect),
        |lines| QrelsSink {
            hasher: &hasher,
            text,
            shard: Shard::with_capacity(lines),
        },
    );
    let shards = walked.parts.into_iter().map(|part| {
        let mut shard = part.sink.shard;
        if part.void.contains(&true) {
            shard.retain_topics(text, |at| !part.void[at]);
        }
        shard
    });
    let shards = shards.collect();
    let (faults, fault_count) = (walked.faults, walked.fault_count);
    ReadQrels {
        qrels: Qrels::from_shards(hasher, text.clone(), shards),
        faults,
        fault_count,
    }
}

struct QrelsSink<'a, 'h> {
    hasher: &'h DocHasher,
    text: &'a [u8],
    shard: Shard,
}

impl<'a> QrelsSink<'a, '_> {
    fn place(&self, id: &'a [u8]) -> Range<usize> {
        let start = offset_in(self.text, id);
        start..start + id.len()
    }
}

impl<'a> Sink<'a> for QrelsSink<'a, '_> {
    type Line = QrelsLine<'a>;

    #[expect(clippy::inline_always, reason = "measured: called for every line")]
    #[inline(always)]
    fn push(&mut self, line: &QrelsLine<'a>) -> Result<(), FaultyLine> {
        let doc = self.place(line.doc);
        self.shard.push(self.hasher.hash(line.doc), doc, line.grade);
        Ok(())
    }

    fn end_topic(&mut self, topic: &'a [u8]) {
        self.shard.end_topic(self.text, self.place(topic));
    }

    fn abandon_topic(&mut self) {
        self.shard.abandon_topic();
    }
}
