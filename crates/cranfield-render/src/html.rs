//! HTML tables.

use crate::{Align, Column, Table, visible};

pub(crate) fn render(table: &Table) -> String {
    let mut out = String::from("<table>\n<thead><tr>");
    for column in &table.columns {
        let style = style(column);
        out.push_str(&format!(
            "<th scope=\"col\"{style}>{}</th>",
            escape(&column.name)
        ));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in table.rounded_rows("–", escape, |marks| {
        format!("<sup>{}</sup>", escape(marks))
    }) {
        out.push_str("<tr>");
        for (cell, column) in row.iter().zip(&table.columns) {
            let style = style(column);
            out.push_str(&format!("<td{style}>{cell}</td>"));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n");
    out
}

fn style(column: &Column) -> &'static str {
    match column.align {
        Align::Right => " style=\"text-align: right\"",
        Align::Left => "",
    }
}

/// A text with the characters escaped that have a meaning in HTML, and those made visible that a browser would obey.
pub fn escape(text: &str) -> String {
    visible(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
