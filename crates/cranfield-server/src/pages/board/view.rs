//! The board as a page shows it.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use askama::Template;
use axum::http::HeaderValue;
use cranfield_core::small_sort::SmallSort;
use serde::Serialize;

use super::{Asked, Seen};
use crate::board::{Part, Row};
use crate::phase::Phase;
use crate::problem::Problem;
use crate::web::view;

/// A board as a page.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own that the page shows"
)]
#[derive(Clone, Serialize, Template)]
#[template(path = "board.html")]
pub(crate) struct BoardPage {
    pub(super) slug: String,
    pub(super) title: String,
    phase: &'static str,
    /// When the board was frozen, if it is.
    pub(super) frozen: Option<String>,
    part: Part,
    has_final: bool,
    has_live: bool,
    /// Whether this is the live board of a frozen campaign.
    is_live: bool,
    /// Whether only organisers see this.
    private: bool,
    pub(super) measure: String,
    pub(super) measures: Vec<String>,
    /// Whether there is a column for each measure.
    pub(super) all_measures: bool,
    topics: usize,
    all_topics: usize,
    /// What changes of ranks are counted from.
    since: Option<String>,
    pub(super) rows: Vec<RowView>,
    /// Rows that the filter hides.
    hidden_rows: usize,
    unscored: Vec<String>,
    method: Option<String>,
    claim: Option<String>,
    /// Changes when anything on the page does.
    pub(super) version: String,
    #[serde(skip)]
    heads: Vec<Head>,
    #[serde(skip)]
    asked: Asked,
}

/// The head of a column.
#[derive(Clone)]
struct Head {
    key: &'static str,
    label: String,
    class: &'static str,
    /// The value of `aria-sort`.
    sorted: Option<&'static str>,
    /// The order that its link asks for; empty for columns without one.
    sort: String,
}

/// A row as a page shows it.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own that the page shows"
)]
#[derive(Clone, Serialize)]
pub(crate) struct RowView {
    pub(super) rank: Option<usize>,
    pub(super) shared: bool,
    /// How many places the team has gained; none if it had no rank.
    pub(super) change: Option<i64>,
    #[serde(skip)]
    change_text: String,
    pub(super) number: i64,
    pub(super) team: String,
    pub(super) baseline: bool,
    pub(super) value: f64,
    pub(super) text: String,
    /// By each measure of the campaign.
    pub(super) values: Vec<Option<f64>>,
    #[serde(skip)]
    texts: Vec<String>,
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
    pub(super) best_rank: Option<usize>,
    pub(super) worst_rank: Option<usize>,
    pub(super) best: Option<f64>,
    pub(super) letters: String,
    pub(super) entries: usize,
    last: Option<i64>,
    pub(super) last_text: String,
    pub(super) late: bool,
    pub(super) automatic: bool,
    /// Places on a drawing of 150 units: ends of the interval, and the value.
    #[serde(skip)]
    drawn: Option<(u32, u32, u32)>,
    #[serde(skip)]
    interval_text: String,
    #[serde(skip)]
    best_text: String,
}

type Compare = Box<dyn Fn(&RowView, &RowView) -> Ordering>;

/// What changes of ranks are counted from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Since {
    Moment(i64),
    Freeze(i64),
    /// The public board, for the final one.
    Public,
    Never,
}

view! {
    BoardPage: |page| format!("Board of {}", page.title), Some((page.slug.clone(), page.title.clone()));
}

