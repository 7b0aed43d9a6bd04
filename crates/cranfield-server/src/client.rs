//! The client: sends a run, and waits for its result.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;
use ureq::Agent;

/// A run to be sent.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The address of the server, such as `https://board.example.org`.
    pub server: String,
    /// The campaign's address on it, such as `hw1`.
    pub campaign: String,
    /// The file.
    pub run: PathBuf,
    /// A description for the own team.
    pub description: String,
    /// An API token.
    pub token: String,
    /// How long to wait for the result.
    pub wait: Duration,
}

/// What became of an entry.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Where the entry is shown.
    pub address: String,
    /// The entry as the server shows it, with `state`, `values` and `findings`.
    pub entry: Value,
}

/// Why a run was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system reports.
        error: std::io::Error,
    },
    /// The server cannot be reached, or does not speak the protocol.
    #[error("{server}: {message}")]
    Connection {
        /// The address of the server.
        server: String,
        /// What went wrong.
        message: String,
    },
    /// The server does not know the token.
    #[error(
        "the token is unknown, has expired or was revoked: make one on the page of your account"
    )]
    Token,
    /// The server refused the request.
    #[error("{0}")]
    Refused(String),
}

/// Sends a run. The same file sent twice is one entry, so a failed call can be repeated.
///
/// # Errors
/// If the file cannot be read, the server cannot be reached, or it refuses the run.
pub fn submit(submission: &Submission) -> Result<Answer, SubmitError> {
    let server = submission.server.trim_end_matches('/');
    let broken = |message: String| SubmitError::Connection {
        server: server.to_owned(),
        message,
    };
    if server.starts_with("https://") && !cfg!(feature = "https") {
        let message = "this build has no TLS; install it with the feature `https`, or use curl";
        return Err(broken(message.into()));
    }
    let bytes = std::fs::read(&submission.run).map_err(|error| SubmitError::File {
        path: submission.run.clone(),
        error,
    })?;
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_mins(10)))
        .proxy(None);
    let agent: Agent = config.build().into();
    let base = format!("{server}/api/v1");
    let url = format!("{base}/c/{}/submit", submission.campaign);
    let name = submission
        .run
        .file_name()
        .map_or_else(|| "run".into(), |name| name.to_string_lossy().into_owned());
    let key = blake3::hash(&bytes).to_hex().to_string();
    let edge = format!("cranfield-{}", &key[..32]);
    let response = agent
        .post(&url)
        .header("authorization", format!("Bearer {}", submission.token))
        .header("idempotency-key", &key)
        .header(
            "content-type",
            format!("multipart/form-data; boundary={edge}"),
        )
        .send(form(&edge, &name, &submission.description, &bytes));
    let sent = read(response, &broken)?;
    let place = sent["location"]
        .as_str()
        .ok_or_else(|| broken("the answer has no location".into()))?;
    let started = Instant::now();
    loop {
        let response = agent
            .get(format!("{base}{place}"))
            .header("authorization", format!("Bearer {}", submission.token))
            .call();
        let entry = read(response, &broken)?;
        if entry["state"] != "pending" || started.elapsed() > submission.wait {
            return Ok(Answer {
                address: format!("{server}{place}"),
                entry,
            });
        }
        std::thread::sleep(Duration::from_millis(500));
    }
}

fn form(edge: &str, name: &str, description: &str, bytes: &[u8]) -> Vec<u8> {
    let plain = |text: &str| text.replace(['\r', '\n', '"'], "_");
    let mut body = format!(
        "--{edge}\r\nContent-Disposition: form-data; name=\"description\"\r\n\r\n{}\r\n\
         --{edge}\r\nContent-Disposition: form-data; name=\"run\"; filename=\"{}\"\r\n\r\n",
        plain(description),
        plain(name)
    )
    .into_bytes();
    body.extend_from_slice(bytes);
    body.extend_from_slice(format!("\r\n--{edge}--\r\n").as_bytes());
    body
}

fn read(
    response: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    broken: &impl Fn(String) -> SubmitError,
) -> Result<Value, SubmitError> {
    let mut response = response.map_err(|error| broken(error.to_string()))?;
    let status = response.status();
    if status == ureq::http::StatusCode::UNAUTHORIZED {
        return Err(SubmitError::Token);
    }
    let text = response
        .body_mut()
        .read_to_string()
        .map_err(|error| broken(error.to_string()))?;
    let json = serde_json::from_str::<Value>(&text);
    match (status.is_success(), json) {
        (true, Ok(json)) => Ok(json),
        (false, Ok(json)) if json["detail"].is_string() => Err(SubmitError::Refused(
            json["detail"].as_str().unwrap_or_default().to_owned(),
        )),
        _ => Err(broken(format!("the answer has status {status}"))),
    }
}
