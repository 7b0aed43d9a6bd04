//! A merge sort whose result is fixed even where the comparison is not an order.
//!
//! Scores may be NaN, which compares as equal to everything, and `trec_eval` compares gains by a truncated
//! difference. Neither relation is transitive, so the outcome depends on the algorithm; the standard library
//! promises none and may panic. This sort compares exactly the pairs that the reference implementation's sort
//! compares.

use std::cmp::Ordering;

/// Sorts stably, top down: the left half takes ⌊n/2⌋ items, and in a merge the left item goes first unless it
/// is greater.
///
/// ```
/// use cranfield_core::merge_sort::merge_sort_by;
///
/// // 3 is greater than 1, but the two are never compared: NaN is between them.
/// let mut scores = [1.0, f64::NAN, 3.0];
/// merge_sort_by(&mut scores, |a, b| b.partial_cmp(a).unwrap_or(std::cmp::Ordering::Equal));
/// assert_eq!((scores[0], scores[2]), (1.0, 3.0));
/// ```
pub fn merge_sort_by<T: Copy>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut scratch = items.to_vec();
    sort(items, &mut scratch, &mut compare);
}

fn sort<T: Copy, F: FnMut(&T, &T) -> Ordering>(
    items: &mut [T],
    scratch: &mut [T],
    compare: &mut F,
) {
    if items.len() < 2 {
        return;
    }
    let middle = items.len() / 2;
    let (left, right) = items.split_at_mut(middle);
    let (left_scratch, right_scratch) = scratch.split_at_mut(middle);
    sort(left, left_scratch, compare);
    sort(right, right_scratch, compare);
    scratch.copy_from_slice(items);
    let (left, right) = scratch.split_at(middle);
    merge(left, right, items, compare);
}

fn merge<'a, T: Copy, F: FnMut(&T, &T) -> Ordering>(
    mut left: &'a [T],
    mut right: &'a [T],
    merged: &mut [T],
    compare: &mut F,
) {
    for slot in merged {
        let from_left = match (left.first(), right.first()) {
            (Some(a), Some(b)) => compare(a, b) != Ordering::Greater,
            (a, _) => a.is_some(),
        };
        let source = if from_left { &mut left } else { &mut right };
        let Some((first, rest)) = source.split_first() else {
            return;
        };
        *slot = *first;
        *source = rest;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn intransitive_comparison_has_a_fixed_outcome() {
        // Differences below 1 count as equal: 0.9 = 0.5 = 0, so the order given stays.
        let mut gains = [0.9, 0.5, 0.0];
        merge_sort_by(&mut gains, |a: &f64, b| ((a - b).trunc()).total_cmp(&0.0));
        assert_eq!(gains, [0.9, 0.5, 0.0]);
    }

    #[test]
    fn short_inputs() {
        merge_sort_by(&mut [0u8; 0], Ord::cmp);
        let mut one = [1];
        merge_sort_by(&mut one, Ord::cmp);
        assert_eq!(one, [1]);
    }

    proptest! {
        #[test]
        fn equals_a_stable_sort_for_orders(keys in prop::collection::vec(0u8..20, 0..70)) {
            let mut items: Vec<_> = keys.iter().copied().zip(0usize..).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            merge_sort_by(&mut items, |a, b| a.0.cmp(&b.0));
            prop_assert_eq!(items, expected);
        }
    }
}
