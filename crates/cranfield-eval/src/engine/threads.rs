//! The threads of an evaluation.

use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The process that started the threads of the global pool: a forked child lacks them and would deadlock.
static OWNER: OnceLock<u32> = OnceLock::new();

/// Upper limit on the number of threads. Results do not depend on it, and a system can run out of threads.
const MOST_THREADS: usize = 256;

/// Runs `work` on the given number of threads (at most 256), or on one per core. A forked child gets threads of its own.
///
/// # Errors
/// If the threads cannot be started.
pub fn with_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, std::io::Error> {
    let owned = *OWNER.get_or_init(process::id) == process::id();
    let threads = threads.map(|threads| threads.clamp(1, MOST_THREADS));
    match threads.or_else(|| (!owned).then(cores)) {
        None => Ok(work()),
        Some(threads) if owned && threads == rayon::current_num_threads() => Ok(work()),
        Some(threads) => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            Ok(pool.map_err(std::io::Error::other)?.install(work))
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Makes the calling thread a member of the global pool, which gets the given number of threads (at most 256), or one per core.
///
/// Meant for the main thread of a program: it then does its part of the work instead of waiting for other threads to wake up.
///
/// # Errors
/// If the global pool exists already, or its threads cannot be started.
pub fn work_on_this_thread(threads: Option<usize>) -> Result<(), std::io::Error> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.map_or(0, |threads| threads.clamp(1, MOST_THREADS)))
        .use_current_thread()
        .build_global()
        .map_err(std::io::Error::other)
}

/// Calls `work` for each item and returns the results in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    pieces_in_parallel(items, 1, |item| work(&item[0]))
}

/// Splits the items into pieces of the given length and calls `fill` with each piece and its number.
///
/// The calling thread takes part. Each thread starts with its own part of the pieces.
pub fn fill_in_parallel<T: Send>(
    items: &mut [T],
    piece: usize,
    fill: impl Fn(usize, &mut [T]) + Sync + Send,
) {
    // Each lock is taken once, by the thread that fills the piece.
    let pieces: Vec<_> = items.chunks_mut(piece.max(1)).map(Mutex::new).collect();
    let fill = |(): &mut (), at, piece: &[Mutex<&mut [T]>]| fill(at, &mut locked(&piece[0]));
    shared_out(&pieces, 1, Duration::ZERO, || (), fill);
}

/// Converts numbers to another type.
pub fn convert_in_parallel<T: Copy + Sync, U: Copy + Default + Send>(
    numbers: &[T],
    convert: impl Fn(T) -> U + Sync + Send,
) -> Vec<U> {
    /// Numbers per piece. Converting fewer takes less time than waking up another thread.
    const PIECE: usize = 1 << 16;
    if numbers.len() <= PIECE {
        return numbers.iter().map(|number| convert(*number)).collect();
    }
    let mut converted = vec![U::default(); numbers.len()];
    fill_in_parallel(&mut converted, PIECE, |piece, converted| {
        for (to, from) in converted.iter_mut().zip(&numbers[piece * PIECE..]) {
            *to = convert(*from);
        }
    });
    converted
}

