//! Archives of a campaign, for organisers, for teams, and after the release for everyone.

use std::io::{BufWriter, Write as _};
use std::pin::Pin;
use std::task::{Context, Poll};

use askama::Template;
use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use futures_core::Stream;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::sync::mpsc;

use crate::archive::zip::Members;
use crate::archive::{export, zip};
use crate::audit::{self, Event};
use crate::phase::Phase;
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::secret;
use crate::server::Server;
use crate::web::{Path, Query, Shown, view};

/// What can be taken along.
#[derive(Serialize, Template)]
#[template(path = "export.html")]
pub(crate) struct ExportPage {
    slug: String,
    title: String,
    released: bool,
}

view! {
    ExportPage: |page| format!("Export of {}", page.title), Some((page.slug.clone(), page.title.clone()));
}

pub(crate) async fn show(
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
            Ok(ExportPage {
                slug: access.campaign.slug.clone(),
                title: access.campaign.settings.title.clone(),
                released: access.phase == Phase::Released,
            })
        })
        .await?;
    Ok(page.into())
}

/// What an archive should have.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Asked {
    /// Whether a full archive has logins and names.
    people: bool,
}

/// What becomes an archive, if the viewer may have it.
type Collect = dyn FnOnce(&Server, &Connection, &Access) -> Result<Members, Problem> + Send;

/// Writes an archive to the disk, and sends it.
async fn archive(
    server: &Server,
    viewer: Viewer,
    slug: String,
    name: &str,
    collect: Box<Collect>,
) -> Result<Response, Problem> {
    let now = server.now();
    let path = server.data.join("incoming").join(secret::token("")?);
    let (site, to, address) = (server.clone(), path.clone(), slug.clone());
    let written = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &address, now)?;
            let members = collect(&site, db, &access)?;
            let mut file = BufWriter::new(std::fs::File::create_new(&to)?);
            zip::write(members, &mut file)?;
            Ok(file.flush()?)
        })
        .await;
    let opened = match written {
        Ok(()) => tokio::fs::File::open(&path).await.map_err(Problem::from),
        Err(problem) => Err(problem),
    };
    // The open file stays readable; elsewhere than on Unix, the next start removes it.
    let _ = tokio::fs::remove_file(&path).await;
    let file = opened?;
    let headers = [
        (header::CONTENT_TYPE, "application/zip".to_owned()),
        (
            header::CONTENT_LENGTH,
            file.metadata().await?.len().to_string(),
        ),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{slug}-{name}.zip\""),
        ),
    ];
    Ok((headers, body(file)).into_response())
}

pub(crate) async fn full(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let collect = Box::new(move |server: &Server, db: &Connection, access: &Access| {
        access.organiser()?;
        export::full(db, &server.data, &access.campaign, asked.people)
    });
    let asking = viewer.clone();
    let response = archive(&server, asking, slug.clone(), "full", collect).await?;
    log(&server, viewer, slug, asked.people).await?;
    Ok(response)
}

pub(crate) async fn public(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Response, Problem> {
    let collect = Box::new(|server: &Server, db: &Connection, access: &Access| {
        if access.phase != Phase::Released {
            return Err(Problem::not_found());
        }
        export::public(db, &server.data, access)
    });
    archive(&server, viewer, slug, "public", collect).await
}

pub(crate) async fn team(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Response, Problem> {
    let collect = Box::new(|server: &Server, db: &Connection, access: &Access| {
        export::team(db, &server.data, access)
    });
    archive(&server, viewer, slug, "team", collect).await
}

/// A full archive holds what only organisers know, so the log of the server tells who took it. That of the campaign stays as it is in the archive.
async fn log(
    server: &Server,
    viewer: Viewer,
    slug: String,
    with_people: bool,
) -> Result<(), Problem> {
    let event = Event {
        at: server.now(),
        actor: viewer.person.map(|person| person.id),
        campaign: None,
        action: "campaign.export",
        object: slug,
        details: json!({ "people": with_people }),
    };
    server.store.write(|tx| audit::record(tx, event)).await
}

/// The bytes of a file, piece by piece.
struct Pieces(mpsc::Receiver<std::io::Result<Bytes>>);

impl Stream for Pieces {
    type Item = std::io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

fn body(mut file: tokio::fs::File) -> Body {
    let (sender, receiver) = mpsc::channel(4);
    tokio::spawn(async move {
        loop {
            let mut piece = BytesMut::with_capacity(64 << 10);
            let read = file.read_buf(&mut piece).await;
            let is_last = !matches!(read, Ok(1..));
            let piece = read.map(|_| piece.freeze());
            let is_empty = piece.as_ref().is_ok_and(Bytes::is_empty);
            // Whoever asked may have gone.
            if !is_empty && sender.send(piece).await.is_err() || is_last {
                return;
            }
        }
    });
    Body::from_stream(Pieces(receiver))
}
