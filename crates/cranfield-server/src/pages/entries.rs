//! Entries: sending a run, the entries of a team, one entry with its findings, final picks and withdrawal.

use askama::Template;
use axum::extract::{Multipart, Path, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::audit::{self, Event};
use crate::campaign::date_in;
use crate::check::Finding;
use crate::limits::Action;
use crate::policy::{Access, Role, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::upload::{self, Stored};
use crate::web::{Done, Form, Shown, text_of, view};

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

/// The entries of a team.
#[derive(Serialize, Template)]
#[template(path = "team.html")]
pub(crate) struct Team {
    slug: String,
    title: String,
    number: i64,
    name: String,
    members: Vec<String>,
    entries: Vec<EntryLine>,
    picks: u32,
    may_change: bool,
    pending: bool,
}

/// An entry in a list.
#[derive(Serialize)]
pub(crate) struct EntryLine {
    entry: i64,
    file: String,
    received: String,
    state: &'static str,
    late: bool,
    withdrawn: bool,
    value: Option<f64>,
    text: String,
    picked: bool,
}

/// One entry.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own that the page shows"
)]
#[derive(Serialize, Template)]
#[template(path = "entry.html")]
pub(crate) struct Entry {
    slug: String,
    title: String,
    number: i64,
    team: String,
    #[serde(rename = "entry")]
    place: i64,
    file: String,
    description: String,
    hash: String,
    received: String,
    state: &'static str,
    late: bool,
    withdrawn: bool,
    rejected: bool,
    pending: bool,
    may_change: bool,
    /// Public values by measure, if they may be seen.
    values: Vec<Value>,
    findings: Vec<Finding>,
}

/// A value of an entry.
#[derive(Serialize)]
pub(crate) struct Value {
    measure: String,
    public: Option<f64>,
    text: String,
    /// After the release.
    private: Option<f64>,
    private_text: String,
}

