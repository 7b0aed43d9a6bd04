//! Groups of systems that do not differ significantly, and letters for them.
//!
//! Two systems share a letter if and only if they do not differ. The groups are the maximal sets without a significant pair. They
//! are built up system by system. The first k systems never have more groups than all systems, so that a limit on the number of
//! groups also limits the work. There is a letter for every group: z is followed by Aa.
//!
//! Reference: H.-P. Piepho, An algorithm for a letter-based representation of all-pairwise comparisons, Journal of Computational
//! and Graphical Statistics 13 (2004).

/// The groups of systems without a significant difference, each a list of systems in the given order; `None` if there are more
/// than `most`.
///
/// `order` lists the systems, best first; `differ` returns whether two of them differ significantly. Groups are ordered by their
/// first system, then by their second, and so on.
///
/// ```
/// use cranfield_stats::groups::{groups, letters};
/// // Systems 0 and 2 differ, and nothing else.
/// let found = groups(&[0, 1, 2], 26, |a, b| a.abs_diff(b) == 2).unwrap();
/// assert_eq!(found, [vec![0, 1], vec![1, 2]]);
/// assert_eq!(letters(&found, 3), ["a", "ab", "b"]);
/// // Pairs of 20 systems differ: 2 to the power of 10 groups.
/// let systems: Vec<usize> = (0..20).collect();
/// assert_eq!(groups(&systems, 26, |a, b| a / 2 == b / 2), None);
/// ```
pub fn groups(
    order: &[usize],
    most: usize,
    differ: impl Fn(usize, usize) -> bool,
) -> Option<Vec<Vec<usize>>> {
    let mut sets: Vec<Members> = Vec::new();
    for at in 0..order.len() {
        let mut others = Members::none(order.len());
        for before in (0..at).filter(|before| differ(order[*before], order[at])) {
            others.add(before);
        }
        sets = with_one_more(sets, at, &others);
        if sets.len() > most {
            return None;
        }
    }
    let mut groups: Vec<Vec<usize>> = sets.iter().map(Members::positions).collect();
    groups.sort_unstable();
    let systems = |group: Vec<usize>| group.into_iter().map(|at| order[at]).collect();
    Some(groups.into_iter().map(systems).collect())
}

/// The letters of each of `count` systems, in the order of the groups.
pub fn letters(groups: &[Vec<usize>], count: usize) -> Vec<String> {
    let mut letters = vec![String::new(); count];
    for (number, group) in groups.iter().enumerate() {
        for &system in group {
            if let Some(letters) = letters.get_mut(system) {
                letters.push_str(&letter(number));
            }
        }
    }
    letters
}

/// The letter of a group: a to z, then Aa, Ab and so on. Only the last character of a name is a lower-case letter, which separates the
/// names of several groups.
///
/// ```
/// use cranfield_stats::groups::letter;
/// assert_eq!([letter(0), letter(25), letter(26), letter(51), letter(52)], ["a", "z", "Aa", "Az", "Ba"]);
/// ```
pub fn letter(number: usize) -> String {
    let character = |digit: usize, first: u8| char::from(first + (digit % 26) as u8);
    let mut name = vec![character(number, b'a')];
    let mut rest = number / 26;
    while rest > 0 {
        name.push(character(rest - 1, b'A'));
        rest = (rest - 1) / 26;
    }
    name.iter().rev().collect()
}

/// A set of positions, as bits.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Members(Vec<u64>);

impl Members {
    fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    fn add(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    fn without(&self, other: &Self) -> Self {
        let words = self.0.iter().zip(&other.0);
        Self(words.map(|(a, b)| a & !b).collect())
    }

    fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    fn positions(&self) -> Vec<usize> {
        (0..self.0.len() * 64).filter(|&at| self.has(at)).collect()
    }
}

/// The sets after adding a system that differs from `others`. It joins the sets without any of these. The remaining sets are kept; each
/// of them without the others also forms a set with the new system, unless a larger one contains it.
fn with_one_more(sets: Vec<Members>, at: usize, others: &Members) -> Vec<Members> {
    let (mut kept, mut joined): (Vec<Members>, Vec<Members>) =
        sets.into_iter().partition(|set| set.meets(others));
    let parts: Vec<Members> = kept.iter().map(|set| set.without(others)).collect();
    for part in parts {
        if joined.iter().any(|set| part.is_within(set)) {
            continue;
        }
        joined.retain(|set| !set.is_within(&part));
        joined.push(part);
    }
    if joined.is_empty() {
        joined.push(Members(vec![0; others.0.len()]));
    }
    for set in &mut joined {
        set.add(at);
    }
    kept.append(&mut joined);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn everyone_or_no_one() {
        assert_eq!(groups(&[2, 0, 1], 1, |_, _| false).unwrap(), [[2, 0, 1]]);
        let alone = groups(&[2, 0, 1], 3, |_, _| true).unwrap();
        assert_eq!(alone, [vec![2], vec![0], vec![1]]);
        assert_eq!(letters(&alone, 3), ["b", "c", "a"]);
        assert!(groups(&[], 0, |_, _| true).unwrap().is_empty());
    }

    #[test]
    fn a_hundred_letters() {
        let order: Vec<usize> = (0..100).collect();
        let found = groups(&order, 99, |a, b| a.abs_diff(b) > 1).unwrap();
        assert_eq!(found.len(), 99);
        let names = letters(&found, 100);
        assert_eq!(names[0], "a");
        assert_eq!(names[26], "zAa");
        assert_eq!(names[99], "Cu");
        assert_eq!(groups(&order, 98, |a, b| a.abs_diff(b) > 1), None);
    }

    /// 1,000 systems in pairs have 2^500 groups, which cannot be enumerated.
    #[test]
    fn exponentially_many_groups_are_not_listed() {
        let order: Vec<usize> = (0..1000).collect();
        assert_eq!(groups(&order, 500, |a, b| a / 2 == b / 2), None);
    }

    /// Of 40 systems, each of the first 20 differs from one of the others, and these differ from each other: 2^20 groups if the
    /// last differences came last, 21 in the end.
    #[test]
    fn few_groups_are_found_despite_many_intermediate_ones() {
        let order: Vec<usize> = (0..40).collect();
        let differ = |a: usize, b: usize| (a >= 20 && b >= 20) || a.abs_diff(b) == 20;
        assert_eq!(groups(&order, 21, differ).unwrap().len(), 21);
        assert_eq!(groups(&order, 20, differ), None);
    }

    proptest! {
        /// Two systems share a group if and only if they do not differ, and no group lies within another.
        #[test]
        fn sharing_means_no_difference(count in 1_usize..9, bits in any::<u64>()) {
            let differ = |a: usize, b: usize| {
                bits >> ((a.min(b) * 8 + a.max(b)) % 64) & 1 == 1
            };
            let order: Vec<usize> = (0..count).rev().collect();
            let found = groups(&order, 1000, differ).unwrap();
            for a in 0..count {
                for b in 0..count {
                    let together = found.iter().any(|group| group.contains(&a) && group.contains(&b));
                    prop_assert_eq!(together, a == b || !differ(a, b));
                }
            }
            for (at, one) in found.iter().enumerate() {
                for (other_at, other) in found.iter().enumerate() {
                    let within = one.iter().all(|system| other.contains(system));
                    prop_assert!(at == other_at || !within);
                }
            }
        }
    }
}
