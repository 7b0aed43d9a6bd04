//! The state that all requests share.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::header::{self, HeaderMap};
use tokio::sync::watch;

use crate::board::{Board, Part};
use crate::campaign::Campaign;
use crate::jobs::Queue;
use crate::limits::Buckets;
use crate::metrics::Metrics;
use crate::pages::events::Listeners;
use crate::problem::Problem;
use crate::rendered::Pages;
use crate::store::Store;
use crate::web::text_of;

/// A handle of the state.
pub(crate) type Server = Arc<State>;

/// The state of a server.
pub(crate) struct State {
    pub(crate) store: Store,
    /// The data folder.
    pub(crate) data: PathBuf,
    /// The address in links and the host that is served, if given.
    pub(crate) public_url: Option<String>,
    pub(crate) queue: Queue,
    /// Wakes the thread that makes baselines.
    pub(crate) searches: Queue,
    pub(crate) buckets: Buckets,
    /// The hash of the secret of the page that makes the first account.
    pub(crate) setup: Option<Vec<u8>>,
    pub(crate) pages: Pages,
    pub(crate) listeners: Listeners,
    pub(crate) metrics: Metrics,
    /// Whether each request is logged.
    pub(crate) log_requests: AtomicBool,
    /// Whether this is a demonstration, whose accounts the terminal shows.
    pub(crate) is_demo: AtomicBool,
    stopping: watch::Sender<bool>,
    /// The report of each campaign, and the state that it shows.
    reports: Mutex<HashMap<i64, (blake3::Hash, Arc<str>)>>,
    boards: Mutex<HashMap<BoardKey, (BoardVersion, Arc<Board>)>>,
    /// What tests add to the clock.
    offset: AtomicI64,
}

/// Campaign, part, measure, and whether the moment is fixed by a freeze.
type BoardKey = (i64, Part, u32, bool);

/// What a board depends on: settings, scoring, the moment of a freeze, and counts and times of what is shown.
type BoardVersion = (i64, Option<i64>, Option<i64>, (i64, i64, i64, i64));

impl State {
    pub(crate) fn new(
        store: Store,
        data: PathBuf,
        public_url: Option<String>,
        setup: Option<Vec<u8>>,
    ) -> Server {
        Arc::new(Self {
            store,
            data,
            public_url,
            queue: Queue::default(),
            searches: Queue::default(),
            buckets: Buckets::default(),
            setup,
            pages: Pages::default(),
            listeners: Listeners::default(),
            metrics: Metrics::default(),
            log_requests: AtomicBool::new(false),
            is_demo: AtomicBool::new(false),
            stopping: watch::Sender::new(false),
            reports: Mutex::default(),
            boards: Mutex::default(),
            offset: AtomicI64::new(0),
        })
    }

    /// The time, in milliseconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        jiff::Timestamp::now().as_millisecond() + self.offset.load(Ordering::Relaxed)
    }

    /// Becomes true when the server is asked to stop.
    pub(crate) fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }

    /// Ends what would never end by itself.
    pub(crate) fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Moves the clock.
    #[cfg(test)]
    pub(crate) fn advance(&self, milliseconds: i64) {
        self.offset.fetch_add(milliseconds, Ordering::Relaxed);
    }

    /// The file of a blob.
    pub(crate) fn blob_path(&self, hash: &str) -> PathBuf {
        blob_path(&self.data, hash)
    }

    /// The name of the cookie of a session. Over TLS it has the prefix that ties it to this host.
    pub(crate) fn cookie_name(&self) -> &'static str {
        if self.is_secure() {
            "__Host-cranfield"
        } else {
            "cranfield"
        }
    }

    /// Whether browsers reach the server by TLS.
    pub(crate) fn is_secure(&self) -> bool {
        self.public_url
            .as_ref()
            .is_some_and(|url| url.starts_with("https://"))
    }

    /// The session that a request carries.
    pub(crate) fn session_of(&self, headers: &HeaderMap) -> Option<String> {
        let cookies = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok());
        let pairs = cookies.flat_map(|line| line.split(';'));
        let mut pairs = pairs.filter_map(|pair| pair.trim().split_once('='));
        pairs
            .find(|(name, _)| *name == self.cookie_name())
            .map(|(_, value)| value.to_owned())
    }

    /// Rejects requests for another host, if the own one is known.
    pub(crate) fn check_host(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let Some(own) = self
            .public_url
            .as_ref()
            .and_then(|url| url.split_once("://"))
        else {
            return Ok(());
        };
        let own = own.1.trim_end_matches('/');
        let is_own =
            text_of(headers, &header::HOST).is_some_and(|host| host.eq_ignore_ascii_case(own));
        if is_own {
            Ok(())
        } else {
            Err(Problem::misdirected())
        }
    }

    /// The report of a campaign in a state, which is made once.
    pub(crate) fn report(
        &self,
        campaign: i64,
        state: blake3::Hash,
        make: impl FnOnce() -> Result<String, Problem>,
    ) -> Result<Arc<str>, Problem> {
        // The lock is held while a report is made: one at a time is enough.
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, report)) = reports.get(&campaign)
            && *known == state
        {
            return Ok(Arc::clone(report));
        }
        let report: Arc<str> = make()?.into();
        reports.insert(campaign, (state, Arc::clone(&report)));
        Ok(report)
    }

    /// The board of a campaign as of a moment, computed once for everyone who sees the same.
    pub(crate) async fn board(
        self: &Arc<Self>,
        campaign: Campaign,
        part: Part,
        measure: u32,
        as_of: i64,
        frozen: bool,
    ) -> Result<Arc<Board>, Problem> {
        let server = Arc::clone(self);
        self.store
            .read(move |db| {
                let version = board_version(db, &campaign, as_of, frozen)?;
                let key = (campaign.id, part, measure, frozen);
                // The lock is held while a board is computed, so that it is computed once.
                let mut boards = server.boards.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some((known, board)) = boards.get(&key)
                    && *known == version
                {
                    return Ok(Arc::clone(board));
                }
                let board = Arc::new(Board::compute(db, &campaign, part, measure, as_of)?);
                boards.insert(key, (version, Arc::clone(&board)));
                Ok(board)
            })
            .await
    }
}

fn board_version(
    db: &rusqlite::Connection,
    campaign: &Campaign,
    as_of: i64,
    frozen: bool,
) -> Result<BoardVersion, Problem> {
    let counts = db
        .prepare_cached(
            "SELECT count(*), coalesce(max(shown), 0),
                    coalesce(sum((withdrawn <= ?2) + (rejected <= ?2)), 0)
                      + coalesce(sum(withdrawn <= ?2), 0) + coalesce(sum(rejected <= ?2), 0),
                    (SELECT count(*) + coalesce(max(changed), 0) FROM team WHERE campaign = ?1 AND created <= ?2)
                      + (SELECT coalesce(max(at), 0) FROM pick JOIN team ON team.id = pick.team WHERE campaign = ?1)
             FROM submission WHERE campaign = ?1 AND shown <= ?2",
        )?
        .query_row((campaign.id, as_of), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    Ok((
        campaign.version,
        campaign.scoring,
        frozen.then_some(as_of),
        counts,
    ))
}

/// The file of a blob below a data folder.
pub(crate) fn blob_path(data: &Path, hash: &str) -> PathBuf {
    data.join("blobs").join(&hash[..2]).join(&hash[2..])
}
