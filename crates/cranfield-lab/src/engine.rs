//! Search engines, built-in or not, behind one interface.

use std::fmt;

/// A topic's query as an engine receives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The topic's id.
    pub topic: String,
    /// The text to search for.
    pub text: String,
}

/// A document in an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The document's id.
    pub doc: String,
    /// Its score; documents are ranked by descending score.
    pub score: f64,
}

/// A search engine that answers queries.
pub trait Engine: Send + Sync {
    /// The name in tables and runs.
    fn name(&self) -> &str;

    /// Opens a session: one client, with its own connection or process. Sessions are used concurrently.
    fn session(&self) -> Result<Box<dyn Session + '_>, EngineError>;
}

/// One client of an engine.
pub trait Session: Send {
    /// The best `depth` documents for a query, best first.
    fn search(&mut self, query: &Query, depth: usize) -> Result<Vec<Hit>, EngineError>;
}

/// The failure of an engine to answer a query, or to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineError(pub String);

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EngineError {}
