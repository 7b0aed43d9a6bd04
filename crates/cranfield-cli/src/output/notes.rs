//! Notes on standard error.

use std::io::{self, Write};

use cranfield::Evaluation;
use cranfield::core::setting::{Message, SettingStyle};
pub(crate) use cranfield::report::plural;
use cranfield::report::visible;

/// Writes the notes of an evaluation.
pub(crate) fn write(evaluation: &Evaluation, err: &mut dyn Write) -> io::Result<()> {
    write_all(evaluation.notes(), err)
}

/// Writes notes, one per line.
pub(crate) fn write_all<N: Into<Message>>(
    notes: impl IntoIterator<Item = N>,
    err: &mut dyn Write,
) -> io::Result<()> {
    notes.into_iter().try_for_each(|note| line(err, note))
}

/// Writes warnings, one per line: what may make a result wrong.
pub(crate) fn warn_all<N: Into<Message>>(
    warnings: impl IntoIterator<Item = N>,
    err: &mut dyn Write,
) -> io::Result<()> {
    warnings.into_iter().try_for_each(|warning| {
        let warning = warning.into().render(SettingStyle::CommandLine);
        writeln!(err, "warning: {}", visible(&warning))
    })
}

/// Writes a note on one line, with settings as flags; line breaks in names are escaped.
pub(crate) fn line(err: &mut dyn Write, note: impl Into<Message>) -> io::Result<()> {
    let note = note.into().render(SettingStyle::CommandLine);
    writeln!(err, "note: {}", visible(&note))
}
