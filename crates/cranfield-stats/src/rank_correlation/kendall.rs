//! Kendall's tau.

use super::{Seen, on_grids};
use crate::distributions::normal_sf;
use crate::error::Result;
use crate::ranks::Ranks;

/// Kendall's tau in its variants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kendall {
    /// Pairs in the same order in both lists.
    pub concordant: u64,
    /// Pairs in opposite orders.
    pub discordant: u64,
    /// Pairs tied in the first list, tied or not in the second.
    pub tied_x: u64,
    /// Pairs tied in the second list, tied or not in the first.
    pub tied_y: u64,
    /// `(C - D) / (n (n-1) / 2)`.
    pub tau_a: f64,
    /// `(C - D) / sqrt((P - T_x) (P - T_y))` of P pairs; `None` where all scores of a list are tied.
    pub tau_b: Option<f64>,
    /// `2 (C - D) / (n^2 (k - 1) / k)`, k the smaller number of different scores; `None` as for `tau_b`.
    pub tau_c: Option<f64>,
    /// Two-sided p of no association; `None` as for `tau_b`.
    pub p: Option<f64>,
    /// Whether p is exact, and not from the normal distribution.
    pub exact: bool,
}

/// Kendall's tau of two lists, with a two-sided test.
///
/// p is exact, by counting permutations, where nothing is tied and there are at most 33 scores, or at most one pair is out of
/// order; else it is that of a normal deviate with the variance corrected for ties. These are the rules of `scipy.stats.kendalltau`.
///
/// ```
/// use cranfield_stats::rank_correlation::kendall;
/// let tau = kendall(&[0.9, 0.8, 0.8, 0.6], &[0.7, 0.5, 0.6, 0.6])?;
/// // Of six pairs (1,2), (1,3), (1,4) agree, (2,4) does not, (2,3) is tied in x and (3,4) in y.
/// assert_eq!((tau.concordant, tau.discordant), (3, 1));
/// assert!((tau.tau_a - 2.0 / 6.0).abs() < 1e-15);
/// assert!((tau.tau_b.unwrap() - 2.0 / 5.0).abs() < 1e-15);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn kendall(x: &[f64], y: &[f64]) -> Result<Kendall> {
    let (x, y) = on_grids(x, y)?;
    let (rx, ry) = (Ranks::of(&x), Ranks::of(&y));
    let tied = |ranks: &Ranks| ranks.ties.iter().map(|&t| pairs_of(t)).sum::<u64>();
    let both: Vec<(usize, usize)> = x.iter().copied().zip(y.iter().copied()).collect();
    let (tied_x, tied_y, tied_both) = (tied(&rx), tied(&ry), tied(&Ranks::of(&both)));
    let pairs = pairs_of(x.len() as u64);
    let discordant = discordant(&x, &y);
    let concordant = pairs + tied_both - tied_x - tied_y - discordant;
    let excess = concordant as f64 - discordant as f64;
    let untied = ((pairs - tied_x) as f64) * ((pairs - tied_y) as f64);
    let defined = untied > 0.0;
    let least = rx.ties.len().min(ry.ties.len()) as f64;
    let n = x.len() as f64;
    let no_ties = tied_x == 0 && tied_y == 0;
    let fewer = concordant.min(discordant);
    let exact = no_ties && (x.len() <= 33 || fewer <= 1);
    let p = || {
        if exact {
            return exact_p(x.len(), fewer, pairs);
        }
        2.0 * normal_sf(excess.abs() / variance(n, &rx, &ry).sqrt())
    };
    Ok(Kendall {
        concordant,
        discordant,
        tied_x,
        tied_y,
        tau_a: excess / pairs as f64,
        tau_b: defined.then(|| (excess / untied.sqrt()).clamp(-1.0, 1.0)),
        tau_c: defined.then(|| 2.0 * excess / (n * n * (least - 1.0) / least)),
        p: defined.then(|| p().min(1.0)),
        exact,
    })
}

/// Pairs with opposite orders: inversions of y in ascending order of x; pairs with equal x are kept from counting by ascending y.
fn discordant(x: &[usize], y: &[usize]) -> u64 {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_unstable_by_key(|&at| (x[at], y[at]));
    let mut seen = Seen::new(x.len());
    let mut count = 0;
    for (before, &at) in order.iter().enumerate() {
        count += before as u64 - seen.below(y[at] + 1);
        seen.add(y[at]);
    }
    count
}

/// The variance of C - D under no association, with ties (Kendall 1945).
fn variance(n: f64, x: &Ranks, y: &Ranks) -> f64 {
    let sum = |ranks: &Ranks, term: fn(f64) -> f64| {
        ranks.ties.iter().map(|&t| term(t as f64)).sum::<f64>()
    };
    let once = |ranks: &Ranks| sum(ranks, |t| t * (t - 1.0));
    let twice = |ranks: &Ranks| sum(ranks, |t| t * (t - 1.0) * (t - 2.0));
    let weighted = |ranks: &Ranks| sum(ranks, |t| t * (t - 1.0) * (2.0 * t + 5.0));
    let m = n * (n - 1.0);
    let triples = if n > 2.0 {
        twice(x) * twice(y) / (9.0 * m * (n - 2.0))
    } else {
        0.0
    };
    (m * (2.0 * n + 5.0) - weighted(x) - weighted(y)) / 18.0
        + once(x) * once(y) / (2.0 * m)
        + triples
}

/// The share of permutations of n with at most `fewer` inversions, or as many of the opposite, doubled; `pairs` is the greatest number
/// of inversions.
fn exact_p(n: usize, fewer: u64, pairs: u64) -> f64 {
    if 2 * fewer >= pairs {
        return 1.0;
    }
    // Shares of permutations of 1, 2, ... with 0, 1, ... inversions: the next item adds 0 to j inversions.
    let length = fewer as usize + 1;
    let mut shares = vec![0.0; length];
    shares[0] = 1.0;
    for items in 2..=n {
        let mut next = vec![0.0; length];
        let mut window = 0.0;
        for at in 0..length {
            window += shares[at];
            if at >= items {
                window -= shares[at - items];
            }
            next[at] = window / items as f64;
        }
        shares = next;
    }
    2.0 * shares.iter().sum::<f64>()
}

fn pairs_of(count: u64) -> u64 {
    (u128::from(count) * u128::from(count.saturating_sub(1)) / 2) as u64
}
