//! Detection of formats.
//!
//! The content decides, not the file name. The first rule that applies:
//!
//! 1. `PAR1` at the start, and at the end or followed by NUL bytes: Parquet.
//! 2. `{` or `[` at the start: JSON. If the first value of the object is not an object: JSON Lines.
//! 3. A first line with names of a topic and a document column, separated by tabs or commas: TSV or CSV. Judgements with exactly
//!    `query-id`, `corpus-id`, `score` separated by tabs: BEIR.
//! 4. Columns separated by white space: 6 are a TREC run, 4 are TREC qrels (or MS MARCO's, which are the same), or SMART's if the
//!    last two are zero in all lines. Three separated by tabs, the last one an integer, are an MS MARCO run.
//!
//! Blank lines and lines that start with `#` are skipped. Judgement groups, preferences and samples look like other formats and
//! are never detected.

use cranfield_core::setting::{Message, Setting};

use crate::code::Code;
use crate::columns::Column;
use crate::error::Error;
use crate::format::{BEIR_COLUMNS, QrelsFormat, RunFormat};
use crate::kind::Kind;
use crate::problem::Problem;
use crate::source::Source;
use crate::trec::strict;

/// Number of bytes that detection looks at.
const SAMPLE: usize = 64 * 1024;
/// Number of lines that detection looks at, because the first one may be wrong.
const SAMPLE_LINES: usize = 20;

/// The shape of the start of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Parquet,
    Json,
    Jsonl,
    /// A header with this separator.
    Header(u8),
    /// This number of columns, separated by white space.
    Columns(usize),
    /// Three columns separated by tabs, the last one an integer.
    Ranks,
}

/// Detects the format of a run from its content.
pub fn detect_run(source: &Source) -> Result<RunFormat, Error> {
    let shape = shape(source, Kind::Run)?;
    match shape {
        Shape::Parquet => Ok(RunFormat::Parquet),
        Shape::Json => Ok(RunFormat::Json),
        Shape::Jsonl => Ok(RunFormat::Jsonl),
        Shape::Header(b'\t') => Ok(RunFormat::Tsv),
        Shape::Header(_) => Ok(RunFormat::Csv),
        Shape::Ranks => Ok(RunFormat::MsMarco),
        Shape::Columns(6) => Ok(RunFormat::Trec),
        Shape::Columns(n) => Err(unknown(source, Kind::Run, n)),
    }
}

/// Detects the format of judgements from their content.
pub fn detect_qrels(source: &Source) -> Result<QrelsFormat, Error> {
    match shape(source, Kind::Qrels)? {
        Shape::Parquet => Ok(QrelsFormat::Parquet),
        Shape::Json => Ok(QrelsFormat::Json),
        Shape::Jsonl => Ok(QrelsFormat::Jsonl),
        Shape::Header(b'\t') if is_beir(source) => Ok(QrelsFormat::Beir),
        Shape::Header(b'\t') => Ok(QrelsFormat::Tsv),
        Shape::Header(_) => Ok(QrelsFormat::Csv),
        Shape::Columns(4) if crate::smart::is_smart(source.bytes()) => Ok(QrelsFormat::Smart),
        Shape::Columns(4) => Ok(QrelsFormat::Trec),
        Shape::Columns(n) => Err(unknown(source, Kind::Qrels, n)),
        Shape::Ranks => Err(unknown(source, Kind::Qrels, 3)),
    }
}

/// Whether a line is neither blank nor a comment.
pub(crate) fn is_data(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    !line.is_empty() && !line.starts_with(b"#")
}

/// Returns the offset of the first line with data. Reads no further than that line's first byte: a line may be the whole file.
pub(crate) fn first_data(bytes: &[u8]) -> Option<usize> {
    let mut line = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => line = at + 1,
            b'#' => {
                at += bytes[at..].iter().position(|&byte| byte == b'\n')?;
                line = at + 1;
            }
            byte if byte.is_ascii_whitespace() => {}
            _ => return Some(line),
        }
        at += 1;
    }
    None
}

