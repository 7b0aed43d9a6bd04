//! Counts of commits, so that rendered pages are kept exactly as long as nothing that they may show has changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::Connection;

/// Tables that no page for readers shows. Every other table counts as content.
const UNSEEN: [&str; 7] = [
    "audit",
    "blob",
    "job",
    "join_code",
    "question",
    "session",
    "token",
];
/// Tables that decide who may see what.
const RULES: [&str; 3] = ["campaign", "member", "settings"];

/// Counters of commits.
#[derive(Default)]
pub(crate) struct Changes {
    content: AtomicU64,
    rules: AtomicU64,
    /// Commits, the writes in them, and how long they took.
    pub(crate) commits: AtomicU64,
    pub(crate) writes: AtomicU64,
    pub(crate) nanoseconds: AtomicU64,
    pending: Arc<Pending>,
}

/// What the transaction in progress has changed.
#[derive(Default)]
struct Pending {
    content: AtomicBool,
    rules: AtomicBool,
}

/// The counters at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    /// Commits to tables that pages show.
    pub(crate) content: u64,
    /// Commits to tables that decide who sees them.
    pub(crate) rules: u64,
}

impl Changes {
    /// Follows the writes of a connection.
    pub(super) fn watch(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let pending = Arc::clone(&self.pending);
        connection.update_hook(Some(move |_, _: &str, table: &str, _| {
            if !UNSEEN.contains(&table) {
                pending.content.store(true, Ordering::Relaxed);
            }
            if RULES.contains(&table) {
                pending.rules.store(true, Ordering::Relaxed);
            }
        }))
    }

    /// Counts a commit, before anyone is told of it.
    pub(super) fn commit(&self, writes: usize, took: Duration) {
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.writes.fetch_add(writes as u64, Ordering::Relaxed);
        let nanoseconds = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
        for (pending, count) in [
            (&self.pending.content, &self.content),
            (&self.pending.rules, &self.rules),
        ] {
            if pending.swap(false, Ordering::Relaxed) {
                count.fetch_add(1, Ordering::Release);
            }
        }
    }

    /// The counters. What is read from the database afterwards is at least as new.
    pub(crate) fn now(&self) -> Count {
        Count {
            content: self.content.load(Ordering::Acquire),
            rules: self.rules.load(Ordering::Acquire),
        }
    }
}
