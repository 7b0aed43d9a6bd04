//! What participants do with their team: found it, invite others, rename it, leave it, and merge it with another one.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use rusqlite::Transaction;
use serde::{Deserialize, Serialize};

use super::codes::{self, Made, NewCode};
use crate::policy::{Access, Role, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::web::{Done, Form, Path, Shown, view};
use crate::{members, names, secret, teams};

/// The page of a participant who is in no team.
#[derive(Serialize, Template)]
#[template(path = "no_team.html")]
pub(crate) struct NoTeam {
    pub(super) slug: String,
    pub(super) title: String,
}

view! {
    NoTeam: |_page| "No team yet".into(), Some((_page.slug.clone(), _page.title.clone()));
}

/// The name of a team.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TeamName {
    name: String,
}

/// Runs a change of the own team, while teams may change.
async fn change<T: Send + 'static>(
    server: &Server,
    viewer: Viewer,
    slug: String,
    change: impl FnOnce(&Transaction<'_>, &Access, i64, i64) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let now = server.now();
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let (person, team) = access.participant()?;
            let person = person.id;
            access.teams_may_change()?;
            change(tx, &access, person, team)
        })
        .await
}

/// Makes a team for a participant who is in none.
pub(crate) async fn found(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(form): Form<TeamName>,
) -> Result<Done, Problem> {
    let name = names::checked("name", &form.name)?;
    let (now, place) = (server.now(), format!("/c/{slug}/team"));
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let person = access.person.as_ref().ok_or_else(Problem::sign_in)?;
            if access.role != Some(Role::Participant) {
                return Err(Problem::forbidden("Join the campaign with a code first."));
            }
            members::found_team(tx, &access.campaign, person.id, &name, now)
        })
        .await?;
    Ok(Done {
        status: StatusCode::CREATED,
        ..Done::at(place)
    })
}

/// Makes a code for as many people as the team has room for.
pub(crate) async fn invite(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    headers: HeaderMap,
) -> Result<Shown, Problem> {
    let code = secret::code()?;
    let hash = codes::hash_of(&code);
    let (campaign, uses) = change(&server, viewer, slug, move |tx, access, person, team| {
        let members: u32 = tx.query_row(
            "SELECT count(*) FROM team_member WHERE team = ?1",
            [team],
            |row| row.get(0),
        )?;
        let uses = access.campaign.settings.team_size.saturating_sub(members);
        if uses == 0 {
            return Err(Problem::conflict("size", "The team is full."));
        }
        let made = Made {
            hash,
            role: Role::Participant,
            team: Some(team),
            uses,
        };
        codes::insert(tx, access, person, &made)?;
        Ok((access.campaign.clone(), uses))
    })
    .await?;
    let back = format!("/c/{}/team", campaign.slug);
    Ok(NewCode::new(&server, &headers, &campaign, code, uses, back)?.into())
}

pub(crate) async fn rename(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(form): Form<TeamName>,
) -> Result<Done, Problem> {
    let name = names::checked("name", &form.name)?;
    let place = format!("/c/{slug}/team");
    change(&server, viewer, slug, move |tx, access, person, team| {
        teams::rename(tx, access, person, team, &name)
    })
    .await?;
    Ok(Done::at(place))
}

pub(crate) async fn leave(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Done, Problem> {
    let place = format!("/c/{slug}/team");
    change(&server, viewer, slug, teams::leave).await?;
    Ok(Done::at(place))
}

/// The number of another team.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OtherTeam {
    with: i64,
}

/// Asks another team to merge, or agrees with what it asked.
pub(crate) async fn merge(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(form): Form<OtherTeam>,
) -> Result<Done, Problem> {
    let place = format!("/c/{slug}/team");
    let merged = change(&server, viewer, slug, move |tx, access, person, team| {
        let other = other_team(tx, access, form.with)?;
        teams::propose(tx, access, person, team, other)
    })
    .await?;
    Ok(Done::at(place).with(serde_json::json!({ "merged": merged })))
}

/// Takes a proposal back, or declines one.
pub(crate) async fn decline(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(form): Form<OtherTeam>,
) -> Result<Done, Problem> {
    let place = format!("/c/{slug}/team");
    change(&server, viewer, slug, move |tx, access, person, team| {
        let other = other_team(tx, access, form.with)?;
        teams::decline(tx, access, person, team, other)
    })
    .await?;
    Ok(Done::at(place))
}

fn other_team(tx: &Transaction<'_>, access: &Access, number: i64) -> Result<i64, Problem> {
    teams::by_number(tx, access.campaign.id, number).map_err(|problem| {
        if problem.status == StatusCode::NOT_FOUND {
            Problem::field("with", format!("There is no team {number}."))
        } else {
            problem
        }
    })
}
