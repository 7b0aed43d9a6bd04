//! The board as a table for other programs and for papers.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use cranfield_render::{Cell, Column, Format, Table};

use super::view::BoardPage;
use crate::names;
use crate::problem::Problem;

/// Name, media type and ending of each format but JSON.
const FORMATS: [(&str, Format, &str, &str); 5] = [
    ("csv", Format::Csv, "text/csv; charset=utf-8", "csv"),
    (
        "tsv",
        Format::Tsv,
        "text/tab-separated-values; charset=utf-8",
        "tsv",
    ),
    ("md", Format::Markdown, "text/markdown; charset=utf-8", "md"),
    (
        "latex",
        Format::Latex,
        "application/x-latex; charset=utf-8",
        "tex",
    ),
    ("html", Format::Html, "text/html; charset=utf-8", "html"),
];

/// The board in a format.
pub(super) fn response(page: &BoardPage, format: &str) -> Result<Response, Problem> {
    let known = FORMATS.iter().find(|(name, ..)| *name == format);
    let (text, kind, ending) = match known {
        Some((_, format, kind, ending)) => (table(page, *format).render(*format), *kind, *ending),
        None if format == "json" => {
            let text = format!("{}\n", serde_json::to_string_pretty(page)?);
            (text, "application/json", "json")
        }
        None => {
            return Err(Problem::invalid(
                "The formats are csv, tsv, json, md, latex and html.",
            ));
        }
    };
    let name = format!("attachment; filename=\"{}-board.{ending}\"", page.slug);
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, text).into_response())
}

/// In CSV and TSV a name that a spreadsheet would take for a formula begins with an apostrophe.
fn table(page: &BoardPage, format: Format) -> Table {
    let is_sheet = matches!(format, Format::Csv | Format::Tsv);
    let name = |name: &str| {
        if is_sheet {
            names::for_sheet(name)
        } else {
            name.to_owned()
        }
    };
    let mut columns = vec![
        Column::text("rank"),
        Column::number("change"),
        Column::text("team"),
    ];
    if page.all_measures {
        columns.extend(page.measures.iter().map(Column::number));
    } else {
        let numbers = [
            page.measure.as_str(),
            "low",
            "high",
            "best rank",
            "worst rank",
            "best",
        ];
        columns.extend(numbers.map(Column::number));
        columns.push(Column::text("group"));
    }
    columns.push(Column::number("entries"));
    columns.extend(["last", "late", "runs"].map(Column::text));
    let mut table = Table::new(columns);
    for row in &page.rows {
        let mut cells = vec![
            row.rank.map_or_else(|| Cell::text("baseline"), Cell::count),
            row.change.map_or(Cell::Missing, Cell::Int),
            Cell::text(name(&row.team)),
        ];
        if page.all_measures {
            cells.extend(row.values.iter().map(|value| Cell::real(*value)));
        } else {
            cells.extend([
                Cell::Real(row.value),
                Cell::real(row.low),
                Cell::real(row.high),
                row.best_rank.map_or(Cell::Missing, Cell::count),
                row.worst_rank.map_or(Cell::Missing, Cell::count),
                Cell::real(row.best),
                Cell::text(&row.letters),
            ]);
        }
        cells.extend([
            Cell::count(row.entries),
            Cell::text(&row.last_text),
            Cell::text(if row.late { "late" } else { "" }),
            Cell::text(if row.automatic { "automatic" } else { "manual" }),
        ]);
        table.push(cells);
    }
    table
}
