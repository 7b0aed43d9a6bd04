//! The cross table of two sets of judgements.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::classes::{Axes, Class};

/// A row or a column of a [`CrossTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Line {
    /// The class with this index.
    Class(u8),
    /// All classes together.
    Total,
    /// Documents without a grade in this set.
    Unjudged,
}

/// The base of a percentage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PercentOf {
    /// The documents of the column: how documents of one grade in the first set are graded in the second.
    Column,
    /// The documents of the row.
    Row,
    /// All documents.
    All,
}

impl PercentOf {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Column => "column",
            Self::Row => "row",
            Self::All => "all",
        }
    }
}

/// Numbers of documents by grade: rows are the grades in the second set, columns those in the first.
///
/// `Total` lines count documents judged in both sets. A document only in the first set is in the row
/// `Unjudged`, one only in the second in the column `Unjudged`; neither is included in the totals of classes.
#[derive(Clone, Debug)]
pub struct CrossTable {
    pub(super) axes: Arc<Axes>,
    /// Counts by row and column; missing entries are 0, so a topic needs no more space than its documents.
    counts: BTreeMap<(Line, Line), u64>,
    /// Documents judged in both sets, by row, column and relevance.
    pub(super) both: BTreeMap<(u8, u8, Relevance), u64>,
}

/// The sets in which a document is relevant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Relevance {
    Both,
    One,
    Neither,
}

impl CrossTable {
    pub(super) fn new(axes: Arc<Axes>) -> Self {
        Self {
            axes,
            counts: BTreeMap::new(),
            both: BTreeMap::new(),
        }
    }

    /// Classes of the second set.
    pub fn rows(&self) -> &[Class] {
        &self.axes.second.classes
    }

    /// Classes of the first set.
    pub fn columns(&self) -> &[Class] {
        &self.axes.first.classes
    }

    /// Whether both sets have a common scale, so that they can agree.
    pub fn has_one_scale(&self) -> bool {
        self.axes.scale.is_some()
    }

    /// Number of documents.
    pub fn count(&self, row: Line, column: Line) -> u64 {
        self.counts.get(&(row, column)).copied().unwrap_or(0)
    }

    /// The non-empty cells of classes with their counts, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (u8, u8, u64)> {
        self.counts.iter().filter_map(|(lines, count)| match lines {
            (Line::Class(row), Line::Class(column)) => Some((*row, *column, *count)),
            _ => None,
        })
    }

    /// All non-empty cells with their counts: cells of classes, totals, and documents of one set.
    pub fn lines(&self) -> impl Iterator<Item = (Line, Line, u64)> {
        let counts = self.counts.iter();
        counts.map(|((row, column), count)| (*row, *column, *count))
    }

    /// A count in percent; `None` for documents of one set only, and if the base is 0.
    pub fn percent(&self, of: PercentOf, row: Line, column: Line) -> Option<f64> {
        if row == Line::Unjudged || column == Line::Unjudged {
            return None;
        }
        let whole = match of {
            PercentOf::Column => self.count(Line::Total, column),
            PercentOf::Row => self.count(row, Line::Total),
            PercentOf::All => self.count(Line::Total, Line::Total),
        };
        (whole > 0).then(|| self.count(row, column) as f64 * 100.0 / whole as f64)
    }

    /// Adds a document with its grades in the first and the second set.
    pub(super) fn push_both(&mut self, first: f64, second: f64, level: f64) {
        let level = level.max(0.0);
        let relevance = match (first >= level, second >= level) {
            (true, true) => Relevance::Both,
            (false, false) => Relevance::Neither,
            _ => Relevance::One,
        };
        let row = self.axes.second.place(second) as u8;
        let column = self.axes.first.place(first) as u8;
        self.bump_both((row, column, relevance), 1);
    }

    fn bump_both(&mut self, kind: (u8, u8, Relevance), by: u64) {
        *self.both.entry(kind).or_default() += by;
        for row in [Line::Class(kind.0), Line::Total] {
            for column in [Line::Class(kind.1), Line::Total] {
                self.bump(row, column, by);
            }
        }
    }

    /// Number of documents judged in both sets with this relevance.
    pub(super) fn relevant(&self, wanted: Relevance) -> u64 {
        let cells = self.both.iter();
        let cells = cells.filter(|((_, _, relevance), _)| *relevance == wanted);
        cells.map(|(_, count)| count).sum()
    }

    /// The table with other numbers of documents in the cells of [`both`](Self::both).
    pub(super) fn resampled(&self, counts: &[u64]) -> Self {
        let mut table = Self::new(Arc::clone(&self.axes));
        for (kind, count) in self
            .both
            .keys()
            .zip(counts)
            .filter(|(_, count)| **count > 0)
        {
            table.bump_both(*kind, *count);
        }
        table
    }

    /// Adds a document only in the first set.
    pub(super) fn push_first(&mut self, grade: f64) {
        let column = line(self.axes.first.place(grade));
        self.bump(Line::Unjudged, column, 1);
        self.bump(Line::Unjudged, Line::Total, 1);
    }

    /// Adds a document only in the second set.
    pub(super) fn push_second(&mut self, grade: f64) {
        let row = line(self.axes.second.place(grade));
        self.bump(row, Line::Unjudged, 1);
        self.bump(Line::Total, Line::Unjudged, 1);
    }

    /// Adds the documents of another table with the same classes.
    pub(super) fn add(&mut self, other: &Self) {
        for ((row, column), count) in &other.counts {
            self.bump(*row, *column, *count);
        }
        for (kind, count) in &other.both {
            *self.both.entry(*kind).or_default() += count;
        }
    }

    fn bump(&mut self, row: Line, column: Line, by: u64) {
        *self.counts.entry((row, column)).or_default() += by;
    }
}

/// The line of a class; there are at most [`super::MAX_CLASSES`].
fn line(place: usize) -> Line {
    Line::Class(place as u8)
}
