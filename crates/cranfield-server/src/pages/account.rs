//! The list of campaigns, and everything about one's own account: set-up, signing in, joining a campaign, and the password.

use std::sync::atomic::Ordering;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use rusqlite::OptionalExtension;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::access::{self, SessionLine, TokenLine};
use crate::campaign::Campaign;
use crate::limits::Action;
use crate::people::{self, NewPerson};
use crate::phase::Phase;
use crate::policy::{Role, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::web::{Done, Form, Path, Peer, Shown, view};
use crate::{members, names, secret};

/// The list of campaigns.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own that the page shows"
)]
#[derive(Serialize, Template)]
#[template(path = "home.html")]
pub(crate) struct Home {
    campaigns: Vec<Listed>,
    signed_in: bool,
    may_create: bool,
    /// Whether there is an account; the first one is made at an address that the terminal shows.
    has_accounts: bool,
    is_demo: bool,
}

/// A campaign in the list.
#[derive(Serialize)]
struct Listed {
    slug: String,
    title: String,
    summary: String,
    phase: &'static str,
    when: String,
    /// What this person does next, and where.
    next: Option<Next>,
}

/// What a member does next in a campaign.
#[derive(Serialize)]
struct Next {
    text: &'static str,
    href: String,
}

/// The form that makes the first account.
#[derive(Serialize, Template)]
#[template(path = "setup.html")]
pub(crate) struct SetUp {
    secret: String,
}

/// The form to sign in.
#[derive(Serialize, Template)]
#[template(path = "login.html")]
pub(crate) struct Login {}

/// The form to join a campaign.
#[derive(Serialize, Template)]
#[template(path = "join.html")]
pub(crate) struct Join {
    code: String,
    signed_in: bool,
}

/// One's own account.
#[derive(Serialize, Template)]
#[template(path = "me.html")]
pub(crate) struct Me {
    login: String,
    name: String,
    must_change: bool,
    campaigns: Vec<Part>,
    tokens: Vec<TokenLine>,
    sessions: Vec<SessionLine>,
}

/// A campaign of an account.
#[derive(Serialize)]
struct Part {
    slug: String,
    title: String,
    role: String,
    team: Option<String>,
}

view! {
    Home: |_page| "Campaigns".into(), None;
    SetUp: |_page| "Set up".into(), None;
    Login: |_page| "Sign in".into(), None;
    Join: |_page| "Join a campaign".into(), None;
    Me: |page| page.name.clone(), None;
}

pub(crate) async fn home(State(server): State<Server>, viewer: Viewer) -> Result<Shown, Problem> {
    let now = server.now();
    let person = viewer.person.clone();
    let (campaigns, has_accounts) = server
        .store
        .read(move |db| {
            let mut listed = Vec::new();
            for campaign in Campaign::all(db)? {
                let phase = campaign.phase(now);
                let role = match &viewer.person {
                    None => None,
                    Some(person) => members::role_of(db, campaign.id, person.id)?,
                };
                if phase == Phase::Draft && !role.is_some_and(Role::is_staff) {
                    continue;
                }
                listed.push(Listed {
                    next: next(&campaign, phase, role),
                    when: when(&campaign, phase),
                    slug: campaign.slug,
                    title: campaign.settings.title,
                    summary: campaign.settings.summary,
                    phase: phase.title(),
                });
            }
            Ok((listed, people::has_accounts(db)?))
        })
        .await?;
    let home = Home {
        campaigns,
        has_accounts,
        is_demo: server.is_demo.load(Ordering::Relaxed),
        signed_in: person.is_some(),
        may_create: person.is_some_and(|person| person.admin),
    };
    Ok(home.into())
}

fn next(campaign: &Campaign, phase: Phase, role: Option<Role>) -> Option<Next> {
    let (text, page) = match (role?, phase) {
        (Role::Organiser, Phase::Draft) => ("Finish and publish the draft", "admin"),
        (Role::Organiser, Phase::Closed) => ("Look at the final board, and release it", "admin"),
        (Role::Organiser | Role::Assistant, _) => ("Organise", "admin"),
        (Role::Participant, Phase::Open | Phase::Frozen) => ("Send a run", "submit"),
        (Role::Participant, Phase::Released) => ("See the results", "results"),
        _ => return None,
    };
    Some(Next {
        text,
        href: format!("/c/{}/{page}", campaign.slug),
    })
}

