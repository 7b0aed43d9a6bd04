//! Judgements of collections: columns in any order, and grades that are mapped.

use std::collections::HashMap;
use std::str::FromStr;

use cranfield_core::qrels::Qrels;
use cranfield_io::{Code, Error, Problem, Problems, QrelsFormat, Source, detect_qrels};

use super::QrelsFiles;

/// The layout of a file of judgements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum QrelsLayout {
    /// Detected from the content.
    #[default]
    Detected,
    /// White space between columns with these meanings.
    Columns(Vec<QrelsColumn>),
    /// A format of [`cranfield_io`].
    Format(QrelsFormat),
}

/// The meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QrelsColumn {
    /// Topic ids.
    Topic,
    /// Document ids.
    Document,
    /// Grades.
    Grade,
    /// Ignored.
    Other,
}

/// The prefix of a layout that names columns.
const COLUMNS: &str = "columns:";

impl FromStr for QrelsLayout {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some(names) = text.strip_prefix(COLUMNS) else {
            let format = text.parse().map_err(|error| {
                format!("{error}, or columns as in `columns: topic document grade`")
            })?;
            return Ok(Self::Format(format));
        };
        let columns: Vec<QrelsColumn> = names.split_whitespace().map(column).collect();
        let has = |column| columns.iter().filter(|known| **known == column).count() == 1;
        if has(QrelsColumn::Topic) && has(QrelsColumn::Document) {
            Ok(Self::Columns(columns))
        } else {
            Err(format!(
                "expected columns such as `topic document grade`, found `{}`",
                names.trim()
            ))
        }
    }
}

fn column(name: &str) -> QrelsColumn {
    match name {
        "topic" | "query" => QrelsColumn::Topic,
        "document" | "doc" => QrelsColumn::Document,
        "grade" | "relevance" => QrelsColumn::Grade,
        _ => QrelsColumn::Other,
    }
}

/// A judgement: topic, document and grade.
type Judgement = (Vec<u8>, Vec<u8>, f64);

/// Reads the files of judgements.
pub(super) fn read(part: &QrelsFiles) -> Result<Qrels, Error> {
    let paths = cranfield_io::expand_paths(&part.files)?;
    let mut all: Vec<Judgement> = Vec::new();
    let is_single = paths.len() == 1;
    for path in paths {
        let source = Source::open(&path)?;
        let columns = match &part.layout {
            QrelsLayout::Columns(columns) => Some(columns.clone()),
            QrelsLayout::Format(_) => None,
            QrelsLayout::Detected => detect(&source),
        };
        if let Some(columns) = columns {
            read_columns(&source, &columns, part, &mut all)?;
            continue;
        }
        let format = match part.layout {
            QrelsLayout::Format(format) => Some(format),
            _ => None,
        };
        let qrels = cranfield_io::read_qrels(&source, format)?;
        if is_single && part.grades.is_empty() {
            return Ok(qrels);
        }
        add(&qrels, part, source.name(), &mut all)?;
    }
    Ok(Qrels::from_judgements(all))
}

/// Adds judgements that were read by another reader.
fn add(
    qrels: &Qrels,
    part: &QrelsFiles,
    name: &str,
    all: &mut Vec<Judgement>,
) -> Result<(), Error> {
    for topic in qrels.topics() {
        for (doc, grade) in topic.judgements() {
            let text = grade.to_string();
            let mapped = map_grade(part, &text)
                .ok_or_else(|| Problem::file(Code::UnlistedGrade, name, unlisted(&text)))?;
            all.push((topic.id().to_vec(), doc.to_vec(), mapped));
        }
    }
    Ok(())
}

