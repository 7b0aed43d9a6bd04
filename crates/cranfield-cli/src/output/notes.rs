//! Notes, short, on standard error.

use std::fmt::Display;
use std::io::{self, Write};

use cranfield::Evaluation;
pub(crate) use cranfield::report::plural;
use cranfield::report::visible;

/// The notes of an evaluation.
pub(crate) fn write(evaluation: &Evaluation, err: &mut dyn Write) -> io::Result<()> {
    write_all(evaluation.notes(), err)
}

/// Notes, one on each line.
pub(crate) fn write_all<N: Display>(
    notes: impl IntoIterator<Item = N>,
    err: &mut dyn Write,
) -> io::Result<()> {
    notes.into_iter().try_for_each(|note| line(err, note))
}

/// A note on a line of its own: a name with the end of a line in it does not begin another.
pub(crate) fn line(err: &mut dyn Write, note: impl Display) -> io::Result<()> {
    writeln!(err, "note: {}", visible(&note.to_string()))
}
