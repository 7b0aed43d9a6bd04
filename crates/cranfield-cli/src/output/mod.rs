//! What commands print.

pub(crate) mod notes;
mod provenance;
pub(crate) mod scenarios;
pub(crate) mod scores;
pub(crate) mod sideways;
pub(crate) mod vectors;

/// Columns of the terminal; 80 where the output is none.
pub(crate) fn terminal_width() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0))
}
