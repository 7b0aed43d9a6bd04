//! Agreement of two lists of values on the order of items.

use cranfield_core::measure::Direction;
use cranfield_core::small_sort::SmallSort;
use cranfield_eval::similarity::{RankingPair, Ties};
use cranfield_stats::rank_correlation::{kendall, tau_ap};
use cranfield_stats::sample::levels;

/// Persistence of RBO, with which the expected depth is ten items.
const PERSISTENCE: f64 = 0.9;

/// The values, negated if lower ones are better.
pub(super) fn oriented(values: &[f64], direction: Direction) -> Vec<f64> {
    let sign = match direction {
        Direction::LowerIsBetter => -1.0,
        Direction::HigherIsBetter | Direction::Neutral => 1.0,
    };
    values.iter().map(|value| sign * value).collect()
}

/// Kendall's tau, the AP correlation and rank-biased overlap in a sentence; `None` where none of them has a value.
pub(super) fn sentence(x: &[f64], y: &[f64], items: &str) -> Option<String> {
    let tau = kendall(x, y).ok().and_then(|tau| tau.tau_b);
    let ap = tau_ap(x, y).ok().and_then(|tau| tau.tau_ap_b);
    let rbo = rbo(x, y);
    let named = [
        ("Kendall's tau-b", tau),
        ("tau-AP-b", ap),
        ("RBO (p 0.9)", rbo),
    ];
    let known = named
        .iter()
        .filter_map(|(name, value)| value.map(|value| format!("{name} {value:.3}")));
    let known: Vec<String> = known.collect();
    (!known.is_empty()).then(|| format!("Order of {items} by both: {}", known.join(", ")))
}

/// The extrapolated rank-biased overlap of the items ordered by both lists, tied where they are equal.
fn rbo(x: &[f64], y: &[f64]) -> Option<f64> {
    let pair = RankingPair::new(&groups(x), &groups(y)).ok()?;
    pair.rbo(PERSISTENCE, Ties::Corrected).map(|rbo| rbo.ext)
}

/// Places of the values, largest first, in groups of those that are equal but for rounding.
fn groups(values: &[f64]) -> Vec<Vec<usize>> {
    let levels = levels(values);
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.small_sort_by_key(|at| std::cmp::Reverse(levels[*at]));
    let groups = order.chunk_by(|a, b| levels[*a] == levels[*b]);
    groups.map(<[usize]>::to_vec).collect()
}

/// The rank of each value, the largest first; those that are equal but for rounding share the mean of their ranks.
pub(super) fn ranks(values: &[f64]) -> Vec<f64> {
    let mut ranks = vec![0.0; values.len()];
    let mut above = 0;
    for group in groups(values) {
        let rank = above as f64 + f64::midpoint(group.len() as f64, 1.0);
        above += group.len();
        for at in group {
            ranks[at] = rank;
        }
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_and_equal_orders() {
        let up = [0.1, 0.2, 0.3];
        let down = oriented(&up, Direction::LowerIsBetter);
        assert_eq!(
            sentence(&up, &up, "runs").as_deref(),
            Some("Order of runs by both: Kendall's tau-b 1.000, tau-AP-b 1.000, RBO (p 0.9) 1.000")
        );
        let opposite = sentence(&up, &down, "runs").unwrap();
        assert!(
            opposite.contains("tau-b -1.000, tau-AP-b -1.000"),
            "{opposite}"
        );
        assert_eq!(sentence(&[], &[], "runs"), None);
        assert_eq!(groups(&[0.5, 0.9, 0.5]), [vec![1], vec![0, 2]]);
    }

    /// 0.1 + 0.2 differs from 0.3 in the last bit only.
    #[test]
    fn the_last_bit_breaks_no_tie() {
        let (noisy, plain) = ([0.3, 0.1 + 0.2, 0.9], [0.3, 0.3, 0.9]);
        assert_eq!(groups(&noisy), [vec![2], vec![0, 1]]);
        assert_eq!(ranks(&noisy), [2.5, 2.5, 1.0]);
        assert_eq!(rbo(&noisy, &[0.5, 0.4, 0.6]), rbo(&plain, &[0.5, 0.4, 0.6]));
    }
}
