//! The measures of Cranfield and everything that is known by a measure's name.
//!
//! [`MEASURES`] is the registry, one file per measure. [`spec`] reads names, [`profiles`] and [`trec_names`] know the names and
//! definitions of other programs, [`vectors`] takes a measure at every rank, and [`scenario`] chooses measures for a kind of
//! user. Nothing here reads a file.

mod measures;
mod page;
pub mod profiles;
pub mod scenario;
pub mod spec;
#[cfg(test)]
mod tests;
pub mod trec_names;
pub mod variants;
pub mod vectors;

pub use measures::{MEASURES, rank_profile};
