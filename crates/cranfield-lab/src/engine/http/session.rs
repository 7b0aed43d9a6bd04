//! One client of a server.

use serde_json::Value;
use ureq::Agent;

use cranfield_stats::random::Stream;

use super::retry::is_transient;
use super::{AnswerShape, HttpEngine, JsonPath};
use crate::engine::answer::{checked, quoted};
use crate::engine::{EngineError, EngineErrorKind, Hit, Query, Session};

/// Largest answer.
const MAX_ANSWER: u64 = 256 << 20;

pub(super) struct Client<'a> {
    engine: &'a HttpEngine,
    agent: Agent,
    jitter: Stream,
    is_cut_in_tie: bool,
}

impl<'a> Client<'a> {
    pub(super) fn new(engine: &'a HttpEngine) -> Result<Self, EngineError> {
        if engine.request.url.starts_with("https://") && !cfg!(feature = "https") {
            return Err(EngineError::start(
                "this build has no TLS; install it with the feature `https`",
            ));
        }
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // Nothing but the URL that the user wrote is opened.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .user_agent(concat!("cranfield/", env!("CARGO_PKG_VERSION")))
            .timeout_global(Some(engine.timeout))
            .build();
        Ok(Self {
            engine,
            agent: config.new_agent(),
            jitter: Stream::new(engine.retries.seed, 0),
            is_cut_in_tie: false,
        })
    }

    /// Sends the request once, and reads the answer.
    fn ask(&self, query: &Query, depth: usize) -> Result<Value, EngineError> {
        let request = self.engine.request.of(query, depth)?;
        let response = if request.body().is_empty() {
            self.agent.run(request.map(|_| ()))
        } else {
            self.agent.run(request)
        };
        let mut response = response.map_err(|error| failure(&error))?;
        let status = response.status().as_u16();
        let body = response.body_mut().with_config().limit(MAX_ANSWER);
        let body = body.read_to_vec().map_err(|error| failure(&error))?;
        match status {
            200..=299 => serde_json::from_slice(&body).map_err(|error| {
                let body = quoted(&String::from_utf8_lossy(&body));
                EngineError::malformed(format!("{error}, in the answer `{body}`"))
            }),
            _ => Err(rejected(status, &body)),
        }
    }

    fn ask_with_retries(&mut self, query: &Query, depth: usize) -> Result<Value, EngineError> {
        let retries = self.engine.retries;
        let mut tried = 1;
        loop {
            match self.ask(query, depth) {
                Err(error) if error.kind().is_transient() && tried < retries.tries => {
                    std::thread::sleep(retries.wait(tried, &mut self.jitter));
                    tried += 1;
                }
                Err(error) if tried > 1 => {
                    let message = format!("{}; tried {tried} times", error.message());
                    return Err(EngineError::new(error.kind(), message));
                }
                done => return done,
            }
        }
    }
}

impl Session for Client<'_> {
    fn search(&mut self, query: &Query, depth: usize) -> Result<Vec<Hit>, EngineError> {
        self.is_cut_in_tie = false;
        let asked = depth + usize::from(self.engine.checks_ties);
        let answer = self.ask_with_retries(query, asked)?;
        let hits = checked(self.engine.answer.hits(&answer)?, asked)?;
        if let [.., last, beyond] = hits.get(..=depth).unwrap_or_default() {
            self.is_cut_in_tie = last.score == beyond.score;
        }
        checked(hits, depth)
    }

    fn is_cut_in_tie(&self) -> bool {
        self.is_cut_in_tie
    }
}

/// The failure of a request without an answer.
fn failure(error: &ureq::Error) -> EngineError {
    use EngineErrorKind::{Malformed, Other, TimedOut, Unavailable};
    let kind = match error {
        ureq::Error::Timeout(_) => TimedOut,
        ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => TimedOut,
        ureq::Error::Io(_) | ureq::Error::ConnectionFailed => Unavailable,
        ureq::Error::Protocol(_) | ureq::Error::BodyExceedsLimit(_) => Malformed,
        _ => Other,
    };
    EngineError::new(kind, error.to_string())
}

/// The failure that a status stands for, with the beginning of the answer.
fn rejected(status: u16, body: &[u8]) -> EngineError {
    let kind = match status {
        _ if is_transient(status) => EngineErrorKind::Unavailable,
        400..=499 => EngineErrorKind::Refused,
        _ => EngineErrorKind::Other,
    };
    let body = quoted(&String::from_utf8_lossy(body));
    let redirected = match status {
        300..=399 => "; redirects are not followed",
        _ => "",
    };
    EngineError::new(kind, format!("status {status}{redirected}: {body}"))
}

impl AnswerShape {
    /// The documents of an answer.
    fn hits(&self, answer: &Value) -> Result<Vec<Hit>, EngineError> {
        for path in &self.partial {
            let values = path.values(answer).unwrap_or_default();
            if let Some(value) = values.iter().find(|value| is_set(value)) {
                let message = format!("{path} is {value}");
                return Err(EngineError::new(EngineErrorKind::Partial, message));
            }
        }
        let ids = found(&self.ids, answer)?;
        let ids = ids.into_iter().map(|value| id(value, &self.ids));
        let ids = ids.collect::<Result<Vec<String>, _>>()?;
        let scores = match &self.scores {
            Some(path) => {
                let scores = found(path, answer)?.into_iter();
                let scores = scores.map(|value| score(value, path));
                scores.collect::<Result<Vec<f64>, _>>()?
            }
            None => (0..ids.len()).map(|at| -(at as f64)).collect(),
        };
        if ids.len() != scores.len() {
            let message = format!("{} ids and {} scores", ids.len(), scores.len());
            return Err(EngineError::malformed(message));
        }
        let hits = ids.into_iter().zip(scores);
        Ok(hits.map(|(doc, score)| Hit { doc, score }).collect())
    }
}

fn found<'a>(path: &JsonPath, answer: &'a Value) -> Result<Vec<&'a Value>, EngineError> {
    let values = path.values(answer);
    values.ok_or_else(|| {
        let answer = quoted(&answer.to_string());
        EngineError::malformed(format!("no {path} in the answer `{answer}`"))
    })
}

fn id(value: &Value, path: &JsonPath) -> Result<String, EngineError> {
    match value {
        Value::String(id) => Ok(id.clone()),
        Value::Number(id) => Ok(id.to_string()),
        other => {
            let message = format!("{path} is {}, expected an id", quoted(&other.to_string()));
            Err(EngineError::malformed(message))
        }
    }
}

fn score(value: &Value, path: &JsonPath) -> Result<f64, EngineError> {
    value.as_f64().ok_or_else(|| {
        let message = format!(
            "{path} is {}, expected a number",
            quoted(&value.to_string())
        );
        EngineError::malformed(message)
    })
}

/// Whether a value is true, a number other than 0, or a list or object with members.
fn is_set(value: &Value) -> bool {
    match value {
        Value::Bool(value) => *value,
        Value::Number(value) => value.as_f64() != Some(0.0),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::String(text) => text == "true",
        Value::Null => false,
    }
}
