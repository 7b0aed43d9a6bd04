//! The worked example of the documentation: three runs of five documents.

use crate::rankings::TopicRankings;

/// Documents that are relevant.
pub(crate) const RELEVANT: [&[u8]; 4] = [b"a", b"b", b"c", b"j"];

/// Runs A, B and C.
pub(crate) fn example() -> TopicRankings {
    let runs = ["a b c d e", "b f a g h", "i b j c k"];
    let runs = runs.map(|run| run.split(' ').collect::<Vec<_>>());
    TopicRankings::new("1", &runs, 5)
}

/// Ids with spaces between them.
pub(crate) fn ids(topic: &TopicRankings, docs: &[u32]) -> String {
    let ids = docs
        .iter()
        .map(|doc| String::from_utf8_lossy(topic.doc(*doc)));
    ids.collect::<Vec<_>>().join(" ")
}
