//! Types, measures and the name grammar of Cranfield.
//!
//! This crate does not read files, start threads, read the clock or print: every measure is a pure function
//! of a [`topic::JudgedRanking`], and the order of a ranking is decided in one place, [`ranking`].

pub mod doc_hash;
pub mod error;
pub mod evaluate;
pub mod expected;
pub mod explain;
pub mod gains;
pub mod groups;
pub mod known;
pub mod measure;
pub mod measures;
pub mod merge_sort;
pub(crate) mod orders;
mod page;
pub mod params;
pub mod places;
pub mod policy;
pub mod prefs;
pub mod profiles;
pub mod qrels;
pub mod ranking;
pub(crate) mod readings;
pub mod run;
pub mod sampled;
pub mod scenario;
pub mod session;
pub mod setting;
pub mod spec;
pub mod tied;
pub mod topic;
pub mod trec_names;
pub mod variants;
pub mod vectors;
