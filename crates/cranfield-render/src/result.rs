//! Results in every format: one trait that they implement, and one function that writes them.

use std::fmt;

use serde_json::{Map, Value, json};

use crate::page::{PROSE, Page, PageFormat, wrapped};
use crate::{Cell, Table, html_text, separated};

/// Format of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[allow(
    clippy::doc_markdown,
    reason = "these comments are help, without Markdown"
)]
pub enum ResultFormat {
    /// Aligned text for a terminal
    #[cfg_attr(feature = "clap", value(alias = "text"))]
    Table,
    /// One JSON object, with provenance
    Json,
    /// JSON Lines, one object per record
    Jsonl,
    /// Comma-separated values, one line per record
    Csv,
    /// Tab-separated values, one line per record
    Tsv,
    /// Markdown
    Md,
    /// LaTeX
    Latex,
    /// HTML
    Html,
    /// trec_eval's output format
    Trec,
}

impl ResultFormat {
    /// The format of files with this extension.
    ///
    /// ```
    /// use cranfield_render::ResultFormat;
    /// assert_eq!(ResultFormat::of_extension("tex"), Some(ResultFormat::Latex));
    /// assert_eq!(ResultFormat::of_extension("txt"), None);
    /// ```
    pub fn of_extension(extension: &str) -> Option<Self> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "csv" => Self::Csv,
            "tsv" => Self::Tsv,
            "json" => Self::Json,
            "jsonl" | "ndjson" => Self::Jsonl,
            "md" => Self::Md,
            "tex" => Self::Latex,
            "html" | "htm" => Self::Html,
            _ => return None,
        })
    }
}

/// A result that can be written in every format.
pub trait Render {
    /// The result for reading: the formats table, md, latex and html.
    fn content(&self) -> Content;

    /// One record per value at full precision: the formats csv, tsv and jsonl.
    fn records(&self) -> Records<'_>;

    /// The whole result with its provenance: the format json.
    fn json(&self) -> Value;

    /// Text for a terminal, if it is not the content.
    fn terminal(&self) -> Option<String> {
        None
    }

    /// LaTeX, if it is not the content.
    fn latex(&self) -> Option<String> {
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

    /// Renders the result; tables in text are at most `width` columns wide where they can be.
    ///
    /// # Errors
    /// If the format cannot express the result.
    fn render(&self, format: ResultFormat, width: usize) -> Result<String, NoTrec> {
        let content = |format| self.content().render(format, width);
        Ok(match format {
            ResultFormat::Table => self.terminal().unwrap_or_else(|| content(PageFormat::Text)),
            ResultFormat::Md => content(PageFormat::Markdown),
            ResultFormat::Latex => self.latex().unwrap_or_else(|| content(PageFormat::Latex)),
            ResultFormat::Html => content(PageFormat::Html),
            ResultFormat::Csv => self.records().separated(b','),
            ResultFormat::Tsv => self.records().separated(b'\t'),
            ResultFormat::Jsonl => self.objects().map(|object| format!("{object}\n")).collect(),
            ResultFormat::Json => format!("{:#}\n", self.json()),
            ResultFormat::Trec => self.trec().ok_or(NoTrec)?,
        })
    }
}

/// `trec_eval`'s format cannot express the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoTrec;

impl fmt::Display for NoTrec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the trec format holds a value per measure and topic only; use csv, tsv, json or jsonl",
        )
    }
}

impl std::error::Error for NoTrec {}

/// A result for reading.
#[derive(Clone, Debug)]
pub enum Content {
    /// Tables, one below the other.
    Sections(Vec<Section>),
    /// A page with prose. In HTML it is a whole file.
    Page(Page),
}

impl Content {
    fn render(self, format: PageFormat, width: usize) -> String {
        match self {
            Self::Page(page) => page.render(format, width),
            Self::Sections(sections) => {
                let sections = sections.into_iter();
                let sections = sections.map(|section| section.render(format, width));
                sections.collect::<Vec<_>>().join("\n")
            }
        }
    }
}

impl From<Table> for Content {
    fn from(table: Table) -> Self {
        Self::Sections(vec![table.into()])
    }
}

/// A table with a title, which may be empty.
#[derive(Clone, Debug)]
pub struct Section {
    /// The title.
    pub title: String,
    /// The table.
    pub table: Table,
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
    fn render(mut self, format: PageFormat, width: usize) -> String {
        self.table.width = width;
        let table = self.table.render(format.into());
        match (self.title.as_str(), format) {
            ("", _) => table,
            (title, PageFormat::Text) => {
                let title = wrapped(title, width.min(PROSE)).join("\n");
                format!("{title}\n{table}")
            }
            (title, PageFormat::Markdown) => format!("`{title}`\n\n{table}"),
            (title, PageFormat::Latex) => format!("% {title}\n{table}"),
            (title, PageFormat::Html) => format!("<h2>{}</h2>\n{table}", html_text(title)),
        }
    }
}

