//! The formats of runs and judgements, and how they are recognised.
//!
//! The content decides, never the name of the file; the first of these that holds:
//!
//! 1. `PAR1` at the start, and at the end or with NUL bytes behind it: Parquet.
//! 2. `{` or `[` at the start: JSON. An object whose first value is no object, on a line of its own, is JSON Lines.
//! 3. A first line that names columns for topics and documents, separated by tabs or commas: TSV or CSV. Judgements with exactly
//!    `query-id`, `corpus-id`, `score` between tabs: BEIR.
//! 4. Columns between blanks: 6 are a TREC run, 4 are TREC qrels (MS MARCO's are the same); 3 between tabs of which the last
//!    is a whole number are an MS MARCO run.
//!
//! Blank lines and lines that start with `#` do not count. Judgement groups, preferences and samples look like other things
//! and are never guessed.

use std::fmt;
use std::str::FromStr;

use crate::code::Code;
use crate::columns::{Column, Role};
use crate::error::Error;
use crate::problem::{Problem, quoted};
use crate::source::Source;

/// How much of an input is looked at.
const SAMPLE: usize = 64 * 1024;
/// How many lines are looked at, since the first may be the wrong one.
const SAMPLE_LINES: usize = 20;

/// No format has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat {
    message: String,
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for UnknownFormat {}

