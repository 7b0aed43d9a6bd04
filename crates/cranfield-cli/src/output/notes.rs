//! Notes on standard error.

use std::fmt::Display;
use std::io::{self, Write};

use cranfield::Evaluation;
pub(crate) use cranfield::report::plural;
use cranfield::report::visible;

/// Writes the notes of an evaluation.
pub(crate) fn write(evaluation: &Evaluation, err: &mut dyn Write) -> io::Result<()> {
    write_all(evaluation.notes(), err)
}

/// Writes notes, one per line.
pub(crate) fn write_all<N: Display>(
    notes: impl IntoIterator<Item = N>,
    err: &mut dyn Write,
) -> io::Result<()> {
    notes.into_iter().try_for_each(|note| line(err, note))
}

/// Writes a note on one line; line breaks in names are escaped.
pub(crate) fn line(err: &mut dyn Write, note: impl Display) -> io::Result<()> {
    writeln!(err, "note: {}", visible(&note.to_string()))
}
