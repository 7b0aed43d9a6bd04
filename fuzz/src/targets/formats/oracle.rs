//! An independent reading of an input.

use std::collections::HashMap;

use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use cranfield_io::{Error, QrelsFormat, RunFormat};
use serde_json::Value;

use crate::reference::{close, number};

/// Compares a run that was read, or refused, with an independent reading.
pub(super) fn check_run(bytes: &[u8], format: RunFormat, read: &Result<Run, Error>) {
    let rows = read.as_ref().map(|run| {
        let mut rows = Vec::new();
        for topic in run.topics() {
            rows.extend(
                topic
                    .entries()
                    .map(|entry| (topic.id().to_vec(), entry.doc.to_vec(), entry.score)),
            );
        }
        rows
    });
    match format {
        RunFormat::Json => check_json(bytes, &rows),
        RunFormat::Jsonl => check_count(&rows, json_lines(bytes)),
        RunFormat::Csv | RunFormat::Tsv => check_count(&rows, table_lines(bytes)),
        RunFormat::MsMarco => check_msmarco(bytes, &rows),
        _ => {}
    }
}

/// Compares judgements, where repetitions may have been left out.
pub(super) fn check_qrels(bytes: &[u8], format: QrelsFormat, read: &Result<Qrels, Error>) {
    let rows = read.as_ref().map(|qrels| {
        let mut rows = Vec::new();
        for topic in qrels.topics() {
            rows.extend(
                topic
                    .judgements()
                    .map(|(doc, grade)| (topic.id().to_vec(), doc.to_vec(), grade)),
            );
        }
        rows
    });
    let at_most = |count: Option<usize>| {
        if let (Ok(rows), Some(count)) = (&rows, count) {
            assert!(
                rows.len() <= count,
                "{} rows of at most {count}",
                rows.len()
            );
        }
    };
    match format {
        QrelsFormat::Json => check_json(bytes, &rows),
        QrelsFormat::Jsonl => at_most(json_lines(bytes)),
        QrelsFormat::Csv | QrelsFormat::Tsv | QrelsFormat::Beir => at_most(table_lines(bytes)),
        _ => {}
    }
}

/// Topic, document and value.
type Borrowed<'a> = (&'a [u8], &'a [u8], f64);
type Rows<'e> = Result<Vec<(Vec<u8>, Vec<u8>, f64)>, &'e Error>;

fn check_count(rows: &Rows<'_>, expected: Option<usize>) {
    if let (Ok(rows), Some(expected)) = (rows, expected) {
        assert_eq!(rows.len(), expected, "number of rows");
    }
}

fn check_json(bytes: &[u8], rows: &Rows<'_>) {
    let parsed = serde_json::from_slice::<Value>(bytes);
    match (rows, parsed) {
        (Ok(rows), Ok(Value::Object(topics))) => {
            let known: HashMap<(&str, &str), f64> = topics
                .iter()
                .flat_map(|(topic, docs)| numbers(topic, docs))
                .collect();
            assert_eq!(rows.len(), known.len(), "number of rows");
            for (topic, doc, value) in rows {
                let key = (
                    std::str::from_utf8(topic).ok(),
                    std::str::from_utf8(doc).ok(),
                );
                let (Some(topic), Some(doc)) = key else {
                    panic!("an id from JSON is not UTF-8");
                };
                let found = known.get(&(topic, doc)).copied();
                assert!(
                    found.is_some_and(|found| close(found, *value)),
                    "{topic} {doc}: {found:?} and {value}"
                );
            }
        }
        (Ok(rows), Ok(Value::Array(records))) => {
            assert!(rows.len() <= records.len() && !rows.is_empty());
        }
        (Ok(_), Ok(other)) => panic!("{other} was read"),
        // Numbers and depths that the other reading rejects are reported by neither or by both.
        (Ok(_), Err(error)) => {
            assert!(error.to_string().contains("number out of range"), "{error}");
        }
        (Err(error), Ok(Value::Object(topics))) => {
            assert!(!is_sound(bytes, &topics), "{error}");
        }
        _ => {}
    }
}

fn numbers<'v>(topic: &'v str, docs: &'v Value) -> impl Iterator<Item = ((&'v str, &'v str), f64)> {
    let docs = docs.as_object().into_iter().flatten();
    docs.filter_map(move |(doc, value)| Some(((topic, doc.as_str()), value.as_f64()?)))
}

/// Whether nothing is wrong with topics. Of a key that is there twice the other reading keeps one, but its colon is left over.
fn is_sound(bytes: &[u8], topics: &serde_json::Map<String, Value>) -> bool {
    let is_doc = |(doc, value): (&String, &Value)| !doc.is_empty() && value.is_number();
    let is_topic = |(topic, docs): (&String, &Value)| {
        !topic.is_empty() && docs.as_object().is_some_and(|docs| docs.iter().all(is_doc))
    };
    let has_rows = topics
        .values()
        .any(|docs| docs.as_object().is_some_and(|docs| !docs.is_empty()));
    let docs = topics.values().filter_map(Value::as_object);
    let keys = topics.len() + docs.map(serde_json::Map::len).sum::<usize>();
    has_rows && topics.iter().all(is_topic) && keys == colons(bytes)
}

/// Number of colons outside of strings.
fn colons(json: &[u8]) -> usize {
    let (mut quoted, mut escaped, mut count) = (false, false, 0);
    for byte in json {
        count += usize::from(*byte == b':' && !quoted);
        quoted ^= *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && quoted && !escaped;
    }
    count
}

/// Number of lines that hold an object, if all lines with data do.
fn json_lines(bytes: &[u8]) -> Option<usize> {
    let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut count = 0;
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with(b"#")) {
        serde_json::from_slice::<serde_json::Map<String, Value>>(line).ok()?;
        count += 1;
    }
    Some(count)
}

/// Number of rows below the header, for tables without quotes and returns.
fn table_lines(bytes: &[u8]) -> Option<usize> {
    if bytes.iter().any(|byte| b"\"\r".contains(byte)) {
        return None;
    }
    let is_preamble = |line: &&[u8]| matches!(line.trim_ascii().first(), None | Some(b'#'));
    let lines = bytes
        .split(|byte| *byte == b'\n')
        .skip_while(is_preamble)
        .skip(1);
    Some(lines.filter(|line| !line.is_empty()).count())
}

fn check_msmarco(bytes: &[u8], rows: &Rows<'_>) {
    let lines = bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !matches!(line.trim_ascii().first(), None | Some(b'#')));
    let expected: Option<Vec<Borrowed<'_>>> = lines
        .map(|line| {
            match line
                .trim_ascii_end()
                .split(|byte| *byte == b'\t')
                .collect::<Vec<_>>()[..]
            {
                [topic, doc, rank] if !topic.is_empty() && !doc.is_empty() => {
                    Some((topic, doc, -number(rank.trim_ascii())?))
                }
                _ => None,
            }
        })
        .collect();
    if let Ok(rows) = rows {
        let mut expected = expected.expect("every line has three fields");
        let mut rows: Vec<Borrowed<'_>> = rows
            .iter()
            .map(|(topic, doc, score)| (&topic[..], &doc[..], *score))
            .collect();
        let compare = |a: &Borrowed<'_>, b: &Borrowed<'_>| (a.0, a.1).cmp(&(b.0, b.1));
        expected.sort_by(compare);
        rows.sort_by(compare);
        assert_eq!(rows, expected);
    }
}
