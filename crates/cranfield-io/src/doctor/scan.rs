//! The first pass over TREC text: checks each line by itself, and records where the lines of each topic are.

use std::collections::HashMap;
use std::convert::Infallible;

use cranfield_core::small_sort::SmallSort;

use crate::code::Code;
use crate::detect::missing_tag;
use crate::escape::quoted;

use super::Kind;
use super::findings::{Findings, some_ids};
use super::line::{End, Fields, Line, Lines, Parsed, Row, parse, separator_of, uneven_part};

/// Maximum number of tags that are listed.
const MAX_TAGS: usize = 6;

/// Contiguous lines of one topic.
#[derive(Clone, Copy, Debug)]
struct Segment {
    topic: u32,
    start: usize,
    end: usize,
    /// Number of its first line.
    line: u64,
}

/// The places of each topic's lines. Memory grows with the number of segments, not of lines.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    bytes: &'a [u8],
    kind: Kind,
    /// In the order of their first lines.
    topics: Vec<&'a [u8]>,
    /// By topic, then in the order of the file.
    segments: Vec<Segment>,
    /// Number of lines that are neither comments nor blank.
    pub(super) lines: u64,
    /// The separator of the first line.
    pub(super) separator: u8,
}

impl<'a> Layout<'a> {
    pub(super) fn topics(&self) -> usize {
        self.topics.len()
    }

    /// Calls `visit` with each topic's id and valid lines, in the order of the topics' first lines.
    pub(super) fn each_topic(&self, mut visit: impl FnMut(&'a [u8], &[Row<'a>])) {
        let visited: Result<(), Infallible> = self.try_each_topic(|id, rows| {
            visit(id, rows);
            Ok(())
        });
        visited.unwrap_or_else(|never| match never {});
    }

    /// Like [`each_topic`](Self::each_topic), but stops when `visit` fails.
    pub(super) fn try_each_topic<E>(
        &self,
        mut visit: impl FnMut(&'a [u8], &[Row<'a>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rows = Vec::new();
        for segments in self.segments.chunk_by(|a, b| a.topic == b.topic) {
            rows.clear();
            for segment in segments {
                self.read(segment, &mut rows);
            }
            visit(self.topics[segments[0].topic as usize], &rows)?;
        }
        Ok(())
    }

    /// Returns the first valid line.
    pub(super) fn first_row(&self) -> Option<Row<'a>> {
        let mut rows = Vec::new();
        self.read(self.segments.first()?, &mut rows);
        rows.into_iter().next()
    }

    fn read(&self, segment: &Segment, rows: &mut Vec<Row<'a>>) {
        let lines = Lines::piece(self.bytes, segment.start, segment.end, segment.line);
        for line in lines.filter(|line| !line.is_blank_or_comment()) {
            let parsed = parse(self.kind, line, &Fields::of(line.text, self.separator));
            rows.extend(parsed.map(|parsed| parsed.row));
        }
    }
}

/// Examines each line by itself.
pub(super) fn scan<'a>(bytes: &'a [u8], kind: Kind, findings: &mut Findings) -> Layout<'a> {
    let mut scan = Scan::new(bytes, kind, findings);
    for line in Lines::new(bytes) {
        scan.line(line);
    }
    scan.finish()
}

struct Scan<'a, 'f> {
    findings: &'f mut Findings,
    layout: Layout<'a>,
    by_id: HashMap<&'a [u8], u32>,
    /// For each topic, whether it occurred again after others.
    returned: Vec<bool>,
    /// Topic of the last valid line.
    topic: Option<&'a [u8]>,
    tags: Vec<&'a [u8]>,
    has_separator: bool,
    /// Number of lines of a run that lack only the tag.
    untagged: u64,
}

impl<'a, 'f> Scan<'a, 'f> {
    fn new(bytes: &'a [u8], kind: Kind, findings: &'f mut Findings) -> Self {
        let layout = Layout {
            bytes,
            kind,
            topics: Vec::new(),
            segments: Vec::new(),
            lines: 0,
            separator: b' ',
        };
        Self {
            findings,
            layout,
            by_id: HashMap::new(),
            returned: Vec::new(),
            topic: None,
            tags: Vec::new(),
            has_separator: false,
            untagged: 0,
        }
    }

    fn line(&mut self, line: Line<'a>) {
        self.ending(line);
        if std::str::from_utf8(line.text).is_err() {
            self.not_utf8(line);
        }
        if line.is_blank_or_comment() {
            return self.comment(line);
        }
        self.layout.lines += 1;
        if !self.has_separator {
            self.layout.separator = separator_of(line.text);
            self.has_separator = true;
        }
        let fields = Fields::of(line.text, self.layout.separator);
        if !fields.is_even {
            let separator = self.layout.separator;
            self.findings.add_with(Code::UnevenSeparators, |path| {
                let part = uneven_part(line.text, separator);
                let name = if separator == b'\t' { "tab" } else { "space" };
                let message = format!("expected exactly one {name} between columns");
                line.problem(Code::UnevenSeparators, path, part, message)
            });
        }
        match parse(self.layout.kind, line, &fields) {
            Err(fault) => {
                self.untagged += u64::from(fields.lacks_tag());
                self.findings.add_with(fault.code, |path| {
                    line.problem(fault.code, path, fault.part, fault.message)
                });
            }
            Ok(parsed) => self.parsed(line, &parsed),
        }
    }

