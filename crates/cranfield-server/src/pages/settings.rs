//! The settings of a campaign: the form, what a change would do, the versions, and the settings as a TOML file.

use askama::Template;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::admin::record;
use crate::extract::Fields;
use crate::markdown;
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::settings::{Change, Settings};
use crate::upload;
use crate::web::{Done, Form, IfMatch, Path, Query, Shown, Upload, view};

/// The most bytes of a TOML file.
const MOST_BYTES: usize = 256 << 10;

/// The settings in force, or others that would be.
#[derive(Serialize, Template)]
#[template(path = "settings.html")]
pub(crate) struct SettingsPage {
    slug: String,
    title: String,
    /// The version in force.
    version: i64,
    settings: Settings,
    is_preview: bool,
    /// What would change.
    changes: Vec<Change>,
    rules_html: String,
}

/// The versions of the settings, and what changed between two of them.
#[derive(Serialize, Template)]
#[template(path = "versions.html")]
pub(crate) struct VersionsPage {
    slug: String,
    title: String,
    versions: Vec<Version>,
    from: i64,
    to: i64,
    changes: Vec<Change>,
}

/// A version in the list.
#[derive(Serialize)]
struct Version {
    #[serde(rename = "version")]
    number: i64,
    at: String,
    by: String,
}

view! {
    SettingsPage: |page| format!("Settings of {}", page.title), Some((page.slug.clone(), page.title.clone()));
    VersionsPage: |page| format!("Versions of the settings of {}", page.title), Some((page.slug.clone(), page.title.clone()));
}

impl SettingsPage {
    fn new(access: &Access, given: Option<Settings>) -> Self {
        let campaign = &access.campaign;
        let is_preview = given.is_some();
        let settings = given.unwrap_or_else(|| campaign.settings.clone());
        Self {
            slug: campaign.slug.clone(),
            title: campaign.settings.title.clone(),
            version: campaign.version,
            changes: campaign.settings.changes_to(&settings),
            rules_html: markdown::html(&settings.rules),
            is_preview,
            settings,
        }
    }
}

/// The page of the settings in force, or of given ones.
async fn page(
    server: &Server,
    viewer: Viewer,
    slug: String,
    given: Option<Settings>,
) -> Result<SettingsPage, Problem> {
    let now = server.now();
    server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            access.organiser()?;
            Ok(SettingsPage::new(&access, given))
        })
        .await
}

pub(crate) async fn form(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Response, Problem> {
    let page = page(&server, viewer, slug, None).await?;
    let etag = format!("\"{}\"", page.version);
    let mut response = Shown::from(page).into_response();
    if let Ok(etag) = etag.parse() {
        response.headers_mut().insert(header::ETAG, etag);
    }
    Ok(response)
}

/// Checks settings as they would be kept.
fn checked(mut settings: Settings) -> Result<Settings, Problem> {
    settings.check()?;
    let bound = settings.bound_measures()?;
    settings.measures = bound.iter().map(ToString::to_string).collect();
    Ok(settings)
}

/// Shows what settings would change, without a change.
pub(crate) async fn preview(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(settings): Form<Settings>,
) -> Result<Shown, Problem> {
    let settings = checked(settings)?;
    Ok(page(&server, viewer, slug, Some(settings)).await?.into())
}

/// The version that a change begins with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Base {
    version: Option<i64>,
}

