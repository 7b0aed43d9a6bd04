//! Similarity of two rankings: pure functions of two lists of ids, which may be tied.
//!
//! A [`RankingPair`] holds two rankings as groups of tied items, best group first, and knows which items they
//! share. [`rbo`](RankingPair::rbo) and its relatives need one pass over both lists, whatever the ties: at any
//! depth only one group of each list is counted partially, so four counts of shared items give the overlap.
//!
//! ```
//! use cranfield_eval::similarity::{RankingPair, Ties};
//!
//! let x = [vec!["a"], vec!["b", "c"]];
//! let y = [vec!["b"], vec!["a"], vec!["d"]];
//! let pair = RankingPair::new(&x, &y)?;
//! assert_eq!(pair.average_overlap(2, Ties::Expected), Some((0.0 + 0.75) / 2.0));
//! # Ok::<(), cranfield_eval::similarity::RepeatedItem>(())
//! ```

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;

mod alignment;
mod files;
#[cfg(test)]
mod golden;
mod rbo;
mod runs;
mod walk;

pub use alignment::{Bounds, recall};
pub use files::{
    Against, ComparedRuns, SimilarityRequest, similarity_of_files, similarity_of_pairs,
};
pub use rbo::Rbo;
pub use runs::{Comparison, Groups, ListMeasure, RepeatedDocument, Similarity, TopicSimilarity};

/// Interpretation of a group of tied items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The items share the first rank of the group, as in sports (variant w).
    SameRank,
    /// The order is unknown: the expectation over all orders (variant a).
    Expected,
    /// Like `Expected`, but corrected so that a ranking with ties fully agrees with itself (variant b).
    Corrected,
}

/// An item that occurs twice in a ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepeatedItem {
    /// 1 for the first ranking, 2 for the second.
    pub ranking: u8,
    /// Position of the repetition: the number of items before it.
    pub position: usize,
}

impl fmt::Display for RepeatedItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.position + 1;
        write!(
            f,
            "ranking {} contains an item twice, the second time at position {place}",
            self.ranking
        )
    }
}

impl std::error::Error for RepeatedItem {}

/// One ranking of a pair: the ends of its groups, and the groups of its items in the other ranking.
#[derive(Clone, Debug)]
struct Side {
    /// Number of items up to and including each group.
    ends: Vec<usize>,
    /// For each item, the group of the other ranking that contains it.
    partners: Vec<Option<usize>>,
}

impl Side {
    fn len(&self) -> usize {
        self.partners.len()
    }

    /// The index of a group's first item; the length of the list for the group after the last.
    fn start(&self, group: usize) -> usize {
        match group.min(self.ends.len()) {
            0 => 0,
            after => self.ends[after - 1],
        }
    }

    /// The index after a group's last item.
    fn end(&self, group: usize) -> usize {
        self.ends.get(group).copied().unwrap_or(self.len())
    }
}

/// Two rankings without repeated items.
#[derive(Clone, Debug)]
pub struct RankingPair {
    short: Side,
    long: Side,
}

impl RankingPair {
    /// Creates a pair from groups of tied items, best first. Empty groups are ignored.
    pub fn new<T: Eq + Hash, G: AsRef<[T]>>(x: &[G], y: &[G]) -> Result<Self, RepeatedItem> {
        let (groups_x, groups_y) = (groups_of(x, 1)?, groups_of(y, 2)?);
        let first = side(x, &groups_y);
        let second = side(y, &groups_x);
        let (short, long) = if first.len() <= second.len() {
            (first, second)
        } else {
            (second, first)
        };
        Ok(Self { short, long })
    }

    /// Number of items in both rankings.
    pub fn shared(&self) -> usize {
        self.short.partners.iter().flatten().count()
    }

    /// Number of items in the shorter and in the longer ranking.
    pub fn lengths(&self) -> (usize, usize) {
        (self.short.len(), self.long.len())
    }
}

/// The group of each item, by index among the non-empty groups.
fn groups_of<T: Eq + Hash, G: AsRef<[T]>>(
    ranking: &[G],
    name: u8,
) -> Result<HashMap<&T, usize>, RepeatedItem> {
    let mut groups = HashMap::new();
    for (at, group) in filled(ranking).enumerate() {
        for item in group {
            let position = groups.len();
            if groups.insert(item, at).is_some() {
                return Err(RepeatedItem {
                    ranking: name,
                    position,
                });
            }
        }
    }
    Ok(groups)
}

fn side<T: Eq + Hash, G: AsRef<[T]>>(ranking: &[G], other: &HashMap<&T, usize>) -> Side {
    let mut side = Side {
        ends: Vec::new(),
        partners: Vec::new(),
    };
    for group in filled(ranking) {
        let partners = group.iter().map(|item| other.get(item).copied());
        side.partners.extend(partners);
        side.ends.push(side.partners.len());
    }
    side
}

fn filled<'a, T: 'a, G: AsRef<[T]>>(ranking: &'a [G]) -> impl Iterator<Item = &'a [T]> {
    ranking
        .iter()
        .map(AsRef::as_ref)
        .filter(|group| !group.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_items_are_an_error() {
        let (fine, twice) = (vec![vec!["a"]], vec![vec!["a", "b"], vec!["c", "a"]]);
        let error = RankingPair::new(&fine, &twice).expect_err("a is repeated");
        assert_eq!((error.ranking, error.position), (2, 3));
        assert_eq!(
            error.to_string(),
            "ranking 2 contains an item twice, the second time at position 4"
        );
    }

    #[test]
    fn empty_groups_are_ignored() {
        let x = [vec![], vec!["a"], vec![], vec!["b", "c"]];
        let pair = RankingPair::new(&x, &[vec!["c"]]).expect("no item is repeated");
        assert_eq!(pair.lengths(), (1, 3));
        assert_eq!(pair.shared(), 1);
        assert_eq!(pair.long.ends, [1, 3]);
        assert_eq!(pair.short.partners, [Some(1)]);
    }
}
