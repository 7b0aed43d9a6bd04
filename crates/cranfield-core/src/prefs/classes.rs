//! A group with one sub-group: classes of documents at the same level, and a preference from every document of a
//! class to every document of a lower one.
//!
//! The pairs are counted from the classes' sizes and never listed, so that a whole qrels file read as preferences
//! costs little more than its sorting.

use super::input::{Line, Numbering};
use super::pairs::{PairCounts, Row, Scope};
use crate::small_sort::SmallSort;

/// A document in a class.
#[derive(Clone, Copy, Debug)]
struct Member {
    /// The document's number.
    id: u32,
    /// The class, 0 for the highest level.
    class: u32,
    /// Number of lines that say so.
    lines: u64,
}

/// The classes of a group.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    /// Documents by number.
    members: Vec<Member>,
    /// Number of levels.
    levels: usize,
    /// Documents with smaller numbers are retrieved.
    retrieved: u32,
}

impl Classes {
    /// Classes from lines with descending levels; the error is the number of a document that is in two.
    pub(super) fn new(lines: &[Line], judged: &Numbering) -> Result<Self, u32> {
        let mut members = Vec::with_capacity(lines.len());
        let same_level = lines.chunk_by(|a, b| a.level.total_cmp(&b.level).is_eq());
        let mut levels = 0u32;
        for class in same_level {
            members.extend(class.iter().map(|line| Member {
                id: judged.of(line),
                class: levels,
                lines: 1,
            }));
            levels += 1;
        }
        members.small_sort_by_key(|member| (member.id, member.class));
        members.dedup_by(|again, first| {
            let same = again.id == first.id && again.class == first.class;
            first.lines += if same { again.lines } else { 0 };
            same
        });
        let twice = members.array_windows().filter(|[a, b]| a.id == b.id);
        match twice.map(|[_, b]| (b.class, b.id)).min() {
            Some((_, id)) => Err(id),
            None => Ok(Self {
                members,
                levels: levels as usize,
                retrieved: judged.retrieved as u32,
            }),
        }
    }

    /// Preferences; a repeated line repeats its preferences.
    pub(super) fn count(&self) -> PairCounts {
        self.tally(self.levels, |member| member.lines)
    }

    /// Pairs of documents with a preference, each once.
    pub(super) fn count_distinct(&self) -> PairCounts {
        self.tally(self.levels, |_| 1)
    }

    /// Preferences among the first classes with a weight for each document.
    fn tally(&self, classes: usize, weight: impl Fn(&Member) -> u64) -> PairCounts {
        let mut sizes = vec![[0u64; 2]; classes];
        let mut before = PrefixSums::new(classes);
        let mut fulfilled_retrieved = 0;
        for member in self
            .members
            .iter()
            .filter(|member| (member.class as usize) < classes)
        {
            let (class, weight) = (member.class as usize, weight(member));
            let elsewhere = member.id >= self.retrieved;
            sizes[class][usize::from(elsewhere)] += weight;
            if !elsewhere {
                fulfilled_retrieved += weight * before.sum(class);
                before.add(class, weight);
            }
        }
        PairCounts {
            fulfilled_retrieved,
            ..possible(&sizes)
        }
    }

    /// Fulfilled and all preferences of the recount of `trec_eval`'s `Rnonrel` measures, which leaves only `kept`
    /// documents in the lowest class but counts these against every document, themselves included.
    pub(super) fn recount(&self, scope: Scope, kept: u64) -> (u64, u64) {
        let upper = self.tally(self.levels.saturating_sub(1), |member| member.lines);
        let retrieved = self
            .members
            .partition_point(|member| member.id < self.retrieved);
        let counted = if scope == Scope::Retrieved {
            &self.members[..retrieved]
        } else {
            &self.members[..]
        };
        let all_lines: u64 = counted.iter().map(|member| member.lines).sum();
        let (mut fulfilled, mut all) = (upper.fulfilled(scope), upper.possible(scope));
        let (mut before, mut left) = (0, kept);
        for member in counted {
            if member.class as usize + 1 == self.levels {
                let taken = member.lines.min(left);
                left -= taken;
                fulfilled += taken * before;
                all += taken * all_lines;
            }
            before += if member.id < self.retrieved {
                member.lines
            } else {
                0
            };
        }
        (fulfilled, all)
    }

    /// Adds the preferences between the document at `*at` and later ones, if it is document `id`, and moves `at` on.
    pub(super) fn add_row(&self, id: u32, at: &mut usize, row: &mut Row) {
        let Some(first) = self.members.get(*at).filter(|member| member.id == id) else {
            return;
        };
        *at += 1;
        for member in &self.members[*at..] {
            let (other, pairs) = (member.id as usize, first.lines * member.lines);
            match first.class.cmp(&member.class) {
                std::cmp::Ordering::Less => row.forward[other] += pairs,
                std::cmp::Ordering::Greater => row.backward[other] += pairs,
                std::cmp::Ordering::Equal => {}
            }
        }
    }
}

/// Preferences by numbers of retrieved and other documents in each class, but for the order of retrieved ones.
fn possible(sizes: &[[u64; 2]]) -> PairCounts {
    let mut counts = PairCounts::default();
    let (mut retrieved_below, mut elsewhere_below) = (0, 0);
    for [retrieved, elsewhere] in sizes.iter().rev() {
        counts.possible_retrieved += retrieved * retrieved_below;
        counts.fulfilled_implied += retrieved * elsewhere_below;
        counts.possible_implied += retrieved * elsewhere_below + elsewhere * retrieved_below;
        counts.possible_elsewhere += elsewhere * elsewhere_below;
        retrieved_below += retrieved;
        elsewhere_below += elsewhere;
    }
    counts
}

/// Sums over the first entries of a list that changes: a Fenwick tree.
#[derive(Debug)]
struct PrefixSums {
    tree: Vec<u64>,
}

impl PrefixSums {
    fn new(entries: usize) -> Self {
        Self {
            tree: vec![0; entries + 1],
        }
    }

    fn add(&mut self, entry: usize, value: u64) {
        let mut node = entry + 1;
        while node < self.tree.len() {
            self.tree[node] += value;
            node += node & node.wrapping_neg();
        }
    }

    /// The sum of all entries before `entry`.
    fn sum(&self, entry: usize) -> u64 {
        let (mut node, mut sum) = (entry, 0);
        while node > 0 {
            sum += self.tree[node];
            node &= node - 1;
        }
        sum
    }
}
