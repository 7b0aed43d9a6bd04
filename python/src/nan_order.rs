//! The order that `pytrec_eval` gives to documents of which some have scores that are no numbers.
//!
//! Its comparisons are no order then: such a score is equal to every other, and the ids decide. What comes out is what its two
//! sorts make of it, one after the other: `std::sort` of C++, in the common implementation (equal scores by ascending id), and
//! the merge sort of the C library (by descending id). Both compare scores of single precision.

use std::cmp::Ordering;

use cranfield::core::merge_sort::merge_sort_by;
use cranfield::core::run::{Entry, Run, RunBuilder};

/// So many documents or fewer are sorted by insertion.
const FEW: usize = 16;

/// The run with such topics in that order, their scores counting down.
pub(crate) fn ranked(run: &Run) -> Run {
    let mut builder = RunBuilder::default();
    builder.set_tag(run.tag());
    for topic in run.topics() {
        builder.add_topic(topic.id());
        let mut entries: Vec<Entry<'_>> = topic.entries().collect();
        if entries.iter().any(|entry| entry.score.is_nan()) {
            arrange(&mut entries);
            let places = (1..=entries.len()).rev();
            for (entry, place) in entries.iter_mut().zip(places) {
                entry.score = place as f64;
            }
        }
        for entry in entries {
            builder.push(topic.id(), entry.doc, entry.score, entry.rank);
        }
    }
    builder.finish()
}

fn arrange(entries: &mut [Entry<'_>]) {
    // So many rounds has the original for large parts, before it sorts what is left of them by a heap.
    let rounds = 2 * entries.len().checked_ilog2().unwrap_or_default();
    partition(entries, rounds);
    let few = entries.len().min(FEW);
    (1..few).for_each(|at| insert_or_lead(entries, at));
    (few..entries.len()).for_each(|at| insert(entries, at));
    merge_sort_by(entries, |a, b| {
        by_score(a, b).then_with(|| b.doc.cmp(a.doc))
    });
}

fn by_score(a: &Entry<'_>, b: &Entry<'_>) -> Ordering {
    let (a, b) = (a.score as f32, b.score as f32);
    b.partial_cmp(&a).unwrap_or(Ordering::Equal)
}

fn is_before(a: &Entry<'_>, b: &Entry<'_>) -> bool {
    by_score(a, b).then_with(|| a.doc.cmp(b.doc)).is_lt()
}

/// Parts large pieces in two until they are small: the pieces behind first, then those before.
fn partition(mut entries: &mut [Entry<'_>], mut rounds: u32) {
    while entries.len() > FEW {
        let Some(left) = rounds.checked_sub(1) else {
            return sort_by_heap(entries);
        };
        rounds = left;
        let middle = part(entries);
        let (before, behind) = entries.split_at_mut(middle);
        partition(behind, rounds);
        entries = before;
    }
}

/// Sorts by a heap whose root is the last document.
fn sort_by_heap(entries: &mut [Entry<'_>]) {
    for root in (0..entries.len() / 2).rev() {
        sink(entries, root);
    }
    for end in (1..entries.len()).rev() {
        entries.swap(0, end);
        sink(&mut entries[..end], 0);
    }
}

/// Moves a document of a heap down to the leaves, always past the later of two children, and up again to where it belongs.
fn sink(heap: &mut [Entry<'_>], root: usize) {
    let mut at = root;
    while 2 * at + 1 < heap.len() {
        let (left, right) = (2 * at + 1, 2 * at + 2);
        let is_left = right == heap.len() || is_before(&heap[right], &heap[left]);
        let child = if is_left { left } else { right };
        heap.swap(at, child);
        at = child;
    }
    while at > root && is_before(&heap[(at - 1) / 2], &heap[at]) {
        heap.swap(at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
}

/// Puts documents before the pivot to the front, and returns where the others begin.
fn part(entries: &mut [Entry<'_>]) -> usize {
    let end = entries.len();
    entries.swap(0, median(entries, [1, end / 2, end - 1]));
    let pivot = entries[0];
    let (mut low, mut high) = (1, end);
    loop {
        while low < end && is_before(&entries[low], &pivot) {
            low += 1;
        }
        high -= 1;
        while high > 0 && is_before(&pivot, &entries[high]) {
            high -= 1;
        }
        if low >= high {
            return low;
        }
        entries.swap(low, high);
        low += 1;
    }
}

/// Which of three places has the document between the others, by as few comparisons as need be.
fn median(entries: &[Entry<'_>], [a, b, c]: [usize; 3]) -> usize {
    let is_before = |one: usize, other: usize| is_before(&entries[one], &entries[other]);
    let (low, high) = if is_before(a, b) { (a, b) } else { (b, a) };
    if is_before(high, c) {
        high
    } else if is_before(low, c) {
        c
    } else {
        low
    }
}

/// Puts a document where it belongs among those before it; to the front at once, if it comes before the first.
fn insert_or_lead(entries: &mut [Entry<'_>], at: usize) {
    if is_before(&entries[at], &entries[0]) {
        entries[..=at].rotate_right(1);
    } else {
        insert(entries, at);
    }
}

/// Moves a document forward, past all that it comes before.
fn insert(entries: &mut [Entry<'_>], at: usize) {
    let stays = entries[..at]
        .iter()
        .rposition(|other| !is_before(&entries[at], other));
    let place = stays.map_or(0, |stays| stays + 1);
    entries[place..=at].rotate_right(1);
}