    fn ending(&mut self, line: Line<'a>) {
        if line.end == End::CrLf {
            self.findings.add_with(Code::Crlf, |path| {
                let end = &line.text[line.text.len()..];
                line.problem(Code::Crlf, path, end, "line ends with CR LF")
            });
        }
    }

    #[cold]
    fn not_utf8(&mut self, line: Line<'a>) {
        self.findings.add_with(Code::NotUtf8, |path| {
            let valid = std::str::from_utf8(line.text).map_or_else(|e| e.valid_up_to(), str::len);
            let part = &line.text[valid..line.text.len().min(valid + 1)];
            let message = format!("found byte {}, which is not UTF-8", quoted(part));
            line.problem(Code::NotUtf8, path, part, message)
        });
    }

    fn comment(&mut self, line: Line<'a>) {
        let message = if line.is_blank() {
            "blank line"
        } else {
            "comment"
        };
        self.findings.add_with(Code::CommentOrBlank, |path| {
            line.problem(Code::CommentOrBlank, path, line.text, message)
        });
    }

    fn parsed(&mut self, line: Line<'a>, parsed: &Parsed<'a>) {
        if self.topic != Some(parsed.topic) {
            self.new_segment(line, parsed);
        }
        let second = parsed.second;
        if !matches!(second, b"Q0" | b"0" | b"q0") {
            self.findings
                .add_at(Code::SecondColumn, &parsed.row, second, || {
                    format!("second column is {}, expected `Q0` or `0`", quoted(second))
                });
        }
        if self.layout.kind == Kind::Run {
            self.run_columns(parsed);
        }
    }

    fn run_columns(&mut self, parsed: &Parsed<'a>) {
        let row = &parsed.row;
        if row.rank.is_none() {
            self.findings
                .add_at(Code::UnusedRank, row, row.rank_text, || {
                    format!("rank is {}, expected a number", quoted(row.rank_text))
                });
        }
        match self.tags.first() {
            Some(first) if *first == parsed.tag => {}
            Some(first) => {
                let first = *first;
                self.other_tag(row, parsed.tag, first);
            }
            None => self.tags.push(parsed.tag),
        }
    }

    fn other_tag(&mut self, row: &Row<'a>, tag: &'a [u8], first: &[u8]) {
        let is_new = !self.tags.contains(&tag);
        if is_new && self.tags.len() < MAX_TAGS {
            self.tags.push(tag);
        }
        self.findings.add_at(Code::MixedTags, row, tag, || {
            format!(
                "tag is {}, but the first line has {}",
                quoted(tag),
                quoted(first)
            )
        });
    }

    fn new_segment(&mut self, line: Line<'a>, parsed: &Parsed<'a>) {
        let id = parsed.topic;
        let next = self.layout.topics.len() as u32;
        let topic = *self.by_id.entry(id).or_insert(next);
        if topic == next {
            self.layout.topics.push(id);
            self.returned.push(false);
        } else if !std::mem::replace(&mut self.returned[topic as usize], true) {
            self.findings
                .add_at(Code::InterleavedTopics, &parsed.row, id, || {
                    format!("topic {} occurs again after other topics", quoted(id))
                });
        }
        if let Some(last) = self.layout.segments.last_mut() {
            last.end = line.start;
        }
        self.layout.segments.push(Segment {
            topic,
            start: line.start,
            end: self.layout.bytes.len(),
            line: line.number,
        });
        self.topic = Some(id);
    }

    fn finish(mut self) -> Layout<'a> {
        self.last_line();
        if self.layout.kind == Kind::Run && self.untagged == self.layout.lines {
            for place in &mut self.findings.entry(Code::ColumnCount).places {
                place.help = Some(missing_tag());
            }
        }
        if self.tags.len() > 1 {
            let tags = some_ids(self.tags.iter().copied());
            self.findings.entry(Code::MixedTags).detail = Some(format!("tags: {tags}"));
        }
        if self.findings.count(Code::InterleavedTopics) > 0 {
            self.layout
                .segments
                .small_sort_by_key(|segment| segment.topic);
        }
        self.layout
    }

    fn last_line(&mut self) {
        let bytes = self.layout.bytes;
        if !bytes.is_empty() && !bytes.ends_with(b"\n") {
            let message = "the last line does not end with a newline".to_owned();
            self.findings.add_file(Code::MissingLastNewline, 1, message);
        }
    }
}
