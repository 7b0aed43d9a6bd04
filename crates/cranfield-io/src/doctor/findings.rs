//! What was found in a file: one entry per code, with a count and the first places.

use crate::code::{Code, Severity};
use crate::error::Error;
use crate::problem::Problem;

use super::line::Row;

/// Most places that an entry keeps.
const PLACES: usize = 3;

/// What a finding counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Lines of the file.
    Line,
    /// Topics.
    Topic,
    /// Places of a format that is not made of lines.
    Place,
    /// The file as a whole.
    File,
}

impl Unit {
    /// The word that is printed for one.
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Topic => "topic",
            Self::Place => "place",
            Self::File => "file",
        }
    }
}

/// All that was found under one code in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub code: Code,
    /// How often, in units.
    pub count: u64,
    /// What is counted.
    pub unit: Unit,
    /// How many of them a fix repairs.
    pub fixable: u64,
    /// The first places, at most three; for notes only the first.
    pub places: Vec<Problem>,
    /// What is known about all places together.
    pub detail: Option<String>,
}

impl Finding {
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

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// What was found at the first place, or the code's title.
    pub fn message(&self) -> &str {
        let first = self.places.first();
        first.map_or(self.code.title(), |problem| problem.message.as_str())
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

/// Collects findings. Counting one costs next to nothing, so that millions of lines may have the same peculiarity.
#[derive(Debug)]
pub(super) struct Findings {
    path: String,
    /// By code, in the order of [`Code::ALL`].
    entries: Vec<Finding>,
}

impl Findings {
    pub(super) fn new(path: &str) -> Self {
        Self {
            path: path.into(),
            entries: Code::ALL.iter().map(|code| Finding::new(*code)).collect(),
        }
    }

    /// Counts one; `problem` is only made if its place will be shown.
    pub(super) fn add_with(&mut self, code: Code, problem: impl FnOnce(&str) -> Problem) {
        let entry = &mut self.entries[code as usize];
        entry.count += 1;
        entry.fixable += u64::from(code.fixable());
        let most = if code.severity() == Severity::Note {
            1
        } else {
            PLACES
        };
        if entry.places.len() < most {
            entry.places.push(problem(&self.path));
        }
    }

    /// Counts one in a row of the file, or in the file if its format has no lines.
    pub(super) fn add_at(
        &mut self,
        code: Code,
        row: &Row<'_>,
        part: &[u8],
        message: impl FnOnce() -> String,
    ) {
        self.add_with(code, |path| row.problem(code, path, part, message()));
    }

    /// A finding about the whole file that stands for `count` units.
    pub(super) fn add_file(&mut self, code: Code, count: u64, message: String) -> &mut Finding {
        let entry = &mut self.entries[code as usize];
        entry.count += count;
        entry.fixable += if code.fixable() { count } else { 0 };
        entry.places.push(Problem::file(code, &self.path, message));
        entry
    }

    /// What a reader refused.
    pub(super) fn add_error(&mut self, error: &Error, unit: Unit) {
        for problem in error.problems() {
            self.add_with(problem.code, |_| problem.clone());
            let entry = &mut self.entries[problem.code as usize];
            if entry.unit == Unit::Line {
                entry.unit = unit;
            }
        }
    }

    /// The entry of a code, whether anything was found or not.
    pub(super) fn entry(&mut self, code: Code) -> &mut Finding {
        &mut self.entries[code as usize]
    }

    /// Takes back what was found under a code.
    pub(super) fn forget(&mut self, code: Code) {
        self.entries[code as usize] = Finding::new(code);
    }

    /// Whether anything found so far is an error.
    pub(super) fn has_errors(&self) -> bool {
        let is_error = |entry: &Finding| entry.count > 0 && entry.severity() == Severity::Error;
        self.entries.iter().any(is_error)
    }

    /// Only TREC text can be repaired.
    pub(super) fn nothing_is_fixable(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.fixable = 0);
    }

    /// How often a code was found.
    pub(super) fn count(&self, code: Code) -> u64 {
        self.entries[code as usize].count
    }

    /// Entries with a count, the worst first, then by code.
    pub(super) fn into_list(self) -> Vec<Finding> {
        let mut found: Vec<Finding> = self
            .entries
            .into_iter()
            .filter(|entry| entry.count > 0)
            .collect();
        found.sort_by_key(Finding::severity);
        found
    }
}

/// A count with its noun, thousands separated.
pub(super) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// A whole number with commas between thousands.
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

/// The first few of a list of ids, quoted.
pub(super) fn some_ids<'a>(ids: impl ExactSizeIterator<Item = &'a [u8]>) -> String {
    const SHOWN: usize = 5;
    let more = if ids.len() > SHOWN { ", ..." } else { "" };
    let shown: Vec<String> = ids.take(SHOWN).map(crate::problem::quoted).collect();
    shown.join(", ") + more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let shown = [0, 999, 1000, 50_000, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "50,000", "1,234,567"]);
        assert_eq!(counted(1, "line"), "1 line");
        assert_eq!(counted(2000, "topic"), "2,000 topics");
    }

    #[test]
    fn codes_index_the_table_of_all_codes() {
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
