//! The teams of a campaign, for staff: names, members, entries and extra entries.

use askama::Template;
use axum::extract::State;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::web::{Done, Form, Path, Shown, view};
use crate::{names, teams};

/// All teams.
#[derive(Serialize, Template)]
#[template(path = "teams.html")]
pub(crate) struct TeamsPage {
    slug: String,
    title: String,
    per_day: u32,
    in_all: u32,
    teams: Vec<TeamLine>,
}

/// A team in the list.
#[derive(Serialize)]
struct TeamLine {
    number: i64,
    name: String,
    kind: String,
    members: String,
    entries: u32,
    invalid: u32,
    granted: u32,
    /// The team that it is part of.
    merged_into: Option<i64>,
}

view! {
    TeamsPage: |page| format!("Teams of {}", page.title), Some((page.slug.clone(), page.title.clone()));
}

pub(crate) async fn list(
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
            let settings = &access.campaign.settings;
            Ok(TeamsPage {
                slug: access.campaign.slug.clone(),
                title: settings.title.clone(),
                per_day: settings.entries_per_day,
                in_all: settings.entries_in_all,
                teams: lines(db, &access)?,
            })
        })
        .await?;
    Ok(page.into())
}

fn lines(db: &Connection, access: &Access) -> Result<Vec<TeamLine>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT t.number, t.name, t.kind,
                coalesce((SELECT group_concat(p.login, ', ') FROM team_member m JOIN person p ON p.id = m.person WHERE m.team = t.id), ''),
                (SELECT count(*) FROM submission e WHERE e.team = t.id),
                (SELECT count(*) FROM submission e WHERE e.team = t.id AND e.state = 'invalid'),
                coalesce((SELECT sum(g.entries) FROM team_grant g WHERE g.team = t.id), 0),
                (SELECT o.number FROM team o WHERE o.id = t.merged_into)
         FROM team t WHERE t.campaign = ?1 ORDER BY t.number",
    )?;
    let rows = query.query_map([access.campaign.id], |row| {
        Ok(TeamLine {
            number: row.get(0)?,
            name: row.get(1)?,
            kind: row.get(2)?,
            members: row.get(3)?,
            entries: row.get(4)?,
            invalid: row.get(5)?,
            granted: row.get(6)?,
            merged_into: row.get(7)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Another name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewName {
    name: String,
}

pub(crate) async fn rename(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, number)): Path<(String, i64)>,
    Form(form): Form<NewName>,
) -> Result<Done, Problem> {
    let name = names::checked("name", &form.name)?;
    let (now, place) = (server.now(), format!("/c/{slug}/admin/teams"));
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let by = access.staff()?.id;
            let team = teams::by_number(tx, access.campaign.id, number)?;
            teams::rename(tx, &access, by, team, &name)
        })
        .await?;
    Ok(Done::at(place))
}

/// Extra entries.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Extra {
    entries: u32,
    reason: String,
}

pub(crate) async fn grant(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, number)): Path<(String, i64)>,
    Form(form): Form<Extra>,
) -> Result<Done, Problem> {
    let reason = form.reason.trim().to_owned();
    let is_text = !reason.is_empty() && !reason.chars().any(char::is_control);
    if !is_text || reason.chars().count() > 300 {
        let message = "Give a reason of 1 to 300 characters; it is kept in the log.";
        return Err(Problem::field("reason", message));
    }
    if !(1..=100).contains(&form.entries) {
        return Err(Problem::field("entries", "Grant 1 to 100 entries."));
    }
    let (now, place) = (server.now(), format!("/c/{slug}/admin/teams"));
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let by = access.staff()?.id;
            let team = teams::by_number(tx, access.campaign.id, number)?;
            teams::grant(tx, &access, by, team, form.entries, &reason)
        })
        .await?;
    Ok(Done::at(place))
}
