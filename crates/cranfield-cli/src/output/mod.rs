//! Results as commands print them.

pub(crate) mod agreement;
pub(crate) mod broken_pipe;
pub mod comparison;
pub(crate) mod explanations;
pub(crate) mod formats;
pub mod gate;
pub(crate) mod notes;
pub(crate) mod scenarios;
pub(crate) mod scored;
pub(crate) mod scores;
pub(crate) mod sections;
pub(crate) mod shown;
pub(crate) mod sideways;
pub(crate) mod topic_rows;
pub(crate) mod vectors;

pub(crate) use cranfield::file_hash;
use cranfield::provenance;

use cranfield::report::{Format, Table};

/// Columns of the terminal, or 80 if the output is not a terminal.
pub fn terminal_width() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0))
}

/// Text wrapped at the width of the terminal, with all lines but the first indented.
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
