//! Tables and pages: one model, and a renderer for each format that people and programs read. The module `plot` does the
//! same for plots.
//!
//! ```
//! use cranfield_render::{Cell, Column, Format, Table};
//!
//! let mut table = Table::new([Column::text("run"), Column::number("AP")]);
//! table.push([Cell::text("bm25"), Cell::Real(0.31249)]);
//! assert_eq!(table.render(Format::Markdown), "| run | AP |\n|:---|---:|\n| bm25 | 0.3125 |\n");
//! assert_eq!(table.render(Format::Csv), "run,AP\nbm25,0.31249\n");
//! ```

mod html;
mod latex;
mod long_table;
mod markdown;
mod number;
mod page;
pub mod plot;
mod result;
mod text;
mod visible;

pub use html::escape as html_text;
pub use latex::escape as latex_text;
pub use long_table::{long_table, text as latex_words};
pub use markdown::escape as markdown_text;
pub use number::{rounded, signed, with_exponent};
pub use page::{Page, PageFormat, wrapped};
pub use result::{Content, Field, NoTrec, Records, Render, ResultFormat, Section};
pub use visible::{is_obeyed, one_line, visible};

use std::fmt;
use std::str::FromStr;

/// A number of things in words: `1 topic`, `3 topics`.
pub fn plural(count: usize, unit: &str) -> String {
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// The formats of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Aligned text for a terminal.
    Text,
    /// Comma-separated values, full precision.
    Csv,
    /// Tab-separated values, full precision.
    Tsv,
    /// A Markdown table.
    Markdown,
    /// A LaTeX `tabular` with booktabs rules.
    Latex,
    /// An HTML table.
    Html,
}

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Names.
    Left,
    /// Numbers.
    Right,
}

/// A column's heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The heading.
    pub name: String,
    /// Alignment.
    pub align: Align,
    /// Whether strings that are too long lose their end and not their middle.
    pub is_prose: bool,
}

impl Column {
    /// A column of names.
    pub fn text(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            align: Align::Left,
            is_prose: false,
        }
    }

    /// A column of titles and other strings that are read from their beginning.
    pub fn prose(name: impl Into<String>) -> Self {
        Self {
            is_prose: true,
            ..Self::text(name)
        }
    }

    /// A column of numbers.
    pub fn number(name: impl Into<String>) -> Self {
        Self {
            align: Align::Right,
            ..Self::text(name)
        }
    }
}

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A name.
    Text(String),
    /// A whole number.
    Int(i64),
    /// A real number: rounded for people, in full precision for programs.
    Real(f64),
    /// A real number with small letters behind it; programs get the number.
    Marked(f64, String),
    /// No value.
    Missing,
}

impl Cell {
    /// A name.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A number of things.
    pub fn count(count: usize) -> Self {
        Self::Int(i64::try_from(count).unwrap_or(i64::MAX))
    }

    /// A number that may be undefined.
    pub fn real(value: Option<f64>) -> Self {
        value
            .filter(|value| !value.is_nan())
            .map_or(Self::Missing, Self::Real)
    }

    fn rounded(&self, digits: usize, missing: &str) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Int(value) => value.to_string(),
            Self::Real(value) | Self::Marked(value, _) => number::rounded(*value, digits),
            Self::Missing => missing.into(),
        }
    }

    fn marks(&self) -> Option<&str> {
        match self {
            Self::Marked(_, marks) if !marks.is_empty() => Some(marks),
            _ => None,
        }
    }

    fn exact(&self) -> String {
        match self {
            Self::Real(value) | Self::Marked(value, _) => number::exact(*value),
            other => other.rounded(0, ""),
        }
    }
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    /// Decimals of real numbers where they are rounded.
    pub digits: usize,
    /// Columns of a terminal that [`Format::Text`] may use.
    pub width: usize,
    /// First columns that say what a row is about: [`Format::Text`] repeats them where it breaks a wide table into blocks.
    pub keys: usize,
    /// Columns whose strings are shortened in the middle, or at the end if they are prose, where [`Format::Text`] is too wide
    /// otherwise, the widest first.
    pub shrink: Vec<usize>,
}

