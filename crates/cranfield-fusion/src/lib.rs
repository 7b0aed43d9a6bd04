//! Rank fusion: one run from several.
//!
//! A [`Fusion`] names a [`Method`] and how scores are normalised ([`Norm`]). [`fuse_topic`] fuses the lists of one topic.
//!
//! Each family of methods has a file: `scores.rs`, `ranks.rs`, `votes.rs` and `trained.rs`. All of them see the ranks that
//! [`Ranking::arrange`](cranfield_core::ranking::Ranking::arrange) gives, never a rank column.

mod candidates;
mod error;
mod method;
mod norm;
mod ranks;
mod scores;
mod settings;
mod topic;
mod trained;
mod training;
mod votes;

#[cfg(test)]
mod tests;

pub use error::Error;
pub use method::{METHODS, Method, Weighting};
pub use norm::{NORMS, Norm};
pub use settings::{Fusion, Missing, Profile};
pub use topic::fuse_topic;
pub use training::Trained;
