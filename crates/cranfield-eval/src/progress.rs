//! Progress of long computations.

use std::fmt;
use std::sync::Arc;

/// How far a long computation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// The measure; empty if the step concerns all of them.
    pub measure: &'a str,
    /// The unit of work.
    pub what: &'a str,
    /// Units done: replicates, pairs or runs.
    pub done: usize,
    /// Units in all.
    pub total: usize,
}

/// A function that is called with each step of a computation, or none, which is the default.
///
/// Progress is not part of what is asked for: all values are equal, and print the same.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Report>>);

/// A function of a step.
type Report = dyn Fn(Step<'_>) + Send + Sync;

impl Progress {
    /// Calls `report` with each step, from any thread.
    pub fn new(report: impl Fn(Step<'_>) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(report)))
    }

    /// Reports a step.
    pub fn report(&self, step: Step<'_>) {
        if let Some(report) = &self.0 {
            report(step);
        }
    }
}

impl PartialEq for Progress {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Progress {}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}