view! {
    Submit: |page| format!("Send a run: {}", page.title), Some((page.slug.clone(), page.title.clone()));
    Team: |page| page.name.clone(), Some((page.slug.clone(), page.title.clone()));
    Entry: |page| format!("Entry {} of {}", page.place, page.team), Some((page.slug.clone(), page.title.clone()));
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
    Ok(Quota {
        today: settings.entries_per_day.saturating_sub(today),
        in_all: settings.entries_in_all.saturating_sub(in_all),
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

/// Which team an upload is for.
pub(crate) struct Target {
    pub(crate) access: Access,
    pub(crate) person: i64,
    pub(crate) team: i64,
}

fn target(
    db: &Connection,
    viewer: &Viewer,
    slug: &str,
    baseline: Option<i64>,
    now: i64,
) -> Result<Target, Problem> {
    let access = Access::open(db, viewer, slug, now)?;
    if let Some(team) = baseline {
        let person = access.organiser()?.id;
        return Ok(Target {
            access,
            person,
            team,
        });
    }
    let (person, team) = access
        .participant()
        .map(|(person, team)| (person.id, team))?;
    if let Some(why) = why_closed(&access) {
        return Err(Problem::conflict("closed", why));
    }
    let quota = quota(db, &access, team)?;
    if quota.today.min(quota.in_all) == 0 {
        let message = match quota.in_all {
            0 => "Your team has sent all of its entries.".to_owned(),
            _ => format!(
                "Your team has sent all entries of today. The next day begins {}.",
                access.campaign.date(quota.resets)
            ),
        };
        let seconds = ((quota.resets - now).max(0) as u64).div_ceil(1000);
        return Err(Problem::too_many(message, seconds));
    }
    Ok(Target {
        access,
        person,
        team,
    })
}

pub(crate) async fn submit(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    headers: HeaderMap,
    body: Multipart,
) -> Result<Done, Problem> {
    let key = text_of(&headers, &HeaderName::from_static("idempotency-key")).map(str::to_owned);
    receive(&server, viewer, slug, None, key, body).await
}

/// Receives a run for the own team, or for a baseline.
pub(crate) async fn receive(
    server: &Server,
    viewer: Viewer,
    slug: String,
    baseline: Option<i64>,
    key: Option<String>,
    body: Multipart,
) -> Result<Done, Problem> {
    let started = server.now();
    if key
        .as_ref()
        .is_some_and(|key| key.is_empty() || key.len() > 64)
    {
        return Err(Problem::invalid(
            "An Idempotency-Key has 1 to 64 characters.",
        ));
    }
    // Before the body: whoever may not send must not make the server read.
    let (asking, address) = (viewer.clone(), slug.clone());
    let person = server
        .store
        .read(move |db| {
            target(db, &asking, &address, baseline, started).map(|target| target.person)
        })
        .await?;
    server
        .buckets
        .take(Action::Upload, &person.to_string(), started)?;
    let sent = upload::receive(server, body).await?;
    let stored = sent
        .file
        .ok_or_else(|| Problem::field("run", "Choose a file to send."))?;
    let slug_of_answer = slug.clone();
    let (number, entry) = server
        .store
        .write(move |tx| {
            // The moment that counts is when the request began.
            let target = target(tx, &viewer, &slug, baseline, started)?;
            let before = earlier(tx, target.team, &stored, key.as_deref())?;
            match before {
                Some(entry) => Ok((number_of(tx, target.team)?, entry)),
                None => insert(
                    tx,
                    &target,
                    &stored,
                    &sent.description,
                    key.as_deref(),
                    started,
                ),
            }
        })
        .await?;
    server.queue.wake();
    let place = format!("/c/{slug_of_answer}/team/{number}/{entry}");
    Ok(Done {
        status: StatusCode::ACCEPTED,
        ..Done::at(place.clone()).with(json!({ "entry": entry, "team": number, "location": place }))
    })
}

fn number_of(db: &Connection, team: i64) -> Result<i64, Problem> {
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
         VALUES (?1, ?2, (SELECT 1 + count(*) FROM submission WHERE team = ?2), ?3, ?4, ?5, ?6, ?7, 1, ?8, ?9, 'received')
         RETURNING id, entry",
        (campaign.id, target.team, target.person, now, &stored.hash, &stored.name, description, key, late),
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

/// The state that may be seen: an entry is pending until its result is shown.
fn shown_state(state: &str, shown: Option<i64>, now: i64) -> &'static str {
    match (state, shown) {
        (_, None) => "pending",
        (_, Some(at)) if at > now => "pending",
        ("invalid", _) => "invalid",
        ("failed", _) => "failed",
        ("valid", _) => "valid",
        _ => "scored",
    }
}

pub(crate) async fn own_team(
    state: State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Shown, Problem> {
    team_page(state, viewer, slug, None).await
}

pub(crate) async fn team(
    state: State<Server>,
    viewer: Viewer,
    Path((slug, number)): Path<(String, i64)>,
) -> Result<Shown, Problem> {
    team_page(state, viewer, slug, Some(number)).await
}

async fn team_page(
    State(server): State<Server>,
    viewer: Viewer,
    slug: String,
    number: Option<i64>,
) -> Result<Shown, Problem> {
    let now = server.now();
    let page = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            let team = match number {
                None => access.participant()?.1,
                Some(number) => team_of(db, &access, number)?,
            };
            let (number, name): (i64, String) =
                db.query_row("SELECT number, name FROM team WHERE id = ?1", [team], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let mut query = db.prepare_cached(
                "SELECT p.name FROM team_member m JOIN person p ON p.id = m.person WHERE m.team = ?1 ORDER BY p.id",
            )?;
            let members = query.query_map([team], |row| row.get(0))?.collect::<Result<_, _>>()?;
            let entries = lines(db, &access, team)?;
            Ok(Team {
                slug: access.campaign.slug.clone(),
                title: access.campaign.settings.title.clone(),
                number,
                name,
                members,
                pending: entries.iter().any(|entry| entry.state == "pending"),
                entries,
                picks: access.campaign.settings.final_picks,
                may_change: access.role == Some(Role::Participant) && access.phase != crate::phase::Phase::Released,
            })
        })
        .await?;
    Ok(page.into())
}

/// The team with a number, if its entries may be seen.
fn team_of(db: &Connection, access: &Access, number: i64) -> Result<i64, Problem> {
    let team = db
        .query_row(
            "SELECT id FROM team WHERE campaign = ?1 AND number = ?2",
            (access.campaign.id, number),
            |row| row.get(0),
        )
        .optional()?;
    team.filter(|team| access.sees_entries_of(*team))
        .ok_or_else(Problem::not_found)
}

fn lines(db: &Connection, access: &Access, team: i64) -> Result<Vec<EntryLine>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT e.entry, e.file, e.received, e.state, e.shown, e.late, e.withdrawn IS NOT NULL, s.public,
                EXISTS (SELECT 1 FROM pick WHERE pick.submission = e.id)
         FROM submission e LEFT JOIN score s ON s.submission = e.id AND s.scoring = ?2 AND s.measure = 0
         WHERE e.team = ?1 ORDER BY e.entry DESC",
    )?;
    let sees = access.sees_score_of_entry();
    let rows = query.query_map((team, access.campaign.scoring), |row| {
        let state = shown_state(&row.get::<_, String>(3)?, row.get(4)?, access.now);
        let value: Option<f64> = row.get(7)?;
        let value = value.filter(|_| sees && state == "scored");
        Ok(EntryLine {
            entry: row.get(0)?,
            file: row.get(1)?,
            received: date_in(&access.campaign.settings, row.get(2)?),
            state,
            late: row.get(5)?,
            withdrawn: row.get(6)?,
            text: value.map_or_else(String::new, |value| format!("{value:.4}")),
            value,
            picked: row.get(8)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(crate) async fn entry(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, number, entry)): Path<(String, i64, i64)>,
) -> Result<Shown, Problem> {
    let now = server.now();
    let page = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            let team = team_of(db, &access, number)?;
            entry_page(db, &access, team, number, entry)
        })
        .await?;
    Ok(page.into())
}

fn entry_page(
    db: &Connection,
    access: &Access,
    team: i64,
    number: i64,
    entry: i64,
) -> Result<Entry, Problem> {
    let campaign = &access.campaign;
    let mut query = db.prepare_cached(
        "SELECT e.id, e.file, e.description, e.blob, e.received, e.state, e.shown, e.late, e.withdrawn IS NOT NULL,
                e.rejected IS NOT NULL, e.findings, t.name
         FROM submission e JOIN team t ON t.id = e.team WHERE e.team = ?1 AND e.entry = ?2",
    )?;
    let found = query
        .query_row((team, entry), |row| {
            let state = shown_state(&row.get::<_, String>(5)?, row.get(6)?, access.now);
            let page = Entry {
                slug: campaign.slug.clone(),
                title: campaign.settings.title.clone(),
                number,
                team: row.get(11)?,
                place: entry,
                file: row.get(1)?,
                description: row.get(2)?,
                hash: row.get(3)?,
                received: campaign.date(row.get(4)?),
                state,
                late: row.get(7)?,
                withdrawn: row.get(8)?,
                rejected: row.get(9)?,
                pending: state == "pending",
                may_change: access.role == Some(Role::Participant)
                    && access.phase != crate::phase::Phase::Released,
                values: Vec::new(),
                findings: Vec::new(),
            };
            Ok((page, row.get::<_, i64>(0)?, row.get::<_, String>(10)?))
        })
        .optional()?;
    let (mut page, id, findings) = found.ok_or_else(Problem::not_found)?;
    if !page.pending {
        page.findings = serde_json::from_str(&findings)?;
    }
    if page.state == "scored" && access.sees_score_of_entry() {
        page.values = values(db, access, id)?;
    }
    Ok(page)
}

fn values(db: &Connection, access: &Access, submission: i64) -> Result<Vec<Value>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT measure, public, private FROM score WHERE scoring = ?1 AND submission = ?2 ORDER BY measure",
    )?;
    let names = &access.campaign.settings.measures;
    let sees_final = access.sees_final();
    let text = |value: Option<f64>| value.map_or_else(|| "–".into(), |value| format!("{value:.4}"));
    let rows = query.query_map((access.campaign.scoring, submission), |row| {
        let (measure, public): (u32, Option<f64>) = (row.get(0)?, row.get(1)?);
        let private = row.get::<_, Option<f64>>(2)?.filter(|_| sees_final);
        Ok(Value {
            measure: names.get(measure as usize).cloned().unwrap_or_default(),
            public,
            text: text(public),
            private,
            private_text: if sees_final {
                text(private)
            } else {
                String::new()
            },
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The file of an entry, as it was received.
pub(crate) async fn file(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, number, entry)): Path<(String, i64, i64)>,
) -> Result<Response, Problem> {
    let now = server.now();
    let hash: String = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            let team = team_of(db, &access, number)?;
            let hash = db
                .query_row(
                    "SELECT blob FROM submission WHERE team = ?1 AND entry = ?2",
                    (team, entry),
                    |row| row.get(0),
                )
                .optional()?;
            hash.ok_or_else(Problem::not_found)
        })
        .await?;
    let bytes = tokio::fs::read(server.blob_path(&hash)).await?;
    let name = format!("attachment; filename=\"T{number:03}-E{entry:03}.run\"");
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, name),
        (
            header::CONTENT_SECURITY_POLICY,
            "sandbox; default-src 'none'".to_owned(),
        ),
    ];
    Ok((headers, bytes).into_response())
}

