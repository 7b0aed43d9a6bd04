//! Inverted indexes on disk.
//!
//! An index is a folder: `index.toml` describes it, `segments/` holds terms, postings and stored text in tantivy's format, and next to
//! them are document ids, exact document lengths, and what bounds the scores of frequent terms.

mod bounds;
mod build;
mod checksums;
mod description;
mod ids;
mod invert;
mod open;
mod segment;
mod stored;

pub(crate) use bounds::Pair;
pub use build::{IndexOptions, build};
#[cfg(test)]
pub(crate) use build::{Sizes, build_with};
pub use description::Description;
pub use open::Index;
pub(crate) use open::TermPostings;

const DESCRIPTION: &str = "index.toml";
const SEGMENTS: &str = "segments";
const IDS: &str = "ids";
const LENGTHS: &str = "lengths";
const BOUNDS: &str = "bounds";

/// Bytes of stored text that are compressed together.
const STORED_BLOCK: usize = 16 * 1024;
