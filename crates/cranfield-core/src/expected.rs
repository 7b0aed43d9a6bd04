//! All orders of tied documents, for measures that have no closed form (see [`crate::tied`]).
//!
//! Only the labels of tied documents matter, so orders that place the same labels alike are one arrangement; all arrangements are
//! equally likely. Up to [`MAX_EXACT`] arrangements are all evaluated, so that mean, minimum and maximum are exact. Beyond that,
//! [`SAMPLES`] random orders from a fixed seed are evaluated, and the notes name the measure.

use std::cmp::Ordering;
use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::fast::FixedState;

use crate::small_sort::SmallSort;
use crate::topic::{Hit, Label};

/// Maximum number of arrangements that are all evaluated.
pub const MAX_EXACT: u64 = 2_000;
/// Number of random orders if there are more arrangements.
pub const SAMPLES: u64 = 2_000;
/// The seed of the random orders.
pub const SEED: u64 = 20_260_101;

/// A tie group whose documents do not all have the same label.
#[derive(Clone, Debug)]
struct Group {
    /// Rank of its first document, from 1.
    first: u32,
    /// Labels in the order of the arrangement at hand.
    labels: Vec<Label>,
}

/// All arrangements of a topic's tied documents.
#[derive(Debug)]
pub(crate) struct Arrangements {
    groups: Vec<Group>,
    /// Hits outside of these groups.
    fixed: Vec<Hit>,
    count: u64,
}

impl Arrangements {
    /// From tie groups (ranks from 0) and the label at each rank (from 0); `hits` are all hits by rank.
    pub(crate) fn new(ties: &[Range<u32>], hits: &[Hit], label_at: impl Fn(u32) -> Label) -> Self {
        let mut groups = Vec::new();
        for range in ties {
            let mut labels: Vec<Label> = range.clone().map(&label_at).collect();
            if labels.iter().any(|label| *label != labels[0]) {
                labels.small_sort_by(compare);
                groups.push(Group {
                    first: range.start + 1,
                    labels,
                });
            }
        }
        let inside = |rank: u32| {
            groups
                .iter()
                .any(|group| (group.first..group.first + group.labels.len() as u32).contains(&rank))
        };
        let fixed = hits
            .iter()
            .filter(|hit| !inside(hit.rank))
            .copied()
            .collect();
        let count = groups.iter().fold(1, |count: u64, group| {
            count.saturating_mul(group.arrangements())
        });
        Self {
            groups,
            fixed,
            count,
        }
    }

    /// Whether the mean is over a sample.
    pub(crate) fn is_sampled(&self) -> bool {
        self.count > MAX_EXACT
    }

    /// Calls `visit` with the hits by rank of each arrangement, or of each sampled order.
    pub(crate) fn for_each(mut self, mut visit: impl FnMut(&[Hit])) {
        let mut hits = Vec::new();
        if self.is_sampled() {
            let mut random = Random {
                state: FixedState::with_seed(SEED),
                drawn: 0,
            };
            for _ in 0..SAMPLES {
                self.groups
                    .iter_mut()
                    .for_each(|group| random.shuffle(&mut group.labels));
                self.place(&mut hits);
                visit(&hits);
            }
            return;
        }
        loop {
            self.place(&mut hits);
            visit(&hits);
            // Like an odometer: the first group that has a next order moves on, those before it start again.
            if !self
                .groups
                .iter_mut()
                .any(|group| next_permutation(&mut group.labels))
            {
                return;
            }
        }
    }

    fn place(&self, hits: &mut Vec<Hit>) {
        hits.clear();
        hits.extend_from_slice(&self.fixed);
        for group in &self.groups {
            let ranked = group.labels.iter().zip(group.first..);
            let known = ranked.filter(|(label, _)| **label != Label::Unjudged);
            hits.extend(known.map(|(label, rank)| Hit {
                rank,
                label: *label,
            }));
        }
        hits.sort_unstable_by_key(|hit| hit.rank);
    }
}

impl Group {
    /// Number of distinct orders of the labels: n! over the product of the factorials of each label's count.
    fn arrangements(&self) -> u64 {
        let mut count = 1u64;
        let mut placed = 0u64;
        for same in self.labels.chunk_by(|a, b| a == b) {
            for chosen in 1..=same.len() as u64 {
                placed += 1;
                // Exact at every step: the product of k consecutive numbers is divisible by k!.
                count = match count.checked_mul(placed) {
                    Some(product) => product / chosen,
                    None => return u64::MAX,
                };
            }
        }
        count
    }
}

