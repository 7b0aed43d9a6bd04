//! The AP correlation.

use super::{Seen, on_grids};
use crate::error::Result;
use crate::ranks::Ranks;

/// The AP correlation of Yilmaz, Aslam and Robertson, in which the top of the estimated ranking `y` counts most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TauAp {
    /// The coefficient; `None` where one of the lists has ties.
    pub tau_ap: Option<f64>,
    /// Its mean over all ways to break the ties of `y`; `None` where `x` has ties.
    pub tau_ap_a: Option<f64>,
    /// Ties as information, symmetric in both lists; `None` where all scores of a list are tied.
    pub tau_ap_b: Option<f64>,
}

/// AP correlation of the scores `y` with the true scores `x`, larger ones being better.
///
/// With items in the order of y, and C(i) the number of items above rank i that are above it in x as well:
///
/// ```text
/// tau_ap = 2 / (n - 1) sum_{i=2..n} C(i) / (i - 1) - 1
/// ```
///
/// `tau_ap_a` is its mean over the orders of tied items of y. In `tau_ap_b` an item is compared with the items above its group of
/// ties only, items of the top group are left out, and both directions are averaged:
///
/// ```text
/// tau_ap_b(x, y) = (t(x, y) + t(y, x)) / 2,   t(x, y) = 2 / (n - t_1) sum_{i not in the top group} C_g(i) / (p_i - 1) - 1
/// ```
///
/// where `t_1` is the size of the top group, `p_i` the first rank of the group of i, and `C_g(i)` counts above that group.
///
/// ```
/// use cranfield_stats::rank_correlation::tau_ap;
/// // True order 1 2 3, estimated 2 1 3: C(2) / 1 = 0, C(3) / 2 = 1.
/// let tau = tau_ap(&[0.9, 0.5, 0.1], &[0.5, 0.9, 0.1])?;
/// assert_eq!(tau.tau_ap, Some(0.0));
/// // Both first items tied: the mean of 0 and 1.
/// assert_eq!(tau_ap(&[0.9, 0.5, 0.1], &[0.5, 0.5, 0.1])?.tau_ap_a, Some(0.5));
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn tau_ap(x: &[f64], y: &[f64]) -> Result<TauAp> {
    let (x, y) = on_grids(x, y)?;
    let tied = |values: &[usize]| Ranks::of(values).ties.iter().any(|&t| t > 1);
    let (from_y, from_x) = (Climb::new(&x, &y), Climb::new(&y, &x));
    let both = from_y.b().zip(from_x.b());
    Ok(TauAp {
        tau_ap: (!tied(&x) && !tied(&y)).then(|| from_y.a()),
        tau_ap_a: (!tied(&x)).then(|| from_y.a()),
        tau_ap_b: both.map(|(one, other)| f64::midpoint(one, other)),
    })
}

/// The groups of equal `y`, best first: the number of items above, the size, and how many pairs of an item with one above its group are in
/// the same order in x.
struct Climb {
    groups: Vec<(u64, u64, u64)>,
    count: f64,
}

impl Climb {
    fn new(x: &[usize], y: &[usize]) -> Self {
        let mut order: Vec<usize> = (0..y.len()).collect();
        order.sort_unstable_by_key(|&at| (std::cmp::Reverse(y[at]), at));
        let mut seen = Seen::new(x.len());
        let mut groups = Vec::new();
        let mut above = 0;
        for group in order.chunk_by(|&a, &b| y[a] == y[b]) {
            let concordant = group.iter().map(|&at| above - seen.below(x[at] + 1));
            groups.push((above, group.len() as u64, concordant.sum::<u64>()));
            for &at in group {
                seen.add(x[at]);
            }
            above += group.len() as u64;
        }
        Self {
            groups,
            count: x.len() as f64,
        }
    }

    /// The mean over the orders within groups. An item is at each of the group's places alike; at the place k + 1 of the group it has
    /// all items above the group and k of its fellows above, half of which are truly above on average.
    fn a(&self) -> f64 {
        let group = |&(above, size, concordant): &(u64, u64, u64)| {
            let place = |k: u64| {
                let (k, above) = (k as f64, above as f64);
                let truly_above = concordant as f64 / size as f64 + k / 2.0;
                if above + k > 0.0 {
                    truly_above / (above + k)
                } else {
                    0.0
                }
            };
            (0..size).map(place).sum::<f64>()
        };
        2.0 / (self.count - 1.0) * self.groups.iter().map(group).sum::<f64>() - 1.0
    }

    fn b(&self) -> Option<f64> {
        let (_, top, _) = *self.groups.first()?;
        let below_top = self.count - top as f64;
        let group = |&(above, _, concordant): &(u64, u64, u64)| concordant as f64 / above as f64;
        let sum = self.groups[1..].iter().map(group).sum::<f64>();
        (below_top > 0.0).then(|| 2.0 / below_top * sum - 1.0)
    }
}
