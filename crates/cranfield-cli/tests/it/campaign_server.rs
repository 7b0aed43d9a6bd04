//! A campaign server as a process, and those who use it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use ureq::Agent;

use super::process::text;

/// A server, which is killed when it is dropped.
pub(super) struct Server {
    pub(super) child: Child,
    base: String,
    /// The path of the page for the first account.
    pub(super) setup: Option<String>,
}

impl Server {
    pub(super) fn start(folder: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cranfield"))
            .current_dir(folder)
            .args(["serve", "--data", "data", "--listen", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (mut base, mut setup) = (String::new(), None);
        for line in lines.map(Result::unwrap) {
            if let Some(address) = line.strip_prefix("Campaigns are at ") {
                base = address.trim_end_matches('/').into();
            } else if let Some(address) = line.strip_prefix("Make the first account at ") {
                setup = address.strip_prefix(&base).map(str::to_owned);
            } else if line.starts_with("Stop with") {
                break;
            }
        }
        assert!(!base.is_empty(), "the server did not start");
        Self { child, base, setup }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // SIGKILL, which no program can handle.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Someone who uses the server.
#[derive(Clone)]
pub(super) struct Client {
    agent: Agent,
    base: String,
    cookie: String,
}

/// Status and content of an answer; none if the connection broke.
pub(super) type Answer = Option<(u16, Vec<u8>)>;

impl Client {
    pub(super) fn new(server: &Server, cookie: &str) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(Duration::from_mins(1)))
            .proxy(None);
        Self {
            agent: config.build().into(),
            base: format!("{}/api/v1", server.base),
            cookie: cookie.to_owned(),
        }
    }

    pub(super) fn get(&self, path: &str) -> Answer {
        let request = self.agent.get(format!("{}{path}", self.base));
        let mut response = request.header("cookie", &self.cookie).call().ok()?;
        let bytes = whole(&mut response)?;
        Some((response.status().as_u16(), bytes))
    }

    pub(super) fn json(&self, path: &str) -> Value {
        let (status, bytes) = self.get(path).unwrap();
        assert_eq!(status, 200, "{path}: {}", text(&bytes));
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Sends a form, with a file if there is one, and returns the status, what is answered and the cookie.
    pub(super) fn post(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        file: Option<(&str, &str)>,
        key: &str,
    ) -> Option<(u16, Value, String)> {
        let (kind, form) = match file {
            Some(file) => (
                "multipart/form-data; boundary=edge",
                with_file(fields, file),
            ),
            None => ("application/x-www-form-urlencoded", encoded(fields)),
        };
        let mut request = self.agent.post(format!("{}{path}", self.base));
        request = request
            .header("content-type", kind)
            .header("sec-fetch-site", "same-origin")
            .header("cookie", &self.cookie);
        if !key.is_empty() {
            request = request.header("idempotency-key", key);
        }
        let mut response = request.send(form.as_bytes()).ok()?;
        let bytes = whole(&mut response)?;
        let cookie = response.headers().get("set-cookie");
        let cookie = cookie.and_then(|value| value.to_str().ok()?.split(';').next());
        let json = serde_json::from_slice(&bytes).unwrap_or_default();
        let cookie = cookie.unwrap_or_default().to_owned();
        Some((response.status().as_u16(), json, cookie))
    }

    /// Sends a form that must be accepted, and returns what is answered and the cookie.
    pub(super) fn done(&self, path: &str, fields: &[(&str, &str)]) -> (Value, String) {
        let (status, json, cookie) = self.post(path, fields, None, "").unwrap();
        assert!((200..300).contains(&status), "{path}: {status} {json}");
        (json, cookie)
    }
}

/// The content of an answer, if all of it arrived.
fn whole(response: &mut ureq::http::Response<ureq::Body>) -> Option<Vec<u8>> {
    let length = response.headers().get("content-length")?.to_str();
    let length: usize = length.ok()?.parse().ok()?;
    let bytes = response.body_mut().read_to_vec().ok()?;
    (bytes.len() == length).then_some(bytes)
}

fn with_file(fields: &[(&str, &str)], (name, content): (&str, &str)) -> String {
    let part = "--edge\r\nContent-Disposition: form-data; name=";
    let fields = fields
        .iter()
        .map(|(name, value)| format!("{part}\"{name}\"\r\n\r\n{value}\r\n"));
    let fields: String = fields.collect();
    format!("{fields}{part}\"{name}\"; filename=\"{name}\"\r\n\r\n{content}\r\n--edge--\r\n")
}

fn encoded(fields: &[(&str, &str)]) -> String {
    let text =
        |value: &str| -> String { value.bytes().map(|byte| format!("%{byte:02x}")).collect() };
    let pairs = fields
        .iter()
        .map(|(name, value)| format!("{name}={}", text(value)));
    pairs.collect::<Vec<_>>().join("&")
}

pub(super) const PASSWORD: &str = "correct horse battery";

/// The fields of an account.
pub(super) fn account(login: &str) -> [(&str, &str); 3] {
    [("login", login), ("name", login), ("password", PASSWORD)]
}

#[test]
fn an_unknown_login_takes_as_long_as_a_known_one() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let client = Client::new(&server, "");
    client.done(server.setup.as_ref().unwrap(), &account("prof"));
    // Outside its own tests, the server hashes with 19 MiB and two passes.
    let database = ["cranfield.db", "cranfield.db-wal"].map(|name| {
        let bytes = std::fs::read(folder.path().join("data").join(name));
        text(&bytes.unwrap_or_default())
    });
    assert!(
        database
            .concat()
            .contains("$argon2id$v=19$m=19456,t=2,p=1$")
    );
    let took = |login| {
        let form = [("login", login), ("password", "a wrong password")];
        let started = Instant::now();
        let (status, json, _) = client.post("/login", &form, None, "").unwrap();
        assert_eq!(status, 422, "{json}");
        started.elapsed()
    };
    // Hashing a password takes far longer than the rest. The least of some tries is without the time of other programs.
    let (mut known, mut unknown) = (Duration::MAX, Duration::MAX);
    for _ in 0..5 {
        known = known.min(took("prof"));
        unknown = unknown.min(took("nemo"));
    }
    assert!(
        unknown * 3 > known && known * 3 > unknown,
        "{unknown:?} and {known:?}"
    );
}
