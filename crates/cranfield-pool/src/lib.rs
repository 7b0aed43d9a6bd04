//! Pools: which documents to judge, what a pool misses, and whom it favours.
//!
//! [`make`] builds a pool from runs by a [`Strategy`]. Adaptive strategies ask for one document at a time through a [`Queue`], so that a
//! person can answer, or existing judgements.

mod adaptive;
mod make;
mod ordered;
mod queue;
mod rankings;
mod sampling;
mod strata;
mod strategy;
#[cfg(test)]
mod worked_example;

pub use adaptive::Asking;
pub use make::{Pool, PoolSettings, PooledTopic, make};
pub use queue::Queue;
pub use rankings::{Rankings, TopicRankings};
pub use strata::{Strata, Stratum};
pub use strategy::{Bandit, Strategy, Update};
