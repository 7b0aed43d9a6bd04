//! The command line, run inside of Python.

use std::ffi::OsString;

use clap::Parser;
use clap::error::{ContextKind, ContextValue};
use cranfield_cli::args::Args;
use pyo3::prelude::*;

use crate::arguments::words;
use crate::errors::Failure;
use crate::work::watched;

/// Runs the command line on this process's standard streams, and returns its exit code.
#[pyfunction]
pub(crate) fn command_line(
    py: Python<'_>,
    #[pyo3(from_py_with = words)] arguments: Vec<OsString>,
) -> u8 {
    py.detach(|| cranfield_cli::exit_code_of(arguments))
}

/// Runs a command, and returns its exit code, its output, and its notes. Errors of the command line are raised.
/// `watch` is called with the progress of a long command: the measure, what is done, how much of it, and how much there is.
#[pyfunction]
#[pyo3(signature = (arguments, watch = None))]
pub(crate) fn command(
    py: Python<'_>,
    #[pyo3(from_py_with = words)] arguments: Vec<OsString>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<(u8, String, String)> {
    captured(py, arguments, watch, |args, out, err| {
        cranfield_cli::run(args, out, err)
    })
}

/// Runs something with the arguments of the command line, and returns exit code, output and notes.
fn captured(
    py: Python<'_>,
    arguments: Vec<OsString>,
    watch: Option<&Bound<'_, PyAny>>,
    run: impl FnOnce(Args, &mut Vec<u8>, &mut Vec<u8>) -> anyhow::Result<u8> + Send + 'static,
) -> PyResult<(u8, String, String)> {
    let (code, out, err) = watched(py, None, watch, move |progress| {
        let mut args = match Args::try_parse_from(arguments) {
            Ok(args) => args,
            // Help and the version are asked for, and no mistakes.
            Err(shown) if !shown.use_stderr() => {
                return Ok((0, shown.to_string().into_bytes(), Vec::new()));
            }
            Err(error) => return Err(usage(&error)),
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        args.progress = Some(progress);
        let code = run(args, &mut out, &mut err).map_err(Failure::from)?;
        Ok((code, out, err))
    })?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok((code, text(out), text(err)))
}

/// The first paragraph of a message about options, and the option that was probably meant.
fn usage(error: &clap::Error) -> Failure {
    let message = error.to_string();
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    let first = message.split("\n\n").next().unwrap_or(message).trim();
    Failure::Usage(match error.get(ContextKind::SuggestedArg) {
        Some(ContextValue::String(near)) => format!("{first}; did you mean '{near}'?"),
        _ => first.into(),
    })
}
