//! The range of values of a measure if any of the unjudged documents may be relevant.
//!
//! A reading takes some of the unjudged documents of a ranking as relevant, with the topic's highest grade and as part of
//! its recall base, and leaves the others as they are. There are 2^u readings of u documents. For a measure that is
//! monotone ([`Measure::merit`](crate::measure::Measure::merit)), of all readings with m relevant documents the one where
//! they come first is the best and the one where they come last the worst, so that u + 1 readings include the smallest and the
//! largest value. For any other measure, all readings of up to ten documents are tried; of more, only none and all of them, whose
//! values are not limits. If each reading requires trying orders of ties, fewer are tried.

use std::ops::Range;

use crate::orders::{Found, Orders, Subject, Wanted};
use crate::policy::End;
use crate::topic::{GradeCount, Hit, JudgedRanking, Label, RecallBase};

/// Maximum number of numbers of relevant documents to try; of more, this many at equal distances.
const MAX_READINGS: usize = 1_000;
/// Maximum number of unjudged documents whose readings are all tried, for a measure that is not monotone.
const MAX_DOCUMENTS: usize = 10;
/// Both limits if each reading requires trying orders of ties.
const FEW_READINGS: usize = 10;
const FEW_DOCUMENTS: usize = 3;

/// The readings of one topic.
#[derive(Debug)]
pub struct Readings<'a> {
    /// By rank, as they were.
    labels: Vec<Label>,
    ties: &'a [Range<u32>],
    kept: usize,
    /// Ranks (from 0) of the unjudged documents.
    unjudged: Vec<usize>,
    /// The recall base, with the grade of relevant documents first.
    grades: Vec<GradeCount>,
    /// Scratch space for the documents of a reading.
    hits: Vec<Hit>,
}

impl<'a> Readings<'a> {
    /// From labels by rank and groups of equal scores, of which only the first `kept` documents count.
    pub fn new(
        labels: Vec<Label>,
        ties: &'a [Range<u32>],
        kept: usize,
        base: RecallBase<'_>,
    ) -> Self {
        let shown = labels.iter().take(kept).enumerate();
        let unjudged = shown.filter(|(_, label)| !matches!(label, Label::Judged(_)));
        let mut grades = base.grades().to_vec();
        if base.positive().is_empty() {
            let grade = GradeCount {
                grade: base.read_as(),
                count: 0,
            };
            grades.insert(0, grade);
        }
        Self {
            unjudged: unjudged.map(|(rank, _)| rank).collect(),
            labels,
            ties,
            kept,
            grades,
            hits: Vec::new(),
        }
    }

    /// The value if all unjudged documents are relevant.
    pub fn all_relevant(&mut self, subject: &Subject<'_>, wanted: Wanted) -> Found {
        let all = self.unjudged.clone();
        self.read(subject, wanted, &all)
    }

    /// The smallest or largest value over all readings.
    pub fn extreme(&mut self, subject: &Subject<'_>, wanted: Wanted, end: End) -> Found {
        let all = self.unjudged.len();
        let Some(gained) = self.merit_of_relevance(subject) else {
            return self.extreme_of_any(subject, wanted, end);
        };
        let better = (end == End::Greatest) != subject.lower_is_better;
        let from_top = better == (gained >= 0.0);
        let unjudged = self.unjudged.clone();
        let chosen = |number: usize| {
            let start = if from_top { 0 } else { all - number };
            unjudged[start..start + number].to_vec()
        };
        if gained >= 0.0 && subject.measure.grows_with_merit() {
            // The more the better; none at all may leave the value undefined.
            let few = [0, all.min(1), all].map(chosen);
            return self.extreme_of(few, subject, wanted, end);
        }
        let most = if self.tries_orders(subject, wanted) {
            FEW_READINGS
        } else {
            MAX_READINGS
        };
        let tried = all.min(most);
        let numbers = (0..=tried).map(|nth| chosen(nth * all / tried.max(1)));
        let mut found = self.extreme_of(numbers, subject, wanted, end);
        found.exact &= tried == all;
        found
    }