fn shape(source: &Source, kind: Kind) -> Result<Shape, Error> {
    let bytes = source.bytes();
    if is_parquet(bytes) {
        return Ok(Shape::Parquet);
    }
    let Some(start) = first_data(bytes) else {
        return Err(empty(source));
    };
    let sample = &bytes[start..bytes.len().min(start + SAMPLE)];
    if let Some(problem) = binary(source, sample, start) {
        return Err(problem.into());
    }
    let mut lines = sample
        .split(|&byte| byte == b'\n')
        .filter(|line| is_data(line));
    let first = lines.next().unwrap_or_default();
    match first.trim_ascii_start().first() {
        Some(b'{') if is_record(sample) => return Ok(Shape::Jsonl),
        Some(b'{' | b'[') => return Ok(Shape::Json),
        _ => {}
    }
    if let Some(separator) = header_separator(first, kind) {
        return Ok(Shape::Header(separator));
    }
    Ok(columns(
        std::iter::once(first).chain(lines).take(SAMPLE_LINES),
        kind,
    ))
}

/// A topic may be called `PAR1`, but text neither ends like that nor contains NUL bytes.
fn is_parquet(bytes: &[u8]) -> bool {
    let has_nul = || bytes[..bytes.len().min(SAMPLE)].contains(&0);
    bytes.starts_with(b"PAR1") && (bytes.ends_with(b"PAR1") || has_nul())
}

fn empty(source: &Source) -> Error {
    let message = if source.bytes().is_empty() {
        "is empty"
    } else {
        "contains no data, only blank lines or comments"
    };
    Problem::file(Code::EmptyFile, source.name(), message).into()
}

fn binary(source: &Source, sample: &[u8], start: usize) -> Option<Problem> {
    let name = source.name();
    if source.bytes().starts_with(b"\xff\xfe") || source.bytes().starts_with(b"\xfe\xff") {
        let problem = Problem::file(Code::BinaryData, name, "found UTF-16 text, expected UTF-8");
        return Some(problem.with_help("convert it, for example with `iconv -f UTF-16 -t UTF-8`"));
    }
    let at = memchr::memchr(0, sample)?;
    let problem = Problem::at(
        Code::BinaryData,
        name,
        source.bytes(),
        start + at..start + at + 1,
        "found a NUL byte, expected text",
    );
    Some(problem.with_help("is this the right file?"))
}

/// Whether text that starts with `{` is a record: its first value is neither an object nor a list.
fn is_record(text: &[u8]) -> bool {
    let text = text
        .trim_ascii_start()
        .strip_prefix(b"{")
        .unwrap_or(text)
        .trim_ascii_start();
    let Some(key) = text.strip_prefix(b"\"") else {
        return false;
    };
    let mut escaped = false;
    let end = key.iter().position(|&byte| {
        let is_end = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        is_end
    });
    let rest = end.map_or(&b""[..], |end| key[end + 1..].trim_ascii_start());
    let value = rest
        .strip_prefix(b":")
        .unwrap_or_default()
        .trim_ascii_start();
    value
        .first()
        .is_some_and(|byte| !matches!(byte, b'{' | b'['))
}

/// Returns the separator of a line that names a topic and a document column.
fn header_separator(line: &[u8], kind: Kind) -> Option<u8> {
    [b'\t', b','].into_iter().find(|separator| {
        let fields = || {
            line.split(|byte| byte == separator)
                .map(|field| unquoted(field.trim_ascii()))
        };
        [Column::Topic, Column::Doc]
            .iter()
            .all(|column| fields().any(|name| column.preference(kind, name).is_some()))
    })
}

fn unquoted(field: &[u8]) -> &[u8] {
    field
        .strip_prefix(b"\"")
        .and_then(|field| field.strip_suffix(b"\""))
        .unwrap_or(field)
}

fn is_beir(source: &Source) -> bool {
    let bytes = source.bytes();
    let line = bytes[first_data(bytes).unwrap_or(0)..]
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    line.trim_ascii_end() == BEIR_COLUMNS.join("\t").as_bytes()
}

/// Counts columns: the usual number if any line of the sample has it, else that of the first line.
fn columns<'a>(lines: impl Iterator<Item = &'a [u8]>, kind: Kind) -> Shape {
    let usual = kind.columns();
    let mut first = None;
    for line in lines {
        let count = fields(line).count();
        if count == usual {
            return Shape::Columns(usual);
        }
        first.get_or_insert(if is_ranks(line) {
            Shape::Ranks
        } else {
            Shape::Columns(count)
        });
    }
    first.unwrap_or(Shape::Columns(0))
}

fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace)
        .filter(|field| !field.is_empty())
}

fn is_ranks(line: &[u8]) -> bool {
    let fields: Vec<&[u8]> = line.trim_ascii_end().split(|&byte| byte == b'\t').collect();
    let is_whole = |field: &[u8]| !field.is_empty() && field.iter().all(u8::is_ascii_digit);
    fields.len() == 3 && is_whole(fields[2])
}

