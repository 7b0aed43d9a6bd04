//! The plan of an evaluation, and the evaluation of a judged ranking.

use std::ops::Range;
use std::sync::Arc;

use crate::known::KnownDocuments;
use crate::measure::{Aggregate, BoundMeasure, Computation, Direction, Measure};
use crate::orders::{Found, Subject, Wanted};
use crate::places::Places;
use crate::policy::{End, Policies, TieBreak, Undefined};
use crate::topic::{JudgedRanking, Levels, RecallBase};
use crate::vectors::BoundVector;

/// The measures and vectors to compute, and the policies.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The measures, in the order of the results.
    pub measures: Vec<BoundMeasure>,
    /// The vectors; their numbers follow the measures' values in a row.
    pub vectors: Vec<BoundVector>,
    /// Whether the vectors of single topics are kept, in addition to their aggregates.
    pub topic_vectors: bool,
    /// The policies.
    pub policies: Policies,
    /// Whether undefined values are `trec_eval`'s numbers instead of being undefined.
    pub reference_values: bool,
    /// A topic that the run lacks is evaluated as if it had only this document, not as an empty ranking (`trec_eval -c`).
    pub missing_document: Option<&'static [u8]>,
    /// The end of the interval to compute, if a policy is `bounds`.
    pub end: End,
    /// The documents that users knew before, for measures of known documents; without it these are undefined.
    pub known: Option<Arc<KnownDocuments>>,
}

impl Plan {
    /// This plan at one end of the interval, if a policy is `bounds`.
    #[must_use]
    pub fn at(&self, end: End) -> Self {
        Self {
            end,
            ..self.clone()
        }
    }

    /// Whether a topic for which the measure is undefined is left out of its average, and does not count as 0.
    ///
    /// That is what [`Undefined::Skip`] says, and what holds for a measure of which smaller values are better, where 0
    /// would be the best of all; a sum has nothing to leave out. `trec_eval`'s profiles have its numbers.
    pub fn leaves_out_undefined(&self, measure: &BoundMeasure) -> bool {
        let rule = measure.overrides.over(&self.policies).undefined;
        self.leaves_out_under(rule, measure.info.aggregate, measure.info.direction)
    }

    fn leaves_out_under(
        &self,
        rule: Undefined,
        aggregate: Aggregate,
        direction: Direction,
    ) -> bool {
        let flatters = direction == Direction::LowerIsBetter && !self.reference_values;
        aggregate != Aggregate::Sum && (flatters || rule == Undefined::Skip)
    }

    /// [`leaves_out_undefined`](Self::leaves_out_undefined) for anything with an aggregate and a direction.
    pub fn leaves_out(&self, aggregate: Aggregate, direction: Direction) -> bool {
        self.leaves_out_under(self.policies.undefined, aggregate, direction)
    }

    /// Numbers in a topic's row: one per measure, then the columns of each vector.
    pub fn width(&self) -> usize {
        self.columns(self.vectors.len()).start
    }

    /// The columns of the vector at this place.
    pub fn columns(&self, vector: usize) -> Range<usize> {
        let before = self.vectors.iter().take(vector).map(BoundVector::columns);
        let start = self.measures.len() + before.sum::<usize>();
        start..start + self.vectors.get(vector).map_or(0, BoundVector::columns)
    }

    /// Cutoffs of the measures and depths of the vectors, ascending: where ties and unjudged documents matter.
    pub fn cutoffs(&self) -> Vec<usize> {
        let mut cutoffs: Vec<usize> = self
            .measures
            .iter()
            .filter_map(|m| Some(m.params.cutoff()?.get()))
            .chain(self.vectors.iter().filter_map(BoundVector::depth))
            .collect();
        cutoffs.sort_unstable();
        cutoffs.dedup();
        cutoffs
    }

