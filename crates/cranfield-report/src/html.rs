//! HTML tables.

use crate::{Align, Table};

pub(crate) fn render(table: &Table) -> String {
    let mut out = String::from("<table>\n<thead><tr>");
    for column in &table.columns {
        out.push_str(&format!("<th scope=\"col\">{}</th>", escape(&column.name)));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in table.rounded_rows("–") {
        out.push_str("<tr>");
        for (cell, column) in row.iter().zip(&table.columns) {
            let style = if column.align == Align::Right {
                " style=\"text-align: right\""
            } else {
                ""
            };
            out.push_str(&format!("<td{style}>{}</td>", escape(cell)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n");
    out
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
