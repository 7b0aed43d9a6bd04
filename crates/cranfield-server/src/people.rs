//! Accounts, sessions and tokens.

use rusqlite::{Connection, OptionalExtension, Transaction};
use serde_json::json;
use tokio::sync::Semaphore;

use crate::audit::{self, Event};
use crate::policy::{Person, Preview, Role, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::{names, secret};

const HOUR: i64 = 3_600_000;
/// A session ends this long after its last request, and at most a week after it began.
pub(crate) const IDLE: i64 = 12 * HOUR;
const LONGEST: i64 = 7 * 24 * HOUR;
/// Uses of a session or token are noted this far apart, because not every request needs a write.
const TOUCH: i64 = HOUR / 12;
/// Wrong passwords before each further try has to wait.
const FREE_FAILURES: i64 = 5;

/// Passwords are hashed two at a time, because each takes 19 MiB.
static HASHING: Semaphore = Semaphore::const_new(2);

async fn hashing<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let wait = std::time::Duration::from_secs(5);
    let permit = tokio::time::timeout(wait, HASHING.acquire()).await;
    let Ok(Ok(_permit)) = permit else {
        return Err(Problem::too_many(
            "Many people are signing in. Try again in a few seconds.",
            5,
        ));
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| Problem::internal(&error))
}

/// A person with columns id, login, name, admin, `must_change`.
fn person(row: &rusqlite::Row<'_>) -> rusqlite::Result<Person> {
    Ok(Person {
        id: row.get(0)?,
        login: row.get(1)?,
        name: row.get(2)?,
        admin: row.get(3)?,
        must_change: row.get(4)?,
    })
}

/// The preview of a session in columns 6 to 10, for those who still organise the campaign.
fn preview(row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<Preview>> {
    let Some(campaign) = row.get(6)? else {
        return Ok(None);
    };
    let role: Option<String> = row.get(8)?;
    let team: Option<i64> = row.get(9)?;
    Ok(Some(Preview {
        campaign,
        slug: row.get(7)?,
        role: role.and_then(|name| Role::of(&name)),
        team: match team {
            None => None,
            Some(id) => Some((id, row.get(10)?)),
        },
    }))
}

/// The viewer of a session; a viewer without a person if it has ended.
pub(crate) async fn of_session(server: &Server, cookie: String) -> Result<Viewer, Problem> {
    let (now, hash) = (server.now(), secret::hash(&cookie));
    let key = hash.clone();
    let found = server
        .store
        .read(move |db| {
            let mut query = db.prepare_cached(
                "SELECT p.id, p.login, p.name, p.admin, p.must_change, s.seen, c.id, c.slug, s.preview_role, t.id, t.name
                 FROM session s JOIN person p ON p.id = s.person
                 LEFT JOIN member m ON m.campaign = s.preview AND m.person = p.id AND m.role = 'organiser'
                 LEFT JOIN campaign c ON c.id = m.campaign LEFT JOIN team t ON t.id = s.preview_team
                 WHERE s.hash = ?1 AND s.expires > ?2 AND s.seen > ?3",
            )?;
            let found = query.query_row((&key, now, now - IDLE), |row| {
                Ok((person(row)?, row.get::<_, i64>(5)?, preview(row)?))
            });
            Ok(found.optional()?)
        })
        .await?;
    let Some((person, seen, preview)) = found else {
        return Ok(Viewer::default());
    };
    if now - seen > TOUCH {
        let key = hash.clone();
        let touch = move |tx: &Transaction<'_>| {
            tx.execute("UPDATE session SET seen = ?2 WHERE hash = ?1", (&key, now))?;
            Ok(())
        };
        server.store.write(touch).await?;
    }
    Ok(Viewer {
        person: Some(person),
        session: Some(hash),
        only_campaign: None,
        preview,
    })
}

/// The viewer of an API token.
pub(crate) async fn of_token(server: &Server, token: String) -> Result<Viewer, Problem> {
    let (now, hash) = (server.now(), secret::hash(&token));
    let found = server
        .store
        .read(move |db| {
            let mut query = db.prepare_cached(
                "SELECT p.id, p.login, p.name, p.admin, p.must_change, t.campaign, t.id, coalesce(t.used, 0)
                 FROM token t JOIN person p ON p.id = t.person
                 WHERE t.hash = ?1 AND t.expires > ?2 AND t.revoked IS NULL",
            )?;
            Ok(query
                .query_row((&hash, now), |row| Ok((person(row)?, row.get(5)?, row.get(6)?, row.get::<_, i64>(7)?)))
                .optional()?)
        })
        .await?;
    let (person, only_campaign, id, used): (_, _, i64, _) = found.ok_or_else(Problem::sign_in)?;
    if now - used > TOUCH {
        let touch = move |tx: &Transaction<'_>| {
            tx.execute("UPDATE token SET used = ?2 WHERE id = ?1", (id, now))?;
            Ok(())
        };
        server.store.write(touch).await?;
    }
    Ok(Viewer {
        person: Some(person),
        session: None,
        only_campaign,
        preview: None,
    })
}

