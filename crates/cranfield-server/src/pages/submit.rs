//! Sending a run: quotas, repeated requests, and the entry that comes of it.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use cranfield_io::Source;
use rusqlite::{Connection, OptionalExtension};
use serde::Serialize;
use serde_json::json;
use tokio::sync::Semaphore;

use super::baselines::baseline_of;
use crate::audit::{self, Event};
use crate::check::{self, Finding};
use crate::extract::Fields;
use crate::limits::Action;
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::teams;
use crate::upload::{self, Stored};
use crate::web::{Done, IdempotencyKey, Path, Shown, Upload, view};

/// The form to send a run.
#[derive(Serialize, Template)]
#[template(path = "submit.html")]
pub(crate) struct Submit {
    slug: String,
    title: String,
    takes_entries: bool,
    why_not: String,
    left_today: u32,
    left_in_all: u32,
    resets: String,
}

view! {
    Submit: |page| format!("Send a run: {}", page.title), Some((page.slug.clone(), page.title.clone()));
}

/// The form to send a run.
pub(crate) enum Run {}

impl Fields for Run {
    const FILES: &'static [(&'static str, bool)] = &[("run", true)];

    fn texts() -> serde_json::Value {
        json!({ "properties": {
            "description": { "type": "string", "maxLength": 500 },
            "runs": { "enum": ["automatic", "manual"] },
        } })
    }
}

/// How many entries a team may still send today and in all, and when the day ends.
#[derive(Clone, Copy, Debug)]
struct Quota {
    today: u32,
    in_all: u32,
    resets: i64,
}

/// Entries count unless they are invalid or failed on the side of the server; those in the queue count until that is known.
fn quota(db: &Connection, access: &Access, team: i64) -> Result<Quota, Problem> {
    let settings = &access.campaign.settings;
    let zone = settings.time_zone()?;
    let now =
        jiff::Timestamp::from_millisecond(access.now).map_err(|error| Problem::internal(&error))?;
    let start = now
        .to_zoned(zone)
        .start_of_day()
        .map_err(|error| Problem::internal(&error))?;
    let end = start
        .tomorrow()
        .map_err(|error| Problem::internal(&error))?;
    let (today, in_all): (u32, u32) = db.query_row(
        "SELECT coalesce(sum(received >= ?2), 0), count(*) FROM submission
         WHERE team = ?1 AND (state IN ('received', 'valid', 'scored') OR shown > ?3)",
        (team, start.timestamp().as_millisecond(), access.now),
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let (granted_today, granted) = teams::granted(db, team, start.timestamp().as_millisecond())?;
    Ok(Quota {
        today: (settings.entries_per_day + granted_today).saturating_sub(today),
        in_all: (settings.entries_in_all + granted).saturating_sub(in_all),
        resets: end.timestamp().as_millisecond(),
    })
}

/// Why a campaign takes no entries, if it does not.
fn why_closed(access: &Access) -> Option<String> {
    use crate::phase::Phase::{Closed, Draft, Frozen, Open, Released, Scheduled};
    let campaign = &access.campaign;
    let date = |at| campaign.date(at);
    match access.phase {
        Draft => Some("The campaign is a draft.".into()),
        Scheduled => Some(format!(
            "Entries are accepted from {}.",
            date(campaign.dates.opens)
        )),
        Open | Frozen => None,
        Closed if campaign.settings.accept_late => None,
        Closed => Some(format!(
            "Entries were accepted until {}.",
            date(campaign.dates.closes)
        )),
        Released => Some("The final board is released; entries are over.".into()),
    }
}

pub(crate) async fn submit_form(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Shown, Problem> {
    let now = server.now();
    let page = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            let (_, team) = access.participant()?;
            let quota = quota(db, &access, team)?;
            let why_not = why_closed(&access);
            Ok(Submit {
                slug: access.campaign.slug.clone(),
                title: access.campaign.settings.title.clone(),
                takes_entries: why_not.is_none(),
                why_not: why_not.unwrap_or_default(),
                left_today: quota.today.min(quota.in_all),
                left_in_all: quota.in_all,
                resets: access.campaign.date(quota.resets),
            })
        })
        .await?;
    Ok(page.into())
}

/// The result of a check.
#[derive(Serialize, Template)]
#[template(path = "check.html")]
pub(crate) struct Checked {
    slug: String,
    title: String,
    file: String,
    /// Whether the run would be refused.
    invalid: bool,
    findings: Vec<Finding>,
}

view! {
    Checked: |page| format!("Check of a run: {}", page.title), Some((page.slug.clone(), page.title.clone()));
}

