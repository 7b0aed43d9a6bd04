//! Binary readings of a topic at relevance levels, made once for all measures of a plan.

use std::ops::Deref;

use super::dcg_sums::DcgSums;
use super::{Hit, JudgedRanking, Label};

/// The binary reading of a topic at one relevance level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relevant {
    pub(super) level: f64,
    /// Ranks of the relevant documents retrieved, ascending.
    pub ranks: Vec<u32>,
    /// R: relevant documents in the recall base.
    pub total: usize,
    /// Relevant documents retrieved. Equals `ranks.len()` except for levels below zero, where `ranks` also holds
    /// unjudged documents.
    pub retrieved: usize,
    /// Sums of the precisions up to each of `ranks`.
    sums: Vec<f64>,
    /// The highest precision from the n-th of the `retrieved` on, by n from 1.
    highest: Vec<f64>,
    /// Whether enough measures use H(k) for a table to pay off.
    counts: bool,
    /// H(k) by k, down to the end of the ranking or of the table.
    by_rank: Vec<u32>,
}

/// Number of measures of one level from which a table of H(k) pays off.
const WORTH_A_TABLE: usize = 8;

/// Maximum number of ranks of that table. Most cutoffs are no deeper, and a longer table costs more than it saves.
const MOST_RANKS: usize = 128;

impl Relevant {
    /// H(k): number of relevant documents among the first `cutoff`.
    pub fn count_at(&self, cutoff: usize) -> usize {
        if let Some(&count) = self.by_rank.get(cutoff) {
            return count as usize;
        }
        match self.ranks.last() {
            Some(&last) if last as usize > cutoff => {
                self.ranks.partition_point(|&rank| rank as usize <= cutoff)
            }
            _ => self.ranks.len(),
        }
    }

    /// Precision at each relevant rank, in rank order: H(i) / i.
    pub fn precisions(&self) -> impl Iterator<Item = f64> + '_ {
        self.ranks
            .iter()
            .zip(1u32..)
            .map(|(&rank, count)| f64::from(count) / f64::from(rank))
    }

    /// The sum of the precisions at the first `count` relevant ranks.
    pub fn precision_sum(&self, count: usize) -> f64 {
        count.checked_sub(1).map_or(0.0, |last| self.sums[last])
    }

    /// The highest precision from the `found`-th relevant document on; `None` if there are fewer.
    ///
    /// Below one document it is that of the whole ranking, or NaN for an empty one.
    pub fn highest_precision(&self, found: f64) -> Option<f64> {
        // The cast saturates, and turns NaN into 0.
        let found = found as u32 as usize;
        if found > self.retrieved {
            return None;
        }
        self.highest.get(found.saturating_sub(1)).copied()
    }

    /// Reads a topic, of which `graded` are the hits with a positive grade, and perhaps others.
    pub(super) fn fill(&mut self, level: f64, topic: &JudgedRanking<'_>, graded: &[Hit]) {
        self.level = level;
        self.ranks.clear();
        if level > -1.0 {
            let hits = if level > 0.0 { graded } else { topic.hits };
            let relevant = hits.iter().filter(|hit| hit.label.is_relevant(level));
            self.ranks.extend(relevant.map(|hit| hit.rank));
            self.retrieved = self.ranks.len();
        } else {
            let labels = topic
                .labels()
                .zip(1u32..)
                .filter(|(label, _)| label.is_relevant(level));
            self.ranks.extend(labels.map(|(_, rank)| rank));
            let judged = topic.hits.iter();
            self.retrieved = judged.filter(|h| h.label.code() >= level.max(0.0)).count();
        }
        self.total = topic.base.relevant(level);
        self.fill_precisions(topic.retrieved);
        self.by_rank.clear();
        if self.counts {
            self.fill_counts(topic.retrieved);
        }
    }

    /// Makes the table. All its places are walked in the same way, so that there is no branch to guess.
    fn fill_counts(&mut self, shown: usize) {
        self.by_rank.resize(shown.min(MOST_RANKS) + 1, 0);
        for rank in &self.ranks {
            if let Some(count) = self.by_rank.get_mut(*rank as usize) {
                *count = 1;
            }
        }
        let mut found = 0;
        for count in &mut self.by_rank {
            found += *count;
            *count = found;
        }
    }

    /// Makes what measures with several cutoffs or recall points look up.
    fn fill_precisions(&mut self, shown: usize) {
        self.sums.clear();
        let mut sum = 0.0;
        for (&rank, found) in self.ranks.iter().zip(1u32..) {
            sum += f64::from(found) / f64::from(rank);
            self.sums.push(sum);
        }
        let found = self.retrieved;
        let mut highest = found as f64 / shown as f64;
        self.highest.clear();
        self.highest.resize(found.max(1), highest);
        // From the end of the ranking, as the reference counts where unjudged documents are among the ranks.
        let ranks = self.ranks.iter().rev();
        for (&rank, found) in ranks.zip((1..=found).rev()) {
            highest = highest.max(found as f64 / f64::from(rank));
            self.highest[found - 1] = highest;
        }
    }
}

/// A binary reading that was made for all measures, or for one.
#[derive(Debug)]
pub enum Reading<'a> {
    /// Made once for all measures of a plan.
    Shared(&'a Relevant),
    /// Made for the measure that asked.
    Own(Box<Relevant>),
}

