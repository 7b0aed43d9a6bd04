//! The value of a measure over all orders of tied documents: the mean, minimum or maximum.

use std::ops::Range;

use crate::expected::Arrangements;
use crate::measure::Measure;
use crate::small_sort::SmallSort;
use crate::tied::TiedRanking;
use crate::topic::{Hit, JudgedRanking, Label, RecallBase};

/// The value to find over the orders of tied documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The order as it is.
    AsIs,
    /// The mean over all orders.
    Mean,
    /// The least value of any order.
    Least,
    /// The greatest value of any order.
    Greatest,
}

/// A value over the orders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The value; NaN is undefined.
    pub value: f64,
    /// Whether it is not an estimate.
    pub exact: bool,
}

/// A measure, and what its undefined values are.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'m> {
    /// The measure.
    pub measure: &'m dyn Measure,
    /// Whether smaller values are better.
    pub lower_is_better: bool,
    /// Undefined values are `trec_eval`'s numbers.
    pub reference_values: bool,
    /// Undefined values count as 0 in averages.
    pub zero: bool,
}

impl Subject<'_> {
    /// The value of a ranking; NaN is undefined.
    pub fn value(&self, topic: &JudgedRanking<'_>) -> f64 {
        self.measure.value(topic, self.reference_values)
    }
}

/// A topic's documents in one order, with the groups whose order is open.
#[derive(Debug)]
pub struct Orders<'a> {
    /// By rank.
    labels: Vec<Label>,
    /// Groups (ranks from 0) of documents that do not all have the same label.
    groups: Vec<Range<u32>>,
    /// Documents that count; the others lie beyond the depth.
    kept: usize,
    /// Unjudged documents are still to be dropped, once the order is known.
    condense: bool,
    base: RecallBase<'a>,
}

impl<'a> Orders<'a> {
    /// From labels by rank and groups of equal scores, of which only the first `kept` documents count.
    pub fn new(
        labels: &[Label],
        ties: &[Range<u32>],
        kept: usize,
        condensed: bool,
        base: RecallBase<'a>,
    ) -> Self {
        let mixed = |group: &&Range<u32>| {
            let inside = &labels[group.start as usize..group.end as usize];
            inside.iter().any(|label| *label != inside[0])
        };
        let groups = ties.iter().filter(|group| (group.start as usize) < kept);
        let mut orders = Self {
            labels: labels.to_vec(),
            groups: groups.filter(mixed).cloned().collect(),
            kept,
            condense: condensed,
            base,
        };
        if !orders.is_cut() {
            orders.labels.truncate(kept);
            if condensed {
                orders.close_up();
            }
        }
        orders
    }

