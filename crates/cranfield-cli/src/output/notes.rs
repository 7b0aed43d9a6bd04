//! Notes of an evaluation, short, on standard error.

use std::io::{self, Write};

use cranfield::Evaluation;
pub(crate) use cranfield::report::plural;

pub(crate) fn write(evaluation: &Evaluation, err: &mut dyn Write) -> io::Result<()> {
    for line in evaluation.notes() {
        writeln!(err, "note: {line}")?;
    }
    Ok(())
}
