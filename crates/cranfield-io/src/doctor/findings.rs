//! The findings of a file: one entry per code, with a count and the first places.

use cranfield_core::small_sort::SmallSort;

use crate::code::{Code, Severity};
use crate::error::Error;
use crate::problem::Problem;

use super::line::Row;

/// Maximum number of places that an entry keeps.
const MAX_PLACES: usize = 3;

/// The unit in which a finding is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Lines of the file.
    Line,
    /// Topics.
    Topic,
    /// Documents of a collection.
    Document,
    /// Places in a format that is not made of lines.
    Place,
    /// The file as a whole.
    File,
}

impl Unit {
    /// The singular noun that is printed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Topic => "topic",
            Self::Document => "document",
            Self::Place => "place",
            Self::File => "file",
        }
    }
}

/// All occurrences of one code in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The code.
    pub code: Code,
    /// Number of occurrences.
    pub count: u64,
    /// The unit of the count.
    pub unit: Unit,
    /// Number of occurrences that a fix repairs.
    pub fixable: u64,
    /// The first three places; only the first for notes.
    pub places: Vec<Problem>,
    /// A remark about all places together.
    pub detail: Option<String>,
}

impl Finding {
    /// Creates a finding of something that is not a single file, such as a collection.
    pub fn of_places(code: Code, count: u64, unit: Unit, places: Vec<Problem>) -> Self {
        Self {
            count,
            unit,
            fixable: if code.fixable() { count } else { 0 },
            places,
            ..Self::new(code)
        }
    }

    fn new(code: Code) -> Self {
        Self {
            code,
            count: 0,
            unit: unit(code),
            fixable: 0,
            places: Vec::new(),
            detail: None,
        }
    }

    /// Severity of the code.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The message of the first place, or else the title of the code.
    pub fn message(&self) -> String {
        let first = self.places.first();
        first.map_or_else(
            || self.code.title().into(),
            |problem| problem.message.to_string(),
        )
    }
}

fn unit(code: Code) -> Unit {
    match code {
        Code::RankContradictsScore
        | Code::RanksReversed
        | Code::RanksFromZero
        | Code::UnknownTopic
        | Code::MissingTopic
        | Code::SaturatedTies
        | Code::TooDeep
        | Code::InterleavedTopics
        | Code::DuplicateRank
        | Code::RankGap
        | Code::TiesAgainstRanks
        | Code::SinglePrecisionTies
        | Code::ShortRanking
        | Code::EmptyTopic
        | Code::TopicIdsDiffer
        | Code::TopicWithoutRelevant => Unit::Topic,
        Code::CannotRead
        | Code::EmptyFile
        | Code::UnknownFormat
        | Code::BadCompression
        | Code::ExpandsTooFar
        | Code::NoMatch
        | Code::BadParquet
        | Code::ByteOrderMark
        | Code::MissingLastNewline
        | Code::FewJudgedDocuments
        | Code::GradeScaleReversed
        | Code::NoRelevant => Unit::File,
        _ => Unit::Line,
    }
}

/// Collects findings. Counting one is cheap, because millions of lines may have the same one.
#[derive(Debug)]
pub(super) struct Findings {
    path: String,
    /// In the order of [`Code::ALL`].
    entries: Vec<Finding>,
}

impl Findings {
    pub(super) fn new(path: &str) -> Self {
        Self {
            path: path.into(),
            entries: Code::ALL.iter().map(|code| Finding::new(*code)).collect(),
        }
    }

    /// Counts one occurrence; `problem` is only called if its place will be shown.
    pub(super) fn add_with(&mut self, code: Code, problem: impl FnOnce(&str) -> Problem) {
        let entry = &mut self.entries[code as usize];
        entry.count += 1;
        entry.fixable += u64::from(code.fixable());
        let max_places = if code.severity() == Severity::Note {
            1
        } else {
            MAX_PLACES
        };
        if entry.places.len() < max_places {
            entry.places.push(problem(&self.path));
        }
    }