impl BoardPage {
    pub(super) fn new(
        seen: &Seen,
        asked: Asked,
        since: Since,
        before: &BTreeMap<i64, usize>,
    ) -> Result<Self, Problem> {
        let (access, board) = (&seen.access, &*seen.board);
        let campaign = &access.campaign;
        let is_frozen = board.part == Part::Public && seen.as_of < access.now;
        let hidden = access.hides_names();
        let name = |number: i64, team: &str, baseline: bool| {
            if hidden && !baseline {
                format!("Team {number}")
            } else {
                team.to_owned()
            }
        };
        let scale = Scale::of(&board.rows);
        let rows = board.rows.iter().map(|row| {
            let name = name(row.number, &row.team, row.baseline);
            let last = row.last.map_or_else(String::new, |at| campaign.date(at));
            RowView::new(row, name, last, &scale, before)
        });
        let mut rows: Vec<RowView> = rows.collect();
        if hidden {
            // The names would decide the order of equal values.
            rows.small_sort_by(|a, b| {
                if a.value.to_bits() == b.value.to_bits() {
                    (a.baseline, a.number).cmp(&(b.baseline, b.number))
                } else {
                    Ordering::Equal
                }
            });
        }
        let claim = board.first.and_then(|first| {
            let row = rows.iter().find(|row| row.number == first.number)?;
            Some(first.sentence(&row.team, &board.measure))
        });
        let all = rows.len();
        filter(&mut rows, &asked)?;
        let has_live = access.is_staff() && access.board_moment() < access.now;
        let since = match since {
            _ if rows.iter().all(|row| row.rank.is_none()) => None,
            Since::Moment(at) => Some(campaign.date(at)),
            Since::Freeze(at) => Some(format!("the freeze, {}", campaign.date(at))),
            Since::Public => Some("the public board".into()),
            Since::Never => None,
        };
        let mut page = Self {
            slug: campaign.slug.clone(),
            title: campaign.settings.title.clone(),
            phase: access.phase.title(),
            frozen: is_frozen.then(|| campaign.date(seen.as_of)),
            part: board.part,
            has_final: access.sees_final(),
            has_live,
            is_live: seen.is_live,
            private: seen.is_live || (board.part == Part::Final && access.phase != Phase::Released),
            measure: board.measure.clone(),
            measures: board.measures.clone(),
            all_measures: asked.wants_all(),
            topics: board.topics,
            all_topics: seen.all_topics,
            since,
            hidden_rows: all - rows.len(),
            rows,
            unscored: board
                .unscored
                .iter()
                .map(|team| name(team.number, &team.team, team.baseline))
                .collect(),
            method: board.method.clone(),
            claim,
            version: String::new(),
            heads: Vec::new(),
            asked,
        };
        page.sort()?;
        let json = serde_json::to_string(&page)?;
        blake3::hash(json.as_bytes()).to_hex()[..16].clone_into(&mut page.version);
        Ok(page)
    }

    pub(super) fn etag(&self) -> Result<HeaderValue, Problem> {
        let etag = HeaderValue::from_str(&format!("\"{}\"", self.version));
        etag.map_err(|error| Problem::internal(&error))
    }

    /// The address of this page with another value of a parameter.
    fn link(&self, parameter: &str, value: &str) -> String {
        let mut asked = self.asked.clone();
        let value = (!value.is_empty()).then(|| value.to_owned());
        match parameter {
            "measure" => asked.measure = value,
            "part" => (asked.part, asked.since) = (value, None),
            "sort" => asked.sort = value,
            "since" => asked.since = value,
            _ => asked.format = value,
        }
        // Strings can always be encoded.
        format!(
            "?{}",
            serde_urlencoded::to_string(&asked).unwrap_or_default()
        )
    }

    /// The parameters that the form of the filter keeps.
    fn kept(&self) -> Vec<(&'static str, &str)> {
        let all = [
            ("measure", &self.asked.measure),
            ("part", &self.asked.part),
            ("since", &self.asked.since),
            ("sort", &self.asked.sort),
        ];
        all.into_iter()
            .filter_map(|(name, value)| Some((name, value.as_deref()?)))
            .collect()
    }

    /// Brings the rows into the order that is asked for, and makes the heads of the columns. Ranks stay.
    fn sort(&mut self) -> Result<(), Problem> {
        let measures = self.all_measures.then_some(self.measures.len());
        let asked = self.asked.sort.as_deref().unwrap_or("rank");
        let (key, reversed) = match asked.strip_prefix('-') {
            Some(key) => (key, true),
            None => (asked, false),
        };
        let column: Option<usize> = key.strip_prefix('m').and_then(|at| at.parse().ok());
        let compare: Compare = match (key, column) {
            // The order of the board.
            ("rank", _) => Box::new(|_, _| Ordering::Equal),
            ("team", _) => Box::new(|a, b| a.team.cmp(&b.team)),
            ("change", _) => Box::new(|a, b| a.change.cmp(&b.change)),
            ("value", _) => Box::new(|a, b| a.value.total_cmp(&b.value)),
            ("best", _) => Box::new(|a, b| real(a.best, b.best)),
            ("entries", _) => Box::new(|a, b| a.entries.cmp(&b.entries)),
            ("last", _) => Box::new(|a, b| a.last.cmp(&b.last)),
            (_, Some(at)) if measures.is_some_and(|count| at < count) => {
                Box::new(move |a: &RowView, b: &RowView| real(a.values[at], b.values[at]))
            }
            _ => {
                return Err(Problem::invalid(
                    "The board can be sorted by rank, change, team, value, best, entries and last; a - before it reverses the order.",
                ));
            }
        };
        if reversed && key == "rank" {
            self.rows.reverse();
        } else {
            self.rows.small_sort_by(|a, b| {
                let order = compare(a, b);
                if reversed { order.reverse() } else { order }
            });
        }
        let (key, reversed) = (key.to_owned(), reversed);
        let head = |name: &'static str, label: String, class: &'static str, first: &str| {
            let is_sorted = !name.is_empty() && name == key;
            let sort = match (is_sorted, first) {
                (_, "") => String::new(),
                (true, _) if reversed => name.to_owned(),
                (true, _) => format!("-{name}"),
                (false, first) => first.to_owned(),
            };
            Head {
                key: name,
                label,
                class,
                sorted: is_sorted.then_some(if reversed { "descending" } else { "ascending" }),
                sort,
            }
        };
        let mut heads = vec![
            head("rank", "#".into(), "n", "rank"),
            head("change", "Δ".into(), "n wide", "-change"),
            head("team", "team".into(), "team", "team"),
        ];
        if self.all_measures {
            const KEYS: [&str; 12] = [
                "m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11",
            ];
            for ((place, name), key) in self.measures.iter().enumerate().zip(KEYS) {
                let class = if place == 0 { "n" } else { "n wide" };
                heads.push(head(key, name.clone(), class, &format!("-{key}")));
            }
        } else {
            heads.push(head("value", self.measure.clone(), "n", "-value"));
            heads.push(head("", "95 % interval".into(), "wide", ""));
            heads.push(head("", "ranks".into(), "wide", ""));
            heads.push(head("best", "best".into(), "n wide", "-best"));
            heads.push(head("", "group".into(), "", ""));
        }
        heads.push(head("entries", "entries".into(), "n wide", "-entries"));
        heads.push(head("last", "last".into(), "wide", "-last"));
        self.heads = heads;
        Ok(())
    }

