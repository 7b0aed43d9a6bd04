//! Experiments: engines, their cost, tuning, and whole experiments from one file.

pub mod bench;
pub mod duration;
pub mod engine;
mod indexing;
pub mod inputs;
mod run_topics;
pub mod searching;

pub use indexing::{IndexRequest, Indexed, index};
pub use run_topics::{RunSettings, TopicsRun, run_topics};

#[cfg(test)]
mod tests;
