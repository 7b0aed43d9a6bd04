//! The entries of a team, one entry with its findings, final picks and withdrawal.

use askama::Template;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::own_team::NoTeam;
use super::submit::number_of;
use crate::audit::{self, Event};
use crate::board::entries as board;
use crate::campaign::date_in;
use crate::check::Finding;
use crate::policy::{Access, Role, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::settings::Ladder;
use crate::teams;
use crate::web::{Done, Form, Path, Shown, view};

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
    /// Whether the viewer may invite, rename, leave and merge.
    may_organise: bool,
    merges_until: Option<String>,
    proposals: Vec<teams::Proposal>,
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
    /// Under a ladder, whether the entry has changed what the board shows.
    improvement: Option<bool>,
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
    rejection: String,
    pending: bool,
    may_change: bool,
    /// Under a ladder, whether the entry has changed what the board shows.
    improvement: Option<bool>,
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
    Team: |page| page.name.clone(), Some((page.slug.clone(), page.title.clone()));
    Entry: |page| format!("Entry {} of {}", page.place, page.team), Some((page.slug.clone(), page.title.clone()));
}

impl Entry {
    fn has_private(&self) -> bool {
        self.values.iter().any(|value| value.private.is_some())
    }
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
            let is_without_team = access.role == Some(Role::Participant) && access.team.is_none();
            if number.is_none() && is_without_team {
                let (slug, title) = (access.campaign.slug, access.campaign.settings.title);
                return Ok(Shown::from(NoTeam { slug, title }));
            }
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
            let may_organise = access.team == Some(team) && access.teams_may_change().is_ok();
            let page = Team {
                may_organise,
                merges_until: access.campaign.dates.merges.map(|at| access.campaign.date(at)),
                proposals: if may_organise { teams::proposals(db, &access, team)? } else { Vec::new() },
                slug: access.campaign.slug.clone(),
                title: access.campaign.settings.title.clone(),
                number,
                name,
                members,
                pending: entries.iter().any(|entry| entry.state == "pending"),
                entries,
                picks: access.campaign.settings.final_picks,
                may_change: access.role == Some(Role::Participant) && access.phase != crate::phase::Phase::Released,
            };
            Ok(page.into())
        })
        .await?;
    Ok(page)
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
                EXISTS (SELECT 1 FROM pick WHERE pick.submission = e.id), e.id
         FROM submission e LEFT JOIN score s ON s.submission = e.id AND s.scoring = ?2 AND s.measure = 0
         WHERE e.team = ?1 ORDER BY e.entry DESC",
    )?;
    let steps = steps(db, access, team)?;
    let rows = query.query_map((team, access.campaign.scoring), |row| {
        let shown: Option<i64> = row.get(4)?;
        let state = shown_state(&row.get::<_, String>(3)?, shown, access.now);
        let value: Option<f64> = row.get(7)?;
        let value = value.filter(|_| access.sees_score_of_entry(shown) && state == "scored");
        let id: i64 = row.get(9)?;
        let improvement =
            (state == "scored" && access.sees_step_of_entry(shown)).then(|| steps.contains(&id));
        Ok(EntryLine {
            entry: row.get(0)?,
            file: row.get(1)?,
            received: date_in(&access.campaign.settings, row.get(2)?),
            state,
            late: row.get(5)?,
            withdrawn: row.get(6)?,
            text: match (value, improvement) {
                (Some(value), _) => format!("{value:.4}"),
                (None, Some(true)) => "improvement shown".into(),
                (None, Some(false)) => "no improvement shown".into(),
                (None, None) => String::new(),
            },
            value,
            improvement,
            picked: row.get(8)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The entries of a team that have changed what the board shows.
fn steps(db: &Connection, access: &Access, team: i64) -> Result<Vec<i64>, Problem> {
    let campaign = &access.campaign;
    if campaign.settings.ladder == Ladder::Off {
        return Ok(Vec::new());
    }
    let rule = board::rule_of(campaign)?;
    let team = board::team_as_of(db, campaign, team, access.now)?;
    let steps = team.steps(&rule).into_iter();
    Ok(steps.map(|(entry, _)| entry.id).collect())
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
                e.rejected IS NOT NULL, e.findings, t.name, e.rejection
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
                rejection: row.get(12)?,
                pending: state == "pending",
                may_change: access.role == Some(Role::Participant)
                    && access.phase != crate::phase::Phase::Released,
                improvement: None,
                values: Vec::new(),
                findings: Vec::new(),
            };
            Ok((
                page,
                row.get::<_, i64>(0)?,
                row.get::<_, String>(10)?,
                row.get(6)?,
            ))
        })
        .optional()?;
    let (mut page, id, findings, shown) = found.ok_or_else(Problem::not_found)?;
    if !page.pending {
        page.findings = serde_json::from_str(&findings)?;
    }
    if page.state == "scored" && access.sees_score_of_entry(shown) {
        page.values = values(db, access, id)?;
    }
    if page.state == "scored" && access.sees_step_of_entry(shown) {
        page.improvement = Some(steps(db, access, team)?.contains(&id));
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
