//! Counts of what the server does, in the text format of Prometheus, without names of campaigns, teams or people.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::problem::Problem;
use crate::server::Server;

/// Upper ends of the buckets of durations, in seconds.
const BUCKETS: [f64; 8] = [0.005, 0.02, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0];

/// The counts.
#[derive(Default)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<Route, Times>>,
    pub(crate) uploads: AtomicU64,
    pub(crate) upload_bytes: AtomicU64,
}

/// A pattern of addresses, the method and the status.
type Route = (String, String, u16);

#[derive(Default)]
struct Times {
    buckets: [u64; BUCKETS.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    /// Counts an answer.
    pub(crate) fn count(&self, route: &str, method: &str, status: u16, took: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let times = requests
            .entry((route.to_owned(), method.to_owned(), status))
            .or_default();
        let seconds = took.as_secs_f64();
        times.count += 1;
        times.seconds += seconds;
        for (bucket, end) in times.buckets.iter_mut().zip(BUCKETS) {
            *bucket += u64::from(seconds <= end);
        }
    }

    fn write_requests(&self, text: &mut String) {
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        text.push_str("# HELP cranfield_request_seconds Time from the headers of a request to those of its answer.\n");
        text.push_str("# TYPE cranfield_request_seconds histogram\n");
        for ((route, method, status), times) in requests.iter() {
            let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
            for (count, end) in times.buckets.iter().zip(BUCKETS) {
                text.push_str(&format!(
                    "cranfield_request_seconds_bucket{{{labels},le=\"{end}\"}} {count}\n"
                ));
            }
            let (count, seconds) = (times.count, times.seconds);
            text.push_str(&format!(
                "cranfield_request_seconds_bucket{{{labels},le=\"+Inf\"}} {count}\n\
                 cranfield_request_seconds_sum{{{labels}}} {seconds}\n\
                 cranfield_request_seconds_count{{{labels}}} {count}\n"
            ));
        }
    }
}

fn write(text: &mut String, name: &str, kind: &str, help: &str, value: f64) {
    text.push_str(&format!(
        "# HELP cranfield_{name} {help}\n# TYPE cranfield_{name} {kind}\ncranfield_{name} {value}\n"
    ));
}

/// Everything that is counted.
pub(crate) async fn text(server: &Server) -> Result<String, Problem> {
    let now = server.now();
    let (queued, running, failed, oldest): (i64, i64, i64, i64) = server
        .store
        .read(move |db| {
            let query = "SELECT coalesce(sum(state = 'queued'), 0), coalesce(sum(state = 'running'), 0), coalesce(sum(state = 'failed'), 0),
                                coalesce(min(CASE WHEN state = 'queued' THEN created END), ?1)
                         FROM job WHERE state <> 'done'";
            Ok(db.query_row(query, [now], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?)
        })
        .await?;
    let mut text = String::new();
    server.metrics.write_requests(&mut text);
    text.push_str("# HELP cranfield_jobs Entries to check and score, by state.\n# TYPE cranfield_jobs gauge\n");
    for (state, count) in [("queued", queued), ("running", running), ("failed", failed)] {
        text.push_str(&format!("cranfield_jobs{{state=\"{state}\"}} {count}\n"));
    }
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed) as f64;
    let changes = server.store.changes();
    let metrics = &server.metrics;
    let gauges = [
        (
            "oldest_job_seconds",
            "gauge",
            "How long the oldest entry in the queue has waited.",
            (now - oldest) as f64 / 1000.0,
        ),
        (
            "uploads_total",
            "counter",
            "Files that were received.",
            count(&metrics.uploads),
        ),
        (
            "upload_bytes_total",
            "counter",
            "Bytes of files that were received.",
            count(&metrics.upload_bytes),
        ),
        (
            "commits_total",
            "counter",
            "Commits of the database.",
            count(&changes.commits),
        ),
        (
            "writes_total",
            "counter",
            "Writes, of which a commit may have many.",
            count(&changes.writes),
        ),
        (
            "commit_seconds_total",
            "counter",
            "Time that commits took.",
            count(&changes.nanoseconds) / 1e9,
        ),
        (
            "listeners",
            "gauge",
            "Pages that listen to events.",
            server.listeners.count() as f64,
        ),
    ];
    for (name, kind, help, value) in gauges {
        write(&mut text, name, kind, help, value);
    }
    if let Some(free) = crate::health::free_bytes(&server.data) {
        write(
            &mut text,
            "disk_free_bytes",
            "gauge",
            "Free space for the data folder.",
            free as f64,
        );
    }
    text.push_str(
        "# HELP cranfield_build_info Version of the program.\n# TYPE cranfield_build_info gauge\n",
    );
    text.push_str(&format!(
        "cranfield_build_info{{version=\"{}\"}} 1\n",
        env!("CARGO_PKG_VERSION")
    ));
    Ok(text)
}