/// Checks a login and password, and begins a session; also returns whether the password must be changed.
/// An unknown login takes the same time and gets the same answer.
pub(crate) async fn sign_in(
    server: &Server,
    login: &str,
    password: String,
) -> Result<(String, bool), Problem> {
    let (now, key) = (server.now(), names::key(login));
    let lookup = key.clone();
    let known = server
        .store
        .read(move |db| {
            let mut query = db.prepare_cached(
                "SELECT id, password, wait_until, must_change FROM person WHERE login_key = ?1",
            )?;
            let row = query.query_row([lookup], |row| {
                Ok((
                    row.get::<_, i64>(0)?,
                    row.get::<_, String>(1)?,
                    row.get::<_, i64>(2)?,
                    row.get::<_, bool>(3)?,
                ))
            });
            Ok(row.optional()?)
        })
        .await?;
    let wait = known.as_ref().map_or(0, |(_, _, until, _)| until - now);
    if wait > 0 {
        let seconds = (wait as u64).div_ceil(1000);
        return Err(Problem::too_many(
            format!("Too many wrong passwords. Wait {seconds} seconds."),
            seconds,
        ));
    }
    let hash = known.as_ref().map(|(_, hash, ..)| hash.clone());
    let is_right = hashing(move || match hash {
        Some(hash) => secret::is_password(&password, &hash),
        None => secret::hash_password(&password).is_err(),
    })
    .await?;
    let wrong = || Problem::field("password", "The login or the password is wrong.");
    let Some((id, _, _, must_change)) = known else {
        return Err(wrong());
    };
    if !is_right {
        server
            .store
            .write(move |tx| {
                let failures: i64 = tx.query_row(
                    "UPDATE person SET failures = failures + 1 WHERE id = ?1 RETURNING failures",
                    [id],
                    |row| row.get(0),
                )?;
                let over = failures - FREE_FAILURES;
                if over >= 0 {
                    let wait = 1000 * (1_i64 << over.min(10)).min(900);
                    tx.execute(
                        "UPDATE person SET wait_until = ?2 WHERE id = ?1",
                        (id, now + wait),
                    )?;
                }
                Ok(())
            })
            .await?;
        return Err(wrong());
    }
    Ok((begin_session(server, id).await?, must_change))
}

/// Begins a session, and returns its secret.
pub(crate) async fn begin_session(server: &Server, id: i64) -> Result<String, Problem> {
    let (now, token) = (server.now(), secret::token("")?);
    let hash = secret::hash(&token);
    server
        .store
        .write(move |tx| {
            tx.execute("UPDATE person SET failures = 0, wait_until = 0 WHERE id = ?1", [id])?;
            tx.execute("DELETE FROM session WHERE expires <= ?1", [now])?;
            tx.execute(
                "INSERT INTO session (hash, person, created, seen, expires) VALUES (?1, ?2, ?3, ?3, ?4)",
                (&hash, id, now, now + LONGEST),
            )?;
            Ok(())
        })
        .await?;
    Ok(token)
}

/// Ends a session.
pub(crate) async fn sign_out(server: &Server, session: Vec<u8>) -> Result<(), Problem> {
    let end = move |tx: &Transaction<'_>| {
        tx.execute("DELETE FROM session WHERE hash = ?1", [&session])?;
        Ok(())
    };
    server.store.write(end).await
}

/// What a new account needs.
pub(crate) struct NewPerson {
    login: String,
    name: String,
    hash: String,
    must_change: bool,
}

impl NewPerson {
    /// Checks the fields, and hashes the password.
    pub(crate) async fn check(login: &str, name: &str, password: String) -> Result<Self, Problem> {
        let login = names::login(login)?;
        let name = names::checked("name", name)?;
        secret::check_password(&password, &login)?;
        let hash = hashing(move || secret::hash_password(&password)).await??;
        Ok(Self {
            login,
            name,
            hash,
            must_change: false,
        })
    }

    /// An account of a roster, whose fields were checked, with the hash of a password that must be changed.
    pub(crate) fn with_one_time_password(login: &str, name: &str, hash: &str) -> Self {
        Self {
            login: login.into(),
            name: name.into(),
            hash: hash.into(),
            must_change: true,
        }
    }

    /// Adds the account for someone else.
    pub(crate) fn insert_by(
        &self,
        tx: &Transaction<'_>,
        by: i64,
        now: i64,
    ) -> Result<i64, Problem> {
        self.insert_as(tx, false, Some(by), now)
    }

    /// Adds the account.
    pub(crate) fn insert(
        &self,
        tx: &Transaction<'_>,
        admin: bool,
        now: i64,
    ) -> Result<i64, Problem> {
        self.insert_as(tx, admin, None, now)
    }

