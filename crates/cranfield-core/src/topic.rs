//! What a measure sees of one topic: grades in rank order, and the recall base.
//!
//! A [`JudgedRanking`] holds only the retrieved documents that the qrels know, each with its rank.
//! Most measures cost time by the number of relevant documents retrieved, not by the length of the ranking.
//! Scores and document ids are gone: order and ties were decided by [`crate::ranking`].

use std::ops::Deref;

use crate::measures::DcgSums;
use crate::policy::NegativeGrades;

/// What the qrels say of a retrieved document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Label {
    /// Not in the qrels.
    Unjudged,
    /// In the qrels with a negative grade that means 'pooled, not judged'
    /// (see [`crate::policy::NegativeGrades::Pooled`]).
    Pooled,
    /// Judged with this grade.
    Judged(f64),
}

impl Label {
    /// What a grade in the qrels says under a reading of negative grades.
    pub fn of(grade: f64, negative: NegativeGrades) -> Self {
        match negative {
            NegativeGrades::Pooled if grade < 0.0 => Self::Pooled,
            _ => Self::Judged(grade),
        }
    }

    /// The grade that decides relevance and gain: the grade if judged and not negative, else 0.
    pub fn gain(self) -> f64 {
        match self {
            Self::Judged(grade) if grade > 0.0 => grade,
            _ => 0.0,
        }
    }

    /// `trec_eval`'s internal number: the grade, −2 for pooled, −1 for unjudged.
    pub fn code(self) -> f64 {
        match self {
            Self::Unjudged => -1.0,
            Self::Pooled => -2.0,
            Self::Judged(grade) => grade,
        }
    }

    /// Whether the document is relevant at `level`.
    ///
    /// A level below zero admits unjudged documents by their [code](Self::code), as `trec_eval -l -1` does.
    pub fn is_relevant(self, level: f64) -> bool {
        match self {
            Self::Judged(grade) if grade < 0.0 => false,
            label => label.code() >= level,
        }
    }

    /// 1 for a document that is relevant at `level`, 0 for any other.
    pub fn relevance(self, level: f64) -> f64 {
        f64::from(u8::from(self.is_relevant(level)))
    }
}

/// A retrieved document that is in the qrels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Rank, from 1.
    pub rank: u32,
    /// What the qrels say; never [`Label::Unjudged`].
    pub label: Label,
}

/// A grade and the number of documents that have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GradeCount {
    /// The grade.
    pub grade: f64,
    /// Number of judged documents with it.
    pub count: u32,
}

/// The judged documents of a topic, retrieved or not, counted by grade.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecallBase<'a> {
    /// Grades in descending order.
    grades: &'a [GradeCount],
}

impl<'a> RecallBase<'a> {
    /// A recall base from counts with distinct grades in descending order.
    pub fn new(grades: &'a [GradeCount]) -> Self {
        debug_assert!(grades.windows(2).all(|w| w[0].grade > w[1].grade));
        Self { grades }
    }

    /// Counts by grade, highest grade first.
    pub fn grades(&self) -> &'a [GradeCount] {
        self.grades
    }

    /// R: number of judged documents with a grade of at least `level` (and not below zero).
    pub fn relevant(&self, level: f64) -> usize {
        self.count(|grade| grade >= level.max(0.0))
    }

    /// N: number of judged documents below `level`.
    pub fn nonrelevant(&self, level: f64) -> usize {
        self.count(|grade| grade < level.max(0.0))
    }

    /// The highest grade, if anything was judged.
    pub fn highest(&self) -> Option<f64> {
        self.grades.first().map(|g| g.grade)
    }

    /// The grade of an unjudged document that is read as relevant: the highest one, 1 if none is above zero.
    pub fn read_as(&self) -> f64 {
        self.highest().filter(|grade| *grade > 0.0).unwrap_or(1.0)
    }

    /// Counts of the positive grades, highest first: the ideal ranking where the gain is the grade.
    pub fn positive(&self) -> &'a [GradeCount] {
        &self.grades[..self.grades.partition_point(|level| level.grade > 0.0)]
    }

    fn count(&self, wanted: impl Fn(f64) -> bool) -> usize {
        self.grades
            .iter()
            .filter(|g| wanted(g.grade))
            .map(|g| g.count as usize)
            .sum()
    }
}

