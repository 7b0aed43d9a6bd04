//! Documents with the grades of several assessors.

use std::collections::BTreeSet;

use cranfield_core::qrels::QrelsTopic;
use cranfield_core::small_sort::SmallSort;

use super::{Assessor, DisputedDocument};

/// A document with a judgement.
pub(super) struct Judged<'a> {
    topic: &'a [u8],
    doc: &'a [u8],
    /// By assessor.
    pub(super) grades: Vec<Option<f64>>,
}

impl Judged<'_> {
    /// The grades that were given.
    pub(super) fn given(&self) -> impl Iterator<Item = f64> {
        self.grades.iter().flatten().copied()
    }

    /// The highest grade minus the lowest.
    fn spread(&self) -> f64 {
        let least = self.given().fold(f64::INFINITY, f64::min);
        let greatest = self.given().fold(f64::NEG_INFINITY, f64::max);
        greatest - least
    }

    /// Differences of all pairs of grades, added up.
    fn distance(&self) -> f64 {
        let given: Vec<f64> = self.given().collect();
        let pairs = given.iter().enumerate();
        let pairs = pairs.flat_map(|(at, a)| given[at + 1..].iter().map(move |b| (a - b).abs()));
        pairs.sum()
    }
}

/// The topics that an assessor judged, ascending; only one of them if it is given.
pub(super) fn topic_ids<'a>(assessors: &'a [Assessor], only: Option<&str>) -> Vec<&'a [u8]> {
    let topics = assessors.iter().flat_map(|assessor| {
        let topics = assessor.qrels.topics();
        topics.map(|topic| topic.id())
    });
    let topics = topics.filter(|id| only.is_none_or(|only| only.as_bytes() == *id));
    topics.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The documents of a topic in ascending order of their ids.
pub(super) fn documents<'a>(assessors: &'a [Assessor], topic: &'a [u8]) -> Vec<Judged<'a>> {
    let mut judged: Vec<(&[u8], usize, f64)> = Vec::new();
    for (at, assessor) in assessors.iter().enumerate() {
        let topic = assessor.qrels.get(topic);
        let own = topic.iter().flat_map(QrelsTopic::judgements);
        judged.extend(own.map(|(doc, grade)| (doc, at, grade)));
    }
    judged.small_sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
    let of_document = |group: &[(&'a [u8], usize, f64)]| {
        let mut grades = vec![None; assessors.len()];
        for (_, at, grade) in group {
            grades[*at] = Some(*grade);
        }
        Judged {
            topic,
            doc: group[0].0,
            grades,
        }
    };
    judged
        .chunk_by(|a, b| a.0 == b.0)
        .map(of_document)
        .collect()
}

/// The documents with the largest spread, then with the largest differences, at most `most`, and the number of all with a spread.
pub(super) fn disputed<'a>(
    documents: impl Iterator<Item = &'a Judged<'a>>,
    most: usize,
) -> (Vec<DisputedDocument>, usize) {
    let documents = documents.map(|judged| (judged.spread(), judged));
    let mut disputed: Vec<(f64, &Judged<'_>)> =
        documents.filter(|(spread, _)| *spread > 0.0).collect();
    // Stable: documents are in the order of topics and ids.
    disputed.small_sort_by(|(a, one), (b, other)| {
        let further = || other.distance().total_cmp(&one.distance());
        b.total_cmp(a).then_with(further)
    });
    let first = disputed
        .iter()
        .take(most)
        .map(|(spread, judged)| DisputedDocument {
            topic: judged.topic.into(),
            doc: judged.doc.into(),
            grades: judged.grades.clone(),
            spread: *spread,
        });
    (first.collect(), disputed.len())
}
