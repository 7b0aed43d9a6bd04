//! LaTeX tables with booktabs rules.

use crate::{Align, Table, visible};

pub(crate) fn render(table: &Table) -> String {
    let columns = table.columns.iter().map(|column| match column.align {
        Align::Left => 'l',
        Align::Right => 'r',
    });
    let mut out = String::from("% needs \\usepackage{booktabs}\n");
    out.push_str(&format!(
        "\\begin{{tabular}}{{{}}}\n\\toprule\n",
        columns.collect::<String>()
    ));
    out.push_str(&line(
        table.columns.iter().map(|column| escape(&column.name)),
    ));
    out.push_str("\\midrule\n");
    let marked = |marks: &str| format!("\\textsuperscript{{{}}}", escape(marks));
    for row in table.rounded_rows("--", escape, marked) {
        out.push_str(&line(row.into_iter()));
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n");
    out
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.collect();
    format!("{} \\\\\n", cells.join(" & "))
}

/// A text with the characters escaped that have a meaning in LaTeX.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in visible(text).chars() {
        match letter {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(letter);
            }
            // At the start of a row they would belong to the line break before it.
            '[' | ']' | '*' => out.extend(['{', letter, '}']),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '\\' => out.push_str("\\textbackslash{}"),
            // The fonts that LaTeX has without being asked show other letters in place of these.
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            other => out.push(other),
        }
    }
    out
}
