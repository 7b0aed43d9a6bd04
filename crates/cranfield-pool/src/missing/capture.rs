//! Capture and recapture: sets of runs as samples of the relevant documents.

use super::Estimate;
use cranfield_stats::distributions::normal_quantile;

/// The Chapman estimate of the number of relevant documents, if one set of runs found `first` of them, another `second`, and both `both`:
/// `(n1 + 1)(n2 + 1) / (m + 1) − 1`, with the variance `(n1 + 1)(n2 + 1)(n1 − m)(n2 − m) / ((m + 1)² (m + 2))`.
///
/// ```
/// let estimate = cranfield_pool::missing::chapman(20, 15, 10);
/// assert!((estimate.total - 29.545455).abs() < 1e-6);
/// assert!((estimate.error.unwrap() - 3.401507).abs() < 1e-6);
/// ```
pub fn chapman(first: usize, second: usize, both: usize) -> Estimate {
    let (n1, n2, m) = (first as f64, second as f64, both as f64);
    let total = (n1 + 1.0) * (n2 + 1.0) / (m + 1.0) - 1.0;
    let variance = (n1 + 1.0) * (n2 + 1.0) * (n1 - m) * (n2 - m) / ((m + 1.0).powi(2) * (m + 2.0));
    Estimate::normal(n1 + n2 - m, total, variance)
}

/// The Chao estimate of the number of relevant documents, if runs found `found` of them, `once` by exactly one run and `twice` by exactly
/// two: `S + f1 (f1 − 1) / (2 (f2 + 1))`.
///
/// The interval is log-normal in what is missing (Chao 1987), so that it never falls below what was found.
///
/// ```
/// let estimate = cranfield_pool::missing::chao(40, 12, 6);
/// assert!((estimate.total - 49.428571).abs() < 1e-6);
/// ```
pub fn chao(found: usize, once: usize, twice: usize) -> Estimate {
    let (s, f1, f2) = (found as f64, once as f64, twice as f64);
    let unseen = f1 * (f1 - 1.0) / (2.0 * (f2 + 1.0));
    let variance = unseen
        + f1 * (2.0 * f1 - 1.0).powi(2) / (4.0 * (f2 + 1.0).powi(2))
        + f1 * f1 * f2 * (f1 - 1.0).powi(2) / (4.0 * (f2 + 1.0).powi(4));
    let interval = if unseen > 0.0 {
        let z = normal_quantile(0.975);
        let factor = (z * (variance / (unseen * unseen)).ln_1p().sqrt()).exp();
        (s + unseen / factor, s + unseen * factor)
    } else {
        (s, s)
    };
    Estimate {
        found: s,
        total: s + unseen,
        error: Some(variance.max(0.0).sqrt()),
        interval: Some(interval),
    }
}

/// Counts of relevant documents by the captures that found them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    found: usize,
    once: usize,
    twice: usize,
    first: usize,
    second: usize,
    both: usize,
}

impl Captured {
    /// Adds a document that `captures` found.
    pub fn add(&mut self, captures: usize) {
        self.found += usize::from(captures > 0);
        self.once += usize::from(captures == 1);
        self.twice += usize::from(captures == 2);
    }

    /// Adds a document to two captures.
    pub fn add_to_pair(&mut self, first: bool, second: bool) {
        self.first += usize::from(first);
        self.second += usize::from(second);
        self.both += usize::from(first && second);
    }

    /// The [`chapman`] estimate.
    pub fn chapman(&self) -> Estimate {
        chapman(self.first, self.second, self.both)
    }

    /// The [`chao`] estimate.
    pub fn chao(&self) -> Estimate {
        chao(self.found, self.once, self.twice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::missing::simulation::check;

    #[test]
    fn chapman_is_unbiased_and_its_intervals_cover() {
        // Documents, and the shares that two independent captures find.
        for (documents, first, second) in [
            (600, 0.65, 0.65),
            (600, 0.5, 0.8),
            (2_000, 0.4, 0.4),
            (300, 0.7, 0.6),
        ] {
            check(42, f64::from(documents), |stream| {
                let mut captured = Captured::default();
                for _ in 0..documents {
                    captured.add_to_pair(stream.unit() < first, stream.unit() < second);
                }
                captured.chapman()
            });
        }
    }

    #[test]
    fn chao_is_unbiased_for_equal_chances_and_its_intervals_cover() {
        // A document is found a Poisson number of times, with this mean: many runs with a small chance each.
        for (documents, mean) in [(1_000, 1.5), (1_000, 1.0), (3_000, 1.2), (2_000, 2.0)] {
            check(42, f64::from(documents), |stream| {
                let mut captured = Captured::default();
                for _ in 0..documents {
                    let (mut captures, mut left) = (0, mean - stream.exponential());
                    while left > 0.0 {
                        captures += 1;
                        left -= stream.exponential();
                    }
                    captured.add(captures);
                }
                captured.chao()
            });
        }
    }

    /// The mean over all pairs of captures of six and five of ten documents: the estimate is unbiased if both together could hold them all.
    #[test]
    fn chapman_is_unbiased_over_all_captures() {
        let sets = |size: u32| (0u32..1 << 10).filter(move |set| set.count_ones() == size);
        let (mut sum, mut count) = (0.0, 0.0);
        for first in sets(6) {
            for second in sets(5) {
                sum += chapman(6, 5, (first & second).count_ones() as usize).total;
                count += 1.0;
            }
        }
        assert!((sum / count - 10.0f64).abs() < 1e-9);
    }

    #[test]
    fn nothing_found() {
        assert_eq!(chapman(0, 0, 0).total, 0.0);
        let none = chao(0, 0, 0);
        assert_eq!((none.total, none.interval), (0.0, Some((0.0, 0.0))));
        let common = chao(5, 1, 0);
        assert_eq!(common.total, 5.0);
    }
}
