//! Pages: headings, paragraphs, tables and lines, for a terminal, as Markdown, or as an HTML file of its own.

use crate::html::escape;
use crate::{Format, Table, latex_text, markdown_text, one_line};

/// The formats of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageFormat {
    /// For a terminal.
    Text,
    /// Markdown.
    Markdown,
    /// Sections, paragraphs, tables and lists for the body of a LaTeX document.
    Latex,
    /// A complete HTML file that needs nothing else.
    Html,
}

impl From<PageFormat> for Format {
    fn from(format: PageFormat) -> Self {
        match format {
            PageFormat::Text => Self::Text,
            PageFormat::Markdown => Self::Markdown,
            PageFormat::Latex => Self::Latex,
            PageFormat::Html => Self::Html,
        }
    }
}

/// One part of a page.
#[derive(Clone, Debug, PartialEq)]
enum Block {
    Heading(String),
    Paragraph(String),
    Table(Table),
    Lines(Vec<String>),
}

/// A page.
///
/// ```
/// use cranfield_render::{Page, PageFormat};
///
/// let mut page = Page::new("AP");
/// page.heading("AP of topic 1");
/// page.paragraph("A mean.");
/// page.lines(["AP = 1 / 2"]);
/// assert_eq!(page.render(PageFormat::Text, 80), "AP of topic 1\n\nA mean.\n\n  AP = 1 / 2\n");
/// assert_eq!(page.render(PageFormat::Markdown, 80), "# AP of topic 1\n\nA mean.\n\n- AP = 1 / 2\n");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    title: String,
    blocks: Vec<Block>,
}

impl Page {
    /// An empty page; only HTML shows the title.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            blocks: Vec::new(),
        }
    }

    /// Adds a heading.
    pub fn heading(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Heading(one_line(&text.into())));
    }

    /// Adds a paragraph, unless it is empty.
    pub fn paragraph(&mut self, text: impl Into<String>) {
        let text = one_line(&text.into());
        if !text.is_empty() {
            self.blocks.push(Block::Paragraph(text));
        }
    }

    /// Adds a table, unless it has no rows.
    pub fn table(&mut self, table: Table) {
        if !table.is_empty() {
            self.blocks.push(Block::Table(table));
        }
    }

    /// Adds lines one below the other, unless there are none. A line may have breaks, which text keeps.
    pub fn lines<L: Into<String>>(&mut self, lines: impl IntoIterator<Item = L>) {
        let line = |line: L| {
            let parts: Vec<String> = line.into().split('\n').map(one_line).collect();
            parts.join("\n")
        };
        let lines: Vec<String> = lines.into_iter().map(line).collect();
        if !lines.is_empty() {
            self.blocks.push(Block::Lines(lines));
        }
    }

    /// Renders the page. In text, tables have at most `width` columns, and prose at most 80.
    pub fn render(&self, format: PageFormat, width: usize) -> String {
        let render = match format {
            PageFormat::Text => text,
            PageFormat::Markdown => |block: &Block, _| markdown(block),
            PageFormat::Latex => |block: &Block, _| latex(block),
            PageFormat::Html => |block: &Block, _| html(block),
        };
        let blocks: Vec<String> = self
            .blocks
            .iter()
            .map(|block| render(block, width))
            .collect();
        let body = blocks.join("\n");
        match format {
            PageFormat::Html => document(&self.title, &body),
            PageFormat::Text | PageFormat::Markdown | PageFormat::Latex => body,
        }
    }
}

/// Most columns of prose.
pub(crate) const PROSE: usize = 80;

fn text(block: &Block, width: usize) -> String {
    match block {
        Block::Heading(text) | Block::Paragraph(text) => {
            wrapped(text, width.min(PROSE)).join("\n") + "\n"
        }
        Block::Table(table) => {
            let mut table = table.clone();
            table.width = width;
            table.render(Format::Text)
        }
        Block::Lines(lines) => {
            let indented = lines.iter().flat_map(|line| {
                let pieces = line.lines();
                let width = width.min(PROSE).saturating_sub(6).max(20);
                let parts = pieces.flat_map(|piece| wrapped(piece, width));
                let parts: Vec<String> = parts.collect();
                let indent = |nth| if nth == 0 { "  " } else { "      " };
                let parts = parts.into_iter().enumerate();
                parts.map(move |(nth, part)| format!("{}{part}\n", indent(nth)))
            });
            indented.collect()
        }
    }
}

fn markdown(block: &Block) -> String {
    match block {
        Block::Heading(text) => format!("# {}\n", markdown_text(text)),
        Block::Paragraph(text) => format!("{}\n", markdown_text(text)),
        Block::Table(table) => table.render(Format::Markdown),
        Block::Lines(lines) => {
            let items = lines.iter();
            let items = items.map(|line| format!("- {}\n", markdown_text(line)));
            items.collect()
        }
    }
}

fn latex(block: &Block) -> String {
    match block {
        Block::Heading(text) => format!("\\section*{{{}}}\n", latex_text(text)),
        Block::Paragraph(text) => format!("{}\n", latex_text(text)),
        Block::Table(table) => table.render(Format::Latex),
        Block::Lines(lines) => {
            let items = lines.iter();
            let items = items.map(|line| format!("\\item {}\n", latex_text(&one_line(line))));
            let items: String = items.collect();
            format!("\\begin{{itemize}}\n{items}\\end{{itemize}}\n")
        }
    }
}

