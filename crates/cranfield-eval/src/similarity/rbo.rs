//! Rank-biased overlap, its prefix, and average overlap.
//!
//! X(d) is the overlap at depth d: Σ over shared items of c(d) in one list times c(d) in the other, where c is
//! the fraction of an item that counts at depth d (0 before its tie group, 1 from the group's end on). The
//! agreement A(d) is 2 X / (Σc + Σc) for [`Ties::SameRank`], X / d for [`Ties::Expected`] and X / √(Σc² · Σc²)
//! for [`Ties::Corrected`]. RBO = (1 − p) / p · (Σ of A(d) · p^d). Since the lists are finite, RBO has a lower
//! and an upper bound, and an estimate between them that extrapolates the observed agreement.
//!
//! Webber, Moffat and Zobel: A similarity measure for indefinite rankings. ACM TOIS 28(4), 2010. doi:10.1145/1852102.1852106.
//! Corsi and Urbano: The treatment of ties in rank-biased overlap. SIGIR 2024. doi:10.1145/3626772.3657700.

use super::walk::Walk;
use super::{RankingPair, Ties};

/// Rank-biased overlap of two lists that may continue beyond the known items.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rbo {
    /// The lowest value over all continuations of the lists.
    pub min: f64,
    /// The highest value over all continuations.
    pub max: f64,
    /// The extrapolated estimate.
    pub ext: f64,
}

impl Rbo {
    /// The residual: the difference between the bounds.
    pub fn res(&self) -> f64 {
        self.max - self.min
    }
}

/// Sums over depths, without the factor (1 − p) / p.
#[derive(Debug, Default)]
struct Sums {
    min: f64,
    max: f64,
    ext: f64,
    /// Σ p^d / d.
    weights: f64,
}

impl RankingPair {
    /// Rank-biased overlap with persistence p.
    ///
    /// `None` if a ranking is empty, or p is not above 0 and below 1.
    ///
    /// ```
    /// use cranfield_eval::similarity::{RankingPair, Ties};
    ///
    /// let x = [["a"], ["b"]];
    /// let rbo = RankingPair::new(&x, &x)?.rbo(0.5, Ties::Expected).unwrap();
    /// assert!((rbo.ext - 1.0).abs() < 1e-15);
    /// # Ok::<(), cranfield_eval::similarity::RepeatedItem>(())
    /// ```
    pub fn rbo(&self, p: f64, ties: Ties) -> Option<Rbo> {
        let (short, long) = self.lengths();
        if short == 0 || !is_persistence(p) {
            return None;
        }
        let mut walk = Walk::new(self, ties);
        let mut sums = Sums::default();
        let mut power = 1.0;
        // The agreement at the end of the shorter list.
        let mut known = 0.0;
        for depth in 1..=long {
            walk.advance();
            power *= p;
            sums.weights += power / depth as f64;
            let overlap = walk.overlap();
            let agreement = walk.agreement(overlap);
            sums.min += agreement * power;
            if depth <= short {
                known = agreement;
                sums.max += agreement * power;
                sums.ext += agreement * power;
            } else {
                let unseen = depth - short;
                let most = overlap + walk.most_added(unseen);
                let likely = overlap + unseen as f64 * known * walk.mean_share();
                sums.max += walk.agreement(most) * power;
                sums.ext += walk.agreement(likely) * power;
            }
        }
        Some(self.with_tails(p, power, known, &sums))
    }

    /// Adds the part beyond both lists; `power` is p^l at the end of the longer, `known` the agreement at the
    /// end of the shorter.
    fn with_tails(&self, p: f64, power: f64, known: f64, sums: &Sums) -> Rbo {
        let (short, long) = self.lengths();
        let shared = self.shared() as f64;
        let scale = (1.0 - p) / p;
        let beyond = power * p / (1.0 - p);
        // −ln(1 − p) is the sum of p^d / d over all depths.
        let min = shared * (-(-p).ln_1p() - sums.weights).max(0.0);
        let ext = (shared + (long - short) as f64 * known) / long as f64 * beyond;
        let max = self.greatest_tail(p, power);
        Rbo {
            min: scale * (sums.min + min),
            max: scale * (sums.max + max),
            ext: scale * (sums.ext + ext),
        }
    }

