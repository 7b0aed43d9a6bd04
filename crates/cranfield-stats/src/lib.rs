//! Statistics for comparing systems that were measured on the same topics.
//!
//! This crate knows nothing about information retrieval. Its functions take slices of `f64`, paired by position, or a
//! [`matrix::ScoreMatrix`] of systems and topics, and return structures with all numbers of a test.
//!
//! - Undefined results are explicit: a result without a value is `None`, and a test of degenerate values sets
//!   [`common::Degenerate`].
//! - Differences are rounded to a decimal grid before they are ranked or permuted ([`sample::Quantised`]), so that
//!   rounding errors of floating point neither make nor break ties.
//! - Random numbers come from numbered streams ([`random`]): a seed gives the same bits on any number of threads.

pub mod common;
pub mod distributions;
pub mod error;
pub mod matrix;
pub mod progress;
pub mod random;
pub mod sample;

pub mod bootstrap;
pub mod corrections;
pub mod effect;
pub mod equivalence;
pub mod non_inferiority;
pub mod null_simulation;
pub mod paired_t;
pub mod randomisation;
pub mod sign;
pub mod wilcoxon;
pub mod wins;

pub mod agreement;
pub mod anova;
pub mod discriminative;
pub mod dunnett;
pub mod friedman;
pub mod groups;
mod integrate;
pub mod pairs;
mod pool;
pub mod power;
pub mod randomised_tukey;
pub mod rank_correlation;
mod ranks;
pub mod standardise;
pub mod studentised_range;
pub mod tukey;
mod within_topics;

#[cfg(test)]
mod scale_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod threads_tests;

pub use common::{Alternative, Degenerate, Interval};
pub use error::{Result, StatsError, short};
pub use matrix::ScoreMatrix;
