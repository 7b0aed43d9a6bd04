//! The judgements of one topic, of each kind, and the values of measures for them.

use std::collections::BTreeMap;

use cranfield_core::evaluate::Plan;
use cranfield_core::groups::TopicGroups;
use cranfield_core::measure::{BoundMeasure, Computation};
use cranfield_core::prefs::{PreferenceError, PreferenceTopic, TopicPreferences};
use cranfield_core::sampled::{DrawnJudgement, PoolDocument, SampledRanking, SampledTopic};

use crate::engine::noted::Mark;

/// The judgements of one topic.
pub(super) trait Judgements: Sync + Sized {
    fn id(&self) -> &[u8];

    /// Whether a document was judged relevant. Always true for preferences, which do not say.
    fn has_relevant(&self) -> bool {
        true
    }

    /// The marks of documents.
    fn marks(&self, docs: &[&[u8]]) -> Vec<Mark>;

    /// Computes the measures of a row for a ranking, best first; `None` is a topic without judgements.
    fn measure(topic: Option<&Self>, ranked: &[&[u8]], row: Row<'_>)
    -> Result<(), PreferenceError>;
}

/// The values of a plan's measures for one topic.
pub(super) struct Row<'a> {
    pub(super) plan: &'a Plan,
    pub(super) values: &'a mut [f64],
}

/// The value of a measure for one kind of judgements.
pub(super) enum Found {
    /// Its value; `None` if undefined.
    Value(Option<f64>),
    /// The measure is of another kind.
    Other,
}

impl Row<'_> {
    /// Fills in the value of each measure; `value_of` covers one kind of judgements.
    fn fill(self, value_of: impl Fn(&BoundMeasure) -> Found) {
        let undefined = if self.plan.reference_values {
            0.0
        } else {
            f64::NAN
        };
        for (measure, value) in self.plan.measures.iter().zip(self.values) {
            *value = match (value_of(measure), &measure.computation) {
                (Found::Value(found), _) => found.unwrap_or(undefined),
                (Found::Other, Computation::TopicCount) => 1.0,
                (Found::Other, _) => f64::NAN,
            };
        }
    }
}

/// The marks of documents, by what was found for each.
fn marks(docs: &[&[u8]], mark: impl Fn(&[u8]) -> Option<Mark>) -> Vec<Mark> {
    let marks = docs.iter().map(|doc| mark(doc).unwrap_or_default());
    marks.collect()
}

impl Judgements for TopicPreferences<'_> {
    fn id(&self) -> &[u8] {
        TopicPreferences::id(self)
    }

    fn marks(&self, docs: &[&[u8]]) -> Vec<Mark> {
        let mut keys: BTreeMap<&[u8], Vec<u64>> = BTreeMap::new();
        for (doc, group, subgroup, level) in self.lines() {
            let line = [group as u64, u64::from(subgroup), level.to_bits()];
            keys.entry(doc).or_default().extend(line);
        }
        marks(docs, |doc| {
            let key = keys.get(doc)?.clone();
            Some(Mark { judged: true, key })
        })
    }

    fn measure(
        topic: Option<&Self>,
        ranked: &[&[u8]],
        row: Row<'_>,
    ) -> Result<(), PreferenceError> {
        let topic = topic.map_or_else(
            || Ok(PreferenceTopic::default()),
            |topic| topic.judge(ranked),
        )?;
        row.fill(|measure| match &measure.computation {
            Computation::Preference(measure) => Found::Value(measure.evaluate(&topic)),
            _ => Found::Other,
        });
        Ok(())
    }
}

