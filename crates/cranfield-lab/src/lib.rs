//! Experiments: engines, their cost, tuning, and whole experiments from one file.

pub mod bench;
pub mod demo;
pub mod duration;
pub mod engine;
mod error;
pub mod experiment;
mod indexing;
pub mod inputs;
mod run_topics;
pub mod searching;
pub mod tune;

pub use error::Error;
pub use indexing::{IndexRequest, Indexed, index};
pub use run_topics::{RunSettings, TopicsRun, run_topics};

#[cfg(test)]
mod tests;