    /// Whether any order is open.
    pub fn is_open(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Whether the depth cuts through a group, so that the order decides which documents count.
    fn is_cut(&self) -> bool {
        let last = self.groups.last();
        last.is_some_and(|group| group.end as usize > self.kept)
    }

    /// Drops unjudged documents and closes the ranks up.
    fn close_up(&mut self) {
        let judged = |label: &Label| matches!(label, Label::Judged(_));
        let mut left = 0;
        let mut ranks = Vec::with_capacity(self.labels.len() + 1);
        for label in &self.labels {
            ranks.push(left);
            left += u32::from(judged(label));
        }
        ranks.push(left);
        self.labels.retain(judged);
        for group in &mut self.groups {
            *group = ranks[group.start as usize]..ranks[group.end as usize];
        }
        self.groups.retain(|group| group.len() > 1);
        self.kept = self.labels.len();
        self.condense = false;
    }

    /// Finds the value of one measure.
    pub fn find(&self, subject: &Subject<'_>, wanted: Wanted) -> Found {
        let known = self.known(subject, wanted);
        known.unwrap_or_else(|| self.enumerate(&[(*subject, wanted)])[0])
    }

    /// Finds the values of several measures, which share the orders that must be tried.
    pub fn find_all(&self, asked: &[(Subject<'_>, Wanted)]) -> Vec<Found> {
        let known: Vec<Option<Found>> = asked
            .iter()
            .map(|(subject, wanted)| self.known(subject, *wanted))
            .collect();
        let open = asked
            .iter()
            .zip(&known)
            .filter(|(_, known)| known.is_none());
        let open: Vec<(Subject<'_>, Wanted)> = open.map(|(asked, _)| *asked).collect();
        let mut tried = self.enumerate(&open).into_iter();
        let found = known
            .into_iter()
            .map(|known| known.or_else(|| tried.next()));
        found.flatten().collect()
    }

    /// The value, if it can be found without trying orders.
    pub fn known(&self, subject: &Subject<'_>, wanted: Wanted) -> Option<Found> {
        let value = match wanted {
            _ if wanted == Wanted::AsIs || !self.is_open() => {
                Some(self.value_of(subject, &Self::hits(&self.labels)))
            }
            _ if self.is_cut() => None,
            Wanted::Mean => self.expected(subject),
            _ => self.extreme(subject, wanted == Wanted::Greatest),
        };
        value.map(|value| Found { value, exact: true })
    }

    /// The documents in the qrels, of labels by rank.
    fn hits(labels: &[Label]) -> Vec<Hit> {
        let ranked = labels.iter().zip(1..);
        let known = ranked.filter(|(label, _)| **label != Label::Unjudged);
        known
            .map(|(label, rank)| Hit {
                rank,
                label: *label,
            })
            .collect()
    }

    /// The value for an order of all documents.
    fn value_of(&self, subject: &Subject<'_>, hits: &[Hit]) -> f64 {
        let shown = hits.partition_point(|hit| hit.rank as usize <= self.kept);
        if self.condense {
            let judged = hits[..shown].iter();
            let judged = judged.filter(|hit| matches!(hit.label, Label::Judged(_)));
            let hits: Vec<Hit> = judged
                .zip(1..)
                .map(|(hit, rank)| Hit { rank, ..*hit })
                .collect();
            return subject.value(&JudgedRanking::new(hits.len(), &hits, self.base));
        }
        subject.value(&JudgedRanking::new(self.kept, &hits[..shown], self.base))
    }

    /// The measure's own closed form.
    fn expected(&self, subject: &Subject<'_>) -> Option<f64> {
        let hits = Self::hits(&self.labels);
        let topic = JudgedRanking::new(self.kept, &hits, self.base);
        subject.measure.evaluate(&topic)?;
        // Each group's labels differ, so that it holds a document in the qrels.
        let tied = TiedRanking::new(topic, &self.groups);
        subject.measure.expected(&tied)
    }

    /// The value of the best or the worst order of a measure that is monotone; `None` also where only one of the two is
    /// undefined, so that more must be known.
    fn extreme(&self, subject: &Subject<'_>, greatest: bool) -> Option<f64> {
        let best_first = greatest != subject.lower_is_better;
        let value = self.by_merit(subject, best_first)?;
        let decided = !value.is_nan() || self.by_merit(subject, !best_first)?.is_nan();
        decided.then_some(value)
    }

    /// The value with the documents of each group in the order of their merits.
    fn by_merit(&self, subject: &Subject<'_>, best_first: bool) -> Option<f64> {
        let mut labels = self.labels.clone();
        for group in &self.groups {
            let inside = &mut labels[group.start as usize..group.end as usize];
            let mut ranked = Vec::with_capacity(inside.len());
            for label in inside.iter() {
                ranked.push((subject.measure.merit(*label)?, *label));
            }
            ranked.small_sort_by(|a, b| {
                let ascending = a.0.total_cmp(&b.0);
                if best_first {
                    ascending.reverse()
                } else {
                    ascending
                }
            });
            for (place, (_, label)) in inside.iter_mut().zip(ranked) {
                *place = label;
            }
        }
        Some(self.value_of(subject, &Self::hits(&labels)))
    }

    /// From all distinct orders, or from sampled ones where there are too many.
    fn enumerate(&self, asked: &[(Subject<'_>, Wanted)]) -> Vec<Found> {
        if asked.is_empty() {
            return Vec::new();
        }
        let all = Self::hits(&self.labels);
        let orders = Arrangements::new(&self.groups, &all, |rank| self.labels[rank as usize]);
        let exact = !orders.is_sampled();
        let mut tried = vec![Tried::default(); asked.len()];
        orders.for_each(|hits| {
            for (tried, (subject, _)) in tried.iter_mut().zip(asked) {
                tried.add(self.value_of(subject, hits));
            }
        });
        let found = tried
            .iter()
            .zip(asked)
            .map(|(tried, (subject, wanted))| Found {
                value: tried.finish(*wanted, subject.zero),
                exact,
            });
        found.collect()
    }
}

/// The values of the orders that were tried.
#[derive(Clone, Copy, Debug)]
struct Tried {
    first: f64,
    excess: f64,
    defined: u64,
    undefined: u64,
    least: f64,
    greatest: f64,
}

impl Default for Tried {
    fn default() -> Self {
        Self {
            first: f64::NAN,
            excess: 0.0,
            defined: 0,
            undefined: 0,
            least: f64::NAN,
            greatest: f64::NAN,
        }
    }
}

impl Tried {
    fn add(&mut self, value: f64) {
        if value.is_nan() {
            self.undefined += 1;
            return;
        }
        if self.defined == 0 {
            self.first = value;
        }
        self.excess += value - self.first;
        self.defined += 1;
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
    }

    /// If some orders have a value, an undefined one counts as in averages: as 0, or not at all.
    fn finish(&self, wanted: Wanted, zero: bool) -> f64 {
        let zeros = if zero && self.defined > 0 {
            self.undefined
        } else {
            0
        };
        match wanted {
            Wanted::Least if zeros > 0 => self.least.min(0.0),
            Wanted::Greatest if zeros > 0 => self.greatest.max(0.0),
            Wanted::Least => self.least,
            Wanted::Greatest => self.greatest,
            // The first value plus the mean difference from it: exact where the order changes nothing.
            Wanted::Mean | Wanted::AsIs => {
                let mean = self.first + self.excess / self.defined as f64;
                if zeros > 0 {
                    mean * (self.defined as f64 / (self.defined + zeros) as f64)
                } else {
                    mean
                }
            }
        }
    }
}
