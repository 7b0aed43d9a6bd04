//! Live boards: server-sent events that say which version of a board is current, and nothing else.
//!
//! A version is that of the page which the listener may see, so a frozen board sends no event.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_core::Stream;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::board;
use crate::policy::Viewer;
use crate::problem::Problem;
use crate::rendered::Key;
use crate::server::{Server, State};
use crate::web::{Path, Peer, text_of};

/// How often the board is compared, and how often an event is sent at most.
const LOOK: Duration = Duration::from_millis(200);
const PAUSE: Duration = Duration::from_secs(2);
/// A comment keeps proxies from closing a silent connection.
const HEARTBEAT: Duration = Duration::from_secs(20);
/// After this long, a browser connects again, and what it may see is checked again.
const LONGEST: Duration = Duration::from_mins(30);
/// The most listeners: in all, of one person, and of one address without accounts.
const MOST: usize = 2000;
const MOST_OF_PERSON: usize = 8;
const MOST_OF_ADDRESS: usize = 1000;

/// Who listens, and to what.
#[derive(Default)]
pub(crate) struct Listeners {
    boards: Mutex<HashMap<Key, watch::Receiver<String>>>,
    places: Arc<Places>,
}

impl Listeners {
    /// The number of listeners.
    pub(crate) fn count(&self) -> usize {
        self.places.lock().values().sum()
    }
}

/// Listeners by person or address.
#[derive(Default)]
struct Places(Mutex<HashMap<String, usize>>);

impl Places {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(self: &Arc<Self>, who: String, most: usize) -> Result<Place, Problem> {
        let mut taken = self.lock();
        let all: usize = taken.values().sum();
        let own = taken.entry(who.clone()).or_default();
        if all >= MOST || *own >= most {
            return Err(Problem::busy("Too many pages listen to events."));
        }
        *own += 1;
        Ok(Place {
            places: Arc::clone(self),
            who,
        })
    }
}

/// A listener, counted until it is dropped.
struct Place {
    places: Arc<Places>,
    who: String,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.lock();
        if let Some(own) = taken.get_mut(&self.who) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.who);
            }
        }
    }
}

/// Sends an event when the board changes.
pub(crate) async fn events(
    Shared(server): Shared<Server>,
    viewer: Viewer,
    peer: Peer,
    Path(slug): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (who, most) = match &viewer.person {
        Some(person) => (format!("person {}", person.id), MOST_OF_PERSON),
        None => (peer.0, MOST_OF_ADDRESS),
    };
    let (key, page) = board::live(&server, viewer.clone(), slug.clone()).await?;
    let place = server.listeners.places.take(who, most)?;
    let board = follow(&server, key, page.version.clone(), viewer, slug);
    let known = text_of(&headers, &HeaderName::from_static("last-event-id")).map(str::to_owned);
    let (sender, events) = mpsc::channel(2);
    tokio::spawn(send(sender, board, known, server.stopping(), place));
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/event-stream"),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (
            HeaderName::from_static("x-accel-buffering"),
            HeaderValue::from_static("no"),
        ),
    ];
    Ok((headers, Body::from_stream(Events(events))).into_response())
}

/// The versions of a board. All who see the same share one task that looks for changes.
fn follow(
    server: &Server,
    key: Key,
    version: String,
    viewer: Viewer,
    slug: String,
) -> watch::Receiver<String> {
    let mut boards = server.listeners.lock();
    if let Some(known) = boards.get(&key)
        && known.has_changed().is_ok()
    {
        return known.clone();
    }
    let (sender, receiver) = watch::channel(version);
    boards.insert(key.clone(), receiver.clone());
    tokio::spawn(look(Arc::downgrade(server), key, sender, viewer, slug));
    receiver
}

impl Listeners {
    fn lock(&self) -> MutexGuard<'_, HashMap<Key, watch::Receiver<String>>> {
        self.boards.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Compares the board a few times per second until no one listens, or until the viewer may not see it any more.
async fn look(
    server: Weak<State>,
    key: Key,
    versions: watch::Sender<String>,
    viewer: Viewer,
    slug: String,
) {
    let mut next = Instant::now();
    loop {
        tokio::time::sleep(LOOK).await;
        let Some(server) = server.upgrade() else {
            return;
        };
        {
            let mut boards = server.listeners.lock();
            // One receiver is that of the list.
            if versions.receiver_count() <= 1 {
                boards.remove(&key);
                return;
            }
        }
        let Ok((_, page)) = board::live(&server, viewer.clone(), slug.clone()).await else {
            server.listeners.lock().remove(&key);
            return;
        };
        let is_new = *versions.borrow() != page.version;
        if is_new && Instant::now() >= next {
            versions.send_replace(page.version.clone());
            next = Instant::now() + PAUSE;
        }
    }
}

/// Writes the events of one listener.
async fn send(
    events: mpsc::Sender<Bytes>,
    mut board: watch::Receiver<String>,
    mut known: Option<String>,
    mut stopping: watch::Receiver<bool>,
    place: Place,
) {
    let end = Instant::now() + LONGEST;
    let mut text = "retry: 3000\n\n".to_owned();
    loop {
        let version = board.borrow_and_update().clone();
        if known.as_ref() != Some(&version) {
            text.push_str(&format!(
                "id: {version}\nevent: board\ndata: {{\"version\":\"{version}\"}}\n\n"
            ));
            known = Some(version);
        }
        if !text.is_empty() && events.send(std::mem::take(&mut text).into()).await.is_err() {
            break;
        }
        tokio::select! {
            changed = board.changed() => if changed.is_err() { break },
            () = tokio::time::sleep(HEARTBEAT) => text.push_str(":\n\n"),
            () = tokio::time::sleep_until(end) => break,
            _ = stopping.wait_for(|stops| *stops) => break,
            () = events.closed() => break,
        }
    }
    drop(place);
}

/// The pieces of an answer.
struct Events(mpsc::Receiver<Bytes>);

impl Stream for Events {
    type Item = Result<Bytes, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|piece| piece.map(Ok))
    }
}
