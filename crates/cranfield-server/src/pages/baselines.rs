//! Baselines: runs that organisers send, and runs that the server makes from a collection.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use rusqlite::{Connection, OptionalExtension, Transaction};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::admin::record;
use super::submit::{self, Sender};
use crate::extract::Fields;
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::upload::{self, Sent, Stored};
use crate::web::{Done, Path, Query, Shown, Upload, view};
use crate::{members, names, search};

/// The baselines of a campaign, and the searches that make more.
#[derive(Serialize, Template)]
#[template(path = "baselines.html")]
pub(crate) struct BaselinesPage {
    slug: String,
    title: String,
    baselines: Vec<Baseline>,
    searches: Vec<SearchLine>,
    /// Names of collections on the server.
    collections: Vec<String>,
    pending: bool,
}

#[derive(Serialize)]
struct Baseline {
    number: i64,
    name: String,
    entries: i64,
}

#[derive(Serialize)]
struct SearchLine {
    id: i64,
    what: String,
    models: String,
    state: String,
    message: String,
    created: String,
}

view! {
    BaselinesPage: |page| format!("Baselines of {}", page.title), Some((page.slug.clone(), page.title.clone()));
}

pub(crate) async fn list(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Shown, Problem> {
    let (now, own) = (server.now(), server.clone());
    let page = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            access.organiser()?;
            let campaign = &access.campaign;
            let searches = searches(db, &access)?;
            Ok(BaselinesPage {
                slug: campaign.slug.clone(),
                title: campaign.settings.title.clone(),
                baselines: baselines(db, campaign.id)?,
                pending: searches
                    .iter()
                    .any(|search| ["queued", "running"].contains(&search.state.as_str())),
                searches,
                collections: search::collections(&own),
            })
        })
        .await?;
    Ok(page.into())
}

