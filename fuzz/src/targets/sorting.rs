//! The merge sort with a fixed outcome.

use std::cmp::Ordering;

use cranfield_core::merge_sort::merge_sort_by;

use super::{Target, strings};

pub(super) const TARGETS: &[Target] = &[Target {
    name: "merge_sort",
    property: "for orders the merge sort is a stable sort; for other relations it compares what a textbook merge sort compares",
    run: merge_sort,
    seeds: || {
        strings(&[
            "",
            "a",
            "ba",
            "hello world",
            "zzzzyyyyxxxx",
            "0123456789876543210",
        ])
    },
    dictionary: &["\u{0}", "aaaa", "zyxw"],
    max_len: 200,
    smoke: 400_000,
}];

fn merge_sort(bytes: &[u8]) {
    let items: Vec<(u8, usize)> = bytes.iter().copied().zip(0..).collect();
    let mut expected = items.clone();
    expected.sort_by_key(|(key, _)| *key);
    let mut found = items.clone();
    merge_sort_by(&mut found, |a, b| a.0.cmp(&b.0));
    assert_eq!(found, expected, "by key");
    // A relation that is no order: keys that differ by less than 16 are equal.
    let loosely = |a: &(u8, usize), b: &(u8, usize)| {
        if a.0.abs_diff(b.0) < 16 {
            Ordering::Equal
        } else {
            a.0.cmp(&b.0)
        }
    };
    let mut found = items.clone();
    merge_sort_by(&mut found, loosely);
    assert_eq!(
        found,
        textbook(&items, loosely),
        "by a relation that is no order"
    );
    found.sort_unstable_by_key(|(_, place)| *place);
    assert_eq!(found, items, "nothing lost, nothing twice");
}

fn textbook<T: Copy>(items: &[T], compare: impl Fn(&T, &T) -> Ordering + Copy) -> Vec<T> {
    if items.len() < 2 {
        return items.to_vec();
    }
    let (left, right) = items.split_at(items.len() / 2);
    let (left, right) = (textbook(left, compare), textbook(right, compare));
    let (mut i, mut j) = (0, 0);
    let mut merged = Vec::new();
    while i < left.len() && j < right.len() {
        if compare(&left[i], &right[j]) == Ordering::Greater {
            merged.push(right[j]);
            j += 1;
        } else {
            merged.push(left[i]);
            i += 1;
        }
    }
    merged.extend_from_slice(&left[i..]);
    merged.extend_from_slice(&right[j..]);
    merged
}
