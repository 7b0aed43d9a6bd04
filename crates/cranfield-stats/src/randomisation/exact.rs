//! The distribution of a sum over all signs.

use rayon::prelude::*;

use crate::pool;

/// P(sum >= least) over all signs if the sizes lie on a coarse grid: the distribution of the sum of the sizes that are
/// positive, in multiples of their greatest common divisor. Probabilities are exact up to 53 sizes, and have rounding
/// errors of the last digits beyond.
pub(super) fn coarse_tail(sizes: &[i64], least: i64) -> Option<f64> {
    if sizes.is_empty() {
        return Some(if least <= 0 { 1.0 } else { 0.0 });
    }
    let (divisor, points) = coarse_grid(sizes)?;
    let total: i64 = sizes.iter().sum();
    let mut probability = vec![0.0_f64; points as usize + 1];
    probability[0] = 1.0;
    let mut reach = 0;
    for size in sizes.iter().map(|size| (size / divisor) as usize) {
        for at in (0..=reach).rev() {
            let half = 0.5 * probability[at];
            probability[at + size] += half;
            probability[at] = half;
        }
        reach += size;
    }
    // The sum over signs is 2 * positive - total: positive >= (total + least) / 2.
    let positive = (total + least).max(0) as u64;
    let first = positive.div_ceil(2 * divisor as u64) as usize;
    let tail = probability.get(first..).unwrap_or_default();
    Some(tail.iter().rev().sum::<f64>().min(1.0))
}

/// Whether sizes lie on a grid so coarse that [`coarse_tail`] has a result.
pub(super) fn is_coarse(sizes: &[i64]) -> bool {
    sizes.is_empty() || coarse_grid(sizes).is_some()
}

/// The greatest common divisor of positive sizes and the points of their grid, if it is coarse.
fn coarse_grid(sizes: &[i64]) -> Option<(i64, i64)> {
    const MOST_POINTS: i64 = 4_000_000;
    const MOST_WORK: i64 = 100_000_000;
    let divisor = sizes.iter().fold(0, |divisor, &size| gcd(divisor, size));
    let points = sizes.iter().sum::<i64>() / divisor;
    let work = points.saturating_mul(sizes.len().cast_signed() as i64);
    (points <= MOST_POINTS && work <= MOST_WORK).then_some((divisor, points))
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// P(sum >= least) over all signs of at most 50 sizes, by meeting in the middle.
pub(super) fn met_tail(sizes: &[i64], least: i64) -> f64 {
    /// Sizes whose signed sums are kept in a list: 2^23 sums, or 64 MiB.
    const LISTED: usize = 23;
    let (left, right) = sizes.split_at(sizes.len() / 2);
    let split = |half: &[i64]| {
        let (listed, fixed) = half.split_at(half.len().min(LISTED));
        (signed_sums(listed), signed_sums(fixed))
    };
    let ((left, left_fixed), (right, right_fixed)) =
        pool::run(|| rayon::join(|| split(left), || split(right)));
    let fixed: Vec<i64> = left_fixed
        .iter()
        .flat_map(|x| right_fixed.iter().map(move |y| x + y))
        .collect();
    let counts = fixed
        .par_iter()
        .map(|sum| pairs_reaching(&left, &right, least - sum));
    let count: u64 = pool::run(|| counts.sum());
    count as f64 / (1_u64 << sizes.len()) as f64
}

/// The sums of the sizes with all signs, in ascending order: each size merges the list moved down with the list moved up.
fn signed_sums(sizes: &[i64]) -> Vec<i64> {
    let mut sums = vec![0];
    for &size in sizes {
        let mut merged = Vec::with_capacity(2 * sums.len());
        let (mut down, mut up) = (0, 0);
        // The upper list ends last, as sizes are positive.
        while down < sums.len() {
            let (low, high) = (sums[down] - size, sums[up] + size);
            let first = low <= high;
            merged.push(if first { low } else { high });
            down += usize::from(first);
            up += usize::from(!first);
        }
        merged.extend(sums[up..].iter().map(|sum| sum + size));
        sums = merged;
    }
    sums
}

/// Number of pairs of one sum of each ascending list that reach `least` together.
fn pairs_reaching(left: &[i64], right: &[i64], least: i64) -> u64 {
    let mut count = 0;
    // As the left sum grows, more of the right list reaches.
    let mut misses = right.len();
    for &sum in left {
        let wanted = least - sum;
        while misses > 0 && right[misses - 1] >= wanted {
            misses -= 1;
        }
        count += (right.len() - misses) as u64;
    }
    count
}
