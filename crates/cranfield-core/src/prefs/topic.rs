//! One topic as a preference measure sees it.

use std::sync::OnceLock;

use super::classes::Classes;
use super::error::PreferenceError;
use super::input::{Line, Names, Numbering};
use super::matrix::Matrix;
use super::pairs::{PairCounts, PairMeans, Row, Scope};

/// The preferences of a group.
#[derive(Clone, Debug)]
enum Order {
    /// From one sub-group.
    Classes(Classes),
    /// From several.
    Matrix(Matrix),
}

/// One judgement group of a topic, compared with a ranking.
#[derive(Clone, Debug)]
pub struct PreferenceGroup {
    /// Numbers of preferences.
    pub pairs: PairCounts,
    /// Documents at a level above 0; in a group with one sub-group, lines.
    pub relevant: u64,
    /// Those of them that were retrieved.
    pub relevant_retrieved: u64,
    /// Documents at level 0; in a group with one sub-group, lines at level 0 or below.
    pub nonrelevant: u64,
    /// Those of them that were retrieved.
    pub nonrelevant_retrieved: u64,
    order: Order,
}

impl PreferenceGroup {
    pub(super) fn new(
        lines: &[Line],
        judged: &Numbering,
        names: &Names<'_>,
    ) -> Result<Self, PreferenceError> {
        if lines.iter().any(|line| line.subgroup > 0) {
            let matrix = Matrix::new(lines, judged, names)?;
            let levels: Vec<_> = matrix.levels().filter(|(level, _)| *level >= 0.0).collect();
            return Ok(Self::of(matrix.count(), levels, Order::Matrix(matrix)));
        }
        let classes = Classes::new(lines, judged).map_err(|id| PreferenceError::TwoLevels {
            topic: names.topic(),
            group: names.group(),
            doc: names.doc(id),
            id: id as usize,
        })?;
        let levels = lines
            .iter()
            .map(|line| (line.level, (judged.of(line) as usize) < judged.retrieved));
        Ok(Self::of(classes.count(), levels, Order::Classes(classes)))
    }

    /// A group from its preferences, and from the level of each document with whether it was retrieved.
    fn of(pairs: PairCounts, levels: impl IntoIterator<Item = (f64, bool)>, order: Order) -> Self {
        // Not relevant and relevant documents: not retrieved, retrieved.
        let mut counts = [[0u64; 2]; 2];
        for (level, retrieved) in levels {
            counts[usize::from(level > 0.0)][usize::from(retrieved)] += 1;
        }
        let [nonrelevant, relevant] = counts;
        Self {
            pairs,
            relevant: relevant.iter().sum(),
            relevant_retrieved: relevant[1],
            nonrelevant: nonrelevant.iter().sum(),
            nonrelevant_retrieved: nonrelevant[1],
            order,
        }
    }

    /// Fulfilled and all preferences when only as many documents that are not relevant take part as there are
    /// relevant ones, counted as `trec_eval` does for its `Rnonrel` measures. Meant for groups with more of the former.
    pub fn recount(&self, scope: Scope) -> (u64, u64) {
        match &self.order {
            Order::Matrix(matrix) => matrix.recount(scope, self.relevant),
            Order::Classes(classes) if scope == Scope::Retrieved => {
                classes.recount(scope, self.relevant_retrieved)
            }
            Order::Classes(classes) => classes.recount(scope, self.relevant),
        }
    }

    /// Number of pairs of documents with a preference.
    fn distinct(&self) -> PairCounts {
        match &self.order {
            Order::Classes(classes) => classes.count_distinct(),
            Order::Matrix(_) => self.pairs,
        }
    }

    fn add_row(&self, id: u32, at: &mut usize, row: &mut Row) {
        match &self.order {
            Order::Classes(classes) => classes.add_row(id, at, row),
            Order::Matrix(matrix) => matrix.add_row(id, at, row),
        }
    }
}

/// A topic's preferences, compared with a ranking: what a preference measure sees.
///
/// Made by [`Preferences::judge`](super::Preferences::judge).
#[derive(Clone, Debug, Default)]
pub struct PreferenceTopic {
    judged: usize,
    retrieved: usize,
    groups: Vec<PreferenceGroup>,
    /// Made for the first measure that needs it.
    means: OnceLock<PairMeans>,
}

impl PreferenceTopic {
    pub(super) fn new(judged: usize, retrieved: usize, groups: Vec<PreferenceGroup>) -> Self {
        Self {
            judged,
            retrieved,
            groups,
            means: OnceLock::new(),
        }
    }

    /// Number of judged documents.
    pub fn judged(&self) -> usize {
        self.judged
    }

    /// Number of judged documents that were retrieved.
    pub fn judged_retrieved(&self) -> usize {
        self.retrieved
    }

    /// Judgement groups in ascending order of their ids.
    pub fn groups(&self) -> &[PreferenceGroup] {
        &self.groups
    }

    /// Possible preferences over all groups.
    pub fn possible(&self, scope: Scope) -> u64 {
        self.groups
            .iter()
            .map(|group| group.pairs.possible(scope))
            .sum()
    }

    /// Fulfilled preferences over all groups.
    pub fn fulfilled(&self, scope: Scope) -> u64 {
        self.groups
            .iter()
            .map(|group| group.pairs.fulfilled(scope))
            .sum()
    }

    /// The mean, over pairs of documents with any preference, of the share of the groups' preferences that is
    /// fulfilled; `None` without such pairs.
    pub fn mean_of_pairs(&self, scope: Scope) -> Option<f64> {
        self.means.get_or_init(|| self.means()).mean(scope)
    }

    fn means(&self) -> PairMeans {
        // One group cannot disagree with itself: nothing needs to be gathered pair by pair.
        if let [group] = self.groups.as_slice() {
            return PairMeans::of_distinct(&group.distinct());
        }
        let mut means = PairMeans::default();
        let mut row = Row::new(self.judged);
        let mut places = vec![0; self.groups.len()];
        for id in 0..self.judged {
            for (group, at) in self.groups.iter().zip(&mut places) {
                group.add_row(id as u32, at, &mut row);
            }
            for (other, forward, backward) in row.take(id + 1) {
                if other < self.retrieved {
                    means.retrieved.add(forward, backward);
                }
                if id < self.retrieved {
                    means.implied.add(forward, backward);
                } else {
                    means.elsewhere += 1;
                }
            }
        }
        means
    }
}
