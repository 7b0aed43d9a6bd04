//! Corrections of judgements: a new version is scored beside the one in force, compared with it, and applied or cancelled. Nothing is deleted.

use rusqlite::{Connection, OptionalExtension, Transaction};
use serde::Serialize;
use serde_json::json;

use crate::audit::{self, Event};
use crate::campaign::Campaign;
use crate::policy::{Access, Person};
use crate::problem::Problem;
use crate::split;
use crate::upload::Stored;

/// What a scoring is to its campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum State {
    /// Entries are scored into it, and nobody but organisers sees it.
    Preview,
    /// Boards and pages show it.
    InForce,
    /// It was in force.
    Past,
    /// It was never applied.
    Cancelled,
}

/// A scoring: judgements, a split and settings.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Scoring {
    #[serde(skip)]
    pub(crate) id: i64,
    /// Its place among those of the campaign.
    pub(crate) number: i64,
    /// Version of the judgements.
    pub(crate) qrels: i64,
    pub(crate) state: State,
    pub(crate) created: i64,
    /// When it was applied or cancelled.
    pub(crate) decided: Option<i64>,
    #[serde(skip)]
    pub(crate) previous: Option<i64>,
}

/// The scorings of a campaign, in their order.
pub(crate) fn scorings(db: &Connection, campaign: &Campaign) -> Result<Vec<Scoring>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT id, qrels, created, applied, cancelled, previous FROM scoring WHERE campaign = ?1 ORDER BY id",
    )?;
    let mut number = 0;
    let rows = query.query_map([campaign.id], |row| {
        let (applied, cancelled): (Option<i64>, Option<i64>) = (row.get(3)?, row.get(4)?);
        let id = row.get(0)?;
        number += 1;
        Ok(Scoring {
            id,
            number,
            qrels: row.get(1)?,
            state: match (campaign.scoring == Some(id), applied, cancelled) {
                (true, ..) => State::InForce,
                (_, _, Some(_)) => State::Cancelled,
                (_, Some(_), _) => State::Past,
                (_, None, None) => State::Preview,
            },
            created: row.get(2)?,
            decided: applied.or(cancelled),
            previous: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The scoring with a number.
pub(crate) fn scoring(
    db: &Connection,
    campaign: &Campaign,
    number: i64,
) -> Result<Scoring, Problem> {
    let all = scorings(db, campaign)?;
    let found = all.into_iter().find(|scoring| scoring.number == number);
    found.ok_or_else(Problem::not_found)
}

/// How much of a scoring is done.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Progress {
    pub(crate) done: i64,
    pub(crate) all: i64,
    /// Entries that the server could not score.
    pub(crate) failed: Vec<String>,
}

impl Progress {
    pub(crate) fn of(db: &Connection, scoring: i64) -> Result<Self, Problem> {
        let (done, all) = db.query_row(
            "SELECT coalesce(sum(state = 'done'), 0), count(*) FROM job WHERE scoring = ?1",
            [scoring],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let mut query = db.prepare_cached(
            "SELECT t.number, e.entry FROM job j JOIN submission e ON e.id = j.submission JOIN team t ON t.id = e.team
             WHERE j.scoring = ?1 AND j.state = 'failed' ORDER BY t.number, e.entry",
        )?;
        let failed = query.query_map([scoring], |row| {
            let (team, entry): (i64, i64) = (row.get(0)?, row.get(1)?);
            Ok(format!("team {team} entry {entry}"))
        })?;
        Ok(Self {
            done,
            all,
            failed: failed.collect::<Result<_, _>>()?,
        })
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.done == self.all
    }
}

/// Judgements that were sent.
pub(crate) struct Judgements {
    pub(crate) file: Stored,
    /// Number of relevant documents of each topic of the campaign.
    pub(crate) relevant: Vec<usize>,
    pub(crate) reason: String,
}

/// Adds a version of the judgements, and begins to score every entry by it. Returns the numbers of the version and of the scoring.
pub(crate) fn begin(
    tx: &Transaction<'_>,
    access: &Access,
    person: &Person,
    judgements: &Judgements,
    nonce: &[u8; 32],
) -> Result<(i64, i64), Problem> {
    let campaign = &access.campaign;
    let all = scorings(tx, campaign)?;
    if let Some(open) = all.iter().find(|scoring| scoring.state == State::Preview) {
        let message = format!(
            "Apply or cancel the preview of version {} first.",
            open.qrels
        );
        return Err(Problem::conflict("preview", message));
    }
    let version: i64 = tx.query_row(
        "SELECT 1 + coalesce(max(version), 0) FROM qrels WHERE campaign = ?1",
        [campaign.id],
        |row| row.get(0),
    )?;
    tx.execute(
        "INSERT INTO blob (hash, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
        (&judgements.file.hash, judgements.file.bytes),
    )?;
    tx.execute(
        "INSERT INTO qrels (campaign, version, blob, reason, by, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (campaign.id, version, &judgements.file.hash, &judgements.reason, person.id, access.now),
    )?;
    let split = match split_in_force(tx, campaign)? {
        Some(split) => split,
        None => draw_split(tx, campaign, judgements, nonce)?,
    };
    let scoring: i64 = tx.query_row(
        "INSERT INTO scoring (campaign, qrels, split, settings, engine, created, previous)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id",
        (
            campaign.id,
            version,
            split,
            campaign.version,
            cranfield_eval::VERSION,
            access.now,
            campaign.scoring,
        ),
        |row| row.get(0),
    )?;
    tx.execute(
        "INSERT INTO job (submission, scoring, state, created)
         SELECT id, ?2, 'queued', ?3 FROM submission WHERE campaign = ?1 AND state IN ('valid', 'scored') ORDER BY received, id",
        (campaign.id, scoring, access.now),
    )?;
    let number = 1 + all.last().map_or(0, |last| last.number);
    let details =
        json!({ "qrels": version, "hash": judgements.file.hash, "reason": judgements.reason });
    record(tx, access, person, "scoring.preview", number, details)?;
    Ok((version, number))
}

fn split_in_force(db: &Connection, campaign: &Campaign) -> Result<Option<i64>, Problem> {
    let split = db.query_row(
        "SELECT split FROM scoring WHERE id = ?1",
        [campaign.scoring],
        |row| row.get(0),
    );
    Ok(split.optional()?)
}

/// The split of a campaign that began without judgements.
fn draw_split(
    tx: &Transaction<'_>,
    campaign: &Campaign,
    judgements: &Judgements,
    nonce: &[u8; 32],
) -> Result<i64, Problem> {
    let topics = campaign.topics(tx)?;
    let settings = &campaign.settings;
    let difficulty: Vec<f64> = judgements
        .relevant
        .iter()
        .map(|count| -(*count as f64))
        .collect();
    let public = split::draw(&topics, &difficulty, settings.public_share, settings.seed);
    let commitment = split::commitment(nonce, &topics, &public, &judgements.file.hash);
    let bytes: Vec<u8> = public.iter().map(|public| u8::from(*public)).collect();
    Ok(tx.query_row(
        "INSERT INTO split (campaign, version, seed, nonce, commitment, public)
         VALUES (?1, (SELECT 1 + coalesce(max(version), 0) FROM split WHERE campaign = ?1), ?2, ?3, ?4, ?5) RETURNING version",
        (campaign.id, settings.seed, nonce, commitment, bytes),
        |row| row.get(0),
    )?)
}

/// Puts a preview in force: one pointer moves, and a notice tells why.
pub(crate) fn apply(
    tx: &Transaction<'_>,
    access: &Access,
    person: &Person,
    number: i64,
) -> Result<(), Problem> {
    let scoring = open_preview(tx, access, number)?;
    let progress = Progress::of(tx, scoring.id)?;
    if !progress.is_complete() {
        let message = match progress.failed.first() {
            Some(entry) => format!("{entry} could not be scored. Try again first."),
            None => format!(
                "{} of {} entries are scored. Wait for the others.",
                progress.done, progress.all
            ),
        };
        return Err(Problem::conflict("incomplete", message));
    }
    let campaign = access.campaign.id;
    tx.execute(
        "UPDATE campaign SET scoring = ?2 WHERE id = ?1",
        (campaign, scoring.id),
    )?;
    tx.execute(
        "UPDATE scoring SET applied = ?2 WHERE id = ?1",
        (scoring.id, access.now),
    )?;
    // Entries that arrived before there were judgements.
    tx.execute(
        "UPDATE submission SET state = 'scored' WHERE campaign = ?1 AND state = 'valid'",
        [campaign],
    )?;
    let reason: String = tx.query_row(
        "SELECT reason FROM qrels WHERE campaign = ?1 AND version = ?2",
        (campaign, scoring.qrels),
        |row| row.get(0),
    )?;
    let text = match scoring.previous {
        Some(_) => format!(
            "The judgements were corrected, and all entries scored again (version {}): {reason}",
            scoring.qrels
        ),
        None => format!("The entries are scored: {reason}"),
    };
    tx.execute(
        "INSERT INTO notice (campaign, at, text) VALUES (?1, ?2, ?3)",
        (campaign, access.now, text),
    )?;
    let details = json!({ "qrels": scoring.qrels });
    record(tx, access, person, "scoring.apply", number, details)
}

/// Gives a preview up. What was scored stays in the record.
pub(crate) fn cancel(
    tx: &Transaction<'_>,
    access: &Access,
    person: &Person,
    number: i64,
) -> Result<(), Problem> {
    let scoring = open_preview(tx, access, number)?;
    tx.execute(
        "DELETE FROM job WHERE scoring = ?1 AND state IN ('queued', 'failed')",
        [scoring.id],
    )?;
    tx.execute(
        "UPDATE scoring SET cancelled = ?2 WHERE id = ?1",
        (scoring.id, access.now),
    )?;
    let details = json!({ "qrels": scoring.qrels });
    record(tx, access, person, "scoring.cancel", number, details)
}

/// Queues the entries that could not be scored.
pub(crate) fn retry(
    tx: &Transaction<'_>,
    access: &Access,
    person: &Person,
    number: i64,
) -> Result<(), Problem> {
    let scoring = open_preview(tx, access, number)?;
    tx.execute(
        "UPDATE job SET state = 'queued', tries = 0 WHERE scoring = ?1 AND state = 'failed'",
        [scoring.id],
    )?;
    record(tx, access, person, "scoring.retry", number, json!({}))
}

fn open_preview(db: &Connection, access: &Access, number: i64) -> Result<Scoring, Problem> {
    let scoring = scoring(db, &access.campaign, number)?;
    match scoring.state {
        State::Preview => Ok(scoring),
        _ => Err(Problem::conflict(
            "decided",
            "This preview was applied or cancelled already.",
        )),
    }
}

fn record(
    tx: &Transaction<'_>,
    access: &Access,
    person: &Person,
    action: &str,
    number: i64,
    details: serde_json::Value,
) -> Result<(), Problem> {
    let event = Event {
        at: access.now,
        actor: Some(person.id),
        campaign: Some(access.campaign.id),
        action,
        object: format!("scoring {number}"),
        details,
    };
    audit::record(tx, event)
}

/// A notice on the page of a campaign.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Notice {
    pub(crate) at: String,
    pub(crate) text: String,
}

/// The notices of a campaign, the newest first.
pub(crate) fn notices(db: &Connection, campaign: &Campaign) -> Result<Vec<Notice>, Problem> {
    let mut query =
        db.prepare_cached("SELECT at, text FROM notice WHERE campaign = ?1 ORDER BY id DESC")?;
    let rows = query.query_map([campaign.id], |row| {
        Ok(Notice {
            at: campaign.date(row.get(0)?),
            text: row.get(1)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
