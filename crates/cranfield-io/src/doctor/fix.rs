//! Repairs that change no number.
//!
//! Repaired are: byte order mark, CR LF, missing last newline, comments and blank lines, uneven separators, interleaved
//! topics, repeated identical judgements, exact copies of lines of a run, and ranks that are not those of the order by
//! score and then by document id, both descending. The texts of all other columns stay as they are, and so do the lines
//! of a topic in their order. A healthy file comes out byte for byte as it was.
//!
//! Nothing is repaired in a file with other errors. Ranks are left alone in a file with any ranking upside down, since there it is
//! not known whether the ranks or the scores are meant.

use std::fmt;
use std::io::{self, Write};

use cranfield_core::doc_hash::DocHasher;
use cranfield_core::policy::TieBreak;
use cranfield_core::ranking::{self, Ranking};

use crate::code::{Code, Severity};
use crate::source::Source;

use super::findings::{Finding, Findings, Unit};
use super::kind::{self, Input};
use super::line::{Fields, Row};
use super::ranks;
use super::repeats::Repeats;
use super::scan::{self, Layout};
use super::{Kind, Options, Report};

/// What to repair beyond what is safe without asking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FixOptions {
    /// The tag that all lines of a run get.
    pub tag: Option<Tag>,
}

/// A tag that a column can hold: not empty, without blanks.
///
/// ```
/// use cranfield_io::doctor::fix::Tag;
///
/// assert!("bm25".parse::<Tag>().is_ok());
/// assert!("my run".parse::<Tag>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag(String);

/// The text cannot be a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadTag;

impl fmt::Display for BadTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tag is not empty and holds no blanks")
    }
}

impl std::error::Error for BadTag {}

impl std::str::FromStr for Tag {
    type Err = BadTag;

    fn from_str(text: &str) -> Result<Self, BadTag> {
        let is_bad = |c: char| c.is_whitespace() || c.is_control();
        if text.is_empty() || text.contains(is_bad) {
            Err(BadTag)
        } else {
            Ok(Self(text.into()))
        }
    }
}

/// One kind of change that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// What it repairs.
    pub code: Code,
    /// What was done.
    pub what: &'static str,
    /// How often.
    pub count: u64,
    /// What is counted.
    pub unit: Unit,
}

/// What became of a repair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Errors that need a decision; if there are any, nothing was repaired.
    pub refused: Vec<Code>,
    /// Warnings that are left.
    pub remaining: Vec<Code>,
    /// What was repaired, by code.
    pub changes: Vec<Change>,
    /// Where the file was written; nowhere if it was only tried.
    pub written: Option<String>,
}

impl Outcome {
    /// Whether the file differs from what it was.
    pub fn is_changed(&self) -> bool {
        !self.changes.is_empty()
    }
}

/// Writes the repaired file to `out`; `report` is that of [`examine`](super::examine) with the same options.
///
/// Nothing is written if the repair is refused. Files that are not TREC text are copied.
///
/// ```
/// use cranfield_io::Source;
/// use cranfield_io::doctor::{self, Options, fix};
///
/// let source = Source::from_bytes("a.run", b"1 Q0 d1 0 2.5 t\r\n1 Q0 d2 1 0.5 t".to_vec())?;
/// let options = Options::default();
/// let report = doctor::examine(&source, &options, None);
/// let mut out = Vec::new();
/// let outcome = fix::fix(&source, &options, &fix::FixOptions::default(), &report, &mut out).unwrap();
/// assert_eq!(out, b"1 Q0 d1 1 2.5 t\n1 Q0 d2 2 0.5 t\n");
/// assert_eq!(outcome.changes.len(), 3);
/// # Ok::<(), cranfield_io::Error>(())
/// ```
pub fn fix(
    source: &Source,
    options: &Options,
    wanted: &FixOptions,
    report: &Report,
    out: &mut dyn Write,
) -> io::Result<Outcome> {
    let mut outcome = Outcome {
        refused: refused(report),
        ..Outcome::default()
    };
    let input = kind::detect(source, options.kind);
    let Ok(input) = input.as_ref().copied() else {
        return Ok(outcome);
    };
    if !outcome.refused.is_empty() {
        return Ok(outcome);
    }
    let Input::Text(kind) = input else {
        out.write_all(source.bytes())?;
        outcome.remaining = remaining(report, wanted);
        return Ok(outcome);
    };
    let layout = scan::scan(source.bytes(), kind, &mut Findings::new(source.name()));
    let mut rewrite = Rewrite::new(&layout, kind, wanted, report);
    if !rewrite.opens_alike(options) {
        outcome.refused.push(Code::UnknownFormat);
        return Ok(outcome);
    }
    layout.try_each_topic(|_, rows| rewrite.topic(rows, out))?;
    outcome.remaining = remaining(report, wanted);
    outcome.changes = rewrite.changes(report);
    Ok(outcome)
}

/// Errors that no repair removes.
fn refused(report: &Report) -> Vec<Code> {
    let is_left = |finding: &&Finding| {
        finding.severity() == Severity::Error && finding.fixable < finding.count
    };
    let left = report.findings.iter().filter(is_left);
    left.map(|finding| finding.code).collect()
}

