//! The grades of a class.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use cranfield_render::{Cell, Column, Format, Table};
use rusqlite::Connection;

use crate::board::{Board, Part};
use crate::campaign::Campaign;
use crate::names;
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::web::Path;

/// The grades of a class: one line for each member of a team, with the final rank and value.
pub(crate) async fn grades(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Response, Problem> {
    let now = server.now();
    let text = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            access.organiser()?;
            let campaign = &access.campaign;
            grades_of(db, campaign, now)
        })
        .await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"grades.csv\"",
        ),
    ];
    Ok((headers, text).into_response())
}

fn grades_of(db: &Connection, campaign: &Campaign, now: i64) -> Result<String, Problem> {
    let last = Board::ranked(db, campaign, Part::Final, 0, now)?;
    let public = Board::ranked(db, campaign, Part::Public, 0, now)?;
    let columns = ["login", "name", "team"].map(Column::text);
    let numbers = ["final rank", "final value", "public value", "entries"].map(Column::number);
    let mut table = Table::new(
        columns
            .into_iter()
            .chain(numbers)
            .chain([Column::text("late")]),
    );
    let mut query = db.prepare_cached(
        "SELECT p.login, p.name, t.name, t.number FROM team_member m JOIN person p ON p.id = m.person JOIN team t ON t.id = m.team
         WHERE m.campaign = ?1 ORDER BY t.number, p.login",
    )?;
    let rows = query.query_map([campaign.id], |row| {
        Ok((
            row.get::<_, String>(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, String>(2)?,
            row.get::<_, i64>(3)?,
        ))
    })?;
    for row in rows {
        let (login, name, team, number) = row?;
        let final_row = last.rows.iter().find(|row| row.number == number);
        let public_row = public.rows.iter().find(|row| row.number == number);
        table.push([
            Cell::text(names::for_sheet(&login)),
            Cell::text(names::for_sheet(&name)),
            Cell::text(names::for_sheet(&team)),
            final_row
                .and_then(|row| row.rank)
                .map_or(Cell::Missing, Cell::count),
            Cell::real(final_row.map(|row| row.value)),
            Cell::real(public_row.map(|row| row.value)),
            Cell::count(final_row.map_or(0, |row| row.entries)),
            Cell::text(if final_row.is_some_and(|row| row.late) {
                "late"
            } else {
                ""
            }),
        ]);
    }
    Ok(table.render(Format::Csv))
}
