//! Work without the interpreter's lock, which Ctrl-C ends within a tenth of a second.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use cranfield::compare::Progress;
use cranfield::engine::with_threads;
use pyo3::prelude::*;

use crate::errors::{Failure, OrRaise};

/// How often signals are looked for, and the least time between two reported steps.
const PERIOD: Duration = Duration::from_millis(100);

/// Documents that are evaluated before a user could press a key.
const SMALL: usize = 100_000;

/// Whether work on that many documents is long enough to be interrupted.
pub(crate) fn is_long(documents: usize) -> bool {
    documents > SMALL
}

/// Objects of Python that are read or made between two looks for signals.
const STRIDE: usize = 1 << 16;

/// Looks for signals now and then in a loop over Python's objects, which needs the interpreter's lock: at each of the places
/// given to it, one after the other.
pub(crate) fn at(py: Python<'_>, place: usize) -> PyResult<()> {
    if place % STRIDE == STRIDE - 1 {
        return py.check_signals();
    }
    Ok(())
}

/// Does the work on `threads` threads, or on one per core, while other Python threads go on. Long work is done by a thread of its
/// own, and left to end by itself if the user interrupts it.
pub(crate) fn work<T: Send + 'static>(
    py: Python<'_>,
    long: bool,
    threads: Option<usize>,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    if long {
        return watched(py, threads, None, |_| work());
    }
    py.detach(|| guarded(threads, work)).or_raise(py)
}

/// Does long work that reports its progress. `watch` is called by the thread that waits; what it raises ends the call.
pub(crate) fn watched<T: Send + 'static>(
    py: Python<'_>,
    threads: Option<usize>,
    watch: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Progress) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    fed(py, threads, watch, || Ok(Fed::All), work)
}

/// How far the waiting thread is with feeding the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fed {
    /// There is more, and the work takes it.
    Some,
    /// There is more, once the work has taken what it has.
    Enough,
    /// There is no more.
    All,
}

/// Does long work that needs what only the interpreter can give, such as the items of an iterator. The waiting thread calls `feed`
/// until that was all. If it raises, the call ends as soon as the work has noticed that nothing more comes.
pub(crate) fn fed<T: Send + 'static>(
    py: Python<'_>,
    threads: Option<usize>,
    watch: Option<&Bound<'_, PyAny>>,
    mut feed: impl FnMut() -> PyResult<Fed>,
    work: impl FnOnce(Progress) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    let progress = match watch {
        Some(_) => sent_to(sender.clone()),
        None => Progress::default(),
    };
    let builder = std::thread::Builder::new().name("cranfield".into());
    builder.spawn(move || {
        let done = guarded(threads, || work(progress));
        // No one waits for the result of work that was interrupted.
        let _ = sender.send(Sent::Done(done));
    })?;
    let receiver = Mutex::new(receiver);
    let receive = |period| {
        py.detach(|| {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(period)
        })
    };
    let mut state = Fed::Some;
    loop {
        if state != Fed::All {
            state = match feed() {
                Ok(state) => state,
                Err(raised) => {
                    drop(feed);
                    while !matches!(
                        receive(PERIOD),
                        Ok(Sent::Done(_)) | Err(RecvTimeoutError::Disconnected)
                    ) {}
                    return Err(raised);
                }
            };
        }
        let period = match state {
            Fed::Some => Duration::ZERO,
            Fed::Enough => PERIOD / 20,
            Fed::All => PERIOD,
        };
        match receive(period) {
            Ok(Sent::Done(result)) => return result.or_raise(py),
            Ok(Sent::Step(measure, what, done, total)) => {
                if let Some(watch) = watch {
                    watch.call1((measure, what, done, total))?;
                }
                py.check_signals()?;
            }
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::Internal("a thread ended early".into()).raise(py));
            }
        }
    }
}

fn guarded<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    match catch_unwind(AssertUnwindSafe(|| with_threads(threads, work))) {
        Ok(Ok(result)) => result,
        Ok(Err(why)) => Err(Failure::Internal(format!("no threads: {why}"))),
        Err(_) => Err(Failure::Internal("a computation failed".into())),
    }
}

/// Messages from the thread that works to the one that waits.
enum Sent<T> {
    Step(String, String, usize, usize),
    Done(Result<T, Failure>),
}

/// Sends the first step, the last one of each kind, and between them one every now and then.
fn sent_to<T: Send + 'static>(sender: Sender<Sent<T>>) -> Progress {
    let last: Mutex<Option<Instant>> = Mutex::default();
    Progress::new(move |step| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let early = last.is_some_and(|last| last.elapsed() < PERIOD);
        if early && step.done < step.total {
            return;
        }
        *last = Some(Instant::now());
        let (measure, what) = (step.measure.to_owned(), step.what.to_owned());
        // No one listens to work that was interrupted.
        let _ = sender.send(Sent::Step(measure, what, step.done, step.total));
    })
}
