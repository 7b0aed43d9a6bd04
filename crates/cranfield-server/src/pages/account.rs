//! The list of campaigns, and everything about one's own account: set-up, signing in, joining a campaign, password and tokens.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use rusqlite::OptionalExtension;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::audit::{self, Event};
use crate::campaign::Campaign;
use crate::limits::Action;
use crate::people::{self, NewPerson};
use crate::phase::Phase;
use crate::policy::Viewer;
use crate::problem::Problem;
use crate::server::Server;
use crate::web::{Done, Form, Peer, Shown, view};
use crate::{names, secret};

/// The list of campaigns.
#[derive(Serialize, Template)]
#[template(path = "home.html")]
pub(crate) struct Home {
    campaigns: Vec<Listed>,
    signed_in: bool,
    may_create: bool,
}

/// A campaign in the list.
#[derive(Serialize)]
struct Listed {
    slug: String,
    title: String,
    summary: String,
    phase: &'static str,
    when: String,
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
}

/// A campaign of an account.
#[derive(Serialize)]
struct Part {
    slug: String,
    title: String,
    role: String,
    team: Option<String>,
}

/// A token, which is shown once.
#[derive(Serialize, Template)]
#[template(path = "token.html")]
pub(crate) struct NewToken {
    token: String,
}

view! {
    Home: |_page| "Campaigns".into(), None;
    SetUp: |_page| "Set up".into(), None;
    Login: |_page| "Sign in".into(), None;
    Join: |_page| "Join a campaign".into(), None;
    Me: |page| page.name.clone(), None;
    NewToken: |_page| "New token".into(), None;
}

pub(crate) async fn home(State(server): State<Server>, viewer: Viewer) -> Result<Shown, Problem> {
    let now = server.now();
    let person = viewer.person.clone();
    let campaigns = server
        .store
        .read(move |db| {
            let mut listed = Vec::new();
            for campaign in Campaign::all(db)? {
                let phase = campaign.phase(now);
                if phase == Phase::Draft {
                    let Some(person) = &viewer.person else { continue };
                    let mut query = db.prepare_cached(
                        "SELECT 1 FROM member WHERE campaign = ?1 AND person = ?2 AND role IN ('organiser', 'assistant')",
                    )?;
                    if query.query_row((campaign.id, person.id), |_| Ok(())).optional()?.is_none() {
                        continue;
                    }
                }
                listed.push(Listed {
                    when: when(&campaign, phase),
                    slug: campaign.slug,
                    title: campaign.settings.title,
                    summary: campaign.settings.summary,
                    phase: phase.title(),
                });
            }
            Ok(listed)
        })
        .await?;
    let home = Home {
        campaigns,
        signed_in: person.is_some(),
        may_create: person.is_some_and(|person| person.admin),
    };
    Ok(home.into())
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
    let token = people::sign_in(&server, &account.login, account.password).await?;
    Ok(Done {
        cookie: people::cookie(&server, &token),
        ..Done::at("/")
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

pub(crate) async fn join_form(viewer: Viewer, code: Option<Path<String>>) -> Shown {
    let join = Join {
        code: code.map_or_else(String::new, |Path(code)| code),
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
            let mut query = db.prepare_cached("SELECT role FROM join_code WHERE hash = ?1")?;
            Ok(query
                .query_row([lookup], |row| row.get::<_, String>(0))
                .optional()?)
        })
        .await?;
    let role = known.ok_or_else(unusable)?;
    let team = match role.as_str() {
        "participant" => Some(names::checked("team", &form.team)?),
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
            add_member(tx, &campaign, id, &role, team.as_deref(), now)?;
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

/// Adds a person to a campaign, and to a team, which is made if it does not exist.
pub(crate) fn add_member(
    tx: &rusqlite::Transaction<'_>,
    campaign: &Campaign,
    person: i64,
    role: &str,
    team: Option<&str>,
    now: i64,
) -> Result<(), Problem> {
    let added = tx.execute(
        "INSERT INTO member (campaign, person, role) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        (campaign.id, person, role),
    )?;
    if added == 0 {
        return Err(Problem::conflict(
            "member",
            "You are a member of this campaign already.",
        ));
    }
    if let Some(name) = team {
        join_team(tx, campaign, person, name, now)?;
    }
    let event = Event {
        at: now,
        actor: Some(person),
        campaign: Some(campaign.id),
        action: "member.add",
        object: format!("person {person}"),
        details: json!({ "role": role }),
    };
    audit::record(tx, event)
}

fn join_team(
    tx: &rusqlite::Transaction<'_>,
    campaign: &Campaign,
    person: i64,
    name: &str,
    now: i64,
) -> Result<(), Problem> {
    let key = names::key(name);
    let taken = tx
        .query_row(
            "SELECT 1 FROM team WHERE campaign = ?1 AND name_key = ?2",
            (campaign.id, &key),
            |_| Ok(()),
        )
        .optional()?;
    if taken.is_some() {
        let message = "A team has this name. Choose another one, or ask a member of the team to add you on its page.";
        return Err(Problem::field("team", message));
    }
    let team = add_team(tx, campaign, name, "team", now)?;
    tx.execute(
        "INSERT INTO team_member (campaign, person, team) VALUES (?1, ?2, ?3)",
        (campaign.id, person, team),
    )?;
    Ok(())
}

/// Adds a team or a baseline, and returns it.
pub(crate) fn add_team(
    tx: &rusqlite::Transaction<'_>,
    campaign: &Campaign,
    name: &str,
    kind: &str,
    now: i64,
) -> Result<i64, Problem> {
    let id = tx.query_row(
        "INSERT INTO team (campaign, number, name, name_key, kind, created)
         VALUES (?1, (SELECT 1 + count(*) FROM team WHERE campaign = ?1), ?2, ?3, ?4, ?5) RETURNING id",
        (campaign.id, name, names::key(name), kind, now),
        |row| row.get(0),
    )?;
    Ok(id)
}

pub(crate) async fn me(State(server): State<Server>, viewer: Viewer) -> Result<Shown, Problem> {
    let person = viewer.person.ok_or_else(Problem::sign_in)?;
    let id = person.id;
    let campaigns = server
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
            Ok(parts)
        })
        .await?;
    let me = Me {
        login: person.login,
        name: person.name,
        must_change: person.must_change,
        campaigns,
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
    people::change_password(&server, person, viewer.session, form.old, form.password).await?;
    Ok(Done::at("/me"))
}

/// The fields of a new token.
#[derive(Deserialize)]
pub(crate) struct TokenName {
    token_name: String,
}

pub(crate) async fn new_token(
    State(server): State<Server>,
    viewer: Viewer,
    Form(form): Form<TokenName>,
) -> Result<Shown, Problem> {
    // A token cannot make another one, or it would never end.
    let person = viewer
        .person
        .filter(|_| viewer.session.is_some())
        .ok_or_else(Problem::sign_in)?;
    let token = people::new_token(&server, person.id, form.token_name).await?;
    Ok(NewToken { token }.into())
}