/// Declares an enum of formats with names and file extensions.
macro_rules! formats {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $text:literal, $extensions:expr;)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name { $($(#[$vmeta])* $variant,)+ }

        impl $name {
            /// All formats.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The name that options take.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            fn extensions(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &$extensions,)+ }
            }

            /// The format that the name of an output asks for; an extension of compression is passed over.
            pub fn of_name(name: &str) -> Option<Self> {
                let extension = plain_extension(name)?;
                Self::ALL.iter().copied().find(|format| format.extensions().contains(&extension.as_str()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $name {
            type Err = UnknownFormat;

            fn from_str(text: &str) -> Result<Self, UnknownFormat> {
                Self::ALL.iter().copied().find(|format| format.name() == text).ok_or_else(|| {
                    let known: Vec<_> = Self::ALL.iter().map(|format| format.name()).collect();
                    UnknownFormat { message: format!("unknown format `{text}`; one of: {}", known.join(", ")) }
                })
            }
        }
    };
}

formats! {
    /// A format of runs.
    ///
    /// ```
    /// use cranfield_io::RunFormat;
    ///
    /// assert_eq!("jsonl".parse(), Ok(RunFormat::Jsonl));
    /// assert_eq!(RunFormat::of_name("bm25.csv.gz"), Some(RunFormat::Csv));
    /// ```
    RunFormat {
        /// `topic Q0 document rank score tag`, between blanks or tabs.
        Trec = "trec", ["run", "trec", "txt", "res"];
        /// One object: topic to document to score. Also a list of records as in JSON Lines.
        Json = "json", ["json"];
        /// One object per line with `topic`, `doc`, `score`.
        Jsonl = "jsonl", ["jsonl", "ndjson"];
        /// A header and fields between commas.
        Csv = "csv", ["csv"];
        /// A header and fields between tabs.
        Tsv = "tsv", ["tsv"];
        /// `topic document rank` between tabs, no header; the score is the negated rank.
        MsMarco = "msmarco", ["msmarco"];
        /// A Parquet table.
        Parquet = "parquet", ["parquet", "pq"];
    }
}

formats! {
    /// A format of judgements.
    ///
    /// ```
    /// use cranfield_io::QrelsFormat;
    ///
    /// assert_eq!("beir".parse(), Ok(QrelsFormat::Beir));
    /// ```
    QrelsFormat {
        /// `topic iteration document grade`, between blanks or tabs.
        Trec = "trec", ["qrels", "qrel", "trec", "txt"];
        /// One object: topic to document to grade. Also a list of records as in JSON Lines.
        Json = "json", ["json"];
        /// One object per line with `topic`, `doc`, `rel`.
        Jsonl = "jsonl", ["jsonl", "ndjson"];
        /// A header and fields between commas.
        Csv = "csv", ["csv"];
        /// A header and fields between tabs.
        Tsv = "tsv", ["tsv"];
        /// The header `query-id corpus-id score` and fields between tabs.
        Beir = "beir", ["beir"];
        /// `topic 0 document grade` between tabs.
        MsMarco = "msmarco", ["msmarco"];
        /// A Parquet table.
        Parquet = "parquet", ["parquet", "pq"];
        /// Judgement groups: `topic group document grade`.
        Groups = "qrels_jg", ["qrels_jg"];
        /// Preferences: `topic group level document preference`.
        Prefs = "prefs", ["prefs"];
        /// Preferences that grades imply: TREC qrels read as preferences.
        QrelsPrefs = "qrels_prefs", ["qrels_prefs"];
        /// A pool sampled by strata: `topic iteration document stratum grade`.
        Strata = "strata", ["strata"];
        /// Documents drawn with unequal probabilities: `topic document grade method probability`.
        Prels = "prels", ["prels"];
    }
}

fn plain_extension(name: &str) -> Option<String> {
    let name = match crate::compression::Compression::of_name(name) {
        Some(_) => name.rsplit_once('.')?.0,
        None => name,
    };
    Some(name.rsplit_once('.')?.1.to_ascii_lowercase())
}

/// What the start of an input looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Parquet,
    Json,
    Jsonl,
    /// A header, and the byte between its fields.
    Header(u8),
    /// This many columns between blanks.
    Columns(usize),
    /// Three columns between tabs, the last a whole number.
    Ranks,
}

/// The format of a run, by its content.
pub fn detect_run(source: &Source) -> Result<RunFormat, Error> {
    let shape = shape(source, Role::Run)?;
    match shape {
        Shape::Parquet => Ok(RunFormat::Parquet),
        Shape::Json => Ok(RunFormat::Json),
        Shape::Jsonl => Ok(RunFormat::Jsonl),
        Shape::Header(b'\t') => Ok(RunFormat::Tsv),
        Shape::Header(_) => Ok(RunFormat::Csv),
        Shape::Ranks => Ok(RunFormat::MsMarco),
        Shape::Columns(6) => Ok(RunFormat::Trec),
        Shape::Columns(n) => Err(unknown(source, Role::Run, n)),
    }
}

/// The format of judgements, by their content.
pub fn detect_qrels(source: &Source) -> Result<QrelsFormat, Error> {
    match shape(source, Role::Qrels)? {
        Shape::Parquet => Ok(QrelsFormat::Parquet),
        Shape::Json => Ok(QrelsFormat::Json),
        Shape::Jsonl => Ok(QrelsFormat::Jsonl),
        Shape::Header(b'\t') if is_beir(source) => Ok(QrelsFormat::Beir),
        Shape::Header(b'\t') => Ok(QrelsFormat::Tsv),
        Shape::Header(_) => Ok(QrelsFormat::Csv),
        Shape::Columns(4) => Ok(QrelsFormat::Trec),
        Shape::Columns(n) => Err(unknown(source, Role::Qrels, n)),
        Shape::Ranks => Err(unknown(source, Role::Qrels, 3)),
    }
}

/// A line that holds data.
pub(crate) fn is_data(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    !line.is_empty() && !line.starts_with(b"#")
}

/// Offset of the first line that holds data. Looks no further than that line's first byte: a line may be the whole file.
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

fn shape(source: &Source, role: Role) -> Result<Shape, Error> {
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
    if let Some(separator) = header_separator(first, role) {
        return Ok(Shape::Header(separator));
    }
    Ok(columns(
        std::iter::once(first).chain(lines).take(SAMPLE_LINES),
        role,
    ))
}

/// A topic may be called `PAR1`, but text does not end so, nor does it hold NUL bytes.
fn is_parquet(bytes: &[u8]) -> bool {
    let has_nul = || bytes[..bytes.len().min(SAMPLE)].contains(&0);
    bytes.starts_with(b"PAR1") && (bytes.ends_with(b"PAR1") || has_nul())
}

fn empty(source: &Source) -> Error {
    let message = if source.bytes().is_empty() {
        "is empty"
    } else {
        "holds no data, only blank lines or comments"
    };
    Problem::file(Code::EmptyFile, source.name(), message).into()
}

fn binary(source: &Source, sample: &[u8], start: usize) -> Option<Problem> {
    let name = source.name();
    if source.bytes().starts_with(b"\xff\xfe") || source.bytes().starts_with(b"\xfe\xff") {
        let problem = Problem::file(Code::BinaryData, name, "text in UTF-16, expected UTF-8");
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

/// Whether a text that starts with `{` is one record: its first value is neither an object nor a list.
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

/// The separator of a line that names a column of topics and one of documents.
fn header_separator(line: &[u8], role: Role) -> Option<u8> {
    [b'\t', b','].into_iter().find(|separator| {
        let fields = || {
            line.split(|byte| byte == separator)
                .map(|field| unquoted(field.trim_ascii()))
        };
        [Column::Topic, Column::Doc]
            .iter()
            .all(|column| fields().any(|name| column.preference(role, name).is_some()))
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
    line.trim_ascii_end() == b"query-id\tcorpus-id\tscore"
}

/// The number of columns: that of the format if any line of the sample has it, else that of the first line.
fn columns<'a>(lines: impl Iterator<Item = &'a [u8]>, role: Role) -> Shape {
    let usual = if role == Role::Run { 6 } else { 4 };
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

fn unknown(source: &Source, role: Role, count: usize) -> Error {
    let (what, usual, option) = match role {
        Role::Run => ("run", "6 columns (TREC)", "--run-format"),
        Role::Qrels => ("qrels", "4 columns (TREC)", "--qrels-format"),
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
        "format not recognised: the first line has {count} column{plural}, expected {usual} or a header"
    );
    let help = match (role, count) {
        (Role::Run, 4) => "4 columns look like qrels; are the two files swapped?".into(),
        (Role::Qrels, 6) => "6 columns look like a run; are the two files swapped?".into(),
        (Role::Qrels, 3) => "topic, document and grade? TREC qrels have an iteration after the topic: awk '{print $1, 0, $2, $3}'"
            .into(),
        (Role::Qrels, 5) => "5 columns may be strata, prels or prefs: name the format with `--qrels-format`".into(),
        _ => format!("name the format of the {what} with `{option}`"),
    };
    Problem::at(
        Code::UnknownFormat,
        source.name(),
        bytes,
        start..start + line.len(),
        message,
    )
    .with_help(help)
    .into()
}

/// The error for a format that holds no grades.
pub(crate) fn not_grades(source: &Source, format: QrelsFormat) -> Error {
    let message = format!(
        "format {} holds no grades that this command can use",
        quoted(format.name().as_bytes())
    );
    Problem::file(Code::UnknownFormat, source.name(), message).into()
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
    fn runs_are_recognised() {
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
    fn judgements_are_recognised() {
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

    #[test]
    fn names_parse_back() {
        for format in RunFormat::ALL {
            assert_eq!(format.name().parse(), Ok(*format));
        }
        for format in QrelsFormat::ALL {
            assert_eq!(format.name().parse(), Ok(*format));
        }
        let error = "xml".parse::<RunFormat>().unwrap_err().to_string();
        assert_eq!(
            error,
            "unknown format `xml`; one of: trec, json, jsonl, csv, tsv, msmarco, parquet"
        );
    }
}
