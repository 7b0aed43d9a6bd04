//! Repairs that change no value of an evaluation.
//!
//! They remove byte order marks, carriage returns, comments, blank lines, repeated judgements and exact copies of lines of a run;
//! they add a missing last newline, make separators consistent and topics contiguous, and replace ranks that disagree with the
//! order by score and then by document id, both descending. All other columns and the order of a topic's lines are kept. A
//! file without problems is copied byte for byte.
//!
//! A given tag replaces those of a run, and completes a run whose lines all lack it.
//!
//! A file with other errors is not repaired. Ranks are kept if any ranking is reversed, because it is not known whether the ranks
//! or the scores are right.

use std::fmt;
use std::io::{self, Write};

use cranfield_core::doc_hash::DocHasher;
use cranfield_core::policy::TieBreak;
use cranfield_core::ranking::{self, Ranking};
use cranfield_core::setting::Message;
use cranfield_core::small_sort::SmallSort;

use crate::code::{Code, Severity};
use crate::source::{BYTE_ORDER_MARK, Source};

use super::findings::{Finding, Findings, Unit};
use super::kind::{self, Input};
use super::line::{Fields, Lines, Row, separator_of};
use super::ranks;
use super::repeats::Repeats;
use super::scan::{self, Layout};
use super::{Kind, Options, Report};

/// Options of a repair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FixOptions {
    /// A new tag for all lines of a run, which may lack one.
    pub tag: Option<Tag>,
}

/// A valid tag: not empty, without white space.
///
/// ```
/// use cranfield_io::doctor::fix::Tag;
///
/// assert!("bm25".parse::<Tag>().is_ok());
/// assert!("my run".parse::<Tag>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag(String);

/// The error for an invalid tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadTag;

impl fmt::Display for BadTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tag must not be empty or contain white space")
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

/// One kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The code of the repaired problem.
    pub code: Code,
    /// Description of the change.
    pub what: &'static str,
    /// Number of changes.
    pub count: u64,
    /// The unit of the count.
    pub unit: Unit,
}

impl Change {
    /// Creates a change that repairs a problem.
    pub fn new(code: Code, count: u64, unit: Unit) -> Self {
        Self {
            code,
            what: what(code),
            count,
            unit,
        }
    }
}

/// A problem that is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The code.
    pub code: Code,
    /// Number of occurrences.
    pub count: u64,
    /// The unit of the count.
    pub unit: Unit,
    /// The numbers of the first lines.
    pub lines: Vec<u64>,
    /// Advice.
    pub help: Option<Message>,
}

impl Left {
    /// Creates the entry of a finding that is left.
    pub fn of(finding: &Finding) -> Self {
        let lines = finding.places.iter().map(|place| place.line);
        Self {
            code: finding.code,
            count: finding.count,
            unit: finding.unit,
            lines: lines.filter(|line| *line > 0).collect(),
            help: finding.places.first().and_then(|place| place.help.clone()),
        }
    }

    fn file(code: Code) -> Self {
        Self {
            code,
            count: 1,
            unit: Unit::File,
            lines: Vec::new(),
            help: None,
        }
    }
}

/// The outcome of a repair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Errors that need a decision; if there are any, nothing was repaired.
    pub unfixable: Vec<Left>,
    /// Warnings that are left.
    pub remaining: Vec<Left>,
    /// Changes by code.
    pub changes: Vec<Change>,
    /// Where the file was written; `None` for a dry run.
    pub written: Option<String>,
}

impl Outcome {
    /// Whether the repaired file differs from the original.
    pub fn is_changed(&self) -> bool {
        !self.changes.is_empty()
    }
}

/// Writes the repaired file to `out`; `report` must come from [`examine`](super::examine) with the same options.
///
/// Writes nothing if the file has errors that cannot be repaired. Files that are not TREC text are copied.
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
        unfixable: unfixable(report),
        ..Outcome::default()
    };
    let input = kind::detect(source, options.kind);
    let Ok(input) = input.as_ref().copied() else {
        return Ok(outcome);
    };
    if let Some(tagged) = with_tags(source, input, wanted, report) {
        return fix_tagged(&tagged, options, wanted, out);
    }
    if !outcome.unfixable.is_empty() {
        return Ok(outcome);
    }
    let Input::Text(kind) = input else {
        out.write_all(source.bytes())?;
        outcome.remaining = remaining(report, wanted);
        return Ok(outcome);
    };
    let layout = scan::scan(source.bytes(), kind, &mut Findings::new(source.name()));
    let mut rewrite = Rewrite::new(&layout, kind, wanted, report);
    if !rewrite.opens_alike(source.name(), options) {
        outcome.unfixable.push(Left::file(Code::UnknownFormat));
        return Ok(outcome);
    }
    layout.try_each_topic(|_, rows| rewrite.topic(rows, out))?;
    outcome.remaining = remaining(report, wanted);
    outcome.changes = rewrite.changes(report);
    Ok(outcome)
}

