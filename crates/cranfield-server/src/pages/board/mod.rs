//! The board of a campaign, live and in other formats.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use cranfield_render::{Cell, Column, Format, Table};
use serde::{Deserialize, Serialize};

use crate::board::{Board, Part};
use crate::phase::Phase;
use crate::policy::{Access, Standing, Viewer};
use crate::problem::Problem;
use crate::rendered::{self, Key, Made, Make, Rendered};
use crate::server::Server;
use crate::web::{Kept, Path, Query, view};

/// What is asked of a board.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    measure: Option<String>,
    /// `final` for the final board.
    part: Option<String>,
    format: Option<String>,
}

/// A board as a page.
#[derive(Clone, Serialize, Template)]
#[template(path = "board.html")]
pub(crate) struct BoardPage {
    slug: String,
    title: String,
    phase: &'static str,
    /// When the board was frozen, if it is.
    frozen: Option<String>,
    part: Part,
    has_final: bool,
    /// Whether only organisers see this.
    private: bool,
    measure: String,
    measures: Vec<String>,
    topics: usize,
    all_topics: usize,
    rows: Vec<RowView>,
    unscored: Vec<String>,
    method: Option<String>,
    claim: Option<String>,
    /// Changes when anything on the page does.
    version: String,
}

/// A row as a page shows it.
#[derive(Clone, Serialize)]
pub(crate) struct RowView {
    rank: Option<usize>,
    shared: bool,
    number: i64,
    team: String,
    baseline: bool,
    value: f64,
    text: String,
    low: Option<f64>,
    high: Option<f64>,
    best_rank: Option<usize>,
    worst_rank: Option<usize>,
    best: Option<f64>,
    letters: String,
    entries: usize,
    last: Option<i64>,
    last_text: String,
    late: bool,
    /// Places on a drawing of 150 units: ends of the interval, and the value.
    #[serde(skip)]
    drawn: Option<(u32, u32, u32)>,
    #[serde(skip)]
    interval_text: String,
    #[serde(skip)]
    best_text: String,
}

view! {
    BoardPage: |page| format!("Board of {}", page.title), Some((page.slug.clone(), page.title.clone()));
}

impl BoardPage {
    fn new(access: &Access, board: &Board, all_topics: usize, private: bool) -> Self {
        let (campaign, moment) = (&access.campaign, access.board_moment());
        let is_frozen = board.part == Part::Public && moment < access.now;
        let ends = board
            .rows
            .iter()
            .flat_map(|row| [row.low, row.high, Some(row.value)])
            .flatten();
        let (least, most) = ends.fold((f64::MAX, f64::MIN), |(least, most), v| {
            (least.min(v), most.max(v))
        });
        let place =
            |value: f64| (4.0 + 142.0 * (value - least) / (most - least).max(1e-12)).round() as u32;
        let hidden = access.hides_names();
        let name = |number: i64, team: &str, baseline: bool| {
            if hidden && !baseline {
                format!("Team {number}")
            } else {
                team.to_owned()
            }
        };
        let rows = board.rows.iter().map(|row| RowView {
            rank: row.rank,
            shared: row.shared,
            number: row.number,
            team: name(row.number, &row.team, row.baseline),
            baseline: row.baseline,
            value: row.value,
            text: row.text.clone(),
            low: row.low,
            high: row.high,
            best_rank: row.best_rank,
            worst_rank: row.worst_rank,
            best: row.best,
            letters: row.letters.clone(),
            entries: row.entries,
            last: row.last,
            last_text: row.last.map_or_else(String::new, |at| campaign.date(at)),
            late: row.late,
            interval_text: row
                .low
                .zip(row.high)
                .map_or_else(String::new, |(low, high)| format!("{low:.4} to {high:.4}")),
            best_text: row
                .best
                .map_or_else(String::new, |best| format!("{:.0} %", 100.0 * best)),
            drawn: row
                .low
                .zip(row.high)
                .map(|(low, high)| (place(low), place(high), place(row.value))),
        });
        let rows: Vec<RowView> = rows.collect();
        let unscored = board.unscored.iter();
        let first = board
            .first
            .and_then(|first| Some((first, rows.iter().find(|row| row.number == first.number)?)));
        let mut page = Self {
            slug: campaign.slug.clone(),
            title: campaign.settings.title.clone(),
            phase: access.phase.title(),
            frozen: is_frozen.then(|| campaign.date(moment)),
            part: board.part,
            has_final: access.sees_final(),
            private,
            measure: board.measure.clone(),
            measures: board.measures.clone(),
            topics: board.topics,
            all_topics,
            unscored: unscored
                .map(|team| name(team.number, &team.team, team.baseline))
                .collect(),
            method: board.method.clone(),
            claim: first.map(|(first, row)| first.sentence(&row.team, &board.measure)),
            rows,
            version: String::new(),
        };
        let json = serde_json::to_string(&page).unwrap_or_default();
        blake3::hash(json.as_bytes()).to_hex()[..16].clone_into(&mut page.version);
        page
    }
}