/// The binary reading of a topic at one relevance level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relevant {
    level: f64,
    /// Ranks of the relevant documents retrieved, ascending.
    pub ranks: Vec<u32>,
    /// R: relevant documents in the recall base.
    pub total: usize,
    /// Relevant documents retrieved. Equals `ranks.len()` but for levels below zero, where `ranks` also holds
    /// unjudged documents.
    pub retrieved: usize,
    /// Sums of the precisions up to each of `ranks`.
    sums: Vec<f64>,
    /// The highest precision where so many (from 1) of the `retrieved` are found, or further down.
    highest: Vec<f64>,
    /// Whether so many measures count down to a rank that a table is worth it.
    counts: bool,
    /// H(k) by k, down to the end of the ranking or of the table.
    by_rank: Vec<u32>,
}

/// Measures of one level from which on a table of H(k) is made.
const WORTH_A_TABLE: usize = 8;

/// Most ranks of that table: most cutoffs are no deeper, and a longer one costs more than it saves.
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

    /// The sum of the precisions at the first so many relevant ranks.
    pub(crate) fn precision_sum(&self, count: usize) -> f64 {
        count.checked_sub(1).map_or(0.0, |last| self.sums[last])
    }

    /// The highest precision where so many relevant documents are found, or further down; `None` where so many are not.
    ///
    /// Below one document it is that of the whole ranking, which for an empty one is NaN.
    pub(crate) fn highest_precision(&self, found: f64) -> Option<f64> {
        // What is below zero, or not a number, is cut to zero, and what is too great to the greatest number.
        let found = found as u32 as usize;
        if found > self.retrieved {
            return None;
        }
        self.highest.get(found.saturating_sub(1)).copied()
    }

    /// Reads a topic, of which `graded` are the hits with a positive grade, and perhaps others.
    fn fill(&mut self, level: f64, topic: &JudgedRanking<'_>, graded: &[Hit]) {
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
    views: Vec<Relevant>,
    graded: Graded,
    /// Whether all hits were judged.
    all_judged: bool,
    /// Sums of discounted grades, if measures ask for them.
    dcg: Option<DcgSums>,
}

impl Levels {
    /// Room for the given relevance levels.
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

    /// Room for sums of discounted grades as well.
    pub(crate) fn with_dcg(self, wanted: bool) -> Self {
        Self {
            dcg: wanted.then(DcgSums::default),
            ..self
        }
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
    /// Copies the hits, and tells whether all were judged. Every hit is written, and only those with a positive grade go on, so
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

/// One topic's ranking with its judgements: the only thing that a measure sees.
///
/// ```
/// use cranfield_core::topic::{GradeCount, Hit, JudgedRanking, Label, RecallBase};
///
/// // Grades 3, 0, 2 in rank order; the qrels also hold a document of grade 1 that was not retrieved.
/// let hits = [
///     Hit { rank: 1, label: Label::Judged(3.0) },
///     Hit { rank: 2, label: Label::Judged(0.0) },
///     Hit { rank: 3, label: Label::Judged(2.0) },
/// ];
/// let grades = [(3.0, 1), (2.0, 1), (1.0, 1), (0.0, 1)].map(|(grade, count)| GradeCount { grade, count });
/// let topic = JudgedRanking::new(3, &hits, RecallBase::new(&grades));
/// assert_eq!(topic.relevant(1.0).ranks, [1, 3]);
/// assert_eq!(topic.relevant(1.0).total, 3);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct JudgedRanking<'a> {
    retrieved: usize,
    hits: &'a [Hit],
    base: RecallBase<'a>,
    levels: Option<&'a Levels>,
}

impl<'a> JudgedRanking<'a> {
    /// A ranking of `retrieved` documents, of which `hits` (by rank) are in the qrels.
    pub fn new(retrieved: usize, hits: &'a [Hit], base: RecallBase<'a>) -> Self {
        debug_assert!(hits.windows(2).all(|w| w[0].rank < w[1].rank));
        debug_assert!(hits.last().is_none_or(|hit| hit.rank as usize <= retrieved));
        Self {
            retrieved,
            hits,
            base,
            levels: None,
        }
    }

