//! Progress of resampling loops.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::random::Resampling;

/// Called with the number of replicates that are done and their total, from any thread, at most once per percent. It has no effect
/// on the results.
pub type Watcher<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// Replicates and seed with a watcher. Tests accept a [`Resampling`] in its place, which reports to no one.
#[derive(Clone, Copy)]
pub struct Watched<'a> {
    /// Replicates and seed.
    pub resampling: Resampling,
    /// Receives the progress.
    pub watcher: Watcher<'a>,
}

impl From<Resampling> for Watched<'_> {
    fn from(resampling: Resampling) -> Self {
        resampling.watched(&|_, _| ())
    }
}

impl Resampling {
    /// Adds progress reports.
    pub fn watched(self, watcher: Watcher<'_>) -> Watched<'_> {
        Watched {
            resampling: self,
            watcher,
        }
    }
}

impl fmt::Debug for Watched<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.resampling.fmt(f)
    }
}

/// Counts finished replicates.
pub(crate) struct Progress<'a> {
    watcher: Watcher<'a>,
    done: AtomicUsize,
    total: usize,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(watcher: Watcher<'a>, total: usize) -> Self {
        Self {
            watcher,
            done: AtomicUsize::new(0),
            total,
        }
    }

    /// Adds to the number of finished replicates.
    pub(crate) fn add(&self, more: usize) {
        let before = self.done.fetch_add(more, Ordering::Relaxed);
        let percent = |done: usize| done.saturating_mul(100) / self.total.max(1);
        if percent(before) != percent(before + more) {
            (self.watcher)(before + more, self.total);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn each_percent_is_reported_once() {
        let reported = Mutex::new(Vec::new());
        let watcher = |done, total| reported.lock().unwrap().push((done, total));
        let progress = Progress::new(&watcher, 1000);
        for _ in 0..250 {
            progress.add(4);
        }
        let reported = reported.into_inner().unwrap();
        assert_eq!(reported.len(), 100);
        assert_eq!((reported[0], reported[99]), ((12, 1000), (1000, 1000)));
    }
}