fn unknown(source: &Source, kind: Kind, count: usize) -> Error {
    let usual = match kind {
        Kind::Run => "6 columns (TREC)",
        Kind::Qrels => "4 columns (TREC)",
    };
    let bytes = source.bytes();
    let start = first_data(bytes).unwrap_or(0);
    let line = bytes[start..]
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default()
        .trim_ascii_end();
    let plural = if count == 1 { "" } else { "s" };
    let message = format!(
        "unknown format: the first line has {count} column{plural}, expected {usual} or a header"
    );
    Problem::at(
        Code::UnknownFormat,
        source.name(),
        bytes,
        start..start + line.len(),
        message,
    )
    .with_help(unknown_help(kind, count, line))
    .into()
}

fn unknown_help(kind: Kind, count: usize, line: &[u8]) -> Message {
    match (kind, count) {
        (Kind::Run, 4) => "4 columns look like qrels; are the two files swapped?".into(),
        (Kind::Run, 5) if lacks_tag(&fields(line).collect::<Vec<_>>()) => missing_tag(),
        (Kind::Run, _) => Message::from("set the format of the run with ").then(Setting::RunFormat),
        (Kind::Qrels, 3) => "TREC qrels have an iteration column after the topic; add it with awk '{print $1, 0, $2, $3}'"
            .into(),
        (Kind::Qrels, 5) => Message::from("5 columns may be strata, prels or prefs: set the format of the qrels with ")
            .then(Setting::QrelsFormat),
        (Kind::Qrels, 6) => "6 columns look like a run; are the two files swapped?".into(),
        (Kind::Qrels, _) => Message::from("set the format of the qrels with ").then(Setting::QrelsFormat),
    }
}

/// Whether a line is a line of a TREC run without its last column: `topic Q0 document rank score`.
pub(crate) fn lacks_tag(fields: &[&[u8]]) -> bool {
    let is_finite = |field: &[u8]| strict(field).is_some_and(f64::is_finite);
    matches!(fields, [_, b"Q0" | b"q0" | b"0", _, rank, score] if is_finite(rank) && is_finite(score))
}

/// The advice for a run without tags.
pub(crate) fn missing_tag() -> Message {
    Message::from("is the tag missing? cranfield doctor FILE ")
        .then(Setting::Fix)
        .then(" ")
        .then(Setting::Tag.to("NAME"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_run(text: &str, expected: RunFormat) {
        let source = Source::from_bytes("f", text.into()).unwrap();
        assert_eq!(detect_run(&source), Ok(expected));
    }

    #[track_caller]
    fn check_qrels(text: &str, expected: QrelsFormat) {
        let source = Source::from_bytes("f", text.into()).unwrap();
        assert_eq!(detect_qrels(&source), Ok(expected));
    }

    #[test]
    fn run_formats_are_detected() {
        check_run("# a comment\n\n1 Q0 d 1 2.5 tag\n", RunFormat::Trec);
        check_run("1\tQ0\td\t1\t2.5\ttag\r\n", RunFormat::Trec);
        check_run("1 Q0 d 1 2.5\n1 Q0 e 2 2.0 tag\n", RunFormat::Trec);
        check_run(" {\"q1\": {\"d\": 1}}", RunFormat::Json);
        check_run("[{\"qid\": 1}]", RunFormat::Json);
        check_run("{}", RunFormat::Json);
        check_run("{\"q\\\"id\": \"1\", \"x\": {}}\n", RunFormat::Jsonl);
        check_run("qid,docno,score\n1,d,2\n", RunFormat::Csv);
        check_run("\"query_id\"\t\"doc_id\"\trank\n", RunFormat::Tsv);
        check_run("7\t19\t1\n", RunFormat::MsMarco);
        check_run("PAR1", RunFormat::Parquet);
    }

    #[test]
    fn qrels_formats_are_detected() {
        check_qrels("1 0 d 1\n", QrelsFormat::Trec);
        check_qrels("query-id\tcorpus-id\tscore\n1\td\t1\n", QrelsFormat::Beir);
        check_qrels("query-id\tcorpus-id\tscore\titeration\n", QrelsFormat::Tsv);
        check_qrels("topic,doc,rel\n", QrelsFormat::Csv);
        check_qrels("{\"1\":{\"d\":1}}", QrelsFormat::Json);
        check_qrels(
            "{\"qid\":\"1\",\"docid\":\"d\",\"rel\":1}",
            QrelsFormat::Jsonl,
        );
    }
}