    fn runs(&self) -> &str {
        self.asked.runs.as_deref().unwrap_or_default()
    }

    fn query(&self) -> &str {
        self.asked.q.as_deref().unwrap_or_default()
    }
}

/// Keeps the rows that are asked for.
fn filter(rows: &mut Vec<RowView>, asked: &Asked) -> Result<(), Problem> {
    let automatic = match asked.runs.as_deref() {
        None | Some("" | "all") => None,
        Some("automatic") => Some(true),
        Some("manual") => Some(false),
        Some(_) => {
            return Err(Problem::invalid(
                "The parameter runs is automatic, manual or all.",
            ));
        }
    };
    let wanted = asked.q.as_deref().unwrap_or_default().trim().to_lowercase();
    rows.retain(|row| {
        row.team.to_lowercase().contains(&wanted)
            && automatic.is_none_or(|automatic| row.automatic == automatic)
    });
    Ok(())
}

fn real(a: Option<f64>, b: Option<f64>) -> Ordering {
    let value = |value: Option<f64>| value.unwrap_or(f64::NEG_INFINITY);
    value(a).total_cmp(&value(b))
}

/// From values to places on the drawing of intervals.
struct Scale {
    least: f64,
    most: f64,
}

impl Scale {
    fn of(rows: &[Row]) -> Self {
        let ends = rows
            .iter()
            .flat_map(|row| [row.low, row.high, Some(row.value)])
            .flatten();
        let (least, most) = ends.fold((f64::MAX, f64::MIN), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        Self { least, most }
    }

    fn place(&self, value: f64) -> u32 {
        let share = (value - self.least) / (self.most - self.least).max(1e-12);
        (4.0 + 142.0 * share).round() as u32
    }
}

impl RowView {
    fn new(
        row: &Row,
        team: String,
        last_text: String,
        scale: &Scale,
        before: &BTreeMap<i64, usize>,
    ) -> Self {
        let was = before.get(&row.number);
        let change = row
            .rank
            .zip(was)
            .map(|(rank, was)| was.cast_signed() as i64 - rank.cast_signed() as i64);
        let change_text = match (row.rank, change) {
            (None, _) => String::new(),
            (_, None) if before.is_empty() => String::new(),
            (_, None) => "new".into(),
            (_, Some(0)) => "–".into(),
            (_, Some(up @ 1..)) => format!("▲{up}"),
            (_, Some(down)) => format!("▼{}", -down),
        };
        let interval = row.low.zip(row.high);
        Self {
            rank: row.rank,
            shared: row.shared,
            change,
            change_text,
            number: row.number,
            team,
            baseline: row.baseline,
            value: row.value,
            text: row.text.clone(),
            values: row.values.clone(),
            texts: row.texts.clone(),
            low: row.low,
            high: row.high,
            best_rank: row.best_rank,
            worst_rank: row.worst_rank,
            best: row.best,
            letters: row.letters.clone(),
            entries: row.entries,
            last: row.last,
            last_text,
            late: row.late,
            automatic: row.automatic,
            drawn: interval
                .map(|(low, high)| (scale.place(low), scale.place(high), scale.place(row.value))),
            interval_text: interval
                .map_or_else(String::new, |(low, high)| format!("{low:.4} to {high:.4}")),
            best_text: row
                .best
                .map_or_else(String::new, |best| format!("{:.0} %", 100.0 * best)),
        }
    }
}