impl Deref for Reading<'_> {
    type Target = Relevant;

    fn deref(&self) -> &Relevant {
        match self {
            Self::Shared(relevant) => relevant,
            Self::Own(relevant) => relevant,
        }
    }
}

/// The readings of a topic that the measures of a plan share, made once per topic and kept as scratch space.
#[derive(Debug, Default)]
pub struct Levels {
    pub(super) views: Vec<Relevant>,
    graded: Graded,
    /// Whether all hits were judged.
    pub(super) all_judged: bool,
    /// Sums of discounted grades, if measures ask for them.
    pub(super) dcg: Option<DcgSums>,
}

impl Levels {
    /// Creates space for the given relevance levels.
    pub fn new(levels: impl IntoIterator<Item = f64>) -> Self {
        let levels: Vec<f64> = levels.into_iter().collect();
        let mut views: Vec<Relevant> = Vec::new();
        for &level in &levels {
            if !views.iter().any(|view| view.level == level) {
                let measures = levels.iter().filter(|other| **other == level).count();
                views.push(Relevant {
                    level,
                    counts: measures >= WORTH_A_TABLE,
                    ..Relevant::default()
                });
            }
        }
        Self {
            views,
            ..Self::default()
        }
    }

    /// Adds space for sums of discounted grades.
    #[must_use]
    pub fn with_dcg(self, wanted: bool) -> Self {
        Self {
            dcg: wanted.then(DcgSums::default),
            ..self
        }
    }

    /// The hits with a positive grade.
    pub(super) fn graded(&self) -> &[Hit] {
        self.graded.hits()
    }

    /// Reads `topic` at every level.
    pub fn fill(&mut self, topic: &JudgedRanking<'_>) {
        self.all_judged = self.graded.fill(topic.hits);
        let graded = self.graded.hits();
        if let Some(sums) = &mut self.dcg {
            sums.fill(graded, topic.base.positive());
        }
        for view in &mut self.views {
            view.fill(view.level, topic, graded);
        }
    }
}

/// The hits with a positive grade.
#[derive(Debug, Default)]
struct Graded {
    /// Those hits, and behind them what is left of others.
    space: Vec<Hit>,
    count: usize,
}

impl Graded {
    /// Copies the hits, and returns whether all were judged. Every hit is written, and only those with a positive grade go on, so
    /// that there is no branch to guess.
    fn fill(&mut self, hits: &[Hit]) -> bool {
        if self.space.len() < hits.len() {
            self.space.extend_from_slice(&hits[self.space.len()..]);
        }
        // Not in `self`: the count of one hit waits for that of the one before.
        let (mut count, mut all_judged) = (0, true);
        for hit in hits {
            self.space[count] = *hit;
            count += usize::from(hit.label.gain() > 0.0);
            all_judged &= !matches!(hit.label, Label::Pooled);
        }
        self.count = count;
        all_judged
    }

    fn hits(&self) -> &[Hit] {
        &self.space[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topic::RecallBase;
    use crate::topic::tests::hits_of;

    #[test]
    fn counts_of_a_table_are_those_of_a_search() {
        let ranks = [1, 2, 7, 40, 127, 128, 129, 1500];
        let hits = ranks.map(|rank| (rank, Label::Judged(1.0)));
        let hits = hits_of(&hits);
        for shown in [1500, 2000] {
            let topic = JudgedRanking::new(shown, &hits, RecallBase::default());
            let mut levels = Levels::new([1.0; WORTH_A_TABLE]);
            for _ in 0..2 {
                levels.fill(&topic);
            }
            let (with, without) = (
                topic.with_levels(&levels).relevant(1.0),
                topic.relevant(1.0),
            );
            assert!(!with.by_rank.is_empty() && without.by_rank.is_empty());
            for cutoff in (0..200).chain(1400..1600).chain([usize::MAX]) {
                assert_eq!(with.count_at(cutoff), without.count_at(cutoff), "{cutoff}");
            }
        }
    }

    #[test]
    fn topics_one_after_the_other_leave_no_trace() {
        let long = hits_of(&[
            (1, Label::Judged(2.0)),
            (2, Label::Pooled),
            (9, Label::Judged(1.0)),
        ]);
        let short = hits_of(&[(3, Label::Judged(1.0))]);
        let mut levels = Levels::new([1.0; WORTH_A_TABLE]);
        for (shown, hits) in [(9, &long), (4, &short), (0, &Vec::new()), (9, &long)] {
            let topic = JudgedRanking::new(shown, hits, RecallBase::default());
            levels.fill(&topic);
            let known = topic.with_levels(&levels);
            let (with, without) = (known.relevant(1.0), topic.relevant(1.0));
            assert_eq!((&with.ranks, &with.sums), (&without.ranks, &without.sums));
            let bits =
                |view: &Relevant| view.highest.iter().map(|p| p.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&with), bits(&without));
            for cutoff in 0..12 {
                assert_eq!(with.count_at(cutoff), without.count_at(cutoff));
                assert_eq!(known.judged_at(cutoff), topic.judged_at(cutoff));
            }
            assert_eq!(known.graded_hits().len(), without.ranks.len());
        }
    }
}
