//! The four data sets.

use crate::ids::IdStyle;
use crate::rng::Rng;

/// The grades of the judged documents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Judging {
    /// Deep pools: about 5 % relevant, grades 0 to 3.
    Deep,
    /// One relevant document for most topics, up to four; nothing else judged. The mean is about 1.07.
    Sparse,
    /// Few judgements, half of them relevant, grades 0 to 3.
    Shallow,
}

/// The size and style of a data set.
#[derive(Clone, Copy)]
pub struct Shape {
    /// The folder, and what the command line calls it.
    pub name: &'static str,
    /// Sets with the same number share their topics and judgements.
    pub number: u64,
    pub topics: u64,
    pub depth: usize,
    pub judged: usize,
    /// Candidates of a topic, judged ones included.
    pub candidates: u64,
    pub runs: u64,
    pub ids: IdStyle,
    pub judging: Judging,
}

const SMALL: Shape = Shape {
    name: "S",
    number: 1,
    topics: 50,
    depth: 1000,
    judged: 2000,
    candidates: 3600,
    runs: 1,
    ids: IdStyle::Newswire,
    judging: Judging::Deep,
};

/// All data sets: small, medium, large, and wide (100 runs on the topics of the small one).
pub const SHAPES: [Shape; 4] = [
    SMALL,
    Shape {
        name: "M",
        number: 2,
        topics: 6980,
        depth: 1000,
        judged: 4,
        candidates: 1800,
        runs: 1,
        ids: IdStyle::Number,
        judging: Judging::Sparse,
    },
    Shape {
        name: "L",
        number: 3,
        topics: 100_000,
        depth: 100,
        judged: 10,
        candidates: 180,
        runs: 1,
        ids: IdStyle::Passage,
        judging: Judging::Shallow,
    },
    Shape {
        name: "W",
        runs: 100,
        ..SMALL
    },
];

impl Shape {
    /// The topic ids, ascending: 301 and on for the newswire set, sparse numbers for the others.
    pub fn topic_ids(&self, seed: u64) -> Vec<u64> {
        if self.ids == IdStyle::Newswire {
            return (301..301 + self.topics).collect();
        }
        Rng::new(&[seed, self.number, 0]).spread(self.topics, 1_180_000)
    }

    /// The name of run `run` (from 1).
    pub fn run_file(&self, run: u64) -> String {
        if self.runs == 1 {
            return "run.txt".to_owned();
        }
        format!("run{run:03}.txt")
    }
}
