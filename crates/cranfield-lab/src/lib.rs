//! Experiments: engines, their cost, tuning, and whole experiments from one file.

pub mod bench;
pub mod demo;
pub mod doctor;
pub mod duration;
pub mod engine;
mod error;
pub mod experiment;
mod fusing;
mod indexing;
pub mod inputs;
mod run_topics;
mod score_of;
pub mod searching;
pub mod tune;

pub use error::Error;
pub use fusing::{FuseRequest, fuse_files};
pub use indexing::{IndexRequest, Indexed, index, index_documents, text_fields};
pub use run_topics::{RunSettings, TopicsRun, run_topics};
pub use score_of::{DocumentScore, explain_score};

#[cfg(test)]
mod tests;