/// Adds the tag to a run whose lines all lack it and nothing else.
fn with_tags(
    source: &Source,
    input: Input,
    wanted: &FixOptions,
    report: &Report,
) -> Option<Source> {
    let tag = wanted.tag.as_ref()?;
    let is_candidate =
        input == Input::Text(Kind::Run) && report.finding(Code::ColumnCount)?.count == report.lines;
    if !is_candidate {
        return None;
    }
    let mut bytes = Vec::with_capacity(source.bytes().len() * 5 / 4);
    if report.finding(Code::ByteOrderMark).is_some() {
        bytes.extend_from_slice(BYTE_ORDER_MARK);
    }
    for line in Lines::new(source.bytes()) {
        if line.is_blank_or_comment() {
            bytes.extend_from_slice(line.text);
        } else {
            let separator = separator_of(line.text);
            if !Fields::of(line.text, separator).lacks_tag() {
                return None;
            }
            bytes.extend_from_slice(line.text.trim_ascii_end());
            bytes.push(separator);
            bytes.extend_from_slice(tag.0.as_bytes());
        }
        bytes.extend_from_slice(line.end.bytes());
    }
    Source::from_bytes(source.name(), bytes).ok()
}

/// Repairs a run that was completed with tags.
fn fix_tagged(
    tagged: &Source,
    options: &Options,
    wanted: &FixOptions,
    out: &mut dyn Write,
) -> io::Result<Outcome> {
    let report = super::examine(tagged, options, None);
    let mut outcome = fix(tagged, options, wanted, &report, out)?;
    if outcome.unfixable.is_empty() {
        let added = Change::new(Code::ColumnCount, report.lines, Unit::Line);
        outcome.changes.push(added);
        outcome.changes.small_sort_by_key(|change| change.code);
    }
    Ok(outcome)
}

/// Returns the errors that no repair removes.
fn unfixable(report: &Report) -> Vec<Left> {
    let is_left = |finding: &&Finding| {
        finding.severity() == Severity::Error && finding.fixable < finding.count
    };
    let left = report.findings.iter().filter(is_left);
    left.map(Left::of).collect()
}

/// Returns the warnings that no repair removes.
fn remaining(report: &Report, wanted: &FixOptions) -> Vec<Left> {
    let is_left = |finding: &&Finding| match finding.code {
        Code::MixedTags => wanted.tag.is_none(),
        _ => finding.fixable < finding.count,
    };
    let warnings = report
        .findings
        .iter()
        .filter(|finding| finding.severity() == Severity::Warning);
    warnings.filter(is_left).map(Left::of).collect()
}

/// Describes the repair of a code.
pub(super) fn what(code: Code) -> &'static str {
    match code {
        Code::ColumnCount => "add the tag",
        Code::ByteOrderMark => "remove the byte order mark",
        Code::Crlf => "remove carriage returns",
        Code::MissingLastNewline => "add a newline at the end",
        Code::CommentOrBlank => "remove comments and blank lines",
        Code::UnevenSeparators => "make separators consistent",
        Code::InterleavedTopics => "make topics contiguous",
        Code::DuplicateJudgement => "remove repeated judgements",
        Code::DuplicateDocument => "remove exact copies of lines",
        Code::MixedTags => "replace tags",
        Code::TopicIdRule => "write the rule for topic ids",
        Code::GradesReversed => "map grades, so that the best one is the largest",
        Code::AssumedLayout => "write a collection file",
        _ => "recompute ranks from the scores",
    }
}

/// Writes repaired topics.
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

    /// Whether the repaired file is detected like the original: without leading comments, its first line could look like a byte
    /// order mark, a compressed stream or a header.
    fn opens_alike(&mut self, name: &str, options: &Options) -> bool {
        let mut first = Vec::new();
        let Some(row) = self.layout.first_row() else {
            return false;
        };
        let written = self.line(&row, None, &mut first);
        self.tags_replaced = 0;
        let source = written
            .ok()
            .and_then(|()| Source::from_bytes(name, first.clone()).ok());
        let expected = Input::Text(self.kind);
        source.is_some_and(|source| {
            source.bytes() == first && kind::detect(&source, options.kind) == Ok(expected)
        })
    }

    fn topic(&mut self, rows: &[Row<'a>], out: &mut dyn Write) -> io::Result<()> {
        // All repetitions may be dropped; others would have been errors.
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
        let has_new_ranks = self.needs_ranks(&kept);
        for (at, row) in kept.iter().enumerate() {
            let rank = has_new_ranks.then(|| u64::from(self.ranking.rank(at)) + 1);
            self.line(row, rank, out)?;
        }
        Ok(())
    }

    /// Whether the topic needs new ranks; if so, computes them.
    fn needs_ranks(&mut self, rows: &[Row<'a>]) -> bool {
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
        let mut changes: Vec<Change> = report
            .findings
            .iter()
            .filter(|finding| finding.fixable > 0)
            .map(|finding| Change::new(finding.code, finding.fixable, finding.unit))
            .collect();
        if self.tags_replaced > 0 {
            changes.push(Change::new(Code::MixedTags, self.tags_replaced, Unit::Line));
        }
        changes.small_sort_by_key(|change| change.code);
        changes
    }
}