    /// `by` is who adds the account, if it is someone else.
    fn insert_as(
        &self,
        tx: &Transaction<'_>,
        admin: bool,
        by: Option<i64>,
        now: i64,
    ) -> Result<i64, Problem> {
        let key = names::key(&self.login);
        let exists = tx
            .query_row("SELECT 1 FROM person WHERE login_key = ?1", [&key], |_| {
                Ok(())
            })
            .optional()?;
        if exists.is_some() {
            return Err(Problem::field(
                "login",
                "This login is taken. If it is yours, sign in first and use the code then.",
            ));
        }
        let id = tx.query_row(
            "INSERT INTO person (login, login_key, name, password, admin, must_change, created)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id",
            (
                &self.login,
                &key,
                &self.name,
                &self.hash,
                admin,
                self.must_change,
                now,
            ),
            |row| row.get(0),
        )?;
        let event = Event {
            at: now,
            actor: by.or(Some(id)),
            campaign: None,
            action: "person.add",
            object: format!("person {id}"),
            details: json!({ "admin": admin }),
        };
        audit::record(tx, event)?;
        Ok(id)
    }
}

/// Whether there is an account at all.
pub(crate) fn has_accounts(db: &Connection) -> Result<bool, Problem> {
    Ok(db.query_row("SELECT EXISTS (SELECT 1 FROM person)", [], |row| row.get(0))?)
}

/// Makes an API token, which is shown once.
pub(crate) async fn new_token(
    server: &Server,
    person: i64,
    name: String,
    expires: i64,
) -> Result<String, Problem> {
    let (now, token) = (server.now(), secret::token("crf_")?);
    let hash = secret::hash(&token);
    server
        .store
        .write(move |tx| {
            tx.execute(
                "INSERT INTO token (hash, person, name, created, expires) VALUES (?1, ?2, ?3, ?4, ?5)",
                (&hash, person, name, now, expires),
            )?;
            let event = Event {
                at: now,
                actor: Some(person),
                campaign: None,
                action: "token.add",
                object: format!("person {person}"),
                details: json!({}),
            };
            audit::record(tx, event)
        })
        .await?;
    Ok(token)
}

/// Changes a password, and ends all other sessions of the person.
pub(crate) async fn change_password(
    server: &Server,
    person: Person,
    session: Option<Vec<u8>>,
    old: String,
    new: String,
) -> Result<(), Problem> {
    secret::check_password(&new, &person.login)?;
    let id = person.id;
    let hash: String = server
        .store
        .read(move |db| {
            Ok(
                db.query_row("SELECT password FROM person WHERE id = ?1", [id], |row| {
                    row.get(0)
                })?,
            )
        })
        .await?;
    let new_hash =
        hashing(move || secret::is_password(&old, &hash).then(|| secret::hash_password(&new)))
            .await?;
    let Some(new_hash) = new_hash.transpose()? else {
        return Err(Problem::field("old", "The current password is wrong."));
    };
    let now = server.now();
    server
        .store
        .write(move |tx| {
            tx.execute(
                "UPDATE person SET password = ?2, must_change = 0 WHERE id = ?1",
                (id, &new_hash),
            )?;
            tx.execute(
                "DELETE FROM session WHERE person = ?1 AND hash IS NOT ?2",
                (id, session),
            )?;
            let event = Event {
                at: now,
                actor: Some(id),
                campaign: None,
                action: "person.password",
                object: format!("person {id}"),
                details: json!({}),
            };
            audit::record(tx, event)
        })
        .await
}

/// The cookie of a session.
pub(crate) fn cookie(server: &Server, token: &str) -> Option<axum::http::HeaderValue> {
    let secure = if server.is_secure() { "; Secure" } else { "" };
    let text = format!(
        "{}={token}; HttpOnly; SameSite=Lax; Path=/; Max-Age={}{secure}",
        server.cookie_name(),
        LONGEST / 1000
    );
    axum::http::HeaderValue::from_str(&text).ok()
}

/// The cookie that removes a session from the browser.
pub(crate) fn no_cookie(server: &Server) -> Option<axum::http::HeaderValue> {
    let secure = if server.is_secure() { "; Secure" } else { "" };
    let text = format!(
        "{}=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0{secure}",
        server.cookie_name()
    );
    axum::http::HeaderValue::from_str(&text).ok()
}

/// A password that its owner must change at the first sign-in.
pub(crate) fn one_time_password() -> Result<String, Problem> {
    Ok(secret::code()?.to_lowercase())
}

/// The hash of a password.
pub(crate) async fn hash(password: String) -> Result<String, Problem> {
    hashing(move || secret::hash_password(&password)).await?
}

/// Gives an account a one-time password, and ends its sessions.
pub(crate) fn set_one_time_password(
    tx: &Transaction<'_>,
    person: i64,
    hash: &str,
) -> Result<(), Problem> {
    tx.execute(
        "UPDATE person SET password = ?2, must_change = 1, failures = 0, wait_until = 0 WHERE id = ?1",
        (person, hash),
    )?;
    tx.execute("DELETE FROM session WHERE person = ?1", [person])?;
    Ok(())
}
