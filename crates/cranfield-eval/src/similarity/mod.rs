//! How alike two rankings are: pure functions of two lists of ids, in which ids may be tied.
//!
//! A [`RankingPair`] holds two rankings as groups of tied items, best group first, and knows which items they share.
//! [`rbo`](RankingPair::rbo) and its relatives need one walk down both lists, whatever the ties: at any depth only one group
//! of each list is counted in part, so four counts of shared items give the overlap.
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

/// What a group of tied items means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The items share the rank at which the group begins, as in sports (variant w).
    SameRank,
    /// The order is unknown: the expectation over all orders (variant a).
    Expected,
    /// As `Expected`, corrected so that a ranking with ties agrees wholly with itself (variant b).
    Corrected,
}

/// An item that a ranking has twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepeatedItem {
    /// 1 for the first ranking, 2 for the second.
    pub ranking: u8,
    /// Where the repetition stands: number of items before it.
    pub position: usize,
}

impl fmt::Display for RepeatedItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.position + 1;
        write!(
            f,
            "ranking {} has an item twice, the second time at place {place}",
            self.ranking
        )
    }
}

impl std::error::Error for RepeatedItem {}

/// One ranking of a pair: where its groups end, and where the other ranking has its items.
#[derive(Clone, Debug)]
struct Side {
    /// Number of items in each group and all before it.
    ends: Vec<usize>,
    /// For each item the group of the other ranking that holds it.
    partners: Vec<Option<usize>>,
}

impl Side {
    fn len(&self) -> usize {
        self.partners.len()
    }

    /// The place of a group's first item; the length of the list for the group after the last.
    fn start(&self, group: usize) -> usize {
        match group.min(self.ends.len()) {
            0 => 0,
            after => self.ends[after - 1],
        }
    }

    /// The place after a group's last item.
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
    /// Two rankings as groups of tied items, best first. Empty groups are passed over.
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

    /// Number of items that both rankings have.
    pub fn shared(&self) -> usize {
        self.short.partners.iter().flatten().count()
    }

    /// Number of items in the shorter and in the longer ranking.
    pub fn lengths(&self) -> (usize, usize) {
        (self.short.len(), self.long.len())
    }
}

/// The group of each item, by place among the groups that are not empty.
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
    fn repeated_items_are_refused() {
        let (fine, twice) = (vec![vec!["a"]], vec![vec!["a", "b"], vec!["c", "a"]]);
        let error = RankingPair::new(&fine, &twice).expect_err("a is repeated");
        assert_eq!((error.ranking, error.position), (2, 3));
        assert_eq!(
            error.to_string(),
            "ranking 2 has an item twice, the second time at place 4"
        );
    }

    #[test]
    fn empty_groups_change_nothing() {
        let x = [vec![], vec!["a"], vec![], vec!["b", "c"]];
        let pair = RankingPair::new(&x, &[vec!["c"]]).expect("no item is repeated");
        assert_eq!(pair.lengths(), (1, 3));
        assert_eq!(pair.shared(), 1);
        assert_eq!(pair.long.ends, [1, 3]);
        assert_eq!(pair.short.partners, [Some(1)]);
    }
}
