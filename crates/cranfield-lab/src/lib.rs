//! Experiments: engines, their cost, tuning, and whole experiments from one file.

pub mod bench;
pub mod duration;
pub mod engine;
mod run_topics;
mod topics;

pub use run_topics::{RunSettings, TopicsRun, run_topics};
pub use topics::read_queries;