/// Warnings that no repair removes.
fn remaining(report: &Report, wanted: &FixOptions) -> Vec<Code> {
    let is_left = |finding: &&Finding| match finding.code {
        Code::MixedTags => wanted.tag.is_none(),
        _ => finding.fixable < finding.count,
    };
    let warnings = report
        .findings
        .iter()
        .filter(|finding| finding.severity() == Severity::Warning);
    warnings
        .filter(is_left)
        .map(|finding| finding.code)
        .collect()
}

/// What a repair does about a code.
pub(super) fn what(code: Code) -> &'static str {
    match code {
        Code::ByteOrderMark => "byte order mark removed",
        Code::Crlf => "carriage returns removed",
        Code::MissingLastNewline => "newline added at the end",
        Code::CommentOrBlank => "comments and blank lines removed",
        Code::UnevenSeparators => "columns separated evenly",
        Code::InterleavedTopics => "topics brought together",
        Code::DuplicateJudgement => "repeated judgements removed",
        Code::DuplicateDocument => "exact copies of lines removed",
        Code::MixedTags => "tags replaced",
        _ => "ranks written anew from the scores",
    }
}

/// Writes topics anew.
struct Rewrite<'a, 'r> {
    layout: &'r Layout<'a>,
    kind: Kind,
    tag: Option<&'r [u8]>,
    keeps_ranks: bool,
    hasher: DocHasher,
    repeats: Repeats,
    ranking: Ranking<'a>,
    tags_replaced: u64,
}

impl<'a, 'r> Rewrite<'a, 'r> {
    fn new(layout: &'r Layout<'a>, kind: Kind, wanted: &'r FixOptions, report: &Report) -> Self {
        let tag = wanted.tag.as_ref().filter(|_| kind == Kind::Run);
        Self {
            layout,
            kind,
            tag: tag.map(|tag| tag.0.as_bytes()),
            keeps_ranks: kind == Kind::Qrels || report.finding(Code::RanksReversed).is_some(),
            hasher: DocHasher::default(),
            repeats: Repeats::default(),
            ranking: Ranking::default(),
            tags_replaced: 0,
        }
    }

    /// Whether the repaired file is opened and recognised as this one was: without the comments before it, a first line might be taken for
    /// a byte order mark, a compressed stream or a header.
    fn opens_alike(&mut self, options: &Options) -> bool {
        let mut first = Vec::new();
        let Some(row) = self.layout.first_row() else {
            return false;
        };
        let written = self.line(&row, None, &mut first);
        self.tags_replaced = 0;
        let source = written
            .ok()
            .and_then(|()| Source::from_bytes("", first.clone()).ok());
        let expected = Input::Text(self.kind);
        source.is_some_and(|source| {
            source.bytes() == first && kind::detect(&source, options.kind) == Ok(expected)
        })
    }

    fn topic(&mut self, rows: &[Row<'a>], out: &mut dyn Write) -> io::Result<()> {
        // The report has no other repetitions than those that may be dropped.
        let dropped: Vec<u32> = self
            .repeats
            .find(rows.iter().map(|row| row.doc))
            .iter()
            .map(|(_, later)| *later)
            .collect();
        let kept = rows.iter().zip(0u32..);
        let kept: Vec<Row<'a>> = kept
            .filter(|(_, at)| dropped.binary_search(at).is_err())
            .map(|(row, _)| *row)
            .collect();
        let has_new_ranks = self.ranks_are_due(&kept);
        for (at, row) in kept.iter().enumerate() {
            let rank = has_new_ranks.then(|| u64::from(self.ranking.rank(at)) + 1);
            self.line(row, rank, out)?;
        }
        Ok(())
    }

    /// Whether new ranks are needed; then they are in the ranking.
    fn ranks_are_due(&mut self, rows: &[Row<'a>]) -> bool {
        if self.keeps_ranks {
            return false;
        }
        let verdict = ranks::judge(rows);
        if !verdict.is_fault() || verdict.is_reversed {
            return false;
        }
        self.ranking.clear();
        let entries = rows.iter().map(|row| (row.doc, row.value));
        ranking::fill(&mut self.ranking, &self.hasher, entries);
        self.ranking.arrange(TieBreak::DocidDesc, |_| 0.0);
        true
    }

    fn line(&mut self, row: &Row<'a>, rank: Option<u64>, out: &mut dyn Write) -> io::Result<()> {
        let text = row.line.map_or(&b""[..], |line| line.text);
        let fields = Fields::of(text, self.layout.separator);
        for (at, field) in fields.field.iter().take(fields.count).enumerate() {
            if at > 0 {
                out.write_all(&[self.layout.separator])?;
            }
            match (at, rank, self.tag) {
                (3, Some(rank), _) => write!(out, "{rank}")?,
                (5, _, Some(tag)) => {
                    self.tags_replaced += u64::from(tag != *field);
                    out.write_all(tag)?;
                }
                _ => out.write_all(field)?,
            }
        }
        out.write_all(b"\n")
    }

    fn changes(&self, report: &Report) -> Vec<Change> {
        let change = |code: Code, count, unit| Change {
            code,
            what: what(code),
            count,
            unit,
        };
        let mut changes: Vec<Change> = report
            .findings
            .iter()
            .filter(|finding| finding.fixable > 0)
            .map(|finding| change(finding.code, finding.fixable, finding.unit))
            .collect();
        if self.tags_replaced > 0 {
            changes.push(change(Code::MixedTags, self.tags_replaced, Unit::Line));
        }
        changes.sort_by_key(|change| change.code);
        changes
    }
}
