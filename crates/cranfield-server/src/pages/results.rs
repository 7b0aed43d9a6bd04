//! The results of a campaign after its release. Organisers see them before.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use cranfield_stats::sample::mean;
use serde::{Deserialize, Serialize};

use super::campaign::hex;
use crate::board::{Board, Part};
use crate::phase::Phase;
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::results::{Material, file_of, values_of};
use crate::server::Server;
use crate::web::{Path, Query, Shown, view};

/// The report has scripts of its own, so it runs in a sandbox: without the cookies, pages and addresses of the server.
const REPORT_POLICY: &str = "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; \
    style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The results of a campaign.
#[derive(Serialize, Template)]
#[template(path = "results.html")]
pub(crate) struct ResultsPage {
    slug: String,
    title: String,
    measure: String,
    /// Whether only organisers see this.
    private: bool,
    teams: Vec<TeamLine>,
    sees_qrels: bool,
    sees_runs: bool,
    /// The public hash of the split and the judgements, and what it is made of.
    commitment: String,
    nonce: String,
    seed: i64,
    public_share: f64,
    qrels: String,
}

/// A final entry.
#[derive(Serialize)]
struct TeamLine {
    rank: Option<usize>,
    shared: bool,
    number: i64,
    team: String,
    baseline: bool,
    entry: i64,
    text: String,
    /// Whether the run of the entry may be taken.
    sees_run: bool,
}

/// The final entry of a team by topic.
#[derive(Serialize, Template)]
#[template(path = "result.html")]
pub(crate) struct ResultPage {
    slug: String,
    title: String,
    number: i64,
    team: String,
    entry: i64,
    rank: Option<usize>,
    shared: bool,
    measure: String,
    measures: Vec<String>,
    text: String,
    sees_qrels: bool,
    topics: Vec<TopicLine>,
}

/// A topic of a team.
#[derive(Serialize)]
struct TopicLine {
    id: String,
    title: String,
    public: bool,
    value: Option<f64>,
    text: String,
    /// The mean of all final entries.
    mean: Option<f64>,
    mean_text: String,
    difference: Option<f64>,
    difference_text: String,
}

/// How a value is computed.
#[derive(Serialize, Template)]
#[template(path = "explain.html")]
pub(crate) struct ExplainPage {
    slug: String,
    title: String,
    number: i64,
    team: String,
    text: String,
}

view! {
    ResultsPage: |page| format!("Results of {}", page.title), Some((page.slug.clone(), page.title.clone()));
    ResultPage: |page| format!("Result of {}", page.team), Some((page.slug.clone(), page.title.clone()));
    ExplainPage: |page| format!("Explanation: {}", page.team), Some((page.slug.clone(), page.title.clone()));
}

/// Who asks, and the final board by a measure.
struct Seen {
    access: Access,
    board: Arc<Board>,
}

async fn seen(
    server: &Server,
    viewer: Viewer,
    slug: String,
    measure: Option<&str>,
) -> Result<Seen, Problem> {
    let now = server.now();
    let access = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            if access.sees_final() {
                Ok(access)
            } else {
                Err(Problem::not_found())
            }
        })
        .await?;
    let measures = &access.campaign.settings.measures;
    let at = measure.map_or(Some(0), |name| {
        measures.iter().position(|known| known == name)
    });
    let at = at.ok_or_else(Problem::not_found)?;
    let campaign = access.campaign.clone();
    let board = server
        .board(campaign, Part::Final, at as u32, now, false)
        .await?;
    Ok(Seen { access, board })
}

