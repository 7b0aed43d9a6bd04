//! Sampled judgements by topic and document.

use std::fmt;
use std::ops::Range;

use super::{DrawnDocument, Inclusion, PoolDocument};
use crate::prefs::arena::{Arena, Span};

/// A judgement that was drawn with a known probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnJudgement {
    /// The grade.
    pub grade: f64,
    /// The probability with which the document was drawn.
    pub inclusion: Inclusion,
}

impl DrawnJudgement {
    /// Reads the grade at a relevance level. Grades below zero are never relevant.
    pub fn at_level(self, level: f64) -> DrawnDocument {
        DrawnDocument {
            relevant: self.grade >= level.max(0.0),
            inclusion: self.inclusion,
        }
    }
}

/// One topic as a measure of sampled judgements sees it.
#[derive(Clone, Copy, Debug)]
pub struct SampledRanking<'a, J> {
    /// All judgements of the topic, in ascending byte order of document ids.
    pub judged: &'a [J],
    /// The documents retrieved, in rank order; `None` for those that the judgements lack.
    pub ranking: &'a [Option<J>],
}

impl<'a, J> SampledRanking<'a, J> {
    /// The first documents of the ranking.
    pub fn first(&self, cutoff: usize) -> &'a [Option<J>] {
        &self.ranking[..self.ranking.len().min(cutoff)]
    }
}

/// A measure of a pool that was sampled stratum by stratum.
pub trait StratifiedMeasure: fmt::Debug + Send + Sync {
    /// The value for a topic, or `None` where the measure's documentation calls it undefined.
    fn evaluate(&self, topic: &SampledRanking<'_, PoolDocument>) -> Option<f64>;
}

/// A measure of judgements that were drawn with unequal probabilities.
pub trait DrawnMeasure: fmt::Debug + Send + Sync {
    /// The value for a topic, or `None` where the measure's documentation calls it undefined.
    fn evaluate(&self, topic: &SampledRanking<'_, DrawnJudgement>) -> Option<f64>;
}

/// A document that a topic repeats, by the order in which judgements were added, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepeatedJudgement {
    /// The earlier one.
    pub first: usize,
    /// The later one.
    pub second: usize,
}

#[derive(Clone, Copy, Debug)]
struct Line<J> {
    topic: Span,
    doc: Span,
    place: usize,
    judgement: J,
}

/// Collects sampled judgements.
#[derive(Clone, Debug)]
pub struct SampledQrelsBuilder<J> {
    arena: Arena,
    lines: Vec<Line<J>>,
}

impl<J> Default for SampledQrelsBuilder<J> {
    fn default() -> Self {
        Self {
            arena: Arena::default(),
            lines: Vec::new(),
        }
    }
}

impl<J: Copy> SampledQrelsBuilder<J> {
    /// Adds a judgement, in any order.
    pub fn push(&mut self, topic: &[u8], doc: &[u8], judgement: J) {
        let last = self.lines.last().map(|line| line.topic);
        let line = Line {
            topic: self.arena.add_after(last, topic),
            doc: self.arena.add(doc),
            place: self.lines.len(),
            judgement,
        };
        self.lines.push(line);
    }