/// Checks are made one at a time, because each may take the memory of a whole run.
static CHECKING: Semaphore = Semaphore::const_new(1);

/// Checks a run as it is checked when it is sent, and keeps nothing.
pub(crate) async fn check(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    body: Upload<Run>,
) -> Result<Shown, Problem> {
    let now = server.now();
    let (campaign, topics, person) = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            let person = access.participant()?.0.id;
            let topics = access.campaign.topics(db)?;
            Ok((access.campaign, topics, person))
        })
        .await?;
    server
        .buckets
        .take(Action::Check, &person.to_string(), now)?;
    let (mut sent, mut loose) = upload::receive_loose(&server, body).await?;
    let (Some((_, stored)), Some(file)) = (sent.files.pop(), loose.pop()) else {
        return Err(Problem::field("run", "Choose a file to check."));
    };
    let depth = campaign.settings.depth;
    let turn = CHECKING.acquire().await;
    let checked = tokio::task::spawn_blocking(move || {
        let opened = Source::open_with(&file.0, check::limits(&topics, depth));
        let checked = check::run(opened, &topics, depth);
        (checked.is_invalid, checked.findings)
    })
    .await;
    drop(turn);
    let (invalid, findings) = checked.map_err(|error| Problem::internal(&error))?;
    let page = Checked {
        slug: campaign.slug,
        title: campaign.settings.title,
        file: stored.name,
        invalid,
        findings,
    };
    Ok(page.into())
}

/// Which team an upload is for.
pub(crate) struct Target {
    pub(crate) access: Access,
    pub(crate) person: i64,
    pub(crate) team: i64,
}

/// For whom a run is sent.
#[derive(Clone, Debug)]
pub(crate) enum Sender {
    /// The own team.
    Team,
    /// The baseline with a name, which a field of the form may have instead.
    Baseline(Option<String>),
}

fn target(db: &Connection, viewer: &Viewer, slug: &str, now: i64) -> Result<Target, Problem> {
    let access = Access::open(db, viewer, slug, now)?;
    let (person, team) = access
        .participant()
        .map(|(person, team)| (person.id, team))?;
    Ok(Target {
        access,
        person,
        team,
    })
}

/// Rejects an entry when the campaign takes none, or none of this team.
fn check_quota(db: &Connection, target: &Target) -> Result<(), Problem> {
    let access = &target.access;
    if let Some(why) = why_closed(access) {
        return Err(Problem::conflict("closed", why));
    }
    let quota = quota(db, access, target.team)?;
    if quota.today.min(quota.in_all) == 0 {
        let message = match quota.in_all {
            0 => "Your team has sent all of its entries.".to_owned(),
            _ => format!(
                "Your team has sent all entries of today. The next day begins {}.",
                access.campaign.date(quota.resets)
            ),
        };
        let seconds = ((quota.resets - access.now).max(0) as u64).div_ceil(1000);
        return Err(Problem::too_many(message, seconds));
    }
    Ok(())
}

/// Whether a team has used a key.
fn is_known(db: &Connection, team: i64, key: &str) -> Result<bool, Problem> {
    let mut query = db.prepare_cached("SELECT 1 FROM submission WHERE team = ?1 AND idem = ?2")?;
    Ok(query.exists((team, key))?)
}

pub(crate) async fn submit(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    IdempotencyKey(key): IdempotencyKey,
    body: Upload<Run>,
) -> Result<Done, Problem> {
    receive(&server, viewer, slug, Sender::Team, key, body).await
}

