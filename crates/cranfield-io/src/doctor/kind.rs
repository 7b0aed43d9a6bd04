//! Whether a file is a run or judgements, and in which format, by its content.
//!
//! More columns than four are a run, three or four are qrels. Tables and records with a field of grades (`rel`, `grade`, ...) are
//! qrels. One JSON object of topics is qrels if all its first numbers are whole, and a run otherwise. Everything else is a run.

use crate::code::Code;
use crate::columns::{Column, Role};
use crate::error::Error;
use crate::format::{QrelsFormat, RunFormat, detect_qrels, detect_run, first_data, is_data};
use crate::problem::Problem;
use crate::source::Source;

use super::Kind;
use super::findings::Unit;
use super::line::Fields;

/// How much of a file is looked at.
const SAMPLE: usize = 64 * 1024;
/// How many lines are looked at.
const SAMPLE_LINES: usize = 20;

/// What a file is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// TREC text, which is examined line by line.
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

    /// What errors of the reader are counted in.
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

/// What the file is; its kind as said, if it was.
pub(super) fn detect(source: &Source, said: Option<Kind>) -> Result<Input, Error> {
    match said {
        Some(Kind::Run) => as_run(source, detect_run(source)),
        Some(Kind::Qrels) => as_qrels(source, detect_qrels(source)),
        None => guess(source),
    }
}

fn as_run(source: &Source, format: Result<RunFormat, Error>) -> Result<Input, Error> {
    match format {
        Ok(RunFormat::Trec) => Ok(Input::Text(Kind::Run)),
        Ok(format) => Ok(Input::Run(format)),
        Err(error) => columns_anyhow(source, error, Kind::Run),
    }
}

fn as_qrels(source: &Source, format: Result<QrelsFormat, Error>) -> Result<Input, Error> {
    match format {
        Ok(QrelsFormat::Trec | QrelsFormat::MsMarco) => Ok(Input::Text(Kind::Qrels)),
        Ok(format) => Ok(Input::Qrels(format)),
        Err(error) => columns_anyhow(source, error, Kind::Qrels),
    }
}

/// A text whose lines all have a wrong number of columns is still worth a report line by line.
fn columns_anyhow(source: &Source, error: Error, kind: Kind) -> Result<Input, Error> {
    const FEWEST: usize = 3;
    let is_unknown = error
        .problems()
        .iter()
        .all(|p| p.code == Code::UnknownFormat);
    if !is_unknown {
        return Err(error);
    }
    match usual_columns(source) {
        0..FEWEST => Err(unknown(source)),
        _ => Ok(Input::Text(kind)),
    }
}

fn unknown(source: &Source) -> Error {
    let bytes = source.bytes();
    let start = first_data(bytes).unwrap_or(0);
    let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at);
    let message = "format not recognised: a TREC run has 6 columns, TREC qrels have 4, and tables have a header";
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
        (Ok(RunFormat::Parquet), _) => is_parquet_without_scores(source),
        (Ok(_), _) => is_json_of_grades(sample(source)),
    };
    if is_qrels {
        as_qrels(source, qrels)
    } else {
        as_run(source, run)
    }
}

/// The kind of a file that could be read as either, if a field's name tells it: grades have fields of their own, and only
/// runs have ranks and tags.
pub fn told_kind(source: &Source) -> Option<Kind> {
    let is_run_name = |name: &[u8]| {
        let columns = [Column::Rank, Column::Tag];
        let is_one = |column: Column| column.preference(Role::Run, name).is_some();
        columns.into_iter().any(is_one)
    };
    let names = match (detect_run(source).ok()?, detect_qrels(source).ok()?) {
        (_, QrelsFormat::Beir) => return Some(Kind::Qrels),
        (RunFormat::Parquet, _) if is_parquet_without_scores(source) => return Some(Kind::Qrels),
        (RunFormat::Csv | RunFormat::Tsv, _) => header_names(source),
        (RunFormat::Jsonl, _) => field_names(sample(source)),
        _ => return None,
    };
    if names.iter().any(|name| is_grade_name(name)) {
        Some(Kind::Qrels)
    } else if names.iter().any(|name| is_run_name(name)) {
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

/// The most frequent number of columns among the first lines; the smallest of several.
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

/// The names in a table's header, without quotes.
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

/// The strings of a JSON text, names of fields among them.
fn field_names(text: &[u8]) -> Vec<&[u8]> {
    text.split(|byte| *byte == b'"')
        .skip(1)
        .step_by(2)
        .collect()
}

fn is_grade_name(name: &[u8]) -> bool {
    Column::Value.preference(Role::Qrels, name).is_some() && !name.eq_ignore_ascii_case(b"score")
}

fn is_parquet_without_scores(source: &Source) -> bool {
    match crate::read_run(source, Some(RunFormat::Parquet)) {
        Ok(_) => false,
        Err(error) => error.problems()[0].code == Code::MissingColumn,
    }
}

/// Whether JSON has a field of grades, or no number but whole ones.
fn is_json_of_grades(text: &[u8]) -> bool {
    let strings = field_names(text);
    if strings.iter().any(|name| is_grade_name(name)) {
        return true;
    }
    let is_record = |name: &[u8]| Column::Topic.preference(Role::Run, name).is_some();
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

    #[test]
    fn kinds_are_told_by_content() {
        check("1 Q0 d 1 2.5 t\n", Input::Text(Kind::Run));
        check("1 0 d 1\n", Input::Text(Kind::Qrels));
        check("1 d 1\n", Input::Text(Kind::Qrels));
        check("1 Q0 d 2.5 t\n", Input::Text(Kind::Run));
        check(
            "1 0 d 1\n1 0 e 1\n1 Q0 d 1 2.5 t\n",
            Input::Text(Kind::Qrels),
        );
        check("1\td\t1\n", Input::Run(RunFormat::MsMarco));
        check(
            "{\"1\": {\"d\": 2, \"e\": 0}}",
            Input::Qrels(QrelsFormat::Json),
        );
        check(
            "{\"1\": {\"d\": 2.5, \"e\": 0}}",
            Input::Run(RunFormat::Json),
        );
        check(
            "{\"qid\": \"1\", \"docno\": \"d\", \"rel\": 2}",
            Input::Qrels(QrelsFormat::Jsonl),
        );
        check(
            "{\"qid\": \"1\", \"docno\": \"d\", \"score\": 2}",
            Input::Run(RunFormat::Jsonl),
        );
        check("qid,docno,label\n1,d,2\n", Input::Qrels(QrelsFormat::Csv));
        check("qid\tdocno\tscore\n1\td\t2\n", Input::Run(RunFormat::Tsv));
        check(
            "query-id\tcorpus-id\tscore\n1\td\t2\n",
            Input::Qrels(QrelsFormat::Beir),
        );
    }

    #[test]
    fn what_cannot_be_told_is_an_error() {
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
