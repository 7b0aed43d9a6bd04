//! Methods that use ranks alone.
//!
//! Worked example: a document at ranks 1 and 3 of two of three runs has isr 2·(1 + 1/9) = 2.222222, `log_isr` ln 2·10/9 = 0.770164,
//! `rrf(k=60)` 1/61 + 1/63 = 0.0322665, `rbc(phi=0.8)` 0.2 + 0.2·0.64 = 0.328.

use crate::candidates::Candidates;

/// `Σ 1/r²`, times a factor that depends on the number of runs that have the document.
pub(crate) fn inverse_squares(
    candidates: &Candidates<'_>,
    factor: impl Fn(f64) -> f64,
) -> Vec<f64> {
    let sums = candidates.add_by_place(|_, place, _| {
        let rank = place as f64 + 1.0;
        1.0 / (rank * rank)
    });
    let counts = candidates.counts();
    let pairs = sums.iter().zip(counts);
    pairs
        .map(|(sum, count)| sum * factor(f64::from(count)))
        .collect()
}

/// `Σ w/(k + r)`.
pub(crate) fn reciprocal(
    candidates: &Candidates<'_>,
    weight: impl Fn(usize) -> f64,
    k: f64,
) -> Vec<f64> {
    candidates.add_by_place(|run, place, _| weight(run) / (k + place as f64 + 1.0))
}

/// `Σ w·(1 - phi)·phi^(r - 1)`.
pub(crate) fn rank_biased(
    candidates: &Candidates<'_>,
    weight: impl Fn(usize) -> f64,
    phi: f64,
) -> Vec<f64> {
    let longest = candidates.lists.iter().map(|list| list.retrieved).max();
    // One multiplication after the other, which gives the same bits on every machine.
    let parts = std::iter::successors(Some(1.0 - phi), |part| Some(part * phi));
    let parts: Vec<f64> = parts.take(longest.unwrap_or(0)).collect();
    candidates.add_by_place(|run, place, _| weight(run) * parts[place])
}
