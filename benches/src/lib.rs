//! Deterministic qrels and runs in the four shapes that the benchmarks use.
//!
//! All arithmetic is on integers, so the same arguments give the same bytes on every machine.
//!
//! A topic has a pool of candidate documents, some of them judged. A candidate's score is the sum of a part that all
//! runs share, a bonus for its grade, and noise of the run; the best candidates are written in descending order.
//! A tenth of the lines then take the score of the line above, so tied documents are in an order that has
//! nothing to do with their ids, and tools that break ties differently give different numbers.

pub mod ids;
pub mod rng;
pub mod shape;
pub mod topic;
pub mod write;
