//! What programs that watch the server ask: whether it lives, whether it is ready, and what it counts.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;

use crate::metrics;
use crate::problem::Problem;
use crate::server::Server;
use crate::{log, web};

/// Uploads are refused, and the server is not ready, below this much free space.
const LEAST_FREE: u64 = 1 << 30;
/// How long the oldest entry may wait in the queue.
const LONGEST_WAIT: i64 = 60_000;
/// How long the database may take to commit.
const LONGEST_COMMIT: Duration = Duration::from_secs(5);
/// Requests that take longer are logged.
const SLOW: Duration = Duration::from_secs(1);

/// The routes of the address for operators.
pub(crate) fn admin(server: Server) -> Router {
    Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(ready))
        .route("/metrics", get(counts))
        .with_state(server)
}

/// Whether the process answers.
pub(crate) async fn alive() -> &'static str {
    "ok\n"
}

async fn counts(State(server): State<Server>) -> Response {
    match metrics::text(&server).await {
        Ok(text) => ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response(),
        Err(problem) => (problem.status, problem.detail).into_response(),
    }
}

/// Whether the database commits, the disk has space, no entry has waited for long, and the server is not about to stop.
pub(crate) async fn ready(State(server): State<Server>) -> (StatusCode, &'static str) {
    let problem = match why_not_ready(&server).await {
        Ok(None) => return (StatusCode::OK, "ready\n"),
        Ok(Some(problem)) => problem,
        Err(_) => "the database does not answer\n",
    };
    (StatusCode::SERVICE_UNAVAILABLE, problem)
}

async fn why_not_ready(server: &Server) -> Result<Option<&'static str>, Problem> {
    if *server.stopping().borrow() {
        return Ok(Some("the server is about to stop\n"));
    }
    if free_bytes(&server.data).is_some_and(|free| free < LEAST_FREE) {
        return Ok(Some("the disk is full\n"));
    }
    let oldest = server.now() - LONGEST_WAIT;
    let waiting: i64 = server
        .store
        .read(move |db| {
            // A preview of corrected judgements may take its time.
            let query = "SELECT count(*) FROM job WHERE state = 'queued' AND scoring IS NULL AND created < ?1";
            Ok(db.query_row(query, [oldest], |row| row.get(0))?)
        })
        .await?;
    if waiting > 0 {
        return Ok(Some("entries have waited for more than a minute\n"));
    }
    let commit = server.store.write(|_| Ok(()));
    match tokio::time::timeout(LONGEST_COMMIT, commit).await {
        Ok(committed) => committed.map(|()| None),
        Err(_) => Ok(Some("the database does not commit\n")),
    }
}

/// Free space where a folder is, if the system tells.
#[cfg(unix)]
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Free space where a folder is, if the system tells.
#[cfg(not(unix))]
pub(crate) fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// Rejects uploads while the disk is almost full.
pub(crate) fn check_space(server: &Server) -> Result<(), Problem> {
    match free_bytes(&server.data) {
        Some(free) if free < LEAST_FREE => Err(Problem::busy(
            "The disk of the server is almost full. Tell the organisers.",
        )),
        _ => Ok(()),
    }
}

/// Counts and logs answers.
pub(crate) async fn observe(
    State(server): State<Server>,
    request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or_else(|| "none".to_owned(), |path| path.as_str().to_owned());
    let response = next.run(request).await;
    let (status, took) = (response.status(), started.elapsed());
    server
        .metrics
        .count(&route, method.as_str(), status.as_u16(), took);
    if status.is_server_error() || took > SLOW || server.log_requests.load(Ordering::Relaxed) {
        let person = response.extensions().get::<web::Sender>();
        let person = person.and_then(|sender| sender.0);
        let level = if status.is_server_error() {
            "error"
        } else {
            "info"
        };
        let milliseconds = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let facts = [
            ("method", json!(method.as_str())),
            ("route", json!(route)),
            ("status", json!(status.as_u16())),
            ("ms", json!(milliseconds)),
            ("person", json!(person)),
        ];
        log::line(level, "request", &facts);
    }
    response
}
