//! A screen as pieces of text with places and styles.

use std::collections::HashSet;
use std::ops::Range;

use cranfield_core::small_sort::SmallSort;
use cranfield_search::Analyzer;

use super::page::Page;
use super::text::{cut, find_all, safe_line, width_of, wrap};
use crate::error::JudgeError;
use crate::materials::Materials;
use crate::scale::Scale;
use crate::session::Session;

/// Narrower terminals show the topic above the document.
const SIDE_BY_SIDE: usize = 72;
/// Lines of documents are not wider than this, because wide lines are hard to read.
const WIDEST: usize = 110;

/// How a piece looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Dim,
    Bold,
    /// A term of the topic.
    Term,
    /// What was searched for.
    Found,
    /// The first and the last line.
    Bar,
}

/// Text at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) text: String,
    pub(super) style: Style,
}

/// What the last line is used for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    #[default]
    Judge,
    Note(String),
    Find(String),
    Help,
}

/// What is shown of a session.
#[derive(Default)]
pub(super) struct State {
    pub(super) page: Option<Page>,
    pub(super) scroll: usize,
    pub(super) topic_scroll: usize,
    pub(super) mode: Mode,
    pub(super) message: String,
    pub(super) wanted: String,
    wrapped: Wrapped,
}

/// Lines for the sizes in use, which are computed again when the page or the size changes.
#[derive(Default)]
struct Wrapped {
    widths: (usize, usize),
    topic: Vec<Range<usize>>,
    document: Vec<Range<usize>>,
}

/// Where the two panes are.
#[derive(Clone, Copy, Debug)]
struct Panes {
    topic_width: usize,
    topic_height: usize,
    /// Place of the document.
    x: usize,
    y: usize,
    width: usize,
    height: usize,
}

impl Panes {
    fn of(width: usize, height: usize) -> Self {
        // The bar above, and scale and keys below.
        let body = height.saturating_sub(3);
        if width >= SIDE_BY_SIDE {
            let topic_width = (width / 3).clamp(24, 60);
            let x = topic_width + 3;
            return Self {
                topic_width,
                topic_height: body,
                x,
                y: 1,
                width: (width - x).min(WIDEST),
                height: body,
            };
        }
        let topic_height = (body / 3).clamp(1, 10).min(body);
        Self {
            topic_width: width,
            topic_height,
            x: 0,
            y: 1 + topic_height,
            width,
            height: body.saturating_sub(topic_height),
        }
    }

    /// Lines of the document below its title.
    fn lines(&self) -> usize {
        self.height.saturating_sub(1)
    }
}

impl State {
    /// Shows another pair.
    pub(super) fn show(&mut self, page: Option<Page>) {
        let topic = |page: &Option<Page>| page.as_ref().map(|page| page.pair.topic.clone());
        if topic(&self.page) != topic(&page) {
            self.topic_scroll = 0;
        }
        self.page = page;
        self.scroll = 0;
        self.wrapped.widths = (0, 0);
    }

    /// Lines of the document on the screen.
    pub(super) fn page_height((width, height): (usize, usize)) -> usize {
        Panes::of(width, height).lines().max(1)
    }

    /// Moves to the next place of what is searched for, below the first line of the screen; from the top if there is none.
    pub(super) fn find_next(&mut self) -> bool {
        let Some(page) = &self.page else {
            return false;
        };
        let found = find_all(&page.document, &self.wanted);
        let lines = &self.wrapped.document;
        let line_of = |place: &Range<usize>| lines.partition_point(|line| line.end <= place.start);
        let places: Vec<usize> = found.iter().map(line_of).collect();
        let next = places.iter().find(|line| **line > self.scroll);
        match next.or(places.first()) {
            Some(line) => self.scroll = *line,
            None => return false,
        }
        true
    }