impl Judgements for TopicGroups<'_> {
    fn id(&self) -> &[u8] {
        TopicGroups::id(self)
    }

    fn has_relevant(&self) -> bool {
        let mut groups = self.groups();
        groups.any(|group| group.judgements().any(|(_, grade)| grade > 0.0))
    }

    fn marks(&self, docs: &[&[u8]]) -> Vec<Mark> {
        marks(docs, |doc| {
            let grades = self.groups().map(|group| group.grade(doc));
            let grades: Vec<Option<f64>> = grades.collect();
            let bits = |grade: &Option<f64>| grade.map_or(u64::MAX, f64::to_bits);
            let judged = grades.iter().any(Option::is_some);
            let key = grades.iter().map(bits).collect();
            judged.then_some(Mark { judged, key })
        })
    }

    /// Without judgements there are no groups to average over.
    fn measure(
        topic: Option<&Self>,
        ranked: &[&[u8]],
        row: Row<'_>,
    ) -> Result<(), PreferenceError> {
        let levels = row.plan.measures.iter().filter_map(level);
        let levels: Vec<f64> = levels.collect();
        let topic = topic.map(|topic| topic.judge(ranked, &row.plan.policies, &levels));
        row.fill(|measure| match &measure.computation {
            Computation::Grouped(measure) => {
                Found::Value(topic.as_ref().and_then(|topic| measure.evaluate(topic)))
            }
            _ => Found::Other,
        });
        Ok(())
    }
}

fn level(measure: &BoundMeasure) -> Option<f64> {
    match &measure.computation {
        Computation::Grouped(measure) => measure.level(),
        _ => None,
    }
}

/// A judgement of a sample.
pub(super) trait Sampled: Copy + Sync {
    /// The grade; `None` if the document was not drawn.
    fn grade(self) -> Option<f64>;

    /// Equal for documents whose exchange changes no value.
    fn key(self) -> Vec<u64>;

    /// The value of a measure of such samples.
    fn value(measure: &BoundMeasure, topic: &SampledRanking<'_, Self>) -> Found;
}

impl Sampled for PoolDocument {
    fn grade(self) -> Option<f64> {
        self.grade
    }

    fn key(self) -> Vec<u64> {
        let grade = self.grade.map_or(u64::MAX, f64::to_bits);
        vec![u64::from(self.stratum), grade]
    }

    fn value(measure: &BoundMeasure, topic: &SampledRanking<'_, Self>) -> Found {
        match &measure.computation {
            Computation::Stratified(measure) => Found::Value(measure.evaluate(topic)),
            _ => Found::Other,
        }
    }
}

impl Sampled for DrawnJudgement {
    fn grade(self) -> Option<f64> {
        Some(self.grade)
    }

    fn key(self) -> Vec<u64> {
        vec![self.grade.to_bits(), self.inclusion.get().to_bits()]
    }

    fn value(measure: &BoundMeasure, topic: &SampledRanking<'_, Self>) -> Found {
        match &measure.computation {
            Computation::Drawn(measure) => Found::Value(measure.evaluate(topic)),
            _ => Found::Other,
        }
    }
}

impl<J: Sampled> Judgements for SampledTopic<'_, J> {
    fn id(&self) -> &[u8] {
        SampledTopic::id(self)
    }

    fn has_relevant(&self) -> bool {
        let mut grades = self.judgements().iter().filter_map(|found| found.grade());
        grades.any(|grade| grade > 0.0)
    }

    fn marks(&self, docs: &[&[u8]]) -> Vec<Mark> {
        marks(docs, |doc| {
            let found = self.get(doc)?;
            let judged = found.grade().is_some();
            Some(Mark {
                judged,
                key: found.key(),
            })
        })
    }

    fn measure(
        topic: Option<&Self>,
        ranked: &[&[u8]],
        row: Row<'_>,
    ) -> Result<(), PreferenceError> {
        let found = |doc: &&[u8]| topic.and_then(|topic| topic.get(doc));
        let ranking: Vec<Option<J>> = ranked.iter().map(found).collect();
        let topic = SampledRanking {
            judged: topic.map_or(&[][..], SampledTopic::judgements),
            ranking: &ranking,
        };
        row.fill(|measure| J::value(measure, &topic));
        Ok(())
    }
}
