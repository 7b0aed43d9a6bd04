//! The threads of an evaluation.

use rayon::prelude::*;

/// Runs `work` with so many threads, or with one per core.
///
/// # Errors
/// If the system refuses to start them.
pub fn with_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, std::io::Error> {
    match threads {
        None => Ok(work()),
        Some(threads) => {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads.max(1))
                .build();
            Ok(pool.map_err(std::io::Error::other)?.install(work))
        }
    }
}

/// Calls `work` for each item; the results are in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    items.par_iter().map(work).collect()
}
