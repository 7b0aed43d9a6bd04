//! How far a loop of replicates has come, for those who wait for it.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Who is told how many replicates of how many are done. It is called from any thread, at most once for each percent, and changes
/// nothing.
pub type Watcher<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// Counts what is done.
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

    /// So many more are done.
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
    fn each_percent_is_told_once() {
        let told = Mutex::new(Vec::new());
        let watcher = |done, total| told.lock().unwrap().push((done, total));
        let progress = Progress::new(&watcher, 1000);
        for _ in 0..250 {
            progress.add(4);
        }
        let told = told.into_inner().unwrap();
        assert_eq!(told.len(), 100);
        assert_eq!((told[0], told[99]), ((12, 1000), (1000, 1000)));
    }
}
