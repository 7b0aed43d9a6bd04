//! What commands print.

pub(crate) mod agreement;
pub(crate) mod comparison;
pub(crate) mod explanations;
pub(crate) mod gate;
pub(crate) mod notes;
pub(crate) mod reader;
pub(crate) mod scenarios;
pub(crate) mod scores;
pub(crate) mod sections;
pub(crate) mod shown;
pub(crate) mod sideways;
pub(crate) mod vectors;

pub(crate) use cranfield::file_hash;
use cranfield::provenance;

use cranfield::report::{Format, Table};

/// Columns of the terminal; 80 where the output is none.
pub(crate) fn terminal_width() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0))
}

/// A text in lines of the terminal's width, all but the first indented; words are not broken.
pub(crate) fn wrapped(text: &str, indent: usize) -> String {
    let width = terminal_width();
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split(' ') {
        if !line.trim().is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
        } else if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines.join("\n") + "\n"
}

/// A table below its title.
pub(crate) fn titled(title: &str, table: &Table, format: Format) -> String {
    let table = table.render(format);
    match format {
        Format::Markdown => format!("`{title}`\n\n{table}"),
        Format::Latex => format!("% {title}\n{table}"),
        Format::Html => {
            let title = title
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            format!("<h2>{title}</h2>\n{table}")
        }
        Format::Text | Format::Csv | Format::Tsv => format!("{title}\n{table}"),
    }
}
