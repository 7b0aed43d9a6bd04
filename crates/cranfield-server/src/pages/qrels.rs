//! Versions of the judgements: the list, new versions, and their files.

use askama::Template;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use cranfield_core::qrels::Qrels;
use cranfield_io::Source;
use rusqlite::{Connection, OptionalExtension};
use serde::Serialize;
use serde_json::json;

use super::new::first_problem;
use crate::correction::{self, Judgements, Scoring};
use crate::extract::Fields;
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::secret;
use crate::server::Server;
use crate::upload::{self, Stored};
use crate::web::{Done, Path, Shown, Upload, view};

/// The judgements of a campaign.
#[derive(Serialize, Template)]
#[template(path = "qrels.html")]
pub(crate) struct QrelsPage {
    slug: String,
    title: String,
    topics: usize,
    versions: Vec<Version>,
    scorings: Vec<Line>,
    /// The number of the preview that waits for a decision.
    open: Option<i64>,
}

/// A version of the judgements.
#[derive(Serialize)]
struct Version {
    #[serde(rename = "version")]
    number: i64,
    at: String,
    by: i64,
    reason: String,
    hash: String,
    bytes: i64,
}

/// A scoring in a list.
#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    scoring: Scoring,
    state_text: &'static str,
    when: String,
}

view! {
    QrelsPage: |page| format!("Judgements of {}", page.title), Some((page.slug.clone(), page.title.clone()));
}

/// A state in a sentence.
pub(super) fn state_text(state: correction::State) -> &'static str {
    match state {
        correction::State::Preview => "preview",
        correction::State::InForce => "in force",
        correction::State::Past => "past",
        correction::State::Cancelled => "cancelled",
    }
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
            access.organiser()?;
            page(db, &access)
        })
        .await?;
    Ok(page.into())
}

fn page(db: &Connection, access: &Access) -> Result<QrelsPage, Problem> {
    let campaign = &access.campaign;
    let mut query = db.prepare_cached(
        "SELECT q.version, q.at, q.by, q.reason, q.blob, b.bytes FROM qrels q JOIN blob b ON b.hash = q.blob
         WHERE q.campaign = ?1 ORDER BY q.version DESC",
    )?;
    let versions = query.query_map([campaign.id], |row| {
        Ok(Version {
            number: row.get(0)?,
            at: campaign.date(row.get(1)?),
            by: row.get(2)?,
            reason: row.get(3)?,
            hash: row.get(4)?,
            bytes: row.get(5)?,
        })
    })?;
    let scorings = correction::scorings(db, campaign)?;
    let open = scorings
        .iter()
        .find(|scoring| scoring.state == correction::State::Preview);
    Ok(QrelsPage {
        slug: campaign.slug.clone(),
        title: campaign.settings.title.clone(),
        topics: campaign.topics(db)?.len(),
        versions: versions.collect::<Result<_, _>>()?,
        open: open.map(|scoring| scoring.number),
        scorings: scorings
            .into_iter()
            .rev()
            .map(|scoring| Line {
                state_text: state_text(scoring.state),
                when: campaign.date(scoring.decided.unwrap_or(scoring.created)),
                scoring,
            })
            .collect(),
    })
}

/// The form of a new version.
pub(crate) enum QrelsFields {}

impl Fields for QrelsFields {
    const FILES: &'static [(&'static str, bool)] = &[("qrels", true)];

    fn texts() -> serde_json::Value {
        json!({ "properties": { "reason": { "type": "string", "minLength": 1, "maxLength": 300 } }, "required": ["reason"] })
    }
}

/// Receives a new version, and begins to score every entry by it.
pub(crate) async fn add(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    body: Upload<QrelsFields>,
) -> Result<Done, Problem> {
    let now = server.now();
    let (asking, address) = (viewer.clone(), slug.clone());
    let topics = server
        .store
        .read(move |db| {
            let access = Access::open(db, &asking, &address, now)?;
            access.organiser()?;
            access.campaign.topics(db)
        })
        .await?;
    let sent = upload::receive(&server, body).await?;
    let field = |name: &str| {
        let found = sent.fields.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value.trim())
    };
    let reason: String = field("reason")
        .chars()
        .filter(|c| !c.is_control())
        .collect();
    if reason.is_empty() || reason.chars().count() > 300 {
        return Err(Problem::field(
            "reason",
            "Write why the judgements change, in 1 to 300 characters. Everyone sees it once the change is applied.",
        ));
    }
    let file = sent
        .file_of("qrels")
        .ok_or_else(|| Problem::field("qrels", "Choose the file of judgements."))?
        .clone();
    let path = server.blob_path(&file.hash);
    let judgements = tokio::task::spawn_blocking(move || read(&path, file, &topics, reason)).await;
    let judgements = judgements.map_err(|error| Problem::internal(&error))??;
    let nonce = secret::random()?;
    let place = format!("/c/{slug}/admin/scorings");
    let (version, number) = server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let person = access.organiser()?.clone();
            correction::begin(tx, &access, &person, &judgements, &nonce)
        })
        .await?;
    server.queue.wake();
    let place = format!("{place}/{number}");
    Ok(Done {
        status: StatusCode::ACCEPTED,
        ..Done::at(place.clone())
            .with(json!({ "version": version, "scoring": number, "location": place }))
    })
}

/// Reads judgements, and checks that they are of this campaign.
fn read(
    path: &std::path::Path,
    file: Stored,
    topics: &[String],
    reason: String,
) -> Result<Judgements, Problem> {
    let source = Source::open(path).map_err(|error| Problem::internal(&error))?;
    let qrels = cranfield_io::read_qrels(&source, None).map_err(|error| {
        let message = first_problem(&error);
        Problem::field("qrels", format!("The judgements cannot be read: {message}"))
    })?;
    let relevant = relevant(&qrels, topics);
    let judged = topics
        .iter()
        .filter(|id| qrels.get(id.as_bytes()).is_some());
    if judged.count() < 2 {
        return Err(Problem::field(
            "qrels",
            "The file has judgements of fewer than two topics of the campaign. Check the topic ids.",
        ));
    }
    Ok(Judgements {
        file,
        relevant,
        reason,
    })
}

fn relevant(qrels: &Qrels, topics: &[String]) -> Vec<usize> {
    let count = |id: &String| {
        let topic = qrels.get(id.as_bytes());
        topic.map_or(0, |topic| {
            topic.judgements().filter(|(_, grade)| *grade > 0.0).count()
        })
    };
    topics.iter().map(count).collect()
}

/// The file of a version, as it was sent.
pub(crate) async fn file(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, version)): Path<(String, i64)>,
) -> Result<Response, Problem> {
    let now = server.now();
    let hash: String = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            access.organiser()?;
            let hash = db.query_row(
                "SELECT blob FROM qrels WHERE campaign = ?1 AND version = ?2",
                (access.campaign.id, version),
                |row| row.get(0),
            );
            hash.optional()?.ok_or_else(Problem::not_found)
        })
        .await?;
    let bytes = tokio::fs::read(server.blob_path(&hash)).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"v{version:03}.qrels\""),
        ),
    ];
    Ok((headers, bytes).into_response())
}
