//! Methods in which runs vote.
//!
//! Worked example: of the runs `a b c`, `b c a` and `b a`, Borda's count gives a 3 + 1 + 2 = 6, b 2 + 3 + 3 = 8 and c 1 + 2 + 1 = 4 points.
//! b beats a by two votes to one and c by three to none, a beats c by two to one: Copeland's scores are 2, 0 and -2.

use std::cmp::Ordering;

use cranfield_core::merge_sort::merge_sort_by;

use crate::candidates::Candidates;

/// Borda's count with weights.
pub(crate) fn borda(candidates: &Candidates<'_>, weight: impl Fn(usize) -> f64) -> Vec<f64> {
    let all = candidates.len();
    let mut points = vec![0.0; all];
    let mut own = vec![0.0; all];
    for (run, list) in candidates.lists.iter().enumerate() {
        let left = f64::midpoint((all - list.retrieved) as f64, 1.0);
        own.fill(left);
        for (place, doc) in list.ranked().iter().enumerate() {
            own[*doc as usize] = all as f64 - place as f64;
        }
        for (points, own) in points.iter_mut().zip(&own) {
            *points += weight(run) * own;
        }
    }
    points
}

/// Places by run and document; documents that a run lacks share the place after its last.
struct Ballots {
    places: Vec<Vec<u32>>,
    weights: Vec<f64>,
}

impl Ballots {
    fn new(candidates: &Candidates<'_>, weight: impl Fn(usize) -> f64) -> Self {
        let places = candidates.lists.iter().map(|list| {
            let mut places = vec![list.retrieved as u32; candidates.len()];
            for (place, doc) in list.ranked().iter().enumerate() {
                places[*doc as usize] = place as u32;
            }
            places
        });
        Self {
            places: places.collect(),
            weights: (0..candidates.lists.len()).map(weight).collect(),
        }
    }

    /// The votes for the first document minus those for the second. A run that has neither does not vote.
    fn balance(&self, first: usize, second: usize) -> f64 {
        let mut balance = 0.0;
        for (places, weight) in self.places.iter().zip(&self.weights) {
            balance += weight * sign(places[second], places[first]);
        }
        balance
    }
}

/// 1 if the first number is larger, -1 if it is smaller, 0 if they are equal.
fn sign(a: u32, b: u32) -> f64 {
    f64::from(i8::from(a > b) - i8::from(a < b))
}

/// Condorcet fusion: the position, counted from the end, after sorting by pairwise majority.
///
/// Majorities may run in a circle, so that the result of a sort depends on its algorithm and on the order at its beginning. Here it is a
/// merge sort that begins with documents in descending order of their ids; a draw keeps the order.
pub(crate) fn condorcet(candidates: &Candidates<'_>, weight: impl Fn(usize) -> f64) -> Vec<f64> {
    let ballots = Ballots::new(candidates, weight);
    let docs = candidates.numbers.docs();
    let mut order: Vec<usize> = (0..docs.len()).collect();
    order.sort_unstable_by(|a, b| docs[*b].0.cmp(docs[*a].0));
    merge_sort_by(&mut order, |a, b| {
        let balance = ballots.balance(*b, *a);
        balance.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
    });
    let mut scores = vec![0.0; docs.len()];
    for (place, doc) in order.iter().enumerate() {
        scores[*doc] = (docs.len() - place) as f64;
    }
    scores
}

/// Copeland's rule: documents that each document beats by a majority, minus those that beat it.
pub(crate) fn copeland(candidates: &Candidates<'_>, weight: impl Fn(usize) -> f64) -> Vec<f64> {
    let ballots = Ballots::new(candidates, weight);
    let all = candidates.len();
    let mut balance = vec![0.0; all];
    let mut scores = Vec::with_capacity(all);
    for doc in 0..all {
        balance.fill(0.0);
        for (places, weight) in ballots.places.iter().zip(&ballots.weights) {
            let own = places[doc];
            for (balance, place) in balance.iter_mut().zip(places) {
                *balance += weight * sign(*place, own);
            }
        }
        let outcome =
            |balance: &f64| f64::from(i8::from(*balance > 0.0) - i8::from(*balance < 0.0));
        scores.push(balance.iter().map(outcome).fold(0.0, |sum, one| sum + one));
    }
    scores
}