/// Receives a run for the own team, or for a baseline.
pub(crate) async fn receive<F: Fields>(
    server: &Server,
    viewer: Viewer,
    slug: String,
    sender: Sender,
    key: Option<String>,
    body: Upload<F>,
) -> Result<Done, Problem> {
    let started = server.now();
    // Before the body: whoever may not send must not make the server read.
    let (asking, address, asked) = (viewer.clone(), slug.clone(), sender.clone());
    let asked_key = key.clone();
    let person = server
        .store
        .read(move |db| match asked {
            Sender::Team => {
                let target = target(db, &asking, &address, started)?;
                // A repeated request gets its answer again, even if the quota was used up by the first one.
                let is_repeated = match &asked_key {
                    Some(key) => is_known(db, target.team, key)?,
                    None => false,
                };
                if !is_repeated {
                    check_quota(db, &target)?;
                }
                Ok(target.person)
            }
            Sender::Baseline(_) => {
                let access = Access::open(db, &asking, &address, started)?;
                Ok(access.organiser()?.id)
            }
        })
        .await?;
    server
        .buckets
        .take(Action::Upload, &person.to_string(), started)?;
    let sent = upload::receive(server, body).await?;
    let automatic = sent.is_automatic()?;
    let field = sent.text_of("name").unwrap_or_default().to_owned();
    let stored = sent
        .file
        .ok_or_else(|| Problem::field("run", "Choose a file to send."))?;
    let slug_of_answer = slug.clone();
    let (number, entry) = server
        .store
        .write(move |tx| {
            // The moment that counts is when the request began.
            let is_team = matches!(sender, Sender::Team);
            let target = match sender {
                Sender::Team => target(tx, &viewer, &slug, started)?,
                Sender::Baseline(name) => {
                    let access = Access::open(tx, &viewer, &slug, started)?;
                    let person = access.organiser()?.id;
                    let team = baseline_of(tx, &access, person, &name.unwrap_or(field))?;
                    Target {
                        access,
                        person,
                        team,
                    }
                }
            };
            let key = key.as_deref();
            if let Some(entry) = earlier(tx, target.team, &stored, key)? {
                return Ok((number_of(tx, target.team)?, entry));
            }
            if is_team {
                check_quota(tx, &target)?;
            }
            let description = &sent.description;
            insert(tx, &target, &stored, description, automatic, key, started)
        })
        .await?;
    server.queue.wake();
    let place = format!("/c/{slug_of_answer}/team/{number}/{entry}");
    Ok(Done {
        status: StatusCode::ACCEPTED,
        ..Done::at(place.clone()).with(json!({ "entry": entry, "team": number, "location": place }))
    })
}

pub(super) fn number_of(db: &Connection, team: i64) -> Result<i64, Problem> {
    Ok(
        db.query_row("SELECT number FROM team WHERE id = ?1", [team], |row| {
            row.get(0)
        })?,
    )
}

/// The entry that a request repeats: one with the same key, or the same bytes.
fn earlier(
    db: &Connection,
    team: i64,
    stored: &Stored,
    key: Option<&str>,
) -> Result<Option<i64>, Problem> {
    if let Some(key) = key {
        let known = db
            .query_row(
                "SELECT entry, blob FROM submission WHERE team = ?1 AND idem = ?2",
                (team, key),
                |row| Ok((row.get(0)?, row.get::<_, String>(1)?)),
            )
            .optional()?;
        match known {
            Some((entry, blob)) if blob == stored.hash => return Ok(Some(entry)),
            Some(_) => {
                return Err(Problem::invalid(
                    "This Idempotency-Key was used for another file.",
                ));
            }
            None => {}
        }
    }
    let same = db
        .query_row(
            "SELECT entry FROM submission WHERE team = ?1 AND blob = ?2 AND withdrawn IS NULL AND state <> 'failed'",
            (team, &stored.hash),
            |row| row.get(0),
        )
        .optional()?;
    Ok(same)
}

/// Adds an entry to the queue, and returns the number of the team and its own.
pub(crate) fn insert(
    tx: &rusqlite::Transaction<'_>,
    target: &Target,
    stored: &Stored,
    description: &str,
    automatic: bool,
    key: Option<&str>,
    now: i64,
) -> Result<(i64, i64), Problem> {
    let campaign = &target.access.campaign;
    let grace = i64::from(campaign.settings.grace_minutes) * 60_000;
    let late = now >= campaign.dates.closes + grace;
    tx.execute(
        "INSERT INTO blob (hash, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
        (&stored.hash, stored.bytes),
    )?;
    let (id, entry): (i64, i64) = tx.query_row(
        "INSERT INTO submission (campaign, team, entry, by, received, blob, file, description, automatic, idem, late, state)
         VALUES (?1, ?2, (SELECT 1 + count(*) FROM submission WHERE team = ?2), ?3, ?4, ?5, ?6, ?7, ?10, ?8, ?9, 'received')
         RETURNING id, entry",
        (campaign.id, target.team, target.person, now, &stored.hash, &stored.name, description, key, late, automatic),
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    tx.execute(
        "INSERT INTO job (submission, state, created) VALUES (?1, 'queued', ?2)",
        (id, now),
    )?;
    let number = number_of(tx, target.team)?;
    let event = Event {
        at: now,
        actor: Some(target.person),
        campaign: Some(campaign.id),
        action: "entry.add",
        object: format!("team {number} entry {entry}"),
        details: json!({ "hash": stored.hash, "late": late }),
    };
    audit::record(tx, event)?;
    Ok((number, entry))
}
