//! The thread pool of this crate.
//!
//! Statistics do not run in rayon's global pool: a test with many resamples would keep its threads busy for minutes, and an
//! evaluation that another thread of the program starts meanwhile would have to wait.

use std::process;
use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The pool, and the process that started its threads. `None` if they could not be started.
static POOL: OnceLock<(u32, Option<ThreadPool>)> = OnceLock::new();

/// Runs `work` in this crate's pool, or in the current one if the calling thread belongs to a pool.
///
/// The pool is created by the first call, with as many threads as rayon's global pool has. A forked child lacks the pool's
/// threads and would deadlock, so it gets a temporary pool.
pub(crate) fn run<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if rayon::current_thread_index().is_some() {
        return work();
    }
    let (owner, pool) = POOL.get_or_init(|| (process::id(), start()));
    if *owner == process::id() {
        run_in(pool.as_ref(), work)
    } else {
        run_in(start().as_ref(), work)
    }
}

fn start() -> Option<ThreadPool> {
    let builder = ThreadPoolBuilder::new().num_threads(rayon::current_num_threads());
    builder
        .thread_name(|number| format!("statistics-{number}"))
        .build()
        .ok()
}

fn run_in<T: Send>(pool: Option<&ThreadPool>, work: impl FnOnce() -> T + Send) -> T {
    match pool {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    #[test]
    fn busy_statistics_leave_the_global_pool_free() {
        let threads = rayon::current_num_threads();
        let (blocked, released) = (Barrier::new(threads + 1), Barrier::new(threads + 1));
        let block = || {
            blocked.wait();
            released.wait();
        };
        std::thread::scope(|scope| {
            scope.spawn(|| run(|| rayon::broadcast(|_| block())));
            blocked.wait();
            let (sender, receiver) = channel();
            rayon::spawn(move || sender.send(()).unwrap());
            let received = receiver.recv_timeout(Duration::from_secs(10));
            released.wait();
            received.unwrap();
        });
    }

    #[test]
    fn work_stays_in_the_pool_of_the_caller() {
        let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        assert_eq!(pool.install(|| run(rayon::current_num_threads)), 3);
    }
}
