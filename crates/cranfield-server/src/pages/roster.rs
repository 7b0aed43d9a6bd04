//! Adding people by a roster: what would happen first, then the one-time passwords of new accounts.

use std::collections::HashMap;

use askama::Template;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::admin::record;
use crate::extract::Fields;
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::roster::{self, Row};
use crate::server::Server;
use crate::web::{Form, Path, Shown, Upload, view};
use crate::{people, upload};

/// A roster, and what would happen.
#[derive(Serialize, Template)]
#[template(path = "roster.html")]
pub(crate) struct RosterPage {
    slug: String,
    title: String,
    csv: String,
    rows: Vec<Row>,
    errors: usize,
}

/// A roster that was applied. Passwords are shown once.
#[derive(Serialize, Template)]
#[template(path = "passwords.html")]
pub(crate) struct Applied {
    slug: String,
    title: String,
    people: usize,
    passwords: Vec<NewLogin>,
}

/// The password of a new account.
#[derive(Serialize)]
struct NewLogin {
    login: String,
    name: String,
    team: String,
    password: String,
}

view! {
    RosterPage: |page| format!("Roster of {}", page.title), Some((page.slug.clone(), page.title.clone()));
    Applied: |page| format!("Roster of {}", page.title), Some((page.slug.clone(), page.title.clone()));
}

pub(crate) async fn form(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Shown, Problem> {
    let page = planned(&server, viewer, slug, String::new()).await?;
    Ok(page.into())
}

/// The text of a roster, and whether it is applied.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RosterFields {
    csv: String,
    #[serde(default)]
    apply: bool,
}

/// A roster as a file.
pub(crate) enum RosterFile {}

impl Fields for RosterFile {
    const FILES: &'static [(&'static str, bool)] = &[("csv", true)];

    fn texts() -> serde_json::Value {
        json!({ "type": "object", "properties": {} })
    }
}

/// Shows what would happen with a file.
pub(crate) async fn read_file(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    body: Upload<RosterFile>,
) -> Result<Shown, Problem> {
    // Only staff may make the server read.
    planned(&server, viewer.clone(), slug.clone(), String::new()).await?;
    let files = upload::in_memory(body, roster::MOST_BYTES).await?;
    let bytes = files
        .into_iter()
        .next()
        .map(|(_, bytes)| bytes)
        .unwrap_or_default();
    let text = given(&bytes)?;
    let page = planned(&server, viewer, slug, text).await?;
    Ok(page.into())
}

fn given(bytes: &[u8]) -> Result<String, Problem> {
    let text = roster::text(bytes)?;
    if text.trim().is_empty() {
        return Err(Problem::field("csv", "Choose a file or write a roster."));
    }
    Ok(text.to_owned())
}

/// Shows what would happen, or applies the roster.
pub(crate) async fn send(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(form): Form<RosterFields>,
) -> Result<Shown, Problem> {
    planned(&server, viewer.clone(), slug.clone(), String::new()).await?;
    let now = server.now();
    let text = given(form.csv.as_bytes())?;
    let page = planned(&server, viewer.clone(), slug.clone(), text.clone()).await?;
    if !form.apply {
        return Ok(page.into());
    }
    refuse_errors(&page.rows)?;
    let (mut hashes, mut passwords) = (HashMap::new(), Vec::new());
    for row in page.rows.iter().filter(|row| row.is_new()) {
        let password = people::one_time_password()?;
        hashes.insert(row.line, people::hash(password.clone()).await?);
        passwords.push(NewLogin {
            login: row.login.clone(),
            name: row.name.clone(),
            team: row.team.clone(),
            password,
        });
    }
    let people = page.rows.len();
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let by = access.staff()?.id;
            let rows = roster::plan(tx, &access, &text)?;
            refuse_errors(&rows)?;
            roster::apply(tx, &access, &rows, &hashes)?;
            let details = json!({ "people": rows.len(), "accounts": hashes.len() });
            record(tx, &access, by, "roster.apply", details)
        })
        .await?;
    let applied = Applied {
        slug: page.slug,
        title: page.title,
        people,
        passwords,
    };
    Ok(applied.into())
}

fn refuse_errors(rows: &[Row]) -> Result<(), Problem> {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|row| Some(format!("Line {}: {}", row.line, row.error.as_ref()?)))
        .collect();
    if wrong.is_empty() {
        return Ok(());
    }
    let shown = wrong[..wrong.len().min(10)].join(" ");
    let message = format!(
        "{} of {} rows have errors, so nothing was changed. {shown}",
        wrong.len(),
        rows.len()
    );
    Err(Problem::field("csv", message))
}

async fn planned(
    server: &Server,
    viewer: Viewer,
    slug: String,
    csv: String,
) -> Result<RosterPage, Problem> {
    let now = server.now();
    server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            access.staff()?;
            let rows = if csv.is_empty() {
                Vec::new()
            } else {
                roster::plan(db, &access, &csv)?
            };
            Ok(RosterPage {
                slug: access.campaign.slug.clone(),
                title: access.campaign.settings.title.clone(),
                csv,
                errors: rows.iter().filter(|row| row.error.is_some()).count(),
                rows,
            })
        })
        .await
}
