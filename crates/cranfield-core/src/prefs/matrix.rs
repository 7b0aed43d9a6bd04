//! A group with several sub-groups: preferences of all of them together, followed from one document to the next.

use super::closure::Graph;
use super::error::PreferenceError;
use super::input::{Line, Names, Numbering};
use super::pairs::{PairCounts, Row, Scope};
use super::relation::{Relation, contains, insert};
use crate::small_sort::SmallSort;

/// Maximum number of documents in a group with several sub-groups; its matrix then takes 128 MiB.
const MAX_DOCUMENTS: usize = 1 << 15;

/// The preferences of a group, each between two documents once.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    /// Numbers of the documents, ascending; the relation knows documents by their place here.
    ids: Vec<u32>,
    /// The last level that the lines give to each document.
    levels: Vec<f64>,
    /// Number of retrieved documents, which come first.
    retrieved: usize,
    relation: Relation,
}

impl Matrix {
    /// The preferences from lines by sub-group with descending levels.
    pub(super) fn new(
        lines: &[Line],
        judged: &Numbering,
        names: &Names<'_>,
    ) -> Result<Self, PreferenceError> {
        let mut ids: Vec<u32> = lines.iter().map(|line| judged.of(line)).collect();
        ids.sort_unstable();
        ids.dedup();
        check_size(ids.len(), names)?;
        let place = |line: &Line| ids.partition_point(|id| *id < judged.of(line));
        let mut lines: Vec<_> = lines.iter().map(|line| (place(line), line)).collect();
        lines.small_sort_by(|(a_at, a), (b_at, b)| {
            let subgroup = a.subgroup.cmp(&b.subgroup);
            subgroup
                .then(b.level.total_cmp(&a.level))
                .then(a_at.cmp(b_at))
        });
        let levels = levels(&lines, &ids, names)?;
        let closed = direct(&lines, ids.len()).close();
        let relation = closed.map_err(|(a, b)| conflict([ids[a], ids[b]], names))?;
        let retrieved = ids.partition_point(|id| (*id as usize) < judged.retrieved);
        Ok(Self {
            ids,
            levels,
            retrieved,
            relation,
        })
    }

    /// The level of each document, in order of numbers, and whether it is retrieved.
    pub(super) fn levels(&self) -> impl Iterator<Item = (f64, bool)> + '_ {
        self.levels
            .iter()
            .zip(0..)
            .map(|(level, at)| (*level, at < self.retrieved))
    }

    /// All preferences.
    pub(super) fn count(&self) -> PairCounts {
        self.tally(&vec![u64::MAX; self.relation.empty_set().len()])
    }

    /// Preferences inside a set of documents.
    fn tally(&self, set: &[u64]) -> PairCounts {
        let (retrieved, all) = (self.retrieved, self.ids.len());
        let mut counts = PairCounts::default();
        for doc in (0..all).filter(|doc| contains(set, *doc)) {
            let to = |range| self.relation.count(doc, range, set);
            if doc < retrieved {
                counts.possible_retrieved += to(0..retrieved);
                counts.fulfilled_retrieved += to(doc + 1..retrieved);
                counts.possible_implied += to(retrieved..all);
                counts.fulfilled_implied += to(retrieved..all);
            } else {
                counts.possible_implied += to(0..retrieved);
                counts.possible_elsewhere += to(retrieved..all);
            }
        }
        counts
    }

    /// Fulfilled and all preferences of the recount of `trec_eval`'s `Rnonrel` measures, which leaves out all
    /// documents at level 0 but the first `kept`.
    pub(super) fn recount(&self, scope: Scope, kept: u64) -> (u64, u64) {
        let mut set = self.relation.empty_set();
        let mut zeros = 0;
        for (doc, level) in self.levels.iter().enumerate() {
            zeros += u64::from(*level == 0.0);
            if *level != 0.0 || zeros <= kept {
                insert(&mut set, doc);
            }
        }
        let counts = self.tally(&set);
        (counts.fulfilled(scope), counts.possible(scope))
    }

    /// Adds the preferences between the document at `*at` and later ones, if it is document `id`, and moves `at` on.
    pub(super) fn add_row(&self, id: u32, at: &mut usize, row: &mut Row) {
        let first = *at;
        if self.ids.get(first) != Some(&id) {
            return;
        }
        *at += 1;
        for (other, other_id) in self.ids.iter().enumerate().skip(*at) {
            row.forward[*other_id as usize] += u64::from(self.relation.contains(first, other));
            row.backward[*other_id as usize] += u64::from(self.relation.contains(other, first));
        }
    }
}

fn check_size(docs: usize, names: &Names<'_>) -> Result<(), PreferenceError> {
    if docs <= MAX_DOCUMENTS {
        return Ok(());
    }
    let (topic, group) = (names.topic(), names.group());
    Err(PreferenceError::TooManyDocuments {
        topic,
        group,
        docs,
        limit: MAX_DOCUMENTS,
    })
}

fn conflict(ids: [u32; 2], names: &Names<'_>) -> PreferenceError {
    PreferenceError::Conflict {
        topic: names.topic(),
        group: names.group(),
        docs: ids.map(|id| names.doc(id)),
        ids: ids.map(|id| id as usize),
    }
}

/// The last level of each document, unless it has level 0 and one above.
fn levels(
    lines: &[(usize, &Line)],
    ids: &[u32],
    names: &Names<'_>,
) -> Result<Vec<f64>, PreferenceError> {
    let mut levels = vec![0.0; ids.len()];
    let (mut zero, mut positive) = (vec![false; ids.len()], vec![false; ids.len()]);
    for &(doc, line) in lines {
        levels[doc] = line.level;
        zero[doc] |= line.level == 0.0;
        positive[doc] |= line.level > 0.0;
        if zero[doc] && positive[doc] {
            let (topic, group, doc) = (names.topic(), names.group(), names.doc(ids[doc]));
            return Err(PreferenceError::ZeroAndPositive { topic, group, doc });
        }
    }
    Ok(levels)
}

/// The direct preferences of the sub-groups: each class is preferred to the next lower one.
fn direct(lines: &[(usize, &Line)], docs: usize) -> Graph {
    let mut graph = Graph::new(docs);
    for subgroup in lines.chunk_by(|(_, a), (_, b)| a.subgroup == b.subgroup) {
        let mut upper: Vec<u32> = Vec::new();
        for class in subgroup.chunk_by(|(_, a), (_, b)| a.level.total_cmp(&b.level).is_eq()) {
            let lower: Vec<u32> = class.iter().map(|(doc, _)| *doc as u32).collect();
            graph.prefer(&upper, &lower);
            upper = lower;
        }
    }
    graph
}
