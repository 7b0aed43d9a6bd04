//! One topic as a measure sees it: grades in rank order, and the recall base.
//!
//! A [`JudgedRanking`] holds only the retrieved documents that are in the qrels, each with its rank.
//! Most measures take time proportional to the number of relevant documents retrieved, not to the length of the ranking.
//! Scores and document ids are gone: order and ties were decided by [`crate::ranking`].

mod dcg_sums;
mod levels;

use crate::policy::NegativeGrades;

pub use dcg_sums::{DcgSum, DcgSums, log2, log2_discount};
pub use levels::{Levels, Reading, Relevant};

/// The judgement of a retrieved document.
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
    /// The label of a grade under a reading of negative grades.
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
    /// Its judgement; never [`Label::Unjudged`].
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

impl GradeCount {
    /// Counts equal grades, highest first.
    pub fn tally(mut grades: Vec<f64>) -> Vec<Self> {
        grades.sort_unstable_by(|a, b| b.total_cmp(a));
        let equal = grades.chunk_by(|a, b| a == b);
        let counts = equal.map(|same| Self {
            grade: same[0],
            count: same.len() as u32,
        });
        counts.collect()
    }
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
        debug_assert!(!grades.windows(2).any(|w| w[0].grade <= w[1].grade));
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

/// One topic's ranking with its judgements: the input of a measure.
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

    /// Attaches binary readings made by [`Levels::fill`].
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
        self.levels.map_or(self.hits, |levels| levels.graded())
    }

    /// Sums of discounted grades, if they were made once for all measures.
    pub fn dcg_sums(&self) -> Option<&'a DcgSums> {
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

    pub(super) fn hits_of(labels: &[(u32, Label)]) -> Vec<Hit> {
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
}
