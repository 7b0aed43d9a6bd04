//! The doctor: diagnoses problems of runs and judgements, with their causes and cures.
//!
//! [`examine`] returns a [`Report`]: one [`Finding`] per [`Code`] with a count and the first places. TREC text is read twice, line
//! by line and then topic by topic; memory grows with the largest topic and the number of topics, not with the number of findings.
//! Other formats are read by their readers, whose errors become findings, and then examined topic by topic.
//!
//! [`fix`](fix::fix) repairs what can be repaired without changing any number.
//!
//! ```
//! use cranfield_io::doctor::{self, Options};
//! use cranfield_io::{Code, Source};
//!
//! let source = Source::from_bytes("a.run", b"301 Q0 d1 0 2.5 bm25\n301 Q0 d2 1 nan bm25\n".to_vec())?;
//! let report = doctor::examine(&source, &Options::default(), None);
//! let codes: Vec<Code> = report.findings.iter().map(|finding| finding.code).collect();
//! assert_eq!(codes, [Code::ScoreNotFinite, Code::RanksFromZero]);
//! # Ok::<(), cranfield_io::Error>(())
//! ```

mod against;
mod catalogue;
mod findings;
pub mod fix;
mod grades;
mod json;
mod kind;
mod line;
mod markdown;
mod qrels;
mod ranks;
mod repeats;
mod run;
mod scan;
mod spelling;
mod text;

pub use crate::kind::Kind;
pub use crate::problem::Colour;
pub use catalogue::{catalogue_json, catalogue_jsonl, catalogue_markdown, catalogue_text};
pub use findings::{Finding, Unit};
pub use grades::{BadScale, Scale};
pub use json::{to_json, to_jsonl};
pub use kind::infer_kind;
pub use markdown::to_markdown;
pub use text::{outcome_text, summary, to_text};

use cranfield_core::qrels::Qrels;

use crate::code::{Code, Severity};
use crate::error::Error;
use crate::problem::Problem;
use crate::source::Source;

use findings::Findings;
use kind::Input;
use line::Row;
use qrels::QrelsCheck;
use run::RunCheck;

/// The default depth limit, that of most tracks.
pub const DEPTH: u64 = 1000;

/// The format of a report on a collection, whose lines are documents.
pub const COLLECTION: &str = "collection";

/// Options of an examination.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The kind of the file; detected if `None`.
    pub kind: Option<Kind>,
    /// Maximum number of documents per topic of a run.
    pub depth: u64,
    /// The scale of grades.
    pub scale: Option<Scale>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            kind: None,
            depth: DEPTH,
            scale: None,
        }
    }
}

/// The report on one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// File name as the user gave it.
    pub path: String,
    /// The kind of the file; unknown if it could not be read.
    pub kind: Option<Kind>,
    /// The name of its format.
    pub format: Option<&'static str>,
    /// Number of topics with at least one valid line.
    pub topics: u64,
    /// Number of lines with data, valid or not; of documents or judgements in formats that are not made of lines.
    pub lines: u64,
    /// Findings by severity, then by code.
    pub findings: Vec<Finding>,
    /// Number of further problems that the reader of a format other than TREC text only counted.
    pub omitted: u64,
    /// The outcome of a repair, if requested.
    pub fix: Option<fix::Outcome>,
}

impl Report {
    /// Creates the report on a file that cannot be opened.
    pub fn of_error(path: &str, error: &Error) -> Self {
        let mut findings = Findings::new(path);
        findings.add_error(error, Unit::Line);
        Self {
            path: path.into(),
            kind: None,
            format: None,
            topics: 0,
            lines: 0,
            findings: findings.into_list(),
            omitted: error.omitted(),
            fix: None,
        }
    }

    /// The name of the kind of file.
    pub fn kind_name(&self) -> Option<&'static str> {
        let collection = self.format.filter(|format| *format == COLLECTION);
        self.kind.map(Kind::name).or(collection)
    }

    /// Number of findings (codes) with this severity.
    pub fn count(&self, severity: Severity) -> u64 {
        let of_severity = |finding: &&Finding| finding.severity() == severity;
        self.findings.iter().filter(of_severity).count() as u64
    }

    /// Returns the finding with a code.
    pub fn finding(&self, code: Code) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.code == code)
    }

    /// Severity of the worst finding.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.first().map(Finding::severity)
    }
}

