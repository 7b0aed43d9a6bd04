//! Random signs, 64 replicates side by side.

use rayon::prelude::*;

use crate::common::Alternative;
use crate::error::Result;
use crate::pool;
use crate::progress::{Progress, Watcher};
use crate::random::{MOST_REPLICATES, Resampling, Stream};

/// Replicates of one block, which are computed side by side: one sign bit each.
const LANES: usize = 64;

type Lanes = [f64; LANES];

/// For each pair, counts the replicates in which the difference of signed sums reaches its limit. Scores are whole numbers whose sums
/// are exact in `f64`, so that the order of additions does not matter.
pub(super) fn count_reached(
    scores: &[Vec<f64>],
    limits: &[(usize, usize, f64)],
    alternative: Alternative,
    resampling: Resampling,
    watcher: Watcher<'_>,
) -> Result<Vec<u64>> {
    let Resampling { replicates, seed } = resampling.checked(MOST_REPLICATES)?;
    let topics = scores.first().map_or(0, Vec::len);
    let blocks = replicates.div_ceil(LANES);
    let progress = Progress::new(watcher, replicates);
    let nothing = || (Block::new(scores.len()), vec![0_u64; limits.len()]);
    let counted = (0..blocks)
        .into_par_iter()
        .with_min_len(16)
        .fold(nothing, |(mut block, mut counts), number| {
            block.add_up(scores, topics, &mut Stream::new(seed, number as u64));
            let lanes = (replicates - number * LANES).min(LANES);
            block.count(limits, alternative, lanes, &mut counts);
            progress.add(lanes);
            (block, counts)
        })
        .map(|(_, counts)| counts);
    Ok(pool::run(|| {
        counted.reduce(|| vec![0; limits.len()], added)
    }))
}

/// Signed sums of one row of scores, and the sum of the signs themselves, in each replicate. A constant that is added to all scores
/// moves the first by as many times the second, so one pass over the signs is enough for any constant.
pub(super) fn signed_sums(
    scores: Vec<f64>,
    resampling: Resampling,
    watcher: Watcher<'_>,
) -> Result<Vec<(f64, f64)>> {
    let Resampling { replicates, seed } = resampling.checked(MOST_REPLICATES)?;
    let topics = scores.len();
    let rows = [scores, vec![1.0; topics]];
    let progress = Progress::new(watcher, replicates);
    let mut sums = vec![(0.0, 0.0); replicates];
    let blocks = sums.par_chunks_mut(LANES).enumerate().with_min_len(16);
    let add_up = |block: &mut Block, (number, sums): (usize, &mut [(f64, f64)])| {
        block.add_up(&rows, topics, &mut Stream::new(seed, number as u64));
        let both = block.sums[0].iter().zip(&block.sums[1]);
        for (sum, (&signed, &signs)) in sums.iter_mut().zip(both) {
            *sum = (signed, signs);
        }
        progress.add(sums.len());
    };
    pool::run(|| blocks.for_each_init(|| Block::new(rows.len()), add_up));
    Ok(sums)
}

fn added(mut left: Vec<u64>, right: Vec<u64>) -> Vec<u64> {
    for (sum, more) in left.iter_mut().zip(right) {
        *sum += more;
    }
    left
}

/// Topics whose signs are drawn at a time, so that they stay in the cache.
const TOPICS_AT_A_TIME: usize = 512;

/// Signs of some topics and signed sums of each system, in 64 replicates.
struct Block {
    signs: Vec<Lanes>,
    sums: Vec<Lanes>,
}

impl Block {
    fn new(systems: usize) -> Self {
        Self {
            signs: Vec::new(),
            sums: vec![[0.0; LANES]; systems],
        }
    }

    /// Draws a sign for each topic and replicate, and adds up the signed scores of each system.
    fn add_up(&mut self, scores: &[Vec<f64>], topics: usize, stream: &mut Stream) {
        self.sums.fill([0.0; LANES]);
        for start in (0..topics).step_by(TOPICS_AT_A_TIME) {
            let end = topics.min(start + TOPICS_AT_A_TIME);
            self.signs.resize(end - start, [0.0; LANES]);
            for signs in &mut self.signs {
                set_signs(signs, stream.bits());
            }
            for (sums, row) in self.sums.iter_mut().zip(scores) {
                add_signed(sums, &row[start..end], &self.signs);
            }
        }
    }

    fn count(
        &self,
        limits: &[(usize, usize, f64)],
        alternative: Alternative,
        lanes: usize,
        counts: &mut [u64],
    ) {
        for (count, &(first, second, least)) in counts.iter_mut().zip(limits) {
            let (a, b) = (&self.sums[first][..lanes], &self.sums[second][..lanes]);
            *count += match alternative {
                Alternative::TwoSided => reaching(a, b, |difference| difference.abs() >= least),
                Alternative::Greater => reaching(a, b, |difference| difference >= least),
                Alternative::Less => reaching(a, b, |difference| -difference >= least),
            };
        }
    }
}

/// The signs encoded by four bits.
const SIGNS: [[f64; 4]; 16] = {
    let mut signs = [[1.0; 4]; 16];
    let mut at = 0;
    while at < 64 {
        if ((at / 4) >> (at % 4)) & 1 == 1 {
            signs[at / 4][at % 4] = -1.0;
        }
        at += 1;
    }
    signs
};

/// Sets the signs encoded by 64 bits.
fn set_signs(signs: &mut Lanes, bits: u64) {
    for (at, signs) in signs.as_chunks_mut().0.iter_mut().enumerate() {
        *signs = SIGNS[(bits >> (4 * at) & 15) as usize];
    }
}

/// Lanes whose sums stay in registers.
const LANES_AT_A_TIME: usize = 16;

fn add_signed(sums: &mut Lanes, scores: &[f64], signs: &[Lanes]) {
    let (parts, _) = sums.as_chunks_mut::<LANES_AT_A_TIME>();
    for (at, part) in parts.iter_mut().enumerate() {
        let mut total = *part;
        for (score, signs) in scores.iter().zip(signs) {
            let signs = &signs.as_chunks::<LANES_AT_A_TIME>().0[at];
            for (total, sign) in total.iter_mut().zip(signs) {
                *total += score * sign;
            }
        }
        *part = total;
    }
}

#[inline]
fn reaching(a: &[f64], b: &[f64], reaches: impl Fn(f64) -> bool) -> u64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| u64::from(reaches(a - b)))
        .sum()
}