    /// The extreme value of a measure that is not monotone: over every reading of a few documents, or over none and all of them.
    fn extreme_of_any(&mut self, subject: &Subject<'_>, wanted: Wanted, end: End) -> Found {
        let all = self.unjudged.len();
        let most = if self.tries_orders(subject, wanted) {
            FEW_DOCUMENTS
        } else {
            MAX_DOCUMENTS
        };
        if all > most {
            let mut found =
                self.extreme_of([Vec::new(), self.unjudged.clone()], subject, wanted, end);
            found.exact = false;
            return found;
        }
        let unjudged = self.unjudged.clone();
        let readings = (0u32..1 << all).map(|reading| {
            let chosen = unjudged.iter().enumerate();
            let chosen = chosen.filter(|(at, _)| reading >> at & 1 == 1);
            chosen.map(|(_, rank)| *rank).collect()
        });
        self.extreme_of(readings, subject, wanted, end)
    }

    /// Whether the value of a reading is found only by trying orders of ties out.
    fn tries_orders(&self, subject: &Subject<'_>, wanted: Wanted) -> bool {
        let base = RecallBase::new(&self.grades);
        let orders = || Orders::new(&self.labels, self.ties, self.kept, false, base);
        wanted != Wanted::AsIs && orders().known(subject, wanted).is_none()
    }

    /// The merit that a document gains by being relevant, if the measure is monotone.
    fn merit_of_relevance(&self, subject: &Subject<'_>) -> Option<f64> {
        let relevant = subject.measure.merit(Label::Judged(self.grades[0].grade))?;
        let mut gained = None;
        for rank in &self.unjudged {
            let more = relevant - subject.measure.merit(self.labels[*rank])?;
            // Unjudged and pooled documents may differ; then which are relevant is more than a number.
            if gained.is_some_and(|known| known != more) {
                return None;
            }
            gained = Some(more);
        }
        Some(gained.unwrap_or(0.0))
    }

    fn extreme_of(
        &mut self,
        readings: impl IntoIterator<Item = Vec<usize>>,
        subject: &Subject<'_>,
        wanted: Wanted,
        end: End,
    ) -> Found {
        let mut extreme = Found {
            value: f64::NAN,
            exact: true,
        };
        // What is not a number is passed over by both.
        let further = match end {
            End::Least => f64::min,
            End::Greatest => f64::max,
        };
        let mut undefined = false;
        for chosen in readings {
            let found = self.read(subject, wanted, &chosen);
            extreme.exact &= found.exact;
            extreme.value = further(extreme.value, found.value);
            undefined |= found.value.is_nan();
        }
        // Where some readings have a value, one that is undefined has the value that averages give it.
        if undefined && subject.zero && !extreme.value.is_nan() {
            extreme.value = further(extreme.value, 0.0);
        }
        extreme
    }

    /// The value if the documents at these ranks (from 0) are relevant.
    fn read(&mut self, subject: &Subject<'_>, wanted: Wanted, chosen: &[usize]) -> Found {
        let before: Vec<Label> = chosen.iter().map(|rank| self.labels[*rank]).collect();
        for rank in chosen {
            self.labels[*rank] = Label::Judged(self.grades[0].grade);
        }
        let mut grades = self.grades.clone();
        grades[0].count += chosen.len() as u32;
        grades.retain(|level| level.count > 0);
        let base = RecallBase::new(&grades);
        let found = if wanted == Wanted::AsIs {
            self.hits.clear();
            let ranked = self.labels[..self.kept].iter().zip(1..);
            let known = ranked.filter(|(label, _)| **label != Label::Unjudged);
            self.hits.extend(known.map(|(label, rank)| Hit {
                rank,
                label: *label,
            }));
            let topic = JudgedRanking::new(self.kept, &self.hits, base);
            Found {
                value: subject.value(&topic),
                exact: true,
            }
        } else {
            let orders = Orders::new(&self.labels, self.ties, self.kept, false, base);
            orders.find(subject, wanted)
        };
        for (rank, label) in chosen.iter().zip(before) {
            self.labels[*rank] = label;
        }
        found
    }
}
