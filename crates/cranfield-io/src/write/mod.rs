//! Writers of runs and judgements.
//!
//! Numbers are written with the fewest digits that parse back to them, so a conversion and back changes nothing.

mod json;
mod parquet;
mod table;
mod text;

use std::io::{self, Write};
use std::path::Path;

use cranfield_core::qrels::Qrels;
use cranfield_core::run::{Entry, Run, RunTopic};

pub use text::push_run_lines;

use crate::atomic::Output;
use crate::code::Code;
use crate::error::{Error, Problems};
use crate::escape::quoted;
use crate::format::{QrelsFormat, RunFormat};
use crate::problem::Problem;

/// A placeholder for the name of the output, which callers replace.
const OUTPUT: &str = "<output>";

/// The tag of a run without one, for formats that need one.
const DEFAULT_TAG: &str = "cranfield";

/// Writes a run.
///
/// Ranks of the run are kept. If any document of a topic has no rank, the topic is sorted by score, then by document id, both
/// descending, and ranked from 1. MS MARCO's format, which has no scores, is always sorted like this.
///
/// ```
/// use cranfield_core::run::Run;
/// use cranfield_io::{RunFormat, write_run};
///
/// let run = Run::from_scores("bm25", [("q1", "d1", 0.5), ("q1", "d2", 2.0)]);
/// let mut text = Vec::new();
/// write_run(&run, RunFormat::Trec, &mut text)?;
/// assert_eq!(text, b"q1 Q0 d2 1 2 bm25\nq1 Q0 d1 2 0.5 bm25\n");
/// # Ok::<(), cranfield_io::Error>(())
/// ```
pub fn write_run(run: &Run, format: RunFormat, out: &mut (dyn Write + Send)) -> Result<(), Error> {
    check_run(run, format)?;
    let written = match format {
        RunFormat::Trec => text::write_run(run, out),
        RunFormat::MsMarco => text::write_ranks(run, out),
        RunFormat::Json => json::write_run(run, out),
        RunFormat::Jsonl => json::write_run_lines(run, out),
        RunFormat::Csv => table::write_run(run, b',', out),
        RunFormat::Tsv => table::write_run(run, b'\t', out),
        RunFormat::Parquet => parquet::write_run(run, out),
    };
    written.map_err(|error| cannot_write(OUTPUT, &error))
}

/// Writes judgements.
///
/// ```
/// use cranfield_core::qrels::Qrels;
/// use cranfield_io::{QrelsFormat, write_qrels};
///
/// let qrels = Qrels::from_judgements([("q1", "d1", 2.0), ("q1", "d2", 0.5)]);
/// let mut text = Vec::new();
/// write_qrels(&qrels, QrelsFormat::Beir, &mut text)?;
/// assert_eq!(text, b"query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0.5\n");
/// # Ok::<(), cranfield_io::Error>(())
/// ```
pub fn write_qrels(
    qrels: &Qrels,
    format: QrelsFormat,
    out: &mut (dyn Write + Send),
) -> Result<(), Error> {
    check_qrels(qrels, format)?;
    let written = match format {
        QrelsFormat::Trec => text::write_qrels(qrels, ' ', out),
        QrelsFormat::MsMarco => text::write_qrels(qrels, '\t', out),
        QrelsFormat::Json => json::write_qrels(qrels, out),
        QrelsFormat::Jsonl => json::write_qrels_lines(qrels, out),
        QrelsFormat::Csv => table::write_qrels(qrels, b',', ["topic", "doc", "rel"], out),
        QrelsFormat::Tsv => table::write_qrels(qrels, b'\t', ["topic", "doc", "rel"], out),
        QrelsFormat::Beir => {
            table::write_qrels(qrels, b'\t', ["query-id", "corpus-id", "score"], out)
        }
        QrelsFormat::Parquet => parquet::write_qrels(qrels, out),
        QrelsFormat::Smart
        | QrelsFormat::Groups
        | QrelsFormat::Prefs
        | QrelsFormat::QrelsPrefs
        | QrelsFormat::Strata
        | QrelsFormat::Prels => {
            let message = format!("the format `{format}` cannot represent grades");
            return Err(Problem::file(Code::Unwritable, OUTPUT, message).into());
        }
    };
    written.map_err(|error| cannot_write(OUTPUT, &error))
}