fn html(block: &Block) -> String {
    match block {
        Block::Heading(text) => format!("<h1>{}</h1>\n", escape(text)),
        Block::Paragraph(text) => format!("<p>{}</p>\n", escape(text)),
        Block::Table(table) => format!(
            "<div class=\"table\" tabindex=\"0\">\n{}</div>\n",
            table.render(Format::Html)
        ),
        Block::Lines(lines) => {
            let items = lines
                .iter()
                .map(|line| format!("<li>{}</li>\n", escape(&line.replace('\n', " "))));
            format!("<ul>\n{}</ul>\n", items.collect::<String>())
        }
    }
}

/// Readable on a screen, on paper and in the dark.
const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; --line: #d0d0d0; --band: #f4f4f4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e4e4; --paper: #17181a; --line: #44474b; --band: #202226; }
}
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.3rem; margin: 2.5rem 0 0.5rem; overflow-wrap: anywhere; }
h1:first-child { margin-top: 0; }
p, li { overflow-wrap: anywhere; }
p { max-width: 44rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.7rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
th:not([style]), td:not([style]) { max-width: 24rem; white-space: normal; overflow-wrap: break-word; }
th { border-bottom-width: 2px; }
tbody tr:nth-child(even) { background: var(--band); }
ul { list-style: none; padding-left: 0; font-variant-numeric: tabular-nums; }
li { padding: 0.1rem 0; }
@media print {
  :root { --ink: #000; --paper: #fff; --line: #999; --band: #fff; }
  body { margin: 0; max-width: none; font-size: 10pt; }
  .table { overflow: visible; }
  tr, li { break-inside: avoid; }
  h1 { break-after: avoid; }
}
";

fn document(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

/// Wraps text at a width in columns. A longer word, such as a name of 240 characters, is broken.
///
/// ```
/// assert_eq!(cranfield_render::wrapped("one two  three", 8), ["one two", "three"]);
/// assert_eq!(cranfield_render::wrapped("a longername", 6), ["a", "longer", "name"]);
/// ```
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let options = textwrap::Options::new(width.max(1))
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines = textwrap::wrap(&text, options);
    lines.into_iter().map(Into::into).collect()
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;
    use crate::{Cell, Column};

    #[test]
    fn html_is_a_whole_file_without_anything_outside() {
        let mut page = Page::new("a < b");
        page.heading("x & y");
        let mut table = Table::new([Column::text("document")]);
        table.push([Cell::text("<script>")]);
        page.table(table);
        let text = page.render(PageFormat::Html, 80);
        assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"));
        assert!(text.contains("<title>a &lt; b</title>") && text.contains("&lt;script&gt;"));
        assert!(!text.contains("http") && !text.contains("<script"));
    }

    #[test]
    fn text_keeps_to_the_width() {
        let mut page = Page::new("");
        page.paragraph("word ".repeat(50));
        page.lines(["name = ".to_owned() + &"1 + ".repeat(40)]);
        let text = page.render(PageFormat::Text, 60);
        assert!(text.lines().all(|line| line.len() <= 60), "{text}");
    }

    #[test]
    fn names_of_any_length_keep_to_the_width() {
        for word in [
            "x".repeat(240),
            "\u{4e2d}".repeat(100),
            "e\u{301}".repeat(99),
        ] {
            let lines = wrapped(&format!("from {word} to b"), 80);
            assert!(lines.iter().all(|line| line.width() <= 80), "{lines:?}");
            assert_eq!(lines.concat().replace(' ', ""), format!("from{word}tob"));
        }
        assert_eq!(wrapped("\u{4e2d}\u{4e2d}", 1), ["\u{4e2d}", "\u{4e2d}"]);
        assert_eq!(wrapped("ab", 0), ["a", "b"]);
    }

    #[test]
    fn latex_has_sections_and_lists() {
        let mut page = Page::new("");
        page.heading("AP of run_1");
        page.paragraph("100 %");
        page.lines(["a & b"]);
        assert_eq!(
            page.render(PageFormat::Latex, 80),
            "\\section*{AP of run\\_1}\n\n100 \\%\n\n\\begin{itemize}\n\\item a \\& b\n\\end{itemize}\n"
        );
    }

    #[test]
    fn names_are_no_markdown() {
        let mut page = Page::new("");
        page.heading("<b>");
        page.paragraph("under_score [x](y)");
        page.lines(["a|b *c* `d`"]);
        assert_eq!(
            page.render(PageFormat::Markdown, 80),
            "# \\<b\\>\n\nunder\\_score \\[x\\](y)\n\n- a\\|b \\*c\\* \\`d\\`\n"
        );
    }

    #[test]
    fn breaks_of_a_line_are_kept_in_text_only() {
        let mut page = Page::new("");
        page.lines(["first\nsecond", "third"]);
        assert_eq!(
            page.render(PageFormat::Text, 60),
            "  first\n      second\n  third\n"
        );
        assert_eq!(
            page.render(PageFormat::Markdown, 60),
            "- first second\n- third\n"
        );
    }

    #[test]
    fn one_column_gives_way_to_fit() {
        let mut table = Table::new([Column::text("document"), Column::number("value")]);
        table.push([Cell::text("clueweb09-en0000-00-00000"), Cell::Real(1.0)]);
        table.shrink = vec![0];
        table.width = 24;
        assert_eq!(
            table.render(Format::Text),
            "document          value\nclueweb…0-00000  1.0000\n"
        );
        table.width = 80;
        assert!(
            table
                .render(Format::Text)
                .contains("clueweb09-en0000-00-00000")
        );
    }
}
