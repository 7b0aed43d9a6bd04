//! Statistics of scores: what may be said about a difference between systems that were measured on the same topics.
//!
//! This crate knows nothing of information retrieval. It takes vectors of `f64`, paired by position, and a
//! [`matrix::ScoreMatrix`] of systems and topics, and gives structures with all numbers of a test.
//!
//! - Nothing is undefined in silence. A result that has no value is an `Option`, and a test of values that leave nothing
//!   to test says so in [`common::Degenerate`].
//! - Differences are rounded to a decimal grid before they are ranked or permuted ([`sample::Quantised`]), so that
//!   rounding errors of floating point neither make nor break ties.
//! - Random numbers come from numbered streams ([`random`]): the same seed gives the same bits, whatever the number of
//!   threads.

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