    /// Scratch space that measures share.
    pub(super) fn levels(&self) -> Levels {
        let ranked = || {
            let measures = self.measures.iter();
            measures.filter_map(|measure| match &measure.computation {
                Computation::Ranked(measure) => Some(measure),
                _ => None,
            })
        };
        let of_vectors = self.vectors.iter().filter_map(BoundVector::level);
        let levels = ranked().filter_map(|measure| measure.level());
        let dcg = ranked().any(|measure| measure.shares_dcg());
        Levels::new(levels.chain(of_vectors)).with_dcg(dcg)
    }

    /// The computation of each measure.
    pub(super) fn computed(&self) -> Vec<Computed<'_>> {
        self.measures.iter().map(Computed::of).collect()
    }

    /// All values of a judged ranking, of which `computed` are those of the measures.
    pub(super) fn values(
        &self,
        computed: &[Computed<'_>],
        topic: &JudgedRanking<'_>,
        levels: &mut Levels,
        values: &mut [f64],
    ) {
        levels.fill(topic);
        let topic = topic.with_levels(levels);
        let (values, mut rest) = values.split_at_mut(self.measures.len());
        for (computed, value) in computed.iter().zip(values) {
            *value = computed.value(&topic, self.reference_values);
        }
        for vector in &self.vectors {
            let (columns, behind) = rest.split_at_mut(vector.columns());
            vector.fill(&topic, self.reference_values, columns);
            rest = behind;
        }
    }

    /// The value to find under the rule for ties.
    pub(super) fn wanted(&self, subject: &Subject<'_>) -> Wanted {
        let better = if subject.lower_is_better {
            [Wanted::Greatest, Wanted::Least]
        } else {
            [Wanted::Least, Wanted::Greatest]
        };
        match (self.policies.ties, self.end) {
            (TieBreak::Expected, _) => Wanted::Mean,
            (TieBreak::Worst, _) => better[0],
            (TieBreak::Best, _) => better[1],
            (TieBreak::Bounds, End::Least) => Wanted::Least,
            (TieBreak::Bounds, End::Greatest) => Wanted::Greatest,
            _ => Wanted::AsIs,
        }
    }

    /// A measure of rankings.
    pub(super) fn subject<'m>(&self, measure: &'m BoundMeasure) -> Option<Subject<'m>> {
        match &measure.computation {
            Computation::Ranked(ranked) => Some(Subject {
                measure: ranked.as_ref(),
                lower_is_better: measure.info.direction == Direction::LowerIsBetter,
                reference_values: self.reference_values,
                zero: !self.leaves_out_undefined(measure),
            }),
            _ => None,
        }
    }

    /// Fills in what `find` gives for each measure of rankings; any other has its constant. Returns those that are
    /// estimates, see [`super::TopicNotes::inexact`].
    pub(super) fn fill(
        &self,
        values: &mut [f64],
        mut find: impl FnMut(&Subject<'_>) -> Option<Found>,
    ) -> Places {
        let mut inexact = Places::default();
        let nothing = JudgedRanking::new(0, &[], RecallBase::default());
        for ((at, measure), value) in self.measures.iter().enumerate().zip(values) {
            let found = self.subject(measure).and_then(|subject| find(&subject));
            *value = match found {
                Some(found) => {
                    if !found.exact {
                        inexact.insert(at);
                    }
                    found.value
                }
                None => Computed::of(measure).value(&nothing, self.reference_values),
            };
        }
        inexact
    }
}

/// The computation of a measure from a judged ranking.
#[derive(Clone, Copy, Debug)]
pub(super) enum Computed<'p> {
    Ranked(&'p dyn Measure),
    One,
    /// None: the measure is textual, or needs other judgements.
    Nothing,
}

impl<'p> Computed<'p> {
    fn of(measure: &'p BoundMeasure) -> Self {
        match &measure.computation {
            Computation::Ranked(ranked) => Self::Ranked(ranked.as_ref()),
            Computation::TopicCount => Self::One,
            _ => Self::Nothing,
        }
    }

    fn value(self, topic: &JudgedRanking<'_>, reference_values: bool) -> f64 {
        match self {
            Self::Ranked(measure) => measure.value(topic, reference_values),
            Self::One => 1.0,
            Self::Nothing => f64::NAN,
        }
    }
}
