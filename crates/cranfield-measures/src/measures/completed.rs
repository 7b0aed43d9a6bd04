//! A ranking extended to the whole collection, for measures that need the rank of every relevant document.
//!
//! Relevant documents that were not retrieved take the last ranks.

use cranfield_core::measure::{Computation, Measure};
use cranfield_core::params::{ParamInfo, ParamKind, Params};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label, Relevant};

/// The size of the collection.
pub(super) const DOCS: ParamInfo = ParamInfo {
    name: "docs",
    kind: ParamKind::Real {
        min: 0.0,
        max: f64::INFINITY,
    },
    default: "0",
    help: "number of documents in the collection, if larger than the number of retrieved documents plus missed relevant ones",
};

/// Ranks of the relevant documents in a ranking of the whole collection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Completed<'a> {
    found: &'a [u32],
    missed: usize,
    docs: f64,
}

impl<'a> Completed<'a> {
    pub(super) fn new(topic: &JudgedRanking<'_>, relevant: &'a Relevant, docs: f64) -> Self {
        let missed = relevant.total.saturating_sub(relevant.retrieved);
        Self {
            found: &relevant.ranks,
            missed,
            docs: docs.floor().max((topic.retrieved() + missed) as f64),
        }
    }

    /// Like `new`, for measures whose value is a rank: `None` if nothing was retrieved and the size of the
    /// collection is unknown, since an empty ranking would then be the best of all.
    pub(super) fn located(
        topic: &JudgedRanking<'_>,
        relevant: &'a Relevant,
        docs: f64,
    ) -> Option<Self> {
        (topic.retrieved() > 0 || docs >= 1.0).then(|| Self::new(topic, relevant, docs))
    }

    /// N: number of documents in the collection.
    pub(super) fn docs(&self) -> f64 {
        self.docs
    }

    /// R: number of relevant documents.
    pub(super) fn relevant(&self) -> usize {
        self.found.len() + self.missed
    }

    /// The ranks of all relevant documents, ascending.
    pub(super) fn ranks(&self) -> impl Iterator<Item = f64> + 'a {
        let before = self.docs - self.missed as f64;
        let missed = (1..=self.missed).map(move |at| before + at as f64);
        self.found.iter().map(|&rank| f64::from(rank)).chain(missed)
    }

    /// The expected rank over ties of the relevant document with this number.
    pub(super) fn expected_rank_of(
        &self,
        topic: &TiedRanking<'_>,
        level: f64,
        number: usize,
    ) -> Option<f64> {
        if level <= -1.0 {
            return None;
        }
        match u32::try_from(number) {
            Ok(found) if number <= self.found.len() => {
                topic.rank_of(found, |label| label.is_relevant(level))
            }
            _ => self.rank_of(number),
        }
    }

    /// The rank of the relevant document with this number, from 1.
    pub(super) fn rank_of(&self, number: usize) -> Option<f64> {
        let found = self.found.get(number.checked_sub(1)?);
        match found {
            Some(&rank) => Some(f64::from(rank)),
            None if number <= self.relevant() => {
                Some(self.docs - (self.relevant() - number) as f64)
            }
            None => None,
        }
    }
}

/// Computes a value from the completed ranking; `None` where it is undefined.
type Formula = fn(&Completed<'_>) -> Option<f64>;

/// A measure of the ranks in the completed ranking, with the parameters [`DOCS`] and [`ParamInfo::LEVEL`].
#[derive(Clone, Debug)]
struct OfOrder {
    level: f64,
    docs: f64,
    formula: Formula,
}

impl Measure for OfOrder {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        (self.formula)(&Completed::new(topic, &relevant, self.docs))
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.level))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

/// Builds the measure with this formula, a sum over the relevant documents that improves as their ranks fall.
pub(super) fn of_order(params: &Params, formula: Formula) -> Computation {
    Computation::ranked(OfOrder {
        level: params.level(),
        docs: params.real("docs"),
        formula,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::tests::TestTopic;

    #[test]
    fn missed_documents_take_the_last_ranks() {
        let topic = TestTopic::new(&[0, 1, 0], &[1, 1, 1, 0, 0]);
        let topic = topic.ranking();
        let relevant = topic.relevant(1.0);
        let ranks = |docs| {
            Completed::new(&topic, &relevant, docs)
                .ranks()
                .collect::<Vec<_>>()
        };
        assert_eq!(ranks(0.0), [2.0, 4.0, 5.0]);
        assert_eq!(ranks(10.5), [2.0, 9.0, 10.0]);
        let completed = Completed::new(&topic, &relevant, 10.0);
        let by_number: Vec<_> = (0..5).map(|number| completed.rank_of(number)).collect();
        assert_eq!(by_number, [None, Some(2.0), Some(9.0), Some(10.0), None]);
    }
}
