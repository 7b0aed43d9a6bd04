//! Types of Cranfield: rankings, judgements, policies, the [`measure::Measure`] trait and the grammar of names.
//!
//! This crate does not read files, start threads, read the clock or print: a measure is a pure function
//! of a [`topic::JudgedRanking`], and the order of a ranking is decided in one place, [`ranking`].

pub mod arguments;
pub mod doc_hash;
pub mod error;
pub mod evaluate;
pub mod expected;
pub mod explain;
pub mod gains;
pub mod grammar;
pub mod groups;
pub mod known;
pub mod measure;
pub mod merge_sort;
pub mod orders;
pub mod params;
pub mod places;
pub mod policy;
pub mod prefs;
pub mod qrels;
pub mod ranking;
pub mod readings;
pub mod run;
pub mod sampled;
pub mod session;
pub mod setting;
pub mod small_sort;
pub mod tied;
pub mod topic;
pub mod vectors;
