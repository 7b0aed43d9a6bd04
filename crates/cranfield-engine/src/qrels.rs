//! Qrels from TREC text, read by several threads.

use cranfield_core::doc_hash::DocHasher;
use cranfield_core::qrels::{Qrels, Shard};
use cranfield_io::trec::{Dialect, FaultyLine, QrelsLine, QrelsLines};

use crate::pieces::{Sink, walk};

/// Qrels and what was wrong with their text.
#[derive(Debug)]
pub struct ReadQrels {
    /// The judgements of all good lines.
    pub qrels: Qrels,
    /// Faulty lines, the first ones.
    pub faults: Vec<FaultyLine>,
    /// Number of faulty lines.
    pub fault_count: u64,
}

/// Reads TREC qrels.
pub fn read_qrels(bytes: &[u8], dialect: Dialect) -> ReadQrels {
    let hasher = DocHasher::default();
    let walked = walk(
        bytes,
        || QrelsLines::new(bytes, dialect),
        || QrelsSink {
            hasher: &hasher,
            shard: Shard::default(),
        },
    );
    let shards = walked.parts.into_iter().map(|part| {
        let mut shard = part.sink.shard;
        if part.void.contains(&true) {
            shard.retain_topics(|at| !part.void[at]);
        }
        shard
    });
    let shards = shards.collect();
    let (faults, fault_count) = (walked.faults, walked.fault_count);
    ReadQrels {
        qrels: Qrels::from_shards(hasher, shards),
        faults,
        fault_count,
    }
}

struct QrelsSink<'h> {
    hasher: &'h DocHasher,
    shard: Shard,
}

impl<'a> Sink<'a> for QrelsSink<'_> {
    type Line = QrelsLine<'a>;

    #[inline]
    fn push(&mut self, line: &QrelsLine<'a>) -> Result<(), FaultyLine> {
        self.shard.push(self.hasher, line.doc, line.grade);
        Ok(())
    }

    fn end_topic(&mut self, topic: &'a [u8]) {
        self.shard.end_topic(topic);
    }

    fn abandon_topic(&mut self) {
        self.shard.abandon_topic();
    }
}
