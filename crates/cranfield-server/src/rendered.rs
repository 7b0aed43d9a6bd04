//! Pages that many people ask for at once: rendered once for everyone who sees the same, kept as bytes, and made again only after a commit or at
//! a moment that may change them.
//!
//! While a page is made again, those who ask get the one before, so that a slow board delays no one. After a change of who may see what, they wait.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use axum::http::header::{self, HeaderValue};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use tokio::sync::watch;

use crate::policy::Standing;
use crate::problem::Problem;
use crate::server::Server;
use crate::store::Count;
use crate::web::View;

/// How long a request waits for a newer page before it gets the one before. Tests wait for the newer one.
const PATIENCE: Duration = if cfg!(test) {
    Duration::from_mins(1)
} else {
    Duration::from_millis(25)
};
/// After a page was made, making it again waits for this many times as long, and not longer than [`LONGEST_REST`].
const REST: u32 = if cfg!(test) { 0 } else { 4 };
const LONGEST_REST: Duration = Duration::from_secs(5);
/// The most pages that are kept.
const MOST: usize = 256;

/// A page as bytes.
#[derive(Debug)]
pub(crate) struct Rendered {
    /// Differs if anything on the page does.
    pub(crate) version: String,
    pub(crate) title: String,
    /// Address and title of the campaign.
    pub(crate) campaign: Option<(String, String)>,
    pub(crate) content: String,
    json: Packed,
    /// The whole page as readers without an account see it.
    whole: OnceLock<Packed>,
}

/// Bytes, plain and compressed.
#[derive(Debug)]
struct Packed {
    plain: Bytes,
    gzip: Bytes,
}

impl Packed {
    fn new(text: String) -> Self {
        let gzip = cranfield_io::gzip(text.as_bytes());
        Self {
            plain: text.into(),
            gzip: gzip.into(),
        }
    }

