//! A picture of a terminal: what a command prints, as SVG text.
//!
//! Nothing is drawn that a reader could not select and copy. Colours come in a light and a dark set, and carry no meaning alone.

use std::fmt::Write;

/// Columns of the terminal; longer lines are broken between words.
const COLUMNS: usize = 96;
const FONT_SIZE: f64 = 14.0;
const CHARACTER: f64 = 8.4;
const LINE: f64 = 20.0;
const PADDING: f64 = 18.0;

const STYLE: &str = "\
    rect { fill: #ffffff; stroke: #d0d7de; }
    text { fill: #1f2328; font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre; }
    .command { fill: #0550ae; font-weight: 600; }
    .note { fill: #59636e; }
    .head { font-weight: 600; }
    @media (prefers-color-scheme: dark) {
      rect { fill: #0d1117; stroke: #3d444d; }
      text { fill: #f0f6fc; }
      .command { fill: #79c0ff; }
      .note { fill: #9198a1; }
    }
";

/// A line and what it is.
struct Line {
    class: &'static str,
    text: String,
}

/// The picture of a command with what it prints on standard error, then on standard output.
pub(crate) fn terminal(title: &str, command: &str, notes: &str, table: &str) -> String {
    let mut lines = broken("command", &format!("$ {command}"));
    lines.extend(notes.lines().flat_map(|line| broken("note", line)));
    for (at, line) in table.lines().enumerate() {
        lines.extend(broken(if at == 0 { "head" } else { "" }, line));
    }
    let columns = lines
        .iter()
        .map(|line| line.text.chars().count())
        .max()
        .unwrap_or(0);
    let (width, height) = (
        2.0 * PADDING + CHARACTER * columns as f64,
        2.0 * PADDING + LINE * lines.len() as f64,
    );
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width:.1}\" height=\"{height:.1}\" \
         viewBox=\"0 0 {width:.1} {height:.1}\" font-size=\"{FONT_SIZE}\">\n  <title>{}</title>\n  <style>\n{STYLE}  </style>\n  \
         <rect x=\"0.5\" y=\"0.5\" width=\"{:.1}\" height=\"{:.1}\" rx=\"8\"/>\n",
        escaped(title),
        width - 1.0,
        height - 1.0,
    );
    for (at, line) in lines.iter().enumerate() {
        // The length is given, so that columns are aligned whatever font the reader has.
        let length = CHARACTER * line.text.chars().count() as f64;
        let baseline = PADDING + LINE * at as f64 + FONT_SIZE;
        let class = match line.class {
            "" => String::new(),
            class => format!(" class=\"{class}\""),
        };
        let _ = writeln!(
            svg,
            "  <text{class} x=\"{PADDING}\" y=\"{baseline:.1}\" textLength=\"{length:.1}\" \
             lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\">{}</text>",
            escaped(&line.text),
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// A line in pieces that fit.
fn broken(class: &'static str, text: &str) -> Vec<Line> {
    let mut rest = text.trim_end();
    let mut lines = Vec::new();
    while rest.chars().count() > COLUMNS {
        let limit = rest
            .char_indices()
            .nth(COLUMNS)
            .map_or(rest.len(), |(at, _)| at);
        let end = rest[..limit]
            .rfind(' ')
            .filter(|at| *at > 0)
            .unwrap_or(limit);
        lines.push(Line {
            class,
            text: rest[..end].into(),
        });
        rest = rest[end..].trim_start();
    }
    lines.push(Line {
        class,
        text: rest.into(),
    });
    lines
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
