//! A LaTeX for the tests that compile tables.

use crate::{command, system};

/// The smallest set of Debian's packages that has booktabs.
const PACKAGES: [&str; 2] = ["texlive-latex-base", "texlive-latex-recommended"];

/// Whether there is a LaTeX, after installing one where that can be done.
pub(crate) fn prepare() -> Result<bool, String> {
    if is_there() {
        println!("pdflatex is there");
        return Ok(true);
    }
    Ok(system::install(&PACKAGES)? && is_there())
}

fn is_there() -> bool {
    command::capture(command::program("pdflatex").arg("--version")).is_ok()
}
