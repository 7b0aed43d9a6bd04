//! Detects from the content whether a file is a run or judgements, and its format.
//!
//! Three or four columns are qrels, more are a run. Tables and records with a grade field (`rel`, `grade`, ...) are qrels. A JSON
//! object of topics is qrels if the numbers at its start are integers. Everything else is a run.

use crate::code::Code;
use crate::columns::Column;
use crate::detect::{detect_qrels, detect_run, first_data, is_data};
use crate::error::Error;
use crate::format::{BEIR_COLUMNS, QrelsFormat, RunFormat};
use crate::kind::Kind;
use crate::problem::Problem;
use crate::source::Source;

use super::findings::Unit;
use super::line::Fields;

/// Number of bytes that detection looks at.
const SAMPLE: usize = 64 * 1024;
/// Number of lines that detection looks at.
const SAMPLE_LINES: usize = 20;

/// The detected kind and format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// TREC text, examined line by line.
    Text(Kind),
    Run(RunFormat),
    Qrels(QrelsFormat),
}

impl Input {
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Text(kind) => kind,
            Self::Run(_) => Kind::Run,
            Self::Qrels(_) => Kind::Qrels,
        }
    }

    /// The unit in which errors of the reader are counted.
    pub(super) fn unit(self) -> Unit {
        let is_made_of_lines = !matches!(self.format(), "json" | "parquet");
        if is_made_of_lines {
            Unit::Line
        } else {
            Unit::Place
        }
    }

    pub(super) fn format(self) -> &'static str {
        match self {
            Self::Text(_) => "trec",
            Self::Run(format) => format.name(),
            Self::Qrels(format) => format.name(),
        }
    }
}

/// Detects the format, and the kind unless it is given.
pub(super) fn detect(source: &Source, kind: Option<Kind>) -> Result<Input, Error> {
    match kind {
        Some(Kind::Run) => as_run(source, detect_run(source)),
        Some(Kind::Qrels) => as_qrels(source, detect_qrels(source)),
        None => guess(source),
    }
}

fn as_run(source: &Source, format: Result<RunFormat, Error>) -> Result<Input, Error> {
    match format {
        Ok(RunFormat::Trec) => Ok(Input::Text(Kind::Run)),
        Ok(format) => Ok(Input::Run(format)),
        Err(error) => or_columns(source, error, Kind::Run),
    }
}

fn as_qrels(source: &Source, format: Result<QrelsFormat, Error>) -> Result<Input, Error> {
    match format {
        Ok(QrelsFormat::Trec | QrelsFormat::MsMarco) => Ok(Input::Text(Kind::Qrels)),
        Ok(format) => Ok(Input::Qrels(format)),
        Err(error) => or_columns(source, error, Kind::Qrels),
    }
}

/// Falls back to TREC text if all lines have a wrong number of columns, for a report line by line.
fn or_columns(source: &Source, error: Error, kind: Kind) -> Result<Input, Error> {
    const MIN_COLUMNS: usize = 3;
    let is_unknown = error
        .problems()
        .iter()
        .all(|p| p.code == Code::UnknownFormat);
    if !is_unknown {
        return Err(error);
    }
    match usual_columns(source) {
        0..MIN_COLUMNS => Err(unknown(source)),
        _ => Ok(Input::Text(kind)),
    }
}

fn unknown(source: &Source) -> Error {
    let bytes = source.bytes();
    let start = first_data(bytes).unwrap_or(0);
    let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at);
    let message =
        "unknown format: a TREC run has 6 columns, TREC qrels have 4, and tables have a header";
    Problem::at(
        Code::UnknownFormat,
        source.name(),
        bytes,
        start..end,
        message,
    )
    .into()
}

fn guess(source: &Source) -> Result<Input, Error> {
    let (run, qrels) = (detect_run(source), detect_qrels(source));
    let is_qrels = match (&run, &qrels) {
        (Ok(RunFormat::Trec), Ok(QrelsFormat::Trec)) | (Err(_), Err(_)) => {
            usual_columns(source) <= 4
        }
        (Ok(RunFormat::Trec | RunFormat::MsMarco), _) | (_, Err(_)) => false,
        (_, Ok(QrelsFormat::Trec | QrelsFormat::Beir)) | (Err(_), _) => true,
        (Ok(RunFormat::Csv | RunFormat::Tsv), _) => has_grade_column(source),
        (Ok(RunFormat::Parquet), _) => infer_parquet_kind(source) == Some(Kind::Qrels),
        (Ok(_), _) => is_json_of_grades(sample(source)),
    };
    if is_qrels {
        as_qrels(source, qrels)
    } else {
        as_run(source, run)
    }
}

/// Infers the kind of a file that could be read as either from the names of its fields: only qrels have grades, and only runs
/// have ranks and tags.
pub fn infer_kind(source: &Source) -> Option<Kind> {
    let names = match (detect_run(source).ok()?, detect_qrels(source).ok()?) {
        (_, QrelsFormat::Beir) => return Some(Kind::Qrels),
        (RunFormat::Parquet, _) => return infer_parquet_kind(source),
        (RunFormat::Csv | RunFormat::Tsv, _) => header_names(source),
        (RunFormat::Jsonl, _) => field_names(sample(source)),
        _ => return None,
    };
    infer_from_names(&names)
}

fn infer_parquet_kind(source: &Source) -> Option<Kind> {
    let names = crate::parquet::column_names(source)?;
    if names == BEIR_COLUMNS {
        return Some(Kind::Qrels);
    }
    let names: Vec<&[u8]> = names.iter().map(String::as_bytes).collect();
    infer_from_names(&names)
}

