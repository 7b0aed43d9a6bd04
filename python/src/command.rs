//! The command line, run inside of Python.

use std::ffi::OsString;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Parser;
use cranfield::Evaluation;
use cranfield::compare::Step;
use cranfield_cli::args::{Args, Command, Lazy};
use pyo3::prelude::*;

use crate::errors::Failure;
use crate::evaluation::PyEvaluation;
use crate::work::work;

/// Least time between two calls of a function that is told how far a comparison has come.
const PAUSE: Duration = Duration::from_millis(100);

/// Runs the command line on this process's standard streams, and returns its exit code.
#[pyfunction]
pub(crate) fn command_line(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| cranfield_cli::exit_code_of(arguments))
}

/// Runs a command, and returns its exit code, its output, and its notes. What the command line would tell as an error is raised.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<(u8, String, String)> {
    captured(py, arguments, |args, out, err| {
        cranfield_cli::run(args, out, err)
    })
}

/// Runs `compare`, of an evaluation if one is given. `watch` is told how far it has come: the measure, what is done, how much of
/// it, and how much there is; if it raises, the exception is raised when the comparison ends.
#[pyfunction]
#[pyo3(signature = (arguments, evaluation = None, watch = None))]
pub(crate) fn compare(
    py: Python<'_>,
    arguments: Vec<OsString>,
    evaluation: Option<&Bound<'_, PyEvaluation>>,
    watch: Option<Py<PyAny>>,
) -> PyResult<(u8, String, String)> {
    let evaluation = evaluation.map(|one| Evaluation::clone(&one.get().evaluation));
    captured(py, arguments, move |args, out, err| {
        let Command::Compare(Lazy(args)) = args.command else {
            anyhow::bail!("this is no comparison");
        };
        let watcher = Watcher::new(watch);
        let tell = |step: Step<'_>| watcher.tell(step);
        let code = cranfield_cli::compare_watched(&args, evaluation, &tell, out, err)?;
        watcher.finish()?;
        Ok(code)
    })
}

/// A function of Python that is told how far a comparison has come, from whichever thread.
struct Watcher {
    function: Option<Py<PyAny>>,
    state: Mutex<Watched>,
}

#[derive(Default)]
struct Watched {
    last: Option<Instant>,
    raised: Option<PyErr>,
}

impl Watcher {
    fn new(function: Option<Py<PyAny>>) -> Self {
        Self {
            function,
            state: Mutex::default(),
        }
    }

    fn tell(&self, step: Step<'_>) {
        let Some(function) = &self.function else {
            return;
        };
        // A thread that finds another one telling goes on with its work.
        let Ok(mut state) = self.state.try_lock() else {
            return;
        };
        let early = state.last.is_some_and(|last| last.elapsed() < PAUSE);
        if (early && step.done < step.total) || state.raised.is_some() {
            return;
        }
        state.last = Some(Instant::now());
        let arguments = (step.measure, step.what, step.done, step.total);
        state.raised = Python::attach(|py| function.call1(py, arguments).err());
    }

    fn finish(self) -> anyhow::Result<()> {
        match self.state.into_inner() {
            Ok(Watched {
                raised: Some(raised),
                ..
            }) => Err(raised.into()),
            _ => Ok(()),
        }
    }
}

/// Runs something with the arguments of the command line, and returns exit code, output and notes.
fn captured(
    py: Python<'_>,
    arguments: Vec<OsString>,
    run: impl FnOnce(Args, &mut Vec<u8>, &mut Vec<u8>) -> anyhow::Result<u8> + Send + 'static,
) -> PyResult<(u8, String, String)> {
    let (code, out, err) = work(py, true, None, move || {
        let args = Args::try_parse_from(arguments).map_err(|error| usage(&error.to_string()))?;
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = run(args, &mut out, &mut err).map_err(failure)?;
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
    let error = match error.downcast::<cranfield::io::Error>() {
        Ok(error) => return Failure::Io(error),
        Err(error) => error,
    };
    match error.downcast::<PyErr>() {
        Ok(error) => Failure::Raised(error),
        Err(error) => Failure::Usage(format!("{error:#}")),
    }
}
