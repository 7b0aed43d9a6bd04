//! The board of a campaign: as a page, in other formats, in frames of other sites, and the history of a team.

mod embed;
mod formats;
mod history;
mod view;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

pub(crate) use embed::embed;
pub(crate) use history::history;
use view::{BoardPage, Since};

use crate::board::{Board, Part};
use crate::phase::{Phase, freeze};
use crate::policy::{Access, Standing, Viewer};
use crate::problem::Problem;
use crate::rendered::{self, Key, Made, Make, Rendered};
use crate::server::Server;
use crate::web::{Kept, Path, Query};

/// What is asked of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Asked {
    /// A measure of the campaign, or `all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    measure: Option<String>,
    /// `public`, `final`, or `live`: the public board that a freeze hides, for organisers.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<String>,
    /// The moment that changes of ranks are counted from: `day`, `freeze`, `public` for the final board, or milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<String>,
    /// A column, with `-` before it for the reverse order.
    #[serde(skip_serializing_if = "Option::is_none")]
    sort: Option<String>,
    /// Part of the name of a team.
    #[serde(skip_serializing_if = "Option::is_none")]
    q: Option<String>,
    /// `automatic` or `manual` runs only.
    #[serde(skip_serializing_if = "Option::is_none")]
    runs: Option<String>,
    /// Another format: `csv`, `tsv`, `json`, `md`, `latex` or `html`.
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<String>,
}

impl Asked {
    fn wants_all(&self) -> bool {
        self.measure.as_deref() == Some("all")
    }
}

/// A board for a viewer, and what else its page needs.
struct Seen {
    access: Access,
    board: Arc<Board>,
    all_topics: usize,
    part: Part,
    as_of: i64,
    is_live: bool,
    measure: u32,
    /// The next moment at which the board may change without a write.
    until: i64,
}

/// The board that a viewer may see.
async fn seen(
    server: &Server,
    viewer: Viewer,
    slug: String,
    asked: &Asked,
    standing: Option<Standing>,
) -> Result<Seen, Problem> {
    let now = server.now();
    let (access, all_topics, until) = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            let topics = access.campaign.topics(db)?.len();
            let until = access.campaign.next_change(db, now)?;
            Ok((access, topics, until))
        })
        .await?;
    if standing.is_some_and(|standing| standing != access.standing()) {
        return Err(Problem::conflict(
            "role",
            "Your role has just changed. Load the page again.",
        ));
    }
    if !access.sees_board() {
        return Err(Problem::not_found());
    }
    let frozen_at = access.board_moment();
    let is_frozen = frozen_at < now;
    let (part, as_of) = match asked.part.as_deref() {
        None if access.phase == Phase::Released => (Part::Final, now),
        None | Some("public") => (Part::Public, frozen_at),
        Some("final") if access.sees_final() => (Part::Final, now),
        Some("live") if access.is_staff() && is_frozen => (Part::Public, now),
        Some(_) => return Err(Problem::not_found()),
    };
    let measures = &access.campaign.settings.measures;
    let measure = match asked.measure.as_deref() {
        None | Some("all") => 0,
        Some(name) => measures
            .iter()
            .position(|known| known == name)
            .ok_or_else(Problem::not_found)? as u32,
    };
    let board = server
        .board(access.campaign.clone(), part, measure, as_of, as_of < now)
        .await?;
    Ok(Seen {
        is_live: is_frozen && part == Part::Public && as_of == now,
        // Changes of ranks are counted from the start of the day.
        until: until.min(day_of(&access, now)?.1),
        access,
        board,
        all_topics,
        part,
        as_of,
        measure,
    })
}