/// Writes a run to a file, which appears only when complete, or to standard output for `-`. The extension selects the compression.
pub fn save_run(run: &Run, format: RunFormat, path: impl AsRef<Path>) -> Result<(), Error> {
    save(path.as_ref(), |out| write_run(run, format, out))
}

/// Writes judgements to a file, as [`save_run`] does.
pub fn save_qrels(qrels: &Qrels, format: QrelsFormat, path: impl AsRef<Path>) -> Result<(), Error> {
    save(path.as_ref(), |out| write_qrels(qrels, format, out))
}

/// Writes text to a file, as [`save_run`] does.
pub fn save_text(text: &str, path: impl AsRef<Path>) -> Result<(), Error> {
    prepare_text(text, path)?.finish()
}

/// Writes text to a file that appears when it is [finished](Output::finish), so that several outputs can be prepared first.
pub fn prepare_text(text: &str, path: impl AsRef<Path>) -> Result<Output, Error> {
    let path = path.as_ref();
    let mut out = Output::create(path)?;
    let written = out.write_all(text.as_bytes());
    written.map_err(|error| cannot_write(&path.to_string_lossy(), &error))?;
    out.close()?;
    Ok(out)
}

fn save(path: &Path, write: impl FnOnce(&mut Output) -> Result<(), Error>) -> Result<(), Error> {
    let mut out = Output::create(path)?;
    write(&mut out).map_err(|error| error.with_path(&path.to_string_lossy()))?;
    out.finish()
}

/// Creates the error for an output that cannot be written.
pub fn cannot_write(name: &str, error: &io::Error) -> Error {
    let problem = Problem::file(
        Code::CannotWrite,
        name,
        format!("cannot write the output: {error}"),
    );
    Error::from_write(problem.with_cause(error), error.kind())
}

/// A document with its rank.
struct Ranked<'a> {
    entry: Entry<'a>,
    rank: f64,
}

/// Returns the documents of a topic with the ranks of the run, in the order of the file, or else with new ranks.
fn ranked(topic: RunTopic<'_>) -> Vec<Ranked<'_>> {
    let own: Option<Vec<_>> = topic
        .entries()
        .map(|entry| {
            Some(Ranked {
                entry,
                rank: entry.rank?,
            })
        })
        .collect();
    own.unwrap_or_else(|| ranked_by_score(topic))
}

/// Sorts the documents of a topic by score, then by document id, both descending, and ranks them from 1.
fn ranked_by_score(topic: RunTopic<'_>) -> Vec<Ranked<'_>> {
    let mut entries: Vec<Entry<'_>> = topic.entries().collect();
    // Scores are finite, as checked before writing.
    entries.sort_by(|a, b| {
        let by_score = b
            .score
            .partial_cmp(&a.score)
            .unwrap_or(std::cmp::Ordering::Equal);
        by_score.then_with(|| b.doc.cmp(a.doc))
    });
    let ranks = (1u32..).map(f64::from);
    entries
        .into_iter()
        .zip(ranks)
        .map(|(entry, rank)| Ranked { entry, rank })
        .collect()
}

/// The ids that a format can represent.
#[derive(Clone, Copy, PartialEq)]
enum Ids {
    /// No white space or control bytes; a topic must not look like a comment.
    Tokens,
    Utf8,
    /// Anything without NUL, which would make the file binary.
    NoNul,
    Any,
}

impl Ids {
    /// Returns why an id cannot be written, if so.
    fn objection(self, id: &[u8]) -> Option<&'static str> {
        let is_bad = |byte: &u8| *byte <= b' ' || *byte == 0x7f;
        match self {
            _ if id.is_empty() => Some("is empty"),
            Self::Tokens if id.iter().any(is_bad) => Some("contains white space or a control byte"),
            Self::Utf8 if std::str::from_utf8(id).is_err() => Some("is not UTF-8"),
            Self::NoNul if id.contains(&0) => Some("contains a NUL byte"),
            _ => None,
        }
    }

    fn topic_objection(self, id: &[u8]) -> Option<&'static str> {
        match self {
            Self::Tokens if id.starts_with(b"#") => {
                Some("starts with `#` and would be read as a comment")
            }
            Self::Tokens if id.starts_with(b"\xef\xbb\xbf") => {
                Some("starts with a byte order mark")
            }
            _ => self.objection(id),
        }
    }
}

