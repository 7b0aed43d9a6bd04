//! Rank-biased alignment and rank-biased recall.
//!
//! An item at rank r has the weight (1 − φ) · φ^(r − 1); tied items share the weights of their ranks. RBA = Σ
//! over shared items of √(weight in x · weight in y): it compares two rankings item by item, while RBO compares
//! them depth by depth. RBR = Σ of the weights of the items in a set: it compares a set with a ranking.
//!
//! Moffat, Mackenzie, Mallia and Petri: Rank-biased quality measurement for sets and rankings. SIGIR-AP 2024.
//! doi:10.1145/3673791.3698405. Their program rbstar is at <https://github.com/rankbiased/rbstar>. Its upper
//! bound of RBA overwrites one of the two lists of weights; here the bound is the highest value that a
//! continuation of the lists attains.

use std::collections::HashSet;
use std::hash::Hash;

use super::{RankingPair, Side, filled};

/// The lowest and highest value over all continuations of the lists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The lowest value: no unseen item is shared.
    pub min: f64,
    /// The highest value: all unseen items are shared, as early as possible.
    pub max: f64,
}

impl RankingPair {
    /// Rank-biased alignment with persistence `phi`.
    ///
    /// The highest value continues each list with the items that only the other has, in their order, followed
    /// by the same items at the same ranks in both. Two empty lists have the bounds 0 and 1. `None` if `phi` is
    /// not above 0 and below 1.
    ///
    /// ```
    /// use cranfield_eval::similarity::RankingPair;
    ///
    /// let pair = RankingPair::new(&[["a"], ["b"]], &[["a"], ["c"]])?;
    /// let rba = pair.rba(0.5).unwrap();
    /// assert_eq!(rba.min, 0.5);
    /// assert!(rba.max < 1.0);
    /// # Ok::<(), cranfield_eval::similarity::RepeatedItem>(())
    /// ```
    pub fn rba(&self, phi: f64) -> Option<Bounds> {
        if !(phi > 0.0 && phi < 1.0) {
            return None;
        }
        let (short, long) = (weights(&self.short, phi), weights(&self.long, phi));
        let mut min = 0.0;
        for (weight, partner) in items(&self.short, &short) {
            if let Some(partner) = partner {
                min += (weight * long[partner]).sqrt();
            }
        }
        let (n, m) = self.lengths();
        let unseen = alone(&self.short, &short, m, phi) + alone(&self.long, &long, n, phi);
        let beyond = power(phi, n + m - self.shared());
        Some(Bounds {
            min,
            max: min + unseen + beyond,
        })
    }
}

/// Rank-biased recall: the fraction of a ranking's weight, with persistence `phi`, that a set covers.
///
/// The set is complete, but the ranking may continue: the highest value continues it with the set's other
/// items. `None` if `phi` is not above 0 and below 1. A repeated item of the ranking counts at both ranks.
///
/// ```
/// use cranfield_eval::similarity::recall;
///
/// let rbr = recall(&["a", "c", "x"], &[["a"], ["b"], ["c"]], 0.5).unwrap();
/// assert_eq!((rbr.min, rbr.max), (0.5 + 0.125, 0.5 + 0.125 + 0.0625));
/// ```
pub fn recall<T: Eq + Hash, G: AsRef<[T]>>(set: &[T], ranking: &[G], phi: f64) -> Option<Bounds> {
    if !(phi > 0.0 && phi < 1.0) {
        return None;
    }
    let set: HashSet<&T> = set.iter().collect();
    let mut found = HashSet::new();
    let (mut min, mut start) = (0.0, 0);
    for group in filled(ranking) {
        let members = group.iter().filter(|item| set.contains(item));
        let before = found.len();
        found.extend(members);
        let weight = mean_weight(start, start + group.len(), phi);
        min += (found.len() - before) as f64 * weight;
        start += group.len();
    }
    let missing = set.len() - found.len();
    Some(Bounds {
        min,
        max: min + power(phi, start) - power(phi, start + missing),
    })
}

fn power(phi: f64, exponent: usize) -> f64 {
    phi.powf(exponent as f64)
}

