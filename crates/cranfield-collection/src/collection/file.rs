//! Collection files.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use cranfield_io::{Code, Error, Problem, Problems, Source};
use encoding_rs::Encoding;
use serde::Deserialize;
use toml::{Spanned, Value};

use super::{Collection, DocumentFiles, QrelsFiles, TopicFiles};
use crate::document::TextFields;
use crate::documents::DocumentOptions;

/// Maximum size of a collection file.
pub(super) const MAX_BYTES: usize = 1 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTable {
    name: Option<String>,
    ir_datasets: Option<String>,
    #[serde(default)]
    documents: DocumentsTable,
    #[serde(default)]
    topics: TopicsTable,
    #[serde(default)]
    qrels: QrelsTable,
    #[serde(default)]
    splits: BTreeMap<String, String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct DocumentsTable {
    #[serde(default)]
    files: Vec<String>,
    format: Option<Spanned<String>>,
    text: Option<Spanned<Value>>,
    id: Option<String>,
    encoding: Option<Spanned<String>>,
    expect: Option<u64>,
    #[serde(default)]
    empty: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct TopicsTable {
    #[serde(default)]
    files: Vec<String>,
    format: Option<Spanned<String>>,
    ids: Option<Spanned<String>>,
    expect: Option<u64>,
    #[serde(default)]
    judged_only: bool,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct QrelsTable {
    #[serde(default)]
    files: Vec<String>,
    format: Option<Spanned<String>>,
    #[serde(default)]
    grades: BTreeMap<String, Spanned<Value>>,
    expect: Option<u64>,
    note: Option<String>,
}

/// Reads a collection file. Paths in it are relative to its folder.
pub(super) fn read(path: &Path) -> Result<Collection, Error> {
    let source = Source::open(path)?;
    let text = source.text(MAX_BYTES, "a collection file", Code::BadCollection)?;
    let table: FileTable = toml::from_str(text)
        .map_err(|error| problem(&source, error.span().unwrap_or_default(), error.message()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut reader = Reader {
        source: &source,
        folder,
        problems: Problems::default(),
    };
    let collection = reader.collection(table, path);
    reader.problems.into_result()?;
    Ok(collection)
}

fn problem(source: &Source, span: Range<usize>, message: impl fmt::Display) -> Problem {
    let message = message.to_string().replace('\n', "; ");
    Problem::at(
        Code::BadCollection,
        source.name(),
        source.bytes(),
        span,
        message,
    )
}

struct Reader<'a> {
    source: &'a Source,
    folder: &'a Path,
    problems: Problems,
}

impl Reader<'_> {
    fn collection(&mut self, table: FileTable, path: &Path) -> Collection {
        let folder_name = || {
            let folder = self.folder.file_name().or(path.file_stem());
            folder.unwrap_or_default().to_string_lossy().into_owned()
        };
        Collection {
            is_named: table.name.is_some(),
            name: table.name.unwrap_or_else(folder_name),
            ir_datasets: table.ir_datasets,
            path: Some(path.into()),
            folder: None,
            unused: Vec::new(),
            splits: table
                .splits
                .into_iter()
                .map(|(name, file)| (name, self.folder.join(file)))
                .collect(),
            document_files: self.documents(table.documents),
            topic_files: TopicFiles {
                files: self.paths(&table.topics.files),
                format: self.parsed(table.topics.format),
                ids: self.parsed(table.topics.ids),
                expect: table.topics.expect,
                judged_only: table.topics.judged_only,
            },
            qrels_files: QrelsFiles {
                files: self.paths(&table.qrels.files),
                layout: self.parsed(table.qrels.format).unwrap_or_default(),
                grades: self.grades(table.qrels.grades),
                expect: table.qrels.expect,
                note: table.qrels.note,
            },
            split: None,
            notes: Vec::new(),
        }
    }

    fn documents(&mut self, table: DocumentsTable) -> DocumentFiles {
        let options = DocumentOptions {
            format: self.parsed(table.format),
            text: table
                .text
                .map_or(TextFields::Usual, |text| self.text_fields(&text)),
            id: table.id.map(|id| id.to_lowercase()),
            encoding: table.encoding.and_then(|label| self.encoding(&label)),
        };
        DocumentFiles {
            files: self.paths(&table.files),
            options,
            expect: table.expect,
            empty: table.empty,
        }
    }

    fn paths(&self, files: &[String]) -> Vec<PathBuf> {
        files.iter().map(|file| self.folder.join(file)).collect()
    }

    fn wrong<T>(&mut self, value: &Spanned<T>, message: impl fmt::Display) {
        self.problems
            .push(problem(self.source, value.span(), message));
    }

    fn parsed<T: FromStr>(&mut self, text: Option<Spanned<String>>) -> Option<T>
    where
        T::Err: fmt::Display,
    {
        let text = text?;
        match text.get_ref().parse() {
            Ok(value) => Some(value),
            Err(error) => {
                self.wrong(&text, error);
                None
            }
        }
    }

    fn encoding(&mut self, label: &Spanned<String>) -> Option<&'static Encoding> {
        let encoding = Encoding::for_label(label.get_ref().as_bytes());
        if encoding.is_none() {
            let message = format!(
                "unknown encoding `{}`; expected one such as latin1",
                label.get_ref()
            );
            self.wrong(label, message);
        }
        encoding
    }

    fn text_fields(&mut self, value: &Spanned<Value>) -> TextFields {
        let name = |value: &Value| value.as_str().map(str::to_owned);
        match value.get_ref() {
            Value::String(text) if text == "all" => return TextFields::All,
            Value::String(text) => return TextFields::Named(vec![text.clone()]),
            Value::Array(names) if !names.is_empty() => {
                if let Some(names) = names.iter().map(name).collect() {
                    return TextFields::Named(names);
                }
            }
            _ => {}
        }
        self.wrong(
            value,
            "expected \"all\" or a list of fields such as [\"title\", \"text\"]",
        );
        TextFields::Usual
    }

    fn grades(&mut self, table: BTreeMap<String, Spanned<Value>>) -> Vec<(String, f64)> {
        let mut grades = Vec::new();
        for (text, value) in table {
            let number = match value.get_ref() {
                Value::Integer(number) => Some(*number as f64),
                Value::Float(number) => Some(*number).filter(|number| number.is_finite()),
                _ => None,
            };
            match number {
                Some(number) => grades.push((text, number)),
                None => self.wrong(&value, format!("grade `{text}` must be a finite number")),
            }
        }
        grades
    }
}
