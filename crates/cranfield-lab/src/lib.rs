//! Experiments: engines, their cost, tuning, and whole experiments from one file.

pub mod engine;
mod indexing;
pub mod inputs;
mod searching;

pub use indexing::{IndexRequest, Indexed, index};
pub use searching::{SearchRequest, Searched, search, tag};