/// Distributes pieces of the items over the threads. Each thread that takes part creates a result with `start` and passes it to
/// `work` with one piece after the other. Which thread takes which pieces, and the order of the results, is unspecified.
///
/// Each thread starts with its own part of the pieces before it helps the others. When the same items are processed again, a
/// thread mostly gets the same ones, which are still in its core's cache.
///
/// The other threads are started only if pieces are left when the calling thread has worked for `alone`. That keeps small inputs fast:
/// all threads that were started are waited for, and waking one takes longer than a few short pieces. A thread of the pool does not
/// wait, since it takes back work that no other has started.
pub(crate) fn shared_out<'i, T: Sync, R: Send>(
    items: &'i [T],
    piece: usize,
    alone: Duration,
    start: impl Fn() -> R + Sync,
    work: impl Fn(&mut R, usize, &'i [T]) + Sync,
) -> Vec<R> {
    let pieces: Vec<&[T]> = items.chunks(piece.max(1)).collect();
    let threads = rayon::current_num_threads().min(pieces.len());
    let parts: Vec<Part> = Part::of(pieces.len(), threads);
    let done = Mutex::new(Vec::new());
    let take = |thread: usize, before_each: &mut dyn FnMut()| {
        let mut result = None;
        let (before, own) = parts.split_at(thread);
        for at in own.iter().chain(before).flat_map(Part::rest) {
            before_each();
            work(result.get_or_insert_with(&start), at, pieces[at]);
        }
        locked(&done).extend(result);
    };
    let take = &take;
    let begun = Instant::now();
    let in_pool = rayon::current_thread_index().is_some();
    rayon::in_place_scope(|scope| {
        let mut others = 1..threads;
        take(0, &mut || {
            if in_pool || begun.elapsed() >= alone {
                others
                    .by_ref()
                    .for_each(|thread| scope.spawn(move |_| take(thread, &mut || ())));
            }
        });
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// A range of pieces, from which several threads take one after the other.
struct Part {
    next: AtomicUsize,
    end: usize,
}

impl Part {
    /// One part per thread, of about equal length.
    fn of(pieces: usize, threads: usize) -> Vec<Self> {
        let first = |thread: usize| pieces * thread / threads;
        let part = |thread| Self {
            next: first(thread).into(),
            end: first(thread + 1),
        };
        (0..threads).map(part).collect()
    }

    /// Takes the pieces that no other thread has taken.
    fn rest(&self) -> impl Iterator<Item = usize> + '_ {
        let next = || self.next.fetch_add(1, Ordering::Relaxed);
        std::iter::repeat_with(next).take_while(|at| *at < self.end)
    }
}

/// Splits the items into pieces of the given length, calls `work` for each and returns the results in the order of the pieces.
pub(crate) fn pieces_in_parallel<'i, T: Sync, R: Send>(
    items: &'i [T],
    piece: usize,
    work: impl Fn(&'i [T]) -> R + Sync,
) -> Vec<R> {
    let add = |done: &mut Vec<(usize, R)>, at, piece| done.push((at, work(piece)));
    let done = shared_out(items, piece, Duration::ZERO, Vec::new, add);
    let mut done: Vec<(usize, R)> = done.into_iter().flatten().collect();
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Locks, ignoring poison: if a thread panicked while it held the lock, the panic reaches the caller anyway.
pub(crate) fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Time that a thread evaluates topics alone, see [`shared_out`].
pub(crate) const ALONE: Duration = Duration::from_micros(100);

/// Number of topics per piece: few enough that all threads end at about the same time.
pub(crate) fn topics_per_piece(topics: usize) -> usize {
    topics
        .div_ceil(32 * rayon::current_num_threads())
        .clamp(1, 64)
}

/// Runs both functions, in parallel if there are two threads.
pub fn both<A: Send, B: Send>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    if rayon::current_num_threads() == 1 {
        return (first(), second());
    }
    let mut second_result = None;
    let first_result = rayon::in_place_scope(|scope| {
        scope.spawn(|_| second_result = Some(second()));
        first()
    });
    (
        first_result,
        second_result.expect("the scope ends after all that it spawned"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_filled_by_number() {
        let mut items = [0; 10];
        fill_in_parallel(&mut items, 4, |piece, items| items.fill(piece + 1));
        assert_eq!(items, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3]);
        fill_in_parallel(&mut items[..0], 0, |_, _| unreachable!());
    }

    #[test]
    fn converted_numbers_keep_their_order() {
        for count in [0, 3, 200_000] {
            let numbers: Vec<u32> = (0..count).collect();
            let halves = convert_in_parallel(&numbers, |number| f64::from(number) / 2.0);
            let expected = (0..count).map(|number| f64::from(number) / 2.0);
            assert!(expected.eq(halves));
        }
    }

    #[test]
    fn results_are_in_the_order_of_the_pieces() {
        let items: Vec<usize> = (0..1000).collect();
        for threads in [1, 2, 7] {
            let sums = with_threads(Some(threads), || {
                pieces_in_parallel(&items, 3, |piece| piece.iter().sum::<usize>())
            });
            let expected: Vec<usize> = items.chunks(3).map(|piece| piece.iter().sum()).collect();
            assert_eq!(sums.unwrap(), expected);
        }
        assert!(pieces_in_parallel(&items[..0], 3, <[usize]>::len).is_empty());
    }

    #[test]
    fn every_piece_is_taken_once() {
        let items: Vec<usize> = (0..1000).collect();
        for threads in [1, 2, 7] {
            let add = |taken: &mut Vec<usize>, at: usize, piece: &[usize]| {
                assert_eq!(piece[0], 3 * at);
                taken.extend_from_slice(piece);
            };
            let taken = with_threads(Some(threads), || {
                shared_out(&items, 3, Duration::ZERO, Vec::new, add)
            });
            let taken = taken.unwrap();
            assert!((1..=threads).contains(&taken.len()));
            let mut taken = taken.concat();
            taken.sort_unstable();
            assert_eq!(taken, items);
        }
        let none = shared_out(
            &items[..0],
            3,
            Duration::ZERO,
            Vec::new,
            |_: &mut Vec<u8>, _, _| {},
        );
        assert!(none.is_empty());
    }

    #[test]
    fn short_work_stays_on_the_calling_thread() {
        let caller = std::thread::current().id();
        let check = |(): &mut (), _, _: &[u8]| assert_eq!(std::thread::current().id(), caller);
        let results = shared_out(&[0; 100], 1, Duration::MAX, || (), check);
        assert_eq!(results.len(), 1);
    }

    #[test]
    fn pieces_of_topics_have_1_to_64_topics() {
        assert_eq!(topics_per_piece(0), 1);
        assert_eq!(topics_per_piece(1), 1);
        assert_eq!(topics_per_piece(usize::MAX / 2), 64);
    }

    #[test]
    fn both_functions_run() {
        for threads in [1, 2] {
            let results = with_threads(Some(threads), || both(|| 1, || "two"));
            assert_eq!(results.unwrap(), (1, "two"));
        }
    }

    #[test]
    fn panics_of_other_threads_reach_the_caller() {
        let outcome = with_threads(Some(2), || {
            std::panic::catch_unwind(|| both(|| (), || panic!("the second function fails")))
        });
        assert!(outcome.unwrap().is_err());
    }

    #[test]
    fn threads_are_limited() {
        let started = |threads| with_threads(Some(threads), rayon::current_num_threads).unwrap();
        assert_eq!(started(1_000_000), MOST_THREADS);
        assert_eq!(started(0), 1);
    }
}