/// The next order of labels; after the last one, the first again and `false`.
fn next_permutation(labels: &mut [Label]) -> bool {
    let descent = labels
        .windows(2)
        .rposition(|pair| compare(&pair[0], &pair[1]).is_lt());
    let Some(at) = descent else {
        labels.reverse();
        return false;
    };
    let swap = labels
        .iter()
        .rposition(|label| compare(label, &labels[at]).is_gt());
    let swap = swap.unwrap_or(at);
    labels.swap(at, swap);
    labels[at + 1..].reverse();
    true
}

/// Any total order of labels that keeps different ones apart.
fn compare(a: &Label, b: &Label) -> Ordering {
    let key = |label: &Label| match label {
        Label::Unjudged => (0, 0.0),
        Label::Pooled => (1, 0.0),
        Label::Judged(grade) => (2, *grade),
    };
    let (a, b) = (key(a), key(b));
    a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
}

/// A counter-based generator: the n-th number is a hash of n.
struct Random {
    state: FixedState,
    drawn: u64,
}

impl Random {
    fn below(&mut self, limit: u64) -> usize {
        self.drawn += 1;
        ((u128::from(self.state.hash_one(self.drawn)) * u128::from(limit)) >> 64) as usize
    }

    fn shuffle(&mut self, labels: &mut [Label]) {
        for last in (1..labels.len()).rev() {
            labels.swap(last, self.below(last as u64 + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(grade: f64) -> Label {
        Label::Judged(grade)
    }

    #[test]
    fn every_distinct_arrangement_is_visited_once() {
        let labels = [
            judged(1.0),
            Label::Unjudged,
            Label::Unjudged,
            judged(2.0),
            judged(1.0),
        ];
        let hits: Vec<Hit> = [(1, 1.0), (4, 2.0), (5, 1.0)]
            .map(|(rank, grade)| Hit {
                rank,
                label: judged(grade),
            })
            .to_vec();
        let arrangements = Arrangements::new(&[0..3, 3..5], &hits, |rank| labels[rank as usize]);
        assert_eq!(arrangements.count, 3 * 2);
        let mut seen: Vec<Vec<(u32, i64)>> = Vec::new();
        arrangements.for_each(|hits| {
            seen.push(
                hits.iter()
                    .map(|hit| (hit.rank, hit.label.code() as i64))
                    .collect(),
            );
        });
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 6);
    }

    #[test]
    fn a_grade_below_zero_is_not_an_unjudged_document() {
        let labels = [Label::Unjudged, judged(-1.0), Label::Pooled, judged(-2.0)];
        let hits: Vec<Hit> = [(2, labels[1]), (3, labels[2]), (4, labels[3])]
            .map(|(rank, label)| Hit { rank, label })
            .to_vec();
        let ties = std::slice::from_ref(&(0..4));
        let arrangements = Arrangements::new(ties, &hits, |rank| labels[rank as usize]);
        let mut first_ranks = [0; 4];
        arrangements.for_each(|hits| {
            let first = hits
                .iter()
                .find(|hit| hit.rank == 1)
                .map_or(labels[0], |hit| hit.label);
            first_ranks[labels.iter().position(|label| *label == first).unwrap()] += 1;
        });
        assert_eq!(first_ranks, [6; 4]);
    }

    #[test]
    fn large_groups_are_sampled_without_overflow() {
        let labels: Vec<Label> = (0..500).map(|n| judged(f64::from(n % 7))).collect();
        let hits: Vec<Hit> = (1..=500)
            .zip(&labels)
            .map(|(rank, label)| Hit {
                rank,
                label: *label,
            })
            .collect();
        let arrangements = Arrangements::new(std::slice::from_ref(&(0..500)), &hits, |rank| {
            labels[rank as usize]
        });
        assert!(arrangements.is_sampled());
        let mut visits = 0;
        arrangements.for_each(|hits| {
            visits += 1;
            assert_eq!(hits.len(), 500);
        });
        assert_eq!(visits, SAMPLES);
    }
}
