//! Progress of long computations.

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

/// A callback that is given each step, from any thread. It must not change any result.
pub type StepWatcher<'a> = &'a (dyn Fn(Step<'_>) + Sync);
