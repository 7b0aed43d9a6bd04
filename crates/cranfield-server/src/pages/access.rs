//! How an account is reached: its tokens and its sessions.

use askama::Template;
use axum::extract::State;
use rusqlite::{Connection, Transaction};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::campaign::hex;
use crate::audit::{self, Event};
use crate::policy::Viewer;
use crate::problem::Problem;
use crate::server::Server;
use crate::web::{Done, Form, Path, Shown, view};
use crate::{names, people};

const DAY: i64 = 24 * 3_600_000;

/// A token, which is shown once.
#[derive(Serialize, Template)]
#[template(path = "token.html")]
pub(crate) struct NewToken {
    token: String,
    expires: String,
}

view! {
    NewToken: |_page| "New token".into(), None;
}

/// A token in the list.
#[derive(Serialize)]
pub(crate) struct TokenLine {
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) created: String,
    pub(super) used: Option<String>,
    pub(super) expires: String,
    pub(super) expired: bool,
}

/// A session in the list.
#[derive(Serialize)]
pub(crate) struct SessionLine {
    pub(super) id: String,
    pub(super) created: String,
    pub(super) seen: String,
    /// Whether it is the one that asks.
    pub(super) current: bool,
}

/// A moment; accounts have no time zone.
fn date(at: i64) -> String {
    let at = jiff::Timestamp::from_millisecond(at).unwrap_or_default();
    at.strftime("%-d %b %Y %H:%M UTC").to_string()
}

/// The tokens of a person that are not revoked, the newest first.
pub(super) fn tokens(db: &Connection, person: i64, now: i64) -> Result<Vec<TokenLine>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT id, name, created, used, expires FROM token WHERE person = ?1 AND revoked IS NULL ORDER BY id DESC",
    )?;
    let rows = query.query_map([person], |row| {
        let (used, expires): (Option<i64>, i64) = (row.get(3)?, row.get(4)?);
        Ok(TokenLine {
            id: row.get(0)?,
            name: row.get(1)?,
            created: date(row.get(2)?),
            used: used.map(date),
            expires: date(expires),
            expired: expires <= now,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The sessions of a person that have not ended, the last used first.
pub(super) fn sessions(
    db: &Connection,
    person: i64,
    current: Option<&[u8]>,
    now: i64,
) -> Result<Vec<SessionLine>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT hash, created, seen FROM session WHERE person = ?1 AND expires > ?2 AND seen > ?3 ORDER BY seen DESC, hash",
    )?;
    let rows = query.query_map((person, now, now - people::IDLE), |row| {
        let hash: Vec<u8> = row.get(0)?;
        Ok(SessionLine {
            id: hex(&hash[..usize::from(ID_BYTES)]),
            created: date(row.get(1)?),
            seen: date(row.get(2)?),
            current: current == Some(hash.as_slice()),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The start of the hash of a session is its name.
const ID_BYTES: u8 = 8;

/// The fields of a new token.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TokenFields {
    token_name: String,
    /// How long it is valid.
    #[serde(default = "half_a_year")]
    days: u32,
}

fn half_a_year() -> u32 {
    180
}

/// The person of a session. A token can neither make nor end another one, or it would be worth as much as a password.
fn of_session(viewer: Viewer) -> Result<(i64, Vec<u8>), Problem> {
    match (viewer.person, viewer.session) {
        (Some(person), Some(session)) => Ok((person.id, session)),
        _ => Err(Problem::sign_in()),
    }
}

pub(crate) async fn new_token(
    State(server): State<Server>,
    viewer: Viewer,
    Form(form): Form<TokenFields>,
) -> Result<Shown, Problem> {
    let (person, _) = of_session(viewer)?;
    let name = names::checked("token_name", &form.token_name)?;
    if !(1..=366).contains(&form.days) {
        return Err(Problem::field(
            "days",
            "A token is valid for 1 to 366 days.",
        ));
    }
    let expires = server.now() + i64::from(form.days) * DAY;
    let token = people::new_token(&server, person, name, expires).await?;
    let expires = date(expires);
    Ok(NewToken { token, expires }.into())
}

/// Changes the access to the own account, and logs it.
async fn change(
    server: &Server,
    person: i64,
    action: &'static str,
    change: impl FnOnce(&Transaction<'_>, i64) -> rusqlite::Result<usize> + Send + 'static,
) -> Result<Done, Problem> {
    let now = server.now();
    server
        .store
        .write(move |tx| {
            // What is over already is no error: a form may be sent twice.
            if change(tx, now)? == 0 {
                return Ok(());
            }
            let event = Event {
                at: now,
                actor: Some(person),
                campaign: None,
                action,
                object: format!("person {person}"),
                details: json!({}),
            };
            audit::record(tx, event)
        })
        .await?;
    Ok(Done::at("/me"))
}

pub(crate) async fn revoke_token(
    State(server): State<Server>,
    viewer: Viewer,
    Path(token): Path<i64>,
) -> Result<Done, Problem> {
    let (person, _) = of_session(viewer)?;
    let revoke = move |tx: &Transaction<'_>, now| {
        let query =
            "UPDATE token SET revoked = ?3 WHERE id = ?1 AND person = ?2 AND revoked IS NULL";
        tx.execute(query, (token, person, now))
    };
    change(&server, person, "token.revoke", revoke).await
}

pub(crate) async fn end_session(
    State(server): State<Server>,
    viewer: Viewer,
    Path(session): Path<String>,
) -> Result<Done, Problem> {
    let (person, _) = of_session(viewer)?;
    let end = move |tx: &Transaction<'_>, _| {
        let query =
            "DELETE FROM session WHERE person = ?1 AND lower(hex(substr(hash, 1, ?3))) = ?2";
        tx.execute(query, (person, session, ID_BYTES))
    };
    change(&server, person, "session.end", end).await
}

pub(crate) async fn end_other_sessions(
    State(server): State<Server>,
    viewer: Viewer,
) -> Result<Done, Problem> {
    let (person, own) = of_session(viewer)?;
    let end = move |tx: &Transaction<'_>, _| {
        let query = "DELETE FROM session WHERE person = ?1 AND hash <> ?2";
        tx.execute(query, (person, own))
    };
    change(&server, person, "session.end", end).await
}