fn run_ids(format: RunFormat) -> Ids {
    match format {
        RunFormat::Trec | RunFormat::MsMarco => Ids::Tokens,
        RunFormat::Json | RunFormat::Jsonl => Ids::Utf8,
        RunFormat::Csv | RunFormat::Tsv => Ids::NoNul,
        RunFormat::Parquet => Ids::Any,
    }
}

fn qrels_ids(format: QrelsFormat) -> Ids {
    match format {
        QrelsFormat::Json | QrelsFormat::Jsonl => Ids::Utf8,
        QrelsFormat::Csv | QrelsFormat::Tsv | QrelsFormat::Beir => Ids::NoNul,
        QrelsFormat::Parquet => Ids::Any,
        _ => Ids::Tokens,
    }
}

/// Finds ids and numbers that a format cannot represent.
struct Check {
    ids: Ids,
    format: &'static str,
    problems: Problems,
}

impl Check {
    fn id(&mut self, what: &str, id: &[u8], objection: Option<&str>) {
        if let Some(objection) = objection {
            let format = self.format;
            self.problems.push_with(|| {
                let message = format!(
                    "{what} {} {objection}, which the format `{format}` cannot represent",
                    quoted(id)
                );
                Problem::file(Code::Unwritable, OUTPUT, message)
            });
        }
    }

    fn number(&mut self, what: &str, doc: &[u8], number: f64) {
        if !number.is_finite() {
            let message = || {
                format!(
                    "{what} of document {} is {number}, expected a finite number",
                    quoted(doc)
                )
            };
            self.problems
                .push_with(|| Problem::file(Code::Unwritable, OUTPUT, message()));
        }
    }
}

fn check_run(run: &Run, format: RunFormat) -> Result<(), Error> {
    let ids = run_ids(format);
    let mut check = Check {
        ids,
        format: format.name(),
        problems: Problems::default(),
    };
    let has_tags = matches!(format, RunFormat::Trec | RunFormat::Csv | RunFormat::Tsv);
    if has_tags && !run.tag().is_empty() {
        check.id(
            "tag",
            run.tag().as_bytes(),
            ids.objection(run.tag().as_bytes()),
        );
    }
    for topic in run.topics() {
        check.id("topic", topic.id(), check.ids.topic_objection(topic.id()));
        for entry in topic.entries() {
            check.id("document", entry.doc, check.ids.objection(entry.doc));
            check.number("score", entry.doc, entry.score);
            check.number("rank", entry.doc, entry.rank.unwrap_or(0.0));
        }
    }
    check.problems.into_result()
}

/// Checks that a TREC run can have a tag.
pub fn check_tag(tag: &str) -> Result<(), Error> {
    check_run(&Run::default().with_tag(tag.into()), RunFormat::Trec)
}

fn check_qrels(qrels: &Qrels, format: QrelsFormat) -> Result<(), Error> {
    let mut check = Check {
        ids: qrels_ids(format),
        format: format.name(),
        problems: Problems::default(),
    };
    for topic in qrels.topics() {
        check.id("topic", topic.id(), check.ids.topic_objection(topic.id()));
        for (doc, grade) in topic.judgements() {
            check.id("document", doc, check.ids.objection(doc));
            check.number("grade", doc, grade);
        }
    }
    check.problems.into_result()
}