impl Table {
    /// A table without rows, for four decimals and eighty columns.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self {
            columns: columns.into_iter().collect(),
            rows: Vec::new(),
            digits: 4,
            width: 80,
            keys: 1,
            shrink: Vec::new(),
        }
    }

    /// Adds a row; what is missing at its end stays empty, what is too much is dropped.
    pub fn push(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let mut row: Vec<Cell> = cells.into_iter().take(self.columns.len()).collect();
        row.resize(self.columns.len(), Cell::Missing);
        self.rows.push(row);
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The rows, each as long as the columns.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table in a format; ends with a newline.
    pub fn render(&self, format: Format) -> String {
        match format {
            Format::Text => text::render(self),
            Format::Csv => self.separated(b','),
            Format::Tsv => self.separated(b'\t'),
            Format::Markdown => self.markdown(),
            Format::Latex => latex::render(self),
            Format::Html => html::render(self),
        }
    }

    /// The cells for display: `text` formats a cell, `marks` the letters that follow it.
    fn rounded_rows(
        &self,
        missing: &str,
        text: impl Fn(&str) -> String,
        marks: impl Fn(&str) -> String,
    ) -> impl Iterator<Item = Vec<String>> {
        self.rows.iter().map(move |row| {
            let cells = row.iter().map(|cell| {
                let rounded = text(&cell.rounded(self.digits, missing));
                rounded + &cell.marks().map(&marks).unwrap_or_default()
            });
            cells.collect()
        })
    }

    fn separated(&self, delimiter: u8) -> String {
        let header = self.columns.iter().map(|column| column.name.as_str());
        separated(header, &self.rows, delimiter)
    }

    fn markdown(&self) -> String {
        let escape = markdown::escape;
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut out = line(
            self.columns
                .iter()
                .map(|column| escape(&column.name))
                .collect(),
        );
        let rule = self.columns.iter().map(|column| match column.align {
            Align::Left => ":---",
            Align::Right => "---:",
        });
        out.push_str(&format!("|{}|\n", rule.collect::<Vec<_>>().join("|")));
        for row in self.rounded_rows("–", escape, |marks| {
            format!("<sup>{}</sup>", escape(marks))
        }) {
            out.push_str(&line(row));
        }
        out
    }
}

