//! The command line, run inside of Python.

use std::ffi::OsString;

use clap::Parser;
use cranfield_cli::args::Args;
use pyo3::prelude::*;

use crate::errors::Failure;
use crate::work::work;

/// Runs the command line on this process's standard streams, and returns its exit code.
#[pyfunction]
pub(crate) fn command_line(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| cranfield_cli::exit_code_of(arguments))
}

/// Runs a command, and returns its exit code, its output, and its notes. What the command line would tell as an error is raised.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<(u8, String, String)> {
    let (code, out, err) = work(py, true, None, move || {
        let args = Args::try_parse_from(arguments).map_err(|error| usage(&error.to_string()))?;
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = cranfield_cli::run(args, &mut out, &mut err).map_err(failure)?;
        Ok((code, out, err))
    })?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok((code, text(out), text(err)))
}

/// The first paragraph of a message about options.
fn usage(message: &str) -> Failure {
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let first = message.split("\n\n").next().unwrap_or(message);
    Failure::Usage(first.trim().into())
}

fn failure(error: anyhow::Error) -> Failure {
    match error.downcast::<cranfield::io::Error>() {
        Ok(error) => Failure::Io(error),
        Err(error) => Failure::Usage(format!("{error:#}")),
    }
}