/// The weight of each item of a group that covers the ranks after `start` up to `end`.
fn mean_weight(start: usize, end: usize, phi: f64) -> f64 {
    (power(phi, start) - power(phi, end)) / (end - start) as f64
}

/// The weight of an item of each group.
fn weights(side: &Side, phi: f64) -> Vec<f64> {
    let groups = 0..side.ends.len();
    groups
        .map(|group| mean_weight(side.start(group), side.end(group), phi))
        .collect()
}

/// The weight of each item, and the group of the other list that contains it.
fn items<'a>(side: &'a Side, weights: &'a [f64]) -> impl Iterator<Item = (f64, Option<usize>)> {
    let groups = weights.iter().enumerate();
    groups.flat_map(move |(group, weight)| {
        let partners = &side.partners[side.start(group)..side.end(group)];
        partners.iter().map(move |partner| (*weight, *partner))
    })
}

/// The value added by the items of this list alone if the other list, of length `other`, continued with them.
fn alone(side: &Side, weights: &[f64], other: usize, phi: f64) -> f64 {
    let (mut sum, mut slot) = (0.0, (1.0 - phi) * power(phi, other));
    for (weight, _) in items(side, weights).filter(|(_, partner)| partner.is_none()) {
        sum += (weight * slot).sqrt();
        slot *= phi;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-15, "{value} not {expected}");
    }

    #[test]
    fn alignment_by_hand() {
        // Weights 1/2, 1/4, 1/8 …; a at ranks 1 and 2. At best b is third in y, c third in x, and the lists are
        // identical from rank 4 on.
        let pair = RankingPair::new(&[["a"], ["b"]], &[["c"], ["a"]]).expect("no item is repeated");
        let rba = pair.rba(0.5).expect("0.5 is a persistence");
        let seen = (0.5f64 * 0.25).sqrt();
        near(rba.min, seen);
        let placed = (0.25f64 * 0.125).sqrt() + (0.5f64 * 0.125).sqrt();
        near(rba.max, seen + placed + 0.125);
    }

    #[test]
    fn identical_rankings_score_one() {
        let x = [vec![1, 2], vec![3], vec![4, 5, 6]];
        let pair = RankingPair::new(&x, &x).expect("no item is repeated");
        let rba = pair.rba(0.75).expect("0.75 is a persistence");
        near(rba.max, 1.0);
        near(rba.min, 1.0 - 0.75f64.powi(6));
    }

    #[test]
    fn the_upper_bound_is_attained() {
        // Continues as the bound assumes, far enough for the rest to vanish.
        let (x, y) = ([vec![1], vec![2, 3]], [vec![4], vec![2]]);
        let bound = RankingPair::new(&x, &y).and_then(|pair| {
            let (mut x, mut y) = (x.to_vec(), y.to_vec());
            x.push(vec![4]);
            y.extend([vec![1], vec![3]]);
            for item in 5..200 {
                x.push(vec![item]);
                y.push(vec![item]);
            }
            Ok((pair.rba(0.5), RankingPair::new(&x, &y)?.rba(0.5)))
        });
        let (known, whole) = bound.expect("no item is repeated");
        near(known.expect("defined").max, whole.expect("defined").min);
    }

    #[test]
    fn edges() {
        let none: [Vec<u32>; 0] = [];
        let pair = RankingPair::new(&none, &none).expect("no item is repeated");
        assert_eq!(pair.rba(0.9), Some(Bounds { min: 0.0, max: 1.0 }));
        for phi in [0.0, 1.0, f64::NAN, -3.0] {
            assert_eq!(pair.rba(phi), None);
            assert_eq!(recall(&[1], &none, phi), None);
        }
        assert_eq!(
            recall(&[], &[vec![1]], 0.5),
            Some(Bounds { min: 0.0, max: 0.0 })
        );
        // One of two tied items: half of the weight of ranks 1 and 2.
        let tied = recall(&[2], &[vec![1, 2]], 0.5).map(|rbr| rbr.min);
        assert_eq!(tied, Some(0.375));
    }
}
