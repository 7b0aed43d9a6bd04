//! The board for frames of other sites: a page without navigation, as a reader sees it.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::view::BoardPage;
use super::{Asked, board_page};
use crate::assets;
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::web::{Path, Query};

/// What is asked of a board in a frame.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Asking {
    measure: Option<String>,
}

#[derive(Template)]
#[template(path = "embed.html")]
struct Embed<'a> {
    page: &'a BoardPage,
    style: &'a str,
}

/// Whoever is signed in, a frame shows what everyone may see. Without sites in the settings the page does not exist.
pub(crate) async fn embed(
    State(server): State<Server>,
    Path(slug): Path<String>,
    Query(asking): Query<Asking>,
) -> Result<Response, Problem> {
    let (now, address) = (server.now(), slug.clone());
    let origins = server
        .store
        .read(move |db| {
            let access = Access::open(db, &Viewer::default(), &address, now)?;
            Ok(access.campaign.settings.origins()?.join(" "))
        })
        .await?;
    if origins.is_empty() {
        return Err(Problem::not_found());
    }
    let asked = Asked {
        measure: asking.measure,
        ..Asked::default()
    };
    let (page, _) = board_page(&server, Viewer::default(), slug, asked, None).await?;
    let html = Embed {
        page: &page,
        style: assets::address("style.css"),
    }
    .render()
    .map_err(|error| Problem::internal(&error))?;
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors {origins}"
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, policy),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "cross-origin".to_owned(),
        ),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    let mut response = (headers, html).into_response();
    response.headers_mut().insert(header::ETAG, page.etag()?);
    Ok(response)
}