/// The next date of a campaign.
fn when(campaign: &Campaign, phase: Phase) -> String {
    match phase {
        Phase::Draft => String::new(),
        Phase::Scheduled => format!("opens {}", campaign.date(campaign.dates.opens)),
        Phase::Open | Phase::Frozen => format!("until {}", campaign.date(campaign.dates.closes)),
        Phase::Closed => "the final board is not released yet".into(),
        Phase::Released => "final".into(),
    }
}

fn is_setup(server: &Server, given: &str) -> bool {
    server
        .setup
        .as_ref()
        .is_some_and(|hash| *hash == secret::hash(given))
}

pub(crate) async fn setup_form(
    State(server): State<Server>,
    Path(given): Path<String>,
) -> Result<Shown, Problem> {
    let is_used = server.store.read(people::has_accounts).await?;
    if is_used || !is_setup(&server, &given) {
        return Err(Problem::not_found());
    }
    Ok(SetUp { secret: given }.into())
}

/// The fields of an account.
#[derive(Deserialize)]
pub(crate) struct Account {
    login: String,
    #[serde(default)]
    name: String,
    password: String,
}

pub(crate) async fn setup(
    State(server): State<Server>,
    Path(given): Path<String>,
    Form(account): Form<Account>,
) -> Result<Done, Problem> {
    if !is_setup(&server, &given) {
        return Err(Problem::not_found());
    }
    let person = NewPerson::check(&account.login, &account.name, account.password).await?;
    let now = server.now();
    let id = server
        .store
        .write(move |tx| {
            if people::has_accounts(tx)? {
                return Err(Problem::not_found());
            }
            person.insert(tx, true, now)
        })
        .await?;
    let token = people::begin_session(&server, id).await?;
    Ok(Done {
        cookie: people::cookie(&server, &token),
        ..Done::at("/")
    })
}

pub(crate) async fn login_form() -> Shown {
    Login {}.into()
}

pub(crate) async fn login(
    State(server): State<Server>,
    Form(account): Form<Account>,
) -> Result<Done, Problem> {
    server
        .buckets
        .take(Action::SignIn, &names::key(&account.login), server.now())?;
    let (token, must_change) = people::sign_in(&server, &account.login, account.password).await?;
    let place = if must_change { "/me" } else { "/" };
    Ok(Done {
        cookie: people::cookie(&server, &token),
        ..Done::at(place).with(json!({ "must_change": must_change }))
    })
}

pub(crate) async fn logout(State(server): State<Server>, viewer: Viewer) -> Result<Done, Problem> {
    if let Some(session) = viewer.session {
        people::sign_out(&server, session).await?;
    }
    Ok(Done {
        cookie: people::no_cookie(&server),
        ..Done::at("/")
    })
}

pub(crate) async fn join_form(viewer: Viewer) -> Shown {
    join_form_with(viewer, Path(String::new())).await
}

pub(crate) async fn join_form_with(viewer: Viewer, Path(code): Path<String>) -> Shown {
    let join = Join {
        code,
        signed_in: viewer.person.is_some(),
    };
    join.into()
}

/// The fields to join a campaign.
#[derive(Deserialize)]
pub(crate) struct Joining {
    code: String,
    #[serde(default)]
    team: String,
    #[serde(default)]
    login: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    password: String,
}