/// The columns of text that is not in a format of its own: two or three columns, and NTCIR's grades.
fn detect(source: &Source) -> Option<Vec<QrelsColumn>> {
    use QrelsColumn::{Document, Grade, Other, Topic};
    /// Lines that are looked at.
    const LINES: usize = 100;
    let is_text = |format| matches!(format, QrelsFormat::Trec | QrelsFormat::MsMarco);
    if detect_qrels(source).is_ok_and(|format| !is_text(format)) {
        return None;
    }
    let lines = source.bytes().split(|byte| *byte == b'\n').map(fields);
    let rows: Vec<Vec<&[u8]>> = lines.filter(|row| !row.is_empty()).take(LINES).collect();
    let all_have = |count: usize| rows.iter().all(|row| row.len() == count);
    let all = |column: usize, is: fn(&[u8]) -> bool| rows.iter().all(|row| is(row[column]));
    if rows.is_empty() {
        None
    } else if all_have(2) {
        Some(vec![Topic, Document])
    } else if all_have(3) {
        Some(vec![Topic, Document, Grade])
    } else if all_have(4) && all(3, |text| text.starts_with(b"L")) {
        Some(vec![Topic, Other, Document, Grade])
    } else {
        None
    }
}

fn fields(line: &[u8]) -> Vec<&[u8]> {
    let fields = line.split(u8::is_ascii_whitespace);
    fields.filter(|field| !field.is_empty()).collect()
}

fn read_columns(
    source: &Source,
    columns: &[QrelsColumn],
    part: &QrelsFiles,
    all: &mut Vec<Judgement>,
) -> Result<(), Error> {
    let mut problems = Problems::default();
    let mut seen: HashMap<(&[u8], &[u8]), f64> = HashMap::new();
    for (at, line) in source.bytes().split(|byte| *byte == b'\n').enumerate() {
        let row = fields(line);
        if row.is_empty() || row[0].starts_with(b"#") {
            continue;
        }
        let problem = |code, message: String| {
            Problem::in_line(
                code,
                source.name(),
                at as u64 + 1,
                line.trim_ascii_end(),
                0..line.trim_ascii_end().len(),
                message,
            )
        };
        match judgement(&row, columns, part) {
            Err((code, message)) => problems.push_with(|| problem(code, message)),
            Ok((topic, doc, grade)) => match seen.insert((topic, doc), grade) {
                None => all.push((topic.to_vec(), doc.to_vec(), grade)),
                Some(first) if first == grade => {}
                Some(_) => problems.push_with(|| {
                    let (topic, doc) = (cranfield_io::quoted(topic), cranfield_io::quoted(doc));
                    let message = format!("document {doc} of topic {topic} has two grades");
                    problem(Code::ConflictingJudgement, message)
                }),
            },
        }
    }
    problems.into_result()
}

/// A judgement whose ids are in the file.
type Row<'a> = (&'a [u8], &'a [u8], f64);

/// The judgement of a row, or a code and a message.
fn judgement<'a>(
    row: &[&'a [u8]],
    columns: &[QrelsColumn],
    part: &QrelsFiles,
) -> Result<Row<'a>, (Code, String)> {
    if row.len() < columns.len() {
        let message = format!("found {} columns, expected {}", row.len(), columns.len());
        return Err((Code::ColumnCount, message));
    }
    let field = |wanted: QrelsColumn| {
        let at = columns.iter().position(|column| *column == wanted);
        at.map(|at| row[at])
    };
    let grade = match field(QrelsColumn::Grade) {
        // Without grades, every document that is listed is relevant.
        None => 1.0,
        Some(text) => {
            let text = String::from_utf8_lossy(text);
            map_grade(part, &text).ok_or_else(|| {
                if part.grades.is_empty() {
                    (
                        Code::GradeNotNumber,
                        format!("grade is `{text}`, expected a number"),
                    )
                } else {
                    (Code::UnlistedGrade, unlisted(&text))
                }
            })?
        }
    };
    let id = |column| field(column).unwrap_or_default();
    Ok((id(QrelsColumn::Topic), id(QrelsColumn::Document), grade))
}

fn unlisted(grade: &str) -> String {
    format!("grade {grade} is not in the list of grades")
}

/// The grade that a text stands for: by the list, or a number, or NTCIR's `L2`.
fn map_grade(part: &QrelsFiles, text: &str) -> Option<f64> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    if part.grades.is_empty() {
        return number(text.strip_prefix('L').unwrap_or(text));
    }
    let is_same =
        |known: &str| known == text || (number(known).is_some() && number(known) == number(text));
    part.grades
        .iter()
        .find(|(known, _)| is_same(known))
        .map(|(_, grade)| *grade)
}
