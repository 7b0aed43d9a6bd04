//! Search engines, built-in or not, behind one interface.
//!
//! An [`Engine`] opens [`Session`]s, and a session answers one query at a time. [`open_engine`] opens the engine that a path names:
//! a file such as `engine.toml` describes a program ([`command`]) or a server ([`http`]).

mod answer;
mod built_in;
mod cold;
pub mod command;
mod error;
mod file;
pub mod http;
mod named;
mod open;

pub use built_in::{IndexEngine, VectorEngine, tag};
pub use cold::ColdIndex;
pub use error::{EngineError, EngineErrorKind};
pub(crate) use file::batch_command;
pub use file::read_engine;
pub use named::Named;
pub use open::{EnginePath, EngineSettings, open_engine};

use std::time::Duration;

use cranfield_core::run::Run;

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

/// Where an engine does its work, which decides how its CPU time is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// In this process.
    #[default]
    Here,
    /// In processes that sessions start.
    Child,
    /// In a process that this one does not know, such as a server.
    Elsewhere,
}

/// A search engine that answers queries.
pub trait Engine: Send + Sync {
    /// The name in tables and runs.
    fn name(&self) -> &str;

    /// Opens a session: one client, with its own connection or process. Sessions are used concurrently.
    fn session(&self) -> Result<Box<dyn Session + '_>, EngineError>;

    /// Where the engine does its work.
    fn place(&self) -> Place {
        Place::Here
    }

    /// Whether every session starts with none of the engine's files in the memory that the system uses as a cache.
    fn is_cold(&self) -> bool {
        false
    }

    /// Settings for the provenance of results, as names and values. Never secrets.
    fn settings(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Answers all queries at once; `None` if the engine answers them one by one.
    fn answer_all(
        &self,
        _queries: &[Query],
        _depth: usize,
        _threads: usize,
    ) -> Option<Result<Run, EngineError>> {
        None
    }
}

/// One client of an engine.
pub trait Session: Send {
    /// The best `depth` documents for a query, best first.
    fn search(&mut self, query: &Query, depth: usize) -> Result<Vec<Hit>, EngineError>;

    /// Whether the last answer left out documents that were tied with its last document, if the engine can tell.
    fn is_cut_in_tie(&self) -> bool {
        false
    }

    /// CPU time of the session's own process so far.
    fn cpu_time(&mut self) -> Option<Duration> {
        None
    }
}

#[cfg(test)]
mod tests;
