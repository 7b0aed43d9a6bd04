//! Permutations within topics: if systems do not differ, the scores of a topic could have gone to them in any order.

use rayon::prelude::*;

use crate::pool;
use crate::progress::{Progress, Watcher};
use crate::random::Stream;

/// Replicates per stream of random numbers.
const BLOCK: usize = 128;

/// For each of the ascending thresholds, the number of replicates whose statistic reaches it.
///
/// `topics` holds the values of every topic, as many as there are systems. In each replicate the values of every topic are
/// shuffled, and the statistic is computed from the sums of the systems. Block b of the replicates draws from stream b, and
/// counts are whole numbers, so the result does not depend on threads.
pub(crate) fn counts_at_least<T: Ord + Sync>(
    topics: &[Vec<i64>],
    (replicates, seed): (usize, u64),
    thresholds: &[T],
    statistic: impl Fn(&[i64]) -> T + Sync,
    watcher: Watcher<'_>,
) -> Vec<u64> {
    let progress = Progress::new(watcher, replicates);
    let zero = || vec![0; thresholds.len() + 1];
    let count_block = |block: usize| {
        let mut counts = zero();
        let mut stream = Stream::new(seed, block as u64);
        let mut shuffled = topics.to_vec();
        let size = BLOCK.min(replicates - block * BLOCK);
        for _ in 0..size {
            let value = statistic(&shuffled_sums(&mut shuffled, &mut stream));
            counts[thresholds.partition_point(|threshold| *threshold <= value)] += 1;
        }
        progress.add(size);
        counts
    };
    let add = |mut left: Vec<u64>, right: Vec<u64>| {
        left.iter_mut()
            .zip(right)
            .for_each(|(sum, count)| *sum += count);
        left
    };
    let blocks = 0..replicates.div_ceil(BLOCK);
    let counted = blocks.into_par_iter().map(count_block);
    let mut reached = pool::run(|| counted.reduce(zero, add));
    // Position t counts the replicates that reach exactly t thresholds; reaching one means reaching all below it.
    for at in (1..reached.len()).rev() {
        reached[at - 1] += reached[at];
    }
    reached.split_off(1)
}

/// Shuffles the values of every topic in place, and adds them up by system. The order before a shuffle does not matter, so each
/// starts from the last.
fn shuffled_sums(topics: &mut [Vec<i64>], stream: &mut Stream) -> Vec<i64> {
    let mut sums = vec![0; topics.first().map_or(0, Vec::len)];
    for values in topics {
        for last in (1..values.len()).rev() {
            values.swap(last, stream.index(last as u32 + 1));
        }
        sums.iter_mut()
            .zip(&*values)
            .for_each(|(sum, value)| *sum += value);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_threads;

    /// Sums of two systems over two topics with values 0 and 1: range 0 half the time, else 2.
    #[test]
    fn counts_of_ranges() {
        let topics = vec![vec![0, 1], vec![0, 1]];
        let range = |sums: &[i64]| (sums[0] - sums[1]).abs();
        let counts = counts_at_least(&topics, (100_000, 1), &[0, 1, 2, 3], range, &|_, _| ());
        assert_eq!((counts[0], counts[1], counts[3]), (100_000, counts[2], 0));
        // Five standard errors of a fair coin.
        assert!(counts[1].abs_diff(50_000) < 800, "{counts:?}");
    }

    #[test]
    fn results_do_not_depend_on_threads() {
        let topics: Vec<Vec<i64>> = (0..7)
            .map(|t| (0..5).map(|s| (t * s) % 11).collect())
            .collect();
        let count = |threads| {
            on_threads(threads, || {
                let range = |sums: &[i64]| sums.iter().max().unwrap() - sums.iter().min().unwrap();
                counts_at_least(&topics, (1000, 7), &[3, 9, 20], range, &|_, _| ())
            })
        };
        assert_eq!(count(1), count(2));
        assert_eq!(count(1), count(3));
    }
}
