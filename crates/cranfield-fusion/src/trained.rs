//! Methods that learn from judgements: the sum of what training says of each place.

use crate::candidates::Candidates;
use crate::training::{GROWING_ENDS, UNSEEN_ODDS, segment_length};

/// `PosFuse`: `Σ P(r)`; 0 for ranks that training did not see.
pub(crate) fn by_position(candidates: &Candidates<'_>, known: &[Vec<f64>]) -> Vec<f64> {
    candidates.add_by_place(|run, place, _| known[run].get(place).copied().unwrap_or(0.0))
}

/// `ProbFuse`: `Σ P(x)/x`.
pub(crate) fn by_segment(candidates: &Candidates<'_>, known: &[Vec<f64>]) -> Vec<f64> {
    candidates.add_by_place(|run, place, retrieved| {
        let segment = place / segment_length(retrieved, known[run].len());
        let probability = known[run].get(segment).copied().unwrap_or(0.0);
        probability / (segment as f64 + 1.0)
    })
}

/// `SegFuse`: `Σ P(x)·(1 + s)`.
pub(crate) fn by_growing_segment(candidates: &Candidates<'_>, known: &[Vec<f64>]) -> Vec<f64> {
    candidates.add_by_place(|run, place, _| {
        let segment = GROWING_ENDS.partition_point(|end| *end <= place);
        let probability = known[run].get(segment).copied().unwrap_or(0.0);
        probability * (candidates.lists[run].scores[place] + 1.0)
    })
}

/// `SlideFuse`: the sum of the mean of `P` from `w` ranks above to `w` ranks below, as far as the list reaches.
pub(crate) fn by_window(candidates: &Candidates<'_>, known: &[Vec<f64>], w: usize) -> Vec<f64> {
    candidates.add_by_place(|run, place, retrieved| {
        let start = place.saturating_sub(w);
        let end = place.saturating_add(w).saturating_add(1).min(retrieved);
        let seen = known[run].iter().take(end).skip(start);
        seen.fold(0.0, |sum, p| sum + p) / (end - start) as f64
    })
}

/// `MAPFuse`: `Σ MAP/r`.
pub(crate) fn by_mean_precision(candidates: &Candidates<'_>, known: &[Vec<f64>]) -> Vec<f64> {
    candidates.add_by_place(|run, place, _| {
        let mean = known[run].first().copied().unwrap_or(0.0);
        mean / (place as f64 + 1.0)
    })
}

/// `BayesFuse`: the sum of log odds over all runs; those that lack the document count as the least odds.
pub(crate) fn by_odds(candidates: &Candidates<'_>, known: &[Vec<f64>]) -> Vec<f64> {
    let mut totals = vec![0.0; candidates.len()];
    let mut own = vec![0.0; candidates.len()];
    for (list, known) in candidates.lists.iter().zip(known) {
        own.fill(UNSEEN_ODDS);
        for (doc, odds) in list.ranked().iter().zip(known) {
            own[*doc as usize] = *odds;
        }
        for (total, own) in totals.iter_mut().zip(&own) {
            *total += own;
        }
    }
    totals
}