/// Rows below a header as values with a delimiter between them, at full precision. Every row is as long as the header.
pub fn separated<'h>(
    header: impl IntoIterator<Item = &'h str>,
    rows: impl IntoIterator<Item: AsRef<[Cell]>>,
    delimiter: u8,
) -> String {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(delimiter)
        .from_writer(Vec::new());
    let written = writer.write_record(header).and_then(|()| {
        rows.into_iter()
            .try_for_each(|row| writer.write_record(row.as_ref().iter().map(Cell::exact)))
    });
    // Writing to memory does not fail.
    debug_assert!(written.is_ok());
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "table",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Markdown => "md",
            Self::Latex => "latex",
            Self::Html => "html",
        })
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [
            Self::Text,
            Self::Csv,
            Self::Tsv,
            Self::Markdown,
            Self::Latex,
            Self::Html,
        ];
        let found = all.into_iter().find(|format| format.to_string() == text);
        found.ok_or_else(|| format!("unknown table format `{text}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new([
            Column::text("run"),
            Column::number("nDCG@10"),
            Column::number("topics"),
        ]);
        table.push([Cell::text("bm25_k1"), Cell::Real(0.5), Cell::Int(50)]);
        table.push([Cell::text("a|b, <c>"), Cell::Missing]);
        table
    }

    #[test]
    fn separated_values_are_exact_and_quoted() {
        assert_eq!(
            table().render(Format::Csv),
            "run,nDCG@10,topics\nbm25_k1,0.5,50\n\"a|b, <c>\",,\n"
        );
    }

    #[test]
    fn markup_is_escaped() {
        assert!(
            table()
                .render(Format::Markdown)
                .contains("| a\\|b, \\<c\\> | – | – |")
        );
        assert!(table().render(Format::Html).contains("a|b, &lt;c&gt;"));
        assert!(
            table()
                .render(Format::Latex)
                .contains("bm25\\_k1 & 0.5000 & 50 \\\\")
        );
    }

    #[test]
    fn huge_and_tiny_numbers_keep_their_size_in_every_format() {
        let mut table = Table::new([Column::text("run"), Column::number("x")]);
        for value in [1e99, -1e-280, -0.0] {
            table.push([Cell::text("a"), Cell::Real(value)]);
        }
        for format in [Format::Text, Format::Markdown, Format::Latex, Format::Html] {
            let text = table.render(format);
            assert!(text.contains("1.000e99") && text.contains("1.000e-280"));
            assert!(
                text.contains("0.0000") && !text.contains("-0.0000"),
                "{text}"
            );
        }
        for format in [Format::Csv, Format::Tsv] {
            let text = table.render(format);
            assert!(text.contains("1e99\n"), "{text}");
            assert!(
                text.contains("-1e-280\n") && !text.contains("-0\n"),
                "{text}"
            );
        }
    }

    #[test]
    fn names_that_differ_look_different() {
        let mut table = Table::new([Column::text("run")]);
        table.push([Cell::text("a\u{1b}\u{202e}b")]);
        assert_eq!(table.render(Format::Text), "run\na\\x1b\\u{202e}b\n");
        assert!(table.render(Format::Html).contains("a\\x1b\\u{202e}b"));
        let invisible = [
            '\u{200b}',
            '\u{2060}',
            '\u{feff}',
            '\u{ad}',
            '\u{180e}',
            '\u{e0041}',
            '\u{115f}',
            '\u{1160}',
            '\u{2061}',
            '\u{2064}',
            '\u{206a}',
            '\u{3164}',
            '\u{ffa0}',
        ];
        for letter in invisible {
            let mut table = Table::new([Column::text("run")]);
            table.push([Cell::text(format!("a{letter}b"))]);
            for format in [Format::Text, Format::Markdown, Format::Latex, Format::Html] {
                assert!(!table.render(format).contains(letter), "{format}");
            }
            let escaped = format!("a{}b", letter.escape_unicode());
            assert!(table.render(Format::Text).contains(&escaped));
        }
        assert_eq!(visible("\u{200c}\u{200d}"), "\u{200c}\u{200d}");
    }

    #[test]
    fn wide_tables_are_broken_into_blocks_that_fit() {
        let names = (0..40).map(|n| Column::number(format!("measure{n}")));
        let mut table = Table::new(std::iter::once(Column::text("run")).chain(names));
        table.push(
            std::iter::once(Cell::text("bm25")).chain((0..40).map(|n| Cell::Real(f64::from(n)))),
        );
        let text = table.render(Format::Text);
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        assert_eq!(text.matches("bm25").count(), text.matches("run ").count());
        assert!(text.contains("39.0000"));
    }

    #[test]
    fn prose_loses_its_end() {
        let mut table = Table::new([Column::text("id"), Column::prose("title")]);
        (table.width, table.shrink) = (20, vec![1]);
        table.push([Cell::text("1"), Cell::text("a title that is long")]);
        table.push([Cell::text("2"), Cell::text("漢字漢字漢字漢字漢字")]);
        let text = table.render(Format::Text);
        assert_eq!(
            text,
            "id  title\n1   a title that is…\n2   漢字漢字漢字漢…\n"
        );
    }

    #[test]
    fn all_names_give_way_alike() {
        let mut table = Table::new(["run", "against", "verdict"].map(Column::text));
        table.push([
            Cell::text(format!("a{}z", "-".repeat(60))),
            Cell::text(format!("b{}y", "-".repeat(60))),
            Cell::text("better"),
        ]);
        (table.width, table.shrink) = (41, vec![0, 1]);
        let text = table.render(Format::Text);
        let row = text.lines().nth(1).unwrap();
        assert_eq!(row, "a------…------z  b------…------y  better");
        // What is short stays whole.
        table.rows[0][0] = Cell::text("bm25");
        let text = table.render(Format::Text);
        assert!(
            text.contains("\nbm25  b-----------…-----------y  better\n"),
            "{text}"
        );
        // Names below ten letters cannot be distinguished.
        table.width = 5;
        assert!(table.render(Format::Text).contains("b---…---y"));
        // A column that is not there gives no way.
        table.shrink = vec![9];
        assert!(table.render(Format::Text).contains("better"));
    }

    #[test]
    fn every_block_has_all_keys() {
        let strings = ["run", "against"].map(Column::text);
        let numbers = (0..20).map(|n| Column::number(format!("measure{n}")));
        let mut table = Table::new(strings.into_iter().chain(numbers));
        table.keys = 2;
        let names = [Cell::text("dense"), Cell::text("bm25")];
        table.push(names.into_iter().chain((0..20).map(Cell::Int)));
        let text = table.render(Format::Text);
        let blocks: Vec<&str> = text.split("\n\n").collect();
        assert!(blocks.len() > 1);
        for block in blocks {
            assert!(block.starts_with("run    against  measure"), "{block}");
            assert!(block.contains("\ndense  bm25  "), "{block}");
        }
        // More keys than columns are all columns.
        table.keys = 99;
        assert_eq!(table.render(Format::Text).matches("measure19").count(), 1);
        table.keys = 0;
        assert!(table.render(Format::Text).contains("measure19"));
    }
}