    /// Beyond both lists each new rank may match two items, until all seen items are shared.
    fn greatest_tail(&self, p: f64, mut power: f64) -> f64 {
        let ((short, long), shared) = (self.lengths(), self.shared());
        let mut sum = 0.0;
        for depth in long + 1..=long + short - shared {
            power *= p;
            sum += (2 * depth + shared - long - short) as f64 / depth as f64 * power;
        }
        sum + power * p / (1.0 - p)
    }

    /// The first `depth` terms of rank-biased overlap, (1 − p) · Σ of A(d) · p^(d − 1): the rest is at most
    /// p^depth.
    ///
    /// A list that ends before `depth` adds no further overlap. `None` if a ranking is empty, p is not above 0
    /// and below 1, or `depth` is 0.
    pub fn prefix_rbo(&self, depth: usize, p: f64, ties: Ties) -> Option<f64> {
        if !is_persistence(p) {
            return None;
        }
        let (mut sum, mut power) = (0.0, 1.0);
        self.each_agreement(depth, ties, |agreement| {
            sum += agreement * power;
            power *= p;
            // Multiplication alone would stay at the smallest positive number forever.
            power >= f64::MIN_POSITIVE
        })?;
        Some((1.0 - p) * sum)
    }

    /// Average overlap: the mean of the agreements at depths 1 to `depth`.
    ///
    /// A list that ends before `depth` adds no further overlap. `None` if a ranking is empty or `depth` is 0.
    pub fn average_overlap(&self, depth: usize, ties: Ties) -> Option<f64> {
        let (_, long) = self.lengths();
        let (mut sum, mut seen) = (0.0, 0);
        self.each_agreement(depth.min(long), ties, |agreement| {
            sum += agreement;
            seen += 1;
            true
        })?;
        // Beyond both lists the agreement is shared / d, and Σ 1 / d is a difference of harmonic numbers.
        let rest = self.shared() as f64 * harmonic(seen, depth);
        Some((sum + rest) / depth as f64)
    }

    /// Calls `take` with the agreement at each depth until it stops.
    fn each_agreement(
        &self,
        depth: usize,
        ties: Ties,
        mut take: impl FnMut(f64) -> bool,
    ) -> Option<()> {
        if self.short.len() == 0 || depth == 0 {
            return None;
        }
        let mut walk = Walk::new(self, ties);
        for _ in 0..depth {
            walk.advance();
            if !take(walk.agreement(walk.overlap())) {
                break;
            }
        }
        Some(())
    }
}

fn is_persistence(p: f64) -> bool {
    p > 0.0 && p < 1.0
}

/// Number of terms of a harmonic sum that are added directly.
const HARMONIC_TERMS: usize = 1000;

