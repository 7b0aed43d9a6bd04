//! Pools: which documents to judge, what a pool misses, and whom it favours.
//!
//! [`make()`] builds a pool from runs by a [`Strategy`]. Adaptive strategies ask for one document at a time through a [`Queue`], so that a
//! person can answer, or existing judgements.

mod adaptive;
mod bias;
mod coverage;
mod figures;
mod groups;
mod make;
pub mod missing;
mod ordered;
mod queue;
mod rankings;
mod sampling;
mod settle;
mod stats;
mod strata;
mod strategy;
mod tables;
mod votes;
#[cfg(test)]
mod worked_example;

pub use adaptive::Asking;
pub use bias::{LeftOut, PoolBias, bias};
pub use coverage::{COMPLETE, Coverage};
pub use groups::Groups;
pub use make::{Pool, PoolSettings, PooledTopic, make};
pub use queue::Queue;
pub use rankings::{NamedRuns, Rankings, TopicRankings, named_runs};
pub use settle::{Certainty, SettleError, Settled, ToJudge, settle};
pub use stats::{Contribution, PoolStats, TopicSize};
pub use strata::{Strata, Stratum};
pub use strategy::{Bandit, Strategy, Update};
pub use tables::Tables;
pub use votes::{CAVEAT, Vote, VoteSettings, Votes, votes};
