//! Inverted indexes, ranking functions, relevance feedback and exact vector search.

mod analysis;
pub mod dense;
mod error;
mod feedback;
mod index;
mod model;
mod score;
mod searcher;

pub use analysis::Analyzer;
pub use error::Error;
pub use feedback::Feedback;
pub use index::{Description, Index, IndexOptions, build};
pub use model::{Idf, Lengths, Likelihood, Model, Smart};
pub use score::{Explanation, Hit, Query, Scorer, Strategy, TermScore};
pub use searcher::Searcher;

#[cfg(test)]
mod tests;
