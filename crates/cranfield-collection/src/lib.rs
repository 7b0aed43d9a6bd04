//! Readers of test collections.
//!
//! A test collection has documents, topics and relevance judgements. [`Document`]s are read as a stream, so that a collection may be
//! larger than memory; [`Topic`]s are few and are kept.

mod document;
mod topic;

pub use document::Document;
pub use topic::{QueryFields, Topic};
