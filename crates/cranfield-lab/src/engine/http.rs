//! Servers as engines, over HTTP.
//!
//! A [`HttpEngine`] sends each query in a request made from templates, and reads ids and scores from a JSON answer by their
//! [`JsonPath`]s. Presets know the requests and answers of Elasticsearch, OpenSearch and Solr. Only the URL that the user wrote is
//! opened: redirects are not followed, and proxies from the environment are ignored.

mod path;
mod preset;
mod request;
mod retry;
mod session;

pub use path::{BadPath, JsonPath};
pub use preset::Preset;
pub use request::RequestTemplate;
pub use retry::Retries;

use std::time::Duration;

use super::{Engine, EngineError, Place, Session};
use session::Client;

/// A server that answers queries.
#[derive(Clone, Debug)]
pub struct HttpEngine {
    /// The name in tables and runs.
    pub name: String,
    /// The request of a query.
    pub request: RequestTemplate,
    /// Where the answer has its documents.
    pub answer: AnswerShape,
    /// Time for each try.
    pub timeout: Duration,
    /// Tries, and the waits between them.
    pub retries: Retries,
    /// Whether one document more is asked for, to see whether the answer is cut in a tie.
    pub checks_ties: bool,
}

/// The places of documents in a JSON answer.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerShape {
    /// Document ids.
    pub ids: JsonPath,
    /// Scores, in the order of the ids; without them, documents are scored by their position.
    pub scores: Option<JsonPath>,
    /// Values that mark a partial answer if they are true or not zero.
    pub partial: Vec<JsonPath>,
}

impl Engine for HttpEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn session(&self) -> Result<Box<dyn Session + '_>, EngineError> {
        Ok(Box::new(Client::new(self)?))
    }

    fn place(&self) -> Place {
        Place::Elsewhere
    }

    fn settings(&self) -> Vec<(String, String)> {
        // Headers may hold keys, and a URL may hold a password.
        vec![
            ("method".into(), self.request.method.clone()),
            ("url".into(), self.request.shown_url()),
            ("body".into(), self.request.body.clone().unwrap_or_default()),
        ]
    }
}