/// Examines a file; a run also against judgements, if given.
pub fn examine(source: &Source, options: &Options, qrels: Option<&Qrels>) -> Report {
    let mut findings = Findings::new(source.name());
    for note in source.notes() {
        findings.add_with(note.code, |_| note.clone());
    }
    let (input, size) = match kind::detect(source, options.kind) {
        Ok(input) => {
            let size = examine_as(source, input, options, qrels, &mut findings);
            (Some(input), size)
        }
        Err(error) => (None, Err(error)),
    };
    report(source, input, size, findings)
}

fn examine_as(
    source: &Source,
    input: Input,
    options: &Options,
    qrels: Option<&Qrels>,
    findings: &mut Findings,
) -> Result<Size, Error> {
    match input {
        Input::Text(kind) => Ok(text_file(source, kind, options, qrels, findings)),
        Input::Run(format) => {
            let run = crate::read_run(source, Some(format))?;
            Ok(run_data(&run, options, qrels, findings))
        }
        Input::Qrels(format) => {
            let qrels = crate::read_qrels(source, Some(format))?;
            Ok(qrels_data(&qrels, options, findings))
        }
    }
}

/// Number of topics and number of lines.
type Size = (u64, u64);

fn report(
    source: &Source,
    input: Option<Input>,
    size: Result<Size, Error>,
    mut findings: Findings,
) -> Report {
    if !matches!(input, Some(Input::Text(_))) {
        findings.mark_unfixable();
    }
    let mut omitted = 0;
    let (topics, lines) = size.unwrap_or_else(|error| {
        findings.add_error(&error, input.map_or(Unit::Line, Input::unit));
        omitted = error.omitted();
        (0, 0)
    });
    Report {
        path: source.name().into(),
        kind: input.map(Input::kind),
        format: input.map(Input::format),
        topics,
        lines,
        findings: findings.into_list(),
        omitted,
        fix: None,
    }
}

fn text_file(
    source: &Source,
    kind: Kind,
    options: &Options,
    qrels: Option<&Qrels>,
    findings: &mut Findings,
) -> Size {
    let layout = scan::scan(source.bytes(), kind, findings);
    match kind {
        Kind::Run => {
            let mut check = RunCheck::new(options, qrels, findings);
            layout.each_topic(|id, rows| check.topic(id, rows));
            check.finish();
        }
        Kind::Qrels => {
            let mut check = QrelsCheck::new(options.scale.clone(), findings);
            layout.each_topic(|id, rows| check.topic(id, rows));
            check.finish();
        }
    }
    (layout.topics() as u64, layout.lines)
}

fn run_data(
    run: &cranfield_core::run::Run,
    options: &Options,
    qrels: Option<&Qrels>,
    findings: &mut Findings,
) -> Size {
    let mut check = RunCheck::new(options, qrels, findings);
    let mut rows = Vec::new();
    let mut lines = 0;
    for topic in run.topics() {
        rows.clear();
        rows.extend(
            topic
                .entries()
                .map(|entry| Row::without_line(entry.doc, entry.score, entry.rank)),
        );
        lines += rows.len() as u64;
        check.topic(topic.id(), &rows);
    }
    check.finish();
    (run.topics().len() as u64, lines)
}

fn qrels_data(qrels: &Qrels, options: &Options, findings: &mut Findings) -> Size {
    for repeated in qrels.duplicates() {
        let code = Code::DuplicateJudgement;
        findings.add_with(code, |path| {
            let (doc, topic) = (crate::quoted(&repeated.doc), crate::quoted(&repeated.topic));
            let message = format!("document {doc} of topic {topic} is judged twice");
            Problem::file(code, path, message)
        });
    }
    let mut check = QrelsCheck::new(options.scale.clone(), findings);
    let mut rows = Vec::new();
    for topic in qrels.topics() {
        rows.clear();
        rows.extend(
            topic
                .judgements()
                .map(|(doc, grade)| Row::without_line(doc, grade, None)),
        );
        check.topic(topic.id(), &rows);
    }
    check.finish();
    (qrels.len() as u64, qrels.judgements() as u64)
}
