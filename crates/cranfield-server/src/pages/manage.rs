//! All entries of a campaign, for staff: rejecting one with a reason, and queueing again what failed on the side of the server.

use askama::Template;
use axum::extract::State;
use rusqlite::{Connection, OptionalExtension, Transaction};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::audit::{self, Event};
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::questions::{self, Question};
use crate::server::Server;
use crate::web::{Done, Form, Path, Query, Shown, view};

/// The most entries of a page.
const PAGE: u32 = 200;
/// The most characters of a reason.
const MOST_REASON: usize = 500;

/// Entries of all teams, the newest first.
#[derive(Serialize, Template)]
#[template(path = "manage.html")]
pub(crate) struct EntriesPage {
    slug: String,
    title: String,
    state: String,
    entries: Vec<EntryLine>,
    /// Where the next page begins, if there is one.
    before: Option<i64>,
}

/// An entry in the list.
#[derive(Serialize)]
struct EntryLine {
    #[serde(skip)]
    id: i64,
    number: i64,
    team: String,
    entry: i64,
    file: String,
    received: String,
    state: String,
    late: bool,
    withdrawn: bool,
    rejected: bool,
    rejection: String,
    /// What may be asked about the entry.
    questions: Vec<Question>,
}

view! {
    EntriesPage: |page| format!("Entries of {}", page.title), Some((page.slug.clone(), page.title.clone()));
}

/// Which entries are listed.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    /// `received`, `valid`, `invalid`, `failed`, `scored`, `rejected`, `question`, or all.
    #[serde(default)]
    state: String,
    before: Option<i64>,
}

pub(crate) async fn list(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Shown, Problem> {
    let now = server.now();
    let page = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            access.staff()?;
            let entries = lines(db, &access, &asked)?;
            Ok(EntriesPage {
                slug: access.campaign.slug.clone(),
                title: access.campaign.settings.title.clone(),
                before: (entries.len() == PAGE as usize)
                    .then(|| entries.last().map(|entry| entry.id))
                    .flatten(),
                entries,
                state: asked.state,
            })
        })
        .await?;
    Ok(page.into())
}

fn lines(db: &Connection, access: &Access, asked: &Asked) -> Result<Vec<EntryLine>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT e.id, t.number, t.name, e.entry, e.file, e.received, e.state, e.late,
                e.withdrawn IS NOT NULL, e.rejected IS NOT NULL, e.rejection
         FROM submission e JOIN team t ON t.id = e.team
         WHERE e.campaign = ?1 AND e.id < ?2
           AND (?3 = '' OR e.state = ?3 OR (?3 = 'rejected' AND e.rejected IS NOT NULL)
             OR (?3 = 'question' AND EXISTS (SELECT 1 FROM question WHERE submission = e.id)))
         ORDER BY e.id DESC LIMIT ?4",
    )?;
    let before = asked.before.unwrap_or(i64::MAX);
    let key = (access.campaign.id, before, &asked.state, PAGE);
    let rows = query.query_map(key, |row| {
        let id = row.get(0)?;
        Ok(EntryLine {
            questions: questions::of_entry(db, id)?,
            id,
            number: row.get(1)?,
            team: row.get(2)?,
            entry: row.get(3)?,
            file: row.get(4)?,
            received: access.campaign.date(row.get(5)?),
            state: row.get(6)?,
            late: row.get(7)?,
            withdrawn: row.get(8)?,
            rejected: row.get(9)?,
            rejection: row.get(10)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Why an entry is rejected.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rejection {
    reason: String,
}

/// Takes an entry out of all boards, with a reason that its team sees.
pub(crate) async fn reject(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, number, entry)): Path<(String, i64, i64)>,
    Form(form): Form<Rejection>,
) -> Result<Done, Problem> {
    let reason = form.reason.trim().to_owned();
    let is_text = !reason.chars().any(char::is_control);
    if reason.is_empty() || reason.chars().count() > MOST_REASON || !is_text {
        let message = format!("Give a reason of 1 to {MOST_REASON} characters; the team sees it.");
        return Err(Problem::field("reason", message));
    }
    let (now, place) = (server.now(), format!("/c/{slug}/admin/entries"));
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            access.staff()?;
            let id = find(tx, &access, number, entry)?;
            let changed = tx.execute(
                "UPDATE submission SET rejected = ?2, rejection = ?3 WHERE id = ?1 AND rejected IS NULL",
                (id, now, &reason),
            )?;
            if changed == 0 {
                return Err(Problem::conflict("rejected", "The entry is rejected already."));
            }
            let details = json!({ "reason": reason });
            log(tx, &access, "entry.reject", number, entry, details)
        })
        .await?;
    Ok(Done::at(place))
}

/// Queues an entry again that failed on the side of the server.
pub(crate) async fn requeue(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, number, entry)): Path<(String, i64, i64)>,
) -> Result<Done, Problem> {
    let (now, place) = (server.now(), format!("/c/{slug}/admin/entries"));
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            access.staff()?;
            let id = find(tx, &access, number, entry)?;
            let changed = tx.execute(
                "UPDATE submission SET state = 'received', findings = '[]', shown = NULL WHERE id = ?1 AND state = 'failed'",
                [id],
            )?;
            if changed == 0 {
                let message = "Only entries that failed on the side of the server are queued again.";
                return Err(Problem::conflict("state", message));
            }
            tx.execute(
                "INSERT INTO job (submission, state, created) VALUES (?1, 'queued', ?2)",
                (id, now),
            )?;
            log(tx, &access, "entry.requeue", number, entry, json!({}))
        })
        .await?;
    server.queue.wake();
    Ok(Done::at(place))
}

fn find(db: &Connection, access: &Access, number: i64, entry: i64) -> Result<i64, Problem> {
    let found = db
        .query_row(
            "SELECT e.id FROM submission e JOIN team t ON t.id = e.team
             WHERE t.campaign = ?1 AND t.number = ?2 AND e.entry = ?3",
            (access.campaign.id, number, entry),
            |row| row.get(0),
        )
        .optional()?;
    found.ok_or_else(Problem::not_found)
}

fn log(
    tx: &Transaction<'_>,
    access: &Access,
    action: &str,
    number: i64,
    entry: i64,
    details: Value,
) -> Result<(), Problem> {
    let event = Event {
        at: access.now,
        actor: Some(access.staff()?.id),
        campaign: Some(access.campaign.id),
        action,
        object: format!("team {number} entry {entry}"),
        details,
    };
    audit::record(tx, event)
}
