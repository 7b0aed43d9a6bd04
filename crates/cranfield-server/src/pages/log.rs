//! The log of a campaign, with filters. Organisers and assistants read it; nobody changes it.

use askama::Template;
use axum::extract::State;
use serde::Serialize;

use crate::audit::{self, Filter};
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::web::{Path, Query, Shown, view};

/// The most rows of a page.
const MOST: u32 = 200;

/// The log of a campaign.
#[derive(Serialize, Template)]
#[template(path = "log.html")]
pub(crate) struct LogPage {
    slug: String,
    title: String,
    filter: Filter,
    rows: Vec<LogRow>,
    /// Value of `before` for the rows that follow, if there are any.
    next: Option<i64>,
    #[serde(skip)]
    older: Option<String>,
}

/// A row of the log.
#[derive(Serialize)]
struct LogRow {
    id: i64,
    at: String,
    actor: Option<i64>,
    imported: bool,
    action: String,
    object: String,
    details: String,
    hash: String,
}

view! {
    LogPage: |page| format!("Log of {}", page.title), Some((page.slug.clone(), page.title.clone()));
}

pub(crate) async fn show(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Query(filter): Query<Filter>,
) -> Result<Shown, Problem> {
    let now = server.now();
    let page = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            access.staff()?;
            let campaign = &access.campaign;
            // One more tells whether there are older ones.
            let mut rows = audit::newest(db, campaign.id, &filter, MOST + 1)?;
            let is_more = rows.len() > MOST as usize;
            rows.truncate(MOST as usize);
            let next = rows.last().filter(|_| is_more).map(|row| row.id);
            let fields = [
                ("action", filter.action.clone()),
                ("object", filter.object.clone()),
                ("person", filter.person.clone()),
            ];
            let older = next.map(|id| {
                let fields = fields.into_iter().chain([("before", id.to_string())]);
                let fields = serde_urlencoded::to_string(fields.collect::<Vec<_>>());
                format!(
                    "/c/{}/admin/log?{}",
                    campaign.slug,
                    fields.unwrap_or_default()
                )
            });
            let rows = rows.into_iter().map(|row| LogRow {
                id: row.id,
                at: campaign.date(row.at),
                actor: row.actor,
                imported: row.imported,
                action: row.action,
                object: row.object,
                details: row.details,
                hash: row.hash[..12].to_owned(),
            });
            Ok(LogPage {
                slug: campaign.slug.clone(),
                title: campaign.settings.title.clone(),
                filter,
                rows: rows.collect(),
                next,
                older,
            })
        })
        .await?;
    Ok(page.into())
}
