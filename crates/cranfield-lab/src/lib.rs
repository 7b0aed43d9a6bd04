//! Experiments: engines, their cost, tuning, and whole experiments from one file.

pub mod engine;
pub mod tune;