fn baselines(db: &Connection, campaign: i64) -> Result<Vec<Baseline>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT t.number, t.name, (SELECT count(*) FROM submission e WHERE e.team = t.id)
         FROM team t WHERE t.campaign = ?1 AND t.kind = 'baseline' ORDER BY t.number",
    )?;
    let rows = query.query_map([campaign], |row| {
        Ok(Baseline {
            number: row.get(0)?,
            name: row.get(1)?,
            entries: row.get(2)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn searches(db: &Connection, access: &Access) -> Result<Vec<SearchLine>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT id, coalesce(collection, documents_name, ''), models, state, message, created
         FROM search WHERE campaign = ?1 ORDER BY id DESC LIMIT 50",
    )?;
    let rows = query.query_map([access.campaign.id], |row| {
        Ok(SearchLine {
            id: row.get(0)?,
            what: row.get(1)?,
            models: row.get::<_, String>(2)?.trim().replace('\n', ", "),
            state: row.get(3)?,
            message: row.get(4)?,
            created: access.campaign.date(row.get(5)?),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The name of a baseline, if it is in the address.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Named {
    name: Option<String>,
}

/// The form to send the run of a baseline.
pub(crate) enum BaselineRun {}

impl Fields for BaselineRun {
    const FILES: &'static [(&'static str, bool)] = &[("run", true)];

    fn texts() -> serde_json::Value {
        json!({ "properties": {
            "name": { "type": "string", "maxLength": 64 },
            "description": { "type": "string", "maxLength": 500 },
            "runs": { "enum": ["automatic", "manual"] },
        } })
    }
}

/// Sends a run for a baseline, which is made if there is none with this name.
pub(crate) async fn send(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Query(named): Query<Named>,
    body: Upload<BaselineRun>,
) -> Result<Done, Problem> {
    submit::receive(
        &server,
        viewer,
        slug,
        Sender::Baseline(named.name),
        None,
        body,
    )
    .await
}

/// The baseline with a name.
pub(crate) fn baseline_of(
    tx: &Transaction<'_>,
    access: &Access,
    person: i64,
    name: &str,
) -> Result<i64, Problem> {
    let name = names::checked("name", name)?;
    let known = tx
        .query_row(
            "SELECT id, kind FROM team WHERE campaign = ?1 AND name_key = ?2",
            (access.campaign.id, names::key(&name)),
            |row| Ok((row.get(0)?, row.get::<_, String>(1)?)),
        )
        .optional()?;
    match known {
        Some((id, kind)) if kind == "baseline" => Ok(id),
        Some(_) => Err(Problem::field("name", "A team has this name.")),
        None => {
            record(tx, access, person, "baseline.add", json!({}))?;
            members::add_team(tx, &access.campaign, &name, "baseline", access.now)
        }
    }
}

/// The form that asks for a search.
pub(crate) enum SearchFields {}

impl Fields for SearchFields {
    const FILES: &'static [(&'static str, bool)] = &[("documents", false), ("topics", false)];

    fn texts() -> serde_json::Value {
        json!({ "properties": {
            "collection": { "type": "string", "maxLength": 200 },
            "models": { "type": "string", "maxLength": 1000 },
            "fields": { "type": "string", "maxLength": 100 },
        } })
    }
}

/// Begins a search that makes baselines.
pub(crate) async fn search(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    body: Upload<SearchFields>,
) -> Result<Done, Problem> {
    let now = server.now();
    let (asking, address) = (viewer.clone(), slug.clone());
    // Before the body: whoever may not search must not make the server read.
    let allowed = move |db: &_| {
        Access::open(db, &asking, &address, now)?
            .organiser()
            .map(|_| ())
    };
    server.store.read(allowed).await?;
    let sent = upload::receive(&server, body).await?;
    let text = |name: &str, default: &str| match sent.text_of(name).map(str::trim) {
        None | Some("") => default.to_owned(),
        Some(text) => text.to_owned(),
    };
    let models = text("models", "BM25\nVSM").replace('\r', "");
    search::models(&models)?;
    let fields = text("fields", "title");
    search::fields(&fields)?;
    let collection = sent
        .text_of("collection")
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let (documents, topics) = (sent.file_of("documents"), sent.file_of("topics"));
    match (collection, documents) {
        (Some(name), None) => {
            search::collection_path(&server, name)?;
        }
        (None, Some(_)) if topics.is_none() => {
            return Err(Problem::field("topics", "Choose the file of topics too."));
        }
        (None, Some(_)) => {}
        (Some(_), Some(_)) => {
            return Err(Problem::field(
                "documents",
                "Choose a collection of the server or a file of documents, not both.",
            ));
        }
        (None, None) => {
            return Err(Problem::field(
                "documents",
                "Choose a collection of the server, or send files of documents and topics.",
            ));
        }
    }
    let collection = collection.map(str::to_owned);
    let place = format!("/c/{slug}/admin/baselines");
    let id = server
        .store
        .write(move |tx| queue(tx, &viewer, &slug, &sent, (collection, models, fields), now))
        .await?;
    server.searches.wake();
    Ok(Done {
        status: StatusCode::ACCEPTED,
        ..Done::at(place).with(json!({ "search": id }))
    })
}

fn queue(
    tx: &Transaction<'_>,
    viewer: &Viewer,
    slug: &str,
    sent: &Sent,
    (collection, models, fields): (Option<String>, String, String),
    now: i64,
) -> Result<i64, Problem> {
    let access = Access::open(tx, viewer, slug, now)?;
    let person = access.organiser()?.id;
    let waiting: i64 = tx.query_row(
        "SELECT count(*) FROM search WHERE campaign = ?1 AND state IN ('queued', 'running')",
        [access.campaign.id],
        |row| row.get(0),
    )?;
    if waiting > 0 {
        return Err(Problem::conflict(
            "search",
            "A search of this campaign is running. Wait until it has ended.",
        ));
    }
    let file = |name: &str| -> Result<(Option<String>, Option<String>), Problem> {
        let Some(Stored { hash, bytes, name }) = sent.file_of(name) else {
            return Ok((None, None));
        };
        tx.execute(
            "INSERT INTO blob (hash, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            (hash, bytes),
        )?;
        Ok((Some(hash.clone()), Some(name.clone())))
    };
    let (documents, documents_name) = file("documents")?;
    let (topics, topics_name) = file("topics")?;
    let id = tx.query_row(
        "INSERT INTO search (campaign, by, collection, documents, documents_name, topics, topics_name, models, fields, state, created)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'queued', ?10) RETURNING id",
        (
            access.campaign.id,
            person,
            &collection,
            documents,
            documents_name,
            topics,
            topics_name,
            &models,
            fields,
            now,
        ),
        |row| row.get(0),
    )?;
    record(
        tx,
        &access,
        person,
        "search.add",
        json!({ "search": id, "collection": collection, "models": models }),
    )?;
    Ok(id)
}