fn infer_from_names(names: &[&[u8]]) -> Option<Kind> {
    let is_run_name = |name: &&[u8]| {
        let columns = [Column::Rank, Column::Tag];
        columns
            .iter()
            .any(|column| column.preference(Kind::Run, name).is_some())
    };
    if names.iter().any(|name| is_grade_name(name)) {
        Some(Kind::Qrels)
    } else if names.iter().any(is_run_name) {
        Some(Kind::Run)
    } else {
        None
    }
}

fn sample(source: &Source) -> &[u8] {
    let bytes = source.bytes();
    let start = first_data(bytes).unwrap_or(bytes.len());
    &bytes[start..bytes.len().min(start + SAMPLE)]
}

/// Returns the most frequent number of columns of the first lines, the smallest if several are.
fn usual_columns(source: &Source) -> usize {
    let lines = sample(source).split(|byte| *byte == b'\n');
    let mut counts = [0; 8];
    for line in lines.filter(|line| is_data(line)).take(SAMPLE_LINES) {
        counts[Fields::of(line, b' ').count.min(7)] += 1;
    }
    let most = counts.iter().max().copied().unwrap_or(0);
    counts.iter().position(|n| *n == most).unwrap_or(0)
}

fn has_grade_column(source: &Source) -> bool {
    header_names(source).into_iter().any(is_grade_name)
}

/// Returns the column names of a table, without quotes.
fn header_names(source: &Source) -> Vec<&[u8]> {
    let header = sample(source).split(|byte| *byte == b'\n').next();
    let names = header
        .unwrap_or_default()
        .split(|byte| matches!(byte, b',' | b'\t'));
    let unquoted = names.map(|name| {
        let name = name.trim_ascii();
        let name = name.strip_prefix(b"\"").unwrap_or(name);
        name.strip_suffix(b"\"").unwrap_or(name)
    });
    unquoted.collect()
}

/// Returns the strings in JSON text, which include the names of fields.
fn field_names(text: &[u8]) -> Vec<&[u8]> {
    text.split(|byte| *byte == b'"')
        .skip(1)
        .step_by(2)
        .collect()
}

fn is_grade_name(name: &[u8]) -> bool {
    Column::Value.preference(Kind::Qrels, name).is_some() && !name.eq_ignore_ascii_case(b"score")
}

/// Whether JSON has a grade field, or only integers.
fn is_json_of_grades(text: &[u8]) -> bool {
    let strings = field_names(text);
    if strings.iter().any(|name| is_grade_name(name)) {
        return true;
    }
    let is_record = |name: &[u8]| Column::Topic.preference(Kind::Run, name).is_some();
    if strings.iter().any(|name| is_record(name)) {
        return false;
    }
    let mut values = text
        .split(|byte| *byte == b':')
        .skip(1)
        .map(<[u8]>::trim_ascii_start);
    values.all(|value| {
        let end = value
            .iter()
            .position(|byte| !matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'));
        !value[..end.unwrap_or(value.len())]
            .iter()
            .any(|byte| matches!(byte, b'.' | b'e' | b'E'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Input) {
        let source = Source::from_bytes("f", text.into()).unwrap();
        assert_eq!(detect(&source, None), Ok(expected), "{text}");
    }

    #[track_caller]
    fn check_run(text: &str, format: RunFormat) {
        check(text, Input::Run(format));
    }

    #[track_caller]
    fn check_qrels(text: &str, format: QrelsFormat) {
        check(text, Input::Qrels(format));
    }

    #[test]
    fn kinds_are_detected_from_content() {
        check("1 Q0 d 1 2.5 t\n", Input::Text(Kind::Run));
        check("1 0 d 1\n", Input::Text(Kind::Qrels));
        check("1 d 1\n", Input::Text(Kind::Qrels));
        check("1 Q0 d 2.5 t\n", Input::Text(Kind::Run));
        check(
            "1 0 d 1\n1 0 e 1\n1 Q0 d 1 2.5 t\n",
            Input::Text(Kind::Qrels),
        );
        check_run("1\td\t1\n", RunFormat::MsMarco);
        check_qrels(r#"{"1": {"d": 2, "e": 0}}"#, QrelsFormat::Json);
        check_run(r#"{"1": {"d": 2.5, "e": 0}}"#, RunFormat::Json);
        check_qrels(
            r#"{"qid": "1", "docno": "d", "rel": 2}"#,
            QrelsFormat::Jsonl,
        );
        check_run(
            r#"{"qid": "1", "docno": "d", "score": 2}"#,
            RunFormat::Jsonl,
        );
        check_qrels("qid,docno,label\n1,d,2\n", QrelsFormat::Csv);
        check_run("qid\tdocno\tscore\n1\td\t2\n", RunFormat::Tsv);
        check_qrels("query-id\tcorpus-id\tscore\n1\td\t2\n", QrelsFormat::Beir);
    }

    #[test]
    fn unknown_content_is_an_error() {
        let source = Source::from_bytes("f", b"hello\nworld\n".to_vec()).unwrap();
        assert_eq!(
            detect(&source, None).unwrap_err().problems()[0].code,
            Code::UnknownFormat
        );
        let empty = Source::from_bytes("f", Vec::new()).unwrap();
        assert_eq!(
            detect(&empty, None).unwrap_err().problems()[0].code,
            Code::EmptyFile
        );
    }
}