pub(crate) async fn show(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Shown, Problem> {
    let Seen { access, board } = seen(&server, viewer, slug, None).await?;
    let page = server
        .store
        .read(move |db| {
            let material = Material::of(db, access.campaign.clone())?;
            let lines = board.rows.iter().map(|row| {
                let is_own =
                    access.team.is_some() && access.team == team_id(db, &access, row.number)?;
                Ok(TeamLine {
                    rank: row.rank,
                    shared: row.shared,
                    number: row.number,
                    team: row.team.clone(),
                    baseline: row.baseline,
                    entry: file_of(db, row)?.0,
                    text: row.text.clone(),
                    sees_run: access.sees_runs() || is_own,
                })
            });
            let teams = lines.collect::<Result<Vec<_>, Problem>>()?;
            let settings = &access.campaign.settings;
            Ok(ResultsPage {
                slug: access.campaign.slug.clone(),
                title: settings.title.clone(),
                measure: board.measure.clone(),
                private: access.phase != Phase::Released,
                teams,
                sees_qrels: access.sees_qrels(),
                sees_runs: access.sees_runs(),
                commitment: material.split.commitment.clone(),
                nonce: hex(&material.split.nonce),
                seed: material.split.seed,
                public_share: settings.public_share,
                qrels: material.qrels.clone(),
            })
        })
        .await?;
    Ok(page.into())
}

fn team_id(
    db: &rusqlite::Connection,
    access: &Access,
    number: i64,
) -> Result<Option<i64>, Problem> {
    use rusqlite::OptionalExtension;
    let mut query = db.prepare_cached("SELECT id FROM team WHERE campaign = ?1 AND number = ?2")?;
    let id = query.query_row((access.campaign.id, number), |row| row.get(0));
    Ok(id.optional()?)
}

/// A measure of the campaign.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct OfMeasure {
    measure: Option<String>,
}

/// The values of a team by topic are for the team, and for those who see the judgements.
pub(crate) async fn team(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, number)): Path<(String, i64)>,
    Query(asked): Query<OfMeasure>,
) -> Result<Shown, Problem> {
    let Seen { access, board } = seen(&server, viewer, slug, asked.measure.as_deref()).await?;
    let page = server
        .store
        .read(move |db| {
            let team = team_id(db, &access, number)?.ok_or_else(Problem::not_found)?;
            if !access.sees_qrels() && access.team != Some(team) {
                return Err(Problem::not_found());
            }
            let row = board.rows.iter().find(|row| row.number == number);
            let row = row.ok_or_else(Problem::not_found)?;
            let material = Material::of(db, access.campaign.clone())?;
            let measures = &access.campaign.settings.measures;
            let at = measures.iter().position(|name| *name == board.measure);
            let values = |submission| values_of(db, &access.campaign, submission, at.unwrap_or(0));
            let own = values(row.submission)?;
            let all = board.rows.iter().map(|row| values(row.submission));
            let all = all.collect::<Result<Vec<_>, Problem>>()?;
            let topics = material.topics.iter().zip(&material.public).enumerate();
            let topics = topics.map(|(place, ((id, title), public))| {
                let value =
                    |values: &Vec<f64>| values.get(place).copied().filter(|v| v.is_finite());
                let of_all: Vec<f64> = all.iter().filter_map(value).collect();
                let (value, mean) = (value(&own), mean(&of_all));
                let difference = value.zip(mean).map(|(value, mean)| value - mean);
                let text =
                    |value: Option<f64>| value.map_or_else(|| "–".into(), |v| format!("{v:.4}"));
                TopicLine {
                    id: id.clone(),
                    title: title.clone(),
                    public: *public,
                    value,
                    text: text(value),
                    mean,
                    mean_text: text(mean),
                    difference,
                    difference_text: difference.map_or_else(|| "–".into(), |d| format!("{d:+.4}")),
                }
            });
            Ok(ResultPage {
                slug: access.campaign.slug.clone(),
                title: access.campaign.settings.title.clone(),
                number,
                team: row.team.clone(),
                entry: file_of(db, row)?.0,
                rank: row.rank,
                shared: row.shared,
                measure: board.measure.clone(),
                measures: board.measures.clone(),
                text: row.text.clone(),
                sees_qrels: access.sees_qrels(),
                topics: topics.collect(),
            })
        })
        .await?;
    Ok(page.into())
}

/// What is explained: the value of a topic, or the mean; of a team, or its difference from another one.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Explaining {
    measure: Option<String>,
    topic: Option<String>,
    against: Option<i64>,
}

