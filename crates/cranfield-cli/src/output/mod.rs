//! Results as commands print them.

pub(crate) mod agreed;
pub(crate) mod agreement;
pub(crate) mod broken_pipe;
mod estimates;
pub(crate) mod explanations;
pub(crate) mod notes;
pub(crate) mod panel;
pub(crate) mod scenarios;
pub(crate) mod scored;
pub(crate) mod scores;
pub(crate) mod shown;
pub(crate) mod sideways;
pub(crate) mod topic_rows;
pub(crate) mod vectors;

pub(crate) use cranfield::file_hash;
use cranfield::provenance;

/// Most columns of prose.
const PROSE: usize = 80;

/// Width of tables in columns: that of `COLUMNS` or of the terminal. Unlimited if the output is not a terminal, so that names are not
/// shortened in files and pipes.
pub fn terminal_width() -> usize {
    width_or(|| terminal_size::terminal_size_of(std::io::stdout()))
}

/// Width of errors in columns, like [`terminal_width`].
pub(crate) fn error_width() -> usize {
    width_or(|| terminal_size::terminal_size_of(std::io::stderr()))
}

fn width_or(
    terminal: impl FnOnce() -> Option<(terminal_size::Width, terminal_size::Height)>,
) -> usize {
    let columns = std::env::var("COLUMNS").ok();
    let columns = columns.and_then(|columns| columns.parse().ok());
    let columns = columns.filter(|columns| *columns > 0);
    columns
        .or_else(|| terminal().map(|(width, _)| usize::from(width.0)))
        .unwrap_or(usize::MAX)
}

/// Width of prose in columns.
pub(crate) fn text_width() -> usize {
    terminal_width().min(PROSE)
}

/// Wraps text at the width of prose without breaking words. All lines but the first are indented.
pub(crate) fn wrapped(text: &str, indent: usize) -> String {
    filled(text, text_width(), indent) + "\n"
}

fn filled(text: &str, width: usize, indent: usize) -> String {
    let indent = " ".repeat(indent);
    let options = textwrap::Options::new(width)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    textwrap::fill(text, options)
}

/// Wraps the lines of diagnostics that start with a label, such as `= cause:`.
pub(crate) fn wrap_labels(text: &str, width: usize) -> String {
    let lines = text.split('\n').map(|line| match label_width(line) {
        Some(indent) if width < usize::MAX => filled(line, width, indent),
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Columns of the label at the start of a line, if it has one. Colours have no width.
fn label_width(line: &str) -> Option<usize> {
    let (label, _) = line.split_once(": ")?;
    let uncoloured: String = label
        .split('\x1b')
        .enumerate()
        .map(|(at, part)| match part.split_once('m') {
            Some((_, rest)) if at > 0 => rest,
            _ => part,
        })
        .collect();
    let name = uncoloured.trim_start();
    let is_label = name.starts_with("= ") || matches!(name, "cause" | "cure");
    is_label.then(|| uncoloured.len() + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_labelled_lines_are_wrapped() {
        let text = "error[IR010]: a message that is longer than the width\n  = cause: one two three four\n";
        let wrapped = "error[IR010]: a message that is longer than the width\n  = cause: one two\n           three\n           four\n";
        assert_eq!(wrap_labels(text, 19), wrapped);
        assert_eq!(wrap_labels(text, usize::MAX), text);
        let coloured = " \x1b[1m= \x1b[0m\x1b[1mhelp\x1b[0m: one two three";
        let wrapped = " \x1b[1m= \x1b[0m\x1b[1mhelp\x1b[0m: one two\n         three";
        assert_eq!(wrap_labels(coloured, 16), wrapped);
        assert_eq!(wrap_labels("1 | = a: b c d", 5), "1 | = a: b c d");
    }
}