    /// All judgements, unless a topic has a document twice; the first repetition is reported.
    pub fn finish(self) -> Result<SampledQrels<J>, RepeatedJudgement> {
        let Self { arena, mut lines } = self;
        lines.sort_unstable_by(|a, b| {
            let place = arena.compare(a.topic, b.topic);
            let place = place.then_with(|| arena.compare(a.doc, b.doc));
            place.then(a.place.cmp(&b.place))
        });
        let twice = lines
            .array_windows()
            .filter(|[a, b]| arena.same(a.topic, b.topic) && arena.same(a.doc, b.doc));
        let twice = twice.map(|[a, b]| RepeatedJudgement {
            first: a.place,
            second: b.place,
        });
        if let Some(first) = twice.min_by_key(|found| found.second) {
            return Err(first);
        }
        let mut all = SampledQrels {
            topics: Vec::new(),
            docs: Vec::with_capacity(lines.len()),
            judgements: Vec::with_capacity(lines.len()),
            arena: Arena::default(),
        };
        for topic in lines.chunk_by(|a, b| arena.same(a.topic, b.topic)) {
            let start = all.docs.len();
            all.docs.extend(topic.iter().map(|line| line.doc));
            all.judgements
                .extend(topic.iter().map(|line| line.judgement));
            all.topics.push((topic[0].topic, start..all.docs.len()));
        }
        Ok(SampledQrels { arena, ..all })
    }
}

/// Sampled judgements: those of a stratified pool ([`PoolDocument`]) or those with probabilities ([`DrawnJudgement`]).
///
/// ```
/// use cranfield_core::sampled::{PoolDocument, SampledQrelsBuilder};
///
/// let mut builder = SampledQrelsBuilder::default();
/// builder.push(b"q1", b"d2", PoolDocument { stratum: 1, grade: None });
/// builder.push(b"q1", b"d1", PoolDocument { stratum: 1, grade: Some(2.0) });
/// let qrels = builder.finish().unwrap();
/// let topic = qrels.topics().next().unwrap();
/// assert_eq!(topic.get(b"d1").and_then(|document| document.grade), Some(2.0));
/// assert_eq!(topic.judgements().len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct SampledQrels<J> {
    arena: Arena,
    topics: Vec<(Span, Range<usize>)>,
    /// Documents of each topic in ascending order.
    docs: Vec<Span>,
    judgements: Vec<J>,
}

impl<J> SampledQrels<J> {
    /// The topic with this id.
    pub fn topic(&self, id: &[u8]) -> Option<SampledTopic<'_, J>> {
        self.topics().find(|topic| self.arena.get(topic.id) == id)
    }

    /// Topics in ascending byte order of their ids.
    pub fn topics(&self) -> impl ExactSizeIterator<Item = SampledTopic<'_, J>> {
        self.topics.iter().map(|(id, range)| SampledTopic {
            arena: &self.arena,
            id: *id,
            docs: &self.docs[range.clone()],
            judgements: &self.judgements[range.clone()],
        })
    }

    /// Number of judgements.
    pub fn judgements(&self) -> usize {
        self.judgements.len()
    }
}

/// The sampled judgements of a topic.
#[derive(Clone, Copy, Debug)]
pub struct SampledTopic<'a, J> {
    arena: &'a Arena,
    id: Span,
    docs: &'a [Span],
    judgements: &'a [J],
}

impl<'a, J: Copy> SampledTopic<'a, J> {
    /// The topic's id.
    pub fn id(&self) -> &'a [u8] {
        self.arena.get(self.id)
    }

    /// Judgements in ascending byte order of document ids.
    pub fn judgements(&self) -> &'a [J] {
        self.judgements
    }

    /// The judgement of a document.
    pub fn get(&self, doc: &[u8]) -> Option<J> {
        let found = self
            .docs
            .binary_search_by(|known| self.arena.get(*known).cmp(doc));
        found.ok().map(|at| self.judgements[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(lines: &[(&str, &str, f64)]) -> Result<SampledQrels<PoolDocument>, RepeatedJudgement> {
        let mut builder = SampledQrelsBuilder::default();
        for (topic, doc, grade) in lines {
            let document = PoolDocument {
                stratum: 0,
                grade: Some(*grade),
            };
            builder.push(topic.as_bytes(), doc.as_bytes(), document);
        }
        builder.finish()
    }

    #[test]
    fn topics_and_documents_ascend() {
        let qrels = build(&[("9", "b", 1.0), ("10", "x", 2.0), ("9", "a", 3.0)]).unwrap();
        let ids: Vec<_> = qrels.topics().map(|topic| topic.id()).collect();
        assert_eq!(ids, [b"10".as_slice(), b"9"]);
        let last = qrels.topics().last().unwrap();
        let grades: Vec<_> = last.judgements().iter().map(|j| j.grade).collect();
        assert_eq!(grades, [Some(3.0), Some(1.0)]);
        assert_eq!(last.get(b"x"), None);
        assert_eq!(qrels.judgements(), 3);
    }

    #[test]
    fn the_first_repetition_is_reported() {
        let lines = [
            ("2", "z", 1.0),
            ("1", "a", 1.0),
            ("2", "z", 1.0),
            ("1", "a", 1.0),
        ];
        let twice = build(&lines).unwrap_err();
        assert_eq!((twice.first, twice.second), (0, 2));
    }
}
