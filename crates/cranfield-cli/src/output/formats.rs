//! One trait for results, and one function that writes them in every format.

use cranfield::report::{Cell, Format, Table, separated};
use serde_json::{Map, Value, json};

use super::{titled, wrapped};
use crate::args::ResultFormat;

/// A result that can be written in every format.
pub(crate) trait Output {
    /// Tables for reading: the formats table, md, latex and html.
    fn sections(&self) -> Vec<Section>;

    /// One record per value at full precision: the formats csv, tsv and jsonl.
    fn records(&self) -> Records<'_>;

    /// The whole result with its provenance: the format json.
    fn json(&self) -> Value;

    /// Text for a terminal, if it is more than the sections.
    fn terminal(&self) -> Option<String> {
        None
    }

    /// The objects of jsonl, if they hold more than the records.
    fn objects(&self) -> Box<dyn Iterator<Item = Value> + '_> {
        Box::new(self.records().objects())
    }

    /// Lines as `trec_eval` prints them, if it can express the result.
    fn trec(&self) -> Option<String> {
        None
    }
}

/// A table with a title, which may be empty.
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) table: Table,
}

impl From<Table> for Section {
    fn from(table: Table) -> Self {
        Self {
            title: String::new(),
            table,
        }
    }
}

impl Section {
    fn render(mut self, format: Format, width: usize) -> String {
        self.table.width = width;
        match (self.title.as_str(), format) {
            ("", _) => self.table.render(format),
            (title, Format::Text) => titled(wrapped(title, 0).trim_end(), &self.table, format),
            (title, _) => titled(title, &self.table, format),
        }
    }
}

/// A column of records.
pub(crate) struct Field {
    name: String,
    /// Whether jsonl leaves the field out where it has no value, instead of writing `null`.
    is_optional: bool,
}

impl Field {
    pub(crate) fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            is_optional: false,
        }
    }

    pub(crate) fn optional(name: impl Into<String>) -> Self {
        Self {
            is_optional: true,
            ..Self::new(name)
        }
    }
}

/// Rows of cells below a header. Rows are made one by one, as there may be millions.
pub(crate) struct Records<'a> {
    fields: Vec<Field>,
    rows: Box<dyn Iterator<Item = Vec<Cell>> + 'a>,
}

impl<'a> Records<'a> {
    pub(crate) fn new(
        fields: impl IntoIterator<Item = Field>,
        rows: impl Iterator<Item = Vec<Cell>> + 'a,
    ) -> Self {
        Self {
            fields: fields.into_iter().collect(),
            rows: Box::new(rows),
        }
    }

    /// Records whose fields are all required.
    pub(crate) fn named<'n>(
        names: impl IntoIterator<Item = &'n str>,
        rows: impl Iterator<Item = Vec<Cell>> + 'a,
    ) -> Self {
        Self::new(names.into_iter().map(Field::new), rows)
    }

    fn separated(self, delimiter: u8) -> String {
        let header = self.fields.iter().map(|field| field.name.as_str());
        separated(header, self.rows, delimiter)
    }

    fn objects(self) -> impl Iterator<Item = Value> + 'a {
        let Self { fields, rows } = self;
        rows.map(move |row| {
            let cells = fields.iter().zip(row);
            let given = cells.filter(|(field, cell)| !field.is_optional || *cell != Cell::Missing);
            let members = given.map(|(field, cell)| (field.name.clone(), json_of(cell)));
            Value::Object(members.collect::<Map<_, _>>())
        })
    }
}

/// A cell as a JSON value.
fn json_of(cell: Cell) -> Value {
    match cell {
        Cell::Text(text) => json!(text),
        Cell::Int(value) => json!(value),
        Cell::Real(value) | Cell::Marked(value, _) => json!(value),
        Cell::Missing => Value::Null,
    }
}

/// The result in a format; tables in text are at most `width` columns wide where they can be.
pub(crate) fn render(
    output: &dyn Output,
    format: ResultFormat,
    width: usize,
) -> anyhow::Result<String> {
    Ok(match format {
        ResultFormat::Table => output
            .terminal()
            .unwrap_or_else(|| page(output, Format::Text, width)),
        ResultFormat::Md => page(output, Format::Markdown, width),
        ResultFormat::Latex => page(output, Format::Latex, width),
        ResultFormat::Html => page(output, Format::Html, width),
        ResultFormat::Csv => output.records().separated(b','),
        ResultFormat::Tsv => output.records().separated(b'\t'),
        ResultFormat::Jsonl => {
            let mut text = String::new();
            for object in output.objects() {
                text.push_str(&object.to_string());
                text.push('\n');
            }
            text
        }
        ResultFormat::Json => serde_json::to_string_pretty(&output.json())? + "\n",
        ResultFormat::Trec => output.trec().ok_or_else(no_trec)?,
    })
}

fn page(output: &dyn Output, format: Format, width: usize) -> String {
    let sections = output.sections().into_iter();
    let sections: Vec<String> = sections
        .map(|section| section.render(format, width))
        .collect();
    sections.join("\n")
}

/// Fails early for a result that `trec_eval`'s format cannot express.
pub(crate) fn check_no_trec(format: ResultFormat) -> anyhow::Result<()> {
    match format {
        ResultFormat::Trec => Err(no_trec()),
        _ => Ok(()),
    }
}

fn no_trec() -> anyhow::Error {
    anyhow::anyhow!(
        "the trec format holds a value per measure and topic only; use csv, tsv, json or jsonl"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jsonl_leaves_out_optional_fields_without_a_value() {
        let rows = [
            vec![Cell::text("a"), Cell::Missing, Cell::Int(1)],
            vec![Cell::text("b"), Cell::Real(0.5), Cell::Missing],
        ];
        let fields = || {
            [
                Field::new("run"),
                Field::new("value"),
                Field::optional("upper"),
            ]
        };
        let records = Records::new(fields(), rows.clone().into_iter());
        let objects: Vec<String> = records.objects().map(|one| one.to_string()).collect();
        assert_eq!(
            objects,
            [
                r#"{"run":"a","value":null,"upper":1}"#,
                r#"{"run":"b","value":0.5}"#
            ]
        );
        let records = Records::new(fields(), rows.into_iter());
        assert_eq!(records.separated(b','), "run,value,upper\na,,1\nb,0.5,\n");
    }
}