/// The board that a viewer may see, and the next moment at which it may change without a write.
async fn board_page(
    server: &Server,
    viewer: Viewer,
    slug: String,
    asked: &Asked,
    standing: Option<Standing>,
) -> Result<(BoardPage, i64), Problem> {
    let now = server.now();
    let (access, all_topics, until) = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            let topics = access.campaign.topics(db)?.len();
            let until = access.campaign.next_change(db, now)?;
            Ok((access, topics, until))
        })
        .await?;
    if standing.is_some_and(|standing| standing != access.standing()) {
        return Err(Problem::conflict(
            "role",
            "Your role has just changed. Load the page again.",
        ));
    }
    if !access.sees_board() {
        return Err(Problem::not_found());
    }
    let part = match asked.part.as_deref() {
        None if access.phase == Phase::Released => Part::Final,
        None | Some("public") => Part::Public,
        Some("final") if access.sees_final() => Part::Final,
        Some(_) => return Err(Problem::not_found()),
    };
    let measures = &access.campaign.settings.measures;
    let measure = match asked.measure.as_deref() {
        None => 0,
        Some(name) => measures
            .iter()
            .position(|known| known == name)
            .ok_or_else(Problem::not_found)? as u32,
    };
    let as_of = match part {
        Part::Public => access.board_moment(),
        Part::Final => now,
    };
    let frozen = as_of < now;
    let board = server
        .board(access.campaign.clone(), part, measure, as_of, frozen)
        .await?;
    let private = part == Part::Final && access.phase != Phase::Released;
    let page = BoardPage::new(&access, &board, all_topics, private);
    Ok((page, until))
}

/// The board as it is kept for everyone who sees the same.
async fn kept(
    server: &Server,
    viewer: Viewer,
    slug: String,
    asked: Asked,
) -> Result<(Key, Arc<Rendered>), Problem> {
    let standing = if viewer.person.is_none() {
        Standing::Reader
    } else {
        let (viewer, slug, now) = (viewer.clone(), slug.clone(), server.now());
        let standing = move |db: &_| Ok(Access::open(db, &viewer, &slug, now)?.standing());
        server.store.read(standing).await?
    };
    let key = Key {
        standing,
        address: format!("{slug} {asked:?}"),
    };
    let own = Arc::clone(server);
    let make: Make = Arc::new(move || {
        let (server, viewer, slug, asked) = (
            Arc::clone(&own),
            viewer.clone(),
            slug.clone(),
            asked.clone(),
        );
        Box::pin(async move {
            let made = board_page(&server, viewer, slug, &asked, Some(standing)).await;
            let (page, until) = made?;
            let page = Rendered::new(&page, page.version.clone())?;
            Ok(Made { page, until })
        })
    });
    let page = rendered::get(server, key.clone(), make).await?;
    Ok((key, page))
}

/// The board that listeners follow.
pub(crate) async fn live(
    server: &Server,
    viewer: Viewer,
    slug: String,
) -> Result<(Key, Arc<Rendered>), Problem> {
    kept(server, viewer, slug, Asked::default()).await
}

pub(crate) async fn show(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let Some(format) = asked.format.clone() else {
        let (_, page) = kept(&server, viewer, slug, asked).await?;
        return Ok(Kept(page).into_response());
    };
    let (page, _) = board_page(&server, viewer, slug, &asked, None).await?;
    let etag = HeaderValue::from_str(&format!("\"{}\"", page.version))
        .map_err(|error| Problem::internal(&error))?;
    let mut response = table(&page, &format)?;
    response.headers_mut().insert(header::ETAG, etag);
    response.headers_mut().insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("private, no-cache"),
    );
    Ok(response)
}

/// The board as a table for other programs. In CSV and TSV a name that a spreadsheet would take for a formula begins with an apostrophe.
fn table(page: &BoardPage, format: &str) -> Result<Response, Problem> {
    let (format, kind) = match format {
        "csv" => (Format::Csv, "text/csv; charset=utf-8"),
        "tsv" => (Format::Tsv, "text/tab-separated-values; charset=utf-8"),
        "md" => (Format::Markdown, "text/markdown; charset=utf-8"),
        "latex" => (Format::Latex, "application/x-latex; charset=utf-8"),
        "html" => (Format::Html, "text/html; charset=utf-8"),
        _ => {
            return Err(Problem::invalid(
                "The formats are csv, tsv, md, latex and html.",
            ));
        }
    };
    let is_sheet = matches!(format, Format::Csv | Format::Tsv);
    let name = |name: &str| {
        if is_sheet && name.starts_with(['=', '+', '-', '@', '\t', '\r']) {
            format!("'{name}")
        } else {
            name.to_owned()
        }
    };
    let numbers = [
        page.measure.as_str(),
        "low",
        "high",
        "best rank",
        "worst rank",
        "best",
    ];
    let columns = [Column::text("rank"), Column::text("team")];
    let rest = [
        Column::text("group"),
        Column::number("entries"),
        Column::text("last"),
    ];
    let mut table = Table::new(
        columns
            .into_iter()
            .chain(numbers.map(Column::number))
            .chain(rest),
    );
    for row in &page.rows {
        table.push([
            row.rank.map_or_else(|| Cell::text("baseline"), Cell::count),
            Cell::text(name(&row.team)),
            Cell::Real(row.value),
            Cell::real(row.low),
            Cell::real(row.high),
            row.best_rank.map_or(Cell::Missing, Cell::count),
            row.worst_rank.map_or(Cell::Missing, Cell::count),
            Cell::real(row.best),
            Cell::text(&row.letters),
            Cell::count(row.entries),
            Cell::text(&row.last_text),
        ]);
    }
    let headers = [
        (header::CONTENT_TYPE, kind),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"board\"",
        ),
    ];
    Ok((headers, table.render(format)).into_response())
}
