//! The threads of an evaluation.

use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::engine::helpers::on_threads;

/// The process that the threads belong to. One that was made by copying another has none of its threads, and would wait for them
/// for ever.
static OWNER: OnceLock<u32> = OnceLock::new();

/// Most threads that are started, however many are asked for: results do not depend on their number, and a system can run out of them.
const MOST_THREADS: usize = 256;

/// Runs `work` with so many threads (at most 256), or with one per core. In a process that is a copy of one that had threads already, they are
/// new ones.
///
/// # Errors
/// If the system refuses to start them.
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

/// Makes the calling thread one of so many (at most 256) that do the work of this process, or of one per core. For the main thread of a
/// program: it then takes part instead of sleeping, and work begins without waiting for another thread to wake up.
///
/// # Errors
/// If the process has its threads already, or the system refuses to start them.
pub fn work_on_this_thread(threads: Option<usize>) -> Result<(), std::io::Error> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.map_or(0, |threads| threads.clamp(1, MOST_THREADS)))
        .use_current_thread()
        .build_global()
        .map_err(std::io::Error::other)
}

/// Calls `work` for each item; the results are in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    pieces_in_parallel(items, 1, |item| work(&item[0]))
}

/// Calls `fill` for pieces of so many items each, with the number of the piece. The calling thread takes part, and each thread
/// begins with a part of its own, which is then still in its core's cache when it is asked again.
pub fn fill_in_parallel<T: Send>(
    items: &mut [T],
    piece: usize,
    fill: impl Fn(usize, &mut [T]) + Sync + Send,
) {
    // Each lock is taken once, by the thread that has the piece.
    let pieces: Vec<_> = items.chunks_mut(piece.max(1)).map(Mutex::new).collect();
    let fill = |(): &mut (), at, piece: &[Mutex<&mut [T]>]| fill(at, &mut locked(&piece[0]));
    shared_out(&pieces, 1, || (), fill);
}

/// Numbers of another type, converted one by one.
pub fn convert_in_parallel<T: Copy + Sync, U: Copy + Default + Send>(
    numbers: &[T],
    convert: impl Fn(T) -> U + Sync + Send,
) -> Vec<U> {
    /// Numbers that one thread converts at a time: fewer take less time than another thread needs to wake up.
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

/// Shares pieces of the items out: each thread takes one after the other, with their numbers, until none is left, and adds to what
/// `start` gave it before its first one. Which thread took which pieces, and the order of the results, is left to chance.
///
/// Each thread begins with a part of its own, and then helps the others: asked again for the same items, a thread mostly has
/// the same ones, which are still in its core's cache.
pub(crate) fn shared_out<'i, T: Sync, R: Send>(
    items: &'i [T],
    piece: usize,
    start: impl Fn() -> R + Sync,
    work: impl Fn(&mut R, usize, &'i [T]) + Sync,
) -> Vec<R> {
    let pieces: Vec<&[T]> = items.chunks(piece.max(1)).collect();
    let threads = rayon::current_num_threads().min(pieces.len());
    let parts: Vec<Part> = Part::of(pieces.len(), threads);
    let done = Mutex::new(Vec::new());
    let take = |thread: usize| {
        let mut result = None;
        let (before, own) = parts.split_at(thread);
        for at in own.iter().chain(before).flat_map(Part::rest) {
            work(result.get_or_insert_with(&start), at, pieces[at]);
        }
        locked(&done).extend(result);
    };
    on_threads(threads, take);
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Pieces that follow each other, of which several threads take one after the other.
struct Part {
    next: AtomicUsize,
    end: usize,
}

impl Part {
    /// Parts of about the same length, of so many pieces for so many threads.
    fn of(pieces: usize, threads: usize) -> Vec<Self> {
        let first = |thread: usize| pieces * thread / threads;
        let part = |thread| Self {
            next: first(thread).into(),
            end: first(thread + 1),
        };
        (0..threads).map(part).collect()
    }

    /// The pieces that nobody else takes first.
    fn rest(&self) -> impl Iterator<Item = usize> + '_ {
        let next = || self.next.fetch_add(1, Ordering::Relaxed);
        std::iter::repeat_with(next).take_while(|at| *at < self.end)
    }
}

/// Calls `work` for pieces of the items; the results are in the order of the pieces.
pub(crate) fn pieces_in_parallel<'i, T: Sync, R: Send>(
    items: &'i [T],
    piece: usize,
    work: impl Fn(&'i [T]) -> R + Sync,
) -> Vec<R> {
    let add = |done: &mut Vec<(usize, R)>, at, piece| done.push((at, work(piece)));
    let done = shared_out(items, piece, Vec::new, add);
    let mut done: Vec<(usize, R)> = done.into_iter().flatten().collect();
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// What a lock guards, also when a thread that had it failed: the scope that waits for it fails, too.
pub(crate) fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Topics that one thread takes at a time, of so many: few enough that all threads end together.
pub(crate) fn topics_per_piece(topics: usize) -> usize {
    topics
        .div_ceil(32 * rayon::current_num_threads())
        .clamp(1, 64)
}

/// Does both, on two threads if there are two.
pub fn both<A: Send, B: Send>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    let (first, second) = (Once::new(first), Once::new(second));
    on_threads(rayon::current_num_threads().min(2), |thread| {
        // Each begins with one, and does the other, too, if nobody has.
        if thread == 0 {
            first.run();
            second.run();
        } else {
            second.run();
            first.run();
        }
    });
    (first.done(), second.done())
}

/// Work that the first thread which comes to it does.
struct Once<W, R> {
    work: Mutex<Option<W>>,
    done: Mutex<Option<R>>,
}

impl<R, W: FnOnce() -> R> Once<W, R> {
    fn new(work: W) -> Self {
        Self {
            work: Mutex::new(Some(work)),
            done: Mutex::new(None),
        }
    }

    fn run(&self) {
        let work = locked(&self.work).take();
        if let Some(work) = work {
            let done = work();
            *locked(&self.done) = Some(done);
        }
    }

    /// What it gave. The caller runs it unless a helper did, and waits for helpers that did.
    fn done(self) -> R {
        let done = self.done.into_inner();
        let done = done.unwrap_or_else(PoisonError::into_inner);
        done.expect("work that was run has a result")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_filled_by_their_numbers() {
        let mut items = [0; 10];
        fill_in_parallel(&mut items, 4, |piece, items| items.fill(piece + 1));
        assert_eq!(items, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3]);
        fill_in_parallel(&mut items[..0], 0, |_, _| unreachable!());
    }

    #[test]
    fn numbers_are_converted_in_their_order() {
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
            let taken = with_threads(Some(threads), || shared_out(&items, 3, Vec::new, add));
            let taken = taken.unwrap();
            assert!((1..=threads).contains(&taken.len()));
            let mut taken = taken.concat();
            taken.sort_unstable();
            assert_eq!(taken, items);
        }
        assert!(shared_out(&items[..0], 3, Vec::new, |_: &mut Vec<u8>, _, _| {}).is_empty());
    }

    #[test]
    fn pieces_of_topics_are_neither_empty_nor_long() {
        assert_eq!(topics_per_piece(0), 1);
        assert_eq!(topics_per_piece(1), 1);
        assert_eq!(topics_per_piece(usize::MAX / 2), 64);
    }

    #[test]
    fn threads_are_limited() {
        let started = |threads| with_threads(Some(threads), rayon::current_num_threads).unwrap();
        assert_eq!(started(1_000_000), MOST_THREADS);
        assert_eq!(started(0), 1);
    }
}
