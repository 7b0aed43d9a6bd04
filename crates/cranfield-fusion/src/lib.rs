//! Rank fusion: one run from several.
//!
//! A [`Fusion`] names a [`Method`] and how scores are normalised ([`Norm`]). [`fuse_topic`] fuses the lists of one topic, [`fuse_runs`]
//! runs in memory, and [`RunFiles`] files, topic by topic while they are read. Methods that learn from judgements are [trained](train) first.
//!
//! Each family of methods has a file: `scores.rs`, `ranks.rs`, `votes.rs` and `trained.rs`. All of them see the ranks that
//! [`Ranking::arrange`](cranfield_core::ranking::Ranking::arrange) gives, never a rank column.

mod candidates;
mod error;
mod files;
mod method;
mod norm;
mod notes;
mod ranks;
mod runs;
mod scores;
mod segments;
mod settings;
mod topic;
mod trained;
mod training;
mod votes;

#[cfg(test)]
mod tests;

pub use error::Error;
pub use files::RunFiles;
pub use method::{METHODS, Method, Weighting};
pub use norm::{NORMS, Norm};
pub use runs::{Summary, fuse_runs, normalise_run, train};
pub use settings::{Fusion, Missing, Profile};
pub use topic::fuse_topic;
pub use training::Trained;
