//! Results as tables, in every format.

use cranfield_core::setting::Message;
use cranfield_render::{Cell, Column, Content, Records, Render, Section, Table};
use serde_json::{Map, Value, json};

use crate::coverage::Coverage;

/// A table of a result.
#[derive(Clone, Debug)]
struct Part {
    name: &'static str,
    title: String,
    table: Table,
}

/// Tables with the settings behind them. As csv, tsv and jsonl, a record is a cell: its table, its row (the first column), its column
/// and its value.
#[derive(Clone, Debug)]
pub struct Tables {
    kind: &'static str,
    settings: Vec<(&'static str, Value)>,
    parts: Vec<Part>,
    notes: Vec<Message>,
    warnings: Vec<Message>,
}

impl Tables {
    pub(crate) fn new(kind: &'static str) -> Self {
        Self {
            kind,
            settings: Vec::new(),
            parts: Vec::new(),
            notes: Vec::new(),
            warnings: Vec::new(),
        }
    }

    pub(crate) fn setting(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.settings.push((name, value.into()));
        self
    }

    pub(crate) fn part(
        mut self,
        name: &'static str,
        title: impl Into<String>,
        table: Table,
    ) -> Self {
        self.parts.push(Part {
            name,
            title: title.into(),
            table,
        });
        self
    }

    pub(crate) fn note(mut self, note: impl Into<Message>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds how much of the pool is judged: as a warning if the pool is deeper than the judgements.
    #[must_use]
    pub fn with_coverage(mut self, coverage: &Coverage) -> Self {
        let settings = [
            ("pool documents", coverage.documents),
            ("pool judged", coverage.judged),
        ];
        for (name, value) in settings {
            self = self.setting(name, value);
        }
        let (message, is_warning) = coverage.message();
        let messages = if is_warning {
            &mut self.warnings
        } else {
            &mut self.notes
        };
        messages.insert(0, message);
        self
    }

    /// What may make the result wrong.
    pub fn warnings(&self) -> &[Message] {
        &self.warnings
    }

    /// Notes on the result.
    pub fn notes(&self) -> &[Message] {
        &self.notes
    }

    /// Sets the number of decimals for reading.
    #[must_use]
    pub fn with_digits(mut self, digits: usize) -> Self {
        for part in &mut self.parts {
            part.table.digits = digits;
        }
        self
    }
}

/// A table with a column of names, and columns of numbers.
pub(crate) fn numbers<'c>(first: &str, columns: impl IntoIterator<Item = &'c str>) -> Table {
    let columns = columns.into_iter().map(Column::number);
    Table::new([Column::text(first)].into_iter().chain(columns))
}

/// A count.
pub(crate) fn count(number: usize) -> Cell {
    Cell::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// An id.
pub(crate) fn id(bytes: &[u8]) -> Cell {
    Cell::text(String::from_utf8_lossy(bytes))
}

fn named(cell: &Cell) -> Cell {
    match cell {
        Cell::Text(text) => Cell::text(text),
        other => other.clone(),
    }
}

impl Render for Tables {
    fn content(&self) -> Content {
        let sections = self.parts.iter().map(|part| Section {
            title: part.title.clone(),
            table: part.table.clone(),
        });
        Content::Sections(sections.collect())
    }

    fn records(&self) -> Records<'_> {
        let rows = self.parts.iter().flat_map(|part| {
            let columns = part.table.columns();
            part.table.rows().iter().flat_map(move |row| {
                let first = row.first().map_or(Cell::Missing, named);
                let cells = columns.iter().zip(row).skip(1);
                cells.map(move |(column, cell)| {
                    let column = Cell::text(&column.name);
                    vec![Cell::text(part.name), first.clone(), column, cell.clone()]
                })
            })
        });
        Records::named(["table", "row", "column", "value"], rows)
    }

    fn json(&self) -> Value {
        let mut document = Map::new();
        document.insert("cranfield".into(), json!(cranfield_eval::VERSION));
        document.insert("result".into(), json!(self.kind));
        for (name, value) in &self.settings {
            document.insert((*name).into(), value.clone());
        }
        for part in &self.parts {
            let rows = part.table.rows().iter().map(|row| {
                let cells = part.table.columns().iter().zip(row);
                let cells = cells.map(|(column, cell)| (column.name.clone(), cell.clone().into()));
                Value::Object(cells.collect())
            });
            document.insert(part.name.into(), Value::Array(rows.collect()));
        }
        let notes = self.notes.iter().map(ToString::to_string);
        document.insert("notes".into(), notes.collect());
        if !self.warnings.is_empty() {
            let warnings = self.warnings.iter().map(ToString::to_string);
            document.insert("warnings".into(), warnings.collect());
        }
        Value::Object(document)
    }
}
