//! Stable sorts of little code, for lists that are sorted once and are not long, such as runs, findings and lines of a table.
//!
//! A sort of the standard library is compiled anew for each type of elements and each comparison, to 5 KB or more. Here one copy sorts
//! places, and the elements follow.

use std::cmp::Ordering;

/// Sorts slices of any type as the standard library's methods without `small_` do.
///
/// ```
/// use cranfield_core::small_sort::SmallSort;
///
/// let mut runs = [("bm25", 2), ("ql", 1), ("dense", 2)];
/// runs.small_sort_by_key(|(_, rank)| *rank);
/// assert_eq!(runs.map(|(name, _)| name), ["ql", "bm25", "dense"]);
/// ```
pub trait SmallSort<T> {
    /// Sorts by a comparison.
    fn small_sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by keys, which are computed for each comparison.
    fn small_sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.small_sort_by(|a, b| key(a).cmp(&key(b)));
    }
}

impl<T> SmallSort<T> for [T] {
    fn small_sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let places = sorted(self.len(), &mut |a, b| compare(&self[a], &self[b]));
        arrange(places, &mut |a, b| self.swap(a, b));
    }
}

/// The places of elements in the order of the comparison of two places.
fn sorted(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..len).collect();
    places.sort_by(|a, b| compare(*a, *b));
    places
}

/// Swaps elements until the one that was at `places[at]` is at `at`, cycle by cycle.
fn arrange(mut places: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..places.len() {
        let mut at = start;
        while places[at] != start {
            let from = places[at];
            swap(at, from);
            places[at] = at;
            at = from;
        }
        places[at] = at;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equals_the_sort_of_the_standard_library(keys in prop::collection::vec(0u8..20, 0..70)) {
            let mut items: Vec<(u8, String)> = keys.iter().copied().zip((0..).map(|at: u32| at.to_string())).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            items.small_sort_by_key(|(key, _)| *key);
            prop_assert_eq!(items, expected);
        }
    }
}