pub(crate) async fn join(
    State(server): State<Server>,
    viewer: Viewer,
    Peer(peer): Peer,
    Form(form): Form<Joining>,
) -> Result<Done, Problem> {
    let now = server.now();
    server.buckets.take(Action::Join, &peer, now)?;
    let hash = secret::hash(&secret::normal_code(&form.code));
    let unusable = || Problem::gone("The code is wrong, has expired, or was used too often.");
    let lookup = hash.clone();
    // A wrong code is found before a password is hashed.
    let known = server
        .store
        .read(move |db| {
            let mut query =
                db.prepare_cached("SELECT role, team FROM join_code WHERE hash = ?1")?;
            let found =
                query.query_row([lookup], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)));
            Ok(found.optional()?)
        })
        .await?;
    let (role, invited): (_, Option<i64>) = known.ok_or_else(unusable)?;
    let role = Role::of(&role).ok_or_else(unusable)?;
    let new_team = match (role, invited) {
        (Role::Participant, None) => Some(names::checked("team", &form.team)?),
        _ => None,
    };
    let person = match &viewer.person {
        Some(_) => None,
        None => Some(NewPerson::check(&form.login, &form.name, form.password).await?),
    };
    let known_id = viewer.person.map(|person| person.id);
    let (id, slug) = server
        .store
        .write(move |tx| {
            let code = tx
                .query_row(
                    "UPDATE join_code SET uses = uses + 1
                     WHERE hash = ?1 AND uses < most_uses AND expires > ?2 AND revoked IS NULL RETURNING campaign",
                    (&hash, now),
                    |row| row.get(0),
                )
                .optional()?;
            let campaign = Campaign::by_id(tx, code.ok_or_else(unusable)?)?;
            let id = match (&person, known_id) {
                (Some(person), _) => person.insert(tx, false, now)?,
                (None, Some(id)) => id,
                (None, None) => return Err(Problem::sign_in()),
            };
            // Whoever left a team is still a participant, and may enter another one.
            let is_known = members::role_of(tx, campaign.id, id)? == Some(Role::Participant)
                && members::team_of(tx, campaign.id, id)?.is_none();
            if !is_known || role != Role::Participant {
                members::add(tx, &campaign, id, role, id, now)?;
            }
            match (invited, &new_team) {
                (Some(team), _) => members::enter_team(tx, &campaign, id, team, id, now)?,
                (None, Some(name)) => drop(members::found_team(tx, &campaign, id, name, now)?),
                (None, None) => {}
            }
            Ok((id, campaign.slug))
        })
        .await?;
    let cookie = match known_id {
        Some(_) => None,
        None => people::cookie(&server, &people::begin_session(&server, id).await?),
    };
    Ok(Done {
        status: StatusCode::CREATED,
        cookie,
        ..Done::at(format!("/c/{slug}"))
    })
}

pub(crate) async fn me(State(server): State<Server>, viewer: Viewer) -> Result<Shown, Problem> {
    let person = viewer.person.ok_or_else(Problem::sign_in)?;
    let (id, now) = (person.id, server.now());
    let (campaigns, tokens, sessions) = server
        .store
        .read(move |db| {
            let mut query = db.prepare_cached(
                "SELECT m.campaign, m.role, t.name FROM member m
                 LEFT JOIN team_member tm ON tm.campaign = m.campaign AND tm.person = m.person
                 LEFT JOIN team t ON t.id = tm.team WHERE m.person = ?1 ORDER BY m.campaign DESC",
            )?;
            let rows = query.query_map([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            let mut parts = Vec::new();
            for row in rows {
                let (campaign, role, team) = row?;
                let campaign = Campaign::by_id(db, campaign)?;
                parts.push(Part {
                    slug: campaign.slug,
                    title: campaign.settings.title,
                    role,
                    team,
                });
            }
            let sessions = access::sessions(db, id, viewer.session.as_deref(), now)?;
            Ok((parts, access::tokens(db, id, now)?, sessions))
        })
        .await?;
    let me = Me {
        login: person.login,
        name: person.name,
        must_change: person.must_change,
        campaigns,
        tokens,
        sessions,
    };
    Ok(me.into())
}

/// The fields to change a password.
#[derive(Deserialize)]
pub(crate) struct Passwords {
    old: String,
    password: String,
}

pub(crate) async fn change_password(
    State(server): State<Server>,
    viewer: Viewer,
    Form(form): Form<Passwords>,
) -> Result<Done, Problem> {
    let person = viewer.person.ok_or_else(Problem::sign_in)?;
    // A stolen session must not help to guess the password.
    server
        .buckets
        .take(Action::SignIn, &names::key(&person.login), server.now())?;
    people::change_password(&server, person, viewer.session, form.old, form.password).await?;
    Ok(Done::at("/me"))
}