    /// All pieces of the screen.
    pub(super) fn pieces(
        &mut self,
        session: &Session,
        (scale, analyzer): (&Scale, &Analyzer),
        (width, height): (usize, usize),
    ) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let panes = Panes::of(width, height);
        pieces.push(bar(0, &header(session, width), width));
        if self.mode == Mode::Help {
            help(scale, width, height, &mut pieces);
        } else if self.page.is_some() {
            self.wrap(panes);
            self.topic_pieces(panes, &mut pieces);
            self.document_pieces(session, panes, analyzer, &mut pieces);
        } else {
            let done = "Everything is judged. Press u to undo, q to leave.";
            pieces.push(piece(
                2,
                2.min(height),
                &cut(done, width.saturating_sub(2)),
                Style::Bold,
            ));
        }
        if height >= 2 {
            pieces.push(piece(
                0,
                height - 2,
                &cut(&grades(scale), width),
                Style::Bold,
            ));
            pieces.push(bar(height - 1, &self.last_line(), width));
        }
        pieces.retain(|piece| piece.y < height && piece.x < width);
        pieces
    }

    fn wrap(&mut self, panes: Panes) {
        let widths = (panes.topic_width, panes.width);
        if let Some(page) = &self.page
            && self.wrapped.widths != widths
        {
            self.wrapped = Wrapped {
                widths,
                topic: wrap(&page.topic, panes.topic_width),
                document: wrap(&page.document, panes.width),
            };
        }
        let most = |lines: usize, height: usize| lines.saturating_sub(height.max(1));
        let (topic, document) = (self.wrapped.topic.len(), self.wrapped.document.len());
        self.topic_scroll = self.topic_scroll.min(most(topic, panes.topic_height));
        self.scroll = self.scroll.min(most(document, panes.lines()));
    }

    fn topic_pieces(&self, panes: Panes, pieces: &mut Vec<Piece>) {
        let Some(page) = &self.page else {
            return;
        };
        let lines = self.wrapped.topic.iter().skip(self.topic_scroll);
        let is_cut = self.wrapped.topic.len() > self.topic_scroll + panes.topic_height;
        let room = panes.topic_height.saturating_sub(usize::from(is_cut));
        for (row, line) in lines.take(room).enumerate() {
            let style = if line.end <= page.title {
                Style::Bold
            } else {
                Style::Plain
            };
            pieces.push(piece(0, 1 + row, &page.topic[line.clone()], style));
        }
        if is_cut {
            let more = cut("(] shows more)", panes.topic_width);
            pieces.push(piece(0, panes.topic_height, &more, Style::Dim));
        }
        if panes.x > 0 {
            for row in 0..panes.height {
                pieces.push(piece(panes.x - 2, 1 + row, "│", Style::Dim));
            }
        }
    }

    fn document_pieces(
        &self,
        session: &Session,
        panes: Panes,
        analyzer: &Analyzer,
        pieces: &mut Vec<Piece>,
    ) {
        let Some(page) = &self.page else {
            return;
        };
        let (total, shown) = (self.wrapped.document.len(), panes.lines());
        let mut title = format!("document {}", safe_line(&page.pair.doc));
        if total > shown {
            let last = (self.scroll + shown).min(total);
            title += &format!(" · lines {}-{last} of {total}", self.scroll + 1);
        }
        if session.judged().is_flagged(&page.pair) {
            title += " · flagged";
        }
        if let Some(note) = session.judged().note(&page.pair) {
            title += &format!(" · note: {}", safe_line(note));
        }
        pieces.push(piece(
            panes.x,
            panes.y,
            &cut(&title, panes.width),
            Style::Dim,
        ));
        let lines = self.wrapped.document.iter().skip(self.scroll);
        for (row, line) in lines.take(shown).enumerate() {
            let place = (panes.x, panes.y + 1 + row);
            let text = &page.document[line.clone()];
            let marks = marks(text, &page.terms, analyzer, &self.wanted);
            marked(text, &marks, place, pieces);
        }
    }

    fn last_line(&self) -> String {
        match &self.mode {
            Mode::Note(note) => format!("note: {}▏  (Enter saves, Esc cancels)", safe_line(note)),
            Mode::Find(wanted) => {
                format!("find: {}▏  (Enter finds, Esc cancels)", safe_line(wanted))
            }
            Mode::Help => "any key returns".into(),
            Mode::Judge if !self.message.is_empty() => self.message.clone(),
            Mode::Judge => {
                "u undo  s later  f flag  n note  / find  space scroll  ? keys  q leave".into()
            }
        }
    }
}

fn piece(x: usize, y: usize, text: &str, style: Style) -> Piece {
    let text = text.to_owned();
    Piece { x, y, text, style }
}

/// A line over the whole width.
fn bar(y: usize, text: &str, width: usize) -> Piece {
    let mut text = cut(text, width);
    let columns: usize = text.chars().map(width_of).sum();
    text.push_str(&" ".repeat(width.saturating_sub(columns)));
    piece(0, y, &text, Style::Bar)
}

fn header(session: &Session, width: usize) -> String {
    let estimate = session.estimate();
    let mut left = String::new();
    if let Some(pair) = session.current() {
        let (done, total) = session.topic_progress(&pair.topic);
        left = format!("topic {}: {done} of {total}", safe_line(&pair.topic));
    }
    let percent = 100 * estimate.done / estimate.total.max(1);
    let mut right = format!("all: {} of {} ({percent} %)", estimate.done, estimate.total);
    if let Some(rate) = estimate.per_minute() {
        right += &format!(" · {rate:.1}/min");
    }
    let (hours, minutes) = (estimate.hours(), estimate.hours() * 60.0);
    right += &if hours >= 2.0 {
        format!(" · {hours:.1} h left")
    } else {
        format!(" · {minutes:.0} min left")
    };
    let used = [&left, &right].map(|text| text.chars().map(width_of).sum::<usize>());
    let gap = width.saturating_sub(used[0] + used[1]).max(2);
    format!("{left}{}{right}", " ".repeat(gap))
}