    fn send(&self, kind: &'static str, gzip: bool) -> Response {
        let bytes = if gzip { &self.gzip } else { &self.plain };
        let mut response = ([(header::CONTENT_TYPE, kind)], bytes.clone()).into_response();
        if gzip {
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

impl Rendered {
    /// Renders a page.
    pub(crate) fn new(view: &dyn View, version: String) -> Result<Self, Problem> {
        let content = view.content().map_err(|error| Problem::internal(&error))?;
        Ok(Self {
            version,
            title: view.title(),
            campaign: view.campaign(),
            content,
            json: Packed::new(format!("{}\n", view.json()?)),
            whole: OnceLock::new(),
        })
    }

    /// Sends the JSON.
    pub(crate) fn send_json(&self, gzip: bool) -> Response {
        self.json.send("application/json", gzip)
    }

    /// Sends the page of readers; `make` renders it the first time.
    pub(crate) fn send_whole(
        &self,
        gzip: bool,
        make: impl FnOnce() -> askama::Result<String>,
    ) -> askama::Result<Response> {
        let whole = if let Some(whole) = self.whole.get() {
            whole
        } else {
            let made = Packed::new(make()?);
            self.whole.get_or_init(|| made)
        };
        Ok(whole.send("text/html; charset=utf-8", gzip))
    }
}

/// Which page, and for whom.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) standing: Standing,
    /// Previews are kept apart, because organisers preview what others may not see yet.
    pub(crate) is_preview: bool,
    /// The campaign and what is asked of it.
    pub(crate) address: String,
}

/// A page that was made, and the moment from which it may differ without a write.
pub(crate) struct Made {
    pub(crate) page: Rendered,
    pub(crate) until: i64,
}

type Making = Pin<Box<dyn Future<Output = Result<Made, Problem>> + Send>>;

/// Makes a page.
pub(crate) type Make = Arc<dyn Fn() -> Making + Send + Sync>;

/// The pages that are kept.
#[derive(Default)]
pub(crate) struct Pages(Mutex<HashMap<Key, Slot>>);

#[derive(Default)]
struct Slot {
    kept: Option<Kept>,
    /// Changes or closes when the page that is being made is there. `true` is a failure.
    making: Option<watch::Receiver<bool>>,
    /// When the page may be made again, and how long that took the last time.
    rested: Option<Instant>,
    cost: Duration,
}

struct Kept {
    page: Arc<Rendered>,
    count: Count,
    until: i64,
}

impl Pages {
    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Slot>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a request finds.
enum Found {
    Current(Arc<Rendered>),
    /// The page is being made; the one before may be shown, and whether it is worth waiting.
    Making(watch::Receiver<bool>, Option<Arc<Rendered>>, bool),
}

/// Returns a page that is as new as the request, or the one before if a newer one takes long to make.
pub(crate) async fn get(server: &Server, key: Key, make: Make) -> Result<Arc<Rendered>, Problem> {
    let patience = tokio::time::Instant::now() + PATIENCE;
    loop {
        let (mut made, before) = match find(server, &key, &make) {
            Found::Current(page) => return Ok(page),
            Found::Making(_, Some(before), false) => return Ok(before),
            Found::Making(made, before, _) => (made, before),
        };
        let failed = match before {
            None => made.changed().await.is_err() || *made.borrow(),
            Some(before) => match tokio::time::timeout_at(patience, made.changed()).await {
                Err(_) => return Ok(before),
                Ok(changed) => changed.is_err() || *made.borrow(),
            },
        };
        if failed {
            // The error is that of this request.
            return make().await.map(|made| Arc::new(made.page));
        }
    }
}

fn find(server: &Server, key: &Key, make: &Make) -> Found {
    let (count, now) = (server.store.changes().now(), server.now());
    let mut slots = server.pages.lock();
    if slots.len() >= MOST && !slots.contains_key(key) {
        slots.retain(|_, slot| slot.is_making());
    }
    let slot = slots.entry(key.clone()).or_default();
    let mut before = None;
    if let Some(kept) = &slot.kept {
        if kept.count == count && now < kept.until {
            return Found::Current(Arc::clone(&kept.page));
        }
        if kept.count.rules == count.rules {
            before = Some(Arc::clone(&kept.page));
        }
    }
    let rest = slot.rested.map_or(Duration::ZERO, |at| {
        at.saturating_duration_since(Instant::now())
    });
    let is_soon = rest + slot.cost < PATIENCE;
    let made = match &slot.making {
        Some(made) if slot.is_making() => made.clone(),
        _ => {
            let (done, made) = watch::channel(false);
            slot.making = Some(made.clone());
            let rest = if before.is_some() {
                rest
            } else {
                Duration::ZERO
            };
            let again = again(
                Arc::clone(server),
                key.clone(),
                Arc::clone(make),
                rest,
                done,
            );
            tokio::spawn(again);
            made
        }
    };
    Found::Making(made, before, is_soon)
}

impl Slot {
    /// Whether a page is being made. A task that panicked has closed its channel.
    fn is_making(&self) -> bool {
        self.making
            .as_ref()
            .is_some_and(|made| matches!(made.has_changed(), Ok(false)))
    }
}

/// Makes a page after a rest, and keeps it.
async fn again(server: Server, key: Key, make: Make, rest: Duration, done: watch::Sender<bool>) {
    if !rest.is_zero() {
        tokio::time::sleep(rest).await;
    }
    let (count, started) = (server.store.changes().now(), Instant::now());
    let made = make().await;
    let cost = started.elapsed();
    let failed = made.is_err();
    {
        let mut slots = server.pages.lock();
        match made {
            Ok(made) => {
                let slot = slots.entry(key).or_default();
                slot.kept = Some(Kept {
                    page: Arc::new(made.page),
                    count,
                    until: made.until,
                });
                slot.cost = cost;
                slot.rested = Some(Instant::now() + (REST * cost).min(LONGEST_REST));
            }
            Err(_) => {
                slots.remove(&key);
            }
        }
    }
    let _ = done.send(failed);
}