/// 1 / (from + 1) + … + 1 / to, with later terms by the Euler-Maclaurin formula.
fn harmonic(from: usize, to: usize) -> f64 {
    let near = to.min(from.saturating_add(HARMONIC_TERMS));
    let mut sum = 0.0;
    for depth in from..near {
        sum += 1.0 / (depth as f64 + 1.0);
    }
    if near < to {
        let (a, b) = (near as f64, to as f64);
        let square = |x: f64| 1.0 / (12.0 * x * x);
        sum += (b / a).ln() + 0.5 / b - 0.5 / a - square(b) + square(a);
    }
    sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: [Ties; 3] = [Ties::SameRank, Ties::Expected, Ties::Corrected];

    fn pair(x: &[&[u32]], y: &[&[u32]]) -> RankingPair {
        RankingPair::new(x, y).expect("no item is repeated")
    }

    #[track_caller]
    fn near(value: Option<f64>, expected: f64) {
        let value = value.expect("the value is defined");
        assert!((value - expected).abs() < 1e-14, "{value} not {expected}");
    }

    #[test]
    fn without_ties_by_hand() {
        // Agreements 0 and 1 at depths 1 and 2, then 1 by extrapolation.
        let lists = pair(&[&[1], &[2]], &[&[2], &[1]]);
        for ties in ALL {
            let rbo = lists.rbo(0.5, ties);
            near(rbo.map(|rbo| rbo.ext), 0.5);
            near(rbo.map(|rbo| rbo.max), 0.5);
            // (1 − p) / p is 1; 2 · (ln 2 − 1/2 − 1/8) is beyond.
            near(rbo.map(|rbo| rbo.min), 0.25 + 2.0 * (2f64.ln() - 0.625));
            near(lists.prefix_rbo(2, 0.5, ties), 0.25);
            near(lists.average_overlap(2, ties), 0.5);
        }
    }

    #[test]
    fn ties_by_hand() {
        // Both lists tie 1 and 2: overlap 2 · 1/4 at depth 1 by expectation, all of it as one rank.
        let lists = pair(&[&[1, 2]], &[&[1, 2]]);
        near(lists.average_overlap(1, Ties::SameRank), 1.0);
        near(lists.average_overlap(1, Ties::Expected), 0.5);
        near(lists.average_overlap(1, Ties::Corrected), 1.0);
    }

    #[test]
    fn edges() {
        let (some, none): (&[&[u32]], &[&[u32]]) = (&[&[1]], &[]);
        for ties in ALL {
            assert_eq!(pair(some, none).rbo(0.9, ties), None);
            assert_eq!(pair(none, none).average_overlap(3, ties), None);
            assert_eq!(pair(some, none).prefix_rbo(3, 0.9, ties), None);
            for p in [0.0, 1.0, -1.0, 2.0, f64::NAN] {
                assert_eq!(pair(some, some).rbo(p, ties), None);
                assert_eq!(pair(some, some).prefix_rbo(1, p, ties), None);
            }
            assert_eq!(pair(some, some).average_overlap(0, ties), None);
            let deep = pair(some, some).prefix_rbo(usize::MAX, 0.9, ties);
            near(deep, 0.1 / 0.9 * 10f64.ln());
            let deep = pair(some, some).average_overlap(1 << 60, ties);
            assert!(deep.is_some_and(|value| value < 1e-16));
        }
        near(
            pair(some, some).average_overlap(3, Ties::Expected),
            (1.0 + 0.5 + 1.0 / 3.0) / 3.0,
        );
    }

    #[test]
    fn harmonic_numbers() {
        // H(10000), from tables.
        assert!((harmonic(0, 10_000) - 9.787_606_036_044_382).abs() < 1e-12);
    }

    /// A ranking of distinct items from 0 to 29, tied at random.
    fn ranking() -> impl Strategy<Value = Vec<Vec<u32>>> {
        let order = Just((0..30).collect::<Vec<u32>>()).prop_shuffle();
        (order, prop::collection::vec(1usize..5, 1..10)).prop_map(|(order, sizes)| {
            let mut rest = order.as_slice();
            let mut groups = Vec::new();
            for size in sizes {
                let (group, after) = rest.split_at(size.min(rest.len()));
                groups.push(group.to_vec());
                rest = after;
            }
            groups
        })
    }

    proptest! {
        #[test]
        fn bounds_hold(x in ranking(), y in ranking(), p in 0.01..0.99) {
            for ties in ALL {
                let rbo = RankingPair::new(&x, &y).unwrap().rbo(p, ties).unwrap();
                prop_assert!(rbo.min >= 0.0 && rbo.max <= 1.0 + 1e-12, "{:?}", rbo);
                prop_assert!(rbo.min <= rbo.ext + 1e-12, "{:?}", rbo);
                let other = RankingPair::new(&y, &x).unwrap().rbo(p, ties).unwrap();
                prop_assert!((rbo.ext - other.ext).abs() < 1e-12);
            }
        }

        #[test]
        fn a_ranking_agrees_with_itself(x in ranking(), p in 0.01..0.99) {
            for ties in [Ties::SameRank, Ties::Corrected] {
                let rbo = RankingPair::new(&x, &x).unwrap().rbo(p, ties).unwrap();
                prop_assert!((rbo.ext - 1.0).abs() < 1e-12 && (rbo.max - 1.0).abs() < 1e-12, "{:?}", rbo);
            }
        }

        #[test]
        fn the_prefix_is_less_than_the_whole(x in ranking(), y in ranking(), depth in 1usize..60) {
            for ties in ALL {
                let pair = RankingPair::new(&x, &y).unwrap();
                let prefix = pair.prefix_rbo(depth, 0.9, ties).unwrap();
                prop_assert!(prefix <= pair.rbo(0.9, ties).unwrap().min + 1e-12);
            }
        }
    }
}