/// New settings. What scores depend on stays as it is once there are judgements.
pub(crate) async fn change(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Query(base): Query<Base>,
    IfMatch(matched): IfMatch,
    Form(settings): Form<Settings>,
) -> Result<Done, Problem> {
    let settings = checked(settings)?;
    let (now, place) = (server.now(), format!("/c/{slug}/admin/settings"));
    let version = server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let person = access.organiser()?.id;
            let (campaign, old) = (&access.campaign, &access.campaign.settings);
            let base = matched.or(base.version).ok_or_else(Problem::version_required)?;
            if base != campaign.version {
                return Err(Problem::stale(base, campaign.version));
            }
            if campaign.scoring.is_some() {
                old.check_fixed(&settings)?;
            }
            if *old == settings {
                return Ok(campaign.version);
            }
            let version = campaign.version + 1;
            tx.execute(
                "INSERT INTO settings (campaign, version, json, by, at) VALUES (?1, ?2, ?3, ?4, ?5)",
                (campaign.id, version, serde_json::to_string(&settings)?, person, now),
            )?;
            tx.execute("UPDATE campaign SET settings = ?2 WHERE id = ?1", (campaign.id, version))?;
            let names: Vec<String> = old.changes_to(&settings).into_iter().map(|change| change.name).collect();
            record(tx, &access, person, "settings.change", json!({ "version": version, "changed": names }))?;
            Ok(version)
        })
        .await?;
    Ok(Done::at(place).with(json!({ "version": version })))
}

/// Which versions are compared: by default the last one with the one before.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Compared {
    from: Option<i64>,
    to: Option<i64>,
}

pub(crate) async fn versions(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Query(compared): Query<Compared>,
) -> Result<Shown, Problem> {
    let now = server.now();
    let page = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            access.organiser()?;
            let campaign = &access.campaign;
            let to = compared.to.unwrap_or(campaign.version);
            let from = compared.from.unwrap_or((to - 1).max(1));
            let (old, new) = (
                version(db, campaign.id, from)?,
                version(db, campaign.id, to)?,
            );
            Ok(VersionsPage {
                slug: campaign.slug.clone(),
                title: campaign.settings.title.clone(),
                versions: list(db, &access)?,
                from,
                to,
                changes: old.changes_to(&new),
            })
        })
        .await?;
    Ok(page.into())
}

fn version(db: &Connection, campaign: i64, number: i64) -> Result<Settings, Problem> {
    let query = "SELECT json FROM settings WHERE campaign = ?1 AND version = ?2";
    let found = db.query_row(query, (campaign, number), |row| row.get::<_, String>(0));
    let json = found.optional()?.ok_or_else(Problem::not_found)?;
    Ok(serde_json::from_str(&json)?)
}

fn list(db: &Connection, access: &Access) -> Result<Vec<Version>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT s.version, s.at, p.name FROM settings s JOIN person p ON p.id = s.by
         WHERE s.campaign = ?1 ORDER BY s.version DESC",
    )?;
    let rows = query.query_map([access.campaign.id], |row| {
        Ok(Version {
            number: row.get(0)?,
            at: access.campaign.date(row.get(1)?),
            by: row.get(2)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The settings as a TOML file.
pub(crate) async fn toml(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Response, Problem> {
    let name = format!("attachment; filename=\"{slug}.toml\"");
    let page = page(&server, viewer, slug, None).await?;
    let text = ::toml::to_string(&page.settings).map_err(|error| Problem::internal(&error))?;
    let headers = [
        (
            header::CONTENT_TYPE,
            "application/toml; charset=utf-8".to_owned(),
        ),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, text).into_response())
}

/// Settings as a file.
pub(crate) enum TomlFile {}

impl Fields for TomlFile {
    const FILES: &'static [(&'static str, bool)] = &[("toml", true)];

    fn texts() -> serde_json::Value {
        json!({ "type": "object", "properties": {} })
    }
}

/// Shows what the settings of a TOML file would change, without a change.
pub(crate) async fn read_toml(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    body: Upload<TomlFile>,
) -> Result<Shown, Problem> {
    // Only organisers may make the server read.
    page(&server, viewer.clone(), slug.clone(), None).await?;
    let files = upload::in_memory(body, MOST_BYTES).await?;
    let bytes = files
        .into_iter()
        .next()
        .map(|(_, bytes)| bytes)
        .unwrap_or_default();
    let wrong = |message: String| Problem::field("toml", message);
    let text = std::str::from_utf8(&bytes).map_err(|_| wrong("The file is not UTF-8.".into()))?;
    let settings: Settings = ::toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let settings = checked(settings)?;
    Ok(page(&server, viewer, slug, Some(settings)).await?.into())
}