/// The scale on one line: the part of each description before a colon.
fn grades(scale: &Scale) -> String {
    let short = |text: &str| safe_line(text.split(':').next().unwrap_or_default());
    let grades = scale
        .grades()
        .map(|(grade, text)| format!("[{grade}] {}", short(text)));
    grades.collect::<Vec<_>>().join("  ")
}

const KEYS: [(&str, &str); 12] = [
    (
        "u",
        "take back the last judgement or deferral, and show its document",
    ),
    ("s", "set the document aside; it comes again at the end"),
    ("f", "flag the document, or remove the flag"),
    ("n", "write a note on the document"),
    (
        "/",
        "find words in the document; Enter without words finds the next",
    ),
    ("space", "scroll down a page (PgDn); b or PgUp scrolls up"),
    ("↓ ↑", "scroll by a line"),
    ("g G", "go to the beginning or the end (Home, End)"),
    ("[ ]", "scroll the topic"),
    ("?", "show this page"),
    ("q", "leave; everything is saved"),
    (
        "",
        "Each judgement is on disk before the next document is shown.",
    ),
];

fn help(scale: &Scale, width: usize, height: usize, pieces: &mut Vec<Piece>) {
    let grades = scale
        .grades()
        .map(|(grade, text)| (grade.to_string(), safe_line(text)));
    let keys = KEYS
        .iter()
        .map(|(key, what)| ((*key).to_owned(), (*what).to_owned()));
    for (row, (key, what)) in grades.chain(keys).enumerate() {
        if row + 4 < height {
            pieces.push(piece(2, 2 + row, &key, Style::Bold));
            pieces.push(piece(
                10,
                2 + row,
                &cut(&what, width.saturating_sub(10)),
                Style::Plain,
            ));
        }
    }
}

/// Places of the topic's terms and of what is searched for in a line.
fn marks(
    line: &str,
    terms: &HashSet<String>,
    analyzer: &Analyzer,
    wanted: &str,
) -> Vec<(Range<usize>, Style)> {
    let found = find_all(line, wanted);
    let mut marks: Vec<(Range<usize>, Style)> = Vec::new();
    let mut start = None;
    let ends = line.char_indices().chain([(line.len(), ' ')]);
    for (at, c) in ends {
        match (start, c.is_alphanumeric()) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                start = None;
                let is_found = |place: &Range<usize>| place.start < at && from < place.end;
                if !found.iter().any(is_found)
                    && analyzer
                        .terms(&line[from..at])
                        .iter()
                        .any(|term| terms.contains(term))
                {
                    marks.push((from..at, Style::Term));
                }
            }
            _ => {}
        }
    }
    marks.extend(found.into_iter().map(|place| (place, Style::Found)));
    marks.small_sort_by_key(|(place, _)| place.start);
    marks
}

/// The pieces of a line with marked places, which do not overlap.
fn marked(
    line: &str,
    marks: &[(Range<usize>, Style)],
    (mut x, y): (usize, usize),
    pieces: &mut Vec<Piece>,
) {
    let mut at = 0;
    let mut push = |text: &str, style| {
        if !text.is_empty() {
            pieces.push(piece(x, y, text, style));
            x += text.chars().map(width_of).sum::<usize>();
        }
    };
    for (place, style) in marks {
        push(&line[at..place.start], Style::Plain);
        push(&line[place.clone()], *style);
        at = place.end;
    }
    push(&line[at..], Style::Plain);
}

/// The first screen of a session as plain text.
///
/// # Errors
/// If the document cannot be read.
pub fn screen_text(
    session: &Session,
    materials: &Materials,
    scale: &Scale,
    (width, height): (usize, usize),
) -> Result<String, JudgeError> {
    let mut state = State::default();
    let page = session.current().map(|pair| Page::new(pair, materials));
    state.show(page.transpose()?);
    let pieces = state.pieces(session, (scale, &materials.analyzer), (width, height));
    let mut rows = vec![Vec::new(); height];
    for piece in pieces {
        let row: &mut Vec<String> = &mut rows[piece.y];
        row.resize(row.len().max(piece.x), " ".into());
        let mut x = piece.x;
        for c in piece.text.chars() {
            if width_of(c) == 0 {
                continue;
            }
            row.resize(row.len().max(x + width_of(c)), String::new());
            row[x] = c.to_string();
            x += width_of(c);
        }
    }
    let lines = rows
        .iter()
        .map(|row| row.concat().trim_end().to_owned() + "\n");
    Ok(lines.collect())
}
