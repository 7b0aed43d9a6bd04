//! Bounds of each run for itself, for any measure.

use cranfield_core::measure::Measure;
use cranfield_core::orders::{Subject, Wanted};
use cranfield_core::policy::End;
use cranfield_core::readings::Readings;
use cranfield_core::topic::{GradeCount, Label, RecallBase};

use super::search::Open;
use super::topic::Topic;

/// The bounds of both runs of a topic. Relevant documents that only the other run has change the number of relevant documents: none
/// and all of them are tried.
pub(super) struct Separate<'m> {
    topic: Topic,
    measure: &'m dyn Measure,
    lower: bool,
    is_open: Vec<bool>,
    /// Best rank, by place among the open documents.
    best: Vec<u32>,
    /// Number of documents that are open, and lacked by the run.
    lacked: [Vec<bool>; 2],
    /// Place among the open documents, by document.
    places: Vec<usize>,
}

impl<'m> Separate<'m> {
    pub(super) fn new(topic: Topic, measure: &'m dyn Measure, lower: bool) -> Self {
        let ranks = [topic.ranks(0), topic.ranks(1)];
        let best = topic.open.iter().map(|doc| {
            let ranks = ranks.each_ref().map(|ranks| ranks[*doc as usize]);
            ranks
                .into_iter()
                .filter(|rank| *rank > 0)
                .min()
                .unwrap_or(u32::MAX)
        });
        let best = best.collect();
        let lacked = [0, 1].map(|run: usize| {
            let open = topic.open.iter();
            open.map(|doc| ranks[run][*doc as usize] == 0).collect()
        });
        let mut places = vec![usize::MAX; ranks[0].len()];
        for (place, doc) in topic.open.iter().enumerate() {
            places[*doc as usize] = place;
        }
        Self {
            is_open: vec![true; topic.open.len()],
            best,
            lacked,
            places,
            topic,
            measure,
            lower,
        }
    }

    /// The least or the greatest value of a run.
    fn extreme(&self, run: usize, end: End) -> f64 {
        let docs = &self.topic.runs[run];
        let labels: Vec<Label> = docs
            .iter()
            .map(|doc| match self.places[*doc as usize] {
                usize::MAX => self.topic.label(*doc),
                place if self.is_open[place] => self.topic.label(*doc),
                _ => Label::Judged(0.0),
            })
            .collect();
        let closed = self.is_open.iter().filter(|open| !**open).count();
        let lacked = self.is_open.iter().zip(&self.lacked[run]);
        let lacked = lacked.filter(|(open, lacked)| **open && **lacked).count();
        let subject = Subject {
            measure: self.measure,
            lower_is_better: self.lower,
            reference_values: false,
            zero: true,
        };
        let of = |base: &[GradeCount]| {
            let base = RecallBase::new(base);
            let kept = labels.len();
            let mut readings = Readings::new(labels.clone(), &[], kept, base);
            let found = readings.extreme(&subject, Wanted::AsIs, end);
            if found.value.is_nan() {
                0.0
            } else {
                found.value
            }
        };
        let mut value = of(&self.topic.base(0, closed));
        if lacked > 0 {
            let other = of(&self.topic.base(lacked, closed));
            value = match end {
                End::Greatest => value.max(other),
                End::Least => value.min(other),
            };
        }
        value
    }
}

impl Open for Separate<'_> {
    fn set(&mut self, at: usize, is_open: bool) {
        self.is_open[at] = is_open;
    }

    fn lead(&mut self) -> f64 {
        if self.lower {
            self.extreme(1, End::Least) - self.extreme(0, End::Greatest)
        } else {
            self.extreme(0, End::Least) - self.extreme(1, End::Greatest)
        }
    }

    /// By best rank.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.best.len()).collect();
        order.sort_unstable_by_key(|at| (self.best[*at], *at));
        order
    }

    fn is_slow(&self) -> bool {
        !self.measure.grows_with_merit()
    }
}