/// The ranks that changes are counted from, and when they were.
async fn since(
    server: &Server,
    seen: &Seen,
    asked: &Asked,
) -> Result<(Since, BTreeMap<i64, usize>), Problem> {
    let campaign = &seen.access.campaign;
    let frozen = freeze(campaign.frozen, campaign.dates).filter(|at| *at < seen.as_of);
    let wrong = || {
        Problem::invalid(
            "The parameter since is day, freeze, public, or a time in milliseconds since 1970.",
        )
    };
    let since = match (asked.since.as_deref(), seen.part) {
        (None | Some("public"), Part::Final) => Since::Public,
        (None, Part::Public) if seen.is_live => frozen.map_or(Since::Never, Since::Freeze),
        (None | Some("day"), _) => Since::Moment(day_of(&seen.access, seen.as_of)?.0),
        (Some("freeze"), Part::Public) => frozen.map_or(Since::Never, Since::Freeze),
        (Some(moment), Part::Public) => {
            let moment: i64 = moment.parse().map_err(|_| wrong())?;
            Since::Moment(moment.min(seen.as_of))
        }
        (Some(_), Part::Final) => return Err(wrong()),
    };
    let at = match since {
        Since::Moment(at) | Since::Freeze(at) => at,
        Since::Public => seen.as_of,
        Since::Never => return Ok((since, BTreeMap::new())),
    };
    let (campaign, measure) = (campaign.clone(), seen.measure);
    let ranked = move |db: &_| Board::ranked(db, &campaign, Part::Public, measure, at);
    let before = server.store.read(ranked).await?.ranks();
    Ok((since, before))
}

/// The first moment of a day in the time zone of the campaign, and of the next one.
fn day_of(access: &Access, at: i64) -> Result<(i64, i64), Problem> {
    let zone = access.campaign.settings.time_zone()?;
    let at = jiff::Timestamp::from_millisecond(at).map_err(|error| Problem::internal(&error))?;
    let start = at.to_zoned(zone).start_of_day();
    let start = start.map_err(|error| Problem::internal(&error))?;
    let next = start
        .tomorrow()
        .map_err(|error| Problem::internal(&error))?;
    let milliseconds = |day: &jiff::Zoned| day.timestamp().as_millisecond();
    Ok((milliseconds(&start), milliseconds(&next)))
}

/// The board that a viewer may see, and the next moment at which it may change without a write.
async fn board_page(
    server: &Server,
    viewer: Viewer,
    slug: String,
    asked: Asked,
    standing: Option<Standing>,
) -> Result<(BoardPage, i64), Problem> {
    let seen = seen(server, viewer, slug, &asked, standing).await?;
    let (since, before) = since(server, &seen, &asked).await?;
    let page = BoardPage::new(&seen, asked, since, &before)?;
    Ok((page, seen.until))
}

/// The board as it is kept for everyone who sees the same.
async fn kept(
    server: &Server,
    viewer: Viewer,
    slug: String,
    asked: Asked,
) -> Result<(Key, Arc<Rendered>), Problem> {
    let standing = if viewer.person.is_none() {
        Standing::Reader
    } else {
        let (viewer, slug, now) = (viewer.clone(), slug.clone(), server.now());
        let standing = move |db: &_| Ok(Access::open(db, &viewer, &slug, now)?.standing());
        server.store.read(standing).await?
    };
    let key = Key {
        standing,
        is_preview: viewer.preview.is_some(),
        address: format!("{slug} {asked:?}"),
    };
    let own = Arc::clone(server);
    let make: Make = Arc::new(move || {
        let (server, viewer, slug, asked) = (
            Arc::clone(&own),
            viewer.clone(),
            slug.clone(),
            asked.clone(),
        );
        Box::pin(async move {
            let made = board_page(&server, viewer, slug, asked, Some(standing)).await;
            let (page, until) = made?;
            let page = Rendered::new(&page, page.version.clone())?;
            Ok(Made { page, until })
        })
    });
    let page = rendered::get(server, key.clone(), make).await?;
    Ok((key, page))
}

/// The board that listeners follow.
pub(crate) async fn live(
    server: &Server,
    viewer: Viewer,
    slug: String,
) -> Result<(Key, Arc<Rendered>), Problem> {
    kept(server, viewer, slug, Asked::default()).await
}

pub(crate) async fn show(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let Some(format) = asked.format.clone() else {
        let (_, page) = kept(&server, viewer, slug, asked).await?;
        return Ok(Kept(page).into_response());
    };
    let (page, _) = board_page(&server, viewer, slug, asked, None).await?;
    let mut response = formats::response(&page, &format)?;
    response.headers_mut().insert(header::ETAG, page.etag()?);
    response.headers_mut().insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("private, no-cache"),
    );
    Ok(response)
}