/// A column of records.
#[derive(Debug)]
pub struct Field {
    name: String,
    /// Whether jsonl leaves the field out where it has no value, instead of writing `null`.
    is_optional: bool,
}

impl Field {
    /// A field that every record has.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            is_optional: false,
        }
    }

    /// A field that jsonl leaves out where it has no value.
    pub fn optional(name: impl Into<String>) -> Self {
        Self {
            is_optional: true,
            ..Self::new(name)
        }
    }
}

/// Rows of cells below a header. Rows are made one by one, as there may be millions.
pub struct Records<'a> {
    fields: Vec<Field>,
    rows: Box<dyn Iterator<Item = Vec<Cell>> + 'a>,
}

impl<'a> Records<'a> {
    /// Rows of cells below fields.
    pub fn new(
        fields: impl IntoIterator<Item = Field>,
        rows: impl Iterator<Item = Vec<Cell>> + 'a,
    ) -> Self {
        Self {
            fields: fields.into_iter().collect(),
            rows: Box::new(rows),
        }
    }

    /// Records whose fields are all required.
    pub fn named<'n>(
        names: impl IntoIterator<Item = &'n str>,
        rows: impl Iterator<Item = Vec<Cell>> + 'a,
    ) -> Self {
        Self::new(names.into_iter().map(Field::new), rows)
    }

    /// The records with all rows made, so that they borrow nothing.
    pub fn collected<'b>(self) -> Records<'b> {
        let rows: Vec<Vec<Cell>> = self.rows.collect();
        Records::new(self.fields, rows.into_iter())
    }

    /// The records as columns.
    pub fn into_columns(self) -> Vec<(String, Vec<Cell>)> {
        let names = self.fields.into_iter().map(|field| field.name);
        let mut columns: Vec<(String, Vec<Cell>)> = names.map(|name| (name, Vec::new())).collect();
        for row in self.rows {
            for ((_, column), cell) in columns.iter_mut().zip(row) {
                column.push(cell);
            }
        }
        columns
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
            let members = given.map(|(field, cell)| (field.name.clone(), cell.into()));
            Value::Object(members.collect::<Map<_, _>>())
        })
    }
}

impl From<Cell> for Value {
    fn from(cell: Cell) -> Self {
        match cell {
            Cell::Text(text) => json!(text),
            Cell::Int(value) => json!(value),
            Cell::Real(value) | Cell::Marked(value, _) => json!(value),
            Cell::Missing => Self::Null,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    struct Lengths;

    impl Render for Lengths {
        fn content(&self) -> Content {
            let mut table = Table::new([Column::text("run")]);
            table.push([Cell::text("a<b")]);
            let title = "lengths of <runs>".into();
            Content::Sections(vec![Section { title, table }])
        }

        fn records(&self) -> Records<'_> {
            let rows = [
                vec![Cell::text("a"), Cell::Missing, Cell::Int(1)],
                vec![Cell::text("b"), Cell::Real(0.5), Cell::Missing],
            ];
            let fields = [
                Field::new("run"),
                Field::new("value"),
                Field::optional("upper"),
            ];
            Records::new(fields, rows.into_iter())
        }

        fn json(&self) -> Value {
            json!({"lengths": []})
        }
    }

    #[test]
    fn jsonl_leaves_out_optional_fields_without_a_value() {
        let render = |format| Lengths.render(format, 80).unwrap();
        assert_eq!(
            render(ResultFormat::Jsonl),
            "{\"run\":\"a\",\"value\":null,\"upper\":1}\n{\"run\":\"b\",\"value\":0.5}\n"
        );
        assert_eq!(render(ResultFormat::Csv), "run,value,upper\na,,1\nb,0.5,\n");
    }

    #[test]
    fn sections_have_titles_in_every_format() {
        let render = |format| Lengths.render(format, 12).unwrap();
        assert_eq!(
            render(ResultFormat::Table),
            "lengths of\n<runs>\nrun\na<b\n"
        );
        assert!(render(ResultFormat::Md).starts_with("`lengths of <runs>`\n\n|"));
        assert!(render(ResultFormat::Latex).starts_with("% lengths of <runs>\n"));
        assert!(render(ResultFormat::Html).starts_with("<h2>lengths of &lt;runs&gt;</h2>\n"));
        assert_eq!(Lengths.render(ResultFormat::Trec, 12), Err(NoTrec));
    }
}