    /// Counts one occurrence in a row, or in the file if its format has no lines.
    pub(super) fn add_at(
        &mut self,
        code: Code,
        row: &Row<'_>,
        part: &[u8],
        message: impl FnOnce() -> String,
    ) {
        self.add_with(code, |path| row.problem(code, path, part, message()));
    }

    /// Adds a finding about the whole file with `count` occurrences.
    pub(super) fn add_file(&mut self, code: Code, count: u64, message: String) -> &mut Finding {
        let entry = &mut self.entries[code as usize];
        entry.count += count;
        entry.fixable += if code.fixable() { count } else { 0 };
        entry.places.push(Problem::file(code, &self.path, message));
        entry
    }

    /// Adds the problems of a reader's error.
    pub(super) fn add_error(&mut self, error: &Error, unit: Unit) {
        for problem in error.problems() {
            self.add_with(problem.code, |_| problem.clone());
            let entry = &mut self.entries[problem.code as usize];
            if entry.unit == Unit::Line {
                entry.unit = unit;
            }
        }
    }

    /// The entry of a code, which may be empty.
    pub(super) fn entry(&mut self, code: Code) -> &mut Finding {
        &mut self.entries[code as usize]
    }

    /// Removes all occurrences of a code.
    pub(super) fn forget(&mut self, code: Code) {
        self.entries[code as usize] = Finding::new(code);
    }

    /// Whether anything found so far is an error.
    pub(super) fn has_errors(&self) -> bool {
        let is_error = |entry: &Finding| entry.count > 0 && entry.severity() == Severity::Error;
        self.entries.iter().any(is_error)
    }

    /// Marks everything as not fixable, because only TREC text can be repaired.
    pub(super) fn mark_unfixable(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.fixable = 0);
    }

    /// Number of occurrences of a code.
    pub(super) fn count(&self, code: Code) -> u64 {
        self.entries[code as usize].count
    }

    /// Returns the entries that occurred, by severity and then by code.
    pub(super) fn into_list(self) -> Vec<Finding> {
        let mut found: Vec<Finding> = self
            .entries
            .into_iter()
            .filter(|entry| entry.count > 0)
            .collect();
        found.small_sort_by_key(Finding::severity);
        found
    }
}

/// Formats a count with its noun.
pub(super) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// Formats an integer with thousands separators.
pub(super) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats the first few ids of a list.
pub(super) fn some_ids<'a>(ids: impl ExactSizeIterator<Item = &'a [u8]>) -> String {
    const SHOWN: usize = 5;
    let more = if ids.len() > SHOWN { ", ..." } else { "" };
    let shown: Vec<String> = ids.take(SHOWN).map(crate::escape::quoted).collect();
    shown.join(", ") + more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let shown = [0, 999, 1000, 50_000, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "50,000", "1,234,567"]);
        assert_eq!(counted(1, "line"), "1 line");
        assert_eq!(counted(2000, "topic"), "2,000 topics");
    }

    #[test]
    fn codes_are_indices_of_the_list_of_all_codes() {
        for (at, code) in Code::ALL.iter().enumerate() {
            assert_eq!(*code as usize, at);
        }
    }

    #[test]
    fn places_are_limited_and_counted() {
        let mut findings = Findings::new("f");
        for _ in 0..9 {
            findings.add_with(Code::Crlf, |path| Problem::file(Code::Crlf, path, "m"));
            findings.add_with(Code::MixedTags, |path| {
                Problem::file(Code::MixedTags, path, "m")
            });
        }
        let list = findings.into_list();
        assert_eq!((list[0].code, list[0].count), (Code::MixedTags, 9));
        assert_eq!((list[0].places.len(), list[1].places.len()), (3, 1));
        assert_eq!((list[0].fixable, list[1].fixable), (0, 9));
    }
}
