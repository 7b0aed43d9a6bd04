//! Failures of engines.

use std::fmt;

/// The kind of an engine's failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineErrorKind {
    /// The engine cannot be opened or started.
    Start,
    /// No connection, or the server is overloaded or down.
    Unavailable,
    /// No answer in time.
    TimedOut,
    /// The engine rejects the query.
    Refused,
    /// The answer cannot be read.
    Malformed,
    /// The answer is incomplete, such as one of a cluster with failed shards.
    Partial,
    /// The engine's process ended.
    Crashed,
    /// Anything else.
    Other,
}

impl EngineErrorKind {
    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "cannot start",
            Self::Unavailable => "unavailable",
            Self::TimedOut => "timed out",
            Self::Refused => "refused",
            Self::Malformed => "malformed answer",
            Self::Partial => "partial answer",
            Self::Crashed => "crashed",
            Self::Other => "failed",
        }
    }

    /// Whether the same query may succeed if it is sent again.
    pub fn is_transient(self) -> bool {
        matches!(self, Self::Unavailable | Self::TimedOut)
    }
}

impl fmt::Display for EngineErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The failure of an engine to answer a query, or to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineError {
    kind: EngineErrorKind,
    message: String,
}

impl EngineError {
    /// A failure of a kind; the message is a lower-case fragment that follows the kind's name.
    pub fn new(kind: EngineErrorKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { kind, message }
    }

    /// The engine cannot be opened or started.
    pub fn start(message: impl Into<String>) -> Self {
        Self::new(EngineErrorKind::Start, message)
    }

    /// The answer cannot be read.
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::new(EngineErrorKind::Malformed, message)
    }

    /// Any other failure.
    pub fn other(message: impl Into<String>) -> Self {
        Self::new(EngineErrorKind::Other, message)
    }

    /// The kind of this failure.
    pub fn kind(&self) -> EngineErrorKind {
        self.kind
    }

    /// The message without the kind.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)
    }
}

impl std::error::Error for EngineError {}
