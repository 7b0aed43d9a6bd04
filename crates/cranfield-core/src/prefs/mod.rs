//! Preferences between documents, instead of grades.
//!
//! A line of a preference file puts a document of a topic at a level, inside a judgement group (an assessor, an
//! interpretation of the topic) and a sub-group (a set of documents that were compared with each other). Inside one
//! sub-group every document is preferred to every document of a lower level; inside one group preferences are
//! transitive. [`Preferences`] holds all topics, [`Preferences::judge`] compares one topic with a ranking, and a
//! [`PreferenceMeasure`] reads the [`PreferenceTopic`] that comes out.
//!
//! ```
//! use cranfield_core::prefs::{PreferencesBuilder, Scope};
//!
//! let mut builder = PreferencesBuilder::default();
//! builder.push(b"q1", b"0", b"0", b"a", 2.0);
//! builder.push(b"q1", b"0", b"0", b"b", 1.0);
//! builder.push(b"q1", b"0", b"0", b"c", 1.0);
//! let preferences = builder.finish();
//!
//! // b is ranked before a, which is preferred to it; c is not retrieved at all.
//! let topic = preferences.judge(b"q1", &[b"b", b"x", b"a"])?;
//! assert_eq!((topic.fulfilled(Scope::All), topic.possible(Scope::All)), (1, 2));
//! assert_eq!((topic.fulfilled(Scope::Retrieved), topic.possible(Scope::Retrieved)), (0, 1));
//! # Ok::<(), cranfield_core::prefs::PreferenceError>(())
//! ```

use std::fmt;

pub(crate) mod arena;
mod classes;
mod closure;
mod error;
mod input;
mod matrix;
mod pairs;
mod relation;
#[cfg(test)]
mod tests;
mod topic;

pub use error::PreferenceError;
pub use input::{Preferences, PreferencesBuilder, TopicPreferences};
pub use pairs::{PairCounts, Scope};
pub use topic::{PreferenceGroup, PreferenceTopic};

/// A measure over a topic's preferences.
pub trait PreferenceMeasure: fmt::Debug + Send + Sync {
    /// The value for a topic, or `None` where the measure's documentation calls it undefined (`trec_eval` prints 0).
    fn evaluate(&self, topic: &PreferenceTopic) -> Option<f64>;
}
