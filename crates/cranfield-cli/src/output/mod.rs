//! Results as commands print them.

pub(crate) mod agreement;
pub(crate) mod broken_pipe;
pub(crate) mod explanations;
pub(crate) mod notes;
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
    let columns = std::env::var("COLUMNS").ok();
    let columns = columns.and_then(|columns| columns.parse().ok());
    let columns = columns.filter(|columns| *columns > 0);
    columns
        .or_else(|| {
            let (width, _) = terminal_size::terminal_size_of(std::io::stdout())?;
            Some(usize::from(width.0))
        })
        .unwrap_or(usize::MAX)
}

/// Width of prose in columns.
pub(crate) fn text_width() -> usize {
    terminal_width().min(PROSE)
}

/// Wraps text at the width of prose without breaking words. All lines but the first are indented.
pub(crate) fn wrapped(text: &str, indent: usize) -> String {
    let indent = " ".repeat(indent);
    let options = textwrap::Options::new(text_width())
        .subsequent_indent(&indent)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    textwrap::fill(text, options) + "\n"
}