pub(crate) async fn explain(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, number)): Path<(String, i64)>,
    Query(asked): Query<Explaining>,
) -> Result<Shown, Problem> {
    let Seen { access, board } = seen(&server, viewer, slug, asked.measure.as_deref()).await?;
    if !access.sees_qrels() {
        return Err(Problem::not_found());
    }
    let own = Arc::clone(&server);
    let page = server
        .store
        .read(move |db| {
            // The difference is the second minus the first.
            let numbers = asked.against.into_iter().chain([number]);
            let runs = numbers.map(|number| {
                let row = board.rows.iter().find(|row| row.number == number);
                let row = row.ok_or_else(Problem::not_found)?;
                Ok((row.team.clone(), file_of(db, row)?.1))
            });
            let runs = runs.collect::<Result<Vec<_>, Problem>>()?;
            let material = Material::of(db, access.campaign.clone())?;
            if let Some(topic) = &asked.topic
                && !material.topics.iter().any(|(id, _)| id == topic)
            {
                return Err(Problem::not_found());
            }
            let measures = &access.campaign.settings.measures;
            let at = measures.iter().position(|name| *name == board.measure);
            let text = material.explain(&own, &runs, at.unwrap_or(0), asked.topic.as_deref())?;
            Ok(ExplainPage {
                slug: access.campaign.slug.clone(),
                title: access.campaign.settings.title.clone(),
                number,
                team: runs
                    .into_iter()
                    .next_back()
                    .map_or_else(String::new, |(team, _)| team),
                text,
            })
        })
        .await?;
    Ok(page.into())
}

/// The report of the final entries, which is made once for each state of the final board.
pub(crate) async fn report(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Response, Problem> {
    let Seen { access, board } = seen(&server, viewer, slug, None).await?;
    if !access.sees_qrels() || board.rows.is_empty() {
        return Err(Problem::not_found());
    }
    let own = Arc::clone(&server);
    let html = server
        .store
        .read(move |db| {
            let material = Material::of(db, access.campaign.clone())?;
            let runs = board.rows.iter().map(|row| {
                let (_, hash) = file_of(db, row)?;
                Ok((row.team.clone(), hash))
            });
            let runs = runs.collect::<Result<Vec<_>, Problem>>()?;
            let state = (&material.qrels, &runs, material.campaign.version);
            let state = blake3::hash(serde_json::to_string(&state)?.as_bytes());
            own.report(material.campaign.id, state, || {
                material.report(&own, &board, &runs)
            })
        })
        .await?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
        (header::CACHE_CONTROL, "private, no-cache"),
    ];
    Ok((headers, html.to_string()).into_response())
}

/// A file of the results.
fn file(kind: &str, name: &str, bytes: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
        (
            header::CONTENT_SECURITY_POLICY,
            "sandbox; default-src 'none'".to_owned(),
        ),
    ];
    (headers, bytes).into_response()
}

/// What the commitment is the hash of.
pub(crate) async fn commitment(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Response, Problem> {
    let Seen { access, .. } = seen(&server, viewer, slug, None).await?;
    let name = format!("{}-commitment", access.campaign.slug);
    let bytes = server
        .store
        .read(move |db| Ok(Material::of(db, access.campaign)?.committed()))
        .await?;
    Ok(file("application/octet-stream", &name, bytes))
}

/// Which topics were public.
pub(crate) async fn split(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Response, Problem> {
    let Seen { access, .. } = seen(&server, viewer, slug, None).await?;
    let name = format!("{}-split.tsv", access.campaign.slug);
    let text = server
        .store
        .read(move |db| Ok(Material::of(db, access.campaign)?.split_file()))
        .await?;
    let kind = "text/tab-separated-values; charset=utf-8";
    Ok(file(kind, &name, text.into_bytes()))
}

/// The judgements.
pub(crate) async fn qrels(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Response, Problem> {
    let Seen { access, .. } = seen(&server, viewer, slug, None).await?;
    if !access.sees_qrels() {
        return Err(Problem::not_found());
    }
    let name = format!("{}-qrels", access.campaign.slug);
    let hash = server
        .store
        .read(move |db| Ok(Material::of(db, access.campaign)?.qrels))
        .await?;
    let bytes = tokio::fs::read(server.blob_path(&hash)).await?;
    Ok(file("application/octet-stream", &name, bytes))
}

/// The run of a final entry.
pub(crate) async fn run(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, number)): Path<(String, i64)>,
) -> Result<Response, Problem> {
    let Seen { access, board } = seen(&server, viewer, slug, None).await?;
    let (entry, hash) = server
        .store
        .read(move |db| {
            let team = team_id(db, &access, number)?.ok_or_else(Problem::not_found)?;
            if !access.sees_runs() && access.team != Some(team) {
                return Err(Problem::not_found());
            }
            let row = board.rows.iter().find(|row| row.number == number);
            file_of(db, row.ok_or_else(Problem::not_found)?)
        })
        .await?;
    let bytes = tokio::fs::read(server.blob_path(&hash)).await?;
    let name = format!("T{number:03}-E{entry:03}.run");
    Ok(file("application/octet-stream", &name, bytes))
}