    /// The same topic with its binary readings already made by [`Levels::fill`].
    #[must_use]
    pub fn with_levels(self, levels: &'a Levels) -> Self {
        Self {
            levels: Some(levels),
            ..self
        }
    }

    /// n: number of documents retrieved.
    pub fn retrieved(&self) -> usize {
        self.retrieved
    }

    /// The retrieved documents that are in the qrels, by rank.
    pub fn hits(&self) -> &'a [Hit] {
        self.hits
    }

    /// The hits whose grade is positive, and perhaps others, by rank.
    pub fn graded_hits(&self) -> &'a [Hit] {
        self.levels.map_or(self.hits, |levels| levels.graded.hits())
    }

    /// Sums of discounted grades, if they were made once for all measures.
    pub(crate) fn dcg_sums(&self) -> Option<&'a DcgSums> {
        self.levels?.dcg.as_ref()
    }

    /// The hits among the first `cutoff` documents.
    pub fn hits_at(&self, cutoff: usize) -> &'a [Hit] {
        &self.hits[..self.hits.partition_point(|hit| hit.rank as usize <= cutoff)]
    }

    /// Number of documents among the first `cutoff` that were judged.
    pub fn judged_at(&self, cutoff: usize) -> usize {
        let hits = self.hits_at(cutoff);
        if self.levels.is_some_and(|levels| levels.all_judged) {
            return hits.len();
        }
        let judged = hits
            .iter()
            .filter(|hit| matches!(hit.label, Label::Judged(_)));
        judged.count()
    }

    /// The judged documents of the topic, retrieved or not.
    pub fn base(&self) -> RecallBase<'a> {
        self.base
    }

    /// The binary reading at a relevance level.
    pub fn relevant(&self, level: f64) -> Reading<'a> {
        let known = self.levels.map_or(&[][..], |levels| &levels.views);
        match known.iter().find(|view| view.level == level) {
            Some(view) => Reading::Shared(view),
            None => self.read_at(level),
        }
    }

    #[cold]
    fn read_at(&self, level: f64) -> Reading<'a> {
        let mut view = Relevant::default();
        view.fill(level, self, self.graded_hits());
        Reading::Own(Box::new(view))
    }

    /// The label of every retrieved document in rank order, unjudged ones included.
    pub fn labels(&self) -> impl Iterator<Item = Label> + 'a {
        let mut hits = self.hits.iter().peekable();
        (1..=self.retrieved as u32).map(move |rank| {
            hits.next_if(|hit| hit.rank == rank)
                .map_or(Label::Unjudged, |hit| hit.label)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits_of(labels: &[(u32, Label)]) -> Vec<Hit> {
        labels
            .iter()
            .map(|&(rank, label)| Hit { rank, label })
            .collect()
    }

    #[test]
    fn labels_fill_the_gaps() {
        let hits = hits_of(&[(2, Label::Judged(1.0)), (4, Label::Pooled)]);
        let topic = JudgedRanking::new(5, &hits, RecallBase::default());
        let codes: Vec<_> = topic.labels().map(Label::code).collect();
        assert_eq!(codes, [-1.0, 1.0, -1.0, -2.0, -1.0]);
    }

    #[test]
    fn a_level_below_zero_admits_unjudged_but_counts_judged() {
        let hits = hits_of(&[(2, Label::Judged(0.0)), (3, Label::Pooled)]);
        let grades = [GradeCount {
            grade: 0.0,
            count: 4,
        }];
        let topic = JudgedRanking::new(4, &hits, RecallBase::new(&grades));
        let view = topic.relevant(-1.0);
        assert_eq!(
            (view.ranks.as_slice(), view.retrieved, view.total),
            (&[1, 2, 4][..], 1, 4)
        );
    }

    #[test]
    fn negative_grades_are_never_relevant() {
        assert!(!Label::Judged(-1.0).is_relevant(-2.0));
        assert_eq!(Label::Judged(-1.0).gain(), 0.0);
        let grades = [1.0, 0.0, -1.0].map(|grade| GradeCount { grade, count: 2 });
        let base = RecallBase::new(&grades);
        assert_eq!((base.relevant(1.0), base.nonrelevant(1.0)), (2, 4));
    }

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
