//! Threads that help the calling one with its work, for as long as there is some.
//!
//! A scope of rayon's waits for all that it spawned. While another call keeps all threads busy, that is as long as the other call
//! takes, though the calling thread has done everything by itself meanwhile: measured, an evaluation of 3 ms took 3.5 s beside
//! a test with many resamples. Here, who has not begun is not waited for.
#![allow(
    unsafe_code,
    reason = "threads get work that borrows from the caller, and may come to it when the caller is gone"
)]

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex};

use crate::engine::threads::locked;

/// How often the caller looks whether its last helper is done before it sleeps: waking up takes longer than most last pieces.
const LOOKS: usize = 100;

/// Does work on so many threads, by their numbers; the calling one is number 0, and does not wait for others to wake up. Numbers
/// whose threads have not begun when number 0 is done are left out: each must do what none of the others has taken.
pub(crate) fn on_threads<W: Fn(usize) + Sync>(threads: usize, work: W) {
    let helpers = Arc::new(Helpers::default());
    for number in 1..threads {
        let job = Job {
            work: Borrowed((&raw const work).cast()),
            call: call::<W>,
            helpers: Arc::clone(&helpers),
        };
        rayon::spawn(move || job.run(number));
    }
    // Also when the work fails: the caller's frame must stay until all have left it.
    let dismissal = Dismissal(&helpers);
    work(0);
    drop(dismissal);
    let failure = locked(&helpers.state).failure.take();
    if let Some(failure) = failure {
        resume_unwind(failure);
    }
}

/// The threads that help one caller.
#[derive(Default)]
struct Helpers {
    state: Mutex<State>,
    left: Condvar,
}

#[derive(Default)]
struct State {
    /// Whether nobody may begin any more.
    is_closed: bool,
    at_work: usize,
    /// What the first helper that failed has to say.
    failure: Option<Box<dyn Any + Send>>,
}

/// What one helper is to do.
struct Job {
    work: Borrowed,
    /// [`call`] for the type of the work.
    call: unsafe fn(Borrowed, usize),
    helpers: Arc<Helpers>,
}

/// Where the work of the caller is, which may be gone.
#[derive(Clone, Copy)]
struct Borrowed(*const ());

// SAFETY: it points to work that several threads may do at the same time, as `on_threads` asks for. Who has the pointer can do
// nothing with it but `call`.
unsafe impl Send for Borrowed {}

/// Does the caller's work.
///
/// # Safety
/// `work` must point to a `W` that lives until this returns.
unsafe fn call<W: Fn(usize) + Sync>(work: Borrowed, number: usize) {
    // SAFETY: as the function's own.
    let work = unsafe { &*work.0.cast::<W>() };
    work(number);
}

impl Job {
    fn run(self, number: usize) {
        {
            let mut state = locked(&self.helpers.state);
            if state.is_closed {
                return;
            }
            state.at_work += 1;
        }
        // SAFETY: `call` is that of the type of the work. The work lives: the caller had not closed when this helper was counted as
        // at work, and its frame, which owns the work, stays until it has closed and nobody is counted. That is below.
        let work = || unsafe { (self.call)(self.work, number) };
        let done = catch_unwind(AssertUnwindSafe(work));
        let mut state = locked(&self.helpers.state);
        state.at_work -= 1;
        if let Err(failure) = done {
            state.failure.get_or_insert(failure);
        }
        drop(state);
        self.helpers.left.notify_one();
    }
}

/// Closes, and waits until all helpers have left.
struct Dismissal<'a>(&'a Helpers);

impl Drop for Dismissal<'_> {
    fn drop(&mut self) {
        locked(&self.0.state).is_closed = true;
        for _ in 0..LOOKS {
            if locked(&self.0.state).at_work == 0 {
                return;
            }
            std::thread::yield_now();
        }
        let state = locked(&self.0.state);
        let left = self.0.left.wait_while(state, |state| state.at_work > 0);
        // A poisoned lock would mean that a helper failed outside of its work, where nothing fails.
        drop(left);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;
    use crate::engine::threads::with_threads;

    #[test]
    fn helpers_that_are_busy_elsewhere_are_not_waited_for() {
        let threads = rayon::current_num_threads();
        let (begun, begins) = channel();
        let blocks: Vec<_> = (0..threads)
            .map(|_| {
                let (begun, (release, wait)) = (begun.clone(), channel::<()>());
                rayon::spawn(move || {
                    begun.send(()).unwrap();
                    // Were it waited for, this would fail, and nobody be there to be released.
                    let _ = wait.recv_timeout(Duration::from_secs(20));
                });
                release
            })
            .collect();
        for _ in &blocks {
            begins.recv().unwrap();
        }
        let done = AtomicUsize::new(0);
        on_threads(threads + 1, |number| {
            done.fetch_add(number + 1, Ordering::Relaxed);
        });
        assert_eq!(done.into_inner(), 1);
        for block in blocks {
            block.send(()).unwrap();
        }
    }

    #[test]
    fn the_failure_of_a_helper_is_the_callers() {
        let helped = AtomicBool::new(false);
        let work = |number: usize| {
            if number > 0 {
                helped.store(true, Ordering::Relaxed);
                panic!("a helper failed");
            }
            while !helped.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
        };
        let failed = with_threads(Some(2), || {
            catch_unwind(AssertUnwindSafe(|| on_threads(2, work)))
        });
        let failure = failed.unwrap().unwrap_err();
        assert_eq!(failure.downcast_ref(), Some(&"a helper failed"));
    }

    #[test]
    fn the_failure_of_the_caller_waits_for_its_helpers() {
        let helped = AtomicBool::new(false);
        let at_work = AtomicBool::new(false);
        let work = |number: usize| {
            if number > 0 {
                at_work.store(true, Ordering::Release);
                helped.store(true, Ordering::Release);
                std::thread::sleep(Duration::from_millis(20));
                at_work.store(false, Ordering::Release);
                return;
            }
            while !helped.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
            panic!("the caller failed");
        };
        let failed = with_threads(Some(2), || {
            catch_unwind(AssertUnwindSafe(|| on_threads(2, work)))
        });
        assert!(failed.unwrap().is_err());
        assert!(!at_work.load(Ordering::Acquire));
    }
}
