//! Groups of systems that do not differ significantly, and letters for them.
//!
//! Two systems share a letter if and only if they do not differ. The groups are the largest sets without a significant pair, found
//! by insertion and absorption: every significant pair splits the groups that hold both of its systems, and a group within
//! another one is dropped. There are as many letters as groups: z is followed by aa.
//!
//! Reference: H.-P. Piepho, An algorithm for a letter-based representation of all-pairwise comparisons, Journal of Computational
//! and Graphical Statistics 13 (2004).

use crate::error::{Result, StatsError};

/// The greatest number of groups on the way; differences that contradict each other could have exponentially many.
const MOST_GROUPS: usize = 10_000;

/// The groups of systems without a significant difference, each a list of systems in the given order.
///
/// `order` lists the systems, best first; `differ` tells whether two of them differ significantly. Groups are ordered by their
/// first system, then by their second, and so on.
///
/// ```
/// use cranfield_stats::groups::{groups, letters};
/// // Systems 0 and 2 differ, and nothing else.
/// let found = groups(&[0, 1, 2], |a, b| a.abs_diff(b) == 2)?;
/// assert_eq!(found, [vec![0, 1], vec![1, 2]]);
/// assert_eq!(letters(&found, 3), ["a", "ab", "b"]);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn groups(order: &[usize], differ: impl Fn(usize, usize) -> bool) -> Result<Vec<Vec<usize>>> {
    let everyone = Members::all(order.len());
    let mut columns = if order.is_empty() {
        vec![]
    } else {
        vec![everyone]
    };
    for first in 0..order.len() {
        for second in first + 1..order.len() {
            if differ(order[first], order[second]) {
                columns = split(columns, first, second);
                check_number(columns.len())?;
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = columns.iter().map(Members::positions).collect();
    groups.sort_unstable();
    let systems = |group: Vec<usize>| group.into_iter().map(|at| order[at]).collect();
    Ok(groups.into_iter().map(systems).collect())
}

fn check_number(found: usize) -> Result<()> {
    if found <= MOST_GROUPS {
        return Ok(());
    }
    Err(StatsError::TooMany {
        what: "groups without a significant difference",
        found,
        most: MOST_GROUPS,
        instead: "compare fewer systems",
    })
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

/// The letter of a group: a to z, then aa, ab and so on. From 26 groups on the letters of several groups are told apart by their
/// first character: all but the last letters of a name are capitals.
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
    fn all(count: usize) -> Self {
        let mut words = vec![u64::MAX; count.div_ceil(64)];
        if let (Some(last), 1..) = (words.last_mut(), count % 64) {
            *last = (1 << (count % 64)) - 1;
        }
        Self(words)
    }

    fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    fn without(&self, at: usize) -> Self {
        let mut others = self.clone();
        others.0[at / 64] &= !(1 << (at % 64));
        others
    }

    fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    fn positions(&self) -> Vec<usize> {
        (0..self.0.len() * 64).filter(|&at| self.has(at)).collect()
    }
}

/// Splits the sets that hold both positions. A half is kept unless it lies within a set that was not split; halves are never within
/// each other, since the sets they come from are not.
fn split(columns: Vec<Members>, first: usize, second: usize) -> Vec<Members> {
    let (both, mut kept): (Vec<_>, Vec<_>) = columns
        .into_iter()
        .partition(|set| set.has(first) && set.has(second));
    for at in [second, first] {
        for half in both.iter().map(|set| set.without(at)) {
            if !kept.iter().any(|set| half.is_within(set)) {
                kept.push(half);
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn everyone_or_no_one() {
        assert_eq!(groups(&[2, 0, 1], |_, _| false).unwrap(), [vec![2, 0, 1]]);
        let alone = groups(&[2, 0, 1], |_, _| true).unwrap();
        assert_eq!(alone, [vec![2], vec![0], vec![1]]);
        assert_eq!(letters(&alone, 3), ["b", "c", "a"]);
        assert!(groups(&[], |_, _| true).unwrap().is_empty());
    }

    #[test]
    fn a_hundred_letters() {
        let order: Vec<usize> = (0..100).collect();
        let found = groups(&order, |a, b| a.abs_diff(b) > 1).unwrap();
        assert_eq!(found.len(), 99);
        let names = letters(&found, 100);
        assert_eq!(names[0], "a");
        assert_eq!(names[26], "zAa");
        assert_eq!(names[99], "Cu");
    }

    #[test]
    fn exponentially_many_groups_are_refused() {
        // Pairs (0, 1), (2, 3), ... differ: 2^25 groups.
        let order: Vec<usize> = (0..50).collect();
        assert!(groups(&order, |a, b| a / 2 == b / 2).is_err());
    }

    proptest! {
        /// Two systems share a group if and only if they do not differ, and no group lies within another.
        #[test]
        fn sharing_means_no_difference(count in 1_usize..9, bits in any::<u64>()) {
            let differ = |a: usize, b: usize| {
                bits >> ((a.min(b) * 8 + a.max(b)) % 64) & 1 == 1
            };
            let order: Vec<usize> = (0..count).rev().collect();
            let found = groups(&order, differ).unwrap();
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
