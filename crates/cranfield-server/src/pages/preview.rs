//! Previews: an organiser looks at the pages of a campaign as someone else. What they show is decided in [`policy`](crate::policy).

use axum::extract::State;
use rusqlite::OptionalExtension;
use serde::Deserialize;
use serde_json::json;

use super::admin::record;
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::web::{Done, Form, Path};

/// Whose view is wanted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// `reader`, `participant`, or the number of a team.
    view: String,
}

pub(crate) async fn begin(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(wanted): Form<Wanted>,
) -> Result<Done, Problem> {
    let (now, place) = (server.now(), format!("/c/{slug}"));
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let person = access.organiser()?.id;
            let session = viewer.session.as_ref().ok_or_else(|| {
                Problem::forbidden("A preview belongs to a session; a token has none.")
            })?;
            let role = (wanted.view != "reader").then_some("participant");
            let team: Option<i64> = match wanted.view.as_str() {
                "reader" | "participant" => None,
                number => Some(
                    tx.query_row(
                        "SELECT id FROM team WHERE campaign = ?1 AND number = ?2 AND kind = 'team' AND merged_into IS NULL",
                        (access.campaign.id, number.parse::<i64>().unwrap_or_default()),
                        |row| row.get(0),
                    )
                    .optional()?
                    .ok_or_else(|| {
                        let message = "A view is reader, participant, or the number of a team.";
                        Problem::field("view", message)
                    })?,
                ),
            };
            tx.execute(
                "UPDATE session SET preview = ?2, preview_role = ?3, preview_team = ?4 WHERE hash = ?1",
                (session, access.campaign.id, role, team),
            )?;
            let details = json!({ "view": wanted.view });
            record(tx, &access, person, "preview.begin", details)
        })
        .await?;
    Ok(Done::at(place))
}

pub(crate) async fn end(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Done, Problem> {
    let (now, place) = (server.now(), format!("/c/{slug}/admin"));
    server
        .store
        .write(move |tx| {
            Access::open(tx, &viewer, &slug, now)?.organiser()?;
            let query = "UPDATE session SET preview = NULL, preview_role = NULL, preview_team = NULL WHERE hash = ?1";
            tx.execute(query, [&viewer.session])?;
            Ok(())
        })
        .await?;
    Ok(Done::at(place))
}
