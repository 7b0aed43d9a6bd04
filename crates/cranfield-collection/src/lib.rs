//! Readers of test collections.
//!
//! A test collection has documents, topics and relevance judgements. [`Document`]s are read as a stream, so that a collection may be
//! larger than memory; [`Topic`]s are few and are kept. A [`Collection`] knows where they are and how they belong together.

mod collection;
mod document;
mod documents;
mod encoding;
mod entities;
mod markup;
mod reversed;
mod topic;
mod topics;

pub use collection::{
    Collection, DocumentFiles, DocumentText, IdRule, QrelsColumn, QrelsFiles, QrelsLayout,
    TopicFiles,
};
pub use document::{Document, DocumentPlace, TextFields};
pub use documents::{DocumentFormat, DocumentOptions, Documents, OnProgress, ReadReport, Tally};
pub use reversed::grades_look_reversed;
pub use topic::{QueryFields, Topic};
pub use topics::{TopicFormat, Topics};

#[cfg(test)]
mod tests;
