//! Methods that combine scores.
//!
//! Worked example: a document with the scores 0.5 and 0.25 in two of three runs has min 0.25, max 0.5, med 0.375, sum 0.75, anz 0.375,
//! mnz 1.5, gmnz(gamma=0.5) 0.75·sqrt(2) = 1.06066. With weights 0.6 and 0.4 of these runs: wsum 0.4, wmnz 0.75, mixed 0.4·sqrt(2) =
//! 0.565685.

use crate::candidates::{Candidates, List};

/// The fold of all scores of each document, in the order of the runs. `first` makes a value of the first score.
fn fold(
    candidates: &Candidates<'_>,
    first: impl Fn(f64) -> f64,
    next: impl Fn(f64, f64) -> f64,
) -> Vec<f64> {
    let mut folded: Vec<Option<f64>> = vec![None; candidates.len()];
    for (doc, score) in candidates.lists.iter().flat_map(List::scored) {
        let value = folded[doc].map_or_else(|| first(score), |value| next(value, score));
        folded[doc] = Some(value);
    }
    folded.into_iter().map(Option::unwrap_or_default).collect()
}

/// The lowest score.
pub(crate) fn min(candidates: &Candidates<'_>) -> Vec<f64> {
    fold(candidates, |score| score, f64::min)
}

/// The highest score.
pub(crate) fn max(candidates: &Candidates<'_>) -> Vec<f64> {
    fold(candidates, |score| score, f64::max)
}

/// The median of the scores: the mean of the two in the middle if their number is even.
pub(crate) fn median(candidates: &Candidates<'_>) -> Vec<f64> {
    let mut scores: Vec<Vec<f64>> = vec![Vec::new(); candidates.len()];
    for (doc, score) in candidates.lists.iter().flat_map(List::scored) {
        scores[doc].push(score);
    }
    scores.into_iter().map(middle).collect()
}

fn middle(mut scores: Vec<f64>) -> f64 {
    scores.sort_unstable_by(f64::total_cmp);
    let half = scores.len() / 2;
    match scores.len() {
        0 => 0.0,
        count if count % 2 == 1 => scores[half],
        _ => f64::midpoint(scores[half - 1], scores[half]),
    }
}

/// Sums over the runs that score a document.
struct Sums {
    /// Of weights times scores.
    weighted: Vec<f64>,
    /// Of weights.
    weights: Vec<f64>,
    /// Of ones.
    counts: Vec<u32>,
}

fn sums(candidates: &Candidates<'_>, weight: impl Fn(usize) -> f64) -> Sums {
    let count = candidates.len();
    let mut sums = Sums {
        weighted: vec![0.0; count],
        weights: vec![0.0; count],
        counts: vec![0; count],
    };
    for (run, list) in candidates.lists.iter().enumerate() {
        let weight = weight(run);
        for (doc, score) in list.scored() {
            sums.weighted[doc] += weight * score;
            sums.weights[doc] += weight;
            sums.counts[doc] += 1;
        }
    }
    sums
}

impl Sums {
    /// The sums, each multiplied by a factor that depends on the number of runs.
    fn times(self, factor: impl Fn(f64) -> f64) -> Vec<f64> {
        let counts = self.counts.iter().map(|count| f64::from(*count));
        let pairs = self.weighted.iter().zip(counts);
        pairs.map(|(sum, count)| sum * factor(count)).collect()
    }
}

/// The sum of the scores, times a factor that depends on the number of runs.
pub(crate) fn sum(candidates: &Candidates<'_>, factor: impl Fn(f64) -> f64) -> Vec<f64> {
    sums(candidates, |_| 1.0).times(factor)
}

/// The mean of the scores.
pub(crate) fn mean(candidates: &Candidates<'_>) -> Vec<f64> {
    let sums = sums(candidates, |_| 1.0);
    let pairs = sums.weighted.iter().zip(&sums.counts);
    pairs
        .map(|(sum, count)| sum / f64::from((*count).max(1)))
        .collect()
}

/// The weighted sum of the scores, times a factor that depends on the number of runs.
pub(crate) fn weighted_sum(
    candidates: &Candidates<'_>,
    weight: impl Fn(usize) -> f64,
    factor: impl Fn(f64) -> f64,
) -> Vec<f64> {
    sums(candidates, weight).times(factor)
}

/// The sum of the scores times the sum of the weights.
pub(crate) fn sum_times_weights(
    candidates: &Candidates<'_>,
    weight: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let weights = sums(candidates, weight).weights;
    let plain = sum(candidates, |_| 1.0);
    plain.iter().zip(weights).map(|(sum, w)| sum * w).collect()
}