/// The entries that a team picks for the final board.
#[derive(Deserialize)]
pub(crate) struct Picks {
    /// Numbers of entries, separated by spaces or commas.
    #[serde(default)]
    entries: String,
}

pub(crate) async fn pick(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(picks): Form<Picks>,
) -> Result<Done, Problem> {
    let now = server.now();
    let words = picks
        .entries
        .split([' ', ','])
        .filter(|word| !word.is_empty());
    let mut entries: Vec<i64> = words
        .map(|word| {
            word.parse().map_err(|_| {
                Problem::field(
                    "entries",
                    format!("`{word}` is not the number of an entry."),
                )
            })
        })
        .collect::<Result<_, _>>()?;
    entries.sort_unstable();
    entries.dedup();
    let slug_of_answer = slug.clone();
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let (person, team) = access.participant()?;
            if access.phase == crate::phase::Phase::Released {
                return Err(Problem::conflict("released", "The final board is released; picks are locked."));
            }
            if entries.len() > access.campaign.settings.final_picks as usize {
                let most = access.campaign.settings.final_picks;
                return Err(Problem::field("entries", format!("A team picks at most {most} entries.")));
            }
            tx.execute("DELETE FROM pick WHERE team = ?1", [team])?;
            for entry in &entries {
                let id: Option<i64> = tx
                    .query_row(
                        "SELECT id FROM submission WHERE team = ?1 AND entry = ?2 AND state IN ('valid', 'scored') AND withdrawn IS NULL",
                        (team, entry),
                        |row| row.get(0),
                    )
                    .optional()?;
                let id = id.ok_or_else(|| Problem::field("entries", format!("Entry {entry} is not one of your valid entries.")))?;
                tx.execute("INSERT INTO pick (team, submission, at) VALUES (?1, ?2, ?3)", (team, id, now))?;
            }
            let event = Event {
                at: now,
                actor: Some(person.id),
                campaign: Some(access.campaign.id),
                action: "picks.set",
                object: format!("team {}", number_of(tx, team)?),
                details: json!({ "entries": entries }),
            };
            audit::record(tx, event)
        })
        .await?;
    Ok(Done::at(format!("/c/{slug_of_answer}/team")))
}

/// Withdraws an entry. It stays in the record.
pub(crate) async fn withdraw(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, number, entry)): Path<(String, i64, i64)>,
) -> Result<Done, Problem> {
    let now = server.now();
    let place = format!("/c/{slug}/team/{number}/{entry}");
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let (person, team) = access.participant()?;
            if team_of(tx, &access, number)? != team || access.phase == crate::phase::Phase::Released {
                return Err(Problem::conflict("withdraw", "Only the team can withdraw an entry, and only before the release."));
            }
            let changed = tx.execute(
                "UPDATE submission SET withdrawn = ?3 WHERE team = ?1 AND entry = ?2 AND withdrawn IS NULL",
                (team, entry, now),
            )?;
            if changed == 0 {
                return Err(Problem::not_found());
            }
            let event = Event {
                at: now,
                actor: Some(person.id),
                campaign: Some(access.campaign.id),
                action: "entry.withdraw",
                object: format!("team {number} entry {entry}"),
                details: json!({}),
            };
            audit::record(tx, event)
        })
        .await?;
    Ok(Done::at(place))
}
