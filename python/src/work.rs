//! Work without the interpreter's lock, which Ctrl-C ends within a tenth of a second.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use cranfield::engine::with_threads;
use pyo3::prelude::*;

use crate::errors::{Failure, OrRaise};

/// How often signals are looked for.
const PERIOD: Duration = Duration::from_millis(100);

/// Documents that are evaluated before anybody could press a key.
const SMALL: usize = 100_000;

/// Whether work on so many documents is long enough to be interrupted.
pub(crate) fn is_long(documents: usize) -> bool {
    documents > SMALL
}

/// Does the work on so many threads, or on one per core, while other Python threads go on. Long work is done by a thread of its
/// own, and left to end by itself if the user interrupts it.
pub(crate) fn work<T: Send + 'static>(
    py: Python<'_>,
    long: bool,
    threads: Option<usize>,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let guarded = move || {
        let done = catch_unwind(AssertUnwindSafe(|| with_threads(threads, work)));
        match done {
            Ok(Ok(result)) => result,
            Ok(Err(why)) => Err(Failure::Internal(format!("no threads: {why}"))),
            Err(_) => Err(Failure::Internal("a computation failed".into())),
        }
    };
    if !long {
        return py.detach(guarded).or_raise(py);
    }
    let (sender, receiver) = channel();
    let builder = std::thread::Builder::new().name("cranfield".into());
    builder.spawn(move || {
        // Nobody waits any more for the result of work that was interrupted.
        let _ = sender.send(guarded());
    })?;
    let receiver = Mutex::new(receiver);
    loop {
        let received = py.detach(|| {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(PERIOD)
        });
        match received {
            Ok(result) => return result.or_raise(py),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::Internal("a thread ended early".into()).raise(py));
            }
        }
    }
}
