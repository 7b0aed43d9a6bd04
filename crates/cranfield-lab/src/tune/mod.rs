//! Tuning of parameters by cross-validation, without a look at the topics that test them.
//!
//! Topics are dealt into folds. For each fold, a point of the [`Space`] is chosen by the scores of the other topics, and only then
//! scored on the topics of the fold: the types of [`sealed`] have no other order. The test scores of all folds together are those
//! of a system that was tuned on other topics; they are compared with the default point on the same topics.
//!
//! ```
//! use cranfield_core::qrels::Qrels;
//! use cranfield_core::run::Run;
//! use cranfield_lab::tune::{Point, QrelsJudge, Settings, Space, TuneError, Tuner};
//!
//! // A system whose only relevant document is first if x is 2.
//! let system = |point: &Point, topics: &[&str]| {
//!     let score = if point.number("x") == Some(2.0) { 2.0 } else { 0.5 };
//!     let scores = topics.iter().flat_map(|&topic| [(topic, "good", score), (topic, "bad", 1.0)]);
//!     Ok::<_, TuneError>(Run::from_scores("system", scores))
//! };
//! let topics: Vec<String> = (1..=6).map(|topic| topic.to_string()).collect();
//! let qrels = Qrels::from_judgements(topics.iter().map(|topic| (topic, "good", 1.0)));
//! let judge = QrelsJudge::new(qrels, "RR")?;
//! let space: Space = "x=[1, 2, 3]".parse()?;
//! let mut tuner = Tuner::new(&system, &judge, topics, space, "x=1".parse()?)?;
//! let tuned = tuner.tune(&Settings::of_folds(3))?;
//! assert_eq!(tuned.folds[0].point.to_string(), "x=2");
//! assert_eq!((tuned.train(), tuned.test()), (1.0, 1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assignments;
mod error;
mod folds;
mod fusion;
mod index;
mod judge;
mod objective;
mod point;
mod render;
pub mod sealed;
mod search;
mod space;
mod tuned;
mod tuner;

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

pub use assignments::{Assignments, read_assignments};
pub use error::TuneError;
pub use folds::Folding;
pub use fusion::FusionCandidate;
pub use index::IndexCandidate;
pub use judge::{Judge, QrelsJudge};
pub use objective::Candidate;
pub use point::{Point, Value};
pub use search::Search;
pub use space::Space;
pub use tuned::{FoldResult, TopicResult, Tuned};
pub use tuner::{Choice, Settings, Tuner};
