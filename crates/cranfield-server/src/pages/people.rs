//! The members of a campaign: their roles, teams and one-time passwords, and the codes of the campaign.

use askama::Template;
use axum::extract::State;
use cranfield_core::small_sort::SmallSort;
use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::codes::{self, CodeLine};
use crate::policy::{Access, Role, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::web::{Done, Form, Path, Shown, view};
use crate::{members, names, people};

/// The members of a campaign and its codes.
#[derive(Serialize, Template)]
#[template(path = "people.html")]
pub(crate) struct PeoplePage {
    slug: String,
    title: String,
    is_organiser: bool,
    people: Vec<MemberLine>,
    codes: Vec<CodeLine>,
}

/// A member in the list.
#[derive(Serialize)]
struct MemberLine {
    id: i64,
    login: String,
    name: String,
    role: &'static str,
    team: Option<String>,
    /// Whether the one-time password is still in use.
    must_change: bool,
    may_change: bool,
}

/// A password that is shown once.
#[derive(Serialize, Template)]
#[template(path = "password.html")]
pub(crate) struct NewPassword {
    slug: String,
    title: String,
    login: String,
    password: String,
}

view! {
    PeoplePage: |page| format!("People of {}", page.title), Some((page.slug.clone(), page.title.clone()));
    NewPassword: |_page| "One-time password".into(), Some((_page.slug.clone(), _page.title.clone()));
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
            Ok(PeoplePage {
                slug: access.campaign.slug.clone(),
                title: access.campaign.settings.title.clone(),
                is_organiser: access.is_organiser(),
                people: member_lines(db, &access)?,
                codes: codes::list(db, &access)?,
            })
        })
        .await?;
    Ok(page.into())
}

fn member_lines(db: &Connection, access: &Access) -> Result<Vec<MemberLine>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT p.id, p.login, p.name, m.role, t.name, p.must_change
         FROM member m JOIN person p ON p.id = m.person
         LEFT JOIN team_member tm ON tm.campaign = m.campaign AND tm.person = m.person
         LEFT JOIN team t ON t.id = tm.team WHERE m.campaign = ?1",
    )?;
    let rows = query.query_map([access.campaign.id], |row| {
        let role = Role::of(&row.get::<_, String>(3)?).unwrap_or(Role::Observer);
        Ok(MemberLine {
            id: row.get(0)?,
            login: row.get(1)?,
            name: row.get(2)?,
            role: role.name(),
            team: row.get(4)?,
            must_change: row.get(5)?,
            may_change: access.handles(role),
        })
    })?;
    let mut lines: Vec<MemberLine> = rows.collect::<Result<_, _>>()?;
    lines.small_sort_by(|a, b| (a.role, &a.login).cmp(&(b.role, &b.login)));
    Ok(lines)
}

/// The role of a member whom this person may handle.
fn handled(db: &Connection, access: &Access, person: i64) -> Result<Role, Problem> {
    access.staff()?;
    let role = members::role_of(db, access.campaign.id, person)?.ok_or_else(Problem::not_found)?;
    if access.handles(role) {
        Ok(role)
    } else {
        Err(Problem::forbidden(
            "Only organisers change organisers and assistants.",
        ))
    }
}

/// A new role and team of a member.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MemberFields {
    role: String,
    /// The name of a team, which is made if there is none; empty for none.
    #[serde(default)]
    team: String,
}

pub(crate) async fn change(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, person)): Path<(String, i64)>,
    Form(form): Form<MemberFields>,
) -> Result<Done, Problem> {
    let role = Role::of(&form.role).ok_or_else(|| {
        let message = "The roles are organiser, assistant, participant and observer.";
        Problem::field("role", message)
    })?;
    let team = match form.team.trim() {
        "" => None,
        _ if role != Role::Participant => {
            return Err(Problem::field("team", "Only participants are in teams."));
        }
        name => Some(names::checked("team", name)?),
    };
    let (now, place) = (server.now(), format!("/c/{slug}/admin/people"));
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let before = handled(tx, &access, person)?;
            let by = access.staff()?.id;
            if !access.handles(role) {
                return Err(Problem::forbidden(
                    "Only organisers make organisers and assistants.",
                ));
            }
            if role != before {
                members::set_role(tx, &access.campaign, person, role, by, now)?;
            }
            if role == Role::Participant {
                members::assign_team(tx, &access.campaign, person, team.as_deref(), by, now)?;
            }
            Ok(())
        })
        .await?;
    Ok(Done::at(place))
}

pub(crate) async fn remove(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, person)): Path<(String, i64)>,
) -> Result<Done, Problem> {
    let (now, place) = (server.now(), format!("/c/{slug}/admin/people"));
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            handled(tx, &access, person)?;
            let by = access.staff()?.id;
            members::remove(tx, &access.campaign, person, by, now)
        })
        .await?;
    Ok(Done::at(place))
}

/// Makes a one-time password for someone who forgot theirs.
pub(crate) async fn reset_password(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, person)): Path<(String, i64)>,
) -> Result<Shown, Problem> {
    let now = server.now();
    let (asking, address) = (viewer.clone(), slug.clone());
    let check = move |db: &Connection| may_reset(db, &asking, &address, person, now);
    server.store.read(check).await?;
    let password = people::one_time_password()?;
    let hash = people::hash(password.clone()).await?;
    let (campaign, login) = server
        .store
        .write(move |tx| {
            let access = may_reset(tx, &viewer, &slug, person, now)?;
            let by = access.staff()?.id;
            people::set_one_time_password(tx, person, &hash)?;
            let action = "person.reset-password";
            members::record(tx, &access.campaign, by, action, person, json!({}), now)?;
            let query = "SELECT login FROM person WHERE id = ?1";
            let login: String = tx.query_row(query, [person], |row| row.get(0))?;
            Ok((access.campaign, login))
        })
        .await?;
    let page = NewPassword {
        slug: campaign.slug,
        title: campaign.settings.title,
        login,
        password,
    };
    Ok(page.into())
}

/// A new password gives access to everything that the person may do. So all of that must be in campaigns that the asking person organises or assists.
fn may_reset(
    db: &Connection,
    viewer: &Viewer,
    slug: &str,
    person: i64,
    now: i64,
) -> Result<Access, Problem> {
    let access = Access::open(db, viewer, slug, now)?;
    handled(db, &access, person)?;
    let by = access.staff()?;
    let reaches_further = db
        .query_row(
            "SELECT 1 FROM person p WHERE p.id = ?1 AND (p.admin OR EXISTS (
               SELECT 1 FROM member m WHERE m.person = p.id AND (m.role IN ('organiser', 'assistant') OR NOT EXISTS (
                 SELECT 1 FROM member s WHERE s.campaign = m.campaign AND s.person = ?2 AND s.role IN ('organiser', 'assistant')))))",
            (person, by.id),
            |_| Ok(()),
        )
        .optional()?
        .is_some();
    if reaches_further && !by.admin {
        return Err(Problem::forbidden(
            "This account has a role in a campaign that is not yours. Ask whoever runs the server.",
        ));
    }
    Ok(access)
}
