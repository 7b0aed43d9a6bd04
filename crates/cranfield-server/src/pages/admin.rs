//! What organisers do: change settings, and publish, freeze and release a campaign.

use askama::Template;
use axum::extract::State;
use rusqlite::{Connection, Transaction};
use serde::Serialize;
use serde_json::json;

use crate::audit::{self, Event};
use crate::phase::Phase;
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::web::{Done, Path, Shown, view};

/// What needs attention, and what can be done.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own that the page shows"
)]
#[derive(Serialize, Template)]
#[template(path = "admin.html")]
pub(crate) struct Cockpit {
    slug: String,
    title: String,
    phase: &'static str,
    is_draft: bool,
    is_open: bool,
    may_freeze: bool,
    may_release: bool,
    topics: usize,
    public_topics: usize,
    measures: Vec<String>,
    opens: String,
    closes: String,
    teams: Vec<TeamLine>,
    entries: i64,
    waiting: i64,
    failed: i64,
    is_organiser: bool,
}

/// A team in the cockpit.
#[derive(Serialize)]
struct TeamLine {
    number: i64,
    name: String,
    kind: String,
    entries: i64,
    invalid: i64,
    /// Whether it takes part: baselines and merged teams do not.
    takes_part: bool,
}

view! {
    Cockpit: |page| format!("Organise {}", page.title), Some((page.slug.clone(), page.title.clone()));
}

pub(crate) async fn cockpit(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Shown, Problem> {
    let now = server.now();
    let page = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            access.staff()?;
            cockpit_page(db, &access)
        })
        .await?;
    Ok(page.into())
}

fn cockpit_page(db: &Connection, access: &Access) -> Result<Cockpit, Problem> {
    let campaign = &access.campaign;
    let mut query = db.prepare_cached(
        "SELECT t.number, t.name, t.kind, count(e.id), coalesce(sum(e.state = 'invalid'), 0),
                t.kind = 'team' AND t.merged_into IS NULL
         FROM team t LEFT JOIN submission e ON e.team = t.id WHERE t.campaign = ?1 GROUP BY t.id ORDER BY t.number",
    )?;
    let teams = query.query_map([campaign.id], |row| {
        Ok(TeamLine {
            number: row.get(0)?,
            name: row.get(1)?,
            kind: row.get(2)?,
            entries: row.get(3)?,
            invalid: row.get(4)?,
            takes_part: row.get(5)?,
        })
    })?;
    let teams: Vec<TeamLine> = teams.collect::<Result<_, _>>()?;
    let (entries, waiting, failed) = db.query_row(
        "SELECT count(*), coalesce(sum(state = 'received'), 0), coalesce(sum(state = 'failed'), 0)
         FROM submission WHERE campaign = ?1",
        [campaign.id],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    let public = campaign.public_topics(db)?;
    Ok(Cockpit {
        slug: campaign.slug.clone(),
        title: campaign.settings.title.clone(),
        phase: access.phase.title(),
        is_draft: access.phase == Phase::Draft,
        is_open: access.phase.takes_entries(),
        may_freeze: access.phase == Phase::Open,
        may_release: access.phase == Phase::Closed,
        topics: public.len(),
        public_topics: public.iter().filter(|public| **public).count(),
        measures: campaign.settings.measures.clone(),
        opens: campaign.date(campaign.dates.opens),
        closes: campaign.date(campaign.dates.closes),
        teams,
        entries,
        waiting,
        failed,
        is_organiser: access.is_organiser(),
    })
}

pub(super) fn record(
    tx: &Transaction<'_>,
    access: &Access,
    person: i64,
    action: &str,
    details: serde_json::Value,
) -> Result<(), Problem> {
    let event = Event {
        at: access.now,
        actor: Some(person),
        campaign: Some(access.campaign.id),
        action,
        object: access.campaign.slug.clone(),
        details,
    };
    audit::record(tx, event)
}

/// Sets one of the moments of a campaign to now, if its phase allows it.
async fn mark(
    server: Server,
    viewer: Viewer,
    slug: String,
    action: &'static str,
    column: &'static str,
    allowed: fn(Phase) -> bool,
    why: &'static str,
) -> Result<Done, Problem> {
    let (now, place) = (server.now(), format!("/c/{slug}/admin"));
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let person = access.organiser()?.id;
            if !allowed(access.phase) {
                return Err(Problem::conflict("phase", why));
            }
            tx.execute(
                &format!("UPDATE campaign SET {column} = ?2 WHERE id = ?1"),
                (access.campaign.id, now),
            )?;
            record(tx, &access, person, action, json!({}))
        })
        .await?;
    Ok(Done::at(place))
}

pub(crate) async fn publish(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Done, Problem> {
    let is_draft = |phase| phase == Phase::Draft;
    mark(
        server,
        viewer,
        slug,
        "campaign.publish",
        "published",
        is_draft,
        "The campaign is public already.",
    )
    .await
}

pub(crate) async fn freeze(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Done, Problem> {
    let is_open = |phase| phase == Phase::Open;
    mark(
        server,
        viewer,
        slug,
        "campaign.freeze",
        "frozen",
        is_open,
        "Only the board of an open campaign can be frozen.",
    )
    .await
}

pub(crate) async fn release(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Done, Problem> {
    let is_closed = |phase| phase == Phase::Closed;
    let why = "A campaign is released after its end. Change the end first if it should be earlier.";
    mark(
        server,
        viewer,
        slug,
        "campaign.release",
        "released",
        is_closed,
        why,
    )
    .await
}
