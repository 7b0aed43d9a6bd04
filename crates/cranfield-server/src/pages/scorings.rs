//! The preview of a correction: how far it is, what it moves and why, and the decision.

use askama::Template;
use axum::extract::State;
use rusqlite::{Connection, Transaction};
use serde::Serialize;

use super::qrels::state_text;
use crate::board::Part;
use crate::correction::{self, Progress};
use crate::jobs::read_qrels;
use crate::moves::{Grades, Moves};
use crate::policy::{Access, Person, Viewer};
use crate::problem::Problem;
use crate::server::{Server, State as Site};
use crate::web::{Done, Path, Shown, view};

/// A scoring next to the one that it follows.
#[derive(Serialize, Template)]
#[template(path = "scoring.html")]
pub(crate) struct ScoringPage {
    slug: String,
    title: String,
    number: i64,
    /// Versions of the judgements.
    qrels: i64,
    previous_qrels: Option<i64>,
    reason: String,
    state: &'static str,
    when: String,
    is_preview: bool,
    progress: Progress,
    /// Topics of the campaign without a judgement.
    unjudged: Vec<String>,
    /// Number of topics of the file that are not in the campaign.
    foreign: usize,
    grades: Option<Grades>,
    /// The final and the public board, once all entries are scored.
    boards: Vec<Moves>,
}

view! {
    ScoringPage: |page| format!("Judgements v{} of {}", page.qrels, page.title), Some((page.slug.clone(), page.title.clone()));
}

pub(crate) async fn show(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, number)): Path<(String, i64)>,
) -> Result<Shown, Problem> {
    let (now, site) = (server.now(), server.clone());
    let page = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            access.organiser()?;
            page(db, &site, &access, number)
        })
        .await?;
    Ok(page.into())
}

fn page(
    db: &Connection,
    site: &Site,
    access: &Access,
    number: i64,
) -> Result<ScoringPage, Problem> {
    let campaign = &access.campaign;
    let scoring = correction::scoring(db, campaign, number)?;
    let version = |version: i64| -> Result<(String, String), Problem> {
        Ok(db.query_row(
            "SELECT blob, reason FROM qrels WHERE campaign = ?1 AND version = ?2",
            (campaign.id, version),
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?)
    };
    let (blob, reason) = version(scoring.qrels)?;
    let previous: Option<i64> = match scoring.previous {
        None => None,
        Some(id) => Some(
            db.query_row("SELECT qrels FROM scoring WHERE id = ?1", [id], |row| {
                row.get(0)
            })?,
        ),
    };
    let topics = campaign.topics(db)?;
    let new = read_qrels(site, &blob)?;
    let grades = match previous {
        None => None,
        Some(previous) => {
            let old = read_qrels(site, &version(previous)?.0)?;
            Some(Grades::compare(&topics, &old, &new))
        }
    };
    let unjudged: Vec<String> = topics
        .iter()
        .filter(|id| new.get(id.as_bytes()).is_none())
        .cloned()
        .collect();
    let judged = topics.len() - unjudged.len();
    let progress = Progress::of(db, scoring.id)?;
    let mut boards = Vec::new();
    if let Some(previous) = scoring.previous
        && progress.is_complete()
    {
        let as_of = scoring.decided.unwrap_or(access.now);
        for part in [Part::Final, Part::Public] {
            let both = (previous, scoring.id);
            boards.push(Moves::compare(db, campaign, both, part, as_of)?);
        }
    }
    Ok(ScoringPage {
        slug: campaign.slug.clone(),
        title: campaign.settings.title.clone(),
        number,
        qrels: scoring.qrels,
        previous_qrels: previous,
        reason,
        state: state_text(scoring.state),
        when: campaign.date(scoring.decided.unwrap_or(scoring.created)),
        is_preview: scoring.state == correction::State::Preview,
        progress,
        foreign: new.len().saturating_sub(judged),
        unjudged,
        grades,
        boards,
    })
}

/// What an organiser decides about a preview.
type Decision = fn(&Transaction<'_>, &Access, &Person, i64) -> Result<(), Problem>;

async fn decide(
    server: Server,
    viewer: Viewer,
    (slug, number): (String, i64),
    decision: Decision,
) -> Result<Done, Problem> {
    let now = server.now();
    let place = format!("/c/{slug}/admin/scorings/{number}");
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let person = access.organiser()?.clone();
            decision(tx, &access, &person, number)
        })
        .await?;
    server.queue.wake();
    Ok(Done::at(place))
}

pub(crate) async fn apply(
    State(server): State<Server>,
    viewer: Viewer,
    Path(place): Path<(String, i64)>,
) -> Result<Done, Problem> {
    decide(server, viewer, place, correction::apply).await
}

pub(crate) async fn cancel(
    State(server): State<Server>,
    viewer: Viewer,
    Path(place): Path<(String, i64)>,
) -> Result<Done, Problem> {
    decide(server, viewer, place, correction::cancel).await
}

pub(crate) async fn retry(
    State(server): State<Server>,
    viewer: Viewer,
    Path(place): Path<(String, i64)>,
) -> Result<Done, Problem> {
    decide(server, viewer, place, correction::retry).await
}
